#include "jounce/math/dependent_columns.hpp"

#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/math/dense_rank.hpp"

namespace jounce {
namespace {

/// What a column adds to those before it: less is rounding, or, of one known to depend on them, what a position off the constraints makes of it.
constexpr double kRounding = 1e-10, kOff = 0.01;
/// Up to so many columns the choice is made with care, above it with speed.
constexpr int kLargestDense = 150;

}  // namespace

std::vector<int> dependent_columns(const SparsePattern& pattern, std::span<const double> values, int known, std::span<const double> sizes) {
  std::vector<double> scaled(values.begin(), values.end());
  for (int c = 0; c < pattern.columns; ++c) {
    double square = 0;
    for (int e = pattern.start[z(c)]; e < pattern.start[z(c) + 1]; ++e) square += scaled[z(e)] * scaled[z(e)];
    for (int e = pattern.start[z(c)]; e < pattern.start[z(c) + 1] && square > 0; ++e) scaled[z(e)] /= std::sqrt(square);
  }
  if (known == 0 || pattern.columns > kLargestDense) {
    SparseLu lu(pattern);
    lu.factor(scaled);
    if (lu.full_column_rank() || pattern.columns > kLargestDense) return {lu.free_columns().begin(), lu.free_columns().end()};
  }
  Matrix dense(pattern.rows, pattern.columns);
  for (int c = 0; c < pattern.columns; ++c)
    for (int e = pattern.start[z(c)]; e < pattern.start[z(c) + 1]; ++e) dense.at(pattern.row[z(e)], c) = sizes.empty() ? scaled[z(e)] : values[z(e)] / sizes[z(c)];
  const auto [order, left] = row_order(dense);
  std::size_t rank = 0;
  while (rank < left.size() && left[rank] > (static_cast<int>(rank) < pattern.columns - known ? kRounding * left[0] : kOff)) ++rank;
  return {order.begin() + static_cast<std::ptrdiff_t>(rank), order.end()};
}

}  // namespace jounce
