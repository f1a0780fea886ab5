#include "jounce/analysis/small_motions.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace jounce {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

Matrix matrix(std::span<const double> entries, int rows, int columns) {
  return Eigen::Map<const Matrix>(entries.data(), rows, columns);
}

// K x = ω² M x for the symmetric part of K; the columns of `unit` are motions of mass 1, each with no mass in common.
std::vector<NaturalMode> swing(const SmallMotionEquations& equations, const Matrix& K, const Matrix& unit) {
  const Matrix symmetric = 0.5 * (K + K.transpose());
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(unit.transpose() * symmetric * unit);
  const Matrix motions = unit * solver.eigenvectors();
  const Matrix shapes = matrix(equations.shapes, equations.coordinates, equations.motions) * motions;
  const double slight = equations.slight(K.cwiseAbs().maxCoeff());
  std::vector<NaturalMode> out;
  out.reserve(static_cast<std::size_t>(K.cols()));
  for (Index i = 0; i < K.cols(); ++i) {
    const double square = solver.eigenvalues()[i];  // the stiffness of a motion whose mass is 1
    const bool swings = std::abs(square) > slight * motions.col(i).squaredNorm();
    NaturalMode mode;
    if (swings && square > 0) mode.omega = std::sqrt(square);
    if (swings && square < 0) mode.growth = std::sqrt(-square);
    mode.frequency = mode.omega / (2 * std::numbers::pi);
    Index most = 0;
    shapes.col(i).cwiseAbs().maxCoeff(&most);
    const Vector shape = shapes.col(i) / shapes(most, i);
    mode.shape.assign(shape.data(), shape.data() + shape.size());
    out.push_back(std::move(mode));
  }
  return out;
}

// Roots of M s² + D s + K, the slowest swinging first; of each pair the one above the real axis after its partner.
std::vector<std::complex<double>> roots(const Matrix& unit, const Matrix& D, const Matrix& K) {
  const Index n = K.cols();
  Matrix companion = Matrix::Zero(2 * n, 2 * n);
  companion.topRightCorner(n, n).setIdentity();
  companion.bottomLeftCorner(n, n) = -(unit.transpose() * K * unit);
  companion.bottomRightCorner(n, n) = -(unit.transpose() * D * unit);
  const Eigen::VectorXcd all = Eigen::EigenSolver<Matrix>(companion, false).eigenvalues();
  std::vector<std::complex<double>> out(all.data(), all.data() + all.size());
  std::ranges::sort(out, [](const auto& a, const auto& b) {
    return std::abs(a.imag()) != std::abs(b.imag()) ? std::abs(a.imag()) < std::abs(b.imag())
                                                    : std::pair(a.real(), a.imag()) < std::pair(b.real(), b.imag());
  });
  return out;
}

}  // namespace

SmallMotions small_motions(const SmallMotionEquations& equations) {
  SmallMotions out;
  const int n = equations.motions;
  const Matrix K = matrix(equations.stiffness, n, n);
  const Eigen::SelfAdjointEigenSolver<Matrix> bent(0.5 * (K + K.transpose()));
  const double slight = equations.slight(bent.eigenvalues().cwiseAbs().maxCoeff());
  out.unstable = static_cast<int>((bent.eigenvalues().array() < -slight).count());
  out.neutral = static_cast<int>((bent.eigenvalues().array().abs() <= slight).count());

  const Eigen::SelfAdjointEigenSolver<Matrix> heavy(matrix(equations.mass, n, n));
  if (!(heavy.eigenvalues().minCoeff() > 1e-12 * heavy.eigenvalues().maxCoeff())) {
    out.note = "frequencies are left out: a free motion moves no mass (give every body that moves a mass and an inertia)";
    return out;
  }
  const Matrix unit = heavy.eigenvectors() * heavy.eigenvalues().cwiseSqrt().cwiseInverse().asDiagonal();
  out.modes = swing(equations, K, unit);
  if (equations.damping.empty()) out.note = "damping is left out: a law has no derivative at rest";
  const Matrix D = equations.damping.empty() ? Matrix::Zero(n, n) : matrix(equations.damping, n, n);
  const bool circulates = (K - K.transpose()).cwiseAbs().maxCoeff() > 1e-9 * K.cwiseAbs().maxCoeff() + slight;
  if (D.cwiseAbs().maxCoeff() == 0 && !circulates) return out;
  out.eigenvalues = roots(unit, D, K);
  if (!circulates) return out;
  // forces without a potential: the roots decide
  double fastest = 0;
  for (const auto& s : out.eigenvalues) fastest = std::max(fastest, std::abs(s));
  const auto grows = [&](const std::complex<double>& s) { return s.real() > 1e-7 * fastest; };
  out.unstable = static_cast<int>(std::ranges::count_if(out.eigenvalues, grows));
  return out;
}

}  // namespace jounce
