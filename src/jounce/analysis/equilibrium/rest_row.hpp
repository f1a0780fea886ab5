// The row of results at an equilibrium: t = 0, and nothing moves.
#pragma once

#include <span>
#include <vector>

#include "jounce/plane/mechanism.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

/// One value for each column of dynamic_columns without rates. Both had values when the equilibrium was found there.
[[nodiscard]] std::vector<double> rest_row(const PlaneMechanism& mechanism, std::span<const double> q, std::span<const double> lambda);
/// One value for each column of space_columns with forces. Multipliers follow from the position: `lambda` is there for those who do not ask which space it is.
[[nodiscard]] std::vector<double> rest_row(const SpaceMechanism& mechanism, std::span<const double> q, std::span<const double> lambda = {});

/// One value for each column of kinematics, of a mechanism that stands still at a position.
[[nodiscard]] std::vector<double> standing_row(const PlaneMechanism& mechanism, std::span<const double> q);
[[nodiscard]] std::vector<double> standing_row(const SpaceMechanism& mechanism, std::span<const double> q);

}  // namespace jounce
