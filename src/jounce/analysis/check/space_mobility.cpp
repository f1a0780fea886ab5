#include "jounce/analysis/check/space_mobility.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "jounce/base/index.hpp"
#include "jounce/math/dense_rank.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/space/closures/scaled_closures.hpp"
#include "jounce/space/prescribed.hpp"

namespace jounce {
namespace {

// By columns: one for each equation, one row for each of the dofs.
DenseRank rank_of(const ScaledClosures& closures, std::span<const int> dofs) {
  const Matrix k = closures.jacobian(dofs);
  DenseMatrix columns(k.columns, k.rows);
  for (int r = 0; r < k.rows; ++r)
    for (int c = 0; c < k.columns; ++c) columns.at(c, r) = k.at(r, c);
  return dense_rank(columns, kDependentClosure);
}

// What the active dofs do to the equations in velocity, and what they leave of them in acceleration.
struct Prescribed {
  std::vector<double> rate, acceleration;
};
Prescribed prescribed(const SpaceMechanism& mechanism, const ScaledClosures& closures, const Assembly& at, double t) {
  std::vector<double> v, a, q = at.q, of_dofs(mechanism.dofs.size());
  // had values when the mechanism was assembled
  (void)prescribed_rates<1>(mechanism, t, q, [&](int dof, const Series<1>& rate) { of_dofs[z(dof)] = rate.derivative(1); });
  for (const int dof : closures.active()) {
    v.push_back(at.v[z(dof)] / closures.unit(dof));
    a.push_back(of_dofs[z(dof)] / closures.unit(dof));
  }
  const Matrix active = closures.jacobian(closures.active());
  Prescribed out{times(active, v), closures.scaled(closures.closures().right())};
  const std::vector<double> done = times(active, a);
  for (std::size_t r = 0; r < done.size(); ++r) out.acceleration[r] -= done[r];
  return out;
}

// Each surplus equation as a combination of independent ones; what the active dofs do must combine in the same way.
std::vector<DependentSet> dependent_sets(const ScaledClosures& closures, const DenseRank& rank, const Prescribed& motions) {
  const LoopClosures& all = closures.closures();
  std::vector<DependentSet> out;
  std::set<std::vector<std::string>> seen;
  for (std::size_t k = 0; k < rank.combination.size(); ++k) {
    std::vector<double> share(z(all.size()), 0.0);
    share[z(rank.order[z(rank.rank) + k])] = 1;
    for (std::size_t i = 0; i < rank.combination[k].size(); ++i)
      if (std::abs(rank.combination[k][i]) > 1e-7) share[z(rank.order[i])] = -rank.combination[k][i];
    const auto agrees = [&](const std::vector<double>& rows) {
      double sum = 0, part = 1e-3;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        sum += share[r] * rows[r];
        part = std::max(part, std::abs(share[r] * rows[r]));
      }
      return std::abs(sum) <= 1e-8 * part;
    };
    DependentSet set{{}, agrees(motions.rate) && agrees(motions.acceleration)};
    int last = -1;
    for (std::size_t r = 0; r < share.size(); ++r) {
      const int element = all.rows()[r].element;
      if (share[r] == 0 || element == last) continue;
      set.names.push_back(all.name(element));
      last = element;
    }
    if (seen.insert(set.names).second || !set.consistent) out.push_back(std::move(set));
  }
  return out;
}

}  // namespace

Mobility mobility(const SpaceMechanism& mechanism, const Assembly& at, double t) {
  Mobility out;
  ScaledClosures closures(mechanism);
  const int dofs = static_cast<int>(mechanism.dofs.size());
  out.bodies = static_cast<int>(mechanism.bodies.size()) - 1;
  out.joint_equations = closures.closures().size();
  out.driver_equations = static_cast<int>(closures.active().size());
  out.counted = dofs - out.joint_equations;
  if (!at.gaps.empty()) return out;
  closures.evaluate(at.q, at.v);
  std::vector<int> all(static_cast<std::size_t>(dofs));
  std::iota(all.begin(), all.end(), 0);
  out.mobility = dofs - rank_of(closures, all).rank;
  const DenseRank rank = rank_of(closures, closures.passive());
  out.undriven = static_cast<int>(closures.passive().size()) - rank.rank;
  out.redundant = out.joint_equations - rank.rank;
  out.dependent = dependent_sets(closures, rank, prescribed(mechanism, closures, at, t));
  return out;
}

}  // namespace jounce
