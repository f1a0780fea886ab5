// A driven mechanism followed from its start to the end of a run, with a row of results at every output time. What the rows
// hold is the business of the analysis.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "jounce/analysis/driven_motion.hpp"
#include "jounce/analysis/kinematics.hpp"
#include "jounce/base/fault.hpp"

namespace jounce {

/// Fills a row at the position that `motion` solved last, where its factors of Φq belong to. `coefficients` is
/// [order][coordinate].
using FillRow = std::function<std::optional<Fault>(DrivenMotion& motion, std::span<const double> coefficients,
                                                         std::span<double> row)>;

[[nodiscard]] KinematicsRun follow_motion(const PlaneMechanism& mechanism, const KinematicsOptions& options, std::size_t columns,
                                          const FillRow& fill, const RowSink& sink);

/// Taylor coefficients of the frames at the position solved last.
[[nodiscard]] FrameOrders frame_orders(const DrivenMotion& motion);

}  // namespace jounce
