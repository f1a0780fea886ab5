#include "jounce/analysis/equilibrium/small_motions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace jounce {
namespace {

// K x = ω² M x for the symmetric part of K; the columns of `unit` are motions of mass 1, each with no mass in common. `D`: all zero without damping.
std::vector<NaturalMode> swing(const SmallMotionEquations& equations, const Matrix& D, const Matrix& unit) {
  const SymmetricEigen found = symmetric_eigen(congruent(symmetric_part(equations.stiffness), unit));
  const Matrix motions = times(unit, found.vectors);
  const Matrix shapes = times(equations.shapes, motions);
  const double slight = equations.slight(largest(equations.stiffness.value));
  std::vector<NaturalMode> out;
  for (int i = 0; i < motions.columns; ++i) {
    const double square = found.values[static_cast<std::size_t>(i)];  // the stiffness of a motion whose mass is 1
    const bool swings = std::abs(square) > slight * dot(motions.column(i), motions.column(i));
    NaturalMode mode;
    if (swings && square > 0) mode.omega = std::sqrt(square);
    if (swings && square < 0) mode.growth = std::sqrt(-square);
    if (mode.omega > 0) mode.damping = dot(motions.column(i), times(D, motions.column(i))) / (2 * mode.omega);
    mode.frequency = mode.omega / (2 * std::numbers::pi);
    const double most = shapes.at(largest_place(shapes.column(i)), i);
    for (const double part : shapes.column(i)) mode.shape.push_back(part / most);
    out.push_back(std::move(mode));
  }
  return out;
}

// Roots of M s² + D s + K, the slowest swinging first; of each pair the one above the real axis after its partner.
std::vector<std::complex<double>> roots(const Matrix& unit, const Matrix& D, const Matrix& K) {
  const int n = K.columns;
  const Matrix stiff = congruent(K, unit), damped = congruent(D, unit);
  Matrix companion(2 * n, 2 * n);
  for (int c = 0; c < n; ++c) {
    companion.at(c, n + c) = 1;
    for (int r = 0; r < n; ++r) companion.at(n + r, c) = -stiff.at(r, c), companion.at(n + r, n + c) = -damped.at(r, c);
  }
  std::vector<std::complex<double>> out = eigenvalues(companion);
  std::ranges::sort(out, [](const auto& a, const auto& b) {
    return std::abs(a.imag()) != std::abs(b.imag()) ? std::abs(a.imag()) < std::abs(b.imag())
                                                    : std::pair(a.real(), a.imag()) < std::pair(b.real(), b.imag());
  });
  return out;
}

// The columns of the eigenvectors, each divided by the root of its eigenvalue.
Matrix of_mass_one(const SymmetricEigen& heavy) {
  Matrix out = heavy.vectors;
  for (int c = 0; c < out.columns; ++c)
    for (int r = 0; r < out.rows; ++r) out.at(r, c) *= 1 / std::sqrt(heavy.values[static_cast<std::size_t>(c)]);
  return out;
}

// The largest entry of K − Kᵀ: what has no potential.
double circulation(const Matrix& K) {
  double out = 0;
  for (int c = 0; c < K.columns; ++c)
    for (int r = 0; r < K.rows; ++r) out = std::max(out, std::abs(K.at(r, c) - K.at(c, r)));
  return out;
}

}  // namespace

SmallMotions small_motions(const SmallMotionEquations& equations) {
  SmallMotions out;
  const Matrix& K = equations.stiffness;
  const std::vector<double> bent = symmetric_eigen(symmetric_part(K)).values;
  const double slight = equations.slight(largest(bent));
  out.unstable = static_cast<int>(std::ranges::count_if(bent, [&](double k) { return k < -slight; }));
  out.neutral = static_cast<int>(std::ranges::count_if(bent, [&](double k) { return std::abs(k) <= slight; }));

  const auto asked = [&] { return equations.asked && equations.asked(); };
  if (asked()) return out;
  const SymmetricEigen heavy = symmetric_eigen(equations.mass);
  if (asked()) return out;
  if (!(std::ranges::min(heavy.values) > 1e-12 * std::ranges::max(heavy.values))) {
    out.note = "frequencies are left out: a free motion moves no mass (give every body that moves a mass and an inertia)";
    return out;
  }
  const Matrix unit = of_mass_one(heavy);
  if (equations.damping.empty()) out.note = "damping is left out: a law has no derivative at rest";
  const Matrix D = equations.damping.empty() ? Matrix(K.rows, K.columns) : equations.damping;
  out.modes = swing(equations, D, unit);
  if (asked()) return out;
  const bool circulates = circulation(K) > 1e-9 * largest(K.value) + slight;
  if (largest(D.value) == 0 && !circulates) return out;
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
