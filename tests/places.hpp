// Where the sources and the programs under test are. Only places.cpp knows: every other test compiles to the same object in any folder.
#pragma once

#include <string>

namespace places {

[[nodiscard]] const std::string& source();     ///< the root of the repository
[[nodiscard]] const std::string& program();    ///< jounce
[[nodiscard]] const std::string& reference();  ///< the generator of docs/reference

}  // namespace places
