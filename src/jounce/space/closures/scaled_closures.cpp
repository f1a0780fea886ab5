#include "jounce/space/closures/scaled_closures.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
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

bool between_dependent_and_independent(const Matrix& gradients) {
  return std::ranges::any_of(row_order(gradients).left, [](double left) { return left > kDependentClosure && left < kIndependentClosure; });
}

ScaledClosures::ScaledClosures(const SpaceMechanism& mechanism)
    : mechanism_(mechanism),
      closures_(mechanism),
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
  const std::size_t n = still_.size();
  Matrix out(closures_.size(), static_cast<int>(dofs.size()));
  for (int c = 0; c < out.columns; ++c)
    for (int r = 0; r < out.rows; ++r)
      out.at(r, c) = closures_.jacobian()[z(r) * n + z(dofs[z(c)])] / row_unit(r) * unit(dofs[z(c)]);
  return out;
}

Matrix ScaledClosures::gradients() const {
  const Matrix rows = jacobian(passive_);
  Matrix out(rows.columns, rows.rows);
  for (int r = 0; r < rows.rows; ++r)
    for (int c = 0; c < rows.columns; ++c) out.at(c, r) = rows.at(r, c);
  return out;
}

Where ScaledClosures::where(int element) const {
  const auto loops = static_cast<int>(mechanism_.loops.size());
  return element < loops ? mechanism_.loops[z(element)].where : mechanism_.couplings[z(element - loops)].where;
}

}  // namespace jounce
