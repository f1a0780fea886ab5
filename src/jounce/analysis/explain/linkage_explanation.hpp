// A mechanism of space at one instant as the lecture notes on rigid-body algorithms write it: the articulated recursion, composite bodies, the null
// space, and the three methods for one constrained body. What is shown of it: arrays_explanation.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jounce/analysis/explain/arrays_explanation.hpp"
#include "jounce/analysis/explain/kane_in_space.hpp"
#include "jounce/tree/linkage.hpp"

namespace jounce {

/// What loops and couplings leave of the null space of the tree: K N = 0, and the equation of what is left.
struct NullSpaceExplanation {
  tree::NullSpaceOfTree tree;
  std::vector<int> passive;          ///< dofs
  std::vector<int> free;             ///< of them the ones that y are the accelerations of
  Matrix K;                          ///< of loops and couplings, over the passive dofs
  Matrix N;                          ///< passive dofs × free ones; without loops the identity
  std::vector<double> particular;    ///< accelerations of all dofs that obey K a = k, those of prescribed dofs being as given
  Matrix left;                       ///< (Z N)ᵀ I (Z N)
  std::vector<double> right;         ///< of left y = right
  std::vector<double> y;
  std::vector<double> effort;        ///< given ones, of the passive dofs
};

/// One constrained body, and what each method makes of it.
struct MethodExplanation {
  tree::ConstrainedBody body;
  tree::SixMatrix phi{};                ///< apparent inverse inertia
  tree::SixVector b{};                  ///< bias acceleration
  tree::ApparentSubspaces subspaces;    ///< T among them
  tree::GeneralizedEquations equations;
  tree::BodyMotion motion;              ///< by the method that was asked for
};

struct LinkageExplanation {
  /// A body with the joint that carries it, parents first: as in `linkage`.
  struct Part {
    std::string joint, type, parent, child;
  };

  double t = 0;
  Analysis by = Analysis::inverse;
  LinkageFormulation formulation = LinkageFormulation::aba;
  bool loops = false;              ///< loops or couplings push: their forces are among the external ones, of the null space excepted
  bool idle = false;               ///< idle links are held at their rates, as in the run: the moments that do so are among the external ones
  std::vector<Part> parts;
  std::vector<std::string> dofs;   ///< "elbow", "wrist.2"
  tree::Linkage linkage;
  std::vector<double> rates, qdd;  ///< of all dofs
  std::vector<double> tau;         ///< efforts: given ones, and of prescribed dofs what their motion needs; by the null space with those of loops in it
  tree::Articulated articulated;
  std::optional<KaneInSpace> kane;
  std::optional<tree::CompositeBodies> composite;
  std::optional<NullSpaceExplanation> null_space;
  std::optional<MethodExplanation> method;
};

struct LinkageExplainResult {
  Outcome outcome;  ///< not run where a mass is missing, or the mechanism is not one body for the methods of one body
  Problems problems;
  std::optional<LinkageExplanation> explanation;
};

/// At time t of the mechanism's own run.
[[nodiscard]] LinkageExplainResult explain_linkage(const SpaceMechanism& mechanism, LinkageFormulation formulation, double t, const Stop& stop = {});

}  // namespace jounce
