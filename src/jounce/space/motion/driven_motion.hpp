// One position, one matrix, every order: the motion of a driven mechanism of space around one instant.
//
// The active dofs are where their motions say; loops and couplings make the passive ones follow. Without loops and couplings nothing has to be
// solved for.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "jounce/math/dense_rank.hpp"
#include "jounce/mechanism/driven_motion.hpp"
#include "jounce/space/equations/equations.hpp"

namespace jounce {

class SpaceDrivenMotion final : public DrivenMotion {
 public:
  /// The mechanism must outlive it. `order`: 0, 4 or 14.
  SpaceDrivenMotion(const SpaceMechanism& mechanism, int order);

  [[nodiscard]] int coordinates() const override { return mechanism_.tree.coordinates(); }
  [[nodiscard]] int dofs() const override { return mechanism_.tree.dofs(); }
  void move(std::span<double> q, std::span<const double> way) const override;
  void difference(std::span<const double> from, std::span<const double> to, std::span<double> way) const override;
  [[nodiscard]] double length() const override { return length_; }
  [[nodiscard]] double unit(int dof) const override { return units_[static_cast<std::size_t>(dof)]; }
  [[nodiscard]] double size(std::span<const double> way) const override;
  [[nodiscard]] double reach(std::span<const double> q) const override;

  [[nodiscard]] bool outright() const override { return equations_.closures().size() == 0; }
  [[nodiscard]] Solved position(double t, std::span<double> q) override;
  void orders(std::span<double> ways) override;
  [[nodiscard]] int order() const override { return order_; }
  [[nodiscard]] double regularity(int iterations) override;
  [[nodiscard]] std::optional<double> regularity_at(double t, std::span<const double> q, int iterations) override;
  [[nodiscard]] int orientation() override;
  void accept() override;
  [[nodiscard]] bool carry(double h, const At& from, const At& to, std::span<double> q) override;
  [[nodiscard]] double velocity_misfit() const override { return velocity_misfit_; }
  [[nodiscard]] bool redundant() const override { return rank_ < equations_.closures().size(); }
  [[nodiscard]] double worst_residual() const override { return equations_.closures().worst(); }
  [[nodiscard]] long factorisations() const override { return factorisations_; }

  [[nodiscard]] std::unique_ptr<DrivenMotion> fresh(int order) const override;
  [[nodiscard]] std::unique_ptr<LedMotion> led_by(int dof) const override;
  [[nodiscard]] bool can_lead(int dof) const override { return !mechanism_.dofs[static_cast<std::size_t>(dof)].active(); }

  [[nodiscard]] std::optional<Fault> fault_at(double t) const override;
  [[nodiscard]] std::optional<Fault> without_value() const override { return without_value_; }
  [[nodiscard]] std::optional<Undriven> undriven(double t, std::span<const double> q) override;
  [[nodiscard]] Dependent dependent(double t, std::span<const double> q) override;
  [[nodiscard]] std::vector<std::string> contradicting(double t, std::span<const double> q) override;

  /// Rates and accelerations of all dofs at the position solved last.
  void rates(double t, std::span<const double> q, std::span<double> v, std::span<double> a);
  [[nodiscard]] SpaceEquations& equations() { return equations_; }
  [[nodiscard]] const SpaceEquations& equations() const { return equations_; }

 private:
  /// K of a group at the position of the last evaluation, over its passive dofs, rows and columns in mechanism sizes and radians.
  [[nodiscard]] DenseMatrix scaled(const LoopGroup& group) const;
  /// The same rows in axes that do not depend on how a joint names its directions: six for each loop, one for each coupling.
  [[nodiscard]] DenseMatrix in_ground_axes(const LoopGroup& group) const;
  [[nodiscard]] int free_dofs() const;
  [[nodiscard]] double row_unit(std::size_t row) const { return equations_.closures().rows()[row].metres ? length_ : 1.0; }
  /// The largest of numbers that belong to the equations, each in its unit. NaN where one is.
  [[nodiscard]] double misfit(std::span<const double> of_rows) const;
  [[nodiscard]] bool look_at(double t, std::span<const double> q);
  [[nodiscard]] bool moves_on(std::span<const double> q, std::span<const double> along);

  const SpaceMechanism& mechanism_;
  SpaceEquations equations_;
  int order_;
  double length_;
  std::vector<double> units_, trial_, way_, none_, v_, a_, right_;
  double t_ = 0;
  int rank_ = 0;
  long factorisations_ = 0;
  double velocity_misfit_ = 0;
  std::optional<Fault> without_value_;
  std::vector<int> place_;              // of each dof in its group of loops
  std::vector<DenseMatrix> reference_;  // of the orientation, of each group
  int reference_sign_ = 1, sign_ = 1;
};

}  // namespace jounce
