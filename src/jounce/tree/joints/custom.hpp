// Custom: one screw after the other.
//
//   X = exp(b1 q1) exp(b2 q2) …                   b = [w; u]: turn about and shift along a line, of any length
#pragma once

#include "jounce/tree/joint.hpp"

namespace jounce::tree {

/// A product of constant screws, each of any length, in the joint frame at zero displacement.
struct Custom {
  static constexpr std::string_view type = "custom", summary = "one motion after another along the given `screws`, one coordinate for each";
  static constexpr std::array<std::string_view, 0> coordinates{};  // as many as there are screws
  static constexpr JointKeys keys{.screws = true};
  static constexpr DrawingSymbol symbol = DrawingSymbol::screws;
  static std::vector<Step> steps(const JointShape& shape) {
    std::vector<Step> out;
    for (const auto& screw : shape.screws) out.push_back(screwing(screw, static_cast<int>(out.size())));
    return out;
  }
};

}  // namespace jounce::tree
