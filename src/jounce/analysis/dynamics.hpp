// Forward dynamics: how a mechanism moves on its own, in the plane and in space.
//
// Rows hold every reaction; in the plane also jerk, snap and the rates of the multipliers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jounce/base/stop.hpp"
#include "jounce/mechanism/formulation.hpp"
#include "jounce/mechanism/method.hpp"
#include "jounce/mechanism/motion_state.hpp"
#include "jounce/plane/mechanism.hpp"
#include "jounce/results/outcome.hpp"
#include "jounce/results/row_collector.hpp"
#include "jounce/results/trajectory.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

class GoalWatch;

struct DynamicsOptions {
  double to = 1;
  int steps = 100;          ///< equal intervals: steps + 1 rows, both ends
  double tolerance = 1e-8;  ///< local error per step of positions and velocities, against 1 + their size
  Method method = Method::automatic;
  Formulation formulation = Formulation::automatic;
  int order = 0;                     ///< of the Taylor series; 0: chosen from the tolerance
  std::vector<std::string> columns;  ///< patterns of the columns to keep; empty: all
  Stop stop;                         ///< asked after every step, and while a large mechanism is assembled; true ends the run
  std::function<void(double t)> progress{};  ///< told after every step how far the run is; changes nothing
  std::optional<MotionState> start{};        ///< where to start instead of at t = 0 as the model says; put onto the joints first
  std::vector<double> times{};               ///< when rows are wanted, ascending, in place of `to` and `steps`; empty: by these
  bool events = true;                        ///< those of the model are watched for
  GoalWatch* goals = nullptr;                ///< of the caller, if he has any
};

struct DynamicsStatistics {
  int samples = 0;
  double tolerance = 0;          ///< that was used
  long steps = 0, rejected = 0, factorisations = 0;
  double worst_defect = 0;       ///< of the Taylor steps, against what is allowed
  double worst_residual = 0;     ///< of the constraints at the samples, metres or radians
  double largest_projection = 0;
  bool conservative = false;     ///< nothing takes or gives energy: it should be constant
  double energy_drift = 0;       ///< largest change of the total energy, if conservative
  double energy_balance = 0;     ///< largest change of the total energy that no work accounts for
  std::string method;            ///< "taylor", "radau", "taylor, then radau"
  std::string formulation;
  int order = 0;
};

struct DynamicsRun {
  Outcome outcome;
  std::vector<Event> events;
  Problems problems;
  DynamicsStatistics statistics;
  std::vector<std::string> not_unique;  ///< joints, drivers, loops and couplings whose reactions are not unique (minimum norm is reported)
  double t = 0;                         ///< of the last sample
  std::vector<double> q, v;             ///< there, in the plane of the centres of mass; empty where there is none
  Trajectory results;                   ///< empty when a sink took the rows
};

[[nodiscard]] DynamicsRun dynamics(const PlaneMechanism& mechanism, const DynamicsOptions& options);
/// Streams rows, with all columns (dynamic_columns with rates), instead of keeping them.
[[nodiscard]] DynamicsRun dynamics(const PlaneMechanism& mechanism, const DynamicsOptions& options, const RowSink& sink);

/// The passive dofs move by themselves, the active ones as prescribed.
[[nodiscard]] DynamicsRun dynamics(const SpaceMechanism& mechanism, const DynamicsOptions& options);
/// Streams rows, with all columns (space_columns with forces).
[[nodiscard]] DynamicsRun dynamics(const SpaceMechanism& mechanism, const DynamicsOptions& options, const RowSink& sink);

}  // namespace jounce
