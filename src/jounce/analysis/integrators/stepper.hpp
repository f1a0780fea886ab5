// One face for the integrators: start at a state, step towards a limit, ask for the motion within the last step.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "jounce/analysis/integrators/method.hpp"
#include "jounce/plane/equations/equations_of_motion.hpp"

namespace jounce {

struct StepperStatistics {
  long steps = 0, rejected = 0, factorisations = 0;
  double worst_defect = 0;        ///< against what is allowed; 0 for methods without a defect check
  double largest_projection = 0;  ///< back to the constraints: mechanism sizes and radians
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

  /// From a state that satisfies the constraints to within a projection.
  [[nodiscard]] virtual Status start(double t, std::span<const double> q, std::span<const double> v) = 0;
  /// One step, not beyond `limit` (but see TaylorIntegrator::step).
  [[nodiscard]] virtual Status step(double limit) = 0;

  [[nodiscard]] virtual double t() const = 0;
  [[nodiscard]] virtual double previous_t() const = 0;
  /// The motion at a time within the last step.
  virtual void dense(double t, std::span<double> q, std::span<double> v) = 0;
  virtual void set_directions(std::span<const double> directions) = 0;

  [[nodiscard]] virtual Fault fault() const = 0;
  [[nodiscard]] virtual StepperStatistics statistics() const = 0;
  /// The step is bounded by stability and no longer by the tolerance.
  [[nodiscard]] virtual bool stiff() const { return false; }
  /// The time of a singular position that the last step went across, where the method sees them.
  [[nodiscard]] virtual std::optional<double> passage() const { return std::nullopt; }
  /// The Taylor coefficients of the multipliers at the end of the last step, if the method has them: see TaylorStepper.
  [[nodiscard]] virtual const EquationsOfMotion* expansion() const { return nullptr; }
};

struct StepperOptions {
  double tolerance = 1e-8;
  int order = 0;            ///< of a Taylor series; 0: chosen from the tolerance
  std::vector<int> rows{};  ///< independent equations, for methods that need them apart; empty: all
  Formulation formulation = Formulation::automatic;
  double largest_step = std::numeric_limits<double>::infinity();
};

[[nodiscard]] std::unique_ptr<Stepper> make_stepper(Method method, const PlanarSystem& system, const StepperOptions& options);

}  // namespace jounce
