// Numbers as messages show them.
#pragma once

#include <string>

namespace jounce {

/// Six digits.
[[nodiscard]] std::string short_number(double x);
/// "t = 0.25 s", twelve digits: what lies below is rounding, and would only make two runs look different.
[[nodiscard]] std::string seconds(double t);

}  // namespace jounce
