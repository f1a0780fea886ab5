// The rates of idle turns: those that are written, and none where nothing is.
#pragma once

#include <span>

#include "jounce/space/mechanism.hpp"

namespace jounce {

/// Those that the rates `v` of all dofs have; zero for a turn of which they have nothing. At a position where loops and couplings hold.
void give_idle_rates(SpaceMechanism& mechanism, double t, std::span<const double> q, std::span<const double> v);
/// The same in the rates `v` at which a free motion begins, which fit loops and couplings: they get the spins that the written ones have.
void spin_as_written(const SpaceMechanism& mechanism, std::span<const double> q, std::span<const double> written, std::span<double> v);

}  // namespace jounce
