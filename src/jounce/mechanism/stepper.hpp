// One face for the integrators: start at a state, step towards a limit, ask for the motion within the last step.
//
// A state y is coordinates and rates, as the mechanism that moves counts them (ForwardMotion).
#pragma once

#include <limits>
#include <optional>
#include <span>

#include "jounce/base/fault.hpp"

namespace jounce {

struct StepperStatistics {
  long steps = 0, rejected = 0, factorisations = 0;
  double worst_defect = 0;        ///< against what is allowed; 0 for methods without a defect check
  double largest_projection = 0;  ///< back to the constraints: mechanism sizes and radians
  int order = 0;                  ///< of a power series; 0 for other methods
};

class Stepper {
 public:
  enum class Status {
    accepted,
    too_small,  ///< the tolerance cannot be met
    fault,      ///< an equation has no value: see fault()
    singular,   ///< the equations do not decide the motion
  };

  virtual ~Stepper() = default;
  Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  /// From a state that satisfies the constraints to within a projection; once.
  [[nodiscard]] virtual Status start(double t, std::span<const double> y) = 0;
  /// One accepted step towards `limit`, not beyond it (but see TaylorIntegrator::step).
  [[nodiscard]] virtual Status step(double limit) = 0;

  [[nodiscard]] virtual double t() const = 0;
  [[nodiscard]] virtual double previous_t() const = 0;
  /// y at a time within the last step, or at its end. False where an equation has no value within the step.
  [[nodiscard]] virtual bool dense(double t, std::span<double> y) = 0;
  /// Done since the start by what is not in kinetic and potential energy, up to the time of the last `dense`; 0 where nobody asked for it.
  [[nodiscard]] virtual double work() const { return 0; }
  /// y where the last step ended, at the least cost; methods that put a step back on the constraints at once give that. And the work up to there.
  [[nodiscard]] virtual bool ending(std::span<double> y) { return dense(t(), y); }
  [[nodiscard]] virtual double ending_work() const { return 0; }
  /// Once what lies within the last step is no longer wanted: puts the state back on the constraints.
  [[nodiscard]] virtual Status settle() { return Status::accepted; }

  [[nodiscard]] virtual Fault fault() const = 0;
  [[nodiscard]] virtual StepperStatistics statistics() const = 0;
  /// The size that the next step will try; 0 where the method finds it anew at every start.
  [[nodiscard]] virtual double next_step() const { return 0; }
  /// The step is bounded by stability and no longer by the tolerance.
  [[nodiscard]] virtual bool stiff() const { return false; }
  /// Whether the method sees singular positions by itself, at no cost, and the time of the next one that is near.
  [[nodiscard]] virtual bool looks_ahead() const { return false; }
  [[nodiscard]] virtual std::optional<double> singular_ahead() const { return std::nullopt; }
  /// The time of a singular position that the last step went across.
  [[nodiscard]] virtual std::optional<double> passage() const { return std::nullopt; }
};

struct StepperOptions {
  double tolerance = 1e-8;
  double largest_step = std::numeric_limits<double>::infinity();
  double first_step = 0;  ///< 0: to be found
  bool work = false;      ///< whether it is integrated, beside the control of steps
};

}  // namespace jounce
