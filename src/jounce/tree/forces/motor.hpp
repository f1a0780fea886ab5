// Motor: a torque over speed between two bodies, about an axis of the first, behind a gear.
//
//   ω = a · (ω_j − ω_i),   a the axis, fixed in i
//   τ = d g u T(d g ω),    T(ω_m) = T_s (1 − ω_m/ω_0) or a table (laws/motor.hpp);   the moment τ a on j, −τ a on i
//
// It does not hold the bodies together: that is their joint, a revolute one about the same axis. Degenerate: never; a table has no torque outside
// its range.
#pragma once

#include "jounce/laws/motor.hpp"
#include "jounce/tree/force.hpp"

namespace jounce::tree::forces {

struct Motor {
  static constexpr std::string_view type = "motor", summary = laws::words::kMotor;
  static constexpr auto columns = jounce::columns::kSpaceDrive;
  static constexpr std::array law_variables{"omega", "t"};

  BodyRef i, j;
  Direction axis;
  double stall_torque = laws::kLeftOut, no_load_speed = laws::kLeftOut;
  Curve curve;
  double gear = 1, direction = 1;
  Law control;
  Law torque;  ///< on j, of omega and t: made of all these

  static constexpr std::tuple fields{Optional{"i", &Motor::i, laws::words::kStator},
                                     Field{"j", &Motor::j, laws::words::kRotor},
                                     Optional{"axis", &Motor::axis, "it turns j about, in the axes of body i, of any length, default [0, 0, 1]"},
                                     Optional{"stall_torque", &Motor::stall_torque, laws::words::kStallTorque},
                                     Optional{"no_load_speed", &Motor::no_load_speed, laws::words::kNoLoadSpeed},
                                     Optional{"curve", &Motor::curve, laws::words::kCurve},
                                     Optional{"gear", &Motor::gear, laws::words::kGear},
                                     Optional{"direction", &Motor::direction, laws::words::kDirection},
                                     Optional{"control", &Motor::control, laws::words::kControl}};

  template <class Stage>
  Trouble act(Stage& stage) const {
    using T = typename Stage::Scalar;
    const auto from = stage.place(i), to = stage.place(j);
    const Vec3<T> about = from.axes * axis.along;
    const T omega = dot(about, to.spin - from.spin);
    T value{};
    const std::array<T, 2> variables{omega, clock_at<T>(stage.t)};
    if (auto fault = torque->evaluate(std::span<const T>(variables), stage.quantities, value)) return fault->sentence;
    const Vec3<T> moment = about * value;
    stage.push(to, {moment, {}});
    stage.push(from, {-moment, {}});
    stage.show({omega, value, value * omega});
    return std::nullopt;
  }

  [[nodiscard]] laws::MotorData data() const { return {stall_torque, no_load_speed, gear, direction}; }
  [[nodiscard]] std::string torque_text(std::string_view written_control) const {
    return laws::motor_text(data(), written_control, curve.path, law_variables[0]);
  }
  void refuse(Refusals& because) const {
    because.same_body_of_ends(i, j);
    laws::refuse_motor(because, data(), !curve.path.empty());
  }

  [[nodiscard]] bool is_internal() const { return i.body != 0 && j.body != 0; }

  static Motor example() {
    Motor out{.i = {0}, .j = {1}, .axis = {{0.6, 0, 0.8}}, .stall_torque = 30, .no_load_speed = 25, .gear = 2};
    out.torque = laws::StateExpression{*Expression::parse(out.torque_text(""), {{}, {law_variables.begin(), law_variables.end()}})};
    return out;
  }
};

}  // namespace jounce::tree::forces
