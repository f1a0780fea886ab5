// Four doubles that are computed with together: one arithmetic operation for four elements of a type.
//
// The number of lanes is the same on every machine, so that sums are formed in the same order and results have the same
// bits; the compiler maps it to whatever the target has. g++ makes slow code of a vector wider than the hardware, so without
// AVX the four are two pairs.
#pragma once

#include <cmath>

namespace jounce {

inline constexpr int kLanes = 4;

#if defined(__AVX__)
struct Lanes {
  using Native = double __attribute__((vector_size(32)));
  Native v;

  double& operator[](int i) { return reinterpret_cast<double*>(&v)[i]; }
  double operator[](int i) const { return v[i]; }
  static Lanes all(double x) { return {Native{x, x, x, x}}; }
  static Lanes of(double a, double b, double c, double d) { return {Native{a, b, c, d}}; }
  /// From four doubles that lie together, at a multiple of 32 bytes.
  static Lanes load(const double* p) { return {*reinterpret_cast<const Native*>(p)}; }
  void store(double* p) const { *reinterpret_cast<Native*>(p) = v; }

  friend Lanes operator+(Lanes a, Lanes b) { return {a.v + b.v}; }
  friend Lanes operator-(Lanes a, Lanes b) { return {a.v - b.v}; }
  friend Lanes operator*(Lanes a, Lanes b) { return {a.v * b.v}; }
  friend Lanes operator/(Lanes a, Lanes b) { return {a.v / b.v}; }
  friend Lanes operator-(Lanes a) { return {-a.v}; }
};
#else
struct Lanes {
  using Native = double __attribute__((vector_size(16)));
  Native lo, hi;

  double& operator[](int i) { return reinterpret_cast<double*>(i < 2 ? &lo : &hi)[i & 1]; }
  double operator[](int i) const { return i < 2 ? lo[i] : hi[i - 2]; }
  static Lanes all(double x) { return {Native{x, x}, Native{x, x}}; }
  static Lanes of(double a, double b, double c, double d) { return {Native{a, b}, Native{c, d}}; }
  static Lanes load(const double* p) { return {reinterpret_cast<const Native*>(p)[0], reinterpret_cast<const Native*>(p)[1]}; }
  void store(double* p) const { reinterpret_cast<Native*>(p)[0] = lo, reinterpret_cast<Native*>(p)[1] = hi; }

  friend Lanes operator+(Lanes a, Lanes b) { return {a.lo + b.lo, a.hi + b.hi}; }
  friend Lanes operator-(Lanes a, Lanes b) { return {a.lo - b.lo, a.hi - b.hi}; }
  friend Lanes operator*(Lanes a, Lanes b) { return {a.lo * b.lo, a.hi * b.hi}; }
  friend Lanes operator/(Lanes a, Lanes b) { return {a.lo / b.lo, a.hi / b.hi}; }
  friend Lanes operator-(Lanes a) { return {-a.lo, -a.hi}; }
};
#endif

/// The four as rows of a matrix become its columns.
inline void transpose(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
#if defined(__AVX__)
  const auto low_ab = __builtin_shufflevector(a.v, b.v, 0, 4, 2, 6), high_ab = __builtin_shufflevector(a.v, b.v, 1, 5, 3, 7);
  const auto low_cd = __builtin_shufflevector(c.v, d.v, 0, 4, 2, 6), high_cd = __builtin_shufflevector(c.v, d.v, 1, 5, 3, 7);
  a.v = __builtin_shufflevector(low_ab, low_cd, 0, 1, 4, 5);
  b.v = __builtin_shufflevector(high_ab, high_cd, 0, 1, 4, 5);
  c.v = __builtin_shufflevector(low_ab, low_cd, 2, 3, 6, 7);
  d.v = __builtin_shufflevector(high_ab, high_cd, 2, 3, 6, 7);
#else
  const auto cross = [](const Lanes::Native& p, const Lanes::Native& q, int i) { return Lanes::Native{p[i], q[i]}; };
  const Lanes x{cross(a.lo, b.lo, 0), cross(c.lo, d.lo, 0)}, y{cross(a.lo, b.lo, 1), cross(c.lo, d.lo, 1)};
  const Lanes z{cross(a.hi, b.hi, 0), cross(c.hi, d.hi, 0)}, w{cross(a.hi, b.hi, 1), cross(c.hi, d.hi, 1)};
  a = x, b = y, c = z, d = w;
#endif
}

inline Lanes max(Lanes a, Lanes b) {
#if defined(__AVX__)
  return {a.v > b.v ? a.v : b.v};
#else
  return {a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
#endif
}
inline Lanes abs(Lanes a) { return max(a, -a); }
/// The largest of the four; NaN where one of them is NaN.
inline double largest(Lanes a) {
  double m = a[0];
  for (int i = 1; i < kLanes; ++i)
    if (!(a[i] <= m)) m = a[i];
  return m;
}

inline Lanes sqrt(Lanes a) { return Lanes::of(std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])); }

/// Sine and cosine of four angles at once, to about one unit in the last place for |a| < 1e6; beyond, those of the library. The same
/// bits on every machine.
struct LaneTurn {
  Lanes sin, cos;
};
inline LaneTurn sincos(Lanes a) {
  if (!(largest(abs(a)) < 1e6)) {
    LaneTurn out{a, a};
    for (int i = 0; i < kLanes; ++i) out.sin[i] = std::sin(a[i]), out.cos[i] = std::cos(a[i]);
    return out;
  }
  // a = n π/2 + r: π/2 in three parts whose products with n are exact (n < 2^20); rounding by adding and taking away 1.5 · 2^52
  constexpr double kFirst = 1.57079632673412561417e+00, kSecond = 6.07710050630396597660e-11, kThird = 2.02226624879595063154e-21;
  const Lanes magic = Lanes::all(6755399441055744.0);
  const Lanes n = (a * Lanes::all(0.63661977236758134308) + magic) - magic;
  const Lanes r = ((a - n * Lanes::all(kFirst)) - n * Lanes::all(kSecond)) - n * Lanes::all(kThird);
  const Lanes z = r * r;
  // minimax polynomials on [−π/4, π/4] (fdlibm)
  const Lanes s = r + r * z * (Lanes::all(-1.66666666666666324348e-01) + z * (Lanes::all(8.33333333332248946124e-03) +
      z * (Lanes::all(-1.98412698298579493134e-04) + z * (Lanes::all(2.75573137070700676789e-06) +
      z * (Lanes::all(-2.50507602534068634195e-08) + z * Lanes::all(1.58969099521155010221e-10))))));
  const Lanes half = Lanes::all(0.5) * z, one = Lanes::all(1), w = one - half;
  const Lanes c = w + (((one - w) - half) + z * z * (Lanes::all(4.16666666666666019037e-02) + z * (Lanes::all(-1.38888888888741095749e-03) +
      z * (Lanes::all(2.48015872894767294178e-05) + z * (Lanes::all(-2.75573143513906633035e-07) +
      z * (Lanes::all(2.08757232129817482790e-09) + z * Lanes::all(-1.13596475577881948265e-11)))))));
  LaneTurn out{s, c};
  for (int i = 0; i < kLanes; ++i) {
    const int quarter = static_cast<int>(n[i]) & 3;
    const double si = s[i], ci = c[i];
    out.sin[i] = quarter == 0 ? si : quarter == 1 ? ci : quarter == 2 ? -si : -ci;
    out.cos[i] = quarter == 0 ? ci : quarter == 1 ? -si : quarter == 2 ? -ci : si;
  }
  return out;
}

}  // namespace jounce
