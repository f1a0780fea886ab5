// Inverse dynamics: the efforts that an acceleration needs (recursive Newton–Euler).
#pragma once

#include "jounce/tree/recursions/recursion.hpp"

namespace jounce::tree {
namespace detail {

/// S q̈: what the accelerations of its own dofs add to a link's.
template <class T>
[[gnu::always_inline]] inline void add_own_acceleration(const Link& link, const T* qdd, LinkWork<T>& out) {
  const auto own = [&](int first) {
    return out.axes * Vec3<T>{qdd[link.v + first], qdd[link.v + first + 1], qdd[link.v + first + 2]};
  };
  switch (link.motion) {
    case Motion::revolute: set(out.turn, out.turn + out.axes.z * qdd[link.v]); break;
    case Motion::prismatic: out.shift += out.axes.z * qdd[link.v]; break;
    case Motion::screw:
      out.turn += out.axes.z * (qdd[link.v] * link.turn);
      out.shift += out.axes.z * (qdd[link.v] * link.advance);
      break;
    case Motion::free: out.shift += own(3); [[fallthrough]];
    case Motion::ball: out.turn += own(0); break;
    case Motion::fixed: break;
  }
}

/// Sᵀ f: what a wrench does on the dofs of a link.
template <class T>
[[gnu::always_inline]] inline void project(const Link& link, const LinkWork<T>& at, const Wrench<T>& f, T* tau) {
  const auto own = [&](int first, const Vec3<T>& a) {
    tau[link.v + first] = dot(at.axes.x, a), tau[link.v + first + 1] = dot(at.axes.y, a),
                 tau[link.v + first + 2] = dot(at.axes.z, a);
  };
  switch (link.motion) {
    case Motion::revolute: tau[link.v] = dot(at.axes.z, f.moment); break;
    case Motion::prismatic: tau[link.v] = dot(at.axes.z, f.force); break;
    case Motion::screw: tau[link.v] = dot(at.axes.z, f.moment) * link.turn + dot(at.axes.z, f.force) * link.advance; break;
    case Motion::free: own(3, f.force); [[fallthrough]];
    case Motion::ball: own(0, f.moment); break;
    case Motion::fixed: break;
  }
}

}  // namespace detail

/// tau = H(q) qdd + C(q, v), with gravity and, where `external` is not null, a wrench on each link: about the ground's origin,
/// in ground axes. Leaves in `work` each link's axes, arm, spin, accelerations and, as `bias`, the wrench that its joint
/// applies on it.
template <class T>
void rnea(const Tree& tree, Workspace<T>& work, const T* q, const T* v, const T* qdd, T* tau,
          const Wrench<T>* external = nullptr, Vec3<T>* positions = nullptr) {
  using namespace detail;
  find_turns(tree, q, work);
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.link(i);
    LinkWork<T>& at = work.links[z(i)];
    const LinkWork<T>* parent = parent_of(link, work);
    if (parent && link.motion == Motion::revolute)
      bring_hinge<true>(link, *parent, work, v, qdd, at);
    else
      bring(link, parent, work, q, v, at, [qdd](const Link& of, LinkWork<T>& its) { add_own_acceleration(of, qdd, its); });
    if (external || positions) take_external(link, i, external, positions, at);
  }
  for (int i = tree.size() - 1; i >= 0; --i) {
    const Link& link = tree.link(i);
    const LinkWork<T>& at = work.links[z(i)];
    if (link.motion == Motion::revolute)
      tau[link.v] = dot(at.axes.z, at.bias.moment);
    else
      project(link, at, at.bias, tau);
    if (link.parent == kGround) continue;
    Wrench<T>& below = work.links[z(link.parent)].bias;
    const Vec3<T> force{at.bias.force.x, at.bias.force.y, at.bias.force.z};
    set(below.moment, plus_cross(below.moment + at.bias.moment, at.arm, force));
    set(below.force, below.force + force);
  }
}

}  // namespace jounce::tree
