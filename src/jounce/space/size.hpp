// How large a mechanism of space is.
#pragma once

#include "jounce/space/mechanism.hpp"

namespace jounce {

/// A length typical of the mechanism: it makes angles and lengths comparable. 1 where it has no length at all.
[[nodiscard]] double length_scale(const SpaceMechanism& mechanism);

}  // namespace jounce
