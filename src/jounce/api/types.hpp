// The element types that a model may use, from the catalogue that the reader uses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jounce/model/model.hpp"

namespace jounce {

struct TypeInfo;

struct ElementType {
  Space space{};
  const TypeInfo* info = nullptr;
};

/// All of them, by space and group, or those of one name or of another word for it.
[[nodiscard]] std::vector<ElementType> element_types(std::string_view type = {});
/// A section of a model file, ready to paste: what is required as it stands, what is optional behind a '#'.
[[nodiscard]] std::string snippet(const ElementType& type);

}  // namespace jounce
