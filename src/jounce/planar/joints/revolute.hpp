// Revolute: a pin. Two points, one on each body, coincide; the bodies may turn about it.
//
//      ══i══(P)══j══
//
//   phi = p_WPj − p_WPi                                                           [m, m]
//
// Two equations; removes two degrees of freedom. Degenerate: never. −λ is the force on j at the pin.
#pragma once

#include "jounce/planar/friction.hpp"

namespace jounce::planar {

template <class Real>
struct Revolute {
  static constexpr std::string_view type = "revolute";
  static constexpr std::string_view summary = "a pin: two points coincide, the bodies may turn about it";
  static constexpr Invariance invariance = Invariance::rigid_motion;
  static constexpr bool force_at_points = true;  // what it carries is a force at its points, without a moment

  Point<Real> i, j;
  BearingFriction friction{};

  static constexpr std::tuple fields{Field{"i", &Revolute::i, "the pin's centre on body i"},
                                     Field{"j", &Revolute::j, "the pin's centre on body j"},
                                     Optional{"friction", &Revolute::friction, kBearingFrictionDoc}};

  constexpr auto residual(const auto& world) const {
    const auto d_W = world.point(j) - world.point(i);
    return rows(d_W.x, d_W.y);
  }
  constexpr auto scale(const auto&) const { return metres(1, 1); }
  constexpr auto reported_at() const { return j; }
  TurnFriction<double> rubs() const { return {{i.body}, {j.body}}; }

  void refuse(Refusals& because) const { because.same_body(i, j); }

  void sketch(auto& s) const { s.pin(i, j); }

  static Revolute example() { return {{0, {0.3, 0.1}}, {1, {-0.2, 0.4}}}; }
};

}  // namespace jounce::planar
