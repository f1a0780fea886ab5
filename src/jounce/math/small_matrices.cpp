#include "jounce/math/small_matrices.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace jounce {
namespace {

using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
using Column = Eigen::Matrix<double, 6, 1>;

Eigen::Matrix3d to_eigen(const Sym3<double>& m) {
  Eigen::Matrix3d out;
  out << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
  return out;
}

Six to_array(const Column& x) { return {x[0], x[1], x[2], x[3], x[4], x[5]}; }

}  // namespace

std::array<double, 3> principal_moments(const Sym3<double>& m) {
  const Eigen::Vector3d moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(to_eigen(m), Eigen::EigenvaluesOnly).eigenvalues();
  return {moments[0], moments[1], moments[2]};
}

PrincipalAxes principal_axes(const Sym3<double>& m) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(to_eigen(m));
  const Eigen::Vector3d& moments = solver.eigenvalues();
  Eigen::Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(0) = -axes.col(0);
  const auto column = [&](int k) { return Vec3<double>{axes(0, k), axes(1, k), axes(2, k)}; };
  return {{moments[0], moments[1], moments[2]}, {column(0), column(1), column(2)}};
}

std::optional<SixBasis> six_basis(std::span<const Six> s, double together) {
  const auto n = static_cast<Eigen::Index>(s.size());
  Columns own(6, n);
  for (Eigen::Index c = 0; c < n; ++c) own.col(c) = Eigen::Map<const Column>(s[static_cast<std::size_t>(c)].data());
  const Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1> size = own.colwise().norm().transpose();
  for (Eigen::Index c = 0; c < n; ++c) own.col(c) /= size[c];
  const Eigen::HouseholderQR<Columns> qr(own);
  if (!(qr.matrixQR().diagonal().cwiseAbs().minCoeff() > together)) return std::nullopt;
  const Eigen::Matrix<double, 6, 6> q = qr.householderQ();
  Columns dual = q.leftCols(n);  // its columns are those of Q₁ R⁻ᵀ
  qr.matrixQR().topRows(n).triangularView<Eigen::Upper>().transpose().solveInPlace<Eigen::OnTheRight>(dual);
  SixBasis out;
  for (Eigen::Index c = 0; c < n; ++c) out.dual[static_cast<std::size_t>(c)] = to_array(dual.col(c) / size[c]);
  for (Eigen::Index c = n; c < 6; ++c) out.across[static_cast<std::size_t>(c - n)] = to_array(q.col(c));
  return out;
}

}  // namespace jounce
