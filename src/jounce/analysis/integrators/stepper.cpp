#include "jounce/analysis/integrators/stepper.hpp"

#include <algorithm>
#include <array>

#include "jounce/analysis/integrators/dop853.hpp"
#include "jounce/analysis/integrators/radau5.hpp"
#include "jounce/analysis/integrators/taylor.hpp"

namespace jounce {

std::string_view word(Method method) {
  static constexpr std::array<std::string_view, 4> words{"auto", "taylor", "radau", "dop853"};
  return words[static_cast<std::size_t>(method)];
}

namespace {

class TaylorStepper final : public Stepper {
 public:
  TaylorStepper(const PlanarSystem& system, const TaylorOptions& options) : taylor_(system, options) {}

  Status start(double t, std::span<const double> q, std::span<const double> v) override { return status(taylor_.start(t, q, v)); }
  Status step(double limit) override { return status(taylor_.step(limit)); }
  [[nodiscard]] double t() const override { return taylor_.t(); }
  [[nodiscard]] double previous_t() const override { return taylor_.previous_t(); }
  void dense(double t, std::span<double> q, std::span<double> v) override {
    taylor_.dense(0, t, q);
    taylor_.dense(1, t, v);
  }
  void set_directions(std::span<const double> directions) override { taylor_.set_directions(directions); }
  [[nodiscard]] Fault fault() const override { return taylor_.fault(); }
  [[nodiscard]] StepperStatistics statistics() const override {
    const auto& s = taylor_.statistics();
    return {s.steps, s.rejected, taylor_.equations().factorisations(), s.worst_defect, s.largest_projection};
  }
  [[nodiscard]] bool stiff() const override { return taylor_.stiff(); }
  [[nodiscard]] std::optional<double> passage() const override { return taylor_.passage(); }
  [[nodiscard]] const EquationsOfMotion* expansion() const override { return &taylor_.equations(); }

 private:
  static Status status(TaylorIntegrator::Status s) {
    switch (s) {
      case TaylorIntegrator::Status::accepted: return Status::accepted;
      case TaylorIntegrator::Status::fault: return Status::fault;
      case TaylorIntegrator::Status::singular: return Status::singular;
      case TaylorIntegrator::Status::step_too_small: break;
    }
    return Status::too_small;
  }
  TaylorIntegrator taylor_;
};

class RadauStepper final : public Stepper {
 public:
  RadauStepper(const PlanarSystem& system, const StepperOptions& options)
      : system_(system),
        radau_(options.rows.empty() ? Radau5(system) : Radau5(system, options.rows)),
        tolerance_(options.tolerance) {
    radau_.set_largest_step(options.largest_step);
  }

  Status start(double t, std::span<const double> q, std::span<const double> v) override {
    radau_.start(t, q, v);
    return Status::accepted;
  }
  Status step(double limit) override { return status(radau_.step(tolerance_, limit)); }
  [[nodiscard]] double t() const override { return radau_.t(); }
  [[nodiscard]] double previous_t() const override { return radau_.previous_t(); }
  void dense(double t, std::span<double> q, std::span<double> v) override {
    if (t < radau_.t()) return radau_.dense(t, q, v);
    std::ranges::copy(radau_.q(), q.begin());
    std::ranges::copy(radau_.v(), v.begin());
  }
  void set_directions(std::span<const double> directions) override { radau_.set_directions(directions); }
  [[nodiscard]] Fault fault() const override {
    const StepFault& fault = radau_.fault();
    if (fault.force) {
      const AppliedForce& force = system_.forces()[static_cast<std::size_t>(fault.force->force)];
      const Where at = fault.force->where.line > 0 ? fault.force->where : force.where;
      return {force.text(), fault.force->sentence, {at.line, at.column + std::max(fault.force->column - 1, 0)}};
    }
    if (fault.motion) {
      const PrescribedMotion& motion = system_.motions()[static_cast<std::size_t>(fault.motion->motion)];
      return {"driver '" + motion.owner + "'", fault.motion->sentence,
              {motion.where.line, motion.where.column + std::max(fault.motion->column - 1, 0)}};
    }
    return {};
  }
  [[nodiscard]] StepperStatistics statistics() const override {
    const Radau5Statistics& s = radau_.statistics();
    return {s.steps, s.rejected, s.factorisations, 0, 0};
  }

 private:
  static Status status(Radau5::Step s) {
    switch (s) {
      case Radau5::Step::accepted: return Status::accepted;
      case Radau5::Step::fault: return Status::fault;
      case Radau5::Step::singular: return Status::singular;
      case Radau5::Step::too_small: break;
    }
    return Status::too_small;
  }
  const PlanarSystem& system_;
  Radau5 radau_;
  double tolerance_;
};

// The accelerations as a plain function of the state, y = (q, v), put back on the constraints after every step.
class ExplicitStepper final : public Stepper {
 public:
  ExplicitStepper(const PlanarSystem& system, const StepperOptions& options)
      : equations_(system, 2, options.formulation), n_(static_cast<std::size_t>(system.coordinates())),
        ode_(2 * system.coordinates(), {.tolerance = options.tolerance, .norm = OdeOptions::Norm::largest, .largest_step = options.largest_step}), y_(2 * n_) {}

  Status start(double t, std::span<const double> q, std::span<const double> v) override {
    std::ranges::copy(q, y_.begin());
    std::ranges::copy(v, y_.begin() + static_cast<std::ptrdiff_t>(n_));
    if (!project(t)) return failed();
    return ode_.start(t, y_, rates()) ? Status::accepted : failed();
  }
  Status step(double limit) override {
    // the projection waits until the last step is no longer asked about
    std::ranges::copy(ode_.y(), y_.begin());
    if (!project(ode_.t()) || !ode_.replace(y_, rates())) return failed();
    if (ode_.step(rates(), limit) != Dop853::Step::accepted || !ode_.prepare_dense(rates())) return failed();
    return Status::accepted;
  }
  [[nodiscard]] double t() const override { return ode_.t(); }
  [[nodiscard]] double previous_t() const override { return ode_.previous_t(); }
  void dense(double t, std::span<double> q, std::span<double> v) override {
    if (t < ode_.t()) ode_.dense(t, y_);
    else std::ranges::copy(ode_.y(), y_.begin());
    std::copy_n(y_.begin(), n_, q.begin());
    std::copy_n(y_.begin() + static_cast<std::ptrdiff_t>(n_), n_, v.begin());
  }
  void set_directions(std::span<const double> directions) override { equations_.set_directions(directions); }
  [[nodiscard]] Fault fault() const override { return fault_.value_or(Fault{}); }
  [[nodiscard]] StepperStatistics statistics() const override {
    return {ode_.statistics().steps, ode_.statistics().rejected, equations_.factorisations(), 0, largest_projection_};
  }

 private:
  struct Rates {
    ExplicitStepper& self;
    bool operator()(double t, std::span<const double> y, std::span<double> dydt) const { return self.evaluate(t, y, dydt); }
  };
  [[nodiscard]] Rates rates() { return {*this}; }

  bool evaluate(double t, std::span<const double> y, std::span<double> dydt) {
    if ((fault_ = equations_.set_time(t, 2))) return false;
    equations_.set_position(y.first(n_));
    equations_.factor(false);
    equations_.set_velocity(y.subspan(n_));
    if ((fault_ = equations_.expand(2))) return false;
    std::ranges::copy(y.subspan(n_), dydt.begin());
    equations_.coefficient(2, dydt.subspan(n_));
    for (double& a : dydt.subspan(n_)) a *= 2;
    return true;
  }

  [[nodiscard]] Status failed() const { return fault_ ? Status::fault : Status::too_small; }
  [[nodiscard]] std::span<double> part(std::size_t first) { return std::span(y_).subspan(first, n_); }

  bool project(double t) {
    if ((fault_ = equations_.set_time(t, 2))) return false;
    equations_.set_position(part(0));
    equations_.factor(false);
    const double moved = equations_.project_position(part(0));
    equations_.set_velocity(part(n_));
    largest_projection_ = std::max(largest_projection_, moved);
    return std::isfinite(moved + equations_.project_velocity(part(n_)));
  }
  EquationsOfMotion equations_;
  std::size_t n_;
  Dop853 ode_;
  std::vector<double> y_;
  std::optional<Fault> fault_;
  double largest_projection_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> make_stepper(Method method, const PlanarSystem& system, const StepperOptions& options) {
  switch (method) {
    case Method::radau: return std::make_unique<RadauStepper>(system, options);
    case Method::dop853: return std::make_unique<ExplicitStepper>(system, options);
    case Method::automatic:
    case Method::taylor: break;
  }
  return std::make_unique<TaylorStepper>(
      system, TaylorOptions{options.tolerance, options.order, options.formulation, options.largest_step});
}

}  // namespace jounce
