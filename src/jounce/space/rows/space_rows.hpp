// Rows of results of spatial mechanisms.
#pragma once

#include <span>
#include <vector>

#include "jounce/base/column_endings.hpp"
#include "jounce/results/column.hpp"
#include "jounce/space/equations/orders.hpp"

namespace jounce {

/// The columns, in the order of the interface. With forces: efforts, wrenches, multipliers, springs, energy, momentum and the centre of mass.
[[nodiscard]] std::vector<Column> space_columns(const SpaceMechanism& mechanism, bool forces);
[[nodiscard]] std::size_t space_width(const SpaceMechanism& mechanism, bool forces);  ///< how many they are

/// One instant, after SpaceEquations::move and, with forces, `solve` or `balance`.
struct SpaceSample {
  double t = 0;
  std::span<const double> q, v, a;
  const SpaceOrders* orders = nullptr;  ///< found for it
  bool forces = false;
  std::span<const double> tau;  ///< with forces
  std::span<const tree::ForceReading<double>> readings{};  ///< of every force, where they are others than those of its loads
  std::span<const double> friction{};  ///< of joints, of every dof, likewise
  std::span<const double> pushes{};  ///< of every stop; empty: none pushes
};
/// Where the column of energy.work stands, counted from the end of a row with forces.
inline constexpr std::size_t kSpaceAuditFromEnd =
    columns::kAudit.size() + columns::kMomentum.size() + columns::kCentre.size() + columns::kConstraintError.size();
/// `row` has as many places as there are columns. The sign of a body's quaternion is a function of the coordinates alone.
void fill_space_row(const SpaceEquations& at, const SpaceSample& sample, std::span<double> row);
/// Of equations that are those of the mechanism with more loops and couplings behind its own, which have no columns.
void fill_space_row(const SpaceMechanism& mechanism, const SpaceEquations& at, const SpaceSample& sample, std::span<double> row);

/// Kinetic energy, and potential energy of gravity and springs, at the instant of the last `move`.
struct SpaceEnergy {
  double kinetic = 0, potential = 0;
};
[[nodiscard]] SpaceEnergy energy(const SpaceEquations& at);

}  // namespace jounce
