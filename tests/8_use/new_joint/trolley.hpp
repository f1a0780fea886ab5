// Trolley: a hook that slides along a beam and swings below it.
//
//   X = slide by q1 along x, then turn by q2 about y
#pragma once

#include "jounce/tree/joint.hpp"

namespace jounce::tree {

/// It does not say how it is drawn.
struct Trolley {
  static constexpr std::string_view type = "trolley", summary = "slides along x, then turns about y";
  static constexpr std::array<std::string_view, 2> coordinates{"distance", "angle"};
  static constexpr JointKeys keys{};
  static std::vector<Step> steps(const JointShape&) { return {sliding({1, 0, 0}, 0), turning({0, 1, 0}, 1)}; }
};

}  // namespace jounce::tree
