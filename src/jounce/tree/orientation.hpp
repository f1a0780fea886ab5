// Orientations of links as quaternions that go on continuously.
//
// q and −q are one rotation, and a matrix of axes does not say which. The coordinates do: angles are never wrapped, and the quaternions of balls
// go on from where they were. So the product of the rotations along the tree has a sign that is a function of the coordinates alone, and
// along a motion it never jumps: a full turn of a hinge changes it.
#pragma once

#include <span>

#include "jounce/tree/rotation.hpp"
#include "jounce/tree/tree.hpp"

namespace jounce::tree {

/// One for each link, from the ground to its axes.
void orientations(const Tree& tree, std::span<const double> q, std::span<Quaternion> out);

/// −1 where the sign of the rotation has to be changed so that its largest component is positive, the first of equal ones; otherwise 1.
[[nodiscard]] double usual_sign(const Quaternion& e);

}  // namespace jounce::tree
