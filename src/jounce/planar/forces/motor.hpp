// Motor: a torque over speed between two bodies, usually at their pin, behind a gear.
//
//   measure  theta = phi_j − phi_i
//   effort   τ = d g u T(d g theta'),   T(ω_m) = T_s (1 − ω_m/ω_0) or a table        the signal (laws/motor.hpp)
//
// Positive τ turns j counter-clockwise, and i clockwise. It does not hold the bodies together: that is the revolute joint. Degenerate: never; a
// table has no torque outside its range.
#pragma once

#include "jounce/laws/motor.hpp"
#include "jounce/planar/force_element.hpp"

namespace jounce::planar {

template <class Real>
struct Motor {
  static constexpr std::string_view type = "motor";
  static constexpr std::string_view summary = laws::words::kMotor;
  static constexpr Invariance invariance = Invariance::rigid_motion;
  static constexpr ForceKind kind = ForceKind::drive;

  BodyRef i, j;
  Real stall_torque = laws::kLeftOut, no_load_speed = laws::kLeftOut;
  Curve curve;
  Real gear = 1.0, direction = 1.0;
  Law control;

  static constexpr std::tuple fields{Optional{"i", &Motor::i, laws::words::kStator},
                                     Field{"j", &Motor::j, laws::words::kRotor},
                                     Optional{"stall_torque", &Motor::stall_torque, laws::words::kStallTorque},
                                     Optional{"no_load_speed", &Motor::no_load_speed, laws::words::kNoLoadSpeed},
                                     Optional{"curve", &Motor::curve, laws::words::kCurve},
                                     Optional{"gear", &Motor::gear, laws::words::kGear},
                                     Optional{"direction", &Motor::direction, laws::words::kDirection},
                                     Optional{"control", &Motor::control, laws::words::kControl}};

  constexpr auto measures(const auto& world) const { return rows(world.angle(j) - world.angle(i)); }
  constexpr auto efforts(const auto&, const auto& at) const { return rows(at.signal); }
  constexpr auto lost(const auto& at) const { return rows(at.signal); }
  constexpr auto potential(const auto& x) const { return 0.0 * x[0]; }

  [[nodiscard]] laws::MotorData data() const { return {stall_torque, no_load_speed, gear, direction}; }
  void refuse(Refusals& because) const {
    because.same_body_of_ends(i, j);
    laws::refuse_motor(because, data(), curve.given);
  }

  void sketch(auto& s) const { s.motor(i, j); }

  static Motor example() { return {{0}, {1}, 30.0, 25.0, {}, 2.0, 1.0, {}}; }
};

}  // namespace jounce::planar
