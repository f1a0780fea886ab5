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
  int freedoms = 0;                            ///< 0 of `custom`, whose screws say
};

[[nodiscard]] std::span<const JointType> joint_types();
/// Types that are no joints of a tree: what they allow has no coordinates of its own.
[[nodiscard]] std::span<const JointType> closing_types();
/// Null for a name that is none.
[[nodiscard]] const JointType* find_joint_type(std::string_view type);
/// Of a joint or of one that closes loops only.
[[nodiscard]] const JointType* find_loop_type(std::string_view type);

}  // namespace jounce::tree
