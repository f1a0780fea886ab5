// Rows of results of spatial mechanisms.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jounce/system/tree_equations.hpp"

namespace jounce {

/// Names of the columns, in the order of the interface. With forces: efforts, wrenches, springs, energy, momentum and the centre of mass.
[[nodiscard]] std::vector<std::string> tree_columns(const TreeMechanism& mechanism, bool forces);

/// One instant, after TreeEquations::move and, with forces, `solve` or `balance`.
struct TreeSample {
  double t = 0;
  std::span<const double> q, v, a;
  bool forces = false;
  std::span<const double> tau;  ///< with forces
};
/// `row` has as many places as there are columns, and holds the row before or zeros: the quaternions of bodies go on from there.
void fill_tree_row(const TreeEquations& at, const TreeSample& sample, std::span<double> row);

/// Kinetic energy, and potential energy of gravity and springs, at the instant of the last `move`.
struct TreeEnergy {
  double kinetic = 0, potential = 0;
};
[[nodiscard]] TreeEnergy energy(const TreeEquations& at);

}  // namespace jounce
