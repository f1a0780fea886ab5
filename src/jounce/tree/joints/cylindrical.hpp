// Cylindrical: a shaft in a bush.
//
//   X = turn by q1 about, shift by q2 along a      S = [a; 0], [0; a]
#pragma once

#include "jounce/tree/joint.hpp"

namespace jounce::tree {

/// A shaft in a bush.
struct Cylindrical {
  static constexpr std::string_view type = "cylindrical", summary = "turns about its axis and slides along it";
  static constexpr std::array<std::string_view, 2> coordinates{"angle", "distance"};
  static constexpr JointKeys keys{.axis = true};
  static constexpr DrawingSymbol symbol = DrawingSymbol::sleeve;
  static std::vector<Step> steps(const JointShape& shape) { return {turning(shape.axis, 0), sliding(shape.axis, 1)}; }
};

}  // namespace jounce::tree
