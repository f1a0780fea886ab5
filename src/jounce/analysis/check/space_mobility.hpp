// In how many ways a mechanism of space can move, and which of its loops and couplings repeat each other.
#pragma once

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/mechanism/mobility.hpp"

namespace jounce {

/// At an assembled state; where gaps stay open, only what can be counted.
[[nodiscard]] Mobility mobility(const SpaceMechanism& mechanism, const Assembly& at, double t = 0);

}  // namespace jounce
