// Which columns of a sparse matrix the others make up: equations that say nothing new.
#pragma once

#include <span>
#include <vector>

#include "jounce/math/sparse_lu.hpp"

namespace jounce {

/// Columns to leave out so that the rest are independent, by their directions. They are found by sparse factors. Where there are some, and not
/// too many columns, the choice is made again with the largest first: of columns that depend on each other some, left in, make solutions
/// a hundred times as large as others do, and lose digits with them.
[[nodiscard]] std::vector<int> dependent_columns(const SparsePattern& pattern, std::span<const double> values);

}  // namespace jounce
