// The element types of the plane as the outside sees them: names, sentences and fields, without the mathematics.
#pragma once

#include <span>
#include <string_view>

#include "jounce/base/vocabulary.hpp"

namespace jounce::planar {

using jounce::expected;
using jounce::FieldInfo;
using jounce::Form;
using jounce::Group;
using jounce::TypeInfo;
using jounce::word;

/// Every type of a group, in the order of the registry.
[[nodiscard]] std::span<const TypeInfo> types(Group group);
[[nodiscard]] const TypeInfo* find_type(Group group, std::string_view type);

}  // namespace jounce::planar
