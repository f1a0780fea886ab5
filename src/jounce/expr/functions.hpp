// The functions of expressions on any scalar, each with the edge of its domain.
//
// A function returns nullptr and fills `out`, or returns what is wrong (a sentence for `describe`) and leaves `out` alone. A
// scalar other than double carries derivatives, so points where these do not exist (sqrt at 0, the kink of abs) are outside
// its domain. Arguments are finite; overflow is looked for by the caller.
#pragma once

#include <array>
#include <cmath>
#include <type_traits>

#include "jounce/expr/lookup_table.hpp"
#include "jounce/expr/program.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce::functions {

using Trouble = const char*;

inline constexpr Trouble kOverflow = "{} is not a finite number";

template <class T>
inline constexpr bool has_derivatives = !std::is_same_v<T, double>;

/// Does x carry derivatives that differ from zero? A constant has none to lose at a kink.
template <class T>
bool varies(const T& x) {
  return has_derivatives<T> && !is_constant(x);
}

/// Are the number and all its derivatives finite?
template <class T>
bool all_finite(const T& x) {
  return is_zero(x * 0.0);
}

/// Where the order of the scalar is chosen at run time, a result no variable entered (max(t, 5) = 5) takes that of the
/// variables.
template <class T, class Variables>
void take_order(T& out, const Variables& variables) {
  if constexpr (requires { out.is_number(); }) {
    for (const T& x : variables)
      if (out.is_number() && !x.is_number()) out = constant_like(x, out[0]);
  }
}

/// Do two scalars differ, in value or in any derivative?
template <class A, class B>
bool differ(const A& x, const B& y) {
  return !is_zero(x - y);
}

template <class T>
Trouble arc_sine(const T& x, T& out) {
  const double v = std::abs(value_of(x));
  if (v > 1) return "asin of a number outside [-1, 1]: {}";
  if (varies(x) && v == 1) return "asin has no derivative at -1 and 1: {}";
  return out = asin(x), nullptr;
}

template <class T>
Trouble arc_cosine(const T& x, T& out) {
  const double v = std::abs(value_of(x));
  if (v > 1) return "acos of a number outside [-1, 1]: {}";
  if (varies(x) && v == 1) return "acos has no derivative at -1 and 1: {}";
  return out = acos(x), nullptr;
}

template <class T>
Trouble logarithm(const T& x, T& out) {
  if (value_of(x) < 0) return "log of a negative number: {}";
  if (value_of(x) == 0) return "log of zero: {}";
  return out = log(x), nullptr;
}

template <class T>
Trouble square_root(const T& x, T& out) {
  if (value_of(x) < 0) return "sqrt of a negative number: {}";
  if (varies(x) && value_of(x) == 0) return "sqrt has no derivative at 0: {}";
  return out = sqrt(x), nullptr;
}

template <class T>
Trouble absolute(const T& x, T& out) {
  if (varies(x) && value_of(x) == 0) return "abs has a kink at 0: no derivative there";
  return out = abs(x), nullptr;
}

template <class T>
Trouble sign_of(const T& x, T& out) {
  if (varies(x) && value_of(x) == 0) return "sign has a jump at 0: no derivative there";
  return out = sign(x), nullptr;
}

template <class A, class B, class T>
Trouble quotient(const A& x, const B& y, T& out) {
  if (value_of(y) == 0) return "division by zero: {}";
  return out = x / y, nullptr;
}

/// x^y. A whole exponent is a product, so t^2 is what it should be at t = 0 and for negative t.
template <class A, class B, class T>
Trouble power(const A& x, const B& y, T& out) {
  const double base = value_of(x), exponent = value_of(y);
  if (base < 0 && std::floor(exponent) != exponent) return "a negative number to a fractional power: {}";
  if (base == 0 && exponent < 0) return "zero to a negative power: {}";
  if (base < 0 && varies(y)) return "a negative number to a varying power: {}";
  if (base == 0 && varies(y)) {
    if (varies(x) || exponent == 0) return "zero to a varying power has no derivative: {}";
    return out = T(0.0), nullptr;
  }
  if (base == 0 && varies(x) && !is_whole(exponent)) return "a fractional power has no derivative at 0: {}";
  return out = pow(x, y), nullptr;
}

template <class A, class B, class T>
Trouble arc_tangent(const A& y, const B& x, T& out) {
  if (value_of(y) == 0 && value_of(x) == 0) return "atan2 of two zeros has no angle: {}";
  return out = atan2(y, x), nullptr;
}

template <class A, class B, class T>
Trouble smaller(const A& x, const B& y, T& out) {
  if (has_derivatives<T> && value_of(x) == value_of(y) && differ(x, y))
    return "min has a kink where its arguments are equal, {}: no derivative there";
  return out = min(x, y), nullptr;
}

template <class A, class B, class T>
Trouble larger(const A& x, const B& y, T& out) {
  if (has_derivatives<T> && value_of(x) == value_of(y) && differ(x, y))
    return "max has a kink where its arguments are equal, {}: no derivative there";
  return out = max(x, y), nullptr;
}

/// u^5 (126 - 420 u + 540 u^2 - 315 u^3 + 70 u^4) written with v = 1 - u, where every term is positive.
template <class T>
T blend(const T& u) {
  const T v = 1.0 - u;
  const T u2 = u * u;
  return u2 * u2 * u * (1.0 + v * (5.0 + v * (15.0 + v * (35.0 + v * 70.0))));
}

/// 0 before a, 1 after b, a blend of degree 9 between. At a itself the series is that of the blend and at b that of 1: a series
/// in time sees what comes next.
template <class T, class A, class B>
Trouble step(const T& x, const A& a, const B& b, T& out) {
  const double from = value_of(a), to = value_of(b), at = value_of(x);
  if (!(from < to)) return "step(x, a, b) needs a < b: {}";
  if (at < from)
    out = T(0.0);
  else if (at >= to)
    out = T(1.0);
  else if (at - from <= to - at)
    out = blend(T((x - a) / (b - a)));
  else
    out = 1.0 - blend(T((b - x) / (b - a)));  // by symmetry: accurate near 1
  return nullptr;
}

/// Derivative n of the blend: its polynomial, differentiated term by term.
template <class T>
T blend_derivative(const T& u, int n) {
  constexpr std::array<double, 10> kBlend{0, 0, 0, 0, 0, 126, -420, 540, -315, 70};
  T out = u * 0.0;
  for (int k = 9; k >= n; --k) {
    double c = kBlend[static_cast<std::size_t>(k)];
    for (int i = 0; i < n; ++i) c *= k - i;
    out = out * u + c;
  }
  return out;
}

/// Derivative n ≥ 1 of step by x, between limits that stand still.
template <class T>
Trouble step_derivative(const T& x, double from, double to, int n, T& out) {
  if (!(from < to)) return "step(x, a, b) needs a < b: {}";
  const double at = value_of(x), per_length = 1 / (to - from);
  if (at < from || at >= to) {
    out = T(0.0);
    return nullptr;
  }
  double scale = 1;
  for (int i = 0; i < n; ++i) scale *= per_length;
  // by symmetry: accurate near both ends
  if (at - from <= to - at)
    out = blend_derivative(T((x - from) * per_length), n) * scale;
  else
    out = blend_derivative(T((to - x) * per_length), n) * (n % 2 == 0 ? -scale : scale);
  return nullptr;
}

inline constexpr Trouble kOutsideTable = "{} is outside of the table";

template <class T>
Trouble looked_up(const LookupTable& table, const T& x, int derivative, T& out) {
  if (!table.covers(value_of(x))) return kOutsideTable;
  return out = table.value(x, derivative), nullptr;
}

/// One instruction. `read(place)` gives the scalar of a variable or register.
template <class T, class Read>
Trouble apply(const Instruction& i, const Read& read, T& out) {
  const auto one = [&]() -> const T& { return read(i.from[0]); };
  const auto two = [&](const auto& f) -> Trouble {
    if (i.from[0] == kConstant) return f(i.constant[0], read(i.from[1]));
    if (i.from[1] == kConstant) return f(read(i.from[0]), i.constant[1]);
    return f(read(i.from[0]), read(i.from[1]));
  };
  const auto promoted = [&](std::size_t k) { return i.from[k] == kConstant ? T(i.constant[k]) : read(i.from[k]); };
  switch (i.op) {
    case Op::negate: return out = -one(), nullptr;
    case Op::sin: return out = sincos(one()).sin, nullptr;
    case Op::cos: return out = sincos(one()).cos, nullptr;
    case Op::tan: return out = tan(one()), nullptr;
    case Op::asin: return arc_sine(one(), out);
    case Op::acos: return arc_cosine(one(), out);
    case Op::atan: return out = atan(one()), nullptr;
    case Op::sinh: return out = sinh(one()), nullptr;
    case Op::cosh: return out = cosh(one()), nullptr;
    case Op::tanh: return out = tanh(one()), nullptr;
    case Op::exp: return out = exp(one()), nullptr;
    case Op::log: return logarithm(one(), out);
    case Op::sqrt: return square_root(one(), out);
    case Op::abs: return absolute(one(), out);
    case Op::sign: return sign_of(one(), out);
    case Op::lookup: return looked_up(*i.table, one(), i.derivative, out);
    case Op::add: return two([&](const auto& x, const auto& y) { return out = x + y, Trouble(nullptr); });
    case Op::subtract: return two([&](const auto& x, const auto& y) { return out = x - y, Trouble(nullptr); });
    case Op::multiply: return two([&](const auto& x, const auto& y) { return out = x * y, Trouble(nullptr); });
    case Op::divide: return two([&](const auto& x, const auto& y) { return quotient(x, y, out); });
    case Op::power: return two([&](const auto& x, const auto& y) { return power(x, y, out); });
    case Op::atan2: return two([&](const auto& x, const auto& y) { return arc_tangent(x, y, out); });
    case Op::min: return two([&](const auto& x, const auto& y) { return smaller(x, y, out); });
    case Op::max: return two([&](const auto& x, const auto& y) { return larger(x, y, out); });
    case Op::step:
      if (i.derivative > 0) return step_derivative(one(), i.constant[1], i.constant[2], i.derivative, out);
      if (i.from[0] != kConstant && i.from[1] == kConstant && i.from[2] == kConstant)
        return step(read(i.from[0]), i.constant[1], i.constant[2], out);
      return step(promoted(0), promoted(1), promoted(2), out);
  }
  return nullptr;
}

}  // namespace jounce::functions
