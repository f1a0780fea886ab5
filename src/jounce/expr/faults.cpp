// The words of evaluation faults.
#include <fmt/format.h>

#include "jounce/expr/functions.hpp"
#include "jounce/expr/names.hpp"
#include "jounce/expr/program.hpp"

namespace jounce {
namespace {

std::string number(double x) { return fmt::format("{}", x == 0 ? 0.0 : x); }  // never "-0"

std::string operand(double x) { return x < 0 ? fmt::format("({})", x) : number(x); }

// The operation as the user would write it with the numbers found: "log(-0.2)", "3/0", "(-2)^0.5".
std::string spelled(const Instruction& instruction, const std::array<double, 3>& x) {
  const Op op = instruction.op;
  const auto infix = [&](char sign) { return fmt::format("{}{}{}", operand(x[0]), sign, operand(x[1])); };
  switch (op) {
    case Op::negate: return fmt::format("-{}", operand(x[0]));
    case Op::add: return infix('+');
    case Op::subtract: return infix('-');
    case Op::multiply: return infix('*');
    case Op::divide: return infix('/');
    case Op::power: return infix('^');
    case Op::lookup: return fmt::format("lookup('{}', {})", instruction.table->name, number(x[0]));
    default: break;
  }
  const int arguments = op == Op::step ? 3 : op >= Op::add ? 2 : 1;
  std::string out = std::string(function_name(op)) + "(" + number(x[0]);
  for (int k = 1; k < arguments; ++k) out += ", " + number(x[static_cast<std::size_t>(k)]);
  return out + ")";
}

}  // namespace

ExpressionFault describe(const char* trouble, const Instruction& instruction, const std::array<double, 3>& found) {
  std::string sentence = fmt::format(fmt::runtime(trouble), spelled(instruction, found));
  if (instruction.op == Op::lookup && std::string_view(trouble) == functions::kOutsideTable)
    sentence += fmt::format(", which goes from {} to {}", number(instruction.table->spline.front()),
                            number(instruction.table->spline.back()));
  return {std::move(sentence), instruction.column};
}

ExpressionFault not_finite(std::string_view variable) { return {fmt::format("the value of '{}' is not a finite number", variable), 1}; }

ExpressionFault derivative_not_finite(std::string_view text) {
  return {fmt::format("a derivative of '{}' is not a finite number", shortened(text)), 1};
}

}  // namespace jounce
