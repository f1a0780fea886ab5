#include "jounce/mechanism/method.hpp"

namespace jounce {

std::string_view word(Method method) {
  static constexpr std::array<std::string_view, kMethods.size()> words{"auto", "taylor", "radau", "dop853"};
  return words[static_cast<std::size_t>(method)];
}

}  // namespace jounce
