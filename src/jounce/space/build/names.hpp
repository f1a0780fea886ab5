// What can be named in an expression over a mechanism in space.
#pragma once

#include "jounce/mechanism/measures.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

/// These columns, and the points of these bodies, which have to live as long.
[[nodiscard]] MechanismNames::Known named_of(const std::vector<SpaceBody>& bodies, std::vector<Column> columns);

/// The same for loads: a centre of mass has coordinates of its own there. Joints that could not be read have whatever they are asked for.
[[nodiscard]] MechanismNames::Known named_in_loads_of(const std::vector<SpaceBody>& bodies, std::vector<Column> columns,
                                                      const std::vector<std::string>& unread_joints);
/// Takes the quaternions of bodies away, and says why; `place` is "a load" or "an equation".
[[nodiscard]] MechanismNames::Known without_quaternions(MechanismNames::Known known, std::string_view place);
/// The same of the coordinates of these joints, which are spherical or free.
[[nodiscard]] MechanismNames::Known without_coordinates(MechanismNames::Known known, const std::vector<std::string>& joints);

/// What a column of a body, a point or a joint is of the state; they are among these.
[[nodiscard]] SpaceQuantity state_quantity(const std::vector<SpaceBody>& bodies, const std::vector<std::string>& joints, std::string_view column);

}  // namespace jounce
