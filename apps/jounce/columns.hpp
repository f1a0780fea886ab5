// The columns that --columns asks for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jounce/system/mechanism.hpp"

namespace jounce::app {

/// Patterns "crank.*,rod.phi" to columns; all when there are none. A pattern that matches nothing is an error that names
/// what is near.
void choose_columns(const std::optional<std::string>& patterns, const Mechanism& mechanism, std::vector<std::string>& names,
                    std::vector<std::size_t>& kept, Problems& problems);

}  // namespace jounce::app
