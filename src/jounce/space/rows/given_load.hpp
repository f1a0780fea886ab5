// The loads whose components a model of space gives.
#pragma once

#include <span>
#include <vector>

#include "jounce/mechanism/given_load.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

/// One for each force, at coordinates and rates of the joints.
[[nodiscard]] std::vector<GivenLoad> given_loads(const SpaceMechanism& mechanism, double t, std::span<const double> q,
                                                 std::span<const double> v);

}  // namespace jounce
