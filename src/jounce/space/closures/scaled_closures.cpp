#include "jounce/space/closures/scaled_closures.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/space/size.hpp"
#include "jounce/tree/dof_quantity.hpp"

namespace jounce {

std::vector<double> dof_units(const SpaceMechanism& mechanism, double size) {
  std::vector<double> out(z(mechanism.tree.dofs()), 1.0);
  for (const tree::Link& link : mechanism.tree.links())
    for (int k = 0; k < tree::dofs(link.motion); ++k) {
      if (link.motion == tree::Motion::screw) out[z(link.v + k)] = 1 / std::hypot(link.turn, link.advance / size);
      else if (dof_quantity(link, k) == tree::Quantity::length) out[z(link.v + k)] = size;
    }
  return out;
}

int count_independent(const RowOrder& equations) {
  return static_cast<int>(std::ranges::count_if(equations.left, [](double left) { return left > kDependentClosure; }));
}

bool between_dependent_and_independent(std::span<const Matrix> gradients) {
  return std::ranges::any_of(gradients, [](const Matrix& own) {
    return std::ranges::any_of(row_order(own).left, [](double left) { return left > kDependentClosure && left < kIndependentClosure; });
  });
}

LeastSquares nearest(const Matrix& k, std::span<const double> b, double dependent) {
  return largest(k.value) > dependent ? least_squares(k, b, dependent) : least_squares(Matrix(0, k.columns), {}, dependent);
}

ScaledClosures::ScaledClosures(const SpaceMechanism& mechanism)
    : mechanism_(mechanism),
      closures_(mechanism),
      groups_(loop_groups(mechanism, closures_, Shared::passive_dofs)),
      place_(places_in_groups(groups_, mechanism.tree.dofs())),
      work_(mechanism.tree),
      links_(z(mechanism.tree.size())),
      still_(z(mechanism.tree.dofs())),
      size_(length_scale(mechanism)) {
  unit_ = dof_units(mechanism, size_);
  for (int dof = 0; dof < mechanism.tree.dofs(); ++dof) (mechanism.dofs[z(dof)].active() ? active_ : passive_).push_back(dof);
}

void ScaledClosures::evaluate(std::span<const double> q, std::span<const double> v) {
  tree::motion(mechanism_.tree, work_, q.data(), v.data(), still_.data(), links_.data());
  closures_.evaluate(q, v, work_, links_);
}

std::vector<double> ScaledClosures::scaled(std::span<const double> of_rows) const {
  std::vector<double> out(of_rows.begin(), of_rows.end());
  for (std::size_t r = 0; r < out.size(); ++r) out[r] /= row_unit(static_cast<int>(r));
  return out;
}

Matrix ScaledClosures::jacobian(std::span<const int> dofs) const {
  std::vector<int> place(still_.size(), -1);
  for (std::size_t c = 0; c < dofs.size(); ++c) place[z(dofs[c])] = static_cast<int>(c);
  Matrix out(closures_.size(), static_cast<int>(dofs.size()));
  for (int r = 0; r < out.rows; ++r) {
    const LoopClosures::Entries own = closures_.row(r);
    for (std::size_t k = 0; k < own.dofs.size(); ++k)
      if (const int c = place[z(own.dofs[k])]; c >= 0) out.at(r, c) = own.values[k] / row_unit(r) * unit(own.dofs[k]);
  }
  return out;
}

Matrix ScaledClosures::jacobian(const LoopGroup& group, std::span<const int> place) const {
  Matrix out(static_cast<int>(group.rows.size()), static_cast<int>(group.dofs.size()));
  each_entry(closures_, group, place, [&](int r, int c, int dof, double value) { out.at(r, c) = value / row_unit(group.rows[z(r)]) * unit(dof); });
  return out;
}

std::vector<Matrix> ScaledClosures::gradients() const {
  std::vector<Matrix> out;
  for (const LoopGroup& group : groups_) {
    const Matrix rows = jacobian(group, place_);
    Matrix& own = out.emplace_back(rows.columns, rows.rows);
    for (int r = 0; r < rows.rows; ++r)
      for (int c = 0; c < rows.columns; ++c) own.at(c, r) = rows.at(r, c);
  }
  return out;
}

}  // namespace jounce
