// JOUNCE_REQUIRE stops what is being done when one of our own invariants is broken; it is always on. A user's mistake never ends
// here: that is a Problem.
//
// By default the program prints what was broken and aborts. A host that must not be taken down with it sets a handler: in an
// interpreter one that throws, in a browser one that calls out and never comes back. The objects that took part are then in no state to
// be used again, not even to be assigned to; they may be destroyed or forgotten. Everything else works on.
#pragma once

namespace jounce {

/// What was broken, where. The texts live as long as the program.
struct BrokenInvariant {
  const char *condition, *meaning, *file;
  int line;
};

/// Is not to return: when it does, the program aborts. May be called from several threads at once. An exception destroys what lies
/// on its way; a jump does not, and loses that memory.
using BrokenInvariantHandler = void (*)(const BrokenInvariant& broken);

/// Sets the handler for all threads, null for the one that prints and aborts; gives the one before.
BrokenInvariantHandler set_broken_invariant_handler(BrokenInvariantHandler handler);

/// Goes to the handler.
[[noreturn]] void broken_invariant(const char* condition, const char* meaning, const char* file, int line);

}  // namespace jounce

#define JOUNCE_REQUIRE(condition, meaning) \
  ((condition) ? void(0) : ::jounce::broken_invariant(#condition, meaning, __FILE__, __LINE__))
