// What the units of its variables say about an expression: the unit of its value, and sums that cannot be meant.
//
// A number or a parameter has no unit that anyone knows, and neither has what it is multiplied with: `2*crank.phi` may be a
// length. So only what is known on both sides is compared, and an angle may stand for a plain number, as radians do.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jounce/expr/syntax_tree.hpp"

namespace jounce {

struct UnitCheck {
  std::vector<ExpressionFault> wrong;
  std::string unit;  ///< of the whole, "N m/s"; empty: not known
};

/// `of_variables`: the unit of each, as columns have them ("m/s²", "N m", "kg m/s"); empty where it is not known.
[[nodiscard]] UnitCheck check_units(const SyntaxTree& tree, NodeId root, std::span<const std::string> of_variables);

/// "m" to "m/s", "m/s" to "m/s²".
[[nodiscard]] std::string per_second(std::string_view unit);
/// "m/s" to "m", and "W" to "J".
[[nodiscard]] std::string times_second(std::string_view unit);

}  // namespace jounce
