// How a frame on a link moves, and one frame seen from another, over any scalar.
#pragma once

#include <span>

#include "jounce/base/index.hpp"
#include "jounce/space/closures/loop_joint.hpp"
#include "jounce/tree/algorithms.hpp"

namespace jounce {

/// In ground axes.
template <class T>
struct FrameMotion {
  Frame<T> frame;
  Vec3<T> spin{}, velocity{}, turn{}, acceleration{};
};

/// `work` and `links` are what tree::motion left there.
template <class T>
[[nodiscard]] FrameMotion<T> motion_of(int link, const Frame<double>& frame, const tree::Workspace<T>& work, std::span<const tree::LinkMotion<T>> links) {
  if (link == tree::kGround) {
    const auto constant = [](const Vec3<double>& a) { return Vec3<T>{T(a.x), T(a.y), T(a.z)}; };
    return {{{constant(frame.axes.x), constant(frame.axes.y), constant(frame.axes.z)}, constant(frame.origin)}};
  }
  const tree::LinkWork<T>& at = work.links[z(link)];
  const tree::LinkMotion<T>& own = links[z(link)];
  const Vec3<T> arm = at.axes * frame.origin;
  return {{at.axes * frame.axes, own.position + arm},
          at.spin,
          own.velocity + cross(at.spin, arm),
          at.turn,
          own.acceleration + cross(at.turn, arm) + cross(at.spin, cross(at.spin, arm))};
}

/// Of frame j against frame i, in the axes of i, about the origin of j: velocity, and acceleration as one sees it who turns with i.
template <class T>
struct RelativeMotion {
  TwistOf<T> velocity, acceleration;
};

// With r from the origin of i to that of j, u the velocity of j against i and w its angular velocity:
//
//   α_j = α_i + ω_i × w + …        a_j = a_i + α_i × r + ω_i × (ω_i × r) + 2 ω_i × u + …
template <class T>
[[nodiscard]] RelativeMotion<T> relative_motion(const FrameMotion<T>& i, const FrameMotion<T>& j) {
  const Mat3<T>& axes = i.frame.axes;
  const Vec3<T> r = j.frame.origin - i.frame.origin, around = cross(i.spin, r);
  const Vec3<T> w = j.spin - i.spin, u = j.velocity - i.velocity - around;
  return {{in_axes(axes, w), in_axes(axes, u)},
          {in_axes(axes, j.turn - i.turn - cross(i.spin, w)),
           in_axes(axes, j.acceleration - i.acceleration - cross(i.turn, r) - cross(i.spin, around + u * 2.0))}};
}

}  // namespace jounce
