// Why a loop of space stays open that was meant to close: its axes are nearly parallel, or nearly meet in one point, and would have to do so exactly.
//
// A loop of parallel hinges (a four-bar, a slider-crank, a parallelogram) has more equations than it needs: some only repeat what others say, as
// long as the axes are parallel. A bearing that is written as `rpy = [1.5708, 0, 0]` is 3.7e-6 rad off, and then they contradict the others.
#pragma once

#include <string>

#include "jounce/analysis/assembly/assembly.hpp"

namespace jounce {

/// Which loops are overconstrained and which of their axes are how far from parallel, or from meeting, where the mechanism could be assembled if they were: tried with
/// axes put right. Empty where that is not the reason.
[[nodiscard]] std::string misaligned_axes(const SpaceMechanism& mechanism, const Assembly& found, const Stop& stop);

}  // namespace jounce
