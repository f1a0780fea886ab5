// What a parsed expression is: a short list of instructions over numbered places.
//
//   "crank*sin(2*t) + t"   with crank = 0.05
//
//     place 0 is t, place 1 is the first register
//     1 <- multiply(2, 0)        2 is a constant: it stays a double and is never promoted to the scalar
//     1 <- sin(1)
//     1 <- multiply(0.05, 1)
//     1 <- add(1, 0)             variables are read where they are, never copied
//
// Of two operands the one that needs more registers is computed first, so n leaves need at most 1 + 1.3 log2(n) registers and
// the registers of the longest text allowed fit in a small array on the stack.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jounce {

struct LookupTable;

// clang-format off
enum class Op : std::uint8_t {
  negate, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, log, sqrt, abs, sign, lookup,  // one operand
  add, subtract, multiply, divide, power, atan2, min, max,                                       // two
  step                                                                                           // three
};
// clang-format on

/// A place in an instruction: a variable, then a register, or `kConstant`.
using Place = std::uint16_t;
inline constexpr Place kConstant = 0xFFFF;

struct Instruction {
  Op op = Op::negate;
  std::array<Place, 3> from{kConstant, kConstant, kConstant};
  std::uint8_t to = 0;                 ///< register that takes the result, from 0
  std::uint8_t derivative = 0;         ///< of lookup and step: how often it is differentiated by its first operand
  int column = 0;                      ///< where the operation is written, from 1
  std::array<double, 3> constant{};    ///< the operand where `from` is kConstant
  const LookupTable* table = nullptr;  ///< of lookup; the program owns it
};

struct Program {
  static constexpr std::size_t kMaxText = std::size_t{1} << 20;  ///< characters
  static constexpr std::uint32_t kMaxOperations = 1U << 21U;    ///< and operands, as many as kMaxText characters can hold
  static constexpr std::size_t kMaxRegisters = 32;               ///< enough for kMaxText characters
  static constexpr std::size_t kFewRegisters = 4;                ///< enough for nearly everything people write

  std::string text;
  std::vector<std::string> variables;
  std::vector<bool> used;  ///< one per variable
  std::vector<Instruction> code;
  std::size_t registers = 0;
  Place result = kConstant;
  double constant = 0;  ///< the value when `result` is kConstant
  std::vector<std::shared_ptr<const LookupTable>> tables;
  std::string unit;  ///< of the value, where those of its variables say it; empty: not known
};

/// Evaluation left a function's domain.
struct ExpressionFault {
  std::string sentence;  ///< "log of a negative number: log(-0.2)"; the caller adds the time
  int column = 0;        ///< place in the expression's text from 1; 0 when it has no text
  friend bool operator==(const ExpressionFault&, const ExpressionFault&) = default;
};

/// The sentence of a fault; `{}` in `trouble` stands for the operation with the arguments found.
[[nodiscard]] ExpressionFault describe(const char* trouble, const Instruction& instruction, const std::array<double, 3>& found);

/// "the value of 'v' is not a finite number"
[[nodiscard]] ExpressionFault not_finite(std::string_view variable);

/// A finite value whose derivatives overflowed.
[[nodiscard]] ExpressionFault derivative_not_finite(std::string_view text);

}  // namespace jounce
