// A word for runs of what cannot move: a structure gives rows, too, and they say nothing of it.
#pragma once

#include "jounce/analysis/assembly/assembly.hpp"

namespace jounce {

/// Notes that the joints leave no motion at all, where that is so.
void tell_rigid(const PlaneMechanism& mechanism, const Assembly& at, Problems& problems);
void tell_rigid(const SpaceMechanism& mechanism, const Assembly& at, Problems& problems);

}  // namespace jounce
