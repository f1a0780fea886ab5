// Exact dry friction that holds: the length or angle it acts along is constant, an equation like that of a joint.
#pragma once

#include <span>
#include <vector>

#include "jounce/plane/equations/planar_system.hpp"

namespace jounce {

/// A length or an angle, and its rate.
struct Measured {
  double x = 0, rate = 0;
};
/// What the system's signals act along, one for each.
void measure_signals(const PlanarSystem& system, std::span<const double> q, std::span<const double> v, std::span<Measured> out);

/// An equation that holds what a signal acts along.
struct Lock {
  int signal = -1;
  int row = 0;         ///< its equation
  double divisor = 1;  ///< its multiplier times this is the tension or torque it carries
};

/// A system with locks. Its bodies, forces and signals are those of the system it was made from, and so are its first constraints;
/// the rows of all of them are new.
struct LockedSystem {
  PlanarSystem system;
  std::vector<Lock> locks;
};
/// Holds these signals where they are at q.
[[nodiscard]] LockedSystem lock(const PlanarSystem& system, std::span<const int> signals, std::span<const double> q);

}  // namespace jounce
