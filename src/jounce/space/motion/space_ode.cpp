#include "jounce/space/motion/space_ode.hpp"

#include <algorithm>

#include "jounce/base/index.hpp"

namespace jounce {

SpaceOde::SpaceOde(const SpaceMechanism& mechanism, Formulation formulation)
    : equations_(mechanism, formulation),
      positions_(equations_.passive_coordinates().size()),
      q_(mechanism.q),
      v_(mechanism.v),
      a_(mechanism.v.size()),
      dq_(mechanism.q.size()) {}

bool SpaceOde::failed(const std::optional<Fault>& fault, double t) {
  if (!fault) return false;
  fault_ = *fault;
  fault_time_ = t;
  return true;
}

bool SpaceOde::spread(double t, std::span<const double> y) {
  std::size_t next = 0;
  for (const int c : equations_.passive_coordinates()) q_[z(c)] = y[next++];
  for (const int d : equations_.passive_dofs()) v_[z(d)] = y[next++];
  if (!tree::normalise(equations_.mechanism().tree, q_)) return !failed(Fault{"", "a quaternion has no direction", {}}, t);
  return !failed(equations_.prescribe(t, q_, v_, a_), t);
}

void SpaceOde::gather(std::span<const double> q, std::span<const double> v, std::span<double> y) const {
  std::size_t next = 0;
  for (const int c : equations_.passive_coordinates()) y[next++] = q[z(c)];
  for (const int d : equations_.passive_dofs()) y[next++] = v[z(d)];
}

bool SpaceOde::accelerate(double t) { return !failed(equations_.solve(t, q_, v_, a_), t); }

bool SpaceOde::weigh(double t) {
  if (equations_.passive_dofs().size() < v_.size() || equations_.closures().of_time() || !equations_.rubbing().empty()) return accelerate(t);
  return !failed(equations_.load(t, q_, v_), t);
}

bool SpaceOde::rate(double t, std::span<const double> y, std::span<double> dy) {
  if (!spread(t, y) || !accelerate(t)) return false;
  tree::rates(equations_.mechanism().tree, q_, v_, dq_);
  gather(dq_, a_, dy);
  return true;
}

std::optional<double> SpaceOde::project(double t, std::span<double> y) {
  if (!spread(t, y)) return std::nullopt;
  const double moved = equations_.project_position(q_);
  if (failed(equations_.closures().fault(), t)) return std::nullopt;
  const double changed = equations_.project_velocity(q_, v_);
  gather(q_, v_, y);
  return std::max(moved, changed);
}

}  // namespace jounce
