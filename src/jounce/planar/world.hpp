// Where the bodies are, in the scalar at hand: what a residual may ask for.
//
// T = double gives the residual's value, Dual its Jacobian, Series every right-hand side, Symbol a record of the arithmetic.
#pragma once

#include <array>
#include <span>
#include <type_traits>

#include "jounce/planar/quantities.hpp"

namespace jounce::planar {

/// Position and orientation of one body. cos and sin are kept beside the angle because residuals are polynomials in them.
template <class T>
struct Frame {
  T x{}, y{}, c{}, s{}, phi{};
};

/// One Taylor coefficient of a body's frame, as the engine stores it: a cache line each.
struct alignas(64) FrameRecord : Frame<double> {};

template <class T>
struct World {
  std::span<const Frame<T>> frames;  ///< one per body, the ground first
  std::span<const T> motions;        ///< value of every prescribed function

  [[nodiscard]] constexpr const Frame<T>& frame(int body) const { return frames[static_cast<std::size_t>(body)]; }

  template <class Real>
  [[nodiscard]] constexpr auto turned(int body, const Vec2<Real>& v_B) const {
    const Frame<T>& f = frame(body);
    using V = decltype(f.c * v_B.x - f.s * v_B.y);
    return Vec2<V>{f.c * v_B.x - f.s * v_B.y, f.s * v_B.x + f.c * v_B.y};
  }
  template <class Real>
  [[nodiscard]] constexpr auto at(int body, const Vec2<Real>& p_B) const {
    const Frame<T>& f = frame(body);
    const auto arm_W = turned(body, p_B);
    return Vec2<T>{f.x + arm_W.x, f.y + arm_W.y};
  }

  template <class Real>
  [[nodiscard]] constexpr auto point(const Point<Real>& point) const {
    return at(point.body, point.p);
  }
  template <class Real>
  [[nodiscard]] constexpr auto start(const Line<Real>& line) const {
    return at(line.body, line.p);
  }
  template <class Real>
  [[nodiscard]] constexpr auto direction(const Line<Real>& line) const {
    return turned(line.body, line.a);
  }
  template <class Real>
  [[nodiscard]] constexpr auto coordinate(const Coordinate<Real>& u) const {
    const auto o = at(u.body, u.origin);
    return u.pick[0] * o.x + u.pick[1] * o.y + u.pick[2] * frame(u.body).phi;
  }
  /// The angle of the body that carries a point, a line or whatever else has a `body`.
  template <class Q>
  [[nodiscard]] constexpr T angle(const Q& on) const {
    return frame(on.body).phi;
  }
  [[nodiscard]] constexpr T motion(const Motion& m) const { return motions[static_cast<std::size_t>(m.motion)]; }
};

template <class... T>
constexpr auto rows(const T&... row) {
  return std::array<std::common_type_t<T...>, sizeof...(T)>{row...};
}

}  // namespace jounce::planar
