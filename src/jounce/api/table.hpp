// Rows of a run as files: what they say about the mechanism beside their numbers.
#pragma once

#include "jounce/api/mechanism.hpp"
#include "jounce/io/arrow.hpp"
#include "jounce/io/csv.hpp"
#include "jounce/mechanism/analysis.hpp"

namespace jounce {

/// The model's name, the analysis, and what has computed it.
[[nodiscard]] ArrowFacts table_facts(const Mechanism& mechanism, Analysis analysis);

}  // namespace jounce
