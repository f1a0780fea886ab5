// Weld: two bodies become one. The points coincide and the relative angle stays as drawn.
//
//   phi = p_WPj − p_WPi                                                           [m, m]
//         phi_j − phi_i − C                                                       [rad]
//
// Three equations; removes three degrees of freedom. Degenerate: never.
#pragma once

#include "jounce/planar/element.hpp"

namespace jounce::planar {

template <class Real>
struct Weld {
  static constexpr std::string_view type = "weld";
  static constexpr std::string_view summary = "two bodies become one: points coincide, the relative angle stays as drawn";
  static constexpr Invariance invariance = Invariance::rigid_motion;

  Point<Real> i, j;
  Drawn<Real> angle;

  static constexpr std::tuple fields{Field{"i", &Weld::i, "a point of body i"},
                                     Field{"j", &Weld::j, "the point of body j that is made to coincide with it"},
                                     Internal{&Weld::angle}};

  constexpr auto residual(const auto& world) const {
    const auto d_W = world.point(j) - world.point(i);
    return rows(d_W.x, d_W.y, world.angle(j) - world.angle(i) - angle.value);
  }
  constexpr auto scale(const auto&) const {
    return std::array{Scale{Unit::metre, 1.0}, Scale{Unit::metre, 1.0}, Scale{Unit::radian, 1.0}};
  }
  constexpr auto reported_at() const { return j; }

  void settle(const World<double>& drawn) { angle.value = drawn.angle(j) - drawn.angle(i); }
  void refuse(Refusals& because) const { because.same_body(i, j); }

  void sketch(auto& s) const { s.weld(i, j); }

  static Weld example() { return {{0, {0.3, 0.1}}, {1, {-0.2, 0.4}}, {0.25}}; }
};

}  // namespace jounce::planar
