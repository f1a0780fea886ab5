// Kane's method for planar mechanisms, in the arrays of the lecture notes: partial velocities, and M q̈ = f from them.
//
//   Wpd[i, k] = ∂ω_k/∂q̇_i     Vpd[i, k] = ∂v_k/∂q̇_i (x, y of the centre of mass of body k)
//   A1 = V̇pd m    A2 = Vpd m    A3 = Wpd I        m = diag(m₁, m₁, m₂, m₂, …),  I = diag(I₁, I₂, …)
//   M = Vpd A2ᵀ + Wpd A3ᵀ       f = Vpd F + Wpd M_ext − Vpd A1ᵀ q̇
//   F_in = −(A1ᵀ q̇ + A2ᵀ q̈)     M_in = −A3ᵀ q̈       Vpd (F + F_in) + Wpd (M_ext + M_in) = 0
//
// Row i is a turn of everything beyond a joint about its pin, or a slide along its guide. For pinned bodies A1 is the Wpd B′ m of the notes,
// since B′ = Ḃ; written as a rate it holds for sliders and floating bases too, with no term for Coriolis (docs/theory/kane.md). Where the
// joints close loops, M q̈ + Kᵀλ = f and K q̈ = k with the equations that the spanning tree leaves over.
#pragma once

#include "jounce/base/result.hpp"
#include "jounce/plane/mechanism.hpp"
#include "jounce/plane/spanning/kane_arrays.hpp"

namespace jounce {

/// At a state that holds the joints. The problems say which joint it does not hold, which body's mass is missing, which force has no
/// value, or that the masses do not decide the motion.
[[nodiscard]] Result<KaneArrays> kane(const PlaneMechanism& mechanism, const PlanarState& state);

}  // namespace jounce
