// One position, one factorisation, every order: the motion of a driven mechanism of the plane around one instant.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "jounce/mechanism/driven_motion.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce {

class PlaneDrivenMotion final : public DrivenMotion {
 public:
  /// The mechanism must outlive it.
  PlaneDrivenMotion(const PlaneMechanism& mechanism, int order);

  [[nodiscard]] int coordinates() const override { return system_.coordinates(); }
  [[nodiscard]] int dofs() const override { return system_.coordinates(); }
  void move(std::span<double> q, std::span<const double> way) const override;
  void difference(std::span<const double> from, std::span<const double> to, std::span<double> way) const override;
  [[nodiscard]] double length() const override { return length_; }
  [[nodiscard]] double unit(int dof) const override { return units_[static_cast<std::size_t>(dof)]; }
  [[nodiscard]] double size(std::span<const double> way) const override;
  [[nodiscard]] double reach(std::span<const double> q) const override { return size(q); }

  /// Afterwards the factors of Φq belong to that position.
  [[nodiscard]] Solved position(double t, std::span<double> q) override;
  void orders(std::span<double> ways) override;
  [[nodiscard]] int order() const override { return evaluation_.order(); }
  [[nodiscard]] double regularity(int iterations) override;
  [[nodiscard]] std::optional<double> regularity_at(double t, std::span<const double> q, int iterations) override;
  /// The sign of the determinant of Φq.
  [[nodiscard]] int orientation() override;
  [[nodiscard]] double velocity_misfit() const override { return velocity_misfit_; }
  [[nodiscard]] bool redundant() const override { return system_.equations() > system_.coordinates(); }
  [[nodiscard]] double worst_residual() const override { return evaluation_.worst_residual(); }
  [[nodiscard]] long factorisations() const override { return factorisations_; }

  [[nodiscard]] std::unique_ptr<DrivenMotion> fresh(int order) const override;
  [[nodiscard]] std::unique_ptr<LedMotion> led_by(int dof) const override;
  [[nodiscard]] bool can_lead(int /*dof*/) const override { return true; }

  [[nodiscard]] std::optional<Fault> fault_at(double t) const override;
  [[nodiscard]] std::optional<Fault> without_value() const override { return evaluation_.without_value(); }
  [[nodiscard]] std::optional<Undriven> undriven(double t, std::span<const double> q) override;
  [[nodiscard]] Dependent dependent(double t, std::span<const double> q) override;
  [[nodiscard]] std::vector<std::string> contradicting(double t, std::span<const double> q) override;

  [[nodiscard]] const Evaluation& evaluation() const { return evaluation_; }
  [[nodiscard]] Evaluation& evaluation() { return evaluation_; }
  [[nodiscard]] SparseLu& factors() { return lu_; }

 private:
  /// Rows are compared in mechanism sizes and radians.
  void weigh();

  const PlaneMechanism& mechanism_;
  const PlanarSystem& system_;
  Evaluation evaluation_;
  SparseLu lu_;
  std::vector<double> trial_, step_, units_, direction_, weights_;
  double length_;
  long factorisations_ = 0;
  double velocity_misfit_ = 0;
  bool scales_change_ = false;  // a driven distance divides its row by f(t)
};

}  // namespace jounce
