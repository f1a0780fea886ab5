// Whether a coordinate or a dof of a link is an angle or a length.
#pragma once

#include "jounce/tree/tree.hpp"

namespace jounce::tree {

enum class Quantity {
  angle,
  length,
  number,  ///< without a unit: a part of a quaternion
};

/// Its coordinate k. A screw that turns is measured by its turning.
[[nodiscard]] constexpr Quantity coordinate_quantity(const Link& link, int k) {
  switch (link.motion) {
    case Motion::prismatic: return Quantity::length;
    case Motion::screw: return link.turn != 0 ? Quantity::angle : Quantity::length;
    case Motion::ball: return Quantity::number;
    case Motion::free: return k < 4 ? Quantity::number : Quantity::length;
    default: return Quantity::angle;
  }
}

/// Its dof k: never a part of a quaternion.
[[nodiscard]] constexpr Quantity dof_quantity(const Link& link, int k) {
  if (link.motion == Motion::ball) return Quantity::angle;
  if (link.motion == Motion::free) return k < 3 ? Quantity::angle : Quantity::length;
  return coordinate_quantity(link, k);
}

/// Of a dof of the tree.
[[nodiscard]] inline Quantity dof_quantity(const Tree& tree, int dof) {
  const Link& link = tree.link(tree.moved_by(dof));
  return dof_quantity(link, dof - link.v);
}

/// Of a coordinate of the tree, one of those of a joint. Its links need not come in the order of its coordinates.
[[nodiscard]] inline Quantity coordinate_quantity(const Tree& tree, const Attached& joint, int coordinate) {
  for (int i = joint.first; i <= joint.last; ++i) {
    const Link& link = tree.link(i);
    const int k = coordinate - link.q;
    if (k >= 0 && k < coordinates(link.motion)) return coordinate_quantity(link, k);
  }
  return Quantity::number;
}

}  // namespace jounce::tree
