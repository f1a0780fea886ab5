// The columns that --columns asks for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/api/mechanism.hpp"
#include "jounce/results/column.hpp"

namespace jounce::app {

/// Patterns "crank.*,rod.phi" to columns out of `all`, and of those `on_demand` behind them; all of the first that say something
/// (points of the ground stand still) when there are none. A pattern that matches
/// nothing is an error that names what is near. `analysis` is the one that has these columns.
void choose_columns(const std::optional<std::string>& patterns, const Mechanism& mechanism, std::string_view analysis, const std::vector<Column>& all,
                    const std::vector<std::string>& on_demand, std::vector<std::string>& names, std::vector<std::size_t>& kept, Problems& problems);

}  // namespace jounce::app
