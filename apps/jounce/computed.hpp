// What the library is asked to compute for a plan, in the plane and in space.
#pragma once

#include "jounce/results/row_collector.hpp"
#include "jounce/io/load.hpp"
#include "timed_run.hpp"

namespace jounce::app {

/// Hands every whole row to the sink.
[[nodiscard]] Followed computed(const AnyMechanism& mechanism, const Plan& plan, const RowSink& sink);

}  // namespace jounce::app
