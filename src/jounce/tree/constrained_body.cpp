#include "jounce/tree/constrained_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "jounce/math/decompositions.inl"
#include "jounce/math/dense_rank.hpp"

namespace jounce::tree {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// Columns of length 1 of which less than this is left beside the others depend on them.
constexpr double kDependent = 1e-10;
// A pivot below this, of a matrix with ones on its diagonal, is rounding: nothing is left there to accelerate.
constexpr double kNoInertia = 1e-13;
// Two entries of a symmetric matrix that differ by more than this, relative to its largest, are a mistake and not rounding.
constexpr double kSymmetric = 1e-9;

Vector to_eigen(const SixVector& x) { return Eigen::Map<const Vector>(x.data(), 6); }

SixVector to_array(const Vector& x) {
  SixVector out{};
  std::copy(x.data(), x.data() + 6, out.begin());
  return out;
}

std::vector<double> to_vector(const Vector& x) { return {x.data(), x.data() + x.size()}; }

std::vector<SixVector> to_columns(const Matrix& m) {
  std::vector<SixVector> out;
  out.reserve(static_cast<std::size_t>(m.cols()));
  for (Eigen::Index c = 0; c < m.cols(); ++c) out.push_back(to_array(m.col(c)));
  return out;
}

SixMatrix to_rows(const Matrix& m) {
  SixMatrix out{};
  for (Eigen::Index r = 0; r < 6; ++r) out[static_cast<std::size_t>(r)] = to_array(m.row(r).transpose());
  return out;
}

double smallest_pivot(const Matrix& symmetric) {
  eigen::Symmetric factors;
  eigen::factor(factors, symmetric);
  return factors.vectorD().minCoeff();
}

// A⁻¹ B of a positive definite A.
Matrix solved(const Matrix& a, Matrix b) {
  eigen::Positive factors;
  eigen::factor(factors, a);
  eigen::solve_all_in_place(factors, b);
  return b;
}

// An orthonormal basis of all six directions: first of what the columns span, then of what is left.
Matrix basis(const Matrix& columns) {
  Matrix out = Matrix::Identity(6, 6);
  if (columns.cols() == 0) return out;
  eigen::Pivoted factors;
  eigen::factor(factors, columns);
  eigen::apply_q(factors, out);
  return out;
}

Problem refused(std::string sentence, std::string hint = {}) {
  return error({}, "constrained body: " + std::move(sentence), std::move(hint));
}

// The body in Eigen's types, checked, with the complement of S.
struct Numbers {
  Matrix I = Matrix::Zero(6, 6);
  Matrix S, R, T;  // R and T: orthonormal bases of the range of S and of its complement
  Vector qd;
  Vector bias, p, f;
  Matrix H;  // Sᵀ I S

  [[nodiscard]] Eigen::Index n() const { return S.cols(); }
};

// Columns differ in unit, so each is taken with length 1 before they are compared.
Problems dependent_columns(const Matrix& s) {
  DenseMatrix unit(6, static_cast<int>(s.cols()));
  for (Eigen::Index c = 0; c < s.cols(); ++c) {
    const double size = s.col(c).norm();
    if (size == 0) return {refused(fmt::format("column {} of S is zero; expected a direction of motion", c + 1))};
    for (Eigen::Index r = 0; r < 6; ++r) unit.at(static_cast<int>(r), static_cast<int>(c)) = s(r, c) / size;
  }
  const DenseRank rank = dense_rank(unit, kDependent);
  if (rank.rank == unit.columns) return {};
  std::string terms;
  const auto independent = static_cast<std::size_t>(rank.rank);
  const int last = rank.order[independent];
  for (std::size_t i = 0; i < independent; ++i) {
    const int other = rank.order[i];
    const double factor = rank.combination[0][i] * s.col(last).norm() / s.col(other).norm();
    if (std::abs(rank.combination[0][i]) > kDependent)
      terms += fmt::format("{}{:.4g} times column {}", terms.empty() ? "" : " plus ", factor, other + 1);
  }
  return {refused(fmt::format("S has {} columns but rank {}; expected independent columns, and column {} is {}", s.cols(),
                              rank.rank, last + 1, terms),
                  "leave out the columns that repeat a motion")};
}

// H with ones on its diagonal, so that dofs in radians and in metres are judged alike.
Problems motion_without_inertia(const Matrix& h) {
  if (h.rows() == 0) return {};
  Vector scale(h.rows());
  for (Eigen::Index k = 0; k < h.rows(); ++k) {
    if (!(h(k, k) > 0))
      return {refused(
          fmt::format("no inertia is moved by column {} of S: SᵀIS has {:.4g} there, expected more than 0", k + 1, h(k, k)))};
    scale[k] = 1 / std::sqrt(h(k, k));
  }
  const Matrix unit = scale.asDiagonal() * h * scale.asDiagonal();
  const double smallest = smallest_pivot(unit);
  if (smallest > kNoInertia) return {};
  return {refused(fmt::format(
      "no inertia is moved by a combination of the columns of S: SᵀIS is not positive definite (smallest pivot {:.2g} "
      "of 1)",
      smallest))};
}

Problems wrong_shape(const ConstrainedBody& body) {
  if (body.S.size() > 6) return {refused(fmt::format("S has {} columns; a body has at most 6 motions", body.S.size()))};
  if (body.qd.size() != body.S.size())
    return {
        refused(fmt::format("qd has {} entries; expected one for each of the {} columns of S", body.qd.size(), body.S.size()))};
  const auto finite = [](const auto& x) { return std::ranges::all_of(x, [](double v) { return std::isfinite(v); }); };
  const auto all_finite = [&](const auto& rows) { return std::ranges::all_of(rows, finite); };
  const auto complain = [](const char* what) {
    return Problems{refused(fmt::format("{} has an entry that is not a finite number", what))};
  };
  if (!all_finite(body.inertia)) return complain("the inertia");
  if (!all_finite(body.S)) return complain("S");
  if (!finite(body.qd)) return complain("qd");
  if (!finite(body.Sdot_qd)) return complain("Sdot_qd");
  if (!finite(body.p)) return complain("p");
  if (!finite(body.f)) return complain("f");
  return {};
}

Problems unsymmetric(const Matrix& inertia) {
  const Matrix difference = (inertia - inertia.transpose()).cwiseAbs();
  Eigen::Index r = 0, c = 0;
  if (difference.maxCoeff(&r, &c) <= kSymmetric * inertia.cwiseAbs().maxCoeff()) return {};
  if (r > c) std::swap(r, c);
  return {refused(fmt::format("the inertia is not symmetric: entry ({}, {}) is {:.6g} and entry ({}, {}) is {:.6g}", r + 1,
                              c + 1, inertia(r, c), c + 1, r + 1, inertia(c, r)))};
}

Result<Numbers> numbers(const ConstrainedBody& body) {
  if (Problems wrong = wrong_shape(body); !wrong.empty()) return wrong;
  Numbers out;
  for (Eigen::Index r = 0; r < 6; ++r) out.I.row(r) = to_eigen(body.inertia[static_cast<std::size_t>(r)]).transpose();
  if (Problems wrong = unsymmetric(out.I); !wrong.empty()) return wrong;
  const auto n = static_cast<Eigen::Index>(body.S.size());
  out.S.resize(6, n);
  for (Eigen::Index c = 0; c < n; ++c) out.S.col(c) = to_eigen(body.S[static_cast<std::size_t>(c)]);
  if (Problems wrong = dependent_columns(out.S); !wrong.empty()) return wrong;
  out.H = out.S.transpose() * out.I * out.S;
  if (Problems wrong = motion_without_inertia(out.H); !wrong.empty()) return wrong;

  const Matrix q = basis(out.S);
  out.R = q.leftCols(n);
  out.T = q.rightCols(6 - n);
  out.qd = Eigen::Map<const Vector>(body.qd.data(), n);
  out.bias = to_eigen(body.Sdot_qd);
  out.p = to_eigen(body.p);
  out.f = to_eigen(body.f);
  return out;
}

Matrix phi(const Numbers& b) {
  if (b.n() == 0) return Matrix::Zero(6, 6);
  return b.S * solved(b.H, b.S.transpose());
}

Result<BodyMotion> moved(const Numbers& b, const Vector& a, const Vector& qdd, const Vector& lambda) {
  if (!a.allFinite() || !qdd.allFinite() || !lambda.allFinite())
    return refused("the acceleration is not a finite number; expected an inertia and forces of ordinary size");
  return BodyMotion{to_array(b.S * b.qd), to_array(a), to_vector(qdd), to_vector(lambda), to_array(b.T * lambda)};
}

// For the ways that do not solve for lambda: what is left over in the equation of motion. T has orthonormal columns.
Vector left_over(const Numbers& b, const Vector& a) { return b.T.transpose() * (b.I * a + b.p - b.f); }

// For the ways that do not solve for q'': a - S' q' lies in the range of S.
Vector rates(const Numbers& b, const Vector& a) {
  if (b.n() == 0) return Vector(0);
  eigen::Pivoted factors;
  eigen::factor(factors, b.S);
  return eigen::solve(factors, a - b.bias);
}

}  // namespace

Result<BodyMotion> by_projection(const ConstrainedBody& body) {
  const auto b = numbers(body);
  if (!b) return b.problems();
  const Matrix inverse = phi(*b);
  const Vector a = inverse * b->f + (b->bias - inverse * (b->I * b->bias + b->p));
  return moved(*b, a, rates(*b, a), left_over(*b, a));
}

Result<BodyMotion> by_multipliers(const ConstrainedBody& body) {
  const auto b = numbers(body);
  if (!b) return b.problems();
  const Eigen::Index constraints = 6 - b->n();
  Matrix system = Matrix::Zero(6 + constraints, 6 + constraints);
  system.topLeftCorner(6, 6) = b->I;
  system.topRightCorner(6, constraints) = b->T;
  system.bottomLeftCorner(constraints, 6) = b->T.transpose();
  // Tᵀ a = - T'ᵀ v, and d/dt (Tᵀ S) = 0 makes that Tᵀ S' q': the rate of T is not needed.
  Vector right(6 + constraints);
  right << b->f - b->p, b->T.transpose() * b->bias;
  eigen::Pivoted factors;
  eigen::factor(factors, system);
  const Vector x = eigen::solve(factors, right);
  const Vector a = x.head(6);
  return moved(*b, a, rates(*b, a), -x.tail(constraints));
}

Result<GeneralizedEquations> generalized_equations(const ConstrainedBody& body) {
  const auto b = numbers(body);
  if (!b) return b.problems();
  GeneralizedEquations out;
  for (Eigen::Index r = 0; r < b->n(); ++r) out.H.push_back(to_vector(b->H.row(r).transpose()));
  out.C = to_vector(b->S.transpose() * (b->I * b->bias + b->p));
  out.tau = to_vector(b->S.transpose() * b->f);
  return out;
}

Result<BodyMotion> by_generalized_coordinates(const ConstrainedBody& body) {
  const auto b = numbers(body);
  if (!b) return b.problems();
  const Vector tau = b->S.transpose() * b->f, C = b->S.transpose() * (b->I * b->bias + b->p);
  const Vector qdd = b->n() == 0 ? Vector(0) : Vector(solved(b->H, tau - C));
  const Vector a = b->S * qdd + b->bias;
  return moved(*b, a, qdd, left_over(*b, a));
}

Result<BodyMotion> by_null_space(const ConstrainedBody& body) {
  const auto b = numbers(body);
  if (!b) return b.problems();
  const Eigen::Index n = b->n();
  // Only T is looked at from here on; S comes back when the rates are asked for.
  const Matrix Z = basis(b->T).rightCols(n);
  const Vector particular = b->T * (b->T.transpose() * b->bias);
  const Vector y = n == 0 ? Vector(0) : Vector(solved(Z.transpose() * b->I * Z, Z.transpose() * (b->f - b->p - b->I * particular)));
  const Vector a = Z * y + particular;
  return moved(*b, a, rates(*b, a), left_over(*b, a));
}

Result<SixMatrix> apparent_inverse_inertia(const ConstrainedBody& body) {
  const auto b = numbers(body);
  if (!b) return b.problems();
  return to_rows(phi(*b));
}

Result<SixMatrix> apparent_inverse_inertia_by_range_space(const ConstrainedBody& body) {
  const auto b = numbers(body);
  if (!b) return b.problems();
  const Vector scale = b->I.diagonal().cwiseMax(0).cwiseSqrt();
  if (!(scale.minCoeff() > 0) || smallest_pivot(scale.cwiseInverse().asDiagonal() * b->I * scale.cwiseInverse().asDiagonal()) <= kNoInertia)
    return refused("the inertia is singular; the range-space form needs its inverse, expected a positive definite inertia",
                   "the projection needs only an inertia along the columns of S");
  const Matrix inverse = solved(b->I, Matrix::Identity(6, 6));
  if (b->n() == 6) return to_rows(inverse);
  const Matrix held = inverse * b->T;
  return to_rows(inverse - held * solved(b->T.transpose() * held, held.transpose()));
}

Result<SixVector> bias_acceleration(const ConstrainedBody& body) {
  const auto b = numbers(body);
  if (!b) return b.problems();
  return to_array(b->bias - phi(*b) * (b->I * b->bias + b->p));
}

Result<ApparentSubspaces> subspaces(const ConstrainedBody& body) {
  const auto b = numbers(body);
  if (!b) return b.problems();
  return ApparentSubspaces{static_cast<int>(b->n()), to_columns(b->R), to_columns(b->T)};
}

}  // namespace jounce::tree
