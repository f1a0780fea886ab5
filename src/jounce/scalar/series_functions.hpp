// The elementary functions of truncated series, each recurrence stated once and written once, for every storage.
//
// All of them come from one trick. If y = f(a), then y' = f'(a) a'. Multiply by t: the series t y' has the coefficients k y_k,
// and (t a') b has Σ i a_i b_{k-i} (i = 1 … k), here called slope_sum. So a first-order differential equation satisfied by f
// becomes a recurrence: y_k from y_0 … y_{k-1}. Each comment below gives that recurrence for k = 1 … K; the value at k = 0 is
// the ordinary function of a_0.
//
// Degenerate: log and non-whole powers at value 0, sqrt at 0, asin and acos at ±1, atan2 at (0, 0): the derivatives do not
// exist, and the coefficients are infinite or NaN. A constant argument of sqrt, asin, acos or pow has no derivatives to lose
// and gives a constant.
#pragma once

#include "jounce/scalar/series_arithmetic.hpp"

namespace jounce {

// ---- exp, sin, cos and their hyperbolic twins -------------------------------------------------------------------------------

// y' = y a', given y_0:   k y_k = Σ i a_i y_{k-i},  i = 1 … k
template <TruncatedSeries S>
S exp_from(const S& a, const typename S::Coefficient& y_0) {
  S y = constant_like(a, y_0);
  for (int k = 1; k <= y.order(); ++k) y[k] = slope_sum(a, y, k, k) / double(k);
  return y;
}

template <TruncatedSeries S>
S exp(const S& a) {
  return exp_from(a, exp(a[0]));
}

// s = sin a, c = cos a:   k s_k = Σ i a_i c_{k-i},   k c_k = −Σ i a_i s_{k-i},  i = 1 … k
template <TruncatedSeries S>
SinCos<S> sincos(const S& a) {
  const auto [s_0, c_0] = sincos(a[0]);
  S s = constant_like(a, s_0), c = constant_like(a, c_0);
  for (int k = 1; k <= s.order(); ++k) {
    s[k] = slope_sum(a, c, k, k) / double(k);
    c[k] = -slope_sum(a, s, k, k) / double(k);
  }
  return {s, c};
}

// s = sinh a, c = cosh a:   k s_k = Σ i a_i c_{k-i},   k c_k = Σ i a_i s_{k-i},  i = 1 … k
template <TruncatedSeries S>
SinhCosh<S> sinhcosh(const S& a) {
  const auto [s_0, c_0] = sinhcosh(a[0]);
  S s = constant_like(a, s_0), c = constant_like(a, c_0);
  for (int k = 1; k <= s.order(); ++k) {
    s[k] = slope_sum(a, c, k, k) / double(k);
    c[k] = slope_sum(a, s, k, k) / double(k);
  }
  return {s, c};
}

template <TruncatedSeries S>
S sin(const S& a) {
  return sincos(a).sin;
}

template <TruncatedSeries S>
S cos(const S& a) {
  return sincos(a).cos;
}

template <TruncatedSeries S>
S sinh(const S& a) {
  return sinhcosh(a).sinh;
}

template <TruncatedSeries S>
S cosh(const S& a) {
  return sinhcosh(a).cosh;
}

// y = tan a, w = y' / a' = 1 + y²:   k y_k = Σ i a_i w_{k-i},  i = 1 … k;   w_k = Σ y_i y_{k-i},  i = 0 … k
template <TruncatedSeries S>
S tan(const S& a) {
  S y = constant_like(a, tan(a[0]));
  S w = constant_like(a, 1.0 + y[0] * y[0]);
  for (int k = 1; k <= y.order(); ++k) {
    y[k] = slope_sum(a, w, k, k) / double(k);
    w[k] = product_sum(y, y, k, 0, k);
  }
  return y;
}

// y = tanh a, w = y' / a' = 1 − y² = 1 / cosh² a:   k y_k = Σ i a_i w_{k-i},  i = 1 … k;   w_k = −Σ y_i y_{k-i},  i = 0 … k
template <TruncatedSeries S>
S tanh(const S& a) {
  const typename S::Coefficient c_0 = cosh(a[0]);
  S y = constant_like(a, tanh(a[0]));
  S w = constant_like(a, 1.0 / c_0 / c_0);  // 1 − y_0² would cancel where tanh saturates
  for (int k = 1; k <= y.order(); ++k) {
    y[k] = slope_sum(a, w, k, k) / double(k);
    w[k] = -product_sum(y, y, k, 0, k);
  }
  return y;
}

// ---- Functions whose derivative is a quotient: log and the inverse trigonometric ones ---------------------------------------

// y' = a' / r, given y_0:   y_k = (a_k − (1/k) Σ i y_i r_{k-i}) / r_0,  i = 1 … k−1
template <TruncatedSeries S>
S integrate_quotient(const S& a, const S& r, const typename S::Coefficient& y_0) {
  S y = constant_like(a, y_0);
  for (int k = 1; k <= y.order(); ++k) y[k] = (a[k] - slope_sum(y, r, k, k - 1) / double(k)) / r[0];
  return y;
}

// y' = a' / a
template <TruncatedSeries S>
S log(const S& a) {
  return integrate_quotient(a, a, log(a[0]));
}

// y' = a' / (1 + a²)
template <TruncatedSeries S>
S atan(const S& a) {
  return integrate_quotient(a, 1.0 + a * a, atan(a[0]));
}

// y = sqrt a:   y_k = (a_k − Σ y_i y_{k-i}) / (2 y_0),  i = 1 … k−1
template <TruncatedSeries S>
S sqrt(const S& a) {
  S y = constant_like(a, sqrt(a[0]));
  if (is_constant(a)) return y;
  for (int k = 1; k <= y.order(); ++k) y[k] = (a[k] - product_sum(y, y, k, 1, k - 1)) / (2.0 * y[0]);
  return y;
}

// y' = a' / sqrt(1 − a²), the radicand as (1 − a)(1 + a), which does not cancel near ±1
template <TruncatedSeries S>
S asin(const S& a) {
  if (is_constant(a)) return constant_like(a, asin(a[0]));
  return integrate_quotient(a, sqrt((1.0 - a) * (1.0 + a)), asin(a[0]));
}

// y' = −a' / sqrt(1 − a²)
template <TruncatedSeries S>
S acos(const S& a) {
  if (is_constant(a)) return constant_like(a, acos(a[0]));
  return integrate_quotient(a, -sqrt((1.0 - a) * (1.0 + a)), acos(a[0]));
}

// p = atan2(y, x), r = x² + y², r p' = x y' − y x':
//   p_k = (Σ i (y_i x_{k-i} − x_i y_{k-i}), i = 1 … k,  −  Σ i p_i r_{k-i}, i = 1 … k−1) / (k r_0)
template <TruncatedSeries S>
S atan2(const S& y, const S& x) {
  if (y.is_number() && !x.is_number()) return atan2(constant_like(x, y[0]), x);
  if (x.is_number() && !y.is_number()) return atan2(y, constant_like(y, x[0]));
  require_same_order(y, x);
  S p = constant_like(y, atan2(y[0], x[0]));
  const S r = x * x + y * y;
  for (int k = 1; k <= p.order(); ++k) {
    p[k] = (slope_sum(y, x, k, k) - slope_sum(x, y, k, k) - slope_sum(p, r, k, k - 1)) / (double(k) * r[0]);
  }
  return p;
}

template <TruncatedSeries S>
S atan2(const S& y, double x) {
  return atan2(y, constant_like(y, x));
}

template <TruncatedSeries S>
S atan2(double y, const S& x) {
  return atan2(constant_like(x, y), x);
}

// ---- Powers -----------------------------------------------------------------------------------------------------------------

// a^n by squaring, n ≥ 0: nothing but products, so any base will do.
template <TruncatedSeries S>
constexpr S whole_power(const S& a, unsigned n) {
  if (n == 0) return constant_like(a, 1.0);
  unsigned bit = 1;
  while (bit <= n / 2) bit *= 2;
  S y = a;
  while (bit /= 2) {
    y *= y;
    if (n & bit) y *= a;
  }
  return y;
}

// y = a^p, p a number. Whole p: products (and one quotient for p < 0). Otherwise a y' = p a' y:
//   y_k = Σ (p i − (k − i)) a_i y_{k-i} / (k a_0),  i = 1 … k
template <TruncatedSeries S>
S pow(const S& a, double p) {
  if (is_whole(p)) return p >= 0 ? whole_power(a, unsigned(p)) : 1.0 / whole_power(a, unsigned(-p));
  S y = constant_like(a, pow(a[0], p));
  if (is_constant(a)) return y;
  for (int k = 1; k <= y.order(); ++k) {
    for (int i = 1; i <= k; ++i) y[k] += (p * i - (k - i)) * a[i] * y[k - i];
    y[k] /= double(k) * a[0];
  }
  return y;
}

// y = b^p, b a number:   y = exp(p log b)
template <TruncatedSeries S>
S pow(double b, const S& p) {
  if (is_constant(p)) return constant_like(p, pow(b, p[0]));
  return exp_from(p * log(b), pow(b, p[0]));
}

// y = a^p:   y = exp(p log a); an exponent that is constant is a number after all
template <TruncatedSeries S>
S pow(const S& a, const S& p) {
  if (is_constant(p)) return pow(a, value_of(p));
  if (a.is_number()) return exp_from(p * log(a[0]), pow(a[0], p[0]));
  return exp_from(p * log(a), pow(a[0], p[0]));
}

// ---- Functions with a kink: each is smooth on either side of it; keeping away from it is the caller's business --------------

// |a| = a where a_0 ≥ 0, −a elsewhere
template <TruncatedSeries S>
constexpr S abs(const S& a) {
  return value_of(a) < 0 ? -a : a;
}

// 1, −1, or 0 at value 0
template <TruncatedSeries S>
constexpr S sign(const S& a) {
  return constant_like(a, sign(value_of(a)));
}

// The one with the smaller value; the first when equal.
template <TruncatedSeries S>
constexpr S min(const S& a, const S& b) {
  return value_of(b) < value_of(a) ? b : a;
}

template <TruncatedSeries S>
constexpr S min(const S& a, double b) {
  return b < value_of(a) ? constant_like(a, b) : a;
}

template <TruncatedSeries S>
constexpr S min(double a, const S& b) {
  return value_of(b) < a ? b : constant_like(b, a);
}

// The one with the larger value; the first when equal.
template <TruncatedSeries S>
constexpr S max(const S& a, const S& b) {
  return value_of(a) < value_of(b) ? b : a;
}

template <TruncatedSeries S>
constexpr S max(const S& a, double b) {
  return value_of(a) < b ? constant_like(a, b) : a;
}

template <TruncatedSeries S>
constexpr S max(double a, const S& b) {
  return a < value_of(b) ? b : constant_like(b, a);
}

}  // namespace jounce
