// Angle driver: the angle of j relative to i follows a function of time. A motor whose rotation is known.
//
//   phi = phi_j − phi_i − C − f(t)                                                [rad]
//
// One equation; removes one degree of freedom. Degenerate: never. The motor exerts the moment −λ on j.
#pragma once

#include "jounce/planar/element.hpp"

namespace jounce::planar {

template <class Real>
struct AngleDriver {
  static constexpr std::string_view type = "angle";
  static constexpr std::string_view summary = "the angle of one body relative to another follows a function of time (a motor)";
  static constexpr Invariance invariance = Invariance::rigid_motion;

  BodyRef i, j;
  Drawn<Real> offset;
  Motion motion;

  static constexpr std::tuple fields{Field{"i", &AngleDriver::i, "the body the motor is fixed to"},
                                     Field{"j", &AngleDriver::j, "the body it turns"},
                                     Field{"offset", &AngleDriver::offset, "C; left out: the mechanism starts as drawn"},
                                     Field{"motion", &AngleDriver::motion, "f(t) in radians"}};

  constexpr auto residual(const auto& world) const {
    return rows(world.angle(j) - world.angle(i) - offset.value - world.motion(motion));
  }
  constexpr auto scale(const auto&) const { return radians(1); }
  constexpr auto reported_at() const { return j; }

  void settle(const World<double>& drawn) { settle_offset(*this, drawn); }
  void refuse(Refusals& because) const { because.same_body(i, j); }

  void sketch(auto& s) const { s.turn(i, j); }

  static AngleDriver example() { return {{0}, {1}, {0.25}, {0}}; }
};

}  // namespace jounce::planar
