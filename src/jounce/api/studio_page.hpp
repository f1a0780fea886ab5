// The parts of the studio that were built before the library: the page without its engine, and the engine, compressed.
#pragma once

#include <string_view>

namespace jounce {

[[nodiscard]] std::string_view studio_page();
/// WebAssembly, packed by gzip.
[[nodiscard]] std::string_view studio_engine();

}  // namespace jounce
