// One forward run, in the plane and in space: steps, rows at their times, a change of method, and how it ends.
#pragma once

#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/run/event_watch.hpp"
#include "jounce/analysis/run/output_times.hpp"
#include "jounce/mechanism/forward_motion.hpp"

namespace jounce {

/// What a run is asked for, checked and completed.
struct ForwardPlan {
  OutputTimes times;
  double tolerance = 1e-8;
  std::string file;  ///< of the model, for problems
  EventWatch* watch = nullptr;  ///< for events of the model, if there are any
  GoalWatch* goals = nullptr;   ///< likewise, of the caller
};

/// Follows a motion that has been started; `out` receives everything but the table of results.
void follow(ForwardMotion& motion, const ForwardPlan& plan, const DynamicsOptions& options, const RowSink& sink, DynamicsRun& out);

/// Ends a run before its time, or at it, and says so among the problems where it is one.
void end_run(const Ending& ending, double t, const std::string& file, DynamicsRun& out);

}  // namespace jounce
