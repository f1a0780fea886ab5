// The types that a model may use, by the space it lives in.
#pragma once

#include <optional>
#include <span>
#include <string_view>

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

/// Other words for types and keys become those of the catalogue, as the reader does it: of a model that was written in code.
void use_own_words(Model& model);

/// How many coordinates a joint of space has; none of a name that is no such joint.
[[nodiscard]] std::optional<int> joint_coordinates(std::string_view type);
/// What each entry of `dofs` may say.
[[nodiscard]] std::span<const FieldInfo> dof_fields();
/// What `motion` of a spherical or free joint may say.
[[nodiscard]] std::span<const FieldInfo> pose_fields();

}  // namespace jounce
