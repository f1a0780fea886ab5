// `explain --formulation kane`: the arrays of Kane's method, as the lecture notes lay them out.
#pragma once

#include "commands.hpp"
#include "jounce/api/inspect.hpp"

namespace jounce::app {

/// `problems`: what loading the model has told.
int explain_by_kane(const ExplainOptions& options, const Mechanism& mechanism, double at, Problems problems);

}  // namespace jounce::app
