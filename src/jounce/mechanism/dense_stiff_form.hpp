// y' = f(t, y) with a dense Jacobian, as an implicit method sees it.
#pragma once

#include <memory>

#include "jounce/mechanism/stiff_form.hpp"

namespace jounce {

/// f and its Jacobian; false where they have no value.
class StiffSystem {
 public:
  virtual ~StiffSystem() = default;
  [[nodiscard]] virtual bool rate(double t, std::span<const double> y, std::span<double> dy) = 0;
  /// ∂f/∂y, row after row; it need not be exact.
  [[nodiscard]] virtual bool jacobian(double t, std::span<const double> y, std::span<double> df) = 0;
  /// What has no value.
  [[nodiscard]] virtual Fault fault() const { return {}; }
};

class DenseStiffForm final : public StiffForm {
 public:
  /// So many numbers, of which the first are positions.
  DenseStiffForm(StiffSystem& system, std::size_t states, std::size_t positions);
  ~DenseStiffForm() override;

  [[nodiscard]] std::size_t unknowns() const override { return inertia_.size(); }
  [[nodiscard]] std::size_t states() const override { return inertia_.size(); }
  [[nodiscard]] std::size_t positions() const override { return positions_; }
  [[nodiscard]] std::span<const double> inertia() const override { return inertia_; }
  bool set_time(int place, double t) override {
    times_[static_cast<std::size_t>(place)] = t;
    return true;
  }
  bool evaluate(int place, const Vector& u, Vector& f, bool /*derivatives*/) override {
    return system_->rate(times_[static_cast<std::size_t>(place)], u, f);
  }
  bool linearise(const Vector& u) override;
  bool factor(double h, const Shifts& shifts) override;
  void solve_real(const Vector& right, Vector& x) override;
  void solve(const Stages& right, Stages& x) override;
  [[nodiscard]] Fault fault() const override { return system_->fault(); }

 private:
  struct Matrices;
  StiffSystem* system_;
  std::size_t positions_;
  Vector inertia_;
  std::array<double, kStages + 1> times_{};
  std::unique_ptr<Matrices> matrices_;
};

}  // namespace jounce
