// Spring: a coil spring, a damper, a friction strut and an actuator in parallel, pinned between two points.
//
//      i ══(P)──/\/\/\──(P)══ j        tension f, positive pulls the points together
//             ──┤▇▇├───
//
//   measure  l = |p_WPj − p_WPi|
//   effort   −f,   f = k (l − l0) + c l' + signal        signal = dry friction + actuator(l, v, t)
//
// The line of action is lost at l = 0; what is smooth there (free length 0 and a stiffness only) is a centred_spring.hpp.
#pragma once

#include "jounce/planar/force_element.hpp"

namespace jounce::planar {

template <class Real>
struct Spring {
  static constexpr std::string_view type = "spring";
  static constexpr std::string_view summary = laws::words::kSpring;
  static constexpr Invariance invariance = Invariance::rigid_motion;
  static constexpr ForceKind kind = ForceKind::extension;

  Point<Real> i, j;
  Real stiffness{};
  Rest<Real> free_length;
  Real damping{};
  Real friction{};
  Real friction_speed = kFrictionSpeed;
  Law actuator;

  static constexpr std::tuple fields{
      Field{"i", &Spring::i, laws::words::kOneEnd},
      Field{"j", &Spring::j, laws::words::kOtherEnd},
      Optional{"stiffness", &Spring::stiffness, laws::words::kStiffness},
      Optional{"free_length", &Spring::free_length, laws::words::kFreeLength},
      Optional{"damping", &Spring::damping, laws::words::kDamping},
      Optional{"friction", &Spring::friction, laws::words::kFriction},
      Optional{"friction_speed", &Spring::friction_speed, laws::words::kFrictionSpeed},
      Optional{"actuator", &Spring::actuator, laws::words::kActuator}};

  constexpr auto measures(const auto& world) const {
    const auto d_W = world.point(j) - world.point(i);
    return rows(sqrt(dot(d_W, d_W)));
  }
  constexpr auto efforts(const auto&, const auto& at) const {
    return rows(laws::spring_effort(stiffness, free_length.value, damping, at.x[0], at.rate[0], at.signal));
  }
  constexpr auto lost(const auto& at) const { return rows(laws::spring_loss(damping, at.rate[0], at.signal)); }
  constexpr auto potential(const auto& x) const { return laws::spring_potential(stiffness, free_length.value, x[0]); }

  void refuse(Refusals& because) const {
    because.same_body_of_ends(i, j);
    because.negative(free_length.value, "free_length");
    because.negative(damping, "damping");
    because.negative(friction, "friction");
    because.negative(friction_speed, "friction_speed");
  }

  void sketch(auto& s) const { s.spring(i, j, stiffness, free_length.value, damping, friction); }

  static Spring example() { return {{0, {0.3, 0.1}}, {1, {-0.2, 0.4}}, 30.0, {0.25}, 2.0, 0.0, kFrictionSpeed, {}}; }
};

}  // namespace jounce::planar
