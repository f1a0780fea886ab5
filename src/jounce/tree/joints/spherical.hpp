// Spherical: a ball in its socket.
//
//   X = the rotation of the unit quaternion q1 … q4        v = angular velocity in the axes of the child
#pragma once

#include "jounce/tree/joint.hpp"

namespace jounce::tree {

/// A ball in its socket.
struct Spherical {
  static constexpr std::string_view type = "spherical", summary = "turns any way about a point; a unit quaternion, and the angular velocity in the child's axes";
  static constexpr std::array<std::string_view, 4> coordinates{"w", "x", "y", "z"};
  static constexpr JointKeys keys{};
  static constexpr DrawingSymbol symbol = DrawingSymbol::ball;
  static std::vector<Step> steps(const JointShape&) { return {Step{Motion::ball, 0}}; }
};

}  // namespace jounce::tree
