// Kinematics, inverse and forward dynamics of spatial mechanisms.
#pragma once

#include <string>
#include <vector>

#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/kinematics.hpp"
#include "jounce/analysis/tree_assembly.hpp"
#include "jounce/analysis/tree_rows.hpp"

namespace jounce {

struct TreeRun {
  Outcome outcome;
  std::vector<Event> events;
  Problems problems;
  TreeAssembly start;
  DynamicsStatistics statistics;
  std::vector<std::string> not_unique;  ///< loops and couplings whose reactions are not unique (minimum norm is reported)
  std::vector<double> q, v;             ///< at the last sample
  Trajectory results;                   ///< empty when a sink took the rows
};

/// All dofs are prescribed, or follow from the prescribed ones by loops and couplings. No masses are needed.
[[nodiscard]] TreeRun kinematics(const TreeMechanism& mechanism, const KinematicsOptions& options);
[[nodiscard]] TreeRun kinematics(const TreeMechanism& mechanism, const KinematicsOptions& options, const RowSink& sink);

/// The same, with the efforts of all prescribed dofs and the wrench through every joint and loop.
[[nodiscard]] TreeRun inverse(const TreeMechanism& mechanism, const KinematicsOptions& options);
[[nodiscard]] TreeRun inverse(const TreeMechanism& mechanism, const KinematicsOptions& options, const RowSink& sink);

/// The passive dofs move by themselves, the active ones as prescribed.
[[nodiscard]] TreeRun dynamics(const TreeMechanism& mechanism, const DynamicsOptions& options);
[[nodiscard]] TreeRun dynamics(const TreeMechanism& mechanism, const DynamicsOptions& options, const RowSink& sink);

}  // namespace jounce
