// Characters of a text in UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace jounce {

/// Bytes of the character that a text begins with; 0 where there is none: an empty text, bytes that belong to no character, forms
/// that are too long, halves of a surrogate pair.
[[nodiscard]] std::size_t character_size(std::string_view text);

}  // namespace jounce
