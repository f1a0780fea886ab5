// Goals: numbers of a whole run, such as "max(abs(motor.effort))" and "range(piston.x)/crank".
//
// Reductions are max min mean rms range first last integral at(expression, time) time_of_max time_of_min, each of anything that could be a measure of the
// model; around them stand arithmetic, functions and parameters. Extremes are those of the motion, located between the rows, and means are integrals over
// time: they do not depend on how many rows there are. They are taken from the first row to the last.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "jounce/api/mechanism.hpp"
#include "jounce/base/problem.hpp"
#include "jounce/mechanism/analysis.hpp"

namespace jounce {

struct Goal {
  std::string name, text;
};

struct GoalValue {
  std::string name;
  /// Empty where the run did not come to its end (its outcome says why: of half a run there is no stroke), and where the goal has no value, which a warning tells.
  std::optional<double> value;
  std::string unit;  ///< empty: a plain number, or not known
};

/// What is wrong with goals of an analysis: line 1, and the column in the text of the goal.
[[nodiscard]] Problems check_goals(const Mechanism& mechanism, Analysis analysis, std::span<const Goal> goals);

}  // namespace jounce
