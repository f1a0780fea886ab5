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

  friend Lanes operator+(Lanes a, Lanes b) { return {a.lo + b.lo, a.hi + b.hi}; }
  friend Lanes operator-(Lanes a, Lanes b) { return {a.lo - b.lo, a.hi - b.hi}; }
  friend Lanes operator*(Lanes a, Lanes b) { return {a.lo * b.lo, a.hi * b.hi}; }
  friend Lanes operator/(Lanes a, Lanes b) { return {a.lo / b.lo, a.hi / b.hi}; }
  friend Lanes operator-(Lanes a) { return {-a.lo, -a.hi}; }
};
#endif

inline Lanes sqrt(Lanes a) { return Lanes::of(std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])); }

}  // namespace jounce
