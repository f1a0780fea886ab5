#include "jounce/math/free_motions.hpp"

#include <algorithm>

#include "jounce/math/decompositions.inl"
#include "jounce/math/to_eigen.inl"

namespace jounce {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

RowMajor rows(const DenseMatrix& a) { return Eigen::Map<const RowMajor>(a.value.data(), a.rows, a.columns); }

}  // namespace

FreeMotionSolution solve_by_free_motions(const DenseMatrix& inertia, std::span<const double> force, const DenseMatrix& held,
                                         std::span<const double> right, const FreeMotionLimits& limits) {
  FreeMotionSolution out;
  const RowMajor M = rows(inertia), K = rows(held);
  const Vector f = eigen::to_eigen(force), k = eigen::to_eigen(right);
  const Eigen::Index n = M.rows();
  Eigen::MatrixXd Z = Eigen::MatrixXd::Identity(n, n);
  eigen::Complete forces;
  Vector x = Vector::Zero(n), lambda = Vector::Zero(K.rows());
  if (K.rows() > 0 && n > 0) {
    eigen::factor(forces, K.transpose(), limits.dependent);
    out.rank = static_cast<int>(forces.rank());
    eigen::apply_q(forces, Z);
    Z = Eigen::MatrixXd(Z.rightCols(n - out.rank));
    eigen::Complete motions;
    eigen::factor(motions, K, limits.dependent);
    x = eigen::solve(motions, k);
  }
  if (K.rows() > 0) {
    Eigen::Index row = 0;
    const double off = (K * x - k).cwiseAbs().maxCoeff(&row);
    if (!(off <= limits.contradiction * std::max(1.0, k.cwiseAbs().maxCoeff()))) out.contradiction = static_cast<int>(row);
  }
  if (Z.cols() > 0) {
    const Eigen::MatrixXd reduced = Z.transpose() * M * Z;
    Vector size = reduced.diagonal().cwiseMax(0).cwiseSqrt();
    if (!(size.minCoeff() > 0)) return out.decided = false, out;
    size = size.cwiseInverse();
    eigen::Symmetric factors;
    eigen::factor(factors, size.asDiagonal() * reduced * size.asDiagonal());
    if (!(factors.vectorD().minCoeff() > limits.no_inertia * static_cast<double>(n))) return out.decided = false, out;
    const Vector known = Z.transpose() * (f - M * x);
    x += Z * size.cwiseProduct(eigen::solve(factors, size.cwiseProduct(known)));
  }
  if (out.rank > 0) lambda = eigen::solve(forces, f - M * x);
  out.x = eigen::from_eigen(x);
  out.lambda = eigen::from_eigen(lambda);
  return out;
}

}  // namespace jounce
