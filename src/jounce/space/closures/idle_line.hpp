// The line of an idle turn and the body that turns about it, over any scalar.
#pragma once

#include "jounce/space/closures/frame_motion.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

/// In ground axes.
template <class T>
struct IdleLine {
  Vec3<T> along, change;  ///< of length 1, and how it changes
  Vec3<T> spin, turn;     ///< of the body
};

/// `work` and `links` are what tree::motion left there.
template <class T>
[[nodiscard]] IdleLine<T> line_of(const SpaceMechanism& mechanism, const SpaceIdle& idle, const tree::Workspace<T>& work, std::span<const tree::LinkMotion<T>> links) {
  using std::sqrt;
  const auto end = [&](const SpaceIdle::End& e) {
    const SpaceBody& body = mechanism.bodies[z(e.body)];
    return motion_of<T>(body.link, {body.frame.axes, body.frame * e.place}, work, links);
  };
  const FrameMotion<T> from = end(idle.from), to = end(idle.to);
  const Vec3<T> apart = to.frame.origin - from.frame.origin, rate = to.velocity - from.velocity;
  const T inverse_length = T(1.0) / sqrt(dot(apart, apart));
  IdleLine<T> out;
  out.along = apart * inverse_length;
  const Vec3<T> relative = rate * inverse_length;
  out.change = relative - out.along * dot(out.along, relative);
  const tree::LinkWork<T>& own = work.links[z(mechanism.bodies[z(idle.turns)].link)];
  out.spin = own.spin, out.turn = own.turn;
  return out;
}

}  // namespace jounce
