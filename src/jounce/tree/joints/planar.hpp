// Planar: a body on a table.
//
//   X = shift by (q2, q3) in the xy plane of the parent side, then turn by q1 about z
#pragma once

#include "jounce/tree/joint.hpp"

namespace jounce::tree {

/// The coordinates are the true ones: x and y along the parent's axes, whatever the angle.
struct Planar {
  static constexpr std::string_view type = "planar", summary = "slides in the xy plane of the joint frame and turns about its normal";
  static constexpr std::array<std::string_view, 3> coordinates{"angle", "x", "y"};
  static constexpr JointKeys keys{};
  static constexpr DrawingSymbol symbol = DrawingSymbol::table;
  static std::vector<Step> steps(const JointShape&) { return {sliding({1, 0, 0}, 1), sliding({0, 1, 0}, 2), turning({0, 0, 1}, 0)}; }
};

}  // namespace jounce::tree
