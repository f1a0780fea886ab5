// The row of results at an equilibrium.
#pragma once

#include <vector>

#include "jounce/analysis/equilibrium.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce::app {

/// One value for each column of dynamic_columns without rates: t = 0, and nothing moves.
[[nodiscard]] std::vector<double> rest_row(const PlaneMechanism& mechanism, const Equilibrium& rest);

}  // namespace jounce::app
