#include "jounce/mechanism/method.hpp"

#include <array>

namespace jounce {

std::string_view word(Method method) {
  static constexpr std::array<std::string_view, 4> words{"auto", "taylor", "radau", "dop853"};
  return words[static_cast<std::size_t>(method)];
}

}  // namespace jounce
