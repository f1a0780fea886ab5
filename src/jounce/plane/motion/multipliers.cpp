#include "jounce/plane/motion/multipliers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "jounce/plane/motion/scaled_jacobian.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"

namespace jounce {
namespace {

/// A row with a smaller share than this in every vector of the null space has a unique multiplier: what is left is rounding.
constexpr double kShare = 1e-7;

using Vectors = std::vector<std::vector<double>>;

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Takes from x its parts along vectors of length 1 that are square to each other.
void take_away(std::span<const std::vector<double>> from, std::span<double> x) {
  for (const std::vector<double>& n : from) {
    const double part = product(n, x);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= part * n[i];
  }
}

// Gram and Schmidt, twice: once is not square to rounding.
void make_orthonormal(Vectors& vectors) {
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    std::vector<double>& v = vectors[k];
    for (int pass = 0; pass < 2; ++pass) {
      take_away(std::span(vectors).first(k), v);
      const double length = std::sqrt(product(v, v));
      for (double& x : v) x /= length;
    }
  }
}

Indeterminacy finished(const PlanarSystem& system, const Evaluation& evaluation, Vectors null_space) {
  Indeterminacy out;
  make_orthonormal(null_space);
  const double size = system.length_scale();
  for (const planar::Scale& scale : evaluation.scales()) out.unit.push_back(row_unit(scale, size) / size);
  for (std::size_t r = 0; r < out.unit.size(); ++r) {
    double share = 0;
    for (const auto& n : null_space) share = std::hypot(share, n[r]);
    out.unique.push_back(share < kShare);
  }
  out.null_space = std::move(null_space);
  return out;
}

// Row r of a matrix by columns.
void row_of(const SparsePattern& pattern, std::span<const double> values, int r, std::span<double> out) {
  std::ranges::fill(out, 0.0);
  for (int c = 0; c < pattern.columns; ++c)
    for (int e = pattern.start[z(c)]; e < pattern.start[z(c) + 1]; ++e)
      if (pattern.row[z(e)] == r) out[z(c)] = values[z(e)];
}

// A spare row is a sum of pivot rows, row_s = Σ y_p row_p: the vector with 1 at s and −y_p at p is in the null space of Φqᵀ.
Vectors from_spare_rows(const PlanarSystem& system, const Evaluation& evaluation, SparseLu& factors,
                        std::span<const double> values) {
  const SparsePattern& pattern = factors.pattern();
  const auto scales = evaluation.scales();
  std::vector<double> row(z(pattern.columns)), shares(z(pattern.rows));
  Vectors out;
  for (const int spare : std::vector<int>(factors.spare_rows().begin(), factors.spare_rows().end())) {
    row_of(pattern, values, spare, row);
    factors.solve_transposed(row, shares);
    shares[z(spare)] -= 1;
    for (std::size_t r = 0; r < shares.size(); ++r) shares[r] *= row_unit(scales[r], system.length_scale());
    out.push_back(shares);
  }
  return out;
}

// Without the columns that found no pivot the rank is the same and the columns are independent.
SparseLu without_free_columns(const SparseLu& all, std::span<const double> weights, std::vector<double>& values) {
  const SparsePattern& from = all.pattern();
  SparsePattern pattern{from.rows, 0, {0}, {}};
  std::vector<double> kept;
  for (int c = 0; c < from.columns; ++c) {
    if (std::ranges::find(all.free_columns(), c) != all.free_columns().end()) continue;
    for (int e = from.start[z(c)]; e < from.start[z(c) + 1]; ++e)
      pattern.row.push_back(from.row[z(e)]), kept.push_back(values[z(e)]);
    pattern.start.push_back(static_cast<int>(pattern.row.size()));
    ++pattern.columns;
  }
  SparseLu out(std::move(pattern));
  out.set_weights(weights);
  out.factor(kept);
  values = std::move(kept);
  return out;
}

Vectors sparse_null_space(const PlanarSystem& system, Evaluation& evaluation, std::span<const double> q) {
  (void)evaluation.set_position(q);
  const auto jacobian = evaluation.jacobian();
  std::vector<double> values(jacobian.begin(), jacobian.end()), weights;
  for (const planar::Scale& scale : evaluation.scales()) weights.push_back(1 / row_unit(scale, system.length_scale()));
  SparseLu lu(system.pattern());
  lu.set_weights(weights);
  lu.factor(values);
  if (!lu.full_column_rank()) lu = without_free_columns(lu, weights, values);
  return from_spare_rows(system, evaluation, lu, values);
}

}  // namespace

Indeterminacy indeterminacy(const PlanarSystem& system, double t, std::span<const double> q) {
  Evaluation evaluation(system, 0);
  (void)evaluation.set_time(t);  // whoever solved the position has seen its fault
  if (std::max(system.coordinates(), system.equations()) > kMostDense)
    return finished(system, evaluation, sparse_null_space(system, evaluation, q));
  // The rows are already in one unit: lengths and radians of the mechanism's size.
  return finished(system, evaluation,
                  dense_rank(scaled_jacobian(system, evaluation, q).transposed(), kDependentRow).null_space());
}

Indeterminacy indeterminacy(const PlanarSystem& system, Evaluation& evaluation, SparseLu& factors) {
  if (factors.spare_rows().empty()) return finished(system, evaluation, {});
  return finished(system, evaluation, from_spare_rows(system, evaluation, factors, evaluation.jacobian()));
}

void shorten(const Indeterminacy& open, std::span<double> lambda) {
  if (open.null_space.empty()) return;
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] *= open.unit[r];
  take_away(open.null_space, lambda);
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] /= open.unit[r];
}

std::vector<std::string> not_unique(const PlanarSystem& system, const Indeterminacy& open) {
  std::vector<std::string> out;
  for (const Constraint& c : system.constraints()) {
    bool unique = true;
    for (int r = 0; r < c.rows; ++r) unique = unique && open.unique[z(c.first_row + r)];
    if (!unique) out.push_back(c.name);
  }
  return out;
}

Problem not_unique_warning(const std::vector<std::string>& names) {
  return warning({}, "reactions not unique: " + join_names(names, 20) +
                         ": the mechanism has redundant equations; the smallest "
                         "reactions that balance it are reported");
}

}  // namespace jounce
