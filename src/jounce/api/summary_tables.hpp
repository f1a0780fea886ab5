// What a run came to, as tables of texts: a terminal and a page show the same ones.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "jounce/api/run.hpp"
#include "jounce/results/summary_table.hpp"
#include "jounce/results/units.hpp"

namespace jounce {

/// What drivers do, what they give, the fastest points, the largest forces in joints, and members by tension and compression; those that have rows.
/// `most`: rows of points and of forces, these then the largest first; 0: all, in the order of the file.
[[nodiscard]] std::vector<SummaryTable> summary_tables(const Run& run, const RunSummary& summary, const Units& units, std::size_t most = 0);

/// The same numbers in these units, as `--json --units` has them.
/// `when`: the unit of what peaks stand at, which is no time where positions follow one another (OverRun).
[[nodiscard]] RunSummary in_units(RunSummary summary, const Units& units, std::string_view when = "s");

}  // namespace jounce
