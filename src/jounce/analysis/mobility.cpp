#include "jounce/analysis/mobility.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>

namespace jounce {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Eigen::Index;

/// Singular values below this fraction of the largest count as zero: positions are assembled to about 1e-13.
constexpr double kRank = 1e-9;
/// Beyond this many coordinates a dense decomposition takes too long; the rank then comes from the sparse factors.
constexpr int kDense = 900;

std::size_t z(Index i) { return static_cast<std::size_t>(i); }

// Rows in mechanism lengths and radians, columns in the same, so that singular values mean something.
Matrix scaled_jacobian(const PlanarSystem& system, Evaluation& evaluation, std::span<const double> q) {
  (void)evaluation.set_position(q);
  const auto values = evaluation.jacobian();
  const auto scales = evaluation.scales();
  const SparsePattern& p = system.pattern();
  const double size = system.length_scale();
  Matrix out = Matrix::Zero(p.rows, p.columns);
  for (int c = 0; c < p.columns; ++c)
    for (int e = p.start[z(c)]; e < p.start[z(c) + 1]; ++e) {
      const auto& scale = scales[z(p.row[z(e)])];
      const double row = scale.divisor * (scale.unit == planar::Unit::metre ? size : 1.0);
      out(p.row[z(e)], c) = values[z(e)] / row * (c % 3 == 2 ? 1.0 : size);
    }
  return out;
}

int rank_of(const Vector& singular_values) {
  if (singular_values.size() == 0 || singular_values[0] == 0) return 0;
  return static_cast<int>((singular_values.array() > kRank * singular_values[0]).count());
}

int rank_of(const Matrix& a) {
  if (a.size() == 0) return 0;
  return rank_of(Eigen::BDCSVD<Matrix>(a).singularValues());
}

// Moves along the free motions of the joints alone and closes the joints again; empty when nothing moved.
std::vector<double> move_a_little(const PlanarSystem& system, Evaluation& evaluation, std::span<const double> q) {
  constexpr double kStep = 1e-3;
  const Index n = system.coordinates(), joints = system.joint_equations();
  const double size = system.length_scale();
  const auto unit = [&](Index i) { return i % 3 == 2 ? 1.0 : size; };
  Matrix a = scaled_jacobian(system, evaluation, q).topRows(joints);
  const Eigen::BDCSVD<Matrix> svd(a, Eigen::ComputeFullV);
  const int rank = a.rows() == 0 ? 0 : rank_of(svd.singularValues());
  if (rank == n) return {};
  // A direction with a part in every free motion, not likely to be special.
  Vector direction = Vector::Zero(n);
  for (Index k = rank; k < n; ++k) direction += (1.0 + 0.37 * std::sin(static_cast<double>(k))) * svd.matrixV().col(k);
  direction.normalize();
  std::vector<double> moved(q.begin(), q.end());
  for (Index i = 0; i < n; ++i) moved[z(i)] += kStep * direction[i] * unit(i);
  for (int iteration = 0; iteration < 30 && joints > 0; ++iteration) {
    a = scaled_jacobian(system, evaluation, moved).topRows(joints);
    Vector r(joints);
    const auto scales = evaluation.scales();
    for (Index i = 0; i < joints; ++i)
      r[i] = evaluation.residual()[z(i)] / (scales[z(i)].divisor * (scales[z(i)].unit == planar::Unit::metre ? size : 1.0));
    if (r.lpNorm<Eigen::Infinity>() < 1e-13) break;
    // Damped: near a singular position the full least-norm step would jump.
    const Matrix normal = a.transpose() * a + 1e-12 * Matrix::Identity(n, n);
    const Vector step = normal.ldlt().solve(a.transpose() * r);
    for (Index i = 0; i < n; ++i) moved[z(i)] -= step[i] * unit(i);
  }
  double travelled = 0;
  for (Index i = 0; i < n; ++i) travelled += direction[i] * (moved[z(i)] - q[z(i)]) / unit(i);
  if (!(travelled > 0.5 * kStep)) return {};
  (void)evaluation.set_position(moved);
  double worst = 0;
  for (Index i = 0; i < joints; ++i) worst = std::max(worst, std::abs(evaluation.residual()[z(i)]) / evaluation.scales()[z(i)].divisor);
  return worst < 1e-9 * std::max(1.0, size) ? moved : std::vector<double>{};
}

// Each surplus row as a combination of independent ones: the rows with a part in it are one dependent set.
void find_dependent_sets(const PlanarSystem& system, Evaluation& evaluation, const Matrix& a, int rank, Mobility& out) {
  const Eigen::ColPivHouseholderQR<Matrix> qr(a.transpose());
  const Matrix r = qr.matrixQR();
  const Matrix r11 = r.topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
  const Matrix combination = r11.triangularView<Eigen::Upper>().solve(r.topRightCorner(rank, a.rows() - rank));
  const auto& order = qr.colsPermutation().indices();
  const auto phi_t = evaluation.open(1);  // with q_1 = 0: the partial time derivative of Φ
  const auto scales = evaluation.scales();
  const double size = system.length_scale();
  const auto rate = [&](Index row) {
    const auto& scale = scales[z(row)];
    return phi_t[z(row)] / (scale.divisor * (scale.unit == planar::Unit::metre ? size : 1.0));
  };
  std::set<std::vector<std::string>> seen;
  for (Index k = 0; k < combination.cols(); ++k) {
    DependentSet set;
    double mismatch = rate(order[rank + k]), largest = std::abs(mismatch);
    std::vector<int> members{order[rank + k]};
    for (Index i = 0; i < rank; ++i) {
      const double c = combination(i, k);
      if (std::abs(c) < 1e-7) continue;
      members.push_back(order[i]);
      mismatch -= c * rate(order[i]);
      largest = std::max(largest, std::abs(c * rate(order[i])));
    }
    set.consistent = std::abs(mismatch) <= 1e-8 * std::max(largest, 1e-3);
    std::ranges::sort(members, {}, [&](int row) { return &system.owner(row); });
    for (const int row : members)
      if (set.names.empty() || set.names.back() != system.owner(row).name) set.names.push_back(system.owner(row).name);
    if (seen.insert(set.names).second || !set.consistent) out.dependent.push_back(std::move(set));
  }
}

}  // namespace

Mobility mobility(const Mechanism& mechanism, std::span<const double> q, double t) {
  const PlanarSystem& system = mechanism.system;
  Mobility out;
  out.bodies = system.bodies();
  out.joint_equations = system.joint_equations();
  out.driver_equations = system.equations() - system.joint_equations();
  out.counted = 3 * out.bodies - out.joint_equations;
  Evaluation evaluation(system, 1);
  if (evaluation.set_time(t)) (void)evaluation.set_time(0);

  if (system.coordinates() > kDense) {
    (void)evaluation.set_position(q);
    SparseLu lu(system.pattern());
    lu.factor(evaluation.jacobian());
    out.redundant = system.equations() - lu.rank();
    out.undriven = system.coordinates() - lu.rank();
    out.mobility = out.undriven + out.driver_equations - out.redundant;
    return out;
  }

  const Matrix a = scaled_jacobian(system, evaluation, q);
  const int joint_rank = rank_of(Matrix(a.topRows(out.joint_equations)));
  const Vector singular_values = a.size() == 0 ? Vector() : Vector(Eigen::BDCSVD<Matrix>(a).singularValues());
  const int rank = rank_of(singular_values);
  out.mobility = system.coordinates() - joint_rank;
  out.undriven = system.coordinates() - rank;
  out.redundant = system.equations() - rank;
  out.regularity = rank > 0 ? singular_values[rank - 1] / singular_values[0] : 0;
  if (out.redundant > 0) find_dependent_sets(system, evaluation, a, rank, out);

  if (out.mobility > 0) {
    const std::vector<double> moved = move_a_little(system, evaluation, q);
    if (moved.empty()) out.only_infinitesimal = true;
    else out.singular_position = rank_of(scaled_jacobian(system, evaluation, moved)) > rank ||
                                 rank_of(Matrix(scaled_jacobian(system, evaluation, moved).topRows(out.joint_equations))) > joint_rank;
  }
  return out;
}

std::vector<std::string> blame(const Mechanism& mechanism, std::span<const double> q, double t) {
  const PlanarSystem& system = mechanism.system;
  if (system.coordinates() > kDense || system.equations() == 0) return {};
  Evaluation evaluation(system, 1);
  if (evaluation.set_time(t)) return {};
  const Matrix a = scaled_jacobian(system, evaluation, q);
  const Eigen::BDCSVD<Matrix> svd(a, Eigen::ComputeFullU);
  // The combination of rows that vanishes: the left singular vector of the smallest singular value.
  const Index last = std::min(a.rows(), a.cols()) - 1;
  const Vector y = svd.matrixU().col(last);
  std::vector<std::pair<double, std::string>> shares;
  for (const Constraint& c : system.constraints()) {
    const double share = y.segment(c.first_row, c.rows).norm();
    if (share > 1e-4) shares.emplace_back(share, c.name);
  }
  std::ranges::stable_sort(shares, std::greater<>{}, [](const auto& s) { return s.first; });
  std::vector<std::string> names;
  for (const auto& [share, name] : shares) names.push_back(name);
  return names;
}

}  // namespace jounce
