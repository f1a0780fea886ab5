// M δ + Φqᵀλ = g, Φq δ = −r along a spanning tree of the joints, for the formulations kane, crba and aba.
//
// The equations are those of the joints of the tree (T) and those that are left to close loops (C). With the tree, body by body:
//
//   1. outward   δ₀: some motion with Φ_T δ₀ = −r_T, each body carried by its parent and moved by what its joint lacks
//   2. inward    forces f = g − M δ₀ on the bodies as forces on the joints, and half of H⁻¹ on them: y = H½ Jᵀ f (joint_space.hpp)
//   3. closures  Y = K H½ᵀ with K = Φ_C J; (Y Yᵀ) λ_C = Y y + Φ_C δ₀ + r_C, and y loses Yᵀ λ_C
//   4. outward   δ = δ₀ + J H½ᵀ y
//   5. inward    λ_T: what a joint must pass on so that g − M δ − Φ_Cᵀ λ_C of its body, and of all it carries, is balanced
//
// Steps 1, 2, 4 and 5 take a time proportional to the number of bodies (for kane the second and third power), step 3 that of a sparse
// matrix with one row for each equation of C. At every order of a Taylor series only g and r are new.
#pragma once

#include <memory>

#include "jounce/plane/equations/planar_system.hpp"
#include "jounce/mechanism/saddle.hpp"

namespace jounce {

/// For kane, crba and aba; the system must outlive it.
[[nodiscard]] std::unique_ptr<SaddleSolver> make_joint_solver(Formulation formulation, const PlanarSystem& system);

}  // namespace jounce
