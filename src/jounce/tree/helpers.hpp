// Threads that help with one piece of work at a time and wait in between.
//
// A build without threads (JOUNCE_THREADS=OFF) has helpers_in_turn.cpp in place of helpers.cpp: the shares are worked on one after the
// other, and the numbers are the same.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace jounce::tree {

class Helpers {
 public:
  /// `work(k)` does share k of the work, k = 0 … shares − 1; two shares may be worked on at once.
  Helpers(std::size_t shares, std::function<void(std::size_t)> work);
  ~Helpers();
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  /// Every share once, the first by the thread that calls; returns when all are done. Allocates nothing.
  void run();
  /// From within a share: calls `what` while no other share does.
  void alone(const std::function<void()>& what);

 private:
  struct Threads;
  std::unique_ptr<Threads> threads_;
};

}  // namespace jounce::tree
