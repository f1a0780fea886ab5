// Static equilibrium in space: where a mechanism comes to rest, what its joints carry there, whether it stays, and how it swings.
//
//   τ(q) − C(q, 0) + Kᵀλ = 0 on the passive dofs,   φ(q) = 0     at t = 0, the active dofs held where their motions are at t = 0
//
// As in the plane (equilibrium.hpp): what depends on a rate does not act at rest, and the search goes downhill from the assembled
// drawing, so that of several equilibria it finds a stable one nearby; a drawing that already is an equilibrium is taken as it is.
//
// Small motions about it: H ξ̈ + D ξ̇ + S ξ = 0 in the free motions ξ that loops and couplings leave, S = −∂(τ − C + Kᵀλ)/∂q along
// them and D = −∂τ/∂v. All derivatives are exact: those of τ − C by dual numbers, and that of Kᵀλ from the accelerations k that
// velocities make in the loops, which are quadratic in them.
#pragma once

#include "jounce/analysis/equilibrium.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

struct SpaceEquilibrium {
  Outcome outcome;
  Problems problems;
  std::vector<double> q;       ///< all coordinates; where there is no equilibrium, the last ones tried
  std::vector<double> tau;     ///< of a passive dof what acts on it, of an active one what holds it besides its own spring
  std::vector<double> lambda;  ///< one per equation of loops and couplings; of the least norm where they are not unique
  double unbalanced = 0;       ///< the largest effort left over, in N (moments divided by the mechanism's size)
  int iterations = 0;
  int free_motions = 0;  ///< of joints, loops and couplings together
  int unstable = 0;      ///< motions that leave the equilibrium
  int neutral = 0;       ///< motions that no force resists
  bool stable = false;   ///< no motion leaves it
  bool unique_reactions = true;  ///< of the loops and couplings
  /// Slowest first; empty without free motions, or where `note` says why. A shape has one number for each dof (rotations of
  /// spherical and free joints about the child's axes), lengths in sizes of the mechanism; the largest is 1.
  std::vector<NaturalMode> modes;
  /// Of H s² + D s + S, where damping or forces without a potential make them differ from ±iω; else empty. Both of each pair.
  std::vector<std::complex<double>> eigenvalues;
  std::string note;
  std::vector<double> row;  ///< of results: space_columns(mechanism, true)
};

[[nodiscard]] SpaceEquilibrium equilibrium(const SpaceMechanism& mechanism);

}  // namespace jounce
