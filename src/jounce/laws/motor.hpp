// The law of a motor behind a gear: torque over speed, a straight line or a table. The same in the plane and in space.
//
//        T                       at the shaft:  T(ω_m) = T_s (1 − ω_m/ω_0), or a table of T over ω_m
//   T_s  ●                       at the load:   ω_m = d g ω,   τ = d g u(t) T(ω_m)
//        │ ╲  motor
//        │   ╲                   g gear, d direction (1 or −1), u control, ω the speed of the load
//   ─────┼─────●───── ω_m
//        │   ω_0 ╲  brake        Beyond ω_0 it brakes along the line; against its torque (ω_m < 0) the torque goes on growing along it.
//                                A table has no torque outside its range: that is an error at that time.
//
// It is written as an expression of the speed of the load, so that derivatives and series of every order follow as they do for any law.
#pragma once

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>

#include "jounce/base/refusals.hpp"

namespace jounce::laws {

/// Of a number that the model does not give.
inline constexpr double kLeftOut = std::numeric_limits<double>::quiet_NaN();

struct MotorData {
  double stall_torque = kLeftOut, no_load_speed = kLeftOut;
  double gear = 1, direction = 1;
};

/// The torque at the load as the text of an expression of `speed`. `control`: the text of a factor, or empty: 1. `table`: the file of the
/// curve, or empty: a straight line.
[[nodiscard]] inline std::string motor_text(const MotorData& of, std::string_view control, std::string_view table, std::string_view speed) {
  const double ratio = of.gear * of.direction;
  std::string out;
  if (!control.empty()) out.append("(").append(control).append(")*");
  std::array<char, 96> text{};
  if (table.empty()) {
    std::snprintf(text.data(), text.size(), "((%.17g) - %.17g*", ratio * of.stall_torque, ratio * ratio * of.stall_torque / of.no_load_speed);
    return out.append(text.data()).append(speed).append(")");
  }
  std::snprintf(text.data(), text.size(), "', (%.17g)*", ratio);
  out.append("lookup('").append(table).append(text.data()).append(speed).append(")");
  std::snprintf(text.data(), text.size(), "*(%.17g)", ratio);
  return out.append(text.data());
}

/// What of its data cannot work.
inline void refuse_motor(Refusals& because, const MotorData& of, bool has_curve) {
  const bool torque = !std::isnan(of.stall_torque), speed = !std::isnan(of.no_load_speed);
  because.when(!torque && !speed && !has_curve, "", "its torque is missing: expected 'stall_torque' and 'no_load_speed', or 'curve'");
  because.when((torque || speed) && has_curve, "curve", "says the torque over speed, and so do 'stall_torque' and 'no_load_speed': give one of the two");
  because.when(torque && !speed && !has_curve, "", "'no_load_speed' is missing: 'stall_torque' needs it");
  because.when(speed && !torque && !has_curve, "", "'stall_torque' is missing: 'no_load_speed' needs it");
  because.when(torque && !(of.stall_torque > 0), "stall_torque", "must be greater than 0");
  because.when(speed && !(of.no_load_speed > 0), "no_load_speed", "must be greater than 0");
  because.when(!(of.gear > 0), "gear", "must be greater than 0");
  because.when(of.direction != 1 && of.direction != -1, "direction", "must be 1 or -1");
}

/// What its keys mean, for the tables of fields of the plane and of space.
namespace words {
inline constexpr const char* kMotor = "a motor: torque over speed, between two bodies";
inline constexpr const char *kStator = "the body it is fixed to, default \"ground\"", *kRotor = "the body it turns",
                            *kStallTorque = "torque of the motor at rest, > 0; with `no_load_speed`",
                            *kNoLoadSpeed = "speed of the motor without torque, > 0; with `stall_torque`: a straight line between",
                            *kCurve = "torque of the motor over its speed, instead of the straight line",
                            *kGear = "turns of the motor for one of j, > 0, default 1; its torque on j is so many times larger",
                            *kDirection = "1 (default) or -1: which way round it drives j",
                            *kControl = "factor of the torque, default 1: an expression such as \"step(t, 0, 0.1)\"";
}  // namespace words

}  // namespace jounce::laws
