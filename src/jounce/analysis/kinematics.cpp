#include "jounce/analysis/kinematics.hpp"

#include "jounce/analysis/run/plane_driven.hpp"

namespace jounce {

KinematicsRun kinematics(const PlaneMechanism& mechanism, const KinematicsOptions& options, const RowSink& sink) {
  KinematicsRun out;
  PlaneDrivenMotion motion(mechanism, kRowOrder);
  const FillRow fill = [&](double t, std::span<const double>, std::span<const double>, std::span<double> row) -> std::optional<Fault> {
    (void)fill_kinematic_row(mechanism, t, frame_orders(motion.evaluation()), row.data());
    return std::nullopt;
  };
  follow_plane(mechanism, motion, options, kinematic_width(mechanism), fill, sink, out);
  return out;
}

KinematicsRun kinematics(const PlaneMechanism& mechanism, const KinematicsOptions& options) {
  RowCollector rows(kinematic_columns(mechanism), options.columns, options.samples());
  KinematicsRun run = kinematics(mechanism, options, rows.sink());
  run.results = rows.finish(run.problems);
  return run;
}

}  // namespace jounce
