// Forward and hybrid dynamics by articulated bodies: each dof is passive (its effort is known, its acceleration is wanted) or
// active (the other way round).
#pragma once

#include <cstdint>
#include <limits>

#include "jounce/tree/recursions/articulated.hpp"

namespace jounce::tree {

/// Accelerations of the passive dofs, given their efforts `tau` and the accelerations of the active dofs in `qdd` (active:
/// null, or one flag per dof). Where `external` is not null: a wrench on each link, about the ground's origin, in ground axes;
/// `positions` then needs room for one vector per link.
///
/// False when a pivot is not positive: some passive dof moves no inertia (`unmoved` tells which), and qdd means nothing.
template <class T>
bool hybrid(const Tree& tree, Workspace<T>& work, const T* q, const T* v, const T* tau, const std::uint8_t* active, T* qdd,
            const Wrench<T>* external = nullptr, Vec3<T>* positions = nullptr) {
  std::array<detail::ArticulatedState<T>, 1> alone{{{work, q, v, tau, qdd}}};
  detail::articulated(tree, alone, active, external, positions);
  for (int i = 0; i < tree.size(); ++i) detail::finish(tree.link(i), work.links[z(i)]);
  return alone[0].pivots.all();
}

/// All dofs passive. Leaves axes, arm and spin of the links, but neither their accelerations nor anything for `joint_wrench` and
/// `efforts`: that would take a sixth more time.
template <class T>
bool aba(const Tree& tree, Workspace<T>& work, const T* q, const T* v, const T* tau, T* qdd,
         const Wrench<T>* external = nullptr, Vec3<T>* positions = nullptr) {
  std::array<detail::ArticulatedState<T>, 1> alone{{{work, q, v, tau, qdd}}};
  detail::articulated(tree, alone, nullptr, external, positions);
  return alone[0].pivots.all();
}

/// The wrench that the joint of a link applies on it, about the link's origin, in ground axes: after `hybrid`.
template <class T>
Wrench<T> joint_wrench(const Workspace<T>& work, int link) {
  const LinkWork<T>& at = work.links[z(link)];
  Wrench<T> f = detail::times(at.inertia, at.turn, at.shift);
  f.moment += at.bias.moment;
  f.force += at.bias.force;
  return f;
}

/// Sᵀ f for every dof, after `hybrid`: what a passive dof was given and what an active one needs.
template <class T>
void efforts(const Tree& tree, const Workspace<T>& work, T* tau) {
  for (int i = 0; i < tree.size(); ++i) detail::project(tree.link(i), work.links[z(i)], joint_wrench(work, i), tau);
}

/// H⁻¹ tau for the passive dofs, in O(n), with the factors that the last `hybrid` at this position left; active dofs stay
/// still.
template <class T>
void respond(const Tree& tree, Workspace<T>& work, const T* tau, const std::uint8_t* active, T* qdd) {
  using namespace detail;
  for (auto& response : work.responses) response = {};
  for (int i = tree.size() - 1; i >= 0; --i) {
    const Link& link = tree.link(i);
    const LinkWork<T>& at = work.links[z(i)];
    Response<T>& own = work.responses[z(i)];
    each_passive(tree, work, i, active,
                 [&](int k, const Vec3<T>& push_turn, const Vec3<T>& push_shift, const T& per_pivot, const T&) {
                   own.drive[z(k)] = tau[link.v + k] - along(link, at, k, own.load.moment, own.load.force);
                   const T level = own.drive[z(k)] * per_pivot;
                   own.load.moment += push_turn * level;
                   own.load.force += push_shift * level;
                 });
    if (link.parent == kGround) continue;
    Wrench<T>& below = work.responses[z(link.parent)].load;
    below.moment += own.load.moment + cross(at.arm, own.load.force);
    below.force += own.load.force;
  }
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.link(i);
    const LinkWork<T>& at = work.links[z(i)];
    Response<T>& own = work.responses[z(i)];
    if (link.parent != kGround) {
      const Response<T>& parent = work.responses[z(link.parent)];
      own.turn = parent.turn;
      own.shift = parent.shift + cross(parent.turn, at.arm);
    }
    for (int k = 0; k < dofs(link.motion); ++k) qdd[link.v + k] = T(0.0);
    each_passive_backwards(
        tree, work, i, active, [&](int k, const Vec3<T>& push_turn, const Vec3<T>& push_shift, const T& per_pivot, const T&) {
          const T rate = (own.drive[z(k)] - dot(push_turn, own.turn) - dot(push_shift, own.shift)) * per_pivot;
          qdd[link.v + k] = rate;
          add_along(link, at, k, rate, own.turn, own.shift);
        });
  }
}

/// After `hybrid` with `positions`: what further efforts and wrenches add to its accelerations. O(n), with its factors; `work` is then as if it had known of them.
template <class T>
void load_further(const Tree& tree, Workspace<T>& work, const T* tau, const std::uint8_t* active, T* qdd, const Wrench<T>* external, const Vec3<T>* positions) {
  using namespace detail;
  for (int i = 0; i < tree.size(); ++i) {
    Wrench<T>& load = work.responses[z(i)].load;
    load = {};
    take_away(load, external[i], positions[i]);
  }
  for (int i = tree.size() - 1; i >= 0; --i) {
    const Link& link = tree.link(i);
    LinkWork<T>& at = work.links[z(i)];
    Response<T>& own = work.responses[z(i)];
    at.bias.moment += own.load.moment;
    at.bias.force += own.load.force;
    each_passive(tree, work, i, active, [&](int k, const Vec3<T>& push_turn, const Vec3<T>& push_shift, const T& per_pivot, const T&) {
      own.drive[z(k)] = tau[link.v + k] - along(link, at, k, own.load.moment, own.load.force);
      const T level = own.drive[z(k)] * per_pivot;
      own.load.moment += push_turn * level;
      own.load.force += push_shift * level;
    });
    if (link.parent == kGround) continue;
    Wrench<T>& below = work.responses[z(link.parent)].load;
    below.moment += own.load.moment + cross(at.arm, own.load.force);
    below.force += own.load.force;
  }
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.link(i);
    LinkWork<T>& at = work.links[z(i)];
    Response<T>& own = work.responses[z(i)];
    own.turn = own.shift = {};
    if (link.parent != kGround) {
      const Response<T>& parent = work.responses[z(link.parent)];
      own.turn = parent.turn;
      own.shift = parent.shift + cross(parent.turn, at.arm);
    }
    each_passive_backwards(tree, work, i, active, [&](int k, const Vec3<T>& push_turn, const Vec3<T>& push_shift, const T& per_pivot, const T&) {
      const T rate = (own.drive[z(k)] - dot(push_turn, own.turn) - dot(push_shift, own.shift)) * per_pivot;
      qdd[link.v + k] += rate;
      add_along(link, at, k, rate, own.turn, own.shift);
    });
    at.turn += own.turn;
    at.shift += own.shift;
  }
}

/// The dof that moves no inertia, after `hybrid` or `aba` said that there is one: the first such on the way in, or −1.
template <class T>
int unmoved(const Tree& tree, const Workspace<T>& work, const std::uint8_t* active = nullptr) {
  int found = -1;
  for (int i = tree.size() - 1; i >= 0 && found < 0; --i)
    detail::each_passive(tree, work, i, active, [&](int k, const Vec3<T>&, const Vec3<T>&, const T& per_pivot, const T&) {
      const double d = value_of(per_pivot);
      if (found < 0 && !(d > 0 && d < std::numeric_limits<double>::infinity())) found = tree.link(i).v + k;
    });
  return found;
}

}  // namespace jounce::tree
