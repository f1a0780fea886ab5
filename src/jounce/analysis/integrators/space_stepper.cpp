#include "jounce/analysis/integrators/space_stepper.hpp"

#include <algorithm>

#include "jounce/analysis/integrators/dop853.hpp"
#include "jounce/analysis/integrators/radau_ode.hpp"
#include "jounce/space/equations/derivatives.hpp"

namespace jounce {
namespace {

/// Stiff: steeper than this so often, with fewer than a few other steps in between (Hairer's test).
constexpr double kSteep = 6.1;
constexpr int kOftenSteep = 15, kCalm = 6;

/// Explicit, order 8. Loops are put right after every step.
class Dop853TreeStepper final : public SpaceStepper {
  struct Slope {
    SpaceOde& ode;
    bool& failed;
    bool operator()(double t, std::span<const double> y, std::span<double> dy) const {
      const bool good = ode.rate(t, y, dy);
      failed = failed || !good;
      return good;
    }
  };
  Slope slope() { return {ode_, failed_}; }

 public:
  Dop853TreeStepper(SpaceOde& ode, const SpaceStepperOptions& options)
      : ode_(ode),
        integrator_(ode.size(), {.tolerance = options.tolerance, .norm = OdeOptions::Norm::largest, .largest_step = options.largest_step}),
        y_(static_cast<std::size_t>(ode.size())) {}

  Status start(double t, std::span<const double> y) override {
    if (ode_.size() == 0) return t_ = previous_t_ = t, Status::accepted;
    const double planned = integrator_.next_step();
    add_statistics();
    if (!integrator_.start(t, y, slope())) return Status::fault;
    integrator_.set_next_step(planned);
    dense_ready_ = false;
    return Status::accepted;
  }

  Status step(double limit) override {
    if (ode_.size() == 0) return previous_t_ = t_, t_ = limit, Status::accepted;
    failed_ = false;
    dense_ready_ = false;
    if (integrator_.step(slope(), limit) == Dop853::Step::too_small) return failed_ ? Status::fault : Status::too_small;
    watch_steepness();
    return Status::accepted;
  }

  [[nodiscard]] double t() const override { return ode_.size() == 0 ? t_ : integrator_.t(); }
  [[nodiscard]] double previous_t() const override { return ode_.size() == 0 ? previous_t_ : integrator_.previous_t(); }

  bool dense(double t, std::span<double> y) override {
    if (ode_.size() == 0) return true;
    const bool at_rest = integrator_.previous_t() == integrator_.t();  // no step since the start: there is nothing within it
    if (t >= integrator_.t() || at_rest) return std::ranges::copy(integrator_.y(), y.begin()), true;
    if (!dense_ready_ && !integrator_.prepare_dense(slope())) return false;
    dense_ready_ = true;
    integrator_.dense(t, y);
    return true;
  }

  bool settle() override {
    if (ode_.size() == 0) return true;
    std::ranges::copy(integrator_.y(), y_.begin());
    projection_ = std::max(projection_, ode_.project(integrator_.t(), y_));
    if (ode_.equations().closures().size() == 0) return integrator_.amend(y_), true;
    dense_ready_ = false;
    return integrator_.replace(y_, slope());
  }

  [[nodiscard]] bool stiff() const override { return steep_ >= kOftenSteep; }

  [[nodiscard]] StepperStatistics statistics() const override {
    const OdeStatistics& s = integrator_.statistics();
    return {before_.steps + s.steps, before_.rejected + s.rejected, before_.evaluations + s.evaluations, 0, projection_};
  }

 private:
  void watch_steepness() {
    if (integrator_.steepness() > kSteep) ++steep_, calm_ = 0;
    else if (++calm_ == kCalm) steep_ = 0;
  }

  // Before a new start, which forgets them.
  void add_statistics() {
    const OdeStatistics& s = integrator_.statistics();
    before_ = {before_.steps + s.steps, before_.rejected + s.rejected, before_.evaluations + s.evaluations};
  }

  SpaceOde& ode_;
  Dop853 integrator_;
  std::vector<double> y_;
  double t_ = 0, previous_t_ = 0;  // of a mechanism without passive dofs: nothing is integrated
  double projection_ = 0;
  OdeStatistics before_;
  int steep_ = 0, calm_ = 0;  // steps
  bool dense_ready_ = false, failed_ = false;
};

/// Implicit, order 5, for stiff motion. Loops are put right after every step.
class RadauTreeStepper final : public SpaceStepper, private StiffSystem {
 public:
  RadauTreeStepper(SpaceOde& ode, const SpaceStepperOptions& options)
      : ode_(ode),
        derivatives_(ode.equations().mechanism()),
        integrator_(*this, ode.size(), options.tolerance),
        y_(static_cast<std::size_t>(ode.size())) {
    if (options.largest_step > 0) integrator_.set_largest_step(options.largest_step);
  }

  Status start(double t, std::span<const double> y) override {
    if (ode_.size() == 0) return t_ = previous_t_ = t, Status::accepted;
    const double planned = integrator_.next_step();
    if (!integrator_.start(t, y)) return Status::fault;
    integrator_.set_next_step(planned);
    return Status::accepted;
  }

  Status step(double limit) override {
    if (ode_.size() == 0) return previous_t_ = t_, t_ = limit, Status::accepted;
    failed_ = false;
    if (integrator_.step(limit) == RadauOde::Step::too_small) return failed_ ? Status::fault : Status::too_small;
    return Status::accepted;
  }

  [[nodiscard]] double t() const override { return ode_.size() == 0 ? t_ : integrator_.t(); }
  [[nodiscard]] double previous_t() const override { return ode_.size() == 0 ? previous_t_ : integrator_.previous_t(); }

  bool dense(double t, std::span<double> y) override {
    if (t >= this->t() || previous_t() == this->t()) std::ranges::copy(integrator_.y(), y.begin());
    else integrator_.dense(t, y);
    return true;
  }

  bool settle() override {
    if (ode_.size() == 0) return true;
    std::ranges::copy(integrator_.y(), y_.begin());
    projection_ = std::max(projection_, ode_.project(integrator_.t(), y_));
    if (ode_.equations().closures().size() == 0) return integrator_.amend(y_), true;
    return integrator_.replace(y_);
  }

  [[nodiscard]] StepperStatistics statistics() const override {
    const RadauStatistics& s = integrator_.statistics();
    return {s.steps, s.rejected, s.factorisations, 0, projection_};
  }

 private:
  bool rate(double t, std::span<const double> y, std::span<double> dy) override {
    const bool good = ode_.rate(t, y, dy);
    failed_ = failed_ || !good;
    return good;
  }
  bool jacobian(double t, std::span<const double> y, std::span<double> df) override {
    const bool good = ode_.spread(t, y) && ode_.accelerate(t) &&
                      !derivatives_.of_rates(ode_.equations(), {t, y, ode_.q(), ode_.v(), ode_.a()}, df);
    failed_ = failed_ || !good;
    return good;
  }

  SpaceOde& ode_;
  SpaceDerivatives derivatives_;
  RadauOde integrator_;
  std::vector<double> y_;
  double t_ = 0, previous_t_ = 0;  // of a mechanism without passive dofs: nothing is integrated
  double projection_ = 0;
  bool failed_ = false;
};

}  // namespace

std::unique_ptr<SpaceStepper> make_space_stepper(Method method, SpaceOde& ode, const SpaceStepperOptions& options) {
  if (method == Method::radau) return std::make_unique<RadauTreeStepper>(ode, options);
  return std::make_unique<Dop853TreeStepper>(ode, options);
}

}  // namespace jounce
