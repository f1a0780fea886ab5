// Prismatic: a slider or a rail.
//
//   X = shift by q along the axis                 S = [0; a]
#pragma once

#include "jounce/tree/joint.hpp"

namespace jounce::tree {

/// A slider, or a rail.
struct Prismatic {
  static constexpr std::string_view type = "prismatic", summary = "slides along its axis";
  static constexpr std::array<std::string_view, 1> coordinates{"distance"};
  static constexpr JointKeys keys{.axis = true, .rubs = Rubs::as_guide};
  static constexpr DrawingSymbol symbol = DrawingSymbol::slide;
  static std::vector<Step> steps(const JointShape& shape) { return {sliding(shape.axis, 0)}; }
};

}  // namespace jounce::tree
