#include "jounce/base/require.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace jounce {
namespace {

void print_and_abort(const BrokenInvariant& broken) {
  std::fprintf(stderr, "jounce: internal error: %s (%s) at %s:%d\nThis is a bug in Jounce; please report it with the model.\n",
               broken.meaning, broken.condition, broken.file, broken.line);
  std::abort();
}

std::atomic<BrokenInvariantHandler> chosen{print_and_abort};

}  // namespace

BrokenInvariantHandler set_broken_invariant_handler(BrokenInvariantHandler handler) {
  return chosen.exchange(handler != nullptr ? handler : print_and_abort);
}

void broken_invariant(const char* condition, const char* meaning, const char* file, int line) {
  chosen.load()({condition, meaning, file, line});
  std::abort();
}

}  // namespace jounce
