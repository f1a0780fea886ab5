// A quantity of the state that an expression may use: a coordinate of a point of a body, the body's angle, or the rate of one of these.
#pragma once

#include <array>

#include "jounce/planar/world.hpp"
#include "jounce/scalar/dual.hpp"

namespace jounce::planar {

struct StateQuantity {
  int body = 0;     ///< 0 is the ground
  Vec2<double> p;   ///< from the centre of mass, in body axes
  int pick = 0;     ///< 0, 1, 2 for x, y, phi
  bool rate = false;

  /// One coefficient, from that of the body's frame: they are linear in each other.
  [[nodiscard]] double of_frame(const Frame<double>& f) const {
    if (pick == 2) return f.phi;
    return pick == 0 ? f.x + f.c * p.x - f.s * p.y : f.y + f.s * p.x + f.c * p.y;
  }

  /// From the coordinates and rates of the body's centre of mass.
  template <class T>
  [[nodiscard]] T at(const std::array<T, 3>& q, const std::array<T, 3>& v) const {
    if (pick == 2) return rate ? v[2] : q[2];
    const auto turn = sincos(q[2]);
    if (!rate) return pick == 0 ? q[0] + turn.cos * p.x - turn.sin * p.y : q[1] + turn.sin * p.x + turn.cos * p.y;
    return pick == 0 ? v[0] - (turn.sin * p.x + turn.cos * p.y) * v[2] : v[1] + (turn.cos * p.x - turn.sin * p.y) * v[2];
  }

  /// Of a coordinate: its derivatives by x, y, phi of the body.
  [[nodiscard]] std::array<double, 3> gradient(const Frame<double>& f) const {
    if (pick == 2) return {0, 0, 1};
    if (pick == 0) return {1, 0, -f.s * p.x - f.c * p.y};
    return {0, 1, f.c * p.x - f.s * p.y};
  }
  /// And the only second one that is not zero, by phi twice.
  [[nodiscard]] double curvature(const Frame<double>& f) const {
    if (pick == 2) return 0;
    return pick == 0 ? -f.c * p.x + f.s * p.y : -f.s * p.x - f.c * p.y;
  }

  friend bool operator==(const StateQuantity& a, const StateQuantity& b) {
    return a.body == b.body && a.p.x == b.p.x && a.p.y == b.p.y && a.pick == b.pick && a.rate == b.rate;
  }
};

}  // namespace jounce::planar
