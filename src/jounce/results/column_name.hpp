// What a column is, from its name alone: for tables that come from a file, where the name is all there is. Results of a run carry their
// columns (results/column.hpp), and nothing that has those asks here.
//
// Read by the tables of base/column_endings.hpp, from which the columns of a run are made. A name does not tell everything: whether
// a joint's coordinate is an angle or a length, what the effort of a driver or a multiplier is measured in, and whether a force is a
// reaction or a load. The unit is then empty, and the group that of a reaction.
#pragma once

#include <string_view>

#include "jounce/results/column.hpp"

namespace jounce {

/// With an empty group where it is no name of a column.
[[nodiscard]] Column column_of_name(std::string_view name);

}  // namespace jounce
