// The arrays of Kane's method for bodies in space, as those of the plane (plane/spanning/kane.hpp) with angular velocities that are vectors.
//
//   Wpd[i, k] = ∂ω_k/∂q̇_i     Vpd[i, k] = ∂v_k/∂q̇_i, of the centre of mass; three columns for each body, in ground axes
//   A1 = V̇pd m    A2 = Vpd m    A3 = Wpd I    A4 = Ẇpd I
//   M = Vpd A2ᵀ + Wpd A3ᵀ       f = f_ext − Vpd A1ᵀ q̇ − Wpd (A4ᵀ q̇ + ω × I ω),   f_ext = τ + Vpd F + Wpd M_ext
//
// In the plane Wpd is constant and ω × I ω vanishes. Partial velocities are what a unit rate of one dof gives, on series along the motion: their rates come
// with them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "jounce/math/dense.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

struct KaneBody {
  int body = 0;
  Matrix Wpd, Vpd, A1, A2, A3, A4;  ///< dofs × 3
  Matrix I;                         ///< 3 × 3, about the centre of mass, in ground axes
  std::vector<double> centre, omega, F, M_ext, gyroscopic;  ///< gyroscopic: ω × I ω
  std::vector<double> F_in, M_in;   ///< −(A1ᵀ q̇ + A2ᵀ q̈) and −(A3ᵀ q̈ + A4ᵀ q̇ + ω × I ω)
};

struct KaneInSpace {
  std::vector<KaneBody> bodies;  ///< in the order that was asked for
  Matrix M;
  std::vector<double> f_ext, f;
  std::vector<double> qdd;       ///< M q̈ = f in the rows of passive dofs; those of prescribed ones as given
};

/// What is known at an instant; a vector of dofs each.
struct KaneState {
  std::span<const double> q, v, a;           ///< only accelerations of prescribed dofs are looked at
  std::span<const std::uint8_t> active;      ///< not zero: prescribed
  std::span<const double> tau;               ///< efforts of all dofs
  std::span<const tree::Wrench<double>> external;  ///< on every link, about the ground's origin, in ground axes, without gravity
};
/// None where some passive motion moves no inertia.
[[nodiscard]] std::optional<KaneInSpace> kane_in_space(const SpaceMechanism& mechanism, std::span<const int> bodies, const KaneState& state);

}  // namespace jounce
