// The types that a model may use, by the space it lives in.
#pragma once

#include "jounce/model/model.hpp"
#include "jounce/planar/catalogue.hpp"
#include "jounce/tree/catalogue.hpp"

namespace jounce {

[[nodiscard]] inline std::span<const TypeInfo> types(Space space, Group group) {
  return space == Space::plane ? planar::types(group) : tree::types(group);
}
[[nodiscard]] inline const TypeInfo* find_type(Space space, Group group, std::string_view type) {
  return find_type(types(space, group), type);
}

}  // namespace jounce
