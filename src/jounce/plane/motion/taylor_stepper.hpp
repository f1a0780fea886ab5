// The Taylor integrator behind the face of all integrators.
#pragma once

#include <algorithm>

#include "jounce/mechanism/stepper.hpp"
#include "jounce/plane/motion/taylor.hpp"

namespace jounce {

class TaylorStepper final : public Stepper {
 public:
  TaylorStepper(const PlanarSystem& system, const TaylorOptions& options)
      : taylor_(system, options), n_(static_cast<std::size_t>(system.coordinates())) {}

  void set_directions(std::span<const double> directions) { taylor_.set_directions(directions); }
  /// The Taylor coefficients at the end of the last step.
  [[nodiscard]] const EquationsOfMotion& expansion() const { return taylor_.equations(); }

  Status start(double t, std::span<const double> y) override { return status(taylor_.start(t, y.first(n_), y.subspan(n_))); }
  Status step(double limit) override { return status(taylor_.step(limit)); }
  [[nodiscard]] double t() const override { return taylor_.t(); }
  [[nodiscard]] double previous_t() const override { return taylor_.previous_t(); }
  bool dense(double t, std::span<double> y) override {
    taylor_.dense(0, t, y.first(n_));
    taylor_.dense(1, t, y.subspan(n_));
    work_ = taylor_.work(t);
    return true;
  }
  [[nodiscard]] double work() const override { return work_; }
  bool ending(std::span<double> y) override {
    std::ranges::copy(taylor_.v(), std::ranges::copy(taylor_.q(), y.begin()).out);
    return true;
  }
  [[nodiscard]] double ending_work() const override { return taylor_.work(taylor_.t()); }
  [[nodiscard]] Fault fault() const override { return taylor_.fault(); }
  [[nodiscard]] StepperStatistics statistics() const override {
    const auto& s = taylor_.statistics();
    return {s.steps, s.rejected, taylor_.equations().factorisations(), s.worst_defect, s.largest_projection, taylor_.equations().order()};
  }
  [[nodiscard]] bool stiff() const override { return taylor_.stiff(); }
  [[nodiscard]] std::optional<double> passage() const override { return taylor_.passage(); }
  [[nodiscard]] bool looks_ahead() const override { return true; }
  [[nodiscard]] std::optional<double> singular_ahead() const override { return taylor_.singular_ahead(); }

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
  std::size_t n_;
  double work_ = 0;
};

}  // namespace jounce
