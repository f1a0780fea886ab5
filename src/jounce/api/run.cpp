#include "jounce/api/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/inverse.hpp"
#include "jounce/analysis/kinematics.hpp"
#include "jounce/analysis/run/force_rate_rows.hpp"
#include "jounce/analysis/run/goal_watch.hpp"
#include "jounce/analysis/run/measure_rows.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/analysis/summary/run_watch.hpp"
#include "jounce/api/content.hpp"
#include "jounce/api/over_run.hpp"
#include "jounce/api/run_goals.hpp"
#include "jounce/base/text.hpp"
#include "jounce/plane/rows/dynamic_rows.hpp"
#include "jounce/plane/rows/kinematic_rows.hpp"
#include "jounce/space/rows/space_rows.hpp"

namespace jounce {
namespace {

KinematicsOptions driven_options(const Options& options, GoalWatch* goals) {
  return {.to = options.to,
          .steps = options.steps,
          .times = options.times,
          .start = options.start,
          .columns = {},
          .stop = options.stop,
          .progress = options.progress,
          .events = options.events,
          .goals = goals};
}

DynamicsOptions forward_options(const Options& options, GoalWatch* goals) {
  return {.to = options.to,
          .steps = options.steps,
          .tolerance = options.tolerance,
          .method = options.method,
          .formulation = options.formulation,
          .order = options.order,
          .columns = {},
          .stop = options.stop,
          .progress = options.progress,
          .start = options.start,
          .times = options.times,
          .events = options.events,
          .goals = goals};
}

Run common(Analysis analysis, auto&& from) {
  Run out;
  out.analysis = analysis;
  out.outcome = std::move(from.outcome);
  out.events = std::move(from.events);
  out.problems = std::move(from.problems);
  out.not_unique = std::move(from.not_unique);
  out.state = {from.t, std::move(from.q), std::move(from.v)};
  out.statistics.samples = from.statistics.samples;
  out.statistics.steps = from.statistics.steps;
  out.statistics.rejected = from.statistics.rejected;
  out.statistics.factorisations = from.statistics.factorisations;
  out.statistics.worst_residual = from.statistics.worst_residual;
  out.statistics.energy_balance = from.statistics.energy_balance;
  return out;
}

Run of_dynamics(DynamicsRun&& from) {
  const DynamicsStatistics s = from.statistics;
  Run out = common(Analysis::dynamics, std::move(from));
  out.tolerance = s.tolerance;
  out.statistics.worst_defect = s.worst_defect;
  out.statistics.largest_projection = s.largest_projection;
  out.statistics.conservative = s.conservative;
  out.statistics.energy_drift = s.energy_drift;
  out.statistics.method = s.method;
  out.statistics.formulation = s.formulation;
  out.statistics.order = s.order;
  return out;
}

Run of_equilibrium(Equilibrium&& found, std::size_t rates, GoalWatch* goals, const RowSink& sink) {
  Run out;
  out.analysis = Analysis::equilibrium;
  out.outcome = found.outcome;
  out.problems = found.problems;
  out.not_unique = found.not_unique;
  if (out.outcome.done()) out.state = {0, found.q, std::vector<double>(rates)};
  if (out.outcome.done() && goals != nullptr) {  // a run of one row
    goals->begin({});
    (void)goals->look(0, found.row, 1, {});
  }
  if (out.outcome.done() && !sink(found.row)) out.outcome = {Outcome::Kind::stopped, 0, "", {}};
  out.rest = std::move(found);
  return out;
}

Run wrong_start(std::size_t found, std::size_t expected) {
  Run out;
  out.analysis = Analysis::equilibrium;
  out.outcome.sentence = fmt::format("start: expected {} coordinates, found {}", expected, found);
  out.problems.push_back(error({}, out.outcome.sentence));
  return out;
}

std::vector<Column> columns_of(const PlaneMechanism& mechanism, Analysis analysis) {
  return analysis == Analysis::kinematics ? kinematic_columns(mechanism) : dynamic_columns(mechanism, analysis != Analysis::equilibrium);
}
std::vector<Column> columns_of(const SpaceMechanism& mechanism, Analysis analysis) {
  return space_columns(mechanism, analysis != Analysis::kinematics);
}

}  // namespace

std::vector<Column> row_columns(const Mechanism& mechanism, Analysis analysis) {
  return visit(mechanism, [&](const auto& m) { return columns_of(m, analysis); });
}

std::vector<Column> result_columns(const Mechanism& mechanism, Analysis analysis) {
  return visit(mechanism, [&](const auto& m) {
    std::vector<Column> out = columns_of(m, analysis);
    std::ranges::copy(MeasureRows(m.measures, out).columns(), std::back_inserter(out));
    if (const Holding* holding = jounce::holding(mechanism); holding != nullptr && analysis == Analysis::equilibrium)
      out.push_back({holding->effort, holding->effort_unit, "effort", holding->element});
    return out;
  });
}

std::vector<Column> demanded_columns(const Mechanism& mechanism, Analysis analysis) {
  if (analysis == Analysis::kinematics) return {};
  return visit(mechanism, [&](const auto& m) { return ForceRateRows(m, columns_of(m, analysis)).columns(); });
}

namespace {

Run run_as_usual(const Mechanism& mechanism, Analysis analysis, const Options& options, GoalWatch* goals, const RowSink& sink) {
  Run out = visit(mechanism, [&](const auto& m) {
    switch (analysis) {
      case Analysis::kinematics: return common(analysis, kinematics(m, driven_options(options, goals), sink));
      case Analysis::inverse: return common(analysis, inverse(m, driven_options(options, goals), sink));
      case Analysis::dynamics: return of_dynamics(dynamics(m, forward_options(options, goals), sink));
      case Analysis::equilibrium: break;
    }
    const std::span<const double> start = options.start ? std::span<const double>(options.start->q) : std::span<const double>();
    if (!start.empty() && start.size() != mechanism.coordinates()) return wrong_start(start.size(), mechanism.coordinates());
    return of_equilibrium(equilibrium(m, options.stop, start), mechanism.rates(), goals, sink);
  });
  if (analysis == Analysis::equilibrium) return out;
  out.to = options.times.empty() ? options.to : options.times.back();
  out.steps = options.times.empty() ? options.steps : static_cast<int>(options.times.size()) - 1;
  return out;
}

}  // namespace

namespace {

constexpr std::string_view kGap = ".gap";

// Gaps of stops are among the measures of a row.
std::string called(const std::string& measure) {
  return measure.ends_with(kGap) ? "the gap of stop '" + measure.substr(0, measure.size() - kGap.size()) + "'" : "measure '" + measure + "'";
}

/// Stops that an analysis passes because it does not hold them.
class PassedStops {
 public:
  explicit PassedStops(std::span<const Column> measures) {
    for (std::size_t k = 0; k < measures.size(); ++k)
      if (const std::string& name = measures[k].name; name.ends_with(kGap)) stops_.push_back({k, name.substr(0, name.size() - kGap.size()), {}});
  }
  void look(double t, std::span<const double> values) {
    for (Stop& stop : stops_)
      if (!stop.passed && values[stop.column] < -kPassed) stop.passed = t;
  }
  [[nodiscard]] Problems warnings(Analysis analysis) const {
    Problems out;
    for (const Stop& stop : stops_)
      if (stop.passed)
        out.push_back(warning({}, "stop '" + stop.name + "' is passed" + (analysis == Analysis::equilibrium ? "" : " at " + seconds(*stop.passed)) + ": " +
                                      std::string(word(analysis)) + " does not hold stops"));
    return out;
  }

 private:
  static constexpr double kPassed = 1e-9;  // metres or radians: more than rounding of what touches
  struct Stop {
    std::size_t column;
    std::string name;
    std::optional<double> passed;
  };
  std::vector<Stop> stops_;
};

// Rows of an analysis, with what follows from them behind: measures, and what is there on demand.
Run run_with_measures(const Mechanism& mechanism, Analysis analysis, const Options& options, const std::vector<Column>& columns, GoalWatch* goals,
                      const RowSink& sink) {
  MeasureRows measures = visit(mechanism, [&](const auto& m) { return MeasureRows(m.measures, columns); });
  std::optional<ForceRateRows> rates;
  if (options.on_demand && analysis != Analysis::kinematics)
    visit(mechanism, [&](const auto& m) { rates.emplace(m, columns); });
  if (measures.empty() && !rates) return run_as_usual(mechanism, analysis, options, goals, sink);

  const std::size_t width = columns.size() + measures.columns().size();
  std::vector<double> longer(width + (rates ? rates->columns().size() : 0));
  PassedStops passed(measures.columns());
  std::optional<Outcome> without;
  Where where;
  Run out = run_as_usual(mechanism, analysis, options, goals, [&](std::span<const double> row) {
    std::ranges::copy(row, longer.begin());
    if (auto trouble = measures.fill(row, std::span(longer).subspan(row.size()))) {
      without = {Outcome::Kind::undefined,
                 row[0],
                 called(trouble->measure) + " at " + seconds(row[0]) + ": " + trouble->sentence,
                 {std::move(trouble->measure)}};
      where = trouble->where;
      return false;
    }
    if (analysis != Analysis::dynamics) passed.look(row[0], std::span(longer).subspan(row.size(), measures.columns().size()));
    if (!rates) return sink(longer);
    if (auto trouble = rates->fill(row, std::span(longer).subspan(width))) {
      without = {Outcome::Kind::undefined, row[0], std::move(trouble->sentence), {std::move(trouble->element)}};
      return false;
    }
    return sink(longer);
  });
  std::ranges::move(passed.warnings(analysis), std::back_inserter(out.problems));
  if (!without) return out;
  Problems said{error(where, without->sentence)};
  if (where.line > 0) locate(said, mechanism.file());
  out.problems.push_back(std::move(said.front()));
  out.outcome = *std::move(without);
  return out;
}

// A goal at a time that the run does not come to.
Problems beyond_the_run(const std::vector<RunGoal>& goals, Analysis analysis, const Options& options) {
  Problems out;
  const bool rest = analysis == Analysis::equilibrium;
  const double from = rest ? 0 : !options.times.empty() ? options.times.front() : options.start ? options.start->t : 0;
  const double to = rest ? 0 : options.times.empty() ? options.to : options.times.back();
  for (const RunGoal& goal : goals)
    for (const Reduction& reduction : goal.reductions)
      if (reduction.kind == Reduction::Kind::at && !(reduction.time >= from && reduction.time <= to))
        out.push_back(error(reduction.where, "goal '" + goal.name + "': expected a time from " + short_number(from) + " to " + short_number(to) +
                                                 " s, which the rows of the run cover, found " + short_number(reduction.time) + " s"));
  return out;
}

}  // namespace

Run run(const Mechanism& mechanism, Analysis analysis, const Options& options, const RowSink& sink) {
  if (options.over) return run_over(mechanism, analysis, options, sink);
  if (options.goals.empty()) return run_with_measures(mechanism, analysis, options, row_columns(mechanism, analysis), nullptr, sink);
  return run(mechanism, analysis, options, {}, sink);
}

Run run(const Mechanism& mechanism, Analysis analysis, const Options& options, const ReadGoals& read, const RowSink& sink) {
  std::vector<Column> columns = row_columns(mechanism, analysis);
  Problems problems;
  ReadGoals own;
  const bool known = read.fit(mechanism, columns);
  if (!known) own = read_goals(mechanism, analysis, std::move(columns), options.goals, problems);
  const std::vector<RunGoal>& goals = known ? read.goals : own.goals;
  append(problems, beyond_the_run(goals, analysis, options));
  Run out;
  out.analysis = analysis;
  const bool readable = !any_error(problems);
  std::vector<std::optional<double>> values(options.goals.size());
  if (readable) {
    GoalWatch watch(goals, known ? read.columns : own.columns);
    out = run_with_measures(mechanism, analysis, options, known ? read.columns : own.columns, &watch, sink);
    if (out.outcome.done()) values = watch.values(problems);
  }
  append(out.problems, problems);
  for (std::size_t k = 0; k < values.size(); ++k) out.goals.push_back({options.goals[k].name, values[k], readable ? goals[k].value.unit() : ""});
  return out;
}

Run run(const Mechanism& mechanism, Analysis analysis, const Options& options) {
  if (options.over && analysis == Analysis::equilibrium && holding(mechanism) == nullptr) {
    const auto own = held(mechanism, options.over->coordinate);
    return own ? run(*own, analysis, options) : refused_over(own.problems());
  }
  const std::size_t timed = options.times.empty() ? static_cast<std::size_t>(std::max(options.steps, 0)) + 1 : options.times.size();
  RowCollector collector(result_columns(mechanism, analysis), demanded_columns(mechanism, analysis), options.columns,
                         analysis != Analysis::equilibrium ? timed : options.over ? options.over->values.size() : 1);
  Options own = options;
  own.on_demand = collector.takes_further();
  Run out = run(mechanism, analysis, own, collector.sink());
  out.results = collector.finish(out.problems);
  return out;
}

Run run(const Mechanism& mechanism) {
  const RunPlan& plan = mechanism.run();
  return run(mechanism, *analysis_of(plan.analysis), {.to = plan.to, .steps = plan.steps});  // no other word is read
}

Run kinematics(const Mechanism& mechanism, const Options& options) { return run(mechanism, Analysis::kinematics, options); }
Run inverse(const Mechanism& mechanism, const Options& options) { return run(mechanism, Analysis::inverse, options); }
Run dynamics(const Mechanism& mechanism, const Options& options) { return run(mechanism, Analysis::dynamics, options); }
Run equilibrium(const Mechanism& mechanism, const Options& options) { return run(mechanism, Analysis::equilibrium, options); }

RunSummary summary(const Mechanism& mechanism, const Run& run) {
  if (run.over && holding(mechanism) == nullptr)
    if (const auto own = held(mechanism, run.over->coordinate)) return summary(*own, run);
  const WatchedParts parts = parts_of_run(mechanism);
  RunWatch watch(parts, run.analysis, run.results.columns(), run.over ? std::string_view(run.over->coordinate) : "t");
  for (std::size_t i = 0; i < run.results.rows(); ++i)
    if (const std::vector<double> row = run.results.row(i); !run.over || !std::isnan(row.back())) watch.take(row);
  return watch.summary();
}

StateResult state_at(const Mechanism& mechanism, double t, const Stop& stop) {
  return visit(mechanism, [&](const auto& m) { return state_at(m, t, stop); });
}

}  // namespace jounce
