// Exact dry friction that holds: the length or angle it acts along is constant, an equation like that of a joint.
#pragma once

#include <memory>
#include <span>
#include <string>
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

/// The gap of a stop, and its rate.
[[nodiscard]] Measured measured_gap(const planar::EquationLaw& law, double t, std::span<const double> q, std::span<const double> v);
/// Its second derivative.
[[nodiscard]] double gap_acceleration(const planar::EquationLaw& law, double t, std::span<const double> q, std::span<const double> v, std::span<const double> a);
/// Its derivatives by all coordinates.
[[nodiscard]] std::vector<double> gap_gradient(const planar::EquationLaw& law, double t, std::span<const double> q);

/// A stop that touches: its gap is zero.
struct ClosedGap {
  std::shared_ptr<const planar::EquationLaw> law;
  std::string name;
  Where where;
};

/// A system with locks. Its bodies, forces and signals are those of the system it was made from, and so are its first constraints;
/// the rows of all of them are new.
struct LockedSystem {
  PlanarSystem system;
  std::vector<Lock> locks;
  std::vector<int> gap_rows;  ///< the equation of each closed gap
};
/// Holds these signals where they are at q, and closes these gaps.
[[nodiscard]] LockedSystem lock(const PlanarSystem& system, std::span<const int> signals, std::span<const ClosedGap> gaps, std::span<const double> q);

}  // namespace jounce
