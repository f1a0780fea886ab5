// Sine and cosine of our own: C libraries differ in the last bit at a few arguments in a hundred, and with these the same bits come from
// every machine, from one number and from four at once (math/lanes.hpp).
#pragma once

namespace jounce {

/// Beyond it, the functions of the C library are called.
inline constexpr double kLargestTurn = 1e6;

/// Sine and cosine of what is left of an angle after `quarters` quarter turns, a whole number.
template <class Number>
struct ReducedTurn {
  Number quarters, sin, cos;
};

/// To 1.5 units in the last place for |a| < 100, and 2.5 for |a| < kLargestTurn. `all(x)` is the constant x as such a number.
template <class Number, class All>
inline ReducedTurn<Number> reduced_turn(const Number& a, const All& all) {
  // a = n π/2 + r: π/2 in three parts whose products with n are exact (n < 2^20); rounding by adding and taking away 1.5 · 2^52
  const Number magic = all(6755399441055744.0);
  const Number n = (a * all(0.63661977236758134308) + magic) - magic;
  const Number r = ((a - n * all(1.57079632673412561417e+00)) - n * all(6.07710050630396597660e-11)) - n * all(2.02226624879595063154e-21);
  const Number z = r * r;
  // minimax polynomials on [−π/4, π/4] (fdlibm)
  const Number s = r + r * z * (all(-1.66666666666666324348e-01) + z * (all(8.33333333332248946124e-03) +
      z * (all(-1.98412698298579493134e-04) + z * (all(2.75573137070700676789e-06) +
      z * (all(-2.50507602534068634195e-08) + z * all(1.58969099521155010221e-10))))));
  const Number half = all(0.5) * z, one = all(1), w = one - half;
  const Number c = w + (((one - w) - half) + z * z * (all(4.16666666666666019037e-02) + z * (all(-1.38888888888741095749e-03) +
      z * (all(2.48015872894767294178e-05) + z * (all(-2.75573143513906633035e-07) +
      z * (all(2.08757232129817482790e-09) + z * all(-1.13596475577881948265e-11)))))));
  return {n, s, c};
}

/// The two put back by the quarter turns.
inline void put_back(double quarters, double& sin, double& cos) {
  const int quarter = static_cast<int>(quarters) & 3;
  const double s = sin, c = cos;
  sin = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
  cos = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}

}  // namespace jounce
