// Inverse dynamics: the kinematics of a driven mechanism, with every joint reaction and every driver's effort.
//
// The motion is prescribed, so the equations of motion are linear in the multipliers: Φqᵀλ = Q − M q̈ at every output time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jounce/analysis/kinematics.hpp"

namespace jounce {

/// Every body needs a mass and an inertia, which may be 0; where one is missing nothing is run and `problems` says so.
[[nodiscard]] KinematicsRun inverse(const PlaneMechanism& mechanism, const KinematicsOptions& options);
/// Streams rows, with all columns (dynamic_columns with rates), instead of keeping them.
[[nodiscard]] KinematicsRun inverse(const PlaneMechanism& mechanism, const KinematicsOptions& options, const RowSink& sink);

/// An error for each body whose mass or inertia the model leaves out.
[[nodiscard]] Problems missing_masses(const PlaneMechanism& mechanism, std::string_view analysis, std::string_view remark);

}  // namespace jounce
