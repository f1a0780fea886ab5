// The times at which a function of time is not smooth: the edges of `step`, the kinks of `abs`, `min`, `max` and `sign`, the knots of a
// table. A power series does not see across them, so a step of an integrator ends there.
#pragma once

#include <vector>

#include "jounce/expr/time_function.hpp"

namespace jounce {

/// In order, strictly between `from` and `to` (just behind `from` where that is a kink); each is the first time at which the function has gone over, and has
/// derivatives again. Of `step(x, a, b)` with an x
/// that grows steadily all are found; where x swings, those that a grid of `from` … `to` tells apart.
[[nodiscard]] std::vector<double> breakpoints(const TimeFunction& function, double from, double to);
/// The same for a law of several variables, of which `clock` is time: only what depends on nothing but time.
[[nodiscard]] std::vector<double> breakpoints(const Expression& law, std::size_t clock, double from, double to);
/// Whether a law has such a place that depends on another variable than time: it cannot be known beforehand.
[[nodiscard]] bool has_kinks_elsewhere(const Expression& law, std::size_t clock);

}  // namespace jounce
