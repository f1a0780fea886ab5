// What the benchmarks share: the clock and the count of allocations.
#pragma once

#include <algorithm>
#include <chrono>
#include <jounce/plane/mechanism.hpp>
#include <limits>

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The smallest of several timings of f(), each long enough to be meaningful; seconds per call.
template <class F>
[[nodiscard]] double time_of(F&& f, double at_least = 0.05, int passes = 7) {
  int calls = 1;
  for (;;) {
    const auto start = Clock::now();
    for (int i = 0; i < calls; ++i) f();
    if (seconds_since(start) > at_least) break;
    calls *= 2;
  }
  double best = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < passes; ++pass) {
    const auto start = Clock::now();
    for (int i = 0; i < calls; ++i) f();
    best = std::min(best, seconds_since(start) / calls);
  }
  return best;
}

/// Allocations of the whole program so far: "none per sample" is a measurement.
[[nodiscard]] long allocations();

/// The model ready to compute; a model with errors ends the program.
[[nodiscard]] jounce::PlaneMechanism built(const jounce::Model& model);
/// The same for a model file of the repository, "andrews-squeezer".
[[nodiscard]] jounce::PlaneMechanism shipped_model(const char* name);
