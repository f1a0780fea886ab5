// A mechanism of space at one instant by a formulation of the lecture notes: its arrays, each under its letter, as plain data.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/base/stop.hpp"
#include "jounce/mechanism/analysis.hpp"
#include "jounce/results/outcome.hpp"

namespace jounce {

struct SpaceMechanism;

enum class LinkageFormulation {
  kane,       ///< partial velocities, and M and f of them
  aba,        ///< articulated inertias: Iᴬ, pᴬ, U, D, u
  crba,       ///< composite inertias, and H of them
  nullspace,  ///< Z = D⁻¹ S, and what loops leave of it
  method_1,   ///< one body: projection
  method_2,   ///< one body: multipliers
  method_3,   ///< one body: generalized coordinates
};
inline constexpr std::array kLinkageFormulations{LinkageFormulation::kane,     LinkageFormulation::aba,      LinkageFormulation::crba,    LinkageFormulation::nullspace,
                                                 LinkageFormulation::method_1, LinkageFormulation::method_2, LinkageFormulation::method_3};
/// "aba", "method-1", …
[[nodiscard]] std::string_view word(LinkageFormulation formulation);
[[nodiscard]] std::optional<LinkageFormulation> linkage_formulation_of(std::string_view word);

/// A vector or a matrix.
struct ExplainedArray {
  std::string name;                        ///< as the notes write it: "Iᴬ"
  std::string key;                         ///< the same for programs: "IA"
  std::vector<std::string> rows, columns;  ///< what they belong to; a vector has no columns
  std::vector<double> value;               ///< row after row
};

/// A body with the joint that carries it.
struct ExplainedLinkageBody {
  std::string name, joint, type, parent;
  std::vector<std::string> dofs;
  std::vector<bool> prescribed;  ///< one for each dof
  std::vector<ExplainedArray> arrays;
};

struct ArraysExplanation {
  double t = 0;
  LinkageFormulation formulation = LinkageFormulation::aba;
  Analysis by = Analysis::inverse;          ///< what brought it there: inverse where every motion is prescribed, else dynamics
  std::vector<std::string> laws;            ///< what the letters mean, a line each
  std::vector<ExplainedLinkageBody> bodies; ///< parents first
  std::vector<ExplainedArray> arrays;       ///< of all bodies together
};

struct ArraysExplainResult {
  Outcome outcome;  ///< not run where a mass is missing, or where the mechanism is not one body for the methods of one body
  Problems problems;
  std::optional<ArraysExplanation> explanation;
};

/// At time t of the mechanism's own run.
[[nodiscard]] ArraysExplainResult explain_arrays(const SpaceMechanism& mechanism, LinkageFormulation formulation, double t, const Stop& stop = {});

}  // namespace jounce
