#include "jounce/analysis/integrators/stepper.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/analysis/integrators/dop853.hpp"
#include "jounce/analysis/integrators/radau.hpp"
#include "jounce/base/require.hpp"

namespace jounce {
namespace {

/// Stiff: steeper than this so often, with fewer than a few other steps in between (Hairer's test).
constexpr double kSteep = 6.1;
constexpr int kOftenSteep = 15, kCalm = 6;

/// Everything is prescribed: there is nothing to integrate, and time goes by in one step.
class IdleStepper final : public Stepper {
 public:
  Status start(double t, std::span<const double>) override { return t_ = previous_t_ = t, Status::accepted; }
  Status step(double limit) override { return previous_t_ = t_, t_ = limit, Status::accepted; }
  [[nodiscard]] double t() const override { return t_; }
  [[nodiscard]] double previous_t() const override { return previous_t_; }
  bool dense(double, std::span<double>) override { return true; }
  [[nodiscard]] Fault fault() const override { return {}; }
  [[nodiscard]] StepperStatistics statistics() const override { return {}; }

 private:
  double t_ = 0, previous_t_ = 0;
};

/// What the methods for y' = f(t, y) and its kin share: the state is put back on the constraints after every step.
class Projected : public Stepper {
 public:
  explicit Projected(ForwardMotion& motion) : motion_(motion), y_(static_cast<std::size_t>(motion.size())) {}

 protected:
  /// y_ onto the constraints.
  [[nodiscard]] Status project(double t) {
    const std::optional<double> moved = motion_.project(t, y_);
    if (!moved) return Status::fault;
    projection_ = std::max(projection_, *moved);
    return std::isfinite(*moved) ? Status::accepted : Status::too_small;
  }

  ForwardMotion& motion_;
  std::vector<double> y_;
  double projection_ = 0;
};

/// Explicit, order 8.
class Dop853Stepper final : public Projected {
  struct Slope {
    ForwardMotion& motion;
    bool& failed;
    bool operator()(double t, std::span<const double> y, std::span<double> dy) const {
      const bool good = motion.rate(t, y, dy);
      failed = failed || !good;
      return good;
    }
  };
  Slope slope() { return {motion_, failed_}; }

 public:
  Dop853Stepper(ForwardMotion& motion, const StepperOptions& options)
      : Projected(motion),
        integrator_(motion.size(), {.tolerance = options.tolerance, .norm = OdeOptions::Norm::largest, .largest_step = options.largest_step}),
        first_step_(options.first_step),
        spent_before_(motion.factorisations()) {}

  Status start(double t, std::span<const double> y) override {
    if (!integrator_.start(t, y, slope())) return Status::fault;
    integrator_.set_next_step(first_step_);
    return Status::accepted;
  }

  Status step(double limit) override {
    failed_ = dense_ready_ = false;
    if (integrator_.step(slope(), limit) == Dop853::Step::too_small) return failed_ ? Status::fault : Status::too_small;
    watch_steepness();
    return Status::accepted;
  }

  [[nodiscard]] double t() const override { return integrator_.t(); }
  [[nodiscard]] double previous_t() const override { return integrator_.previous_t(); }

  bool dense(double t, std::span<double> y) override {
    const bool at_rest = integrator_.previous_t() == integrator_.t();  // no step since the start: there is nothing within it
    if (t >= integrator_.t() || at_rest) return std::ranges::copy(integrator_.y(), y.begin()), true;
    if (!dense_ready_ && !integrator_.prepare_dense(slope())) return false;
    dense_ready_ = true;
    integrator_.dense(t, y);
    return true;
  }

  Status settle() override {
    std::ranges::copy(integrator_.y(), y_.begin());
    if (const Status status = project(integrator_.t()); status != Status::accepted) return status;
    if (!motion_.rate_sees_projection()) return integrator_.amend(y_), Status::accepted;
    dense_ready_ = false;
    return integrator_.replace(y_, slope()) ? Status::accepted : Status::fault;
  }

  [[nodiscard]] Fault fault() const override { return motion_.fault(); }
  [[nodiscard]] StepperStatistics statistics() const override {
    const OdeStatistics& s = integrator_.statistics();
    return {s.steps, s.rejected, motion_.factorisations() - spent_before_, 0, projection_};
  }
  [[nodiscard]] double next_step() const override { return integrator_.next_step(); }
  [[nodiscard]] bool stiff() const override { return steep_ >= kOftenSteep; }

 private:
  void watch_steepness() {
    if (integrator_.steepness() > kSteep) ++steep_, calm_ = 0;
    else if (++calm_ == kCalm) steep_ = 0;
  }

  Dop853 integrator_;
  double first_step_;
  long spent_before_;
  int steep_ = 0, calm_ = 0;  // steps
  bool dense_ready_ = false, failed_ = false;
};

/// Implicit, order 5, for stiff motion.
class RadauStepper final : public Projected {
 public:
  RadauStepper(ForwardMotion& motion, const StepperOptions& options)
      : Projected(motion), form_(motion.stiff_form()), radau_(*form_, options.tolerance), first_step_(options.first_step) {
    radau_.set_largest_step(options.largest_step);
  }

  Status start(double t, std::span<const double> y) override {
    radau_.start(t, y);
    radau_.set_next_step(first_step_);
    return Status::accepted;
  }
  Status step(double limit) override {
    switch (radau_.step(limit)) {
      case Radau::Step::accepted: return Status::accepted;
      case Radau::Step::fault: return Status::fault;
      case Radau::Step::singular: return Status::singular;
      case Radau::Step::too_small: break;
    }
    return Status::too_small;
  }
  [[nodiscard]] double t() const override { return radau_.t(); }
  [[nodiscard]] double previous_t() const override { return radau_.previous_t(); }
  bool dense(double t, std::span<double> y) override {
    if (t < radau_.t() && radau_.previous_t() < radau_.t()) return radau_.dense(t, y), true;
    return std::ranges::copy(radau_.y(), y.begin()), true;
  }

  Status settle() override {
    if (form_->keeps_constraints()) return Status::accepted;
    std::ranges::copy(radau_.y(), y_.begin());
    if (const Status status = project(radau_.t()); status != Status::accepted) return status;
    return radau_.replace(y_), Status::accepted;
  }

  [[nodiscard]] Fault fault() const override { return form_->fault(); }
  [[nodiscard]] StepperStatistics statistics() const override {
    const RadauStatistics& s = radau_.statistics();
    return {s.steps, s.rejected, s.factorisations, 0, projection_};
  }
  [[nodiscard]] double next_step() const override { return radau_.next_step(); }

 private:
  std::unique_ptr<StiffForm> form_;
  Radau radau_;
  double first_step_;
};

}  // namespace

std::unique_ptr<Stepper> make_stepper(Method method, ForwardMotion& motion, const StepperOptions& options) {
  if (motion.size() == 0) return std::make_unique<IdleStepper>();
  if (method == Method::automatic) method = motion.usual_method();
  if (method == Method::radau) return std::make_unique<RadauStepper>(motion, options);
  if (method == Method::dop853) return std::make_unique<Dop853Stepper>(motion, options);
  std::unique_ptr<Stepper> out = motion.series_stepper(options);
  JOUNCE_REQUIRE(out != nullptr, "a motion without series is not asked for them");
  return out;
}

}  // namespace jounce
