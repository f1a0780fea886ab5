// The integrators by name.
#pragma once

#include <array>
#include <string_view>

namespace jounce {

enum class Method {
  automatic,  ///< the usual one, taylor in the plane and dop853 in space, and radau where the motion turns out to be stiff
  taylor,
  radau,
  dop853,
};
inline constexpr std::array kMethods{Method::automatic, Method::taylor, Method::radau, Method::dop853};
[[nodiscard]] std::string_view word(Method method);

}  // namespace jounce
