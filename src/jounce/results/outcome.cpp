#include "jounce/results/outcome.hpp"

#include <array>

namespace jounce {

std::string_view word(Outcome::Kind kind) {
  static constexpr std::array<std::string_view, 13> words{"not-run",      "done",      "not-assembled",  "not-driven", "conflicting",   "dead-point",
                                                          "change-point", "undefined", "step-too-small", "stopped",    "undecided",     "no-equilibrium",
                                                          "unbalanced"};
  return words[static_cast<std::size_t>(kind)];
}

}  // namespace jounce
