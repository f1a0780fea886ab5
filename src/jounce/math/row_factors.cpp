#include "jounce/math/row_factors.hpp"

#include "jounce/math/decompositions.inl"
#include "jounce/math/to_eigen.inl"

namespace jounce {

using eigen::from_eigen, eigen::to_eigen;

struct RowFactors::Factors {
  eigen::Pivoted qr;
};

RowFactors::RowFactors(const Matrix& gradients, double dependent) : rows_(gradients.columns), columns_(gradients.rows) {
  Eigen::MatrixXd free = Eigen::MatrixXd::Identity(columns_, columns_);
  if (!gradients.empty()) {
    auto factors = std::make_shared<Factors>();
    eigen::factor(factors->qr, to_eigen(gradients), dependent);
    rank_ = static_cast<int>(factors->qr.rank());
    free = Eigen::MatrixXd(free.rightCols(columns_ - rank_));
    if (rank_ < columns_) eigen::apply_q(factors->qr, free);
    factors_ = std::move(factors);
  }
  free_ = from_eigen(free);
}

std::vector<double> RowFactors::shortest_multipliers(std::span<const double> c) const {
  if (rank_ == 0) return std::vector<double>(static_cast<std::size_t>(rows_), 0.0);
  const auto& qr = factors_->qr;
  Eigen::VectorXd held = to_eigen(c);
  eigen::apply_q_transposed(qr, held);
  const Eigen::MatrixXd r = qr.matrixQR().topRows(rank_).triangularView<Eigen::Upper>();
  Eigen::VectorXd y(rows_);
  if (rank_ == rows_) {
    y = r.triangularView<Eigen::Upper>().solve(held.head(rank_));
  } else {  // Rᵀ P₂ = Q₂ R₂, y = Q₂ R₂⁻ᵀ P₂ᵀ c
    eigen::Pivoted wide;
    eigen::factor(wide, r.transpose());
    const Eigen::VectorXd permuted = wide.colsPermutation().transpose() * held.head(rank_);
    y.setZero();
    y.head(rank_) = wide.matrixQR().topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().transpose().solve(permuted);
    eigen::apply_q(wide, y);
  }
  return from_eigen(Eigen::VectorXd(qr.colsPermutation() * y));
}

std::vector<double> RowFactors::independent_first(std::span<const double> of_rows) const {
  if (!factors_) return {of_rows.begin(), of_rows.end()};
  return from_eigen(Eigen::VectorXd(factors_->qr.colsPermutation().transpose() * to_eigen(of_rows)));
}

std::vector<double> RowFactors::shortest(std::span<const double> b) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(columns_);
  if (rank_ == 0) return from_eigen(out);
  const auto& qr = factors_->qr;
  const Eigen::VectorXd right = to_eigen(b.first(static_cast<std::size_t>(rank_)));
  out.head(rank_) = qr.matrixQR().topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().transpose().solve(right);
  eigen::apply_q(qr, out);
  return from_eigen(out);
}

}  // namespace jounce
