#include "jounce/expr/expression_series.hpp"

#include <algorithm>
#include <bit>

namespace jounce {
namespace {

// Squarings and products of a^n, and the quotient for a^-n.
std::size_t rows_of_whole_power(unsigned n) { return 2 * static_cast<std::size_t>(std::bit_width(n)) + 1; }

std::size_t rows_of_power(const Instruction& i) {
  if (i.from[0] == kConstant) return 2;
  if (i.from[1] != kConstant) return 3 + rows_of_whole_power(~0U >> 1);
  return is_whole(i.constant[1]) ? rows_of_whole_power(static_cast<unsigned>(std::abs(i.constant[1]))) : 1;
}

// The most rows an instruction takes, counting one for a result that is a plain number.
std::size_t rows_of(const Instruction& i) {
  switch (i.op) {
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::min:  // the difference of the arguments, where they have one value
    case Op::max: return 2;
    case Op::atan: return 3;
    case Op::asin: return 5;
    case Op::acos: return 6;
    case Op::atan2: return 5;
    case Op::power: return rows_of_power(i);
    case Op::lookup: return 18;
    case Op::step: return i.derivative > 0 ? 26 : 17;
    default: return 1;
  }
}

std::vector<std::size_t> first_rows(const Program& program) {
  std::vector<std::size_t> rows{0};
  rows.reserve(program.code.size() + 1);
  for (const Instruction& i : program.code) rows.push_back(rows.back() + rows_of(i));
  return rows;
}

}  // namespace

ExpressionSeries::ExpressionSeries(const Expression& expression, int order)
    : expression_(expression),
      order_(order),
      first_row_(first_rows(expression.program())),
      rows_(first_row_.back(), order),
      variables_(expression.variables().size()) {
  JOUNCE_REQUIRE(order >= 0, "the order of a series is not negative");
}

std::optional<ExpressionFault> ExpressionSeries::coefficient(int k, std::span<const double* const> variables, double& out) {
  JOUNCE_REQUIRE(k >= 0 && k <= known_ && k <= order_, "the orders of an expression come in turn");
  JOUNCE_REQUIRE(expression_.is_constant() || variables.size() >= variables_.size(),
                 "an expression is given all its variables");
  known_ = k;
  rows_.begin(k);
  for (std::size_t v = 0; v < std::min(variables.size(), variables_.size()); ++v) variables_[v] = {rows_, variables[v]};

  // A result that is a plain number gets a row too: it might be one at this order only (0^t where t rests so far).
  const auto after = [&](std::size_t instruction, GrowingSeries& value) {
    if (value.is_plain()) value = in_row(rows_, value_of(value));
    rows_.go_to(first_row_[instruction + 1]);
  };
  GrowingSeries result;
  if (auto fault = expression_.evaluate<GrowingSeries>(variables_, result, after)) return fault;
  out = result[k];
  known_ = k + 1;
  return std::nullopt;
}

}  // namespace jounce
