// Which columns of a sparse matrix the others make up: equations that say nothing new.
#pragma once

#include <span>
#include <vector>

#include "jounce/math/sparse_lu.hpp"

namespace jounce {

/// Columns to leave out so that the rest are independent, by their directions. They are found by sparse factors. Where there are some, and not
/// too many columns, the choice is made again with the largest first: of columns that depend on each other some, left in, make solutions
/// a hundred times as large as others do, and lose digits with them.
///
/// `known`: so many are known to depend on the others. Positions within a step meet the constraints only roughly, and there a dependent column seems to
/// add a little of its own: it takes more than that to make it count.
/// `sizes`: how large each column could be, so that of two that say the same the one is kept that says it better. Without them all count alike.
[[nodiscard]] std::vector<int> dependent_columns(const SparsePattern& pattern, std::span<const double> values, int known = 0,
                                                std::span<const double> sizes = {});

}  // namespace jounce
