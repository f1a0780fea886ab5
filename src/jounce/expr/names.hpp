// The names the language knows: constants and functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "jounce/expr/program.hpp"

namespace jounce {

struct Constant {
  std::string_view name;
  double value;
};

struct Function {
  std::string_view name;
  Op op;
  int arguments;  ///< negative: that many or more
};

[[nodiscard]] std::span<const Constant> all_constants();
[[nodiscard]] std::span<const Function> all_functions();
[[nodiscard]] const Constant* find_constant(std::string_view name);
/// Units that a parameter of the same name hides: km um ms kN MPa bar kW.
[[nodiscard]] const Constant* find_weak_constant(std::string_view name);
[[nodiscard]] const Function* find_function(std::string_view name);
/// Is it what people write for a unit that has no factor here, such as kg?
[[nodiscard]] bool is_unit_word(std::string_view name);
/// Those of units: deg, mm, kN, …
[[nodiscard]] std::vector<std::string> factor_names();
[[nodiscard]] std::string_view function_name(Op op);

/// A letter or '_', then letters, digits and '_': what can be written in an expression.
[[nodiscard]] bool is_spellable(std::string_view name);

/// At most 40 characters of a text, for use in a sentence.
[[nodiscard]] std::string shortened(std::string_view text);

}  // namespace jounce
