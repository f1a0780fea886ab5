#include "jounce/mechanism/formulation.hpp"

namespace jounce {

std::string_view word(Formulation formulation) {
  static constexpr std::array<std::string_view, 7> words{"auto", "lagrange", "kkt", "nullspace", "kane", "crba", "aba"};
  return words[static_cast<std::size_t>(formulation)];
}

}  // namespace jounce
