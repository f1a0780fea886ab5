// As many doubles as one register of the target holds: the same algorithm on several states at once.
//
// Unlike Lanes (lanes.hpp), whose number is the same on every machine, the width follows the hardware: eight with AVX-512, four
// with AVX, else two. The states in a pack never meet, so the width does not change their numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "jounce/scalar/scalar.hpp"

namespace jounce {

#if defined(__AVX512F__)
inline constexpr int kPack = 8;
#elif defined(__AVX__)
inline constexpr int kPack = 4;
#else
inline constexpr int kPack = 2;
#endif

struct Pack {
  using Native = double __attribute__((vector_size(8 * kPack)));
  using Bits = std::int64_t __attribute__((vector_size(8 * kPack)));
  Native v{};

  Pack() = default;
  Pack(double x) : v(x - Native{}) {}
  Pack(Native x) : v(x) {}

  double operator[](int i) const { return v[i]; }
  /// From doubles that lie together, anywhere.
  static Pack load(const double* p) {
    Pack x;
    std::memcpy(&x.v, p, sizeof x.v);
    return x;
  }
  void store(double* p) const { std::memcpy(p, &v, sizeof v); }

  friend Pack operator+(Pack a, Pack b) { return a.v + b.v; }
  friend Pack operator-(Pack a, Pack b) { return a.v - b.v; }
  friend Pack operator*(Pack a, Pack b) { return a.v * b.v; }
  friend Pack operator/(Pack a, Pack b) { return a.v / b.v; }
  friend Pack operator+(Pack a, double b) { return a.v + b; }
  friend Pack operator-(Pack a, double b) { return a.v - b; }
  friend Pack operator*(Pack a, double b) { return a.v * b; }
  friend Pack operator+(double a, Pack b) { return a + b.v; }
  friend Pack operator-(double a, Pack b) { return a - b.v; }
  friend Pack operator*(double a, Pack b) { return a * b.v; }
  friend Pack operator/(double a, Pack b) { return a / b.v; }
  friend Pack operator-(Pack a) { return -a.v; }
  Pack& operator+=(Pack b) { return v += b.v, *this; }
  Pack& operator-=(Pack b) { return v -= b.v, *this; }
};

/// One flag for each number of a pack.
struct PackFlags {
  Pack::Bits v = Pack::Bits{} - 1;
  bool operator[](int i) const { return v[i] != 0; }
  [[nodiscard]] bool all() const {
#if defined(__AVX__) && !defined(__AVX512F__)
    return __builtin_ia32_movmskpd256(reinterpret_cast<Pack::Native>(v)) == 15;
#else
    bool yes = true;
    for (int i = 0; i < kPack; ++i) yes = yes && v[i] != 0;
    return yes;
#endif
  }
};
inline PackFlags operator>(Pack a, double b) { return {a.v > b}; }
inline PackFlags operator<(Pack a, double b) { return {a.v < b}; }
inline PackFlags operator&(PackFlags a, PackFlags b) { return {a.v & b.v}; }

inline Pack sqrt(Pack a) {
  for (int i = 0; i < kPack; ++i) a.v[i] = std::sqrt(a.v[i]);
  return a;
}
struct PackTurn {
  Pack sin, cos;
};

/// Those that are too large for `sincos`, or no numbers; the others stay, so that no state of a pack changes another.
[[gnu::noinline]] inline void replace_large(Pack a, PackFlags small, PackTurn& turn) {
  for (int i = 0; i < kPack; ++i)
    if (!small[i]) {
      const SinCos<double> one = sincos(a[i]);
      turn.sin.v[i] = one.sin, turn.cos.v[i] = one.cos;
    }
}

/// Sine and cosine to about one unit in the last place for |a| < 1e6; beyond, those of the library.
inline PackTurn sincos(Pack a) {
  using Native = Pack::Native;
  using Bits = Pack::Bits;
  // a = n π/2 + r: π/2 in three parts whose products with n are exact (n < 2^20); adding 1.5 · 2^52 rounds to a whole number
  // and leaves it in the last bits
  constexpr double kFirst = 1.57079632673412561417e+00, kSecond = 6.07710050630396597660e-11,
                   kThird = 2.02226624879595063154e-21;
  constexpr double kMagic = 6755399441055744.0;
  const Native shifted = a.v * 0.63661977236758134308 + kMagic;
  const Native n = shifted - kMagic;
  const Native r = ((a.v - n * kFirst) - n * kSecond) - n * kThird;
  const Native z = r * r;
  // minimax polynomials on [−π/4, π/4] (fdlibm)
  const Native s =
      r +
      r * z *
          (-1.66666666666666324348e-01 +
           z * (8.33333333332248946124e-03 +
                z * (-1.98412698298579493134e-04 +
                     z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
  const Native half = 0.5 * z, w = 1.0 - half;
  const Native c =
      w +
      (((1.0 - w) - half) +
       z * z *
           (4.16666666666666019037e-02 +
            z * (-1.38888888888741095749e-03 +
                 z * (2.48015872894767294178e-05 + z * (-2.75573143513906633035e-07 +
                                                        z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))))));
  Bits quarter;
  std::memcpy(&quarter, &shifted, sizeof quarter);
  const Bits swap = (quarter & 1) != 0;
  // the sign bit: of the sine from bit 1, of the cosine from bit 1 of the quarter after
  const Bits sin_sign = (quarter & 2) << 62, cos_sign = ((quarter + 1) & 2) << 62;
  const Native sine = swap ? c : s, cosine = swap ? s : c;
  Bits sin_bits, cos_bits;
  std::memcpy(&sin_bits, &sine, sizeof sin_bits);
  std::memcpy(&cos_bits, &cosine, sizeof cos_bits);
  sin_bits ^= sin_sign;
  cos_bits ^= cos_sign;
  PackTurn out;
  std::memcpy(&out.sin.v, &sin_bits, sizeof sin_bits);
  std::memcpy(&out.cos.v, &cos_bits, sizeof cos_bits);
  const PackFlags small = (a < 1e6) & (a > -1e6);
  if (!small.all()) replace_large(a, small, out);
  return out;
}

}  // namespace jounce
