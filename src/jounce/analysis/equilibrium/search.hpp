// The search for an equilibrium, in the plane and in space.
#pragma once

#include <span>
#include <vector>

#include "jounce/analysis/equilibrium/equilibrium.hpp"
#include "jounce/base/stop.hpp"
#include "jounce/mechanism/rest_motion.hpp"

namespace jounce {

/// From assembled coordinates; `stop` is asked before every iteration. Fills all of the equilibrium but `row` and `not_unique`.
void find_rest(RestMotion& motion, const std::vector<double>& assembled, const Stop& stop, Equilibrium& out);

/// In how many ways the constraints let it move at a position.
[[nodiscard]] int free_ways(RestMotion& motion, std::span<const double> q);
/// Along the mode `shape` (one number for each of Equilibrium::components) from the equilibrium `q`, as far to both sides as the constraints let it.
[[nodiscard]] ModeSwing swing_along(RestMotion& motion, const std::vector<double>& q, std::span<const double> shape);

}  // namespace jounce
