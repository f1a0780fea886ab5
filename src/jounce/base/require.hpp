// JOUNCE_REQUIRE stops the program when one of our own invariants is broken; it is always on. A user's mistake never ends here:
// that is a Problem.
#pragma once

namespace jounce {

[[noreturn]] void broken_invariant(const char* condition, const char* meaning, const char* file, int line) noexcept;

}  // namespace jounce

#define JOUNCE_REQUIRE(condition, meaning) \
  ((condition) ? void(0) : ::jounce::broken_invariant(#condition, meaning, __FILE__, __LINE__))
