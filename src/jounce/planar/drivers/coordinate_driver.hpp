// A coordinate of a body follows a function of time, on top of another coordinate if one is given.
//
//   phi = u_j − K w_i − C − f(t)       u, w each one of x, y (of the body's origin) and phi   [m or rad, that of u]
//
// One equation; removes one degree of freedom. Only the ground's axes are available; for a direction that moves with a
// body use `slot-distance`. Degenerate only for the same coordinate of the same body with K = 1.
#pragma once

#include "jounce/planar/element.hpp"

namespace jounce::planar {

template <class Real>
struct CoordinateDriver {
  static constexpr std::string_view type = "coordinate";
  static constexpr std::string_view summary = "a coordinate of a body follows a function of time, on top of another coordinate if one is given";
  static constexpr Invariance invariance = Invariance::ground_referenced;

  Coordinate<Real> j;
  Coordinate<Real> i;  // left out: a coordinate of the ground, which is 0
  Real ratio{1.0};
  Drawn<Real> offset;
  Motion motion;

  static constexpr std::tuple fields{Field{"j", &CoordinateDriver::j, "the coordinate that is tied: body.x, body.y or body.phi"},
                                     Optional{"i", &CoordinateDriver::i, "the coordinate it follows"},
                                     Optional{"ratio", &CoordinateDriver::ratio, "K, default 1"},
                                     Field{"offset", &CoordinateDriver::offset, "C; left out: as drawn"},
                                     Field{"motion", &CoordinateDriver::motion, "f(t)"}};

  constexpr auto residual(const auto& world) const {
    return rows(world.coordinate(j) - ratio * world.coordinate(i) - offset.value - world.motion(motion));
  }
  constexpr auto scale(const auto&) const { return std::array{Scale{j.pick[2] != 0 ? Unit::radian : Unit::metre, 1.0}}; }
  constexpr auto reported_at() const { return Point<Real>{j.body, j.origin}; }
  constexpr bool is_force_at_reported() const { return j.pick[2] == 0 && i.body != j.body; }

  void settle(const World<double>& drawn) { settle_offset(*this, drawn); }
  void refuse(Refusals& because) const {
    because.when(i.body == j.body && i.pick == j.pick && ratio == 1.0, "i",
                 "is the same coordinate as j with ratio 1: the equation says nothing");
  }

  void sketch(auto& s) const { s.push(j, i, ratio); }

  static CoordinateDriver example() { return {{0, {0.1, -0.2}, {1, 0, 0}}, {1, {0.3, 0.1}, {0, 0, 1}}, -0.4, {0.25}, {0}}; }
};

}  // namespace jounce::planar
