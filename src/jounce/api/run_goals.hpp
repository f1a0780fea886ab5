// What the goals of a caller mean for a mechanism. For the library itself.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "jounce/api/run.hpp"
#include "jounce/mechanism/goals.hpp"
#include "jounce/results/column.hpp"

namespace jounce {

/// Goals as they were read for one mechanism.
struct ReadGoals {
  std::vector<RunGoal> goals;
  std::vector<Column> columns;               ///< of the rows
  std::map<std::string, double> parameters;  ///< that they use
  bool of_places = false;                    ///< numbers of the mechanism itself are in them, of points of the ground or a centre of mass

  /// They mean the same for another mechanism, whose rows have these columns, and need not be read again.
  [[nodiscard]] bool fit(const Mechanism& other, const std::vector<Column>& columns_of_other) const;
};
/// `columns`: of the rows of the analysis. Where there is an error among the problems, the goals are not all there.
[[nodiscard]] ReadGoals read_goals(const Mechanism& mechanism, Analysis analysis, std::vector<Column> columns, std::span<const Goal> goals, Problems& problems);

/// A run for goals that were read before; those of the options are what they were read from.
[[nodiscard]] Run run(const Mechanism& mechanism, Analysis analysis, const Options& options, const ReadGoals& read, const RowSink& sink);

}  // namespace jounce
