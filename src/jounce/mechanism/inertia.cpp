#include "jounce/mechanism/inertia.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/math/small_matrices.hpp"

namespace jounce {
namespace {

/// What rounding may do to the principal moments of a written inertia, relative to the largest.
constexpr double kInertiaRounding = 1e-9;

/// Of mass times length squared. A drawing program that sums thousands of triangles leaves some roundings where nothing should be.
constexpr double kNegligible = 1e-15;

}  // namespace

InertiaJudgement judge_inertia(const Sym3<double>& inertia) {
  using Found = InertiaJudgement::Fault;
  const auto moments = principal_moments(inertia);
  const auto [least, middle, most] = moments;
  const double rounding = kInertiaRounding * std::max(std::abs(least), std::abs(most));
  if (!std::isfinite(most)) return {moments, Found::too_large};
  if (least < -rounding) return {moments, Found::negative};
  return {moments, most > least + middle + rounding ? Found::triangle : Found::none};
}

double negligible_inertia(double mass, double length) { return kNegligible * mass * length * length; }

}  // namespace jounce
