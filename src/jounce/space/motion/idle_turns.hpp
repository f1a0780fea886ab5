// The rates of idle turns in a driven motion.
#pragma once

#include <span>

#include "jounce/space/mechanism.hpp"

namespace jounce {

/// Those that the rates `v` of all dofs have; zero for a turn of which they have nothing. At a position where loops and couplings hold.
void give_idle_rates(SpaceMechanism& mechanism, double t, std::span<const double> q, std::span<const double> v);

}  // namespace jounce
