// Helical: a nut on a screw of pitch h.
//
//   X = turn by q about, shift by h q along a      S = [a; h a]
#pragma once

#include "jounce/tree/joint.hpp"

namespace jounce::tree {

/// A nut on a screw.
struct Helical {
  static constexpr std::string_view type = "helical", summary = "turns about its axis and advances by `pitch` per radian";
  static constexpr std::array<std::string_view, 1> coordinates{"angle"};
  static constexpr JointKeys keys{.axis = true, .pitch = true};
  static constexpr DrawingSymbol symbol = DrawingSymbol::screw;
  static std::vector<Step> steps(const JointShape& shape) { return {Step{Motion::screw, 0, shape.axis, {}, 1, shape.pitch}}; }
};

}  // namespace jounce::tree
