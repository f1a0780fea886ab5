#include "jounce/expr/time_function.hpp"

#include <fmt/format.h>

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

ExpressionFault TimeFunction::outside() const {
  return {fmt::format("the table covers t from {} to {}", table()->front(), table()->back()), 0};
}

}  // namespace jounce
