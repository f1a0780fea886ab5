// `explain --formulation aba`, `crba`, … of a model in space: arrays in the letters of the lecture notes.
#pragma once

#include "commands.hpp"
#include "jounce/api/inspect.hpp"

namespace jounce::app {

/// Prints it, as text or JSON; the exit code.
int explain_by_arrays(const ExplainOptions& options, const Mechanism& mechanism, LinkageFormulation formulation, double at, Problems problems);

}  // namespace jounce::app
