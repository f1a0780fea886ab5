// What can be named in an expression over a mechanism of the plane.
#pragma once

#include "jounce/mechanism/measures.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce {

/// These columns, and the points of these bodies, which have to live as long.
[[nodiscard]] MechanismNames::Known named_of(const std::vector<BodyData>& bodies, std::vector<Column> columns);

/// What a column of a body or a point is of the state; these bodies have it.
[[nodiscard]] planar::StateQuantity state_quantity(const std::vector<BodyData>& bodies, std::string_view column);

}  // namespace jounce
