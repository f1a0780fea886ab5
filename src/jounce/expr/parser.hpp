// Text to program.
#pragma once

#include <string_view>

#include "jounce/base/result.hpp"
#include "jounce/expr/expression.hpp"
#include "jounce/expr/program.hpp"

namespace jounce {

/// `derivative_by`: the derivative by this variable in place of the value.
/// `elsewhere`: names that exist but mean nothing in this text, offered when a name is misspelt.
[[nodiscard]] Result<Program> parse_program(std::string_view text, const Scope& scope,
                                            std::span<const std::string> elsewhere = {}, std::string_view derivative_by = {});

}  // namespace jounce
