// What an analysis asks of a spatial mechanism before it begins. Kinematics needs no masses, so building does not ask.
#pragma once

#include <span>
#include <string_view>

#include "jounce/space/mechanism.hpp"

namespace jounce {

/// "body 'arm': 'mass' is missing: inverse dynamics needs it (0 for a body without mass)", for each such body.
[[nodiscard]] Problems missing_masses(const SpaceMechanism& mechanism, std::string_view analysis, std::string_view remark);

/// "no inertia is moved by dof 2 of joint 'wrist'", for each passive dof whose articulated inertia vanishes at the position q: its
/// acceleration would have no value.
[[nodiscard]] Problems unmoved_dofs(const SpaceMechanism& mechanism, std::span<const double> q);

}  // namespace jounce
