// Spring: a coil spring, a damper, a friction strut and an actuator in parallel between two points.
//
//      i ══(P)──/\/\/\──(P)══ j        tension f, positive pulls the points together
//             ──┤▇▇├───
//
//   l = |p_WPj − p_WPi|,   f = k (l − l0) + c l' + signal        signal = dry friction + actuator(l, v, t)
//
// The line of action is lost at l = 0. Free length 0 and a stiffness only is smooth there: its force is k d.
#pragma once

#include "jounce/laws/signal.hpp"
#include "jounce/laws/spring.hpp"
#include "jounce/tree/force.hpp"

namespace jounce::tree::forces {

struct Spring {
  static constexpr std::string_view type = "spring", summary = laws::words::kSpring;
  static constexpr auto columns = jounce::columns::kExtension;
  static constexpr std::array law_variables{"l", "v", "t"};

  BodyPoint i, j;
  double stiffness = 0;
  FreeLength free_length;
  double damping = 0, friction = 0, friction_speed = laws::kFrictionSpeed;
  Law actuator;
  laws::Signal signal;  ///< of friction and actuator, after `settle`

  static constexpr std::tuple fields{Field{"i", &Spring::i, laws::words::kOneEnd},
                                     Field{"j", &Spring::j, laws::words::kOtherEnd},
                                     Optional{"stiffness", &Spring::stiffness, laws::words::kStiffness},
                                     Optional{"free_length", &Spring::free_length, laws::words::kFreeLength},
                                     Optional{"damping", &Spring::damping, laws::words::kDamping},
                                     Optional{"friction", &Spring::friction, laws::words::kFriction},
                                     Optional{"friction_speed", &Spring::friction_speed, laws::words::kFrictionSpeed},
                                     Optional{"actuator", &Spring::actuator, laws::words::kActuator}};

  template <class Stage>
  Trouble act(Stage& stage) const {
    using T = typename Stage::Scalar;
    const auto from = stage.place(i), to = stage.place(j);
    const Vec3<T> d = to.position - from.position;
    const T square = dot(d, d);
    if (!(value_of(square) > 0)) {
      if (needs_a_line()) return std::string(laws::kNoLineOfAction);
      const Vec3<T> pull = d * stiffness;
      stage.push(from, {{}, pull});
      stage.push(to, {{}, -pull});
      stage.show({T(0.0), T(0.0), T(0.0)});
      return std::nullopt;
    }
    const T length = sqrt(square), rate = dot(d, to.velocity - from.velocity) / length;
    T added{};
    if (!signal.empty())
      if (auto fault = signal.add_to(added, stage.direction, length, rate, clock_at<T>(stage.t), stage.quantities)) return "actuator: " + fault->sentence;
    const T tension = 0.0 - laws::spring_effort(stiffness, free_length.value, damping, length, rate, added);
    stage.pull(from, to, d, length, tension);
    stage.keep(laws::spring_potential(stiffness, free_length.value, length), (length - free_length.value) * rate * stiffness);
    stage.show({length, rate, tension});
    return std::nullopt;
  }

  void settle() {
    signal = {};
    if (actuator) signal.laws.push_back(*actuator);
    signal.add_friction(friction, friction_speed, {law_variables.begin(), law_variables.end()});
  }

  void refuse(Refusals& because) const {
    because.same_body_of_ends(i, j);
    because.negative(free_length.value, "free_length");
    because.negative(damping, "damping");
    because.negative(friction, "friction");
    because.negative(friction_speed, "friction_speed");
  }

  [[nodiscard]] bool is_conservative() const { return damping == 0 && signal.empty(); }
  [[nodiscard]] bool is_internal() const { return i.body != 0 && j.body != 0; }
  [[nodiscard]] double dry_friction() const { return signal.dry_friction; }
  [[nodiscard]] bool needs_a_line() const { return free_length.value != 0 || damping != 0 || !signal.empty(); }

  void sketch(auto& s) const { s.spring(i, j, stiffness, free_length.value, damping); }

  static Spring example() {
    Spring out{.i = {0, {0.3, 0.1, 0.2}}, .j = {1, {-0.2, 0.4, 0.1}}, .stiffness = 30, .free_length = {0.25}, .damping = 2};
    out.settle();
    return out;
  }
};

}  // namespace jounce::tree::forces
