// From a mechanism of space to the tree of links that its equations are made of.
#pragma once

#include "jounce/api/mechanism.hpp"
#include "jounce/tree/tree.hpp"

namespace jounce {

/// Null for a mechanism of the plane. Good as long as the mechanism, or a copy of it, lives.
[[nodiscard]] const tree::Tree* tree_of(const Mechanism& mechanism);

}  // namespace jounce
