// Universal: a Hooke joint.
//
//   X = turn by q1 about x, then by q2 about the new y
#pragma once

#include "jounce/tree/joint.hpp"

namespace jounce::tree {

/// A Hooke joint.
struct Universal {
  static constexpr std::string_view type = "universal", summary = "turns about x, then about the new y";
  static constexpr std::array<std::string_view, 2> coordinates{"first angle, about x", "second angle, about the new y"};
  static constexpr JointKeys keys{};
  static constexpr DrawingSymbol symbol = DrawingSymbol::universal;
  static std::vector<Step> steps(const JointShape&) { return {turning({1, 0, 0}, 0), turning({0, 1, 0}, 1)}; }
};

}  // namespace jounce::tree
