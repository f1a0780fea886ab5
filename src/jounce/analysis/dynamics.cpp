#include "jounce/analysis/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/analysis/check/rigid.hpp"
#include "jounce/analysis/inverse.hpp"
#include "jounce/analysis/run/asked.hpp"
#include "jounce/analysis/run/forward_run.hpp"
#include "jounce/analysis/run/goal_watch.hpp"
#include "jounce/base/text.hpp"
#include "jounce/plane/motion/forward_motion.hpp"
#include "jounce/plane/rows/dynamic_rows.hpp"
#include "jounce/space/build/checks.hpp"
#include "jounce/space/motion/forward_motion.hpp"
#include "jounce/space/rows/space_rows.hpp"

namespace jounce {
namespace {

/// A tolerance below this is beyond what rounding allows.
constexpr double kSmallestTolerance = 1e-14;
/// And with one above this, series are cut off so early that what is saved is not worth what is lost.
constexpr double kLargestTolerance = 1e-4;

// ---- what the plane and space call by other names ----

MotionState started(const PlaneMechanism& mechanism, Assembly&& found) { return {0, std::move(found.q), mechanism.velocity}; }
MotionState started(const SpaceMechanism&, Assembly&& found) { return {0, std::move(found.q), std::move(found.v)}; }

std::size_t positions(const PlaneMechanism& mechanism) { return static_cast<std::size_t>(mechanism.system.coordinates()); }
std::size_t positions(const SpaceMechanism& mechanism) { return mechanism.q.size(); }
std::size_t rates(const PlaneMechanism& mechanism) { return positions(mechanism); }
std::size_t rates(const SpaceMechanism& mechanism) { return mechanism.v.size(); }

std::vector<Column> columns(const PlaneMechanism& mechanism) { return dynamic_columns(mechanism, true); }
std::vector<Column> columns(const SpaceMechanism& mechanism) { return space_columns(mechanism, true); }

// ---- what is asked for ----

// What is wrong with what concerns the integrator, in words; empty when nothing is.
template <class Motion>
std::string wrong_method(const DynamicsOptions& options, const Motion& motion) {
  constexpr int kLowestOrder = 6, kHighestOrder = 40;
  if (!(options.tolerance > 0)) return "expected a tolerance > 0, found " + short_number(options.tolerance);
  if (options.order != 0 && (options.order < kLowestOrder || options.order > kHighestOrder))
    return "expected an order of the series from 6 to 40, or 0, found " + std::to_string(options.order);
  if (options.method == Method::taylor && motion.usual_method() != Method::taylor)
    return "method taylor: is for mechanisms of the plane; in space there are dop853 and radau";
  return "";
}

double used_tolerance(const DynamicsOptions& options) {
  return std::clamp(options.tolerance, kSmallestTolerance, kLargestTolerance);
}

template <class Motion, class Mechanism>
bool accepted(const Mechanism& mechanism, const DynamicsOptions& options, const Motion& motion, Problems& problems) {
  std::string wrong = wrong_asked({options.to, options.steps, options.times, options.start}, positions(mechanism), rates(mechanism), false);
  if (wrong.empty()) wrong = wrong_method(options, motion);
  if (!wrong.empty()) {
    problems.push_back(error({}, "dynamics: " + wrong));
    return false;
  }
  if (options.tolerance < kSmallestTolerance)
    problems.push_back(warning({}, "tol = " + short_number(options.tolerance) + " is below what rounding allows: " +
                                       short_number(kSmallestTolerance) + " is used"));
  if (options.tolerance > kLargestTolerance)
    problems.push_back(warning({}, "tol = " + short_number(options.tolerance) + " is more than saves anything: " +
                                       short_number(kLargestTolerance) + " is used"));
  const Problems missing = missing_masses(mechanism, "dynamics", "0 for a body without mass");
  problems.insert(problems.end(), missing.begin(), missing.end());
  const Problems refusals = motion.refusals();
  problems.insert(problems.end(), refusals.begin(), refusals.end());
  locate(problems, mechanism.file);
  return !any_error(problems);
}

template <class Motion, class Mechanism>
DynamicsRun run(const Mechanism& mechanism, const DynamicsOptions& options, const RowSink& sink) {
  DynamicsRun out;
  Motion motion(mechanism, {used_tolerance(options), options.formulation, options.order});
  out.statistics.tolerance = used_tolerance(options);
  if (!accepted(mechanism, options, motion, out.problems)) return out;
  MotionState state;
  if (options.start) {
    state = *options.start;
  } else {
    auto found = assemble(mechanism, 0, options.stop);
    out.problems.insert(out.problems.end(), found.problems.begin(), found.problems.end());
    if (!found.assembled) return out.outcome = not_begun(found), out;
    tell_rigid(mechanism, found, out.problems);
    state = started(mechanism, std::move(found));
  }
  const OutputTimes times = options.times.empty() ? OutputTimes(state.t, options.to, options.steps) : OutputTimes(state.t, options.times);
  const auto ending = motion.start({state, times.to(), !options.start}, out.problems);
  locate(out.problems, mechanism.file);
  if (ending && ending->kind == Outcome::Kind::not_run) return out;
  if (ending) return end_run(*ending, state.t, mechanism.file, out), out;
  std::optional<EventWatch> watch = watch_for(options.events, mechanism.events, [&] { return columns(mechanism); }, {{times.length(), motion.audit_scale().length}, Analysis::dynamics});
  if (watch) std::ranges::move(watch->not_watched(), std::back_inserter(out.problems));
  if (options.goals != nullptr) options.goals->begin({times.at(0), {times.length(), motion.audit_scale().length}, {}});  // steps end at breaks
  follow(motion, {times, used_tolerance(options), mechanism.file, watch && !watch->empty() ? &*watch : nullptr, options.goals}, options, sink, out);
  locate(out.problems, mechanism.file);
  return out;
}

template <class Motion, class Mechanism>
DynamicsRun collected(const Mechanism& mechanism, const DynamicsOptions& options) {
  const std::size_t rows = options.times.empty() ? static_cast<std::size_t>(std::max(options.steps, 0)) + 1 : options.times.size();
  RowCollector collector(columns(mechanism), options.columns, rows);
  DynamicsRun out = run<Motion>(mechanism, options, collector.sink());
  out.results = collector.finish(out.problems);
  return out;
}

}  // namespace

DynamicsRun dynamics(const PlaneMechanism& mechanism, const DynamicsOptions& options, const RowSink& sink) {
  return run<PlaneForwardMotion>(mechanism, options, sink);
}
DynamicsRun dynamics(const PlaneMechanism& mechanism, const DynamicsOptions& options) {
  return collected<PlaneForwardMotion>(mechanism, options);
}
DynamicsRun dynamics(const SpaceMechanism& mechanism, const DynamicsOptions& options, const RowSink& sink) {
  return run<SpaceForwardMotion>(mechanism, options, sink);
}
DynamicsRun dynamics(const SpaceMechanism& mechanism, const DynamicsOptions& options) {
  return collected<SpaceForwardMotion>(mechanism, options);
}

}  // namespace jounce
