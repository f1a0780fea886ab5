// Four doubles that are computed with together: one arithmetic operation for four elements of a type.
//
// The number of lanes is the same on every machine, so that sums are formed in the same order and results have the same
// bits; the compiler maps it to whatever the target has. g++ makes slow code of a vector wider than the hardware, so without
// AVX the four are two pairs.
#pragma once

#include <cmath>

#include "jounce/scalar/scalar.hpp"
#include "jounce/scalar/turn.hpp"

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
    if (!(a[i] <= m) && m == m) m = a[i];  // what is not a number stays
  return m;
}

inline Lanes sqrt(Lanes a) { return Lanes::of(std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])); }

/// Sine and cosine of four angles at once, as exact as those of one; beyond a million, those of the library. The bits
/// are those of sincos(double), on every machine.
struct LaneTurn {
  Lanes sin, cos;
};
inline LaneTurn sincos(Lanes a) {
  if (!(largest(abs(a)) < kLargestTurn)) {
    LaneTurn out{a, a};
    for (int i = 0; i < kLanes; ++i) {
      const SinCos<double> one = sincos(a[i]);
      out.sin[i] = one.sin, out.cos[i] = one.cos;
    }
    return out;
  }
  const ReducedTurn<Lanes> turn = reduced_turn(a, [](double x) { return Lanes::all(x); });
  LaneTurn out{turn.sin, turn.cos};
  for (int i = 0; i < kLanes; ++i) {
    double s = out.sin[i], c = out.cos[i];
    put_back(turn.quarters[i], s, c);
    out.sin[i] = s, out.cos[i] = c;
  }
  return out;
}

}  // namespace jounce
