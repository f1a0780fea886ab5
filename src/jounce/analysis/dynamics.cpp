#include "jounce/analysis/dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/analysis/inverse.hpp"
#include "jounce/analysis/run/forward_run.hpp"
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

bool finite(const std::vector<double>& x) {
  return std::ranges::all_of(x, [](double a) { return std::isfinite(a); });
}

// What is wrong with the times, in words; empty when nothing is.
std::string wrong_times(const DynamicsOptions& options, double from) {
  if (options.times.empty()) {
    const bool good = options.steps >= 1 && options.to >= from && std::isfinite(options.to) && options.tolerance > 0;
    if (good) return "";
    return options.start ? "expected a finite time to >= that of the start, " + short_number(from) + " s, at least 1 step and a tolerance > 0"
                         : "expected a finite time to >= 0, at least 1 step and a tolerance > 0";
  }
  if (!(options.tolerance > 0)) return "expected a tolerance > 0, found " + short_number(options.tolerance);
  if (!finite(options.times) || options.times.front() < from || !std::ranges::is_sorted(options.times))
    return "times: expected finite times in ascending order, the first at " + short_number(from) + " s or later";
  return "";
}

std::string wrong_start(const MotionState& start, std::size_t q, std::size_t v) {
  if (start.q.size() != q || start.v.size() != v)
    return "start: expected " + std::to_string(q) + " coordinates and " + std::to_string(v) + " rates, found " +
           std::to_string(start.q.size()) + " and " + std::to_string(start.v.size());
  return std::isfinite(start.t) && finite(start.q) && finite(start.v) ? "" : "start: expected finite numbers";
}

double used_tolerance(const DynamicsOptions& options) {
  return std::clamp(options.tolerance, kSmallestTolerance, kLargestTolerance);
}

template <class Motion, class Mechanism>
bool accepted(const Mechanism& mechanism, const DynamicsOptions& options, const Motion& motion, Problems& problems) {
  std::string wrong = options.start ? wrong_start(*options.start, positions(mechanism), rates(mechanism)) : "";
  if (wrong.empty()) wrong = wrong_times(options, options.start ? options.start->t : 0);
  if (wrong.empty() && options.method == Method::taylor && motion.usual_method() != Method::taylor)
    wrong = "method taylor: is for mechanisms of the plane; in space there are dop853 and radau";
  if (!wrong.empty()) {
    problems.push_back(error({}, "dynamics: " + wrong));
    return false;
  }
  if (options.tolerance < kSmallestTolerance)
    problems.push_back(warning({}, "--tol " + short_number(options.tolerance) + " is below what rounding allows: " +
                                       short_number(kSmallestTolerance) + " is used"));
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
  if (!accepted(mechanism, options, motion, out.problems)) return out;
  MotionState state;
  if (options.start) {
    state = *options.start;
  } else {
    auto found = assemble(mechanism);
    out.problems.insert(out.problems.end(), found.problems.begin(), found.problems.end());
    if (!found.assembled) return out.outcome = not_begun(found), out;
    state = started(mechanism, std::move(found));
  }
  const OutputTimes times = options.times.empty() ? OutputTimes(state.t, options.to, options.steps) : OutputTimes(state.t, options.times);
  const auto ending = motion.start({state, times.to(), !options.start}, out.problems);
  locate(out.problems, mechanism.file);
  if (ending && ending->kind == Outcome::Kind::not_run) return out;
  if (ending) return end_run(*ending, state.t, mechanism.file, out), out;
  follow(motion, {times, used_tolerance(options), mechanism.file}, options, sink, out);
  return out;
}

template <class Motion, class Mechanism>
DynamicsRun collected(const Mechanism& mechanism, const DynamicsOptions& options) {
  const int rows = options.times.empty() ? options.steps + 1 : static_cast<int>(options.times.size());
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
