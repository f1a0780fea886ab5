// A joint type of space as a value: what the outside needs to know of it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "jounce/base/drawing_symbol.hpp"
#include "jounce/tree/joint.hpp"

namespace jounce::tree {

/// A joint type as a value.
struct JointType {
  std::string_view type, summary;
  std::span<const std::string_view> coordinates;  ///< names of q1, q2, …; none for `fixed`, and for `custom`, which has any number
  JointKeys keys;
  std::vector<Step> (*steps)(const JointShape&);
  DrawingSymbol symbol = DrawingSymbol::mark;  ///< how it is drawn
};

[[nodiscard]] std::span<const JointType> joint_types();
/// Null for a name that is none.
[[nodiscard]] const JointType* find_joint_type(std::string_view type);

}  // namespace jounce::tree
