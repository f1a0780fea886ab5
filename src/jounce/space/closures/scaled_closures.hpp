// Loops and couplings with lengths in sizes of the mechanism, so that the sizes of residuals and of entries of K mean something.
#pragma once

#include <span>
#include <vector>

#include "jounce/math/dense.hpp"
#include "jounce/math/dense_rank.hpp"
#include "jounce/space/closures/loop_groups.hpp"

namespace jounce {

/// Of what equations could move, in mechanism sizes and radians: those of which the others leave less than the first follow from them, and those of which
/// they leave more than the second do not. Of what lies between it cannot be told.
inline constexpr double kDependentClosure = 1e-10, kIndependentClosure = 1e-7;

/// How many equations do not follow from the others.
[[nodiscard]] int count_independent(const RowOrder& equations);
/// Whether of some equation it cannot be told; `gradients` of groups that have nothing to do with each other, with a column for each equation.
[[nodiscard]] bool between_dependent_and_independent(std::span<const Matrix> gradients);

/// The shortest x that comes nearest to K x = b, for the scaled K of a group: what is smaller than `dependent` counts as zero, also where there is nothing larger.
[[nodiscard]] LeastSquares nearest(const Matrix& k, std::span<const double> b, double dependent);

/// What counts as one of each dof: a radian, or the size of the mechanism.
[[nodiscard]] std::vector<double> dof_units(const SpaceMechanism& mechanism, double size);

class ScaledClosures {
 public:
  explicit ScaledClosures(const SpaceMechanism& mechanism);

  /// From now on at this time, of which equations may depend.
  void at_time(double t) { closures_.at_time(t); }
  /// At a state, with no accelerations.
  void evaluate(std::span<const double> q, std::span<const double> v);
  /// At rest.
  void evaluate(std::span<const double> q) { evaluate(q, still_); }

  [[nodiscard]] const LoopClosures& closures() const { return closures_; }
  [[nodiscard]] std::span<const int> active() const { return active_; }
  [[nodiscard]] std::span<const int> passive() const { return passive_; }
  /// Metres.
  [[nodiscard]] double size() const { return size_; }
  /// What counts as one of a dof (a radian, or the size of the mechanism) and of an equation.
  [[nodiscard]] double unit(int dof) const { return unit_[static_cast<std::size_t>(dof)]; }
  [[nodiscard]] double row_unit(int row) const { return closures_.rows()[static_cast<std::size_t>(row)].metres ? size_ : 1; }

  [[nodiscard]] std::vector<double> scaled(std::span<const double> of_rows) const;
  /// Of some dofs: a row for each equation, a column for each of them.
  [[nodiscard]] Matrix jacobian(std::span<const int> dofs) const;
  /// Equations that have no passive dof in common are told apart, and `place` says where in the dofs of its group each dof is.
  [[nodiscard]] std::span<const LoopGroup> groups() const { return groups_; }
  [[nodiscard]] std::span<const int> place() const { return place_; }
  /// Of a group, over its dofs.
  [[nodiscard]] Matrix jacobian(const LoopGroup& group, std::span<const int> place) const;
  /// Of each group over its passive dofs, a column for each equation.
  [[nodiscard]] std::vector<Matrix> gradients() const;
  [[nodiscard]] Where where(int element) const { return closures_.where(element); }

 private:
  const SpaceMechanism& mechanism_;
  LoopClosures closures_;
  std::vector<LoopGroup> groups_;
  std::vector<int> place_;
  tree::Workspace<double> work_;
  std::vector<tree::LinkMotion<double>> links_;
  std::vector<double> still_, unit_;
  std::vector<int> active_, passive_;
  double size_;
};

}  // namespace jounce
