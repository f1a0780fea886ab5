// An equation that a user writes: an expression of t and of positions that has to be 0, in the plane and in space.
//
//   phi(t, u1, u2, …) = 0        u: coordinates of points, angles of bodies, coordinates of joints
//
// Its derivatives by each quantity and by t are expressions, too, differentiated as they are written; their series give every order.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/base/fault.hpp"
#include "jounce/expr/expression.hpp"

namespace jounce::laws {

/// What joints of this kind are called in model files, of the plane and of space.
inline constexpr std::string_view kEquation = "equation";
inline constexpr std::string_view kEquationSummary = "an expression of positions and t that is 0";
inline constexpr std::string_view kEquationText = "an expression of positions, t and measures of these that has to be 0";

/// Every expression has the variables t and then the quantities, in their order.
struct EquationLaw {
  Expression phi;
  std::vector<Expression> by_quantity;
  Expression by_time;
  Where where;  ///< of its text

  [[nodiscard]] bool of_time() const { return phi.uses("t"); }
};

/// What a run says where such an equation has no value; `name` is that of the joint.
[[nodiscard]] inline Fault without_value(const EquationLaw& law, const std::string& name, const ExpressionFault& fault) {
  Where where = law.where;
  if (where.line > 0) where.column += std::max(fault.column - 1, 0);
  return {"joint '" + name + "'", "of: " + fault.sentence, where, name};
}

}  // namespace jounce::laws
