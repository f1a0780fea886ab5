// Dual numbers: a value and its derivatives in N directions.
//
//   x = v + d_0 e_0 + … + d_{N-1} e_{N-1},     e_i e_j = 0
//
// Computing with the rule e_i e_j = 0 is the chain rule: f(x) = f(v) + f'(v) Σ d_i e_i. Make coordinate i the dual number
// Dual<N>::variable(q_i, i), evaluate a residual, and each result carries its row of the Jacobian, exact to rounding.
//
// T may itself be a scalar: Dual<9, Series<1>> is a Jacobian together with its rate of change. Every function below states its
// rule d(f) for one direction; `chain` applies it to all.
//
// Degenerate: where f' does not exist (series_functions.hpp lists the points) the directions are infinite or NaN, except for a
// constant, which has nothing to lose.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "jounce/base/require.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce {

template <int N, class T = double>
struct Dual {
  static_assert(N >= 1);

  T v{};
  std::array<T, N> d{};

  constexpr Dual() = default;
  constexpr Dual(double value) : v(value) {}
  constexpr Dual(const T& value)
    requires(!std::same_as<T, double>)
      : v(value) {}
  constexpr Dual(const T& value, const std::array<T, N>& directions) : v(value), d(directions) {}

  // The i-th of N independent variables.
  static constexpr Dual variable(const T& value, int i) {
    JOUNCE_REQUIRE(i >= 0 && i < N, "direction of a dual number out of range");
    Dual x;
    x.v = value;
    x.d[static_cast<std::size_t>(i)] = 1.0;
    return x;
  }

  constexpr const T& value() const { return v; }
};

template <int N, class T>
constexpr double value_of(const Dual<N, T>& a) {
  return value_of(a.v);
}

template <int N, class T>
constexpr bool is_zero(const Dual<N, T>& a) {
  for (const T& d : a.d)
    if (!is_zero(d)) return false;
  return is_zero(a.v);
}

template <int N, class T>
constexpr bool is_constant(const Dual<N, T>& a) {
  for (const T& d : a.d)
    if (!is_zero(d)) return false;
  return is_constant(a.v);
}

// f(a), where df is f'(a.v).
template <int N, class T>
constexpr Dual<N, T> chain(const Dual<N, T>& a, const T& f, const T& df) {
  Dual<N, T> y(f);
  for (std::size_t i = 0; i < N; ++i) y.d[i] = df * a.d[i];
  return y;
}

// f(a, b), where df_da and df_db are its partial derivatives.
template <int N, class T>
constexpr Dual<N, T> chain(const Dual<N, T>& a, const Dual<N, T>& b, const T& f, const T& df_da, const T& df_db) {
  Dual<N, T> y(f);
  for (std::size_t i = 0; i < N; ++i) y.d[i] = df_da * a.d[i] + df_db * b.d[i];
  return y;
}

// ---- The four operations ----------------------------------------------------------------------------------------------------

// d(−a) = −da
template <int N, class T>
constexpr Dual<N, T> operator-(Dual<N, T> a) {
  a.v = -a.v;
  for (T& d : a.d) d = -d;
  return a;
}

// d(a + b) = da + db
template <int N, class T>
constexpr Dual<N, T>& operator+=(Dual<N, T>& a, const Dual<N, T>& b) {
  a.v += b.v;
  for (std::size_t i = 0; i < N; ++i) a.d[i] += b.d[i];
  return a;
}

// d(a − b) = da − db
template <int N, class T>
constexpr Dual<N, T>& operator-=(Dual<N, T>& a, const Dual<N, T>& b) {
  a.v -= b.v;
  for (std::size_t i = 0; i < N; ++i) a.d[i] -= b.d[i];
  return a;
}

template <int N, class T>
constexpr Dual<N, T> operator+(Dual<N, T> a, const Dual<N, T>& b) {
  a += b;
  return a;
}

template <int N, class T>
constexpr Dual<N, T> operator-(Dual<N, T> a, const Dual<N, T>& b) {
  a -= b;
  return a;
}

// d(a b) = b da + a db
template <int N, class T>
constexpr Dual<N, T> operator*(const Dual<N, T>& a, const Dual<N, T>& b) {
  return chain(a, b, a.v * b.v, b.v, a.v);
}

// y = a / b:   dy = (da − y db) / b
template <int N, class T>
constexpr Dual<N, T> operator/(const Dual<N, T>& a, const Dual<N, T>& b) {
  Dual<N, T> y(a.v / b.v);
  for (std::size_t i = 0; i < N; ++i) y.d[i] = (a.d[i] - y.v * b.d[i]) / b.v;
  return y;
}

template <int N, class T>
constexpr Dual<N, T>& operator*=(Dual<N, T>& a, const Dual<N, T>& b) {
  return a = a * b;
}

template <int N, class T>
constexpr Dual<N, T>& operator/=(Dual<N, T>& a, const Dual<N, T>& b) {
  return a = a / b;
}

// ---- With a plain number, or with a T that has no directions: no promotion --------------------------------------------------

// What may stand beside a Dual<N, T> as a constant. A double is taken as such, anything else as T.
template <class C, class T>
concept ConstantFor = std::is_arithmetic_v<C> || std::same_as<C, T>;

template <class C>
using Plain = std::conditional_t<std::is_arithmetic_v<C>, double, const C&>;

template <int N, class T, ConstantFor<T> C>
constexpr Dual<N, T>& operator+=(Dual<N, T>& a, const C& b) {
  a.v += static_cast<Plain<C>>(b);
  return a;
}

template <int N, class T, ConstantFor<T> C>
constexpr Dual<N, T>& operator-=(Dual<N, T>& a, const C& b) {
  a.v -= static_cast<Plain<C>>(b);
  return a;
}

template <int N, class T, ConstantFor<T> C>
constexpr Dual<N, T>& operator*=(Dual<N, T>& a, const C& b) {
  a.v *= static_cast<Plain<C>>(b);
  for (T& d : a.d) d *= static_cast<Plain<C>>(b);
  return a;
}

template <int N, class T, ConstantFor<T> C>
constexpr Dual<N, T>& operator/=(Dual<N, T>& a, const C& b) {
  a.v /= static_cast<Plain<C>>(b);
  for (T& d : a.d) d /= static_cast<Plain<C>>(b);
  return a;
}

template <int N, class T, ConstantFor<T> C>
constexpr Dual<N, T> operator+(Dual<N, T> a, const C& b) {
  a += b;
  return a;
}

template <int N, class T, ConstantFor<T> C>
constexpr Dual<N, T> operator+(const C& a, Dual<N, T> b) {
  b += a;
  return b;
}

template <int N, class T, ConstantFor<T> C>
constexpr Dual<N, T> operator-(Dual<N, T> a, const C& b) {
  a -= b;
  return a;
}

template <int N, class T, ConstantFor<T> C>
constexpr Dual<N, T> operator-(const C& a, const Dual<N, T>& b) {
  return -b + a;
}

template <int N, class T, ConstantFor<T> C>
constexpr Dual<N, T> operator*(Dual<N, T> a, const C& b) {
  a *= b;
  return a;
}

template <int N, class T, ConstantFor<T> C>
constexpr Dual<N, T> operator*(const C& a, Dual<N, T> b) {
  b *= a;
  return b;
}

template <int N, class T, ConstantFor<T> C>
constexpr Dual<N, T> operator/(Dual<N, T> a, const C& b) {
  a /= b;
  return a;
}

// y = a / b:   dy = −y db / b
template <int N, class T, ConstantFor<T> C>
constexpr Dual<N, T> operator/(const C& a, const Dual<N, T>& b) {
  const T y = static_cast<Plain<C>>(a) / b.v;
  return chain(b, y, T(-y / b.v));
}

// ---- Elementary functions ---------------------------------------------------------------------------------------------------

// d(exp a) = exp a da
template <int N, class T>
Dual<N, T> exp(const Dual<N, T>& a) {
  const T y = exp(a.v);
  return chain(a, y, y);
}

// d(log a) = da / a
template <int N, class T>
Dual<N, T> log(const Dual<N, T>& a) {
  return chain(a, T(log(a.v)), T(1.0 / a.v));
}

// d(sin a) = cos a da,   d(cos a) = −sin a da
template <int N, class T>
SinCos<Dual<N, T>> sincos(const Dual<N, T>& a) {
  const auto [s, c] = sincos(a.v);
  return {chain(a, s, c), chain(a, c, T(-s))};
}

// d(sinh a) = cosh a da,   d(cosh a) = sinh a da
template <int N, class T>
SinhCosh<Dual<N, T>> sinhcosh(const Dual<N, T>& a) {
  const auto [s, c] = sinhcosh(a.v);
  return {chain(a, s, c), chain(a, c, s)};
}

template <int N, class T>
Dual<N, T> sin(const Dual<N, T>& a) {
  return sincos(a).sin;
}

template <int N, class T>
Dual<N, T> cos(const Dual<N, T>& a) {
  return sincos(a).cos;
}

template <int N, class T>
Dual<N, T> sinh(const Dual<N, T>& a) {
  return sinhcosh(a).sinh;
}

template <int N, class T>
Dual<N, T> cosh(const Dual<N, T>& a) {
  return sinhcosh(a).cosh;
}

// y = tan a:   dy = (1 + y²) da
template <int N, class T>
Dual<N, T> tan(const Dual<N, T>& a) {
  const T y = tan(a.v);
  return chain(a, y, T(1.0 + y * y));
}

// d(tanh a) = da / cosh² a
template <int N, class T>
Dual<N, T> tanh(const Dual<N, T>& a) {
  const T c = cosh(a.v);
  return chain(a, T(tanh(a.v)), T(1.0 / c / c));
}

// d(sqrt a) = da / (2 sqrt a)
template <int N, class T>
Dual<N, T> sqrt(const Dual<N, T>& a) {
  const T y = sqrt(a.v);
  if (is_constant(a)) return y;
  return chain(a, y, T(0.5 / y));
}

// d(asin a) = da / sqrt(1 − a²), the radicand as (1 − a)(1 + a), which does not cancel near ±1
template <int N, class T>
Dual<N, T> asin(const Dual<N, T>& a) {
  if (is_constant(a)) return T(asin(a.v));
  return chain(a, T(asin(a.v)), T(1.0 / sqrt((1.0 - a.v) * (1.0 + a.v))));
}

// d(acos a) = −da / sqrt(1 − a²)
template <int N, class T>
Dual<N, T> acos(const Dual<N, T>& a) {
  if (is_constant(a)) return T(acos(a.v));
  return chain(a, T(acos(a.v)), T(-1.0 / sqrt((1.0 - a.v) * (1.0 + a.v))));
}

// d(atan a) = da / (1 + a²)
template <int N, class T>
Dual<N, T> atan(const Dual<N, T>& a) {
  return chain(a, T(atan(a.v)), T(1.0 / (1.0 + a.v * a.v)));
}

// d(atan2(y, x)) = (x dy − y dx) / (x² + y²)
template <int N, class T>
Dual<N, T> atan2(const Dual<N, T>& y, const Dual<N, T>& x) {
  const T r = x.v * x.v + y.v * y.v;
  return chain(y, x, T(atan2(y.v, x.v)), T(x.v / r), T(-y.v / r));
}

template <int N, class T>
Dual<N, T> atan2(const Dual<N, T>& y, double x) {
  return atan2(y, Dual<N, T>(x));
}

template <int N, class T>
Dual<N, T> atan2(double y, const Dual<N, T>& x) {
  return atan2(Dual<N, T>(y), x);
}

// d(a^p) = p a^{p-1} da, p a number
template <int N, class T>
Dual<N, T> pow(const Dual<N, T>& a, double p) {
  const T y = pow(a.v, p);
  if (p == 0 || is_constant(a)) return y;
  return chain(a, y, T(p * pow(a.v, p - 1.0)));
}

// d(b^p) = b^p log b dp, b a number
template <int N, class T>
Dual<N, T> pow(double b, const Dual<N, T>& p) {
  const T y = pow(b, p.v);
  if (is_constant(p)) return y;
  return chain(p, y, T(y * log(b)));
}

// d(a^p) = p a^{p-1} da + a^p log a dp; an exponent that is constant is a number after all
template <int N, class T>
Dual<N, T> pow(const Dual<N, T>& a, const Dual<N, T>& p) {
  if (is_constant(p)) return pow(a, value_of(p));
  const T y = pow(a.v, p.v);
  return chain(a, p, y, T(p.v * pow(a.v, p.v - 1.0)), T(y * log(a.v)));
}

// ---- Functions with a kink: each is smooth on either side of it; keeping away from it is the caller's business --------------

// d|a| = sign(a) da
template <int N, class T>
constexpr Dual<N, T> abs(const Dual<N, T>& a) {
  return value_of(a) < 0 ? -a : a;
}

// d(sign a) = 0
template <int N, class T>
constexpr Dual<N, T> sign(const Dual<N, T>& a) {
  return sign(value_of(a));
}

// The derivatives of the one with the smaller value; of the first when equal.
template <int N, class T>
constexpr Dual<N, T> min(const Dual<N, T>& a, const Dual<N, T>& b) {
  return value_of(b) < value_of(a) ? b : a;
}

template <int N, class T>
constexpr Dual<N, T> min(const Dual<N, T>& a, double b) {
  return b < value_of(a) ? Dual<N, T>(b) : a;
}

template <int N, class T>
constexpr Dual<N, T> min(double a, const Dual<N, T>& b) {
  return value_of(b) < a ? b : Dual<N, T>(a);
}

// The derivatives of the one with the larger value; of the first when equal.
template <int N, class T>
constexpr Dual<N, T> max(const Dual<N, T>& a, const Dual<N, T>& b) {
  return value_of(a) < value_of(b) ? b : a;
}

template <int N, class T>
constexpr Dual<N, T> max(const Dual<N, T>& a, double b) {
  return value_of(a) < b ? Dual<N, T>(b) : a;
}

template <int N, class T>
constexpr Dual<N, T> max(double a, const Dual<N, T>& b) {
  return a < value_of(b) ? b : Dual<N, T>(a);
}

}  // namespace jounce
