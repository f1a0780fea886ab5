// Kinematics and inverse dynamics of the plane: what they have in common.
#pragma once

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/analysis/check/rigid.hpp"
#include "jounce/analysis/run/asked.hpp"
#include "jounce/analysis/run/driven_run.hpp"
#include "jounce/analysis/run/goal_watch.hpp"
#include "jounce/plane/motion/breaks.hpp"
#include "jounce/plane/motion/driven_motion.hpp"
#include "jounce/plane/rows/dynamic_rows.hpp"
#include "jounce/plane/rows/kinematic_rows.hpp"

namespace jounce {

inline constexpr int kRowOrder = 4;  ///< rows hold snap

/// Assembles and follows.
inline void follow_plane(const PlaneMechanism& mechanism, PlaneDrivenMotion& motion, const KinematicsOptions& options, std::size_t columns,
                         const FillRow& fill, const RowSink& sink, KinematicsRun& out, const DrivenBooks* books = nullptr) {
  const auto names = [&] { return books == nullptr ? kinematic_columns(mechanism) : dynamic_columns(mechanism, true); };
  const auto n = static_cast<std::size_t>(mechanism.system.coordinates());
  if (const std::string wrong = wrong_asked({options.to, options.steps, options.times, options.start}, n, n, true); !wrong.empty())
    return void(out.problems.push_back(error({}, wrong)));
  const Assembly assembly = options.start ? assemble_from(mechanism, options.start->q, options.start->t, options.stop) : assemble(mechanism, 0, options.stop);
  out.problems = assembly.problems;
  tell_rigid(mechanism, assembly, out.problems);
  DrivenStart begin{assembly.q};
  if (!assembly.assembled) begin.not_begun = not_begun(assembly);
  const double length = options.last_time() - options.from();
  if (options.goals != nullptr)
    options.goals->begin({options.time(0), {length, motion.length()}, breaks_of(mechanism.system, options.from(), options.last_time()).times()});
  follow_motion(motion, begin, mechanism.file, options, columns, fill, sink, out, books, nullptr,
                watch_for(options.events, mechanism.events, names, {{length, motion.length()}, books == nullptr ? Analysis::kinematics : Analysis::inverse}));
}

}  // namespace jounce
