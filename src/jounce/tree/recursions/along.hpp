// Where a tree is along a motion, as power series in time: its coordinates for given rates, and the frames of its links for a given way from a position.
#pragma once

#include <span>
#include <vector>

#include "jounce/base/index.hpp"
#include "jounce/math/vec3.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/tree/tree.hpp"

namespace jounce::tree {
namespace detail {

/// The sum of c_k x^k with c_k = (−1)^k / (2k + first)!, for x that begins with the square of time: cos, sin and kin of √x.
template <class S>
S entire(const S& x, int first) {
  double factorial = 1;
  for (int i = 2; i <= first; ++i) factorial *= i;
  S out(1 / factorial), power(1.0);
  double sign = 1;
  for (int k = 1; 2 * k <= S::order(); ++k) {
    factorial *= (2 * k + first - 1) * (2 * k + first);
    sign = -sign;
    power = power * x;
    out = out + power * (sign / factorial);
  }
  return out;
}

/// The rotation that turns by a vector: 1 + sin|θ|/|θ| θ× + (1 − cos|θ|)/|θ|² θ×θ×.
template <class S>
Mat3<S> turned_by(const Vec3<S>& turn) {
  const S square = dot(turn, turn), first = entire(square, 1), second = entire(square, 2);
  const auto column = [&](const Vec3<double>& e) {
    const Vec3<S> once = cross(turn, e), twice = cross(turn, once);
    return Vec3<S>{once.x * first + twice.x * second + e.x, once.y * first + twice.y * second + e.y, once.z * first + twice.z * second + e.z};
  };
  return {column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})};
}

}  // namespace detail

/// The coordinates from `q` on, for rates `v` of which the last coefficient is not looked at.
template <class S>
void coordinates_along(const Tree& tree, std::span<const double> q, std::span<const S> v, std::span<S> out) {
  for (const Link& link : tree.links()) {
    const int count = coordinates(link.motion);
    for (int c = 0; c < count; ++c) out[z(link.q + c)] = S(q[z(link.q + c)]);
    if (count == 1)
      for (int k = 0; k < S::order(); ++k) out[z(link.q)][k + 1] = v[z(link.v)][k] / (k + 1);
    if (count < 4) continue;
    S* e = &out[z(link.q)];
    const S* w = &v[z(link.v)];
    for (int k = 0; k < S::order(); ++k) {  // e' = e w / 2
      const auto sum = [&](int a, int b) { return product_sum(e[a], w[b], k, 0, k); };
      const double half = 0.5 / (k + 1);
      const double next[4] = {-sum(1, 0) - sum(2, 1) - sum(3, 2), sum(0, 0) + sum(2, 2) - sum(3, 1), sum(0, 1) - sum(1, 2) + sum(3, 0),
                              sum(0, 2) + sum(1, 1) - sum(2, 0)};
      for (int c = 0; c < 4; ++c) e[c][k + 1] = half * next[c];
    }
    if (link.motion != Motion::free) continue;
    const Vec3<S> velocity = rotation(e[0], e[1], e[2], e[3]) * Vec3<S>{w[3], w[4], w[5]};
    for (int k = 0; k < S::order(); ++k) e[4][k + 1] = velocity.x[k] / (k + 1), e[5][k + 1] = velocity.y[k] / (k + 1), e[6][k + 1] = velocity.z[k] / (k + 1);
  }
}

/// The frames of all links at `q` moved by `way` (tree::move), as series; `out` has one for each link.
template <class S>
void poses_along(const Tree& tree, std::span<const double> q, std::span<const S> way, std::span<Frame<S>> out) {
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.link(i);
    Frame<S>& at = out[z(i)];
    const auto constant = [](const Vec3<double>& a) { return Vec3<S>{S(a.x), S(a.y), S(a.z)}; };
    if (link.parent == kGround) {
      at = {{constant(link.place.axes.x), constant(link.place.axes.y), constant(link.place.axes.z)}, constant(link.place.origin)};
    } else {
      const Frame<S>& on = out[z(link.parent)];
      at = {on.axes * link.place.axes, on.origin + on.axes * link.place.origin};
    }
    const auto turn_about_z = [&](const S& angle) {
      const auto turn = sincos(angle);
      const Vec3<S> x = at.axes.x;
      at.axes.x = x * turn.cos + at.axes.y * turn.sin;
      at.axes.y = at.axes.y * turn.cos - x * turn.sin;
    };
    const auto displaced = [&] { return way[z(link.v)] + q[z(link.q)]; };
    switch (link.motion) {
      case Motion::revolute: turn_about_z(displaced()); break;
      case Motion::prismatic: at.origin += at.axes.z * displaced(); break;
      case Motion::screw:
        at.origin += at.axes.z * (displaced() * link.advance);
        turn_about_z(displaced() * link.turn);
        break;
      case Motion::ball:
      case Motion::free: {
        const Mat3<double> before = rotation(q[z(link.q)], q[z(link.q) + 1], q[z(link.q) + 2], q[z(link.q) + 3]);
        const Vec3<S> turn{way[z(link.v)], way[z(link.v) + 1], way[z(link.v) + 2]};
        if (link.motion == Motion::free) {
          const Vec3<S> v{way[z(link.v) + 3], way[z(link.v) + 4], way[z(link.v) + 5]};
          const S square = dot(turn, turn);
          const Vec3<S> once = cross(turn, v), twice = cross(turn, once);
          const Vec3<S> shift = before * (v + once * detail::entire(square, 2) + twice * detail::entire(square, 3));
          at.origin += at.axes * Vec3<S>{shift.x + q[z(link.q) + 4], shift.y + q[z(link.q) + 5], shift.z + q[z(link.q) + 6]};
        }
        at.axes = at.axes * before * detail::turned_by(turn);
        break;
      }
      case Motion::fixed: break;
    }
  }
}

}  // namespace jounce::tree
