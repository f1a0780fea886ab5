// What every number type of Jounce has in common.
//
// An equation is a template over its scalar T. T = double gives a number, Series<K> a motion (series.hpp), Dual<N> a gradient
// (dual.hpp), and they nest. This page makes such a template readable: inside namespace jounce, `sin(x)`, `2.0 * x` and
// `value_of(x)` mean the right thing for every T, with no qualification and no promotion of constants.
#pragma once

#include <cmath>
#include <concepts>

namespace jounce {

// A number type: has the four operations, also with plain double on either side, and takes a double as a constant. Nothing is
// said about order (<): an equation may not branch on a scalar. Whoever must, says so with value_of(x).
template <class T>
concept Scalar = std::copyable<T> && std::convertible_to<double, T> && requires(const T a, const T b, const double c, T m) {
  { a + b } -> std::same_as<T>;
  { a - b } -> std::same_as<T>;
  { a * b } -> std::same_as<T>;
  { a / b } -> std::same_as<T>;
  { -a } -> std::same_as<T>;
  { a + c } -> std::same_as<T>;
  { c - a } -> std::same_as<T>;
  { c * a } -> std::same_as<T>;
  { a / c } -> std::same_as<T>;
  { m += b } -> std::same_as<T&>;
  { m -= b } -> std::same_as<T&>;
  { m *= c } -> std::same_as<T&>;
};

// The functions every scalar has. For double they are those of the standard library, visible in this namespace; but the
// sine and cosine of a double are asked of sincos(x), which is our own (turn.hpp) and the same on every machine.
using std::abs;
using std::acos;
using std::asin;
using std::atan;
using std::atan2;
using std::cos;
using std::cosh;
using std::exp;
using std::log;
using std::pow;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;

// Sine and cosine of one angle: for a series, the two cost as much as one.
template <class T>
struct SinCos {
  T sin, cos;
};

// The hyperbolic pair.
template <class T>
struct SinhCosh {
  T sinh, cosh;
};

/// To 1.5 units in the last place for |a| < 100. Compiled once and not inline: files that are compiled with fused products would give other
/// bits.
[[nodiscard]] SinCos<double> sincos(double a);
inline SinhCosh<double> sinhcosh(double a) { return {std::sinh(a), std::cosh(a)}; }
constexpr double sign(double a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : 0.0; }
constexpr double min(double a, double b) { return b < a ? b : a; }
constexpr double max(double a, double b) { return a < b ? b : a; }

// The leading double of a number, however it is nested: x at the time of expansion, without any derivative.
constexpr double value_of(double a) { return a; }

// Exactly zero, in every part.
constexpr bool is_zero(double a) { return a == 0.0; }

// Without any derivative part that differs from zero: what value_of leaves out is nothing.
constexpr bool is_constant(double) { return true; }

// True for an exponent that means repeated multiplication: then a zero or negative base is no obstacle.
inline bool is_whole(double p) { return p == std::floor(p) && std::abs(p) <= 2147483647.0; }

}  // namespace jounce
