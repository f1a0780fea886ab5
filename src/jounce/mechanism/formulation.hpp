// The roads from forces to accelerations. They give the same numbers; `jounce compare` and the tests hold them against each other.
//
// A formulation is a choice of unknowns, not of state or method: a planar mechanism is integrated in the coordinates of its bodies and a
// spatial one in those of its joints, whatever finds their accelerations. docs/theory/formulations.md sets them side by side.
#pragma once

#include <array>
#include <string_view>

namespace jounce {

enum class Formulation {
  automatic,  ///< in the plane by structure: see formulation_choice.hpp; in space aba
  // all bodies free, held together by multipliers
  lagrange,   ///< multipliers from S = Φq M⁻¹ Φqᵀ; every body needs mass and inertia
  kkt,        ///< [M Φqᵀ; Φq 0] as one sparse matrix; bodies may be without mass where the rest decides their motion
  nullspace,  ///< independent motions Z with Φq Z = 0, and Zᵀ M Z; multipliers afterwards
  // joints of a spanning tree, multipliers only where loops are cut
  kane,       ///< partial velocities and M = Vpd A2ᵀ + Wpd A3ᵀ; in the plane
  crba,       ///< joint-space inertia H by composite bodies
  aba,        ///< articulated inertias, link by link; H is never formed
};

/// All but `automatic`, in the order in which they are shown.
inline constexpr std::array kFormulations{Formulation::lagrange, Formulation::kkt,  Formulation::nullspace,
                                          Formulation::kane,     Formulation::crba, Formulation::aba};

/// "auto", "lagrange", …
[[nodiscard]] std::string_view word(Formulation formulation);

/// Works with the joints of a spanning tree.
constexpr bool uses_tree(Formulation f) { return f == Formulation::kane || f == Formulation::crba || f == Formulation::aba; }

}  // namespace jounce
