#include "jounce/math/dense_rank.hpp"

#include <cmath>

#include "jounce/math/decompositions.inl"
#include "jounce/math/to_eigen.inl"
#include "jounce/scalar/scalar.hpp"

namespace jounce {
namespace {

using Vector = Eigen::VectorXd;

Eigen::MatrixXd to_eigen(const DenseMatrix& a) {
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(a.value.data(), a.rows, a.columns);
}

// Largest singular value of the upper triangle R, or 1 / the smallest, by iteration with RᵀR.
template <class Apply>
double iterate(Eigen::Index n, Apply&& apply) {
  Vector x(n);
  for (Eigen::Index i = 0; i < n; ++i) x[i] = 1.0 + 0.3 * sincos(static_cast<double>(3 * i)).sin;
  double growth = 0;
  for (int k = 0; k < 60; ++k) {
    x.normalize();
    x = apply(x);
    const double now = x.norm();
    if (std::abs(now - growth) <= 1e-3 * now) return std::sqrt(now);
    growth = now;
  }
  return std::sqrt(growth);
}

}  // namespace

DenseMatrix DenseMatrix::top(int count) const {
  DenseMatrix out(count, columns);
  out.value.assign(value.begin(), value.begin() + static_cast<std::ptrdiff_t>(out.value.size()));
  return out;
}

DenseMatrix DenseMatrix::transposed() const {
  DenseMatrix out(columns, rows);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) out.at(c, r) = at(r, c);
  return out;
}

std::vector<std::vector<double>> DenseRank::null_space() const {
  std::vector<std::vector<double>> out;
  for (std::size_t k = 0; k < combination.size(); ++k) {
    std::vector<double> x(order.size(), 0.0);
    double size = 1;
    for (std::size_t i = 0; i < combination[k].size(); ++i) {
      x[static_cast<std::size_t>(order[i])] = -combination[k][i];
      size += combination[k][i] * combination[k][i];
    }
    x[static_cast<std::size_t>(order[static_cast<std::size_t>(rank) + k])] = 1;
    for (double& v : x) v /= std::sqrt(size);
    out.push_back(std::move(x));
  }
  return out;
}

DenseRank dense_rank(const DenseMatrix& a, double tolerance) {
  DenseRank out;
  if (a.rows == 0 || a.columns == 0) {
    for (int c = 0; c < a.columns; ++c) out.order.push_back(c), out.combination.emplace_back();
    return out;
  }
  eigen::Pivoted qr;
  eigen::factor(qr, to_eigen(a));
  const Eigen::MatrixXd& r = qr.matrixQR();
  const Eigen::Index most = std::min(r.rows(), r.cols());
  while (out.rank < most && std::abs(r(out.rank, out.rank)) > tolerance * std::abs(r(0, 0))) ++out.rank;
  for (Eigen::Index c = 0; c < r.cols(); ++c) out.order.push_back(static_cast<int>(qr.colsPermutation().indices()[c]));
  if (out.rank == 0) {
    out.combination.assign(static_cast<std::size_t>(a.columns), {});
    return out;
  }
  const Eigen::MatrixXd r11 = r.topLeftCorner(out.rank, out.rank).triangularView<Eigen::Upper>();
  const auto upper = r11.triangularView<Eigen::Upper>();
  out.largest = iterate(out.rank, [&](const Vector& x) -> Vector { return r11.transpose() * (r11 * x); });
  out.smallest = 1.0 / iterate(out.rank, [&](const Vector& x) -> Vector {
    return upper.solve(r11.transpose().triangularView<Eigen::Lower>().solve(x));
  });
  if (out.rank == r.cols()) return out;
  const Eigen::MatrixXd combination = upper.solve(Eigen::MatrixXd(r.topRightCorner(out.rank, r.cols() - out.rank)));
  for (Eigen::Index k = 0; k < combination.cols(); ++k)
    out.combination.emplace_back(combination.col(k).data(), combination.col(k).data() + out.rank);
  return out;
}

RowOrder row_order(const Matrix& gradients) {
  RowOrder out;
  for (int r = 0; r < gradients.columns; ++r) out.order.push_back(r);
  if (gradients.empty()) return out;
  eigen::Pivoted qr;
  eigen::factor(qr, eigen::to_eigen(gradients));
  for (std::size_t r = 0; r < out.order.size(); ++r) out.order[r] = static_cast<int>(qr.colsPermutation().indices()[static_cast<Eigen::Index>(r)]);
  for (Eigen::Index k = 0; k < std::min(qr.matrixQR().rows(), qr.matrixQR().cols()); ++k) out.left.push_back(std::abs(qr.matrixQR()(k, k)));
  return out;
}

std::vector<double> shortest_solution(const DenseMatrix& a, const std::vector<double>& b, double tolerance) {
  // Aᵀ P = Q R: the independent rows of A are the first columns of Rᵀ Qᵀ, and x lies in their span.
  eigen::Pivoted qr;
  eigen::factor(qr, to_eigen(a.transposed()));
  const Eigen::MatrixXd& r = qr.matrixQR();
  Eigen::Index rank = 0;
  while (rank < std::min(r.rows(), r.cols()) && std::abs(r(rank, rank)) > tolerance * std::abs(r(0, 0))) ++rank;
  Vector y = Vector::Zero(a.columns);
  for (Eigen::Index i = 0; i < rank; ++i) {  // Rᵀ y = b over those rows
    double sum = b[static_cast<std::size_t>(qr.colsPermutation().indices()[i])];
    for (Eigen::Index k = 0; k < i; ++k) sum -= r(k, i) * y[k];
    y[i] = sum / r(i, i);
  }
  eigen::apply_q(qr, y);
  return {y.data(), y.data() + y.size()};
}

LeastSquares least_squares(const DenseMatrix& a, const std::vector<double>& b, double tolerance) {
  LeastSquares out;
  out.x.assign(static_cast<std::size_t>(a.columns), 0.0);
  if (a.rows == 0 || a.columns == 0) return out;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Rows> matrix(a.value.data(), a.rows, a.columns);
  const Eigen::Map<const Eigen::VectorXd> right(b.data(), a.rows);
  eigen::Complete solver;
  eigen::factor(solver, matrix, tolerance);
  out.rank = static_cast<int>(solver.rank());
  Eigen::Map<Eigen::VectorXd> x(out.x.data(), a.columns);
  x = eigen::solve(solver, right);
  out.misfit = (matrix * x - right).lpNorm<Eigen::Infinity>();
  return out;
}

// Gauss, with the largest pivot of each column.
int determinant_sign(DenseMatrix a) {
  int sign = 1;
  for (int k = 0; k < a.columns; ++k) {
    int best = k;
    for (int r = k + 1; r < a.rows; ++r)
      if (std::abs(a.at(r, k)) > std::abs(a.at(best, k))) best = r;
    if (best != k) {
      sign = -sign;
      for (int c = k; c < a.columns; ++c) std::swap(a.at(best, c), a.at(k, c));
    }
    const double pivot = a.at(k, k);
    if (!(std::abs(pivot) > 0)) return 0;
    if (pivot < 0) sign = -sign;
    for (int r = k + 1; r < a.rows; ++r) {
      const double factor = a.at(r, k) / pivot;
      for (int c = k; c < a.columns; ++c) a.at(r, c) -= factor * a.at(k, c);
    }
  }
  return sign;
}

}  // namespace jounce
