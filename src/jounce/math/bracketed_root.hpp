// A zero of a function between two places where it has different signs, by Brent's method: it always ends, at a jump of the
// function too.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace jounce {

/// Where f changes its sign between a and b, to rounding; fa and fb, the values there, have different signs.
template <class F>
[[nodiscard]] double bracketed_root(F&& f, double a, double fa, double b, double fb) {
  constexpr int kMost = 200;  // bisection alone needs some 60, and Brent's method at most a few times as many
  double c = a, fc = fa, step = b - a, before = step;
  for (int i = 0; i < kMost && fb != 0; ++i) {
    if ((fb > 0) == (fc > 0)) c = a, fc = fa, before = step = b - a;
    if (std::abs(fc) < std::abs(fb)) a = b, b = c, c = a, fa = fb, fb = fc, fc = fa;  // b is the best
    const double least = std::numeric_limits<double>::epsilon() * std::abs(b), half = 0.5 * (c - b);
    if (std::abs(half) <= least) break;
    if (std::abs(before) < least || std::abs(fa) <= std::abs(fb)) {
      before = step = half;
    } else {  // secant, or an inverse parabola through three points
      const double s = fb / fa;
      double p = 0, q = 0;
      if (a == c) {
        p = 2 * half * s, q = 1 - s;
      } else {
        const double u = fa / fc, w = fb / fc;
        p = s * (2 * half * u * (u - w) - (b - a) * (w - 1)), q = (u - 1) * (w - 1) * (s - 1);
      }
      if (p > 0) q = -q;
      p = std::abs(p);
      const bool inside = 2 * p < std::min(3 * half * q - std::abs(least * q), std::abs(before * q));
      before = inside ? step : half;
      step = inside ? p / q : half;
    }
    a = b, fa = fb;
    b += std::abs(step) > least ? step : std::copysign(least, half);
    fb = f(b);
  }
  return b;
}

}  // namespace jounce
