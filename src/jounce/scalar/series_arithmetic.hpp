// The four operations on truncated series, each loop written once.
//
// A type is a truncated series when it can say its order K, give coefficient k as x[k], and make a zero series of its own
// order. Series<K, T> and AnySeries (series.hpp) differ in storage only; both run the loops below and those of
// series_functions.hpp. In the formulas a_k is a[k]. The same table, with its reasons, is docs/theory/series.md.
//
// Degenerate: a divisor whose value is 0 gives infinities or NaN, as with double.
#pragma once

#include "jounce/base/require.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce {

template <class S>
concept TruncatedSeries = requires(const S& a, S& y, int k) {
  typename S::Coefficient;
  { a.order() } -> std::same_as<int>;
  { a.is_number() } -> std::same_as<bool>;  // a plain number in the clothes of a series: takes the order of its partner
  { a.blank() } -> std::same_as<S>;         // zero, of the same order
  { y[k] } -> std::same_as<typename S::Coefficient&>;
};

// Coefficients that are themselves more than a double, as in Series<K, Dual<N>>.
template <class S>
concept NestedSeries = TruncatedSeries<S> && !std::same_as<typename S::Coefficient, double>;

// ---- Properties -------------------------------------------------------------------------------------------------------------

template <TruncatedSeries S>
constexpr double value_of(const S& a) {
  return value_of(a[0]);
}

template <TruncatedSeries S>
constexpr bool is_zero(const S& a) {
  for (int k = 0; k <= a.order(); ++k)
    if (!is_zero(a[k])) return false;
  return true;
}

template <TruncatedSeries S>
constexpr bool is_constant(const S& a) {
  for (int k = 1; k <= a.order(); ++k)
    if (!is_zero(a[k])) return false;
  return is_constant(a[0]);
}

// A constant of the order of `pattern`.
template <TruncatedSeries S>
constexpr S constant_like(const S& pattern, const typename S::Coefficient& value) {
  S y = pattern.blank();
  y[0] = value;
  return y;
}

// k-th derivative at the time of expansion: k! a_k.
template <TruncatedSeries S>
constexpr typename S::Coefficient derivative(const S& a, int k) {
  JOUNCE_REQUIRE(k >= 0 && k <= a.order(), "derivative beyond the order of the series");
  double factorial = 1.0;
  for (int i = 2; i <= k; ++i) factorial *= i;
  return factorial * a[k];
}

// The polynomial a_0 + a_1 t + … + a_K t^K at t, by Horner's scheme.
template <TruncatedSeries S>
constexpr typename S::Coefficient evaluate(const S& a, double t) {
  typename S::Coefficient y = a[a.order()];
  for (int k = a.order() - 1; k >= 0; --k) y = y * t + a[k];
  return y;
}

// ---- The two sums -----------------------------------------------------------------------------------------------------------

// Σ a_i b_{k-i}, i = first … last.
template <TruncatedSeries S>
constexpr typename S::Coefficient product_sum(const S& a, const S& b, int k, int first, int last) {
  typename S::Coefficient sum = 0.0;
  for (int i = first; i <= last; ++i) sum += a[i] * b[k - i];
  return sum;
}

// Σ i a_i b_{k-i}, i = 1 … last.
template <TruncatedSeries S>
constexpr typename S::Coefficient slope_sum(const S& a, const S& b, int k, int last) {
  typename S::Coefficient sum = 0.0;
  for (int i = 1; i <= last; ++i) sum += double(i) * a[i] * b[k - i];
  return sum;
}

template <TruncatedSeries S>
constexpr void require_same_order(const S& a, const S& b) {
  JOUNCE_REQUIRE(a.order() == b.order(), "series of different orders in one operation");
}

// ---- Sum and difference: coefficient by coefficient -------------------------------------------------------------------------

template <TruncatedSeries S>
constexpr S operator-(S a) {
  for (int k = 0; k <= a.order(); ++k) a[k] = -a[k];
  return a;
}

template <TruncatedSeries S>
constexpr S& operator+=(S& a, const S& b) {
  if (b.is_number()) return a[0] += b[0], a;
  if (a.is_number()) return a = b + a[0];
  require_same_order(a, b);
  for (int k = 0; k <= a.order(); ++k) a[k] += b[k];
  return a;
}

template <TruncatedSeries S>
constexpr S& operator-=(S& a, const S& b) {
  if (b.is_number()) return a[0] -= b[0], a;
  if (a.is_number()) return a = a[0] - b;
  require_same_order(a, b);
  for (int k = 0; k <= a.order(); ++k) a[k] -= b[k];
  return a;
}

template <TruncatedSeries S>
constexpr S operator+(S a, const S& b) {
  a += b;
  return a;
}

template <TruncatedSeries S>
constexpr S operator-(S a, const S& b) {
  a -= b;
  return a;
}

// ---- Product and quotient ---------------------------------------------------------------------------------------------------

// y = a b:   y_k = Σ a_i b_{k-i},  i = 0 … k
template <TruncatedSeries S>
constexpr S operator*(const S& a, const S& b) {
  if (b.is_number()) return a * b[0];
  if (a.is_number()) return a[0] * b;
  require_same_order(a, b);
  S y = a.blank();
  for (int k = 0; k <= y.order(); ++k) y[k] = product_sum(a, b, k, 0, k);
  return y;
}

// y = a / b:   y_k = (a_k − Σ b_i y_{k-i}) / b_0,  i = 1 … k
template <TruncatedSeries S>
constexpr S operator/(S a, const S& b) {
  if (b.is_number()) return a / b[0];
  if (a.is_number()) a = constant_like(b, a[0]);
  require_same_order(a, b);
  S& y = a;  // a_k is read for the last time where y_k is written
  for (int k = 0; k <= y.order(); ++k) y[k] = (a[k] - product_sum(b, y, k, 1, k)) / b[0];
  return a;
}

template <TruncatedSeries S>
constexpr S& operator*=(S& a, const S& b) {
  return a = a * b;
}

template <TruncatedSeries S>
constexpr S& operator/=(S& a, const S& b) {
  return a = a / b;
}

// ---- With a plain number: no promotion, so a constant costs what a constant should ------------------------------------------

template <TruncatedSeries S>
constexpr S& operator+=(S& a, double b) {
  a[0] += b;
  return a;
}

template <TruncatedSeries S>
constexpr S& operator-=(S& a, double b) {
  a[0] -= b;
  return a;
}

template <TruncatedSeries S>
constexpr S& operator*=(S& a, double b) {
  for (int k = 0; k <= a.order(); ++k) a[k] *= b;
  return a;
}

template <TruncatedSeries S>
constexpr S& operator/=(S& a, double b) {
  for (int k = 0; k <= a.order(); ++k) a[k] /= b;
  return a;
}

template <TruncatedSeries S>
constexpr S operator+(S a, double b) {
  a += b;
  return a;
}

template <TruncatedSeries S>
constexpr S operator+(double a, S b) {
  b += a;
  return b;
}

template <TruncatedSeries S>
constexpr S operator-(S a, double b) {
  a -= b;
  return a;
}

template <TruncatedSeries S>
constexpr S operator-(double a, S b) {
  b = -b;
  b += a;
  return b;
}

template <TruncatedSeries S>
constexpr S operator*(S a, double b) {
  a *= b;
  return a;
}

template <TruncatedSeries S>
constexpr S operator*(double a, S b) {
  b *= a;
  return b;
}

template <TruncatedSeries S>
constexpr S operator/(S a, double b) {
  a /= b;
  return a;
}

template <TruncatedSeries S>
constexpr S operator/(double a, const S& b) {
  return constant_like(b, a) / b;
}

// ---- With one coefficient: Series<K, Dual<N>> times Dual<N> and the like ----------------------------------------------------

template <NestedSeries S>
constexpr S operator+(S a, const typename S::Coefficient& b) {
  a[0] += b;
  return a;
}

template <NestedSeries S>
constexpr S operator+(const typename S::Coefficient& a, S b) {
  b[0] = a + b[0];
  return b;
}

template <NestedSeries S>
constexpr S operator-(S a, const typename S::Coefficient& b) {
  a[0] -= b;
  return a;
}

template <NestedSeries S>
constexpr S operator-(const typename S::Coefficient& a, const S& b) {
  return a + -b;
}

template <NestedSeries S>
constexpr S operator*(S a, const typename S::Coefficient& b) {
  for (int k = 0; k <= a.order(); ++k) a[k] *= b;
  return a;
}

template <NestedSeries S>
constexpr S operator*(const typename S::Coefficient& a, const S& b) {
  return b * a;
}

template <NestedSeries S>
constexpr S operator/(S a, const typename S::Coefficient& b) {
  for (int k = 0; k <= a.order(); ++k) a[k] /= b;
  return a;
}

template <NestedSeries S>
constexpr S operator/(const typename S::Coefficient& a, const S& b) {
  return constant_like(b, a) / b;
}

}  // namespace jounce
