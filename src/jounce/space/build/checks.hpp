// What an analysis asks of a spatial mechanism before it begins. Kinematics needs no masses, so building does not ask.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "jounce/space/mechanism.hpp"

namespace jounce {

/// "body 'arm': 'mass' is missing: inverse dynamics needs it (0 for a body without mass)", for each such body.
[[nodiscard]] Problems missing_masses(const SpaceMechanism& mechanism, std::string_view analysis, std::string_view remark);

/// The passive dofs whose articulated inertia vanishes at a position: nothing but loops could decide their accelerations.
[[nodiscard]] std::vector<int> light_dofs(const SpaceMechanism& mechanism, std::span<const double> q);
/// "no inertia is moved by dof 2 of joint 'wrist'", for each of them.
[[nodiscard]] Problems unmoved_dofs(const SpaceMechanism& mechanism, std::span<const double> q);

}  // namespace jounce
