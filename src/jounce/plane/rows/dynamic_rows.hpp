// The result columns of inverse and forward dynamics, and how a row is filled.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jounce/base/column_endings.hpp"
#include "jounce/plane/rows/kinematic_rows.hpp"
#include "jounce/plane/equations/linearisation.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce {

/// Everything a row of results is made of, at one instant.
struct DynamicSample {
  double t = 0;
  FrameOrders frames;
  std::span<const double> lambda;       ///< multipliers, one per equation
  std::span<const double> lambda_rate;  ///< their rates; empty: the run does not report them
  std::span<const ForceReading> readings;  ///< one per force
  std::span<const double> pushes = {};     ///< one per stop; empty: none pushes
  double potential = 0;
  double constraint_error = 0;  ///< metres or radians
};

/// The columns, in the order of the interface. `rates`: with the rates of the multipliers (inverse and forward dynamics).
[[nodiscard]] std::vector<Column> dynamic_columns(const PlaneMechanism& mechanism, bool rates);
[[nodiscard]] std::size_t dynamic_width(const PlaneMechanism& mechanism, bool rates);  ///< how many they are
/// Where the effort of a driver stands, by its place among the constraints.
[[nodiscard]] std::size_t effort_column(const PlaneMechanism& mechanism, std::size_t constraint, bool rates);
/// Where the column of energy.work stands, counted from the end of a row.
inline constexpr std::size_t kPlaneAuditFromEnd =
    columns::kAudit.size() + columns::kPlaneMomentum.size() + columns::kPlaneCentre.size() + columns::kConstraintError.size();
/// `row` has one place for each column; those of energy.work and energy.balance are left at 0.
void fill_dynamic_row(const PlaneMechanism& mechanism, const DynamicSample& sample, std::span<double> row);

/// Force and moment that a joint or driver applies on its body j at its own point, in ground axes, and a driver's effort.
struct Reaction {
  double fx = 0, fy = 0, torque = 0, effort = 0;
  double tension = 0;  ///< of a rod, along the line between its points
};
/// One for each constraint, in the order of PlanarSystem::constraints().
[[nodiscard]] std::vector<Reaction> reactions(const PlanarSystem& system, double t, std::span<const planar::FrameRecord> frames,
                                              std::span<const double> lambda);

}  // namespace jounce
