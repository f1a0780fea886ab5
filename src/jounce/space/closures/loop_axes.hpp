// The axes around a loop of space, body by body.
//
// A hinge has its axis in both bodies that it joins, and between the two axes in one body there is an angle and a distance that no motion changes. Bodies that only slide
// against each other keep their directions: their axes are looked at together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jounce/space/mechanism.hpp"

namespace jounce {

struct LoopAxis {
  /// What places the axis in the body that it sits on.
  struct Handle {
    int joint = -1;      ///< its frame in the parent
    int loop_side = -1;  ///< 0: frame i of the loop, 1: frame j
    [[nodiscard]] bool none() const { return joint < 0 && loop_side < 0; }
  };

  Vec3<double> direction;  ///< in the axes of the group
  Vec3<double> point;      ///< the origin of the joint's frame, in the link
  bool slides = false;     ///< along it, without turning
  std::string who;         ///< "joint 'O'"
  int link = tree::kGround;
  Mat3<double> in_group;   ///< the axes of the link
  Handle handle;
};
using AxisGroup = std::vector<LoopAxis>;

/// Group by group, from side i of the loop to side j; nothing where it is no loop of axes (it has a ball), or closed by what only slides.
[[nodiscard]] std::optional<std::vector<AxisGroup>> loop_axes(const SpaceMechanism& mechanism, std::size_t loop);

}  // namespace jounce
