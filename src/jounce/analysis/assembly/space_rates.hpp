// Rates that loops, couplings and the start condition of a spatial mechanism allow, at an assembled position.
#pragma once

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/space/closures/scaled_closures.hpp"

namespace jounce {

/// Makes the rates consistent, then applies the start condition; adds to the problems. At the position q of the assembly.
void find_rates(const SpaceMechanism& mechanism, ScaledClosures& closures, Assembly& out);

}  // namespace jounce
