// Fixed: the child is part of the parent.
//
//   X = 1                                         no coordinate, no dof
#pragma once

#include "jounce/tree/joint.hpp"

namespace jounce::tree {

/// Nothing moves; its wrench is still reported.
struct Fixed {
  static constexpr std::string_view type = "fixed", summary = "no motion: the child is part of the parent";
  static constexpr std::array<std::string_view, 0> coordinates{};
  static constexpr JointKeys keys{};
  static constexpr DrawingSymbol symbol = DrawingSymbol::weld;
  static std::vector<Step> steps(const JointShape&) { return {Step{}}; }
};

}  // namespace jounce::tree
