// The integrators by name.
#pragma once

#include <string_view>

namespace jounce {

enum class Method {
  automatic,  ///< taylor, and radau where the motion turns out to be stiff
  taylor,
  radau,
  dop853,
};
[[nodiscard]] std::string_view word(Method method);

}  // namespace jounce
