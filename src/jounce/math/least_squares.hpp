// Least squares: dense by a complete orthogonal decomposition, sparse and damped by Cholesky factors of the normal equations.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "jounce/math/dense.hpp"
#include "jounce/math/dense_rank.hpp"
#include "jounce/math/sparse_lu.hpp"

namespace jounce {

/// Of a matrix by columns; what is below `dependent` of the largest counts as zero, with 0 what rounding may leave.
[[nodiscard]] LeastSquares least_squares(const Matrix& a, std::span<const double> b, double dependent);

/// AᵀA
[[nodiscard]] Matrix gram(const Matrix& a);
/// x with A x = b for a symmetric A, by LDLᵀ.
[[nodiscard]] std::vector<double> solve_symmetric(const Matrix& a, std::span<const double> b);
/// The same where A is positive definite: its smallest pivot above `least` of the largest. Otherwise none.
[[nodiscard]] std::optional<std::vector<double>> solve_positive(const Matrix& a, std::span<const double> b, double least);

/// N = AᵀA + D of a sparse A with a pattern that stays, and a diagonal D.
class SparseNormal {
 public:
  explicit SparseNormal(const SparsePattern& pattern);
  ~SparseNormal();
  SparseNormal(const SparseNormal&) = delete;
  SparseNormal& operator=(const SparseNormal&) = delete;

  /// The values of A, in the order of the pattern.
  void set(std::span<const double> values);
  /// Aᵀ x
  [[nodiscard]] std::vector<double> transposed_times(std::span<const double> x) const;
  /// False where N cannot be factored.
  [[nodiscard]] bool factor(std::span<const double> diagonal);
  /// After `factor`: N⁻¹ b, and xᵀ N x.
  [[nodiscard]] std::vector<double> solve(std::span<const double> b) const;
  [[nodiscard]] double curvature(std::span<const double> x) const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace jounce
