// Kinematics of a driven mechanism: position, velocity, acceleration, jerk and snap at every output time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/base/stop.hpp"
#include "jounce/mechanism/motion_state.hpp"
#include "jounce/plane/rows/kinematic_rows.hpp"
#include "jounce/results/row_collector.hpp"
#include "jounce/results/outcome.hpp"
#include "jounce/results/trajectory.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce {

class GoalWatch;

struct KinematicsOptions {
  double to = 1;
  int steps = 100;                      ///< equal intervals: steps + 1 rows, both ends
  std::vector<double> times;            ///< output times in increasing order, instead of `to` and `steps`
  std::optional<MotionState> start{};   ///< where and when to begin, near a position of the motion, instead of at t = 0 as drawn
  std::vector<std::string> columns;     ///< patterns of the columns to keep; empty: all
  Stop stop;                            ///< asked before every row and every further step; true ends the run
  std::function<void(double)> progress; ///< told the time of every row
  bool events = true;                   ///< those of the model are watched for
  GoalWatch* goals = nullptr;           ///< of the caller, if he has any

  [[nodiscard]] std::size_t samples() const { return times.empty() ? static_cast<std::size_t>(steps) + 1 : times.size(); }
  [[nodiscard]] double time(std::size_t i) const {
    if (!times.empty()) return times[i];
    return i == static_cast<std::size_t>(steps) ? to : from() + (to - from()) * static_cast<double>(i) / steps;
  }
  /// When the motion begins, whether a row is wanted there or later.
  [[nodiscard]] double from() const { return start ? start->t : 0.0; }
  [[nodiscard]] double last_time() const { return times.empty() ? to : times.back(); }
};

struct KinematicsStatistics {
  int samples = 0;
  long steps = 0, rejected = 0, factorisations = 0;
  double worst_residual = 0;  ///< metres or radians
  double energy_balance = 0;  ///< of inverse dynamics: largest change of the total energy that no work accounts for
};

/// Of kinematics and of inverse dynamics.
struct KinematicsRun {
  Outcome outcome;
  std::vector<Event> events;
  Problems problems;  ///< warnings of the assembly, or what the outcome says, located
  KinematicsStatistics statistics;
  /// Inverse dynamics: joints, drivers, dofs and loops whose reactions are not unique somewhere along the run; the shortest are reported.
  std::vector<std::string> not_unique;
  double t = 0;              ///< of the last sample
  std::vector<double> q, v;  ///< position and rates there; empty where there is none
  std::vector<double> ways;  ///< the power series of the motion there, [order − 1][dof] (mechanism/driven_motion.hpp)
  Trajectory results;        ///< empty when a sink took the rows
};

[[nodiscard]] KinematicsRun kinematics(const PlaneMechanism& mechanism, const KinematicsOptions& options);
/// Streams rows, with all columns, instead of keeping them.
[[nodiscard]] KinematicsRun kinematics(const PlaneMechanism& mechanism, const KinematicsOptions& options, const RowSink& sink);

}  // namespace jounce
