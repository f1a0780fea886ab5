// A hand on a mechanism of the plane that moves by itself: a spring and a damper between a point of a body and a place that a screen moves.
#pragma once

#include <array>
#include <string>

#include "jounce/api/mechanism.hpp"

namespace jounce {

/// What a hand takes hold of: a point of a body, from its origin in its axes, in metres.
struct Hand {
  std::string body;
  std::array<double, 2> p{};
  double stiffness = 0;  ///< in N/m; with a damping of 0 too: as firm as suits the masses and the size of the mechanism
  double damping = 0;    ///< in N s/m, against the velocity over the ground
};

/// The mechanism with a hand on it. Its bodies and coordinates are the same, so that a state (MotionState) of one is a state of the other;
/// two parameters more say where the hand is, in metres: `x` and `y` are their names.
struct InHand {
  Mechanism mechanism;
  std::string x, y;
};

/// Refused: a mechanism of space, a body that is not there or is the ground, numbers that are none, a hand without stiffness and damping where nothing has a mass.
[[nodiscard]] Result<InHand> in_hand(const Mechanism& mechanism, const Hand& hand);

}  // namespace jounce
