// Kinematics and inverse dynamics of the plane: what they have in common.
#pragma once

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/analysis/run/driven_run.hpp"
#include "jounce/plane/motion/driven_motion.hpp"

namespace jounce {

inline constexpr int kRowOrder = 4;  ///< rows hold snap

/// Assembles and follows.
inline void follow_plane(const PlaneMechanism& mechanism, PlaneDrivenMotion& motion, const KinematicsOptions& options, std::size_t columns,
                         const FillRow& fill, const RowSink& sink, KinematicsRun& out) {
  if (const Problems refused = refused_times(options); !refused.empty()) return void(out.problems = refused);
  const Assembly assembly = options.start.empty() ? assemble(mechanism, options.first_time())
                                                  : assemble_from(mechanism, options.start, options.first_time());
  out.problems = assembly.problems;
  DrivenStart begin{assembly.q};
  if (!assembly.assembled) begin.not_begun = not_begun(assembly);
  follow_motion(motion, begin, mechanism.file, options, columns, fill, sink, out);
}

}  // namespace jounce
