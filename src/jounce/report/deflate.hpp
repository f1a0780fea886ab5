// The compression of pages: zlib's, or none in a build without it, which any reader of the format takes as well.
#pragma once

#include <string>
#include <string_view>

namespace jounce {

/// A stream as RFC 1950 has it.
[[nodiscard]] std::string deflated(std::string_view bytes);

}  // namespace jounce
