#include "jounce/base/require.hpp"

#include <cstdio>
#include <cstdlib>

namespace jounce {

void broken_invariant(const char* condition, const char* meaning, const char* file, int line) noexcept {
  std::fprintf(stderr, "jounce: internal error: %s (%s) at %s:%d\nThis is a bug in Jounce; please report it with the model.\n",
               meaning, condition, file, line);
  std::abort();
}

}  // namespace jounce
