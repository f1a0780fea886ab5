// What loops and couplings say at a position: their equations, which of them are independent, and how coordinates and rates are put on them.
#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/math/dense_rank.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/math/rows.hpp"
#include "jounce/space/closures/scaled_closures.hpp"
#include "jounce/space/equations/equations.hpp"
#include "jounce/space/equations/shared_reactions.hpp"

namespace jounce {
namespace {

constexpr int kMostCorrections = 12;
/// Corrections below this (metres, radians) are rounding.
constexpr double kSettled = 1e-15;

}  // namespace

Rows SpaceEquations::jacobian() const { return {closures_.jacobian(), closures_.size(), mechanism_->tree.dofs()}; }

// K over the passive dofs.
Matrix SpaceEquations::passive_jacobian() const {
  Matrix out(closures_.size(), static_cast<int>(passive_v_.size()));
  for (int c = 0; c < out.columns; ++c)
    for (int r = 0; r < out.rows; ++r) out.at(r, c) = closures_.jacobian()[z(r) * active_.size() + z(passive_v_[z(c)])];
  return out;
}

// What accelerations lack for the loops: k − K a, into right_.
void SpaceEquations::lack(std::span<const double> a) {
  multiply(jacobian(), a, right_);
  for (std::size_t r = 0; r < right_.size(); ++r) right_[r] = closures_.right()[r] - right_[r];
}

int SpaceEquations::follow(std::span<const double> right, std::span<double> x) const {
  if (passive_v_.empty()) return 0;
  std::vector<double> rest(right.begin(), right.begin() + closures_.size());
  for (std::size_t r = 0; r < rest.size(); ++r)
    for (std::size_t dof = 0; dof < active_.size(); ++dof)
      if (active_[dof]) rest[r] -= closures_.jacobian()[r * active_.size() + dof] * x[dof];
  const LeastSquares found = least_squares(passive_jacobian(), rest, kDependentClosure);
  for (std::size_t p = 0; p < passive_v_.size(); ++p) x[z(passive_v_[p])] = found.x[p];
  return found.rank;
}

void SpaceEquations::evaluate_closures(std::span<const double> q, std::span<const double> v) {
  shared_.reset();
  move(q, v, still_);
  closures_.evaluate(q, v, motion_work_, links_);
}

// A = K H⁻¹ Kᵀ over the passive dofs, with the factors that `hybrid` left.
void SpaceEquations::form_schur(tree::Workspace<double>& work) {
  const int m = closures_.size(), n = mechanism_->tree.dofs();
  for (int r = 0; r < m; ++r) {
    const double* row = closures_.jacobian().data() + z(r) * z(n);
    tree::respond<double>(mechanism_->tree, work, row, active_.data(), response_.data() + z(r) * z(n));
  }
  multiply_by_transposed(jacobian(), {response_, m, n}, schur_);
}

Matrix SpaceEquations::gradients() const { return gradients_over(passive_v_); }

Matrix SpaceEquations::gradients_over(std::span<const int> dofs) const {
  Matrix out(static_cast<int>(dofs.size()), closures_.size());
  for (int r = 0; r < out.columns; ++r)
    for (int i = 0; i < out.rows; ++i) {
      const std::size_t dof = z(dofs[z(i)]);
      out.at(i, r) = closures_.jacobian()[z(r) * active_.size() + dof] * unit_[dof] / row_unit(r);
    }
  return out;
}

// Those that say least of their own, beyond the rank.
std::vector<int> SpaceEquations::dependent() const {
  if (fixed_rank_ == closures_.size()) return {};
  const RowOrder found = row_order(gradients());
  const int rank = fixed_rank_ >= 0 ? fixed_rank_ : count_independent(found);
  return {found.order.begin() + rank, found.order.end()};
}

// By what equations could move: a passive dof of the whole mechanism, by one. What they are at this instant is no measure: of equations that pass
// through zero noise would count as much as others.
Matrix SpaceEquations::independent() const {
  const int m = closures_.size();
  const bool known = fixed_rank_ >= 0;
  const Matrix gradients = known && fixed_rank_ == m ? Matrix{} : this->gradients();
  const int rank = known ? std::min(fixed_rank_, std::min(m, static_cast<int>(passive_v_.size()))) : count_independent(row_order(gradients));
  return combined(gradients, rank);
}

// The `rank` combinations that say most.
Matrix SpaceEquations::combined(const Matrix& gradients, int rank) const {
  const int m = closures_.size();
  Matrix out(m, rank);
  if (rank == m) {
    for (int r = 0; r < m; ++r) out.at(r, r) = 1 / row_unit(r);
    return out;
  }
  if (rank == 0) return out;
  const Matrix modes = symmetric_eigen(gram(gradients)).vectors;  // the largest ones last
  for (int k = 0; k < rank; ++k)
    for (int r = 0; r < m; ++r) out.at(r, k) = modes.at(r, m - rank + k) / row_unit(r);
  return out;
}

// λ of A λ = right as far as the independent equations go.
void SpaceEquations::solve_schur(std::span<const double> right) {
  const int m = closures_.size();
  const Matrix within = independent();
  rank_ = within.columns;
  inconsistency_ = solve_within({schur_, m, m}, right, within, lambda_);
}

void SpaceEquations::close_loops(std::span<const double> q, std::span<const double> v, std::span<double> a) {
  closures_.evaluate(q, v, motion_work_, links_);
  form_schur(work_);
  lack(a);
  solve_schur(right_);
}

// The factors of the articulated inertias at a position.
void SpaceEquations::factor_at_rest(std::span<const double> q, tree::Workspace<double>& work) {
  std::ranges::fill(change_, 0.0);
  (void)tree::hybrid<double>(mechanism_->tree, work, q.data(), still_.data(), still_.data(), active_.data(), change_.data());
}

void SpaceEquations::solve_order(std::span<const double> q, std::span<const double> effort, std::span<const double> right, std::span<double> x,
                                 std::span<double> lambda) {
  const int m = closures_.size(), n = mechanism_->tree.dofs();
  tree::Workspace<double>* factors = &work_;
  if (formulation_ != Formulation::aba) {
    if (!order_work_) order_work_ = std::make_unique<tree::Workspace<double>>(mechanism_->tree);
    factors = order_work_.get();
    factor_at_rest(q, *factors);
    if (m > 0) form_schur(*factors);
  }
  tree::respond<double>(mechanism_->tree, *factors, effort.data(), active_.data(), change_.data());
  for (const int dof : passive_v_) x[z(dof)] = change_[z(dof)];
  if (m == 0) return;
  std::vector<double> missing(z(m));
  multiply(jacobian(), x, missing);
  for (std::size_t r = 0; r < missing.size(); ++r) missing[r] = right[r] - missing[r];
  (void)solve_within({schur_, m, m}, missing, independent(), lambda);
  multiply_transposed({response_, m, n}, lambda, change_);
  for (const int dof : passive_v_) x[z(dof)] += change_[z(dof)];
}

// By those equations that do not follow from others.
int SpaceEquations::balance_order(std::span<const double> missing, std::span<double> lambda) const {
  if (!actuated_.empty()) return share_among_actuators(missing, lambda);
  std::vector<double> of_passive;
  for (const int dof : passive_v_) of_passive.push_back(missing[z(dof)] * unit_[z(dof)]);
  Matrix own = gradients();
  const std::vector<int> left_out = dependent();
  for (const int r : left_out)
    for (int p = 0; p < own.rows; ++p) own.at(p, r) = 0;
  std::ranges::copy(least_squares(own, of_passive, 0).x, lambda.begin());
  for (int r = 0; r < closures_.size(); ++r) lambda[z(r)] /= row_unit(r);
  return closures_.size() - static_cast<int>(left_out.size());
}

double SpaceEquations::project_position(std::span<double> q) {
  if (closures_.size() == 0) return 0;
  double moved = 0;
  const int m = closures_.size(), n = mechanism_->tree.dofs();
  for (int i = 0; i < kMostCorrections; ++i) {
    evaluate_closures(q, still_);
    factor_at_rest(q, work_);
    form_schur(work_);
    solve_schur(closures_.residual());
    multiply_transposed({response_, m, n}, lambda_, change_);
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
  const int m = closures_.size(), n = mechanism_->tree.dofs();
  evaluate_closures(q, still_);
  factor_at_rest(q, work_);
  form_schur(work_);
  multiply(jacobian(), v, right_);
  solve_schur(right_);
  multiply_transposed({response_, m, n}, lambda_, change_);
  for (std::size_t dof = 0; dof < v.size(); ++dof) v[dof] -= change_[dof];
  return largest(change_);
}

}  // namespace jounce
