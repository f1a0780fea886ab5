// Kinematics and inverse dynamics of spatial mechanisms.
#pragma once

#include <string>
#include <vector>

#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/kinematics.hpp"
#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/space/rows/space_rows.hpp"

namespace jounce {

/// All dofs are prescribed, or follow from the prescribed ones by loops and couplings. No masses are needed.
[[nodiscard]] KinematicsRun kinematics(const SpaceMechanism& mechanism, const KinematicsOptions& options);
[[nodiscard]] KinematicsRun kinematics(const SpaceMechanism& mechanism, const KinematicsOptions& options, const RowSink& sink);

/// The same, with the efforts of all prescribed dofs and the wrench through every joint and loop.
[[nodiscard]] KinematicsRun inverse(const SpaceMechanism& mechanism, const KinematicsOptions& options);
[[nodiscard]] KinematicsRun inverse(const SpaceMechanism& mechanism, const KinematicsOptions& options, const RowSink& sink);

}  // namespace jounce
