// What becomes of a run that was interrupted and does not answer: one factorisation of a large matrix can take longer than anybody wants to wait.
//
// A thread of its own waits for an interrupt (terminal.hpp), gives the run some time to stop where it is, and then ends the program. A build
// without threads (JOUNCE_THREADS=OFF) has last_resort_left_out.cpp in place of last_resort.cpp: there the run has all the time it takes, and
// a second Ctrl-C ends it.
#pragma once

#include <functional>
#include <memory>

namespace jounce::app {

class LastResort {
 public:
  /// While an Interrupt lives. `end` is called by that thread, at most once, and must not return.
  explicit LastResort(std::function<void()> end);
  ~LastResort();
  LastResort(const LastResort&) = delete;
  LastResort& operator=(const LastResort&) = delete;

 private:
  struct Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace jounce::app
