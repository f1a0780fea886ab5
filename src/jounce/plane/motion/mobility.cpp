#include "jounce/plane/motion/mobility.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "jounce/plane/motion/scaled_jacobian.hpp"
#include "jounce/base/index.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce {
namespace {

// The rank of the first rows, by the sparse factors: for models too large for a dense decomposition.
int sparse_rank(const PlanarSystem& system, Evaluation& evaluation, int rows) {
  const SparsePattern& all = system.pattern();
  const auto jacobian = evaluation.jacobian();
  SparsePattern pattern{rows, all.columns, {0}, {}};
  std::vector<double> values, weights;
  for (int c = 0; c < all.columns; ++c) {
    for (int e = all.start[z(c)]; e < all.start[z(c) + 1]; ++e)
      if (all.row[z(e)] < rows) pattern.row.push_back(all.row[z(e)]), values.push_back(jacobian[z(e)]);
    pattern.start.push_back(static_cast<int>(pattern.row.size()));
  }
  for (int r = 0; r < rows; ++r) weights.push_back(1.0 / row_unit(evaluation.scales()[z(r)], system.length_scale()));
  SparseLu lu(std::move(pattern));
  lu.set_weights(weights);
  lu.factor(values);
  return lu.rank();
}

int rank_of(const DenseMatrix& a) { return dense_rank(a.transposed(), kDependentRow).rank; }

// Moves along the free motions of the joints alone and closes the joints again; empty when nothing moved.
std::vector<double> move_a_little(const PlanarSystem& system, Evaluation& evaluation, std::span<const double> q) {
  constexpr double kStep = 1e-3;
  const int n = system.coordinates(), joints = system.joint_equations();
  const double size = system.length_scale();
  const auto free = dense_rank(scaled_jacobian(system, evaluation, q).top(joints), kDependentRow).null_space();
  if (free.empty()) return {};
  // A direction with a part in every free motion, not likely to be special.
  std::vector<double> direction(z(n), 0.0);
  double norm = 0;
  for (std::size_t k = 0; k < free.size(); ++k)
    for (int i = 0; i < n; ++i) direction[z(i)] += (1.0 + 0.37 * sincos(static_cast<double>(k)).sin) * free[k][z(i)];
  for (const double d : direction) norm += d * d;
  for (double& d : direction) d /= std::sqrt(norm);

  std::vector<double> moved(q.begin(), q.end()), right(z(joints));
  for (int i = 0; i < n; ++i) moved[z(i)] += kStep * direction[z(i)] * column_unit(i, size);
  double worst = 0;
  for (int iteration = 0; iteration < 30 && joints > 0; ++iteration) {
    const DenseMatrix a = scaled_jacobian(system, evaluation, moved).top(joints);
    worst = 0;
    for (int i = 0; i < joints; ++i) {
      right[z(i)] = evaluation.residual()[z(i)] / row_unit(evaluation.scales()[z(i)], size);
      worst = std::max(worst, std::abs(right[z(i)]));
    }
    if (worst < 1e-13) break;
    // Next to a singular position small singular values are left alone, or the step would jump.
    const std::vector<double> step = shortest_solution(a, right, 1e-6);
    for (int i = 0; i < n; ++i) moved[z(i)] -= step[z(i)] * column_unit(i, size);
  }
  double travelled = 0;
  for (int i = 0; i < n; ++i) travelled += direction[z(i)] * (moved[z(i)] - q[z(i)]) / column_unit(i, size);
  return travelled > 0.5 * kStep && worst < 1e-9 ? moved : std::vector<double>{};
}

// Each surplus row as a combination of independent ones: the rows with a part in it are one dependent set.
void find_dependent_sets(const PlanarSystem& system, Evaluation& evaluation, const DenseRank& rows, Mobility& out) {
  const auto phi_t = evaluation.open(1);  // with q_1 = 0: the partial time derivative of Φ
  const double size = system.length_scale();
  const auto rate = [&](int row) { return phi_t[z(row)] / row_unit(evaluation.scales()[z(row)], size); };
  std::set<std::vector<std::string>> seen;
  for (std::size_t k = 0; k < rows.combination.size(); ++k) {
    DependentSet set;
    std::vector<int> members{rows.order[z(rows.rank) + k]};
    double mismatch = rate(members[0]), largest = std::abs(mismatch);
    for (std::size_t i = 0; i < rows.combination[k].size(); ++i) {
      const double c = rows.combination[k][i];
      if (std::abs(c) < 1e-7) continue;
      members.push_back(rows.order[i]);
      mismatch -= c * rate(rows.order[i]);
      largest = std::max(largest, std::abs(c * rate(rows.order[i])));
    }
    set.consistent = std::abs(mismatch) <= 1e-8 * std::max(largest, 1e-3);
    std::ranges::sort(members, {}, [&](int row) { return &system.owner(row); });
    for (const int row : members)
      if (set.names.empty() || set.names.back() != system.owner(row).name) set.names.push_back(system.owner(row).name);
    if (seen.insert(set.names).second || !set.consistent) out.dependent.push_back(std::move(set));
  }
}

}  // namespace

Mobility mobility(const PlaneMechanism& mechanism, std::span<const double> q, double t) {
  const PlanarSystem& system = mechanism.system;
  Mobility out;
  out.bodies = system.bodies();
  out.joint_equations = system.joint_equations();
  out.driver_equations = system.equations() - system.joint_equations();
  out.counted = 3 * out.bodies - out.joint_equations;
  Evaluation evaluation(system, 1);
  if (evaluation.set_time(t)) (void)evaluation.set_time(0);

  if (system.coordinates() > kMostDense) {
    (void)evaluation.set_position(q);
    const int rank = sparse_rank(system, evaluation, system.equations());
    out.redundant = system.equations() - rank;
    out.undriven = system.coordinates() - rank;
    out.mobility = system.coordinates() - sparse_rank(system, evaluation, out.joint_equations);
    return out;
  }

  const DenseMatrix a = scaled_jacobian(system, evaluation, q);
  const DenseRank rows = dense_rank(a.transposed(), kDependentRow);
  const int joint_rank = rank_of(a.top(out.joint_equations));
  out.mobility = system.coordinates() - joint_rank;
  out.undriven = system.coordinates() - rows.rank;
  out.redundant = system.equations() - rows.rank;
  out.regularity = rows.rank > 0 ? rows.smallest / rows.largest : 0;
  if (out.redundant > 0) find_dependent_sets(system, evaluation, rows, out);

  if (out.mobility > 0) {
    const std::vector<double> moved = move_a_little(system, evaluation, q);
    if (moved.empty()) {
      out.only_infinitesimal = true;
    } else {
      const DenseMatrix b = scaled_jacobian(system, evaluation, moved);
      out.singular_position = rank_of(b) > rows.rank || rank_of(b.top(out.joint_equations)) > joint_rank;
    }
  }
  return out;
}

std::vector<std::string> blame(const PlaneMechanism& mechanism, std::span<const double> q, double t) {
  const PlanarSystem& system = mechanism.system;
  if (system.coordinates() > kMostDense || system.equations() == 0) return {};
  Evaluation evaluation(system, 1);
  if (evaluation.set_time(t)) return {};
  // The combination of rows that (nearly) vanishes: the row left with the least by all the others.
  DenseRank rows = dense_rank(scaled_jacobian(system, evaluation, q).transposed(), 1e-5);
  if (rows.combination.empty()) return {};
  const std::vector<double> y = rows.null_space().back();
  std::vector<std::string> names;
  for (const Constraint& c : system.constraints()) {
    double share = 0;
    for (int r = 0; r < c.rows; ++r) share = std::hypot(share, y[z(c.first_row + r)]);
    if (share > 1e-4) names.push_back(c.name);
  }
  return names;
}

}  // namespace jounce
