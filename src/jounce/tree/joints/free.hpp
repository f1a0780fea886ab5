// Free: no joint at all.
//
//   X = shift by (q5, q6, q7), then the rotation of q1 … q4        v = twist [ω; v] in the axes of the child
#pragma once

#include "jounce/tree/joint.hpp"

namespace jounce::tree {

/// A body that swims, flies or falls.
struct Free {
  static constexpr std::string_view type = "free", summary = "no restraint: a unit quaternion and a position, and the twist in the child's axes";
  static constexpr std::array<std::string_view, 7> coordinates{"w", "x", "y", "z", "x position", "y position", "z position"};
  static constexpr JointKeys keys{};
  static constexpr DrawingSymbol symbol = DrawingSymbol::afloat;
  static std::vector<Step> steps(const JointShape&) { return {Step{Motion::free, 0}}; }
};

}  // namespace jounce::tree
