#include "jounce/io/model_types.hpp"

#include "jounce/tree/joint_type.hpp"

namespace jounce {

std::optional<int> joint_coordinates(std::string_view type) {
  const tree::JointType* joint = tree::find_joint_type(type);
  if (joint == nullptr) return std::nullopt;
  return static_cast<int>(joint->coordinates.size());
}

std::span<const FieldInfo> dof_fields() { return tree::dof_fields(); }
std::span<const FieldInfo> pose_fields() { return tree::pose_fields(); }

}  // namespace jounce
