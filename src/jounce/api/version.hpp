#pragma once

#include <string_view>

namespace jounce {

/// Of the library: "0.1.0".
[[nodiscard]] std::string_view version();

}  // namespace jounce
