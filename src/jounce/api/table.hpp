// Rows of a run as files: what they say about the mechanism beside their numbers.
#pragma once

#include "jounce/api/mechanism.hpp"
#include "jounce/io/arrow.hpp"
#include "jounce/io/csv.hpp"
#include "jounce/mechanism/analysis.hpp"
#include "jounce/results/units.hpp"

namespace jounce {

/// A table of text has one line for the names of its columns, and their units behind them; others have a place for both.
enum class TableForm { text, binary };
/// A column as files have it, in these units.
[[nodiscard]] Column column_shown(const Column& column, const Units& units, TableForm form);

/// The model's name, the analysis, and what has computed it.
[[nodiscard]] ArrowFacts table_facts(const Mechanism& mechanism, Analysis analysis);

}  // namespace jounce
