// The law of a spring with a damper, along a length or an angle: written once, for the plane and for space, on numbers of any kind.
//
//   effort  −f,   f = k (x − x0) + c x' + signal        potential  k (x − x0)² / 2
//
// An effort is positive when it increases the measure x; f, a tension or a torque, when it draws the ends together. The signal
// (laws/signal.hpp) is what only the running program knows: friction and the user's actuator.
#pragma once

namespace jounce::laws {

constexpr auto spring_effort(const auto& stiffness, const auto& rest, const auto& damping, const auto& x, const auto& rate,
                             const auto& signal) {
  return stiffness * (rest - x) - damping * rate - signal;
}

/// What of the effort the potential does not give: it takes energy out, or brings it in.
constexpr auto spring_loss(const auto& damping, const auto& rate, const auto& signal) { return 0.0 - damping * rate - signal; }

constexpr auto spring_potential(const auto& stiffness, const auto& rest, const auto& x) {
  const auto stretch = x - rest;
  return 0.5 * stiffness * stretch * stretch;
}

/// Rates below this count as a stop that friction is smoothed over, where the model does not say: m/s or rad/s.
inline constexpr double kFrictionSpeed = 1e-3;

inline constexpr const char* kNoLineOfAction = "its length has become zero: a spring needs a line of action";

/// Friction of a joint that grows with its reaction R: coefficient · radius · |R| against the rate; of a guide the radius is 1.
struct JointFriction {
  double coefficient = 0, radius = 1, speed = kFrictionSpeed;
  bool given = false;
};

/// Of the numbers of a bushing.
inline constexpr const char* kNoneNegative = "none of them may be negative";

/// What the keys of a spring between two points mean, for the tables of fields of the plane and of space.
namespace words {
inline constexpr const char* kSpring = "spring, damper, friction and actuator in parallel between two points";
inline constexpr const char* kBushing = "springs and dampers in every direction between two points";
inline constexpr const char *kOneEnd = "one end", *kOtherEnd = "the other end", *kStiffness = "k, default 0",
                            *kFreeLength = "length without force; required with a stiffness", *kDamping = "c, default 0",
                            *kFriction = "amplitude of dry friction, default 0",
                            *kFrictionSpeed = "rate over which friction is smoothed, default 0.001 m/s; 0: the exact sign",
                            *kActuator = "a force of l, v and t; positive pulls the ends together";
}  // namespace words

}  // namespace jounce::laws
