// Revolute: a hinge.
//
//   X = turn by q about the axis                  S = [a; 0]
#pragma once

#include "jounce/tree/joint.hpp"

namespace jounce::tree {

/// A hinge.
struct Revolute {
  static constexpr std::string_view type = "revolute", summary = "turns about its axis";
  static constexpr std::array<std::string_view, 1> coordinates{"angle"};
  static constexpr JointKeys keys{.axis = true, .rubs = Rubs::as_bearing};
  static constexpr DrawingSymbol symbol = DrawingSymbol::hinge;
  static std::vector<Step> steps(const JointShape& shape) { return {turning(shape.axis, 0)}; }
};

}  // namespace jounce::tree
