// Rank and null spaces of a dense matrix, by Householder QR with column pivoting. For analyses that look at a mechanism once.
#pragma once

#include <vector>

#include "jounce/math/dense.hpp"
#include "jounce/math/dense_matrix.hpp"

namespace jounce {

struct DenseRank {
  int rank = 0;
  double smallest = 0, largest = 0;  ///< singular values, the zero ones left out; smallest is an estimate from above, within a few percent
  /// Which columns are independent, then which depend on them.
  std::vector<int> order;
  /// Column order[rank + k] = Σ_i combination[k][i] · column order[i].
  std::vector<std::vector<double>> combination;

  /// Vectors x with A x = 0, one for each dependent column, of length 1.
  [[nodiscard]] std::vector<std::vector<double>> null_space() const;
};

/// Columns count as dependent when what is left of them is below `tolerance` of the largest.
[[nodiscard]] DenseRank dense_rank(const DenseMatrix& a, double tolerance);

/// Which rows of a matrix say something of their own, those that say most first: of each what those before it leave of it.
struct RowOrder {
  std::vector<int> order;
  std::vector<double> left;  ///< in that order, never growing; as many as rows or columns
};
/// `gradients` has one column for each row of the matrix.
[[nodiscard]] RowOrder row_order(const Matrix& gradients);

/// The shortest x with A x = b on the independent rows of A; rows below `tolerance` of the largest are left alone.
[[nodiscard]] std::vector<double> shortest_solution(const DenseMatrix& a, const std::vector<double>& b, double tolerance);

/// The x that comes nearest to A x = b, the shortest of them.
struct LeastSquares {
  std::vector<double> x;
  int rank = 0;
  double misfit = 0;  ///< the largest part of A x − b
};
/// Columns count as dependent when what is left of them is below `tolerance` of the largest.
[[nodiscard]] LeastSquares least_squares(const DenseMatrix& a, const std::vector<double>& b, double tolerance);

/// The sign of the determinant of a square matrix; 0 where a pivot is zero or not a number.
[[nodiscard]] int determinant_sign(DenseMatrix a);

}  // namespace jounce
