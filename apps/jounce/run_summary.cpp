#include "run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "jounce/base/suggest.hpp"
#include "model_input.hpp"
#include "report_output.hpp"
#include "rest_summary.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

constexpr std::size_t kPoints = 3, kEvents = 10;

std::string line(std::string_view head, std::string_view text) { return fmt::format("  {:<10}{}\n", head, text); }

std::string range_line(std::string_view head, std::string_view what, const Range& range, const std::string& unit,
                       std::string_view per) {
  constexpr double kDegrees = 180 / std::numbers::pi;
  std::string out =
      fmt::format("  {:<16} {:<7} {:>12.6g} .. {:<12.6g} {}{}", head, what, range.from, range.to, unit, per);
  if (unit == "rad") out += fmt::format("  ({:.6g} .. {:.6g} deg{})", range.from * kDegrees, range.to * kDegrees, per);
  return out + '\n';
}

std::string extremes_text(const Extremes& extremes) {
  std::string out;
  for (const DrivenRange& d : extremes.driven()) {
    if (!(d.value.from <= d.value.to)) continue;
    if (out.empty()) out += "\n  driven\n";
    out += range_line(d.driver, "motion", d.value, d.unit, "") + range_line("", "rate", d.rate, d.unit, "/s");
  }
  const std::vector<PointPeak> fastest = extremes.fastest(kPoints);
  if (!fastest.empty()) out += fmt::format("\n  {:<16} {:>17} {:>33}\n", "fastest points", "speed", "acceleration");
  for (const PointPeak& p : fastest)
    out += fmt::format("  {:<16} {:>13.6g} m/s {:>14} {:>12.6g} m/s^2 {:>14}{}\n", p.point, p.speed,
                       fmt::format("at {:.4g} s", p.speed_t), p.acceleration, fmt::format("at {:.4g} s", p.acceleration_t),
                       p.also.empty() ? "" : "  also " + join_names(p.also));
  return out;
}

std::string loads_text(const Loads& loads) {
  std::string out;
  for (const EffortPeak& e : loads.efforts()) {
    if (out.empty()) out += fmt::format("\n  {:<16} {:>17} {:>33}\n", "efforts", "peak", "rms");
    out += fmt::format("  {:<16} {:>13.6g} {:<3} {:>14} {:>12.6g} {}\n", e.driver, e.peak, e.unit,
                       fmt::format("at {:.4g} s", e.t), e.rms, e.unit);
  }
  if (const LoadPeak* largest = loads.largest())
    out += fmt::format("\n  {:<16} {}: {:.6g} N at {:.4g} s\n", "largest load", largest->joint, largest->force, largest->t);
  return out;
}

// The same where time stands still.
std::string static_loads_text(const Loads& loads) {
  std::string out;
  for (const EffortPeak& e : loads.efforts())
    out += fmt::format("{}  {:<16} {:.6g} {}\n", out.empty() ? "\n  efforts\n" : "", e.driver, e.peak, e.unit);
  if (const LoadPeak* largest = loads.largest())
    out += fmt::format("\n  {:<16} {}: {:.6g} N\n", "largest load", largest->joint, largest->force);
  return out;
}

Fact momentum_fact(const MomentumWatch& momentum) {
  return {"momentum", fmt::format("{:.6g} kg m/s, drift {:.3g}; {:.6g} kg m^2/s about the ground's origin, drift {:.3g}",
                                      momentum.linear(), momentum.linear_drift(), momentum.angular(), momentum.angular_drift())};
}

void add_dynamics_facts(std::vector<Fact>& out, const DynamicsStatistics& s, const EnergyWatch& energy) {
  const std::string order = s.order > 0 ? fmt::format("; series of order {}", s.order) : "";
  out.push_back({"method", fmt::format("{}{}; formulation {}", s.method, order, s.formulation)});
  if (s.worst_defect > 0) out.push_back({"defect", fmt::format("{:.3g} of what the tolerance allows, at worst", s.worst_defect)});
  const std::string kept = fmt::format("{:.6g} J, drift {:.3g} J", energy.start(), s.energy_drift);
  const std::string changed = fmt::format("{:.6g} J at the start, {:.6g} J at the end", energy.start(), energy.end());
  out.push_back({"energy", s.conservative ? kept : changed});
}

std::string events_text(const std::vector<Event>& events) {
  std::string out;
  for (const Event& e : std::span(events).first(std::min(events.size(), kEvents)))
    out += line("event", fmt::format("t = {:.6g} s  {}: {}", e.t, e.kind, e.sentence));
  if (events.size() > kEvents) out += line("", fmt::format("... and {} more events", events.size() - kEvents));
  return out;
}

std::vector<Fact> timed_facts(const Plan& plan, const Followed& followed, const Watched& watched) {
  const DynamicsStatistics& s = followed.statistics;
  std::vector<Fact> out{{"samples", std::to_string(s.samples)}};
  if (plan.analysis == Analysis::dynamics && s.samples > 0) add_dynamics_facts(out, s, *watched.energy);
  if (watched.momentum && s.samples > 0) out.push_back(momentum_fact(*watched.momentum));
  out.push_back({"work", fmt::format("{} steps, {} rejected, {} factorisations", s.steps, s.rejected, s.factorisations)});
  out.push_back({"residual", fmt::format("{:.3g} (m or rad) at worst", s.worst_residual)});
  return out;
}

Json statistics_json(const DynamicsStatistics& s, bool dynamics) {
  Json out{{"samples", s.samples},
           {"steps", s.steps},
           {"rejected", s.rejected},
           {"factorisations", s.factorisations},
           {"worst_residual", s.worst_residual}};
  if (dynamics)
    out.update({{"worst_defect", s.worst_defect},
                {"largest_projection", s.largest_projection},
                {"conservative", s.conservative},
                {"energy_drift", s.conservative ? Json(s.energy_drift) : Json()},
                {"method", s.method},
                {"formulation", s.formulation},
                {"order", s.order}});
  return out;
}

Json extremes_json(const Extremes& extremes) {
  Json driven = Json::array(), points = Json::array();
  for (const DrivenRange& d : extremes.driven())
    driven.push_back({{"driver", d.driver},
                      {"unit", d.unit},
                      {"motion", {d.value.from, d.value.to}},
                      {"rate", {d.rate.from, d.rate.to}}});
  for (const PointPeak& p : extremes.fastest(kPoints))
    points.push_back({{"point", p.point},
                      {"also", p.also},
                      {"speed", p.speed},
                      {"speed_t", p.speed_t},
                      {"acceleration", p.acceleration},
                      {"acceleration_t", p.acceleration_t}});
  return {{"driven", driven}, {"fastest", points}};
}

Json loads_json(const Loads& loads) {
  Json efforts = Json::array(), joints = Json::array();
  for (const EffortPeak& e : loads.efforts())
    efforts.push_back({{"driver", e.driver}, {"unit", e.unit}, {"peak", e.peak}, {"peak_t", e.t}, {"rms", e.rms}});
  for (const LoadPeak& joint : loads.joints())
    joints.push_back({{"joint", joint.joint}, {"force", joint.force}, {"force_t", joint.t}});
  const LoadPeak* largest = loads.largest();
  return {{"efforts", efforts}, {"joints", joints}, {"largest", largest != nullptr ? Json(largest->joint) : Json()}};
}

Json momentum_json(const MomentumWatch& momentum) {
  return {{"linear", momentum.linear()},
          {"angular", momentum.angular()},
          {"linear_drift", momentum.linear_drift()},
          {"angular_drift", momentum.angular_drift()}};
}

Json row_json(const Plan& plan, const std::vector<double>& row) {
  Json out = Json::object();
  for (std::size_t c = 0; c < plan.names.size(); ++c) out[plan.names[c]] = row[plan.kept[c]];
  return out;
}

}  // namespace

std::vector<Fact> run_facts(const Plan& plan, const Followed& followed, const Watched& watched) {
  std::vector<Fact> out;
  if (followed.rest) out = {{"stability", stability_text(*followed.rest)}, {"work", work_text(*followed.rest)}};
  else out = timed_facts(plan, followed, watched);
  if (followed.rest && !followed.rest->note.empty()) out.push_back({"note", followed.rest->note});
  if (!followed.not_unique.empty()) out.push_back({"reactions", "not unique: " + join_names(followed.not_unique, 20)});
  return out;
}

Watched::Watched(const AnyMechanism& mechanism, Analysis analysis, bool motion) {
  const std::vector<Column> columns = all_columns(mechanism, analysis);
  if (motion && analysis != Analysis::equilibrium) extremes.emplace(mechanism, columns);
  if (analysis != Analysis::kinematics) loads.emplace(mechanism, columns);
  if (analysis == Analysis::dynamics) energy.emplace(columns);
  if (analysis == Analysis::dynamics && keeps_momentum(mechanism)) momentum.emplace(columns);
}

void Watched::take(std::span<const double> row) {
  if (extremes) extremes->take(row);
  if (loads) loads->take(row);
  if (energy) energy->take(row);
  if (momentum) momentum->take(row);
  last.assign(row.begin(), row.end());
}

std::string summary_text(const AnyMechanism& mechanism, const Plan& plan, const Followed& followed, const Watched& watched,
                         bool motion, std::FILE* stream) {
  const Outcome& outcome = followed.outcome;
  const bool rest = followed.rest.has_value();
  const Head model = head(mechanism);
  std::string out = fmt::format("{}  ({})\n", toned(Tone::strong, model.name, stream), model.file);
  out += line("run", rest ? "equilibrium, at t = 0"
                          : fmt::format("{} from 0 to {:g} s in {} step{}", word(plan.analysis), plan.to, plan.steps,
                                        plan.steps == 1 ? "" : "s"));
  const std::string early = std::string(word(outcome.kind)) + (rest ? "" : fmt::format(" at t = {:.6g} s", outcome.t));
  out += line("outcome", outcome.done() ? toned(Tone::good, "done", stream) : toned(Tone::bad, early, stream));
  if (rest) out += rest_text(*followed.rest, stream);
  else
    for (const Fact& fact : timed_facts(plan, followed, watched)) out += line(fact.head, fact.text);
  if (!followed.not_unique.empty())
    out += line("reactions", toned(Tone::doubtful, "not unique: " + join_names(followed.not_unique, 20), stream));
  if (motion && watched.extremes) out += extremes_text(*watched.extremes);
  if (watched.loads) out += rest ? static_loads_text(*watched.loads) : loads_text(*watched.loads);
  out += '\n';
  out += events_text(followed.events);
  if (followed.code != kWrong && followed.written && plan.output != "-" && !plan.output.empty()) {
    const int rows = rest ? (outcome.done() ? 1 : 0) : followed.statistics.samples;
    const char* const plural = rows == 1 ? "" : "s";
    out += line("written", fmt::format("{} ({} row{}, {} columns)", plan.output, rows, plural, plan.names.size()));
  }
  if (followed.reported) out += line("written", fmt::format("{} (report)", plan.report));
  return out;
}

Json summary_json(const RunOptions& options, const Plan& plan, const Followed& followed, const Watched& watched, bool motion) {
  const bool dynamics = plan.analysis == Analysis::dynamics;
  const bool to_file = !plan.output.empty() && plan.output != "-" && followed.written && exit_code(followed.outcome.kind) != kWrong;
  Json out{{"analysis", word(plan.analysis)}, {"model", options.model}};
  if (!followed.rest) out.update({{"to", plan.to}, {"steps", plan.steps}});
  if (dynamics)
    out.update({{"tol", plan.tolerance},
                {"method", word(plan.method)},
                {"formulation", word(plan.formulation)},
                {"order", plan.order > 0 ? Json(plan.order) : Json()}});
  if (!followed.rest) out["samples"] = followed.statistics.samples;
  out["outcome"] = to_json(followed.outcome);
  if (followed.rest) out.update(rest_json(*followed.rest));
  else out.update({{"events", to_json(followed.events)}, {"statistics", statistics_json(followed.statistics, dynamics)}});
  out.update({{"columns", plan.names.size()}, {"output", to_file ? Json(plan.output) : Json()}});
  out["report"] = followed.reported ? Json(plan.report) : Json();
  if (plan.analysis != Analysis::kinematics) out["not_unique"] = followed.not_unique;
  if (followed.rest) out["row"] = watched.last.empty() ? Json() : row_json(plan, watched.last);
  if (motion && watched.extremes) out["extremes"] = extremes_json(*watched.extremes);
  if (watched.loads) out["loads"] = loads_json(*watched.loads);
  if (watched.energy) out["energy"] = {{"start", watched.energy->start()}, {"end", watched.energy->end()}};
  if (watched.momentum) out["momentum"] = momentum_json(*watched.momentum);
  out["problems"] = to_json(followed.problems);
  return out;
}

namespace {

void write_report(const ReportOutput& page, const Plan& plan, const Watched& watched, bool quiet, Followed& followed) {
  if (page.empty()) {
    if (!quiet) complain(fmt::format("note: no report is written to '{}': nothing was computed", plan.report));
    return;
  }
  const auto failure = page.write(followed, watched);
  followed.reported = !failure;
  if (!failure) return;
  complain(*failure);
  followed.code = std::max<int>(followed.code, kIncomplete);
}

}  // namespace

int carry_out(const RunOptions& options, const AnyMechanism& mechanism, const Plan& plan, const Problems& warnings, bool motion,
              std::FILE* summary) {
  print_problems(warnings, options.quiet);
  Watched watched(mechanism, plan.analysis, motion || !plan.report.empty());
  std::optional<ReportOutput> page;
  if (!plan.report.empty()) page.emplace(options, mechanism, plan);
  Followed followed = follow(options, mechanism, plan, [&](std::span<const double> row) {
    watched.take(row);
    if (page) page->take(row);
  });
  followed.problems.insert(followed.problems.begin(), warnings.begin(), warnings.end());
  if (page && followed.code != kWrong) write_report(*page, plan, watched, options.quiet, followed);
  if (options.json) {
    print_json(summary_json(options, plan, followed, watched, motion));
  } else if (summary != nullptr && !options.quiet && followed.code != kWrong) {
    const std::string text = summary_text(mechanism, plan, followed, watched, motion, summary);
    if (summary == stdout) print(text);
    else std::fputs(text.c_str(), summary);
  }
  return followed.code;
}

}  // namespace jounce::app
