// `explain` of a model in space.
#pragma once

#include "commands.hpp"
#include "jounce/base/problem.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce::app {

/// Joints, bodies, the joint-space equations and the loops at time `at`. `problems`: what loading the model has told.
int explain_space(const ExplainOptions& options, const SpaceMechanism& mechanism, double at, Problems problems);

}  // namespace jounce::app
