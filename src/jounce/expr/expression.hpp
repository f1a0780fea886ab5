// An expression of the model file: "crank/2", "100*rpm*t", "-k*(l - 0.3) - 5*v".
//
//   sum     = product { (+|-) product }         left to right
//   product = signed { (*|/) signed }           left to right
//   signed  = { +|- } power                     -2^2 = -4
//   power   = primary [ ^ signed ]              right to left: 2^3^2 = 512, 2^-1 = 0.5
//   primary = number | name | function ( sum { , sum } ) | ( sum )      nested at most 256 deep
//
// Constants pi, deg, mm, cm, inch, rpm; functions sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign min max
// pow step. Parsed once, then evaluated on double, dual numbers or power series: every derivative is exact to rounding.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/base/result.hpp"
#include "jounce/expr/functions.hpp"
#include "jounce/expr/program.hpp"

namespace jounce {

class NameSource;

/// What names mean. A variable hides a value of the same name (with a warning where it is used).
struct Scope {
  std::map<std::string, double, std::less<>> values;  ///< parameters, already evaluated
  std::vector<std::string> variables{};               ///< in the order `evaluate` takes them, e.g. {"t"} or {"l", "v", "t"}
  NameSource* names = nullptr;  ///< quantities of a mechanism: variables that follow those, as they are met
  std::set<std::string, std::less<>>* used = nullptr;  ///< takes the names of the values that a text uses
};

/// The sentence of a problem that has been reported where it was written: there is nothing to say here.
inline constexpr std::string_view kToldElsewhere = "(reported elsewhere)";

/// Immutable and cheap to copy.
class Expression {
 public:
  /// Problems are located at {1, column in text}; every unknown name is reported at once.
  [[nodiscard]] static Result<Expression> parse(std::string_view text, const Scope& scope);
  [[nodiscard]] static Expression constant(double value);
  /// What the program itself has written (expr/formula.hpp).
  [[nodiscard]] static Expression compiled(Program program) { return Expression(std::move(program)); }
  /// The derivative by one of its variables, with the same variables in the same places. Of a function that has none the fault says so.
  [[nodiscard]] static Result<Expression> derivative(std::string_view text, const Scope& scope, std::string_view by);

  /// As the user wrote it.
  [[nodiscard]] const std::string& text() const { return program_->text; }
  [[nodiscard]] bool is_constant() const { return program_->result == kConstant; }
  /// Does the value depend on this variable, as far as the text shows?
  [[nodiscard]] bool uses(std::string_view variable) const;
  /// The variables of the scope it was parsed in, then the quantities of a mechanism that it uses.
  [[nodiscard]] const std::vector<std::string>& variables() const { return program_->variables; }

  /// Of its value, where those of its variables say it; empty: not known.
  [[nodiscard]] const std::string& unit() const { return program_->unit; }

  /// Fills `out`, or says which function left its domain and leaves `out` alone. A constant needs no variables. Allocates
  /// nothing when it succeeds, unless the scalar itself does.
  template <class T>
  [[nodiscard]] std::optional<ExpressionFault> evaluate(std::span<const T> variables, T& out) const {
    return evaluate(variables, out, [](std::size_t, T&) {});
  }
  /// The same; `after(n, value)` is called when instruction n of the program has its value.
  template <class T, class After>
  [[nodiscard]] std::optional<ExpressionFault> evaluate(std::span<const T> variables, T& out, const After& after) const;

  /// What the text was compiled to.
  [[nodiscard]] const Program& program() const { return *program_; }

 private:
  explicit Expression(Program program) : program_(std::make_shared<const Program>(std::move(program))) {}

  template <std::size_t registers, class T, class After>
  std::optional<ExpressionFault> run(std::span<const T> variables, T& out, const After& after) const;

  std::shared_ptr<const Program> program_;
};

/// Every name in a text that is neither a constant nor a function, each once, in the order they appear (`t` included).
/// Fails only where the text cannot be cut into numbers, names and signs; its grammar is not looked at.
[[nodiscard]] Result<std::vector<std::string>> names_in(std::string_view text);

/// The constants, the functions and `t`: names a parameter cannot take.
[[nodiscard]] bool is_reserved_name(std::string_view name);

template <class T, class After>
std::optional<ExpressionFault> Expression::evaluate(std::span<const T> variables, T& out, const After& after) const {
  const Program& program = *program_;
  if (program.result == kConstant) {
    out = T(program.constant);
    functions::take_order(out, variables);
    return std::nullopt;
  }
  JOUNCE_REQUIRE(variables.size() >= program.variables.size(), "an expression is given all its variables");
  for (std::size_t k = 0; k < program.variables.size(); ++k)
    if (program.used[k] && !functions::all_finite(variables[k])) return not_finite(program.variables[k]);
  if (program.code.empty()) return out = T(variables[program.result]), std::nullopt;
  if (program.registers <= Program::kFewRegisters) return run<Program::kFewRegisters>(variables, out, after);
  return run<Program::kMaxRegisters>(variables, out, after);
}

template <std::size_t registers, class T, class After>
std::optional<ExpressionFault> Expression::run(std::span<const T> variables, T& out, const After& after) const {
  const Program& program = *program_;
  std::array<T, registers> r{};
  const std::size_t n = program.variables.size();
  const auto read = [&](Place place) -> const T& { return place < n ? variables[place] : r[place - n]; };
  const auto found = [&](const Instruction& i) {
    std::array<double, 3> value = i.constant;
    for (std::size_t k = 0; k < 3; ++k)
      if (i.from[k] != kConstant) value[k] = value_of(read(i.from[k]));
    return value;
  };
  for (std::size_t k = 0; k < program.code.size(); ++k) {
    const Instruction& i = program.code[k];
    T value{};
    const char* trouble = functions::apply(i, read, value);
    if (trouble == nullptr && !std::isfinite(value_of(value))) trouble = functions::kOverflow;
    if (trouble != nullptr) return describe(trouble, i, found(i));
    after(k, value);
    r[i.to] = std::move(value);
  }
  T& result = r[program.result - n];
  if (!functions::all_finite(result)) return derivative_not_finite(program.text);
  functions::take_order(result, variables);
  out = std::move(result);
  return std::nullopt;
}

}  // namespace jounce
