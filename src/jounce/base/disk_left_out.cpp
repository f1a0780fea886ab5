// In place of disk.cpp where there are no files (JOUNCE_FILES=OFF).
#include <cerrno>
#include <system_error>

#include "jounce/base/disk.hpp"

namespace jounce {

Result<std::string> read_from_disk(const std::string&, std::size_t) { return error({}, std::generic_category().message(ENOENT)); }

}  // namespace jounce
