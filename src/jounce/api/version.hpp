#pragma once

#include <string>
#include <string_view>

namespace jounce {

/// Of the library: "0.1.0".
[[nodiscard]] std::string_view version();

/// What the library was compiled for and this processor lacks: "AVX2, FMA"; empty: it runs here.
[[nodiscard]] std::string missing_instructions();

}  // namespace jounce
