// Unit quaternions and rotation vectors.
#pragma once

#include <cmath>

#include "jounce/math/vec3.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce::tree {

struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
};

inline Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quaternion conjugate(const Quaternion& a) { return {a.w, -a.x, -a.y, -a.z}; }
inline Quaternion normalised(const Quaternion& a) {
  const double n = 1 / std::sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
  return {a.w * n, a.x * n, a.y * n, a.z * n};
}

inline Quaternion from_rotation_vector(const Vec3<double>& turn) {
  const double angle = length(turn);
  const SinCos<double> half = sincos(angle / 2);
  const double s = angle < 1e-8 ? 0.5 : half.sin / angle;
  return {half.cos, turn.x * s, turn.y * s, turn.z * s};
}

/// Of at most half a turn.
inline Vec3<double> rotation_vector(const Quaternion& e) {
  const double sine = std::sqrt(e.x * e.x + e.y * e.y + e.z * e.z), sign = e.w < 0 ? -1 : 1;
  const double scale = sine < 1e-8 ? 2 * sign : 2 * std::atan2(sine, sign * e.w) / sine * sign;
  return {e.x * scale, e.y * scale, e.z * scale};
}

/// The rotation of a matrix of axes; the largest of the four is found first, so that nothing is lost.
inline Quaternion quaternion_of(const Mat3<double>& r) {
  const double trace = r.x.x + r.y.y + r.z.z;
  if (trace >= r.x.x && trace >= r.y.y && trace >= r.z.z)
    return normalised({1 + trace, r.y.z - r.z.y, r.z.x - r.x.z, r.x.y - r.y.x});
  if (r.x.x >= r.y.y && r.x.x >= r.z.z)
    return normalised({r.y.z - r.z.y, 1 + r.x.x - r.y.y - r.z.z, r.x.y + r.y.x, r.x.z + r.z.x});
  if (r.y.y >= r.z.z) return normalised({r.z.x - r.x.z, r.x.y + r.y.x, 1 + r.y.y - r.x.x - r.z.z, r.y.z + r.z.y});
  return normalised({r.x.y - r.y.x, r.x.z + r.z.x, r.y.z + r.z.y, 1 + r.z.z - r.x.x - r.y.y});
}

namespace detail {
// (1 − cos a) / a² and (a − sin a) / a³
inline double second(double a) {
  if (a < 1e-2) return 0.5 - a * a / 24 + a * a * a * a / 720;
  const double s = sincos(a / 2).sin / a;
  return 2 * s * s;
}
inline double third(double a) {
  if (a < 1e-2) return 1.0 / 6 - a * a / 120 + a * a * a * a / 5040;
  return (a - sincos(a).sin) / (a * a * a);
}
}  // namespace detail

/// Where a frame arrives that turns by `turn` and goes by `v` in its own axes, both at a constant rate.
inline Vec3<double> spiral(const Vec3<double>& turn, const Vec3<double>& v) {
  const double a = length(turn);
  return v + cross(turn, v) * detail::second(a) + cross(turn, cross(turn, v)) * detail::third(a);
}

/// The v that arrives at `shift`: the inverse of `spiral`.
inline Vec3<double> unspiral(const Vec3<double>& turn, const Vec3<double>& shift) {
  const double a = length(turn);
  // 1/a² − cot(a/2)/(2a)
  const SinCos<double> half = sincos(a / 2);
  const double k = a < 1e-2 ? 1.0 / 12 + a * a / 720 + a * a * a * a / 30240 : (1 - a / 2 * (half.cos / half.sin)) / (a * a);
  return shift - cross(turn, shift) * 0.5 + cross(turn, cross(turn, shift)) * k;
}

}  // namespace jounce::tree
