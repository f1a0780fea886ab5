#include "jounce/io/model_types.hpp"

#include "jounce/tree/joint_type.hpp"

namespace jounce {

std::optional<int> joint_coordinates(std::string_view type) {
  const tree::JointType* joint = tree::find_joint_type(type);
  if (joint == nullptr) return std::nullopt;
  return static_cast<int>(joint->coordinates.size());
}

void use_own_words(Model& model) {
  const auto rename = [&](Group group, Element& element) {
    const TypeInfo* info = find_type(model.space, group, element.type);
    if (info == nullptr) return;
    element.type = info->type;
    for (Entry& entry : element.entries)
      if (const FieldInfo* field = info->find(entry.key); field != nullptr && element.find(field->key) == nullptr) entry.key = field->key;
  };
  for (Element& joint : model.joints) rename(Group::joint, joint);
  for (Element& driver : model.drivers) rename(Group::driver, driver);
  for (Element& loop : model.loops) rename(Group::loop, loop);
  for (Body& body : model.bodies)
    if (body.shape) rename(Group::shape, *body.shape);
}

std::span<const FieldInfo> dof_fields() { return tree::dof_fields(); }
std::span<const FieldInfo> pose_fields() { return tree::pose_fields(); }

}  // namespace jounce
