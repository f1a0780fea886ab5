#include "jounce/analysis/integrators/stepper.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/analysis/integrators/dop853.hpp"
#include "jounce/analysis/integrators/radau.hpp"
#include "jounce/analysis/integrators/radau_tableau.hpp"
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
  Projected(ForwardMotion& motion, bool work) : motion_(motion), work_(work), n_(static_cast<std::size_t>(motion.size())), y_(n_) {}

 protected:
  /// y_ onto the constraints.
  [[nodiscard]] Status project(double t) {
    const std::optional<double> moved = motion_.project(t, std::span(y_).first(n_));
    if (!moved) return Status::fault;
    projection_ = std::max(projection_, *moved);
    return std::isfinite(*moved) ? Status::accepted : Status::too_small;
  }

  ForwardMotion& motion_;
  bool work_;  // is asked for
  std::size_t n_;
  std::vector<double> y_;
  double projection_ = 0;
};

/// Explicit, order 8. Work is one number more, behind the state: its rate is the power.
class Dop853Stepper final : public Projected {
  struct Slope {
    ForwardMotion& motion;
    std::size_t n;
    bool& failed;
    bool operator()(double t, std::span<const double> y, std::span<double> dy) const {
      const bool good = motion.rate(t, y.first(n), dy.first(n));
      if (good && dy.size() > n) dy[n] = motion.power();
      failed = failed || !good;
      return good;
    }
  };
  Slope slope() { return {motion_, n_, failed_}; }

 public:
  Dop853Stepper(ForwardMotion& motion, const StepperOptions& options)
      : Projected(motion, options.work),
        integrator_(motion.size() + (work_ ? 1 : 0), {.tolerance = options.tolerance,
                                                      .norm = OdeOptions::Norm::largest,
                                                      .largest_step = options.largest_step,
                                                      .along = work_ ? 1 : 0}),
        first_step_(options.first_step),
        spent_before_(motion.factorisations()) {
    if (work_) y_.push_back(0);
  }

  Status start(double t, std::span<const double> y) override {
    std::ranges::copy(y, y_.begin());
    if (!integrator_.start(t, y_, slope())) return Status::fault;
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
    if (t >= integrator_.t() || at_rest) {
      std::ranges::copy(integrator_.y(), y_.begin());
    } else {
      if (!dense_ready_ && !integrator_.prepare_dense(slope())) return false;
      dense_ready_ = true;
      integrator_.dense(t, y_);
    }
    std::copy_n(y_.begin(), n_, y.begin());
    return true;
  }
  [[nodiscard]] double work() const override { return work_ ? y_.back() : 0; }
  [[nodiscard]] double ending_work() const override { return work_ ? integrator_.y().back() : 0; }

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
      : Projected(motion, options.work), form_(motion.stiff_form()), radau_(*form_, options.tolerance), first_step_(options.first_step) {
    radau_.set_largest_step(options.largest_step);
  }

  Status start(double t, std::span<const double> y) override {
    radau_.start(t, y);
    radau_.set_next_step(first_step_);
    return Status::accepted;
  }
  Status step(double limit) override {
    switch (radau_.step(limit)) {
      case Radau::Step::accepted: return take_powers() ? Status::accepted : Status::fault;
      case Radau::Step::fault: return Status::fault;
      case Radau::Step::singular: return Status::singular;
      case Radau::Step::too_small: break;
    }
    return Status::too_small;
  }
  [[nodiscard]] double t() const override { return radau_.t(); }
  [[nodiscard]] double previous_t() const override { return radau_.previous_t(); }
  bool dense(double t, std::span<double> y) override {
    dense_work_ = work_at(std::min(t, radau_.t()));
    if (t < radau_.t() && radau_.previous_t() < radau_.t()) return radau_.dense(t, y), true;
    return std::ranges::copy(radau_.y(), y.begin()), true;
  }

  Status settle() override {
    if (form_->keeps_constraints()) return Status::accepted;
    std::ranges::copy(radau_.y(), y_.begin());
    if (const Status status = project(radau_.t()); status != Status::accepted) return status;
    return radau_.replace(y_), Status::accepted;
  }

  [[nodiscard]] Fault fault() const override {
    const Fault own = form_->fault();
    return own.sentence.empty() ? motion_.fault() : own;
  }
  [[nodiscard]] StepperStatistics statistics() const override {
    const RadauStatistics& s = radau_.statistics();
    return {s.steps, s.rejected, s.factorisations, 0, projection_};
  }
  [[nodiscard]] double next_step() const override { return radau_.next_step(); }
  [[nodiscard]] double work() const override { return dense_work_; }
  [[nodiscard]] double ending_work() const override { return work_at(radau_.t()); }

 private:
  /// The polynomial through the powers at the stages, as the method integrates everything else. The multipliers of the stages would give those
  /// of drivers, too, but Newton's iteration ends when the states are right.
  [[nodiscard]] bool take_powers() {
    if (!work_) return true;
    before_ = work_at(radau_.previous_t());
    from_ = radau_.previous_t();
    length_ = radau_.t() - from_;
    radau::Stages found{};
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double t = i + 1 < found.size() ? from_ + radau::kNode[i] * length_ : radau_.t();
      (void)dense(t, y_);
      const std::optional<double> power = motion_.power_at(t, y_);
      if (!power) return false;
      found[i] = *power;
    }
    power_.through(found);
    return true;
  }
  [[nodiscard]] double work_at(double t) const { return length_ > 0 ? before_ + length_ * power_.integral((t - from_) / length_) : before_; }

  std::unique_ptr<StiffForm> form_;
  Radau radau_;
  double first_step_;
  radau::StagePolynomial power_;
  double before_ = 0, from_ = 0, length_ = 0, dense_work_ = 0;  // work at the start of the last step, when that was, and how long it is
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
