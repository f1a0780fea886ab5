// `explain` of a model in space, for a person.
#pragma once

#include <string>

#include "jounce/api/inspect.hpp"

namespace jounce::app {

/// Joints, bodies, the joint-space equations and the loops.
[[nodiscard]] std::string explain_text(const Mechanism& mechanism, const SpaceExplanation& explanation);

}  // namespace jounce::app
