#include "jounce/analysis/integrators/tree_ode.hpp"

#include <algorithm>

namespace jounce {
namespace {

std::size_t z(int i) { return static_cast<std::size_t>(i); }

}  // namespace

TreeOde::TreeOde(const TreeMechanism& mechanism, Formulation formulation)
    : equations_(mechanism, formulation),
      positions_(equations_.passive_coordinates().size()),
      q_(mechanism.q),
      v_(mechanism.v),
      a_(mechanism.v.size()),
      dq_(mechanism.q.size()) {}

bool TreeOde::failed(const std::optional<TreeFault>& fault, double t) {
  if (!fault) return false;
  fault_ = *fault;
  fault_time_ = t;
  return true;
}

bool TreeOde::spread(double t, std::span<const double> y) {
  std::size_t next = 0;
  for (const int c : equations_.passive_coordinates()) q_[z(c)] = y[next++];
  for (const int d : equations_.passive_dofs()) v_[z(d)] = y[next++];
  if (!tree::normalise(equations_.mechanism().tree, q_)) return !failed(TreeFault{"", "a quaternion has no direction", {}}, t);
  return !failed(equations_.prescribe(t, q_, v_, a_), t);
}

void TreeOde::gather(std::span<const double> q, std::span<const double> v, std::span<double> y) const {
  std::size_t next = 0;
  for (const int c : equations_.passive_coordinates()) y[next++] = q[z(c)];
  for (const int d : equations_.passive_dofs()) y[next++] = v[z(d)];
}

bool TreeOde::accelerate(double t) { return !failed(equations_.solve(t, q_, v_, a_), t); }

bool TreeOde::rate(double t, std::span<const double> y, std::span<double> dy) {
  if (!spread(t, y) || !accelerate(t)) return false;
  tree::rates(equations_.mechanism().tree, q_, v_, dq_);
  gather(dq_, a_, dy);
  return true;
}

double TreeOde::project(double t, std::span<double> y) {
  if (!spread(t, y)) return 0;
  const double moved = equations_.project_position(q_);
  const double changed = equations_.project_velocity(q_, v_);
  gather(q_, v_, y);
  return std::max(moved, changed);
}

}  // namespace jounce
