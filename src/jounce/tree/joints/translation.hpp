// Translation: a gantry.
//
//   X = shift by (q1, q2, q3)                     S = [0; 1]
#pragma once

#include "jounce/tree/joint.hpp"

namespace jounce::tree {

/// A gantry.
struct Translation {
  static constexpr std::string_view type = "translation", summary = "slides along the three axes of the joint frame, without turning";
  static constexpr std::array<std::string_view, 3> coordinates{"x", "y", "z"};
  static constexpr JointKeys keys{};
  static constexpr DrawingSymbol symbol = DrawingSymbol::crossed_slides;
  static std::vector<Step> steps(const JointShape&) { return {sliding({1, 0, 0}, 0), sliding({0, 1, 0}, 1), sliding({0, 0, 1}, 2)}; }
};

}  // namespace jounce::tree
