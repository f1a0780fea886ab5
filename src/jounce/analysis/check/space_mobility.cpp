#include "jounce/analysis/check/space_mobility.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "jounce/base/index.hpp"
#include "jounce/math/dense_rank.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/space/closures/idle.hpp"
#include "jounce/space/closures/scaled_closures.hpp"
#include "jounce/space/prescribed.hpp"

namespace jounce {
namespace {

// By columns: one for each equation, one row for each of the dofs.
DenseRank rank_of(const ScaledClosures& closures, const LoopGroup& group, std::span<const int> place) {
  const Matrix k = closures.jacobian(group, place);
  DenseMatrix columns(k.columns, k.rows);
  if (!(largest(k.value) > kDependentClosure)) return dense_rank(columns, kDependentClosure);  // rounding, with nothing to compare it with
  for (int r = 0; r < k.rows; ++r)
    for (int c = 0; c < k.columns; ++c) columns.at(c, r) = k.at(r, c);
  return dense_rank(columns, kDependentClosure);
}

// What the active dofs do to the equations in velocity, and what they leave of them in acceleration.
struct Prescribed {
  std::vector<double> rate, acceleration;
};
Prescribed prescribed(const SpaceMechanism& mechanism, const ScaledClosures& closures, const Assembly& at, double t) {
  std::vector<double> v(mechanism.dofs.size()), a(v), q = at.q;
  // had values when the mechanism was assembled
  (void)prescribed_rates<1>(mechanism, t, q, [&](int dof, const Series<1>& rate) { a[z(dof)] = rate.derivative(1); });
  for (const int dof : closures.active()) {
    v[z(dof)] = at.v[z(dof)];
  }
  const LoopClosures& all = closures.closures();
  std::vector<double> done(z(all.size()));
  all.multiply(v, done);
  for (std::size_t r = 0; r < done.size(); ++r) done[r] -= all.drift()[r];
  Prescribed out{closures.scaled(done), {}};
  all.multiply(a, done);
  for (std::size_t r = 0; r < done.size(); ++r) done[r] = all.right()[r] - done[r];
  out.acceleration = closures.scaled(done);
  return out;
}

// Each surplus equation of a group as a combination of independent ones; what the active dofs do must combine in the same way.
void add_dependent_sets(const ScaledClosures& closures, const LoopGroup& group, const DenseRank& rank, const Prescribed& motions,
                        std::vector<DependentSet>& out) {
  const LoopClosures& all = closures.closures();
  std::set<std::vector<std::string>> seen;
  for (std::size_t k = 0; k < rank.combination.size(); ++k) {
    std::vector<double> share(group.rows.size(), 0.0);
    share[z(rank.order[z(rank.rank) + k])] = 1;
    for (std::size_t i = 0; i < rank.combination[k].size(); ++i)
      if (std::abs(rank.combination[k][i]) > 1e-7) share[z(rank.order[i])] = -rank.combination[k][i];
    const auto agrees = [&](const std::vector<double>& rows) {
      double sum = 0, part = 1e-3;
      for (std::size_t r = 0; r < share.size(); ++r) {
        const double own = share[r] * rows[z(group.rows[r])];
        sum += own;
        part = std::max(part, std::abs(own));
      }
      return std::abs(sum) <= 1e-8 * part;
    };
    DependentSet set{{}, agrees(motions.rate) && agrees(motions.acceleration)};
    int last = -1;
    for (std::size_t r = 0; r < share.size(); ++r) {
      const int element = all.rows()[z(group.rows[r])].element;
      if (share[r] == 0 || element == last) continue;
      set.names.push_back(all.name(element));
      last = element;
    }
    if (seen.insert(set.names).second || !set.consistent) out.push_back(std::move(set));
  }
}

}  // namespace

Mobility mobility(const SpaceMechanism& mechanism, const Assembly& at, double t) {
  Mobility out;
  ScaledClosures closures(mechanism);
  closures.at_time(t);
  const int dofs = static_cast<int>(mechanism.dofs.size());
  out.bodies = static_cast<int>(mechanism.bodies.size()) - 1;
  out.joint_equations = closures.closures().size();
  out.driver_equations = static_cast<int>(closures.active().size());
  out.counted = dofs - out.joint_equations;
  if (!at.gaps.empty()) return out;
  closures.evaluate(at.q, at.v);
  out.mobility = dofs;
  const std::vector<LoopGroup> among_all = loop_groups(mechanism, closures.closures(), Shared::dofs);
  const std::vector<int> place = places_in_groups(among_all, dofs);
  for (const LoopGroup& group : among_all) out.mobility -= rank_of(closures, group, place).rank;
  out.undriven = static_cast<int>(closures.passive().size());
  out.redundant = out.joint_equations;
  const Prescribed motions = prescribed(mechanism, closures, at, t);
  for (const LoopGroup& group : closures.groups()) {
    const DenseRank rank = rank_of(closures, group, closures.place());
    out.undriven -= rank.rank, out.redundant -= rank.rank;
    add_dependent_sets(closures, group, rank, motions, out.dependent);
  }
  if (out.undriven > 0)
    for (const SpaceIdle& idle : find_idle(mechanism, at.q)) out.idle.push_back(described(mechanism, idle));
  return out;
}

}  // namespace jounce
