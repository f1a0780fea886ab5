// Vectors, rotations and symmetric matrices of space, over any scalar. Model constants (double) mix with any scalar.
#pragma once

#include <cmath>

namespace jounce {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

template <class A, class B>
constexpr auto operator+(const Vec3<A>& a, const Vec3<B>& b) {
  return Vec3<decltype(a.x + b.x)>{a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class A, class B>
constexpr auto operator-(const Vec3<A>& a, const Vec3<B>& b) {
  return Vec3<decltype(a.x - b.x)>{a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
constexpr Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class A, class B>
constexpr auto operator*(const Vec3<A>& a, const B& s) {
  return Vec3<decltype(a.x * s)>{a.x * s, a.y * s, a.z * s};
}
template <class A, class B>
constexpr Vec3<A>& operator+=(Vec3<A>& a, const Vec3<B>& b) {
  return a = a + b;
}
template <class A, class B>
constexpr Vec3<A>& operator-=(Vec3<A>& a, const Vec3<B>& b) {
  return a = a - b;
}
[[nodiscard]] inline bool is_finite(const Vec3<double>& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }
template <class A, class B>
constexpr auto dot(const Vec3<A>& a, const Vec3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class A, class B>
constexpr auto cross(const Vec3<A>& a, const Vec3<B>& b) {
  return Vec3<decltype(a.x * b.x)>{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
constexpr auto length(const Vec3<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

/// A 3 × 3 matrix by its columns. As a rotation: the axes of a frame, seen from another.
template <class T>
struct Mat3 {
  Vec3<T> x{}, y{}, z{};
  friend bool operator==(const Mat3&, const Mat3&) = default;
};

template <class T = double>
constexpr Mat3<T> identity3() {
  return {{T(1.0), T(0.0), T(0.0)}, {T(0.0), T(1.0), T(0.0)}, {T(0.0), T(0.0), T(1.0)}};
}
template <class A, class B>
constexpr auto operator*(const Mat3<A>& m, const Vec3<B>& v) {
  return Vec3<decltype(m.x.x * v.x)>{m.x.x * v.x + m.y.x * v.y + m.z.x * v.z,  //
                                     m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,  //
                                     m.x.z * v.x + m.y.z * v.y + m.z.z * v.z};
}
template <class A, class B>
constexpr auto operator*(const Mat3<A>& m, const Mat3<B>& n) {
  return Mat3<decltype(m.x.x * n.x.x)>{m * n.x, m * n.y, m * n.z};
}
template <class A, class B>
constexpr auto operator+(const Mat3<A>& m, const Mat3<B>& n) {
  return Mat3<decltype(m.x.x + n.x.x)>{m.x + n.x, m.y + n.y, m.z + n.z};
}
template <class T>
constexpr Mat3<T> transpose(const Mat3<T>& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}
/// mᵀ v: from ground axes to those of the frame m.
template <class A, class B>
constexpr auto in_axes(const Mat3<A>& m, const Vec3<B>& v) {
  return Vec3<decltype(m.x.x * v.x)>{dot(m.x, v), dot(m.y, v), dot(m.z, v)};
}
/// r× as a matrix: skew(r) a = r × a.
template <class T>
constexpr Mat3<T> skew(const Vec3<T>& r) {
  return {{T(0.0), r.z, -r.y}, {-r.z, T(0.0), r.x}, {r.y, -r.x, T(0.0)}};
}

/// A symmetric 3 × 3 matrix.
template <class T>
struct Sym3 {
  T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};
  friend bool operator==(const Sym3&, const Sym3&) = default;
};

template <class A, class B>
constexpr auto operator*(const Sym3<A>& m, const Vec3<B>& v) {
  return Vec3<decltype(m.xx * v.x)>{m.xx * v.x + m.xy * v.y + m.xz * v.z,  //
                                    m.xy * v.x + m.yy * v.y + m.yz * v.z,  //
                                    m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
template <class A, class B>
constexpr auto operator+(const Sym3<A>& a, const Sym3<B>& b) {
  return Sym3<decltype(a.xx + b.xx)>{a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
/// R m Rᵀ: a tensor given in the axes of a frame, in those from which the frame is seen.
template <class A, class B>
constexpr auto turned(const Mat3<A>& r, const Sym3<B>& m) {
  // columns of R m
  const auto a = r.x * m.xx + r.y * m.xy + r.z * m.xz;
  const auto b = r.x * m.xy + r.y * m.yy + r.z * m.yz;
  const auto c = r.x * m.xz + r.y * m.yz + r.z * m.zz;
  using T = decltype(a.x * r.x.x);
  return Sym3<T>{a.x * r.x.x + b.x * r.y.x + c.x * r.z.x, a.y * r.x.y + b.y * r.y.y + c.y * r.z.y,
                 a.z * r.x.z + b.z * r.y.z + c.z * r.z.z, a.x * r.x.y + b.x * r.y.y + c.x * r.z.y,
                 a.x * r.x.z + b.x * r.y.z + c.x * r.z.z, a.y * r.x.z + b.y * r.y.z + c.y * r.z.z};
}

/// The rotation of a unit quaternion w + xi + yj + zk.
template <class T>
constexpr Mat3<T> rotation(const T& w, const T& x, const T& y, const T& z) {
  const T xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z, wx = w * x, wy = w * y, wz = w * z;
  return {{1.0 - 2.0 * (yy + zz), 2.0 * (xy + wz), 2.0 * (xz - wy)},
          {2.0 * (xy - wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz + wx)},
          {2.0 * (xz + wy), 2.0 * (yz - wx), 1.0 - 2.0 * (xx + yy)}};
}

/// Rz(yaw) Ry(pitch) Rx(roll), as URDF has it.
[[nodiscard]] Mat3<double> from_rpy(const Vec3<double>& rpy);

/// A frame seen from another: its axes and its origin.
template <class T>
struct Frame {
  Mat3<T> axes = identity3<T>();
  Vec3<T> origin{};
};
/// A point or frame given in `outer` becomes one given where `outer` is given.
template <class A, class B>
constexpr auto operator*(const Frame<A>& outer, const Vec3<B>& p) {
  return outer.origin + outer.axes * p;
}
template <class A, class B>
constexpr auto operator*(const Frame<A>& outer, const Frame<B>& inner) {
  using T = decltype(outer.origin.x * inner.origin.x);
  return Frame<T>{outer.axes * inner.axes, outer * inner.origin};
}
template <class T>
constexpr Frame<T> inverse(const Frame<T>& f) {
  return {transpose(f.axes), -in_axes(f.axes, f.origin)};
}

}  // namespace jounce
