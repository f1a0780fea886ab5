// Kinematics of a driven mechanism: position, velocity, acceleration, jerk and snap at every output time.
#pragma once

#include <string>
#include <vector>

#include "jounce/analysis/assembly.hpp"
#include "jounce/analysis/rows.hpp"
#include "jounce/results/outcome.hpp"
#include "jounce/results/trajectory.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce {

struct KinematicsOptions {
  double to = 1;
  int steps = 100;                   ///< equal intervals: steps + 1 rows, both ends
  std::vector<std::string> columns;  ///< patterns of the columns to keep; empty: all
};

struct KinematicsStatistics {
  int samples = 0;
  long steps = 0, rejected = 0, factorisations = 0;
  double worst_residual = 0;  ///< metres or radians
};

struct KinematicsRun {
  Outcome outcome;
  std::vector<Event> events;
  Problems problems;  ///< warnings of the assembly, or what the outcome says, located
  Assembly start;
  KinematicsStatistics statistics;
  /// Taylor coefficients of the coordinates (centres of mass) at the last sample: [order 0 to 4][coordinate].
  std::vector<double> last;
  Trajectory results;  ///< empty when a sink took the rows
};

[[nodiscard]] KinematicsRun kinematics(const PlaneMechanism& mechanism, const KinematicsOptions& options);
/// Streams rows, with all columns, instead of keeping them.
[[nodiscard]] KinematicsRun kinematics(const PlaneMechanism& mechanism, const KinematicsOptions& options, const RowSink& sink);

}  // namespace jounce
