// Links that are rigidly one: the bodies that move freely in maximal coordinates, with their masses and principal axes.
#pragma once

#include <string>
#include <vector>

#include "jounce/space/mechanism.hpp"

namespace jounce {

/// The motion of free bodies against each other shows so many dofs of a joint at most.
inline constexpr int kMostDofs = 6;

/// Links that are rigidly one, by the first of them.
struct RigidBody {
  int link = 0;
  std::string name;
  tree::RigidInertia sum;  ///< in the axes of that link, about its origin
};
struct RigidBodies {
  std::vector<RigidBody> bodies;
  std::vector<int> of;  ///< link → body; −1: part of the ground, or a step within a joint
};

[[nodiscard]] RigidBodies rigid_bodies(const SpaceMechanism& mechanism);

/// Joints in an order in which each comes after the one that carries its parent.
[[nodiscard]] std::vector<int> parents_first(const SpaceMechanism& mechanism);

/// Mass, centre and principal axes.
struct Principal {
  double mass = 0;
  Vec3<double> inertia;
  Frame<double> frame;
};

[[nodiscard]] Principal principal(const tree::RigidInertia& inertia);

/// Each component by its own.
[[nodiscard]] inline Vec3<double> weighed(const Vec3<double>& by, const Vec3<double>& x) { return {by.x * x.x, by.y * x.y, by.z * x.z}; }

}  // namespace jounce
