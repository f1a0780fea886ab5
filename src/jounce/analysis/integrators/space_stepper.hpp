// One interface to the methods that follow the motion of a spatial mechanism.
#pragma once

#include <memory>

#include "jounce/analysis/integrators/method.hpp"
#include "jounce/analysis/integrators/stepper.hpp"
#include "jounce/analysis/integrators/space_ode.hpp"

namespace jounce {

class SpaceStepper {
 public:
  enum class Status {
    accepted,
    too_small,  ///< the tolerance cannot be met
    fault,      ///< something has no value: see the ode's `fault`
  };
  virtual ~SpaceStepper() = default;

  /// Begins, or begins anew.
  [[nodiscard]] virtual Status start(double t, std::span<const double> y) = 0;
  /// One accepted step towards `limit`, at most up to it.
  [[nodiscard]] virtual Status step(double limit) = 0;
  [[nodiscard]] virtual double t() const = 0;
  [[nodiscard]] virtual double previous_t() const = 0;
  /// y at a time inside the last step, or at its end.
  [[nodiscard]] virtual bool dense(double t, std::span<double> y) = 0;
  /// Once what lies within the last step is no longer wanted: makes quaternions unit ones and closes the loops. False at a fault.
  [[nodiscard]] virtual bool settle() = 0;
  /// Stability, not accuracy, bounds its steps.
  [[nodiscard]] virtual bool stiff() const { return false; }
  [[nodiscard]] virtual StepperStatistics statistics() const = 0;
};

struct SpaceStepperOptions {
  double tolerance = 1e-8;
  double largest_step = 0;
};
[[nodiscard]] std::unique_ptr<SpaceStepper> make_space_stepper(Method method, SpaceOde& ode, const SpaceStepperOptions& options);

}  // namespace jounce
