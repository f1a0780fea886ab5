// The direction in which one dof of a joint moves what it carries.
#pragma once

#include <array>

#include "jounce/space/closures/loop_joint.hpp"
#include "jounce/tree/tree.hpp"

namespace jounce {

/// Of dof k of a link with these axes, per unit of its rate, about the point that is `arm` away from the link's origin.
template <class T>
[[nodiscard]] TwistOf<T> dof_direction(const tree::Link& link, const Mat3<T>& axes, int k, const Vec3<T>& arm) {
  const std::array<Vec3<T>, 3> own{axes.x, axes.y, axes.z};
  TwistOf<T> out;
  switch (link.motion) {
    case tree::Motion::revolute: out.turn = axes.z; break;
    case tree::Motion::prismatic: out.shift = axes.z; break;
    case tree::Motion::screw: out = {axes.z * link.turn, axes.z * link.advance}; break;
    default: (k < 3 ? out.turn : out.shift) = own[static_cast<std::size_t>(k % 3)];
  }
  out.shift += cross(out.turn, arm);
  return out;
}

}  // namespace jounce
