#include "jounce/expr/time_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace jounce {

TimeFunction::TimeFunction(Expression expression) : function_(std::move(expression)) {
  const Expression& f = std::get<Expression>(function_);
  JOUNCE_REQUIRE(f.is_constant() || f.variables() == std::vector<std::string>{"t"},
                 "a function of time has the variable t alone");
}

bool TimeFunction::is_constant() const {
  const Expression* f = expression();
  return f != nullptr && f->is_constant();
}

bool TimeFunction::covers(double t) const {
  const double front = table()->front(), back = table()->back();
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(front), std::abs(back));
  return t >= front - rounding && t <= back + rounding;
}

ExpressionFault TimeFunction::outside() const {
  return {fmt::format("the table covers t from {} to {}", table()->front(), table()->back()), 0};
}

}  // namespace jounce
