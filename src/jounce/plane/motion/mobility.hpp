// How many ways a mechanism can move, which of its equations repeat each other, and how close to singular it is.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jounce/mechanism/mobility.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce {

[[nodiscard]] Mobility mobility(const PlaneMechanism& mechanism, std::span<const double> q, double t = 0);

/// The joints and drivers that become dependent at a singular position, by name, in the order of the file.
[[nodiscard]] std::vector<std::string> blame(const PlaneMechanism& mechanism, std::span<const double> q, double t);

}  // namespace jounce
