// The run of an equilibrium over a coordinate, for api/run.cpp.
#pragma once

#include "jounce/analysis/summary/watched_parts.hpp"
#include "jounce/api/run.hpp"

namespace jounce {

/// One row for each value, in their order. Each is searched for from its neighbour, outward from the value that is nearest to the drawing.
[[nodiscard]] Run run_over(const Mechanism& mechanism, Analysis analysis, const Options& options, const RowSink& sink);
/// What a summary watches; where a coordinate is held, what holds it is an effort, and no joint.
[[nodiscard]] WatchedParts parts_of_run(const Mechanism& mechanism);
[[nodiscard]] Run refused_over(const Problems& problems);

}  // namespace jounce
