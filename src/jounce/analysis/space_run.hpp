// Kinematics, inverse and forward dynamics of spatial mechanisms.
#pragma once

#include <string>
#include <vector>

#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/kinematics.hpp"
#include "jounce/analysis/space_assembly.hpp"
#include "jounce/analysis/space_rows.hpp"

namespace jounce {

struct SpaceRun {
  Outcome outcome;
  std::vector<Event> events;
  Problems problems;
  SpaceAssembly start;
  DynamicsStatistics statistics;
  std::vector<std::string> not_unique;  ///< loops and couplings whose reactions are not unique (minimum norm is reported)
  std::vector<double> q, v;             ///< at the last sample
  Trajectory results;                   ///< empty when a sink took the rows
};

/// All dofs are prescribed, or follow from the prescribed ones by loops and couplings. No masses are needed.
[[nodiscard]] SpaceRun kinematics(const SpaceMechanism& mechanism, const KinematicsOptions& options);
[[nodiscard]] SpaceRun kinematics(const SpaceMechanism& mechanism, const KinematicsOptions& options, const RowSink& sink);

/// The same, with the efforts of all prescribed dofs and the wrench through every joint and loop.
[[nodiscard]] SpaceRun inverse(const SpaceMechanism& mechanism, const KinematicsOptions& options);
[[nodiscard]] SpaceRun inverse(const SpaceMechanism& mechanism, const KinematicsOptions& options, const RowSink& sink);

/// The passive dofs move by themselves, the active ones as prescribed.
[[nodiscard]] SpaceRun dynamics(const SpaceMechanism& mechanism, const DynamicsOptions& options);
[[nodiscard]] SpaceRun dynamics(const SpaceMechanism& mechanism, const DynamicsOptions& options, const RowSink& sink);

}  // namespace jounce
