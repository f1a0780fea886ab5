#include "jounce/math/rows.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/math/decompositions.inl"
#include "jounce/math/to_eigen.inl"

namespace jounce {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const RowMajor> map(const Rows& a) { return {a.value.data(), a.rows, a.columns}; }
Eigen::Map<Eigen::VectorXd> map(std::span<double> x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }
Eigen::Map<const Eigen::MatrixXd> map(const Matrix& a) { return {a.value.data(), a.rows, a.columns}; }

}  // namespace

using eigen::view;

void multiply(const Rows& a, std::span<const double> x, std::span<double> out) { map(out) = map(a) * view(x); }

void multiply_transposed(const Rows& a, std::span<const double> x, std::span<double> out) { map(out) = map(a).transpose() * view(x); }

void multiply_by_transposed(const Rows& a, const Rows& b, std::span<double> out) {
  Eigen::Map<RowMajor>(out.data(), a.rows, b.rows).noalias() = map(a) * map(b).transpose();
}

void multiply(const Matrix& a, const Matrix& b, std::span<double> out) {
  Eigen::Map<RowMajor>(out.data(), a.rows, b.columns).noalias() = map(a) * map(b);
}

double solve_within(const Rows& a, std::span<const double> b, const Matrix& w, std::span<double> x) {
  const Eigen::Map<const RowMajor> own = map(a);
  const Eigen::Map<const Eigen::MatrixXd> within = map(w);
  if (w.columns > 0) {
    const Eigen::MatrixXd inner = within.transpose() * own * within;
    const Eigen::VectorXd scale = inner.diagonal().unaryExpr([](double d) { return d > 0 ? 1 / std::sqrt(d) : 0.0; });
    eigen::Symmetric factors;
    eigen::factor(factors, scale.asDiagonal() * inner * scale.asDiagonal());
    const Eigen::VectorXd right = scale.asDiagonal() * (within.transpose() * view(b));
    map(x) = within * (scale.asDiagonal() * eigen::solve(factors, right));
  } else {
    std::ranges::fill(x, 0.0);
  }
  return w.columns == a.rows ? 0 : (own * view(x) - view(b)).lpNorm<Eigen::Infinity>();
}

struct CholeskyFactors::Work {
  eigen::Positive factors;
};

CholeskyFactors::CholeskyFactors() : work_(std::make_unique<Work>()) {}
CholeskyFactors::~CholeskyFactors() = default;

bool CholeskyFactors::factor(const Matrix& a, double least) {
  if (a.rows == 0) return true;
  eigen::factor(work_->factors, map(a));
  return work_->factors.info() == Eigen::Success &&
         (work_->factors.matrixLLT().diagonal().array().square() > least * map(a).diagonal().array()).all();
}

void CholeskyFactors::solve(std::span<double> x) const {
  if (x.empty()) return;
  eigen::solve_in_place(work_->factors, map(x));
}

void CholeskyFactors::solve(Matrix& x) const {
  if (x.empty()) return;
  eigen::solve_all_in_place(work_->factors, Eigen::Map<Eigen::MatrixXd>(x.value.data(), x.rows, x.columns));
}

}  // namespace jounce
