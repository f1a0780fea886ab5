// The files of the machine, behind base/files.hpp.
#pragma once

#include <cstddef>
#include <string>

#include "jounce/base/result.hpp"

namespace jounce {

/// The whole content of a file; reading ends when there is more than `at_most`. The error's sentence is the system's reason.
[[nodiscard]] Result<std::string> read_from_disk(const std::string& path, std::size_t at_most);

}  // namespace jounce
