// Efforts where the motors are: what the prescribed motion needs, r = H q̈ + C − τ of all dofs, is given by actuators and passed on by loops and couplings,
//
//   S τ + Kᵀ λ = r
//
// with a column of S for each actuator. The rows of dofs without an actuator say λ, as far as they go: K_Uᵀ λ = r_U; the others then say τ. Where K_U lacks rank
// in its columns some motion of the mechanism is left to nobody, and is named. Where it lacks rank in its rows there are λ that push no dof without an
// actuator: equations are redundant, or there are more actuators than motions. Of all efforts the smallest are taken, forces in newtons, torques divided by a
// length; reactions are shared afterwards, with the efforts chosen (shared_reactions.hpp).
#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/space/closures/scaled_closures.hpp"
#include "jounce/space/equations/equations.hpp"
#include "jounce/space/equations/shared_reactions.hpp"

namespace jounce {
namespace {

Matrix transposed(const Matrix& a) {
  Matrix out(a.columns, a.rows);
  for (int r = 0; r < a.rows; ++r)
    for (int c = 0; c < a.columns; ++c) out.at(c, r) = a.at(r, c);
  return out;
}

}  // namespace

void SpaceEquations::use_actuators() {
  if (!mechanism_->has_actuators()) return;
  actuated_.clear(), unactuated_.clear(), all_dofs_.clear();
  for (int dof = 0; dof < static_cast<int>(active_.size()); ++dof) {
    exerts_[z(dof)] = mechanism_->dofs[z(dof)].actuated ? 1 : 0;
    (exerts_[z(dof)] ? actuated_ : unactuated_).push_back(dof);
    all_dofs_.push_back(dof);
  }
}

Matrix SpaceEquations::gradients_over(std::span<const int> dofs) const {
  std::vector<int> place(active_.size(), -1);
  for (std::size_t c = 0; c < dofs.size(); ++c) place[z(dofs[c])] = static_cast<int>(c);
  Matrix out(static_cast<int>(dofs.size()), closures_.size());
  each_entry(closures_, everything(), place, [&](int r, int c, int dof, double value) { out.at(c, r) = value * unit_[z(dof)] / row_unit(r); });
  return out;
}

// Multipliers that push none of these dofs, one set in each column.
Matrix SpaceEquations::without_effect_on(std::span<const int> dofs) const {
  const int m = closures_.size();
  if (m == 0) return {};
  const Matrix own = gradients_over(dofs);
  const int rank = dofs.empty() ? 0 : count_independent(row_order(own));
  if (rank == m) return {};
  std::vector<double> unit;
  for (int r = 0; r < m; ++r) unit.push_back(row_unit(r));
  return without_effect(combined(everything().rows, own, rank), unit, own);
}

// With the actuators held, what still moves that a prescribed motion moves: motions that no prescribed one decides need nobody.
std::optional<Fault> SpaceEquations::uncarried() const {
  if (actuated_.empty() || unactuated_.empty()) return std::nullopt;
  const auto open = [&](std::span<const int> dofs) {
    const Matrix own = gradients_over(dofs);
    return static_cast<int>(dofs.size()) - (own.empty() ? 0 : count_independent(row_order(own)));
  };
  int count = open(unactuated_);
  if (count == 0) return std::nullopt;
  std::vector<int> undecided;
  for (const int dof : unactuated_)
    if (!active_[z(dof)]) undecided.push_back(dof);
  count -= open(undecided);
  if (count <= 0) return std::nullopt;
  std::vector<int> free;  // of the prescribed dofs one for each of these motions: those that it moves most and no other does
  for (const int dof : unactuated_)
    if (active_[z(dof)]) free.push_back(dof);
  if (closures_.size() > 0) {
    // along the smallest singular directions of K_U, a column for each dof
    const Matrix modes = symmetric_eigen(gram(transposed(gradients_over(unactuated_)))).vectors;
    Matrix parts(count, static_cast<int>(free.size()));
    for (int c = 0, i = 0; i < modes.rows; ++i) {
      if (!active_[z(unactuated_[z(i)])]) continue;
      for (int k = 0; k < count; ++k) parts.at(k, c) = modes.at(i, k);
      ++c;
    }
    const RowOrder moved = row_order(parts);
    std::vector<int> most;
    for (int k = 0; k < std::min(count, parts.columns); ++k) most.push_back(free[z(moved.order[z(k)])]);
    free = std::move(most);
    std::ranges::sort(free);
  }
  std::vector<std::string> names;
  for (const int dof : free) names.push_back(mechanism_->dof_name(dof));
  std::vector<std::string> motors;
  for (const int dof : actuated_) motors.push_back(mechanism_->dof_label(dof));
  return Fault{"[actuators]",
               "the efforts of " + join_names(motors) + " cannot carry this motion: with these dofs held " + std::to_string(count) +
                   (count == 1 ? " motion is still free, which moves " : " motions are still free, which move ") + join_names(names),
               mechanism_->actuators, motors.front()};
}

int SpaceEquations::share_among_actuators(std::span<const double> needed, std::span<double> lambda) const {
  const int m = closures_.size();
  if (m == 0) return 0;
  // λ that gives the dofs without an actuator what they need, by equations that do not follow from others
  Matrix own = gradients_over(unactuated_);
  int rank = 0;
  std::ranges::fill(lambda, 0.0);
  if (!unactuated_.empty()) {
    const RowOrder found = row_order(own);
    rank = count_independent(found);
    for (std::size_t r = z(rank); r < found.order.size(); ++r)
      for (int p = 0; p < own.rows; ++p) own.at(p, found.order[r]) = 0;
    std::vector<double> right;
    for (const int dof : unactuated_) right.push_back(needed[z(dof)] * unit_[z(dof)]);
    std::ranges::copy(least_squares(own, right, 0).x, lambda.begin());
    for (int r = 0; r < m; ++r) lambda[z(r)] /= row_unit(r);
  }
  // of all that do so, the one that leaves least to the actuators, where they can push against each other
  if (count_independent(row_order(gradients_over(all_dofs_))) == rank) return rank;
  const Matrix none = without_effect_on(unactuated_);
  const std::vector<double> all = closures_.jacobian(), scale = dof_units(*mechanism_, moment_arm_);
  Matrix change(static_cast<int>(actuated_.size()), none.columns);
  std::vector<double> left;
  for (int i = 0; i < change.rows; ++i) {
    const std::size_t dof = z(actuated_[z(i)]);
    double effort = needed[dof];
    for (int r = 0; r < m; ++r) {
      const double k = all[z(r) * active_.size() + dof];
      effort -= k * lambda[z(r)];
      for (int c = 0; c < none.columns; ++c) change.at(i, c) += k * none.at(r, c) * scale[dof];
    }
    left.push_back(effort * scale[dof]);
  }
  const LeastSquares found = least_squares(change, left, kDependentClosure);
  const std::vector<double> more = times(none, found.x);
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] += more[r];
  return rank;
}

Actuation actuation(const SpaceMechanism& mechanism, std::span<const double> q) {
  if (!mechanism.has_actuators()) return {};
  SpaceEquations equations(mechanism);
  equations.use_actuators();
  equations.evaluate_closures(q, std::vector<double>(mechanism.dofs.size()));
  Actuation out{equations.uncarried(), {}};
  if (const OpenReactions* open = equations.open_reactions()) out.not_unique = open->actuators(mechanism);
  return out;
}

}  // namespace jounce
