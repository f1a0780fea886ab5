// How one mechanism moves on its own: the face that the forward run sees. The plane and space implement it.
//
// A state y is what is integrated: coordinates, then rates. In the plane these are all of them; in space those that nobody prescribes.
// What only some mechanisms have (dry friction, passages through singular positions, rates that jump) are hooks that do nothing.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/math/dense.hpp"
#include "jounce/mechanism/audit_scale.hpp"
#include "jounce/mechanism/ending.hpp"
#include "jounce/mechanism/formulation.hpp"
#include "jounce/mechanism/method.hpp"
#include "jounce/mechanism/motion_state.hpp"
#include "jounce/mechanism/stepper.hpp"
#include "jounce/mechanism/stiff_form.hpp"
#include "jounce/mechanism/time_breaks.hpp"

namespace jounce {

/// Joints and loops that are off by more than this do not hold: metres of a mechanism of one metre, or radians. Smaller mechanisms have smaller
/// gaps; a loose tolerance allows larger ones.
[[nodiscard]] inline double most_open(double length, double tolerance = 0) { return std::max(1e-6, 10 * tolerance) * std::min(1.0, length); }

struct ForwardOptions {
  double tolerance = 1e-8;
  Formulation formulation = Formulation::automatic;
  int order = 0;  ///< of a power series; 0: chosen from the tolerance
};

class ForwardMotion {
 public:
  ForwardMotion() = default;
  virtual ~ForwardMotion() = default;
  ForwardMotion(const ForwardMotion&) = delete;
  ForwardMotion& operator=(const ForwardMotion&) = delete;

  // ---- before the run --------------------------------------------------------------------------------------------------

  /// What in the mechanism or the options keeps it from being run.
  [[nodiscard]] virtual Problems refusals() const = 0;
  /// The explicit method that suits it best.
  [[nodiscard]] virtual Method usual_method() const = 0;

  struct Start {
    const MotionState& state;
    double to = 0;        ///< where the run ends
    bool written = true;  ///< the state comes from the model and is assembled; otherwise from the caller, near the joints at best
  };
  /// Takes the state, made to fit the joints, and looks at what will happen from there on; before anything below is asked. Warnings are
  /// added to the problems.
  [[nodiscard]] virtual std::optional<Ending> start(const Start& start, Problems& problems) = 0;
  /// What happened at once: impacts.
  [[nodiscard]] virtual std::vector<Event> start_events() const { return {}; }
  /// y at the start.
  [[nodiscard]] virtual std::vector<double> start_state() const = 0;
  [[nodiscard]] virtual const TimeBreaks& breaks() const = 0;
  /// For judging its energy.
  [[nodiscard]] virtual AuditScale audit_scale() const = 0;
  /// Some motion is prescribed.
  [[nodiscard]] virtual bool driven() const { return true; }
  /// Nothing takes or gives energy.
  [[nodiscard]] virtual bool conservative() const = 0;
  /// How accelerations are found, in words.
  [[nodiscard]] virtual std::string formulation() const = 0;

  // ---- the equations ---------------------------------------------------------------------------------------------------

  /// Of y.
  [[nodiscard]] virtual int size() const = 0;
  /// y' = f(t, y). False where something has no value: see `fault`.
  [[nodiscard]] virtual bool rate(double t, std::span<const double> y, std::span<double> dy) = 0;
  /// Puts y back on the constraints; the largest change, not finite where that failed, nothing where something has no value.
  [[nodiscard]] virtual std::optional<double> project(double t, std::span<double> y) = 0;
  /// Whether a projection changes what `rate` gives. It does not where only quaternions are made unit ones.
  [[nodiscard]] virtual bool rate_sees_projection() const = 0;
  /// What drivers, dampers, friction, actuators and loads bring in at the state of the last `rate`; the energy that springs and gravity keep is
  /// not among it.
  [[nodiscard]] virtual double power() = 0;
  /// The same at any state; nothing where something has no value.
  [[nodiscard]] virtual std::optional<double> power_at(double t, std::span<const double> y) = 0;
  [[nodiscard]] virtual Fault fault() const = 0;
  /// Spent on `rate` and `project` so far.
  [[nodiscard]] virtual long factorisations() const = 0;
  /// For implicit methods; outlived by this motion, and by the equations that are in force.
  [[nodiscard]] virtual std::unique_ptr<StiffForm> stiff_form() = 0;
  /// The method by power series; null where there is none.
  [[nodiscard]] virtual std::unique_ptr<Stepper> series_stepper(const StepperOptions& /*options*/) { return nullptr; }

  /// So many independent equations hold it, of each group of them that has nothing to do with the others; nothing where it has no singular positions to watch for.
  [[nodiscard]] virtual std::vector<int> held_by() const { return {}; }
  /// Gradients of the equations of each of those groups, a column for each, over what they can move: in mechanism sizes and radians.
  [[nodiscard]] virtual std::vector<Matrix> gradients(double /*t*/, std::span<const double> /*y*/) { return {}; }

  /// How well its equations hold it, as a by-product of solving them: goes to zero where they lose rank, like the square of the way to there. The smallest of
  /// all states that `rate` was asked for since this was; none where nobody knows.
  [[nodiscard]] virtual std::optional<double> smallest_pivot() { return std::nullopt; }

  // ---- rows ------------------------------------------------------------------------------------------------------------

  [[nodiscard]] virtual std::size_t columns() const = 0;
  struct Sample {
    double kinetic = 0, potential = 0;
    double residual = 0;  ///< of the constraints, metres or radians
    double power = 0;     ///< see `power`
    double force = 0;     ///< the largest that acts, newtons; moments over the length of the mechanism
  };
  /// The column of energy.work in a row, which that of energy.balance follows: both are the run's to fill.
  [[nodiscard]] virtual std::size_t audit_column() const = 0;
  /// Fills a row at a state: solved for, not interpolated.
  [[nodiscard]] virtual std::optional<Ending> sample(double t, std::span<const double> y, std::span<double> row, Sample& out) = 0;
  /// All coordinates and rates at the last sample.
  [[nodiscard]] virtual std::span<const double> q() const = 0;
  [[nodiscard]] virtual std::span<const double> v() const = 0;
  /// Joints whose reactions are not unique, after the first sample.
  [[nodiscard]] virtual std::vector<std::string> not_unique() const = 0;

  // ---- on the way ------------------------------------------------------------------------------------------------------

  /// Kinetic energy at a state, for what a blow changes.
  [[nodiscard]] virtual double kinetic(double t, std::span<const double> y) = 0;
  /// The largest rate, in mechanism sizes and radians per second.
  [[nodiscard]] virtual double speed(double t, std::span<const double> y) = 0;
  /// A step of the implicit method costs about as much as so many of the usual one.
  [[nodiscard]] virtual double stiff_cost() const = 0;

  /// Asked where thousands of steps make next to no way: the end of the run, if some inertia has vanished and accelerations grow without bound.
  [[nodiscard]] virtual std::optional<Ending> vanishing(double /*t*/, std::span<const double> /*y*/) { return std::nullopt; }

  /// Joints that come apart within the last step by more than is allowed: the first time, and how the run ends there.
  struct Opened {
    double t = 0;
    Ending ending;
  };
  [[nodiscard]] virtual std::optional<Opened> opened(Stepper& /*stepper*/) { return std::nullopt; }

  /// Whether steps have to end just before this time at which a function is not smooth, so that `cross` can carry the state over it.
  [[nodiscard]] virtual bool stops_before(double /*time*/) const { return false; }
  [[nodiscard]] virtual std::optional<Ending> cross(double /*before*/, double /*t*/, std::span<double> /*y*/, std::vector<Event>& /*events*/) {
    return std::nullopt;
  }

  /// The first time within the last step at which other equations come into force (something sticks or begins to slide).
  [[nodiscard]] virtual std::optional<double> first_change(Stepper& /*stepper*/) { return std::nullopt; }
  /// Puts them into force. Steppers and stiff forms made before are of no use any more.
  [[nodiscard]] virtual std::optional<Ending> change(double /*t*/, std::span<double> /*y*/, std::vector<Event>& /*events*/) {
    return std::nullopt;
  }
  /// What is said of a singular position that a step went across.
  [[nodiscard]] virtual Event passage(double t, std::span<const double> /*y*/) { return {t, "singular-position", "passed a singular position", {}}; }
  /// Why steps come to an end at y, where the mechanism knows more than the method.
  [[nodiscard]] virtual std::optional<Ending> reason(Stepper::Status /*status*/, double /*t*/, std::span<const double> /*y*/) {
    return std::nullopt;
  }
};

}  // namespace jounce
