// Problems for a person, who wants to know of one mistake once or a few times, and not at each of a hundred places.
#pragma once

#include <vector>

#include "jounce/base/problem.hpp"

namespace jounce {

/// A problem as a person is shown it, with the number of those after it that say the same of other names and are left out.
struct ShownProblem {
  const Problem* problem = nullptr;
  int more = 0;  ///< left out after it
  int last = 0;  ///< the line of the last of them, 0 if it has none
};

/// Of problems that differ in names and places only, the first `alike` are shown, in their order. Refers to the problems.
[[nodiscard]] std::vector<ShownProblem> first_of_each(const Problems& problems, int alike = 5);

}  // namespace jounce
