#include "jounce/math/dependent_columns.hpp"

#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/math/dense_rank.hpp"

namespace jounce {
namespace {

/// What a column adds to those before it: less is rounding.
constexpr double kRounding = 1e-10;
/// Up to so many columns the choice is made with care, above it with speed.
constexpr int kLargestDense = 150;

}  // namespace

std::vector<int> dependent_columns(const SparsePattern& pattern, std::span<const double> values) {
  std::vector<double> scaled(values.begin(), values.end());
  for (int c = 0; c < pattern.columns; ++c) {
    double square = 0;
    for (int e = pattern.start[z(c)]; e < pattern.start[z(c) + 1]; ++e) square += scaled[z(e)] * scaled[z(e)];
    for (int e = pattern.start[z(c)]; e < pattern.start[z(c) + 1] && square > 0; ++e) scaled[z(e)] /= std::sqrt(square);
  }
  SparseLu lu(pattern);
  lu.factor(scaled);
  if (lu.full_column_rank() || pattern.columns > kLargestDense) return {lu.free_columns().begin(), lu.free_columns().end()};
  DenseMatrix dense(pattern.rows, pattern.columns);
  for (int c = 0; c < pattern.columns; ++c)
    for (int e = pattern.start[z(c)]; e < pattern.start[z(c) + 1]; ++e) dense.at(pattern.row[z(e)], c) = scaled[z(e)];
  const DenseRank rank = dense_rank(dense, kRounding);
  return {rank.order.begin() + rank.rank, rank.order.end()};
}

}  // namespace jounce
