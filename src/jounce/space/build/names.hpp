// What can be named in an expression over a mechanism in space.
#pragma once

#include "jounce/mechanism/measures.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

/// These columns, and the points of these bodies, which have to live as long.
[[nodiscard]] MechanismNames::Known named_of(const std::vector<SpaceBody>& bodies, std::vector<Column> columns);

}  // namespace jounce
