// The roads from forces to accelerations. They give the same numbers; `jounce compare` and the tests hold them against each other.
#pragma once

#include <string_view>

namespace jounce {

enum class Formulation {
  automatic,  ///< lagrange, or kkt where a body has no mass
  lagrange,   ///< multipliers from S = Φq M⁻¹ Φqᵀ; every body needs mass and inertia
  nullspace,  ///< independent motions Z with Φq Z = 0, and Zᵀ M Z; multipliers afterwards
  kkt,        ///< [M Φqᵀ; Φq 0] as one sparse matrix; bodies may be without mass where the rest decides their motion
};

[[nodiscard]] std::string_view word(Formulation formulation);

}  // namespace jounce
