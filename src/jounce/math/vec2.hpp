// A vector of the plane, over any scalar.
#pragma once

#include <cmath>

namespace jounce {

template <class T>
struct Vec2 {
  T x{}, y{};
};

template <class A, class B>
constexpr auto operator+(const Vec2<A>& a, const Vec2<B>& b) {
  using T = decltype(a.x + b.x);
  return Vec2<T>{a.x + b.x, a.y + b.y};
}
template <class A, class B>
constexpr auto operator-(const Vec2<A>& a, const Vec2<B>& b) {
  using T = decltype(a.x - b.x);
  return Vec2<T>{a.x - b.x, a.y - b.y};
}
template <class A, class B>
constexpr auto dot(const Vec2<A>& a, const Vec2<B>& b) {
  return a.x * b.x + a.y * b.y;
}
/// The signed area of the parallelogram a, b: positive when b lies counter-clockwise of a.
template <class A, class B>
constexpr auto cross(const Vec2<A>& a, const Vec2<B>& b) {
  return a.x * b.y - a.y * b.x;
}
template <class T>
constexpr auto length(const Vec2<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

}  // namespace jounce
