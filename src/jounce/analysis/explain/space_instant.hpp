// A mechanism of space at one instant of its own run: a row of results, and the state it belongs to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/base/stop.hpp"
#include "jounce/mechanism/analysis.hpp"
#include "jounce/results/outcome.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

struct SpaceInstant {
  Analysis by = Analysis::inverse;
  Outcome outcome;
  Problems problems;
  std::vector<double> q, v;
  std::vector<std::string> columns;
  std::vector<double> row;  ///< empty when the instant was not reached

  /// `count` values from the column on; none where the analysis has no such column.
  [[nodiscard]] std::vector<double> values(const std::string& column, int count) const;
};

/// Some friction has the exact sign of a rate: where it is stuck, what it holds is known to the run alone.
[[nodiscard]] bool has_exact_friction(const SpaceMechanism& mechanism);

/// By inverse dynamics where every motion is prescribed, else by dynamics. Where masses are missing, by kinematics; with `forces` that is refused.
[[nodiscard]] SpaceInstant space_instant(const SpaceMechanism& mechanism, double at, bool forces, const Stop& stop);

/// The mechanism with the idle turns that the run held at their rates; none where it held none, as in dynamics.
[[nodiscard]] std::optional<SpaceMechanism> with_held_turns(const SpaceMechanism& mechanism, const SpaceInstant& at);

}  // namespace jounce
