#include "jounce/expr/expression.hpp"

#include <fmt/format.h>

#include "jounce/expr/parser.hpp"

namespace jounce {

Result<Expression> Expression::parse(std::string_view text, const Scope& scope) {
  Result<Program> program = parse_program(text, scope);
  if (!program) return std::move(program.problems());
  Problems warnings = std::move(program.problems());
  return {Expression(*std::move(program)), std::move(warnings)};
}

Result<Expression> Expression::derivative(std::string_view text, const Scope& scope, std::string_view by) {
  Result<Program> program = parse_program(text, scope, {}, by);
  if (!program) return std::move(program.problems());
  return Expression(*std::move(program));
}

Expression Expression::constant(double value) {
  Program program;
  program.text = fmt::format("{}", value);
  program.constant = value;
  return Expression(std::move(program));
}

bool Expression::uses(std::string_view variable) const {
  for (std::size_t k = 0; k < program_->variables.size(); ++k)
    if (program_->used[k] && program_->variables[k] == variable) return true;
  return false;
}

}  // namespace jounce
