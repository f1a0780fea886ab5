// Static equilibrium: where the mechanism comes to rest, what its joints carry there, whether it stays, and how it swings.
//
//   plane:   Q(q) = Φqᵀ λ,   Φ(q) = 0
//   space:   τ(q) − C(q, 0) + Kᵀλ = 0 on the passive dofs,   φ(q) = 0
//
// at t = 0, with every driver held where its motion is at t = 0, and nothing moving. What depends on a rate (dampers, friction) does not
// act at rest: friction could hold the mechanism in many positions; the one given is that without it. The search starts at the assembled
// drawing and goes downhill, so of several equilibria it finds a stable one near the drawing; a drawing that already is an equilibrium
// is taken as it is, stable or not.
//
// Small motions about it: M ξ̈ + D ξ̇ + K ξ = 0 in the free motions ξ the constraints leave; in the plane K = ∂(Φqᵀλ)/∂q − ∂Q/∂q and
// D = −∂Q/∂q̇ there, in space K = −∂(τ − C + Kᵀλ)/∂q and D = −∂τ/∂v.
#pragma once

#include <complex>
#include <span>
#include <string>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/base/stop.hpp"
#include "jounce/results/outcome.hpp"

namespace jounce {

struct PlaneMechanism;
struct SpaceMechanism;

/// A natural motion about the equilibrium, without damping: every coordinate in phase.
struct NaturalMode {
  double omega = 0;      ///< rad/s; 0 when it does not swing
  double frequency = 0;  ///< Hz
  double growth = 0;     ///< 1/s: the rate with which an unstable one leaves; 0 otherwise
  double damping = 0;    ///< of critical damping, by what its own shape feels: exact where damping does not couple modes; 0 where nothing damps
  /// One number for each of Equilibrium::components, lengths in sizes of the mechanism; the largest is 1.
  std::vector<double> shape;
};

struct Equilibrium {
  Outcome outcome;
  Problems problems;
  /// The position; where there is no equilibrium, the last one tried. In the plane x, y, phi of every body's centre of mass, in space all
  /// coordinates of the joints.
  std::vector<double> q;
  std::vector<double> lambda;  ///< one per equation of joints (in space of loops and couplings); of the least norm where they are not unique
  std::vector<double> row;     ///< of results, one for each column of the analysis
  double unbalanced = 0;       ///< the largest force left over, in N (moments divided by the mechanism's size)
  int iterations = 0;
  int free_motions = 0;  ///< of joints and drivers together
  int unstable = 0;      ///< motions that leave the equilibrium
  int neutral = 0;       ///< motions that no force resists
  bool stable = false;   ///< no motion leaves it
  std::vector<NaturalMode> modes;  ///< slowest first; empty without free motions, or where `note` says why
  /// What the numbers of a mode's shape belong to: "crank.phi" (x and y are those of the centre of mass), in space the joint, or
  /// "wrist.2" for its second dof (rotations of spherical and free joints about the child's axes).
  std::vector<std::string> components;
  /// Of M s² + D s + K, where damping or forces without a potential make them differ from ±iω; else empty. Both of each pair.
  std::vector<std::complex<double>> eigenvalues;
  std::string note;
  std::vector<std::string> not_unique;  ///< joints, drivers, prescribed dofs, loops and couplings whose reactions are not unique
};

/// `stop`: asked before every iteration; true ends the search where it is. `start`: coordinates to begin at in place of the drawing (in the plane of the
/// centres of mass); empty: the drawing.
[[nodiscard]] Equilibrium equilibrium(const PlaneMechanism& mechanism, const Stop& stop = {}, std::span<const double> start = {});
[[nodiscard]] Equilibrium equilibrium(const SpaceMechanism& mechanism, const Stop& stop = {}, std::span<const double> start = {});

/// In how many ways joints and drivers let it move at a position where all of them are met.
[[nodiscard]] int free_motions(const PlaneMechanism& mechanism, std::span<const double> q);
[[nodiscard]] int free_motions(const SpaceMechanism& mechanism, std::span<const double> q);

/// Where a mode takes the mechanism, at amplitudes evenly from -reach to +reach: positions like Equilibrium::q, all on the constraints. The
/// middle one is the equilibrium.
struct ModeSwing {
  double reach = 0;  ///< of the mode's largest part, in radians or sizes of the mechanism; 0 where it cannot be followed at all
  std::vector<std::vector<double>> q;
};

/// Of the first `most` modes of an equilibrium that was found.
[[nodiscard]] std::vector<ModeSwing> swings(const PlaneMechanism& mechanism, const Equilibrium& rest, std::size_t most);
[[nodiscard]] std::vector<ModeSwing> swings(const SpaceMechanism& mechanism, const Equilibrium& rest, std::size_t most);

}  // namespace jounce
