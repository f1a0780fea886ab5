#include "jounce/api/version.hpp"

namespace jounce {

std::string_view version() { return JOUNCE_VERSION; }

}  // namespace jounce
