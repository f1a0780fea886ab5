// Distance: a massless rod with a ball at each end keeps two points a constant distance apart. It closes loops only.
//
//      i ══(o)────── L ──────(o)══ j
//
//   X = any turn about the point on i, then L along the new z, then any turn about the point on j
//
// Six turns of which five are different, whatever way the rod points: turning it about itself moves neither end. What is left to resist is one
// force, along the rod.
#pragma once

#include "jounce/tree/joint.hpp"

namespace jounce::tree {

/// A massless rod between two balls.
struct Distance {
  static constexpr std::string_view type = "distance", summary = "a massless rod between two balls: two points stay a constant distance apart";
  static constexpr std::array<std::string_view, 0> coordinates{};
  static constexpr JointKeys keys{.length = true};
  static constexpr DrawingSymbol symbol = DrawingSymbol::rod;
  static constexpr int freedoms = 5;
  static std::vector<Step> steps(const JointShape& shape) {
    return {Step{.motion = Motion::ball, .coordinate = 0, .beyond = {0, 0, shape.length}}, Step{.motion = Motion::ball, .coordinate = 4}};
  }
};

}  // namespace jounce::tree
