// The element types of space as the outside sees them: names, sentences and fields, without the mathematics.
#pragma once

#include <span>
#include <string_view>

#include "jounce/base/vocabulary.hpp"

namespace jounce::tree {

/// Every type of a group, joints in the order of the registry; no drivers: in space a dof is driven by its joint.
/// A coupling has no types; what its section may hold stands here as one.
[[nodiscard]] std::span<const TypeInfo> types(Group group);
[[nodiscard]] const TypeInfo* find_type(Group group, std::string_view type);

/// What the looks of a body are made of: the items of `visuals`.
[[nodiscard]] std::span<const TypeInfo> visual_types();

/// The keys of one entry of `dofs`.
[[nodiscard]] std::span<const FieldInfo> dof_fields();
/// The keys of a placement: the frame of a joint, or of a point.
[[nodiscard]] std::span<const FieldInfo> placement_fields();
/// The keys of `motion` of a spherical or free joint.
[[nodiscard]] std::span<const FieldInfo> pose_fields();
/// The keys of the section [actuators].
[[nodiscard]] std::span<const FieldInfo> actuator_fields();
/// The keys of the section [base].
[[nodiscard]] std::span<const FieldInfo> base_fields();

}  // namespace jounce::tree
