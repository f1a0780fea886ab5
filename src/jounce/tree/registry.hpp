// Every joint type of space. One line per type; the order is the order of `jounce types` and of the reference.
#pragma once

#include <span>
#include <tuple>

#include "jounce/tree/joints/custom.hpp"
#include "jounce/tree/joints/cylindrical.hpp"
#include "jounce/tree/joints/fixed.hpp"
#include "jounce/tree/joints/free.hpp"
#include "jounce/tree/joints/gimbal.hpp"
#include "jounce/tree/joints/helical.hpp"
#include "jounce/tree/joints/planar.hpp"
#include "jounce/tree/joints/prismatic.hpp"
#include "jounce/tree/joints/revolute.hpp"
#include "jounce/tree/joints/spherical.hpp"
#include "jounce/tree/joints/translation.hpp"
#include "jounce/tree/joints/universal.hpp"

namespace jounce::tree {

using Joints = std::tuple<Revolute, Prismatic, Helical, Cylindrical, Planar, Translation, Universal, Gimbal, Spherical, Free, Fixed,
                          Custom>;

/// A joint type as a value.
struct JointType {
  std::string_view type, summary;
  std::span<const std::string_view> coordinates;  ///< names of q1, q2, …; none for `fixed`, and for `custom`, which has any number
  JointKeys keys;
  std::vector<Step> (*steps)(const JointShape&);
};

[[nodiscard]] std::span<const JointType> joint_types();
/// Null for a name that is none.
[[nodiscard]] const JointType* find_joint_type(std::string_view type);

}  // namespace jounce::tree
