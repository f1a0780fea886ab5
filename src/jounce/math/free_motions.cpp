#include "jounce/math/free_motions.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>

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
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> forces;
  Vector x = Vector::Zero(n), lambda = Vector::Zero(K.rows());
  if (K.rows() > 0 && n > 0) {
    forces.setThreshold(limits.dependent);
    forces.compute(K.transpose());
    out.rank = static_cast<int>(forces.rank());
    Z = Eigen::MatrixXd(forces.householderQ() * Z).rightCols(n - out.rank);
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> motions;
    motions.setThreshold(limits.dependent);
    motions.compute(K);
    x = motions.solve(k);
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
    const Eigen::LDLT<Eigen::MatrixXd> factors(size.asDiagonal() * reduced * size.asDiagonal());
    if (!(factors.vectorD().minCoeff() > limits.no_inertia * static_cast<double>(n))) return out.decided = false, out;
    const Vector known = Z.transpose() * (f - M * x);
    x += Z * size.cwiseProduct(factors.solve(size.cwiseProduct(known)));
  }
  if (out.rank > 0) lambda = forces.solve(f - M * x);
  out.x = eigen::from_eigen(x);
  out.lambda = eigen::from_eigen(lambda);
  return out;
}

}  // namespace jounce
