// What `auto` is for a planar mechanism, by what was measured (docs/performance.md, Formulations).
//
//                              masses within a factor of 1e8                others, or some zero
//   open tree                  lagrange; aba where a body has many joints   aba
//   loops, gears or drivers    lagrange; kkt where a body has very many     kkt
//
// The size of a mechanism does not enter: its joints are eliminated one after the other by all of them. A body with k joints makes them
// neighbours of each other in S = Φq M⁻¹ Φqᵀ, which costs lagrange the cube of k.
#pragma once

#include "jounce/mechanism/formulation.hpp"
#include "jounce/plane/equations/planar_system.hpp"

namespace jounce {

[[nodiscard]] Formulation chosen_formulation(const PlanarSystem& system);

}  // namespace jounce
