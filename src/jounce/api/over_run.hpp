// The run of an equilibrium over a coordinate, for api/run.cpp.
#pragma once

#include "jounce/api/run.hpp"

namespace jounce {

/// One row for each value, in their order. Each is searched for from its neighbour, outward from the value that is nearest to the drawing.
[[nodiscard]] Run run_over(const Mechanism& mechanism, Analysis analysis, const Options& options, const RowSink& sink);
[[nodiscard]] Run refused_over(const Problems& problems);

}  // namespace jounce
