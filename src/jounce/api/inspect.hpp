// Questions about a mechanism: what it is and how it can move, its equations laid open, and whether the formulations agree.
//
// Each takes a function that may stop it: the outcome is then `stopped`, and of a check it says so itself.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "jounce/analysis/check/check.hpp"
#include "jounce/analysis/compare/compare.hpp"
#include "jounce/analysis/explain/arrays_explanation.hpp"
#include "jounce/analysis/explain/explain.hpp"
#include "jounce/analysis/explain/kane_explanation.hpp"
#include "jounce/analysis/explain/space_explanation.hpp"
#include "jounce/api/mechanism.hpp"
#include "jounce/base/stop.hpp"

namespace jounce {

/// What it is made of, in how many ways it can move, which equations repeat each other, whether it assembles.
[[nodiscard]] Check check(const Mechanism& mechanism, const Stop& stop = {});

struct Explained {
  Outcome outcome;  ///< of the run that leads there
  Problems problems;
  std::variant<std::monostate, Explanation, SpaceExplanation> what;  ///< nothing when the instant was not reached

  [[nodiscard]] bool reached() const { return what.index() != 0; }
};

/// Every constraint and force at time t of the mechanism's own run, in the letters of the equations. `lambda`: multipliers for κ, one for
/// each equation of a mechanism of the plane; empty: computed. Any other number of them is refused.
[[nodiscard]] Explained explain(const Mechanism& mechanism, double t, const std::vector<double>& lambda = {}, const Stop& stop = {});
/// How many multipliers there are; none in space, where κ is not explained.
[[nodiscard]] std::optional<int> multipliers(const Mechanism& mechanism);

/// The arrays of Kane's method at time t; refused for a mechanism of space.
[[nodiscard]] KaneExplainResult explain_kane(const Mechanism& mechanism, double t, const Stop& stop = {});

/// The arrays of a formulation in the letters of the lecture notes at time t; refused for a mechanism of the plane.
[[nodiscard]] ArraysExplainResult explain_arrays(const Mechanism& mechanism, LinkageFormulation formulation, double t, const Stop& stop = {});

/// The state at time t through every formulation, side by side.
[[nodiscard]] ComparisonResult compare(const Mechanism& mechanism, double t, const Stop& stop = {});

}  // namespace jounce
