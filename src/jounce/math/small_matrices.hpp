// Decompositions of matrices with three and with six rows.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "jounce/math/vec3.hpp"

namespace jounce {

/// Of a symmetric matrix, in ascending order.
[[nodiscard]] std::array<double, 3> principal_moments(const Sym3<double>& m);

struct PrincipalAxes {
  std::array<double, 3> moments;  ///< in ascending order
  Mat3<double> axes;              ///< one column for each, right-handed
};
[[nodiscard]] PrincipalAxes principal_axes(const Sym3<double>& m);

using Six = std::array<double, 6>;

/// Of n vectors s.
struct SixBasis {
  std::array<Six, 6> dual{};    ///< the first n: in the span of the s, with dual_i · s_k = 1 for i = k and 0 otherwise
  std::array<Six, 6> across{};  ///< the first 6 − n: of length 1, square to each other and to all s
};
/// None where one of the vectors is nearer than `together`, as a part of its length, to what those before it span.
[[nodiscard]] std::optional<SixBasis> six_basis(std::span<const Six> s, double together);

}  // namespace jounce
