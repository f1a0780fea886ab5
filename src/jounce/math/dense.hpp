// Dense linear algebra over plain data, for analyses that look at a mechanism a few times. Eigen does the work, in dense.cpp alone: to
// read its headers takes longer than to compile what calls these functions.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace jounce {

/// Column after column.
struct Matrix {
  int rows = 0, columns = 0;
  std::vector<double> value;

  Matrix() = default;
  Matrix(int r, int c) : rows(r), columns(c), value(static_cast<std::size_t>(r) * static_cast<std::size_t>(c), 0.0) {}
  double& at(int r, int c) { return value[place(r, c)]; }
  [[nodiscard]] double at(int r, int c) const { return value[place(r, c)]; }
  [[nodiscard]] std::span<const double> column(int c) const { return std::span(value).subspan(place(0, c), static_cast<std::size_t>(rows)); }
  [[nodiscard]] bool empty() const { return value.empty(); }
  /// What it held is lost.
  void resize(int r, int c) {
    rows = r, columns = c;
    value.resize(static_cast<std::size_t>(r) * static_cast<std::size_t>(c));
  }

 private:
  [[nodiscard]] std::size_t place(int r, int c) const {
    return static_cast<std::size_t>(c) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(r);
  }
};

// ---- sizes and products -------------------------------------------------------------------------------------------------

/// The largest absolute value; 0 of nothing, and not a number where one of them is none.
[[nodiscard]] double largest(std::span<const double> x);
/// Where that is; the first of several.
[[nodiscard]] int largest_place(std::span<const double> x);
[[nodiscard]] bool all_finite(std::span<const double> x);
[[nodiscard]] double dot(std::span<const double> a, std::span<const double> b);
[[nodiscard]] double norm(std::span<const double> a);

[[nodiscard]] std::vector<double> times(const Matrix& a, std::span<const double> x);
/// Aᵀ x
[[nodiscard]] std::vector<double> transposed_times(const Matrix& a, std::span<const double> x);
[[nodiscard]] Matrix times(const Matrix& a, const Matrix& b);
/// Aᵀ B
[[nodiscard]] Matrix transposed_times(const Matrix& a, const Matrix& b);
/// Zᵀ A Z, also of a diagonal A.
[[nodiscard]] Matrix congruent(const Matrix& a, const Matrix& z);
[[nodiscard]] Matrix congruent(std::span<const double> diagonal, const Matrix& z);
/// ½ (A + Aᵀ)
[[nodiscard]] Matrix symmetric_part(const Matrix& a);

// ---- equations and eigenvalues ------------------------------------------------------------------------------------------

/// x with A x = b, by Householder QR with column pivoting.
[[nodiscard]] std::vector<double> solve_pivoted(const Matrix& a, std::span<const double> b);

struct SymmetricEigen {
  std::vector<double> values;  ///< smallest first
  Matrix vectors;              ///< one column for each
};
/// Reads the lower triangle.
[[nodiscard]] SymmetricEigen symmetric_eigen(const Matrix& a);
/// The values alone.
[[nodiscard]] std::vector<double> symmetric_eigenvalues(const Matrix& a);

/// Of any square matrix, in no particular order.
[[nodiscard]] std::vector<std::complex<double>> eigenvalues(const Matrix& a);

}  // namespace jounce
