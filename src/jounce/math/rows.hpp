// Linear algebra on matrices that lie row after row, as the equations keep them; nothing is copied but by what decomposes. Eigen does the
// work, in rows.cpp alone.
#pragma once

#include <memory>
#include <span>

#include "jounce/math/dense.hpp"

namespace jounce {

/// A matrix that lies elsewhere, row after row.
struct Rows {
  std::span<const double> value;
  int rows = 0, columns = 0;
};

/// out = A x
void multiply(const Rows& a, std::span<const double> x, std::span<double> out);
/// out = Aᵀ x
void multiply_transposed(const Rows& a, std::span<const double> x, std::span<double> out);
/// out = A Bᵀ, row after row
void multiply_by_transposed(const Rows& a, const Rows& b, std::span<double> out);
/// out = A B, row after row
void multiply(const Matrix& a, const Matrix& b, std::span<double> out);

/// x = W y with Wᵀ A W y = Wᵀ b, for a symmetric A that is positive definite on the columns of W. The largest |A x − b|, 0 where W is square.
[[nodiscard]] double solve_within(const Rows& a, std::span<const double> b, const Matrix& w, std::span<double> x);

/// Cholesky factors of a positive definite matrix.
class CholeskyFactors {
 public:
  CholeskyFactors();
  ~CholeskyFactors();
  CholeskyFactors(const CholeskyFactors&) = delete;
  CholeskyFactors& operator=(const CholeskyFactors&) = delete;

  /// False where it is not positive definite: a pivot is below `least` of its diagonal entry.
  [[nodiscard]] bool factor(const Matrix& a, double least);
  /// In place; nothing of no rows.
  void solve(std::span<double> x) const;
  void solve(Matrix& x) const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace jounce
