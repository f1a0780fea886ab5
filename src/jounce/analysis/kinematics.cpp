#include "jounce/analysis/kinematics.hpp"

#include "jounce/analysis/motion_run.hpp"

namespace jounce {

KinematicsRun kinematics(const PlaneMechanism& mechanism, const KinematicsOptions& options, const RowSink& sink) {
  const auto fill = [&](DrivenMotion& motion, std::span<const double>, std::span<double> row) -> std::optional<Fault> {
    (void)fill_kinematic_row(mechanism, motion.evaluation().time(), frame_orders(motion), row.data());
    return std::nullopt;
  };
  return follow_motion(mechanism, options, kinematic_columns(mechanism).size(), fill, sink);
}

KinematicsRun kinematics(const PlaneMechanism& mechanism, const KinematicsOptions& options) {
  RowCollector rows(kinematic_columns(mechanism), options.columns, options.steps);
  KinematicsRun run = kinematics(mechanism, options, rows.sink());
  run.results = rows.finish(run.problems);
  return run;
}

}  // namespace jounce
