// Whether loops and couplings are in a singular position, by what is next to it.
#pragma once

#include <span>

#include "jounce/space/mechanism.hpp"

namespace jounce {

/// Fewer equations are independent at a position of closed loops than next to it: there are more ways to go on than anywhere else. Next to it
/// is where loops and couplings lead, whatever is prescribed.
[[nodiscard]] bool singular_position(const SpaceMechanism& mechanism, std::span<const double> q);

}  // namespace jounce
