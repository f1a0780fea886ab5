// How large a mechanism of space is, and which of its dofs are lengths.
#pragma once

#include "jounce/space/mechanism.hpp"

namespace jounce {

/// A length typical of the mechanism: it makes angles and lengths comparable. 1 where it has no length at all.
[[nodiscard]] double length_scale(const SpaceMechanism& mechanism);

/// A dof is a length; an angle otherwise.
[[nodiscard]] bool slides(const tree::Tree& tree, int dof);

}  // namespace jounce
