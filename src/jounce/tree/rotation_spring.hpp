// The spring of a ball or free joint and of a bushing: three stiffnesses on the rotation vector from rest.
//
//   θ the rotation vector, U = ½ θ·Kθ, torque in the turned axes = −J_r(θ)⁻ᵀ Kθ
//
// A rotation has two rotation vectors of less than a full turn, one for each sign of its quaternion. The spring winds the shorter way: from less than
// half a turn. At half a turn both are equally long and θ becomes −θ, so the energy has a ridge there and the torque changes its sign.
#pragma once

#include "jounce/math/vec3.hpp"
#include "jounce/scalar/scalar.hpp"
#include "jounce/tree/rotation.hpp"

namespace jounce {

template <class T>
struct RotationSpring {
  Vec3<T> torque;
  T energy{};
};

template <class T>
struct QuaternionOf {
  T w;
  Vec3<T> v;
};

/// The rotation from rest: conj(rest) e.
template <class T>
QuaternionOf<T> from_rest(const tree::Quaternion& rest, const T* e) {
  return {rest.w * e[0] + rest.x * e[1] + rest.y * e[2] + rest.z * e[3],
          {rest.w * e[1] - rest.x * e[0] - rest.y * e[3] + rest.z * e[2], rest.w * e[2] + rest.x * e[3] - rest.y * e[0] - rest.z * e[1],
           rest.w * e[3] - rest.x * e[2] + rest.y * e[1] - rest.z * e[0]}};
}

/// The rotation of a matrix of axes, the shorter way; the largest of the four is found first, so that nothing is lost.
template <class T>
QuaternionOf<T> shorter_turn(const Mat3<T>& r) {
  const double xx = value_of(r.x.x), yy = value_of(r.y.y), zz = value_of(r.z.z), trace = xx + yy + zz;
  QuaternionOf<T> e;
  if (trace >= xx && trace >= yy && trace >= zz) e = {1.0 + r.x.x + r.y.y + r.z.z, {r.y.z - r.z.y, r.z.x - r.x.z, r.x.y - r.y.x}};
  else if (xx >= yy && xx >= zz) e = {r.y.z - r.z.y, {1.0 + r.x.x - r.y.y - r.z.z, r.x.y + r.y.x, r.x.z + r.z.x}};
  else if (yy >= zz) e = {r.z.x - r.x.z, {r.x.y + r.y.x, 1.0 + r.y.y - r.x.x - r.z.z, r.y.z + r.z.y}};
  else e = {r.x.y - r.y.x, {r.x.z + r.z.x, r.y.z + r.z.y, 1.0 + r.z.z - r.x.x - r.y.y}};
  const T scale = (value_of(e.w) < 0 ? -1.0 : 1.0) / sqrt(e.w * e.w + dot(e.v, e.v));
  return {e.w * scale, e.v * scale};
}

/// With the rotation vector that belongs to this sign of the quaternion: of less than half a turn where w > 0, smooth beyond it.
template <class T>
RotationSpring<T> rotation_spring(const QuaternionOf<T>& e, const Vec3<double>& stiffness) {
  const T sine2 = dot(e.v, e.v);  // of half the angle
  T scale;                        // angle / sine
  T k;                            // 1/a² − cot(a/2)/(2a)
  if (value_of(sine2) < 1e-8 && value_of(e.w) > 0) {
    // the closed forms lose all digits near zero; asin: a/2 = s (1 + s²/6 + 3 s⁴/40 + 15 s⁶/336)
    const T ratio = 1.0 + sine2 * (1.0 / 6 + sine2 * (3.0 / 40 + sine2 * (15.0 / 336)));
    scale = 2.0 * ratio;
    const T angle2 = 4.0 * sine2 * ratio * ratio;
    k = 1.0 / 12 + angle2 * (1.0 / 720 + angle2 * (1.0 / 30240));
  } else {
    const T sine = sqrt(sine2), half = atan2(sine, e.w);
    scale = 2.0 * half / sine;
    k = (1.0 - half * e.w / sine) / (4.0 * half * half);
  }
  const Vec3<T> theta = e.v * scale;
  const Vec3<T> pull{theta.x * stiffness.x, theta.y * stiffness.y, theta.z * stiffness.z};
  // J_r(θ)⁻¹ = 1 + θ×/2 + k θ×², so its transpose has the other sign in the middle
  const Vec3<T> around = cross(theta, pull);
  RotationSpring<T> out;
  out.torque = -(pull - around * 0.5 + cross(theta, around) * k);
  out.energy = 0.5 * dot(theta, pull);
  return out;
}

}  // namespace jounce
