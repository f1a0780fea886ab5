// The element types as the outside sees them: names, sentences and fields, without the mathematics.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "jounce/planar/fields.hpp"

namespace jounce::planar {

/// The section of the model file a type belongs to.
enum class Group { joint, driver, force, shape };

struct TypeInfo {
  Group group{};
  std::string_view type;
  std::string_view summary;
  int equations = 0;
  std::vector<FieldInfo> fields;

  [[nodiscard]] const FieldInfo* find(std::string_view key) const;
};

/// Every type of a group, in the order of the registry.
[[nodiscard]] std::span<const TypeInfo> types(Group group);
[[nodiscard]] const TypeInfo* find_type(Group group, std::string_view type);

/// "joint", "driver", "force", "shape"
[[nodiscard]] std::string_view word(Group group);
/// How a form is written, for messages and pages: "a point such as \"crank.A\"".
[[nodiscard]] std::string_view expected(Form form);

}  // namespace jounce::planar
