#include "jounce/api/tree_of.hpp"

#include "jounce/api/content.hpp"

namespace jounce {

const tree::Tree* tree_of(const Mechanism& mechanism) {
  const auto* space = std::get_if<SpaceMechanism>(&mechanism.content().equations);
  return space == nullptr ? nullptr : &space->tree;
}

}  // namespace jounce
