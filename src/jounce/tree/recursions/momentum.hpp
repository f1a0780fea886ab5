// Where the links are and how they move, the momentum, energy and centre of mass of all of them.
#pragma once

#include "jounce/tree/recursions/aba.hpp"

namespace jounce::tree {

/// Of a link's origin, in ground axes; the angular parts are `spin` and `turn` of the workspace.
template <class T>
struct LinkMotion {
  Vec3<T> position, velocity, acceleration;
};

/// Position, velocity and true acceleration (gravity has no part in it) of every link, for the given qdd.
template <class T>
void motion(const Tree& tree, Workspace<T>& work, const T* q, const T* v, const T* qdd, LinkMotion<T>* out) {
  using namespace detail;
  find_turns(tree, q, work);
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.link(i);
    LinkWork<T>& at = work.links[z(i)];
    const LinkWork<T>* parent = parent_of(link, work);
    place(link, parent, q, work, at);
    carry(link, parent, Vec3<double>{}, v, at);
    add_own_acceleration(link, qdd, at);
    LinkMotion<T>& own = out[i];
    own.position = parent ? out[link.parent].position + at.arm : at.arm;
    own.velocity = parent ? out[link.parent].velocity + cross(parent->spin, at.arm) : Vec3<T>{T(0.0), T(0.0), T(0.0)};
    for (int k = 0; k < dofs(link.motion); ++k) {
      Vec3<T> unused{};
      add_along(link, at, k, v[link.v + k], unused, own.velocity);
    }
    own.acceleration = at.shift;
  }
}

template <class T>
struct Totals {
  Wrench<T> momentum{};  ///< angular about the ground's origin, and linear
  Vec3<T> com{};         ///< zero where there is no mass
  double mass = 0;
  T kinetic{};
  T weight{};  ///< potential energy of gravity, zero with the centre of mass at the ground's origin
};

/// Momentum of a link's own mass: angular about the link's origin, and linear. After `motion`.
template <class T>
Wrench<T> momentum_of(const Link& link, const LinkWork<T>& at, const LinkMotion<T>& own) {
  const Vec3<T> moment = at.axes * link.inertia.moment;
  return {at.axes * (link.inertia.about * in_axes(at.axes, at.spin)) + cross(moment, own.velocity),
          own.velocity * link.inertia.mass + cross(at.spin, moment)};
}

/// After `motion`.
template <class T>
Totals<T> totals(const Tree& tree, const Workspace<T>& work, const LinkMotion<T>* motion) {
  Totals<T> sum;
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.link(i);
    if (!link.massive) continue;
    const LinkWork<T>& at = work.links[z(i)];
    const LinkMotion<T>& own = motion[i];
    const auto [angular, linear] = momentum_of(link, at, own);
    sum.momentum.force += linear;
    sum.momentum.moment += angular + cross(own.position, linear);
    sum.kinetic += 0.5 * (dot(own.velocity, linear) + dot(at.spin, angular));
    sum.mass += link.inertia.mass;
    sum.com += own.position * link.inertia.mass + at.axes * link.inertia.moment;
  }
  sum.weight = -dot(sum.com, tree.gravity);
  if (sum.mass > 0) sum.com = sum.com * (1 / sum.mass);
  return sum;
}

/// Angular momentum about a place that stands still at this instant, such as where the centre of mass is just now: summed about it, so that the
/// distance from the ground's origin takes no digits. After `motion`.
template <class T>
Vec3<T> angular_momentum_about(const Vec3<T>& place, const Tree& tree, const Workspace<T>& work, const LinkMotion<T>* motion) {
  Vec3<T> sum{};
  for (int i = 0; i < tree.size(); ++i) {
    if (!tree.link(i).massive) continue;
    const auto [angular, linear] = momentum_of(tree.link(i), work.links[z(i)], motion[i]);
    sum += angular + cross(motion[i].position - place, linear);
  }
  return sum;
}

/// The rates of the chosen dofs that make the momenta conjugate to them zero, (H v)_chosen = 0, the others being as they are in
/// v. With the passive dofs of the base chosen: zero total momentum for given joint rates. With all passive dofs chosen: an
/// impulsive start from rest. `fixed` has one flag per dof, not zero for those that keep their rates. False when a chosen dof
/// moves no inertia.
template <class T>
bool momentum_free(const Tree& tree, Workspace<T>& work, const T* q, const std::uint8_t* fixed, T* v) {
  const Vec3<double> gravity = work.gravity;
  work.gravity = {};
  const bool done = hybrid<T>(tree, work, q, work.none.data(), work.none.data(), fixed, v);
  work.gravity = gravity;
  return done;
}

}  // namespace jounce::tree
