#include "jounce/math/dense.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/math/decompositions.inl"
#include "jounce/math/to_eigen.inl"

namespace jounce {

using eigen::from_eigen, eigen::to_eigen;

double largest(std::span<const double> x) {
  double out = 0;
  for (const double v : x) {
    if (std::isnan(v)) return std::numeric_limits<double>::quiet_NaN();
    out = std::max(out, std::abs(v));
  }
  return out;
}

int largest_place(std::span<const double> x) {
  std::size_t out = 0;
  for (std::size_t i = 1; i < x.size(); ++i)
    if (std::abs(x[i]) > std::abs(x[out])) out = i;
  return static_cast<int>(out);
}

bool all_finite(std::span<const double> x) {
  return std::ranges::all_of(x, [](double v) { return std::isfinite(v); });
}

double dot(std::span<const double> a, std::span<const double> b) { return eigen::view(a).dot(eigen::view(b)); }

double norm(std::span<const double> a) { return eigen::view(a).norm(); }

std::vector<double> times(const Matrix& a, std::span<const double> x) {
  return from_eigen(Eigen::VectorXd(to_eigen(a) * to_eigen(x)));
}

std::vector<double> transposed_times(const Matrix& a, std::span<const double> x) {
  return from_eigen(Eigen::VectorXd(to_eigen(a).transpose() * to_eigen(x)));
}

Matrix times(const Matrix& a, const Matrix& b) { return from_eigen(Eigen::MatrixXd(to_eigen(a) * to_eigen(b))); }

Matrix transposed_times(const Matrix& a, const Matrix& b) {
  return from_eigen(Eigen::MatrixXd(to_eigen(a).transpose() * to_eigen(b)));
}

Matrix congruent(const Matrix& a, const Matrix& z) {
  const Eigen::MatrixXd inner = to_eigen(a), outer = to_eigen(z);
  return from_eigen(Eigen::MatrixXd(outer.transpose() * inner * outer));
}

Matrix congruent(std::span<const double> diagonal, const Matrix& z) {
  const Eigen::VectorXd inner = to_eigen(diagonal);
  const Eigen::MatrixXd outer = to_eigen(z);
  return from_eigen(Eigen::MatrixXd(outer.transpose() * inner.asDiagonal() * outer));
}

Matrix symmetric_part(const Matrix& a) {
  Matrix out(a.rows, a.columns);
  for (int c = 0; c < a.columns; ++c)
    for (int r = 0; r < a.rows; ++r) out.at(r, c) = 0.5 * (a.at(r, c) + a.at(c, r));
  return out;
}

std::vector<double> solve_pivoted(const Matrix& a, std::span<const double> b) {
  eigen::Pivoted factors;
  eigen::factor(factors, to_eigen(a));
  return from_eigen(eigen::solve(factors, to_eigen(b)));
}

SymmetricEigen symmetric_eigen(const Matrix& a) {
  eigen::Modes modes;
  eigen::factor(modes, to_eigen(a));
  return {from_eigen(modes.eigenvalues()), from_eigen(modes.eigenvectors())};
}

std::vector<double> symmetric_eigenvalues(const Matrix& a) {
  eigen::Modes modes;
  eigen::factor(modes, to_eigen(a), Eigen::EigenvaluesOnly);
  return from_eigen(modes.eigenvalues());
}

std::vector<std::complex<double>> eigenvalues(const Matrix& a) {
  const Eigen::VectorXcd all = Eigen::EigenSolver<Eigen::MatrixXd>(to_eigen(a), false).eigenvalues();
  return {all.data(), all.data() + all.size()};
}

}  // namespace jounce
