// Gimbal: three rings.
//
//   X = turn by q1 about z, then by q2 about the new y, then by q3 about the newest x
#pragma once

#include "jounce/tree/joint.hpp"

namespace jounce::tree {

/// Three rings; locks where the pitch is a right angle.
struct Gimbal {
  static constexpr std::string_view type = "gimbal", summary = "turns about z, then the new y, then the newest x: yaw, pitch, roll";
  static constexpr std::array<std::string_view, 3> coordinates{"yaw", "pitch", "roll"};
  static constexpr JointKeys keys{};
  static constexpr DrawingSymbol symbol = DrawingSymbol::gimbal;
  static std::vector<Step> steps(const JointShape&) { return {turning({0, 0, 1}, 0), turning({0, 1, 0}, 1), turning({1, 0, 0}, 2)}; }
};

}  // namespace jounce::tree
