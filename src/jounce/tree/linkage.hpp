// A tree of bodies at one instant, written as the lecture notes on rigid-body algorithms write it, and their three ways through it.
//
// Every vector of a body has its six components, angular ones first, in the body's own frame: that of its joint on the body's side. The recursions
// of this folder work link by link in ground axes with ordinary accelerations, for speed; here a joint is one step with all its columns of S,
// accelerations are spatial ones, and every matrix is there to be looked at. Nothing is shared but the places and velocities of the links, so
// that the two roads check each other. Gravity is an acceleration of the ground, a₀ = [0; −g].
//
// docs/theory/hybrid-dynamics.md, docs/theory/three-formulations.md
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "jounce/math/dense.hpp"
#include "jounce/tree/algorithms.hpp"
#include "jounce/tree/constrained_body.hpp"

namespace jounce::tree {

/// A body and the joint that carries it: places in a tree.
struct LinkagePart {
  int parent = kGround;     ///< a part before it
  int first = 0, last = 0;  ///< the links of its joint
  Frame<double> frame;      ///< of the joint on the body's side, in the last link
};

struct LinkageBody {
  int parent = kGround;
  Frame<double> frame;           ///< seen from the ground
  Matrix X;                      ///< motions from the parent's frame (or the ground's) to its own
  Matrix S;                      ///< 6 × dofs
  std::vector<int> dof;          ///< of each column of S
  std::vector<bool> prescribed;  ///< likewise
  Matrix I;
  std::vector<double> v;         ///< velocity
  std::vector<double> c;         ///< v × S q̇ + Ṡ q̇
  std::vector<double> c_prime;   ///< c + S_A q̈_A: all that is known of its acceleration against the parent
  std::vector<double> p;         ///< v ×* I v − f_ex
  std::vector<double> effort;    ///< given, of every dof
};

struct Linkage {
  std::vector<double> a0;           ///< [0; −g], in ground axes
  std::vector<LinkageBody> bodies;  ///< parents first
  int dofs = 0;
};

/// What is known at an instant; a vector of dofs each.
struct LinkageState {
  std::span<const double> q, v;
  std::span<const double> a;                   ///< only those of prescribed dofs are looked at
  std::span<const std::uint8_t> active;        ///< not zero: prescribed
  std::span<const double> effort;              ///< of springs, dampers and torques
  std::span<const Wrench<double>> external;    ///< on every link, about the ground's origin, in ground axes
};
[[nodiscard]] Linkage linkage(const Tree& tree, std::span<const LinkagePart> parts, const LinkageState& state);

/// The columns of passive dofs, or those of prescribed ones.
[[nodiscard]] Matrix columns(const LinkageBody& body, bool prescribed);

// ---- articulated bodies --------------------------------------------------------------------------------------------------

struct ArticulatedBody {
  Matrix S_P;                           ///< 6 × passive dofs; U and D likewise
  Matrix IA, U, D, Ia;
  std::vector<double> pA, u, pa;
  std::vector<double> a_prime, qdd_P, a, f;  ///< f: the wrench through the joint
};
struct Articulated {
  std::vector<ArticulatedBody> bodies;
  int undecided = -1;       ///< a body whose D is not positive definite; nothing behind it is found
  std::vector<double> qdd;  ///< of all dofs
  std::vector<double> tau;  ///< Sᵀ f of all dofs
};
[[nodiscard]] Articulated articulated_bodies(const Linkage& linkage);

// ---- composite bodies ----------------------------------------------------------------------------------------------------

struct CompositeBodies {
  std::vector<Matrix> Ic;  ///< of each body with all that it carries, welded
  std::vector<Matrix> F;   ///< Iᶜ S
  Matrix H;                ///< joint-space inertia
  std::vector<double> C;   ///< H q̈ + C = τ, with gravity and external forces
};
[[nodiscard]] CompositeBodies composite_bodies(const Linkage& linkage);

// ---- null space ----------------------------------------------------------------------------------------------------------

struct NullSpaceOfTree {
  std::vector<Matrix> Z;  ///< 6 × all dofs for each body: Z = D⁻¹ S
  std::vector<Matrix> T;  ///< 6 × (6 − dofs) for each joint: what it resists, Tᵀ S = 0
  Matrix H;               ///< Zᵀ I Z
  std::vector<double> C;  ///< Zᵀ (p + I D⁻¹ c)
  double GZ = 0;          ///< the largest entry of G Z, G = Tᵀ D: rounding
};
[[nodiscard]] NullSpaceOfTree null_space_of_tree(const Linkage& linkage);

// ---- one constrained body ------------------------------------------------------------------------------------------------

/// For the methods of constrained_body.hpp: a body on the ground. Its weight is in p; the efforts `tau` of its joint are wrenches in f, by the dual basis
/// of S, and so is `external`, what acts on it from outside, in its frame.
[[nodiscard]] ConstrainedBody constrained_body(const Linkage& linkage, std::span<const double> rates, std::span<const double> tau,
                                               std::span<const double> external);
/// A wrench about the ground's origin, in ground axes, as a body's frame has it.
[[nodiscard]] std::vector<double> in_frame(const Frame<double>& frame, const Wrench<double>& wrench);

}  // namespace jounce::tree
