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

Solved solve_semidefinite(const Rows& a, std::span<const double> b, std::span<double> x, double idle, double dependent) {
  const Eigen::Map<const RowMajor> own = map(a);
  const Eigen::Map<const Eigen::VectorXd> right = view(b);
  Eigen::Map<Eigen::VectorXd> found = map(x);
  const double idle_below = idle * own.diagonal().maxCoeff();
  const Eigen::VectorXd scale = own.diagonal().unaryExpr([&](double d) { return d > idle_below ? 1 / std::sqrt(d) : 0.0; });
  const Eigen::MatrixXd even = scale.asDiagonal() * own * scale.asDiagonal();
  eigen::Modes modes;
  eigen::factor(modes, even);
  const Eigen::VectorXd& size = modes.eigenvalues();
  const double least = dependent * std::max(size.size() > 0 ? size.maxCoeff() : 0.0, 1e-300);
  Solved out{static_cast<int>((size.array() > least).count()), 0};
  const int surplus = a.rows - out.rank;  // eigenvalues are in increasing order
  const Eigen::MatrixXd good = modes.eigenvectors().rightCols(out.rank);
  const Eigen::VectorXd scaled = good * (good.transpose() * (scale.asDiagonal() * right)).cwiseQuotient(size.tail(out.rank));
  found = scale.asDiagonal() * scaled;
  if (surplus == 0) return out;
  out.inconsistency = (own * found - right).lpNorm<Eigen::Infinity>();
  // what does nothing: where a row has no scale it does nothing by itself
  Eigen::MatrixXd nothing = scale.asDiagonal() * modes.eigenvectors().leftCols(surplus);
  for (int r = 0; r < a.rows; ++r)
    if (scale[r] == 0) nothing.row(r) = modes.eigenvectors().leftCols(surplus).row(r);
  eigen::Complete idle_motions;
  eigen::factor(idle_motions, nothing, 0);
  found -= nothing * eigen::solve(idle_motions, found);
  return out;
}

struct EvenFactors::Work {
  Eigen::VectorXd scale;
  eigen::Complete factors;
};

EvenFactors::EvenFactors() : work_(std::make_unique<Work>()) {}
EvenFactors::~EvenFactors() = default;

void EvenFactors::factor(const Rows& b, const Rows& c, double dependent) {
  const Eigen::MatrixXd a = map(b) * map(c).transpose();
  work_->scale = a.diagonal().unaryExpr([](double d) { return d > 0 ? 1 / std::sqrt(d) : 0.0; });
  eigen::factor(work_->factors, work_->scale.asDiagonal() * a * work_->scale.asDiagonal(), dependent);
}

void EvenFactors::hold(const Rows& b, const Rows& c, std::span<double> x) const {
  Eigen::Map<Eigen::VectorXd> own = map(x);
  const Eigen::VectorXd opens = work_->scale.asDiagonal() * (map(b) * own);
  own -= map(c).transpose() * (work_->scale.asDiagonal() * eigen::solve(work_->factors, opens));
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
