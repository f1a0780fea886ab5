// A whole file into memory.
#pragma once

#include <cstddef>
#include <string>

#include "jounce/base/result.hpp"

namespace jounce {

/// The error names the file, with the system's reason; a file of more than `at_most` bytes is refused.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t at_most);

}  // namespace jounce
