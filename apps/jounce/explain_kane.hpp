// `explain --formulation kane`: the arrays of Kane's method, as the lecture notes lay them out.
#pragma once

#include "commands.hpp"
#include "jounce/base/problem.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce::app {

/// At time `at`: where the drivers have brought the mechanism, or forward dynamics from the initial velocities of the file. `problems`:
/// what loading the model has told.
int explain_kane(const ExplainOptions& options, const PlaneMechanism& mechanism, double at, Problems problems);

}  // namespace jounce::app
