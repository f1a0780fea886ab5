// What loops and couplings say at a position: their equations, which of them are independent, and how coordinates and rates are
// put on them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/math/dense_rank.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/space/closures/scaled_closures.hpp"
#include "jounce/space/equations/equations.hpp"
#include "jounce/space/equations/loop_elimination.hpp"
#include "jounce/space/equations/shared_reactions.hpp"

namespace jounce {
namespace {

constexpr int kMostCorrections = 12;
/// Light dofs are decided by loops where no mode of what they say together is smaller, against the largest.
constexpr double kDecided = 1e-10;
/// Corrections below this (metres, radians) are rounding.
constexpr double kSettled = 1e-15;

}  // namespace

// What accelerations lack for the loops: k − K a, into right_.
void SpaceEquations::lack(std::span<const double> a) {
  closures_.multiply(a, right_);
  for (std::size_t r = 0; r < right_.size(); ++r) right_[r] = closures_.right()[r] - right_[r];
}

int SpaceEquations::follow(std::span<const double> right, std::span<double> x) const {
  int rank = 0;
  for (const int dof : passive_v_) x[z(dof)] = 0;
  for (const LoopGroup& group : groups_) {
    if (group.dofs.empty()) continue;
    Matrix own(static_cast<int>(group.rows.size()), static_cast<int>(group.dofs.size()));
    std::vector<double> rest;
    for (const int r : group.rows) rest.push_back(right[z(r)] - closures_.row(r).times(x));
    double most = 0;
    each_entry(closures_, group, place_, [&](int r, int c, int dof, double value) {
      own.at(r, c) = value;
      most = std::max(most, std::abs(value) * unit_[z(dof)] / row_unit(group.rows[z(r)]));
    });
    if (!(most > kDependentClosure)) continue;  // rounding, with nothing to compare it with
    const LeastSquares found = least_squares(own, rest, kDependentClosure);
    for (std::size_t c = 0; c < group.dofs.size(); ++c) x[z(group.dofs[c])] = found.x[c];
    rank += found.rank;
  }
  return rank;
}

void SpaceEquations::evaluate_closures(std::span<const double> q, std::span<const double> v) {
  shared_.reset();
  move(q, v, still_);
  closures_.evaluate(q, v, motion_work_, links_);
}

Matrix SpaceEquations::gradients(const LoopGroup& group) const {
  Matrix out(static_cast<int>(group.dofs.size()), static_cast<int>(group.rows.size()));
  each_entry(closures_, group, place_,
             [&](int r, int c, int dof, double value) { out.at(c, r) = value * unit_[z(dof)] / row_unit(group.rows[z(r)]); });
  return out;
}

std::vector<Matrix> SpaceEquations::gradients() const {
  std::vector<Matrix> out;
  for (const LoopGroup& group : groups_) out.push_back(gradients(group));
  return out;
}

// Those that say least of their own, beyond the rank.
std::vector<int> SpaceEquations::dependent() const {
  std::vector<int> out;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const LoopGroup& group = groups_[g];
    if (!fixed_ranks_.empty() && z(fixed_ranks_[g]) == group.rows.size()) continue;
    const RowOrder found = row_order(gradients(group));
    const int rank = fixed_ranks_.empty() ? count_independent(found) : fixed_ranks_[g];
    for (std::size_t k = z(rank); k < found.order.size(); ++k) out.push_back(group.rows[z(found.order[k])]);
  }
  return out;
}

std::vector<Matrix> SpaceEquations::independent() const {
  std::vector<Matrix> out;
  for (std::size_t g = 0; g < groups_.size(); ++g) out.push_back(independent(g));
  return out;
}

// By what equations could move: a passive dof of the whole mechanism, by one. What they are at this instant is no measure: of
// equations that pass through zero noise would count as much as others.
Matrix SpaceEquations::independent(std::size_t g) const {
  const LoopGroup& group = groups_[g];
  const int m = static_cast<int>(group.rows.size());
  const bool known = !fixed_ranks_.empty();
  const Matrix gradients = known && fixed_ranks_[g] == m ? Matrix{} : this->gradients(group);
  const int rank = known ? std::min(fixed_ranks_[g], std::min(m, static_cast<int>(group.dofs.size())))
                         : count_independent(row_order(gradients));
  return combined(group.rows, gradients, rank);
}

// The `rank` combinations of some equations that say most.
Matrix SpaceEquations::combined(std::span<const int> rows, const Matrix& gradients, int rank) const {
  const int m = static_cast<int>(rows.size());
  Matrix out(m, rank);
  if (rank == m) {
    for (int r = 0; r < m; ++r) out.at(r, r) = 1 / row_unit(rows[z(r)]);
    return out;
  }
  if (rank == 0) return out;
  const Matrix modes = symmetric_eigen(gram(gradients)).vectors;  // the largest ones last
  for (int k = 0; k < rank; ++k)
    for (int r = 0; r < m; ++r) out.at(r, k) = modes.at(r, m - rank + k) / row_unit(rows[z(r)]);
  return out;
}

KnownRanks SpaceEquations::known_ranks() const {
  KnownRanks out{groups_, {}, static_cast<int>(mechanism_->loops.size()), static_cast<int>(mechanism_->couplings.size()),
                 static_cast<int>(mechanism_->equations.size())};
  for (const Matrix& within : independent()) out.ranks.push_back(within.columns);
  return out;
}

void SpaceEquations::fix_ranks(const KnownRanks& known) {
  std::vector<int> group_of(z(known.loops + known.couplings + known.equations), -1);  // of the elements that were there: their group now
  fixed_ranks_.assign(groups_.size(), 0);
  const int loops = static_cast<int>(mechanism_->loops.size()), couplings = loops + static_cast<int>(mechanism_->couplings.size());
  const auto before = [&](int e) {  // where it was then; −1 of one that was not there
    if (e < loops) return e < known.loops ? e : -1;
    if (e < couplings) return e - loops < known.couplings ? known.loops + e - loops : -1;
    return e - couplings < known.equations ? known.loops + known.couplings + e - couplings : -1;
  };
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (const int e : groups_[g].elements)
      if (const int then = before(e); then >= 0) group_of[z(then)] = static_cast<int>(g);
    fixed_ranks_[g] = static_cast<int>(std::ranges::count_if(groups_[g].rows, [&](int r) { return before(closures_.rows()[z(r)].element) < 0; }));
  }
  for (std::size_t k = 0; k < known.groups.size(); ++k)
    fixed_ranks_[z(group_of[z(known.groups[k].elements.front())])] += known.ranks[k];
  for (std::size_t g = 0; g < groups_.size(); ++g)
    fixed_ranks_[g] =
        std::min({fixed_ranks_[g], static_cast<int>(groups_[g].rows.size()), static_cast<int>(groups_[g].dofs.size())});
  ranks_ = fixed_ranks_;
}

// Independent equations stay what they are: only combinations of dependent ones change with the position.
void SpaceEquations::combine_loops() {
  rank_ = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const int rows = static_cast<int>(groups_[g].rows.size());
    if (fixed_ranks_.empty() || fixed_ranks_[g] != rows || within_[g].columns != rows || rows == 0) within_[g] = independent(g);
    rank_ += ranks_[g] = within_[g].columns;
  }
}

// At a position at which the closures were evaluated.
void SpaceEquations::factor_loops(std::span<const double> q) {
  combine_loops();
  elimination_->factor(q, within_);
}

// The closures have been evaluated.
void SpaceEquations::close_loops(std::span<const double> q, std::span<double> a) {
  lack(a);
  if (elimination_->borrows()) {
    combine_loops();
    elimination_->factor(work_, within_);
    return elimination_->solve(right_, lambda_, {});
  }
  factor_loops(q);
  if (light_.empty()) return elimination_->solve(right_, lambda_, change_);
  // what light dofs would need to stand still is not what they have
  std::vector<double> missing(a.size());
  tree::efforts<double>(mechanism_->tree, work_, missing.data());
  for (const int dof : light_) missing[z(dof)] = effort_[z(dof)] - missing[z(dof)];
  elimination_->solve(right_, lambda_, change_, missing);
  for (const int dof : light_) a[z(dof)] = change_[z(dof)];
}

void SpaceEquations::carry(std::vector<int> light) {
  light_ = std::move(light);
  held_ = active_;
  for (const int dof : light_) held_[z(dof)] = 1;
  if (closures_.size() > 0) elimination_ = std::make_unique<LoopElimination>(mechanism_->tree, active_, closures_, groups_, light_);
}

bool SpaceEquations::decides_light(std::span<const double> q) {
  if (light_.empty()) return true;
  if (closures_.size() == 0 || std::ranges::any_of(light_, [&](int dof) { return place_[z(dof)] < 0; })) return false;
  evaluate_closures(q, still_);
  factor_loops(q);
  return elimination_->decides() > kDecided;
}

// The factors of the articulated inertias at a position.
void SpaceEquations::factor_at_rest(std::span<const double> q, tree::Workspace<double>& work) {
  std::ranges::fill(change_, 0.0);
  (void)tree::hybrid<double>(mechanism_->tree, work, q.data(), still_.data(), still_.data(), held_.data(), change_.data());
}

void SpaceEquations::solve_order(std::span<const double> q, std::span<const double> effort, std::span<const double> right,
                                 std::span<double> x, std::span<double> lambda) {
  const int m = closures_.size();
  tree::Workspace<double>* factors = &work_;
  if (formulation_ != Formulation::aba) {
    if (!order_work_) order_work_ = std::make_unique<tree::Workspace<double>>(mechanism_->tree);
    factors = order_work_.get();
    factor_at_rest(q, *factors);
    if (m > 0) factor_loops(q);
  }
  tree::respond<double>(mechanism_->tree, *factors, effort.data(), held_.data(), change_.data());
  for (const int dof : passive_v_) x[z(dof)] = change_[z(dof)];
  if (m == 0) return;
  const std::vector<double> of_light = light_.empty() ? std::vector<double>{} : left_by(q, effort, change_);
  std::vector<double> missing(z(m));
  closures_.multiply(x, missing);
  for (std::size_t r = 0; r < missing.size(); ++r) missing[r] = right[r] - missing[r];
  elimination_->solve(missing, lambda, change_, of_light);
  for (const int dof : passive_v_) x[z(dof)] += change_[z(dof)];
}

// What accelerations leave of efforts, which is nothing but where dofs are light: effort − H x.
std::vector<double> SpaceEquations::left_by(std::span<const double> q, std::span<const double> effort,
                                            std::span<const double> x) const {
  tree::Workspace<double> work(mechanism_->tree);
  work.gravity = {};
  std::vector<double> out(x.size());
  tree::rnea<double>(mechanism_->tree, work, q.data(), still_.data(), x.data(), out.data());
  for (std::size_t dof = 0; dof < out.size(); ++dof) out[dof] = effort[dof] - out[dof];
  return out;
}

// By those equations that do not follow from others.
int SpaceEquations::balance_order(std::span<const double> missing, std::span<double> lambda) const {
  if (!actuated_.empty()) return share_among_actuators(missing, lambda);
  const std::vector<int> left_out = dependent();
  std::vector<std::uint8_t> used(z(closures_.size()), 1);
  for (const int r : left_out) used[z(r)] = 0;
  for (const LoopGroup& group : groups_) {
    std::vector<double> of_passive;
    for (const int dof : group.dofs) of_passive.push_back(missing[z(dof)] * unit_[z(dof)]);
    Matrix own = gradients(group);
    for (int c = 0; c < own.columns; ++c)
      for (int p = 0; p < own.rows && !used[z(group.rows[z(c)])]; ++p) own.at(p, c) = 0;
    const std::vector<double> found = least_squares(own, of_passive, 0).x;
    for (std::size_t c = 0; c < group.rows.size(); ++c) lambda[z(group.rows[c])] = found[c] / row_unit(group.rows[c]);
  }
  return closures_.size() - static_cast<int>(left_out.size());
}

double SpaceEquations::project_position(std::span<double> q) {
  if (closures_.size() == 0) return 0;
  double moved = 0;
  for (int i = 0; i < kMostCorrections; ++i) {
    evaluate_closures(q, still_);
    if (closures_.fault()) return std::numeric_limits<double>::quiet_NaN();
    factor_loops(q);
    elimination_->solve(closures_.residual(), lambda_, change_);
    for (double& way : change_) way = -way;
    tree::move(mechanism_->tree, q, change_);
    const double step = largest(change_);
    moved = std::max(moved, step);
    if (!(step > kSettled * (1 + largest(q)))) break;
  }
  evaluate_closures(q, still_);
  return moved;
}

double SpaceEquations::project_velocity(std::span<const double> q, std::span<double> v) {
  if (closures_.size() == 0) return 0;
  evaluate_closures(q, still_);
  if (closures_.fault()) return std::numeric_limits<double>::quiet_NaN();
  factor_loops(q);
  closures_.multiply(v, right_);
  for (std::size_t r = 0; r < right_.size(); ++r) right_[r] -= closures_.drift()[r];
  elimination_->solve(right_, lambda_, change_);
  for (std::size_t dof = 0; dof < v.size(); ++dof) v[dof] -= change_[dof];
  return largest(change_);
}

}  // namespace jounce
