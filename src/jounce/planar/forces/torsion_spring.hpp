// Torsion spring: a coil, a rotary damper, friction and a motor in parallel between two bodies, usually at their pin.
//
//   measure  theta = phi_j − phi_i
//   effort   −T,   T = k (theta − theta0) + c theta' + signal        signal = dry friction + actuator(theta, omega, t)
//
// Positive T turns i towards j. It does not hold the bodies together: that is the revolute joint.
#pragma once

#include "jounce/planar/force_element.hpp"

namespace jounce::planar {

template <class Real>
struct TorsionSpring {
  static constexpr std::string_view type = "torsion-spring";
  static constexpr std::string_view summary = "spring, damper, friction and motor in parallel between two bodies";
  static constexpr Invariance invariance = Invariance::rigid_motion;
  static constexpr ForceKind kind = ForceKind::rotation;

  BodyRef i, j;
  Real stiffness{};
  Real free_angle{};
  Real damping{};
  Real friction{};
  Real friction_speed = kFrictionSpeed;
  Law actuator;

  static constexpr std::tuple fields{
      Field{"i", &TorsionSpring::i, "one body"},
      Field{"j", &TorsionSpring::j, "the other body"},
      Optional{"stiffness", &TorsionSpring::stiffness, "k, default 0"},
      Optional{"free_angle", &TorsionSpring::free_angle, "angle of j relative to i without torque, default 0"},
      Optional{"damping", &TorsionSpring::damping, "c, default 0"},
      Optional{"friction", &TorsionSpring::friction, "amplitude of dry friction, default 0"},
      Optional{"friction_speed", &TorsionSpring::friction_speed,
               "rate over which friction is smoothed, default 0.001 rad/s; 0: the exact sign"},
      Optional{"actuator", &TorsionSpring::actuator, "a torque of theta, omega and t; positive turns i towards j"}};

  constexpr auto measures(const auto& world) const { return rows(world.angle(j) - world.angle(i)); }
  constexpr auto efforts(const auto&, const auto& at) const {
    return rows(laws::spring_effort(stiffness, free_angle, damping, at.x[0], at.rate[0], at.signal));
  }
  constexpr auto lost(const auto& at) const { return rows(laws::spring_loss(damping, at.rate[0], at.signal)); }
  constexpr auto potential(const auto& x) const { return laws::spring_potential(stiffness, free_angle, x[0]); }

  void refuse(Refusals& because) const {
    because.same_body_of_ends(i, j);
    because.negative(damping, "damping");
    because.negative(friction, "friction");
    because.negative(friction_speed, "friction_speed");
  }

  void sketch(auto& s) const { s.spiral(i, j, stiffness, damping, friction); }

  static TorsionSpring example() { return {{0}, {1}, 30.0, 0.25, 2.0, 0.0, kFrictionSpeed, {}}; }
};

}  // namespace jounce::planar
