// What the tests of this rung share: tolerances with their reasons, seeded random series, and the list of functions.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string_view>
#include <tuple>
#include <utility>

#include "jounce/scalar/dual.hpp"
#include "jounce/scalar/series.hpp"

namespace jounce::test {

// n roundings, each half a unit in the last place at most, all in the same direction.
constexpr double round_off(double n) { return n * 0.5 * std::numeric_limits<double>::epsilon(); }

// An identity of three or four nested functions at order 16: each coefficient is a sum of up to 17 products, of numbers that
// are such sums themselves, 4 · 17 · 17 roundings.
constexpr double kIdentity = round_off(4 * 17 * 17);

// One function at order 10 against the reference: 11 products of sums of 11, a few ulp from the library function at the start,
// and the argument's own distance to a branch point or pole (at least 1/1000 of its size, but rounded to 1 ulp of its size).
constexpr double kReference = round_off(11 * 11 + 1000);

// One dual number through one function: a handful of operations, amplified by the slope at the ends of the ranges (below 10).
constexpr double kDual = round_off(100);

constexpr int kHighestOrder = 16;

// Largest difference of two series, relative to the largest coefficient (or to 1). Anything non-finite is infinitely far.
template <TruncatedSeries S>
double gap(const S& a, const S& b) {
  double difference = 0.0, scale = 1.0;
  for (int k = 0; k <= b.order(); ++k) {
    if (!std::isfinite(a[k]) || !std::isfinite(b[k])) return std::numeric_limits<double>::infinity();
    difference = std::max(difference, std::abs(a[k] - b[k]));
    scale = std::max(scale, std::abs(b[k]));
  }
  return difference / scale;
}

inline double gap(double a, double b) { return std::abs(a - b) / std::max(1.0, std::abs(b)); }

struct Random {
  std::mt19937 engine{20250101};

  double between(double low, double high) { return low + (high - low) * (double(engine()) / double(std::mt19937::max())); }

  // A random series of the order of `pattern`, its value in [low, high], its coefficients falling like 2^-k: a motion that is
  // slow compared with the unit of time, so that identities are not tests of cancellation.
  template <TruncatedSeries S>
  S like(const S& pattern, double low, double high) {
    S x = constant_like(pattern, between(low, high));
    double amplitude = 0.5;
    for (int k = 1; k <= x.order(); ++k, amplitude *= 0.5) x[k] = between(-amplitude, amplitude);
    return x;
  }
};

// f(pattern) for some fixed orders. Not all of 0 … 16: the loops are those of AnySeries, and compiling takes time.
template <class F>
void for_every_fixed_order(F&& f) {
  const auto each = [&]<int... K>(std::integer_sequence<int, K...>) { (f(Series<K>{}), ...); };
  each(std::integer_sequence<int, 0, 1, 2, 3, 4, 8, kHighestOrder>{});
}

// f(pattern) in both storages, run-time orders 0 … 16.
template <class F>
void for_every_series(F&& f) {
  for_every_fixed_order(f);
  for (int order = 0; order <= kHighestOrder; ++order) f(AnySeries::of_order(order));
}

// A function of one argument and a range where it is smooth.
template <class F>
struct Unary {
  std::string_view name;
  F f;
  double low, high;
};
template <class F>
Unary(std::string_view, F, double, double) -> Unary<F>;

// clang-format off
inline const std::tuple kUnary{
    Unary{"sin", [](const auto& x) { return sin(x); }, -4.0, 4.0},
    Unary{"cos", [](const auto& x) { return cos(x); }, -4.0, 4.0},
    Unary{"tan", [](const auto& x) { return tan(x); }, -1.2, 1.2},
    Unary{"asin", [](const auto& x) { return asin(x); }, -0.8, 0.8},
    Unary{"acos", [](const auto& x) { return acos(x); }, -0.8, 0.8},
    Unary{"atan", [](const auto& x) { return atan(x); }, -3.0, 3.0},
    Unary{"sinh", [](const auto& x) { return sinh(x); }, -3.0, 3.0},
    Unary{"cosh", [](const auto& x) { return cosh(x); }, -3.0, 3.0},
    Unary{"tanh", [](const auto& x) { return tanh(x); }, -3.0, 3.0},
    Unary{"exp", [](const auto& x) { return exp(x); }, -3.0, 3.0},
    Unary{"log", [](const auto& x) { return log(x); }, 0.8, 4.0},
    Unary{"sqrt", [](const auto& x) { return sqrt(x); }, 0.8, 4.0},
    Unary{"pow(x, 3)", [](const auto& x) { return pow(x, 3.0); }, -2.0, 2.0},
    Unary{"pow(x, -2)", [](const auto& x) { return pow(x, -2.0); }, 0.8, 2.0},
    Unary{"pow(x, 2.5)", [](const auto& x) { return pow(x, 2.5); }, 0.8, 2.0},
    Unary{"pow(2, x)", [](const auto& x) { return pow(2.0, x); }, -2.0, 2.0},
    Unary{"pow(x, x)", [](const auto& x) { return pow(x, x); }, 0.8, 2.0},
    Unary{"atan2(x, 2)", [](const auto& x) { return atan2(x, 2.0); }, -2.0, 2.0},
    Unary{"atan2(2, x)", [](const auto& x) { return atan2(2.0, x); }, -2.0, 2.0},
    Unary{"atan2(x, x - 3)", [](const auto& x) { return atan2(x, x - 3.0); }, 0.1, 2.0},
    Unary{"abs", [](const auto& x) { return abs(x); }, -2.0, -0.1},
    Unary{"sign", [](const auto& x) { return sign(x); }, -2.0, -0.1},
    Unary{"min(x, 1)", [](const auto& x) { return min(x, 1.0); }, -1.0, 3.0},
    Unary{"max(1, x)", [](const auto& x) { return max(1.0, x); }, -1.0, 3.0},
    Unary{"rational", [](const auto& x) { return (2.0 - x) / (1.0 + x * x) + 1.0 / (x - 5.0) - x / 3.0; }, -2.0, 2.0}};
// clang-format on

// g(unary) for each of them.
template <class G>
void for_every_function(G&& g) {
  std::apply([&](const auto&... unary) { (g(unary), ...); }, kUnary);
}

}  // namespace jounce::test
