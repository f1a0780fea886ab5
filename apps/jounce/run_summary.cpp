#include "run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numbers>
#include <optional>
#include <span>

#include "jounce/api/facts.hpp"
#include "jounce/api/report.hpp"
#include "jounce/base/suggest.hpp"
#include "json.hpp"
#include "model_input.hpp"
#include "rest_summary.hpp"
#include "terminal.hpp"
#include "text_file.hpp"

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

std::string extremes_text(const RunSummary& summary) {
  std::string out;
  for (const DrivenRange& d : summary.driven) {
    if (d.value.empty()) continue;
    if (out.empty()) out += "\n  driven\n";
    out += range_line(d.driver, "motion", d.value, d.unit, "") + range_line("", "rate", d.rate, d.unit, "/s");
  }
  const auto fastest = std::span(summary.points).first(std::min(kPoints, summary.points.size()));
  if (!fastest.empty()) out += fmt::format("\n  {:<16} {:>17} {:>33}\n", "fastest points", "speed", "acceleration");
  for (const PointPeak& p : fastest)
    out += fmt::format("  {:<16} {:>13.6g} m/s {:>14} {:>12.6g} m/s^2 {:>14}{}\n", p.point, p.speed,
                       fmt::format("at {:.4g} s", p.speed_t), p.acceleration, fmt::format("at {:.4g} s", p.acceleration_t),
                       p.also.empty() ? "" : "  also " + join_names(p.also));
  return out;
}

std::string loads_text(const RunSummary& summary) {
  std::string out;
  for (const EffortPeak& e : summary.efforts) {
    if (out.empty()) out += fmt::format("\n  {:<16} {:>17} {:>33}\n", "efforts", "peak", "rms");
    out += fmt::format("  {:<16} {:>13.6g} {:<3} {:>14} {:>12.6g} {}\n", e.driver, e.peak, e.unit,
                       fmt::format("at {:.4g} s", e.t), e.rms, e.unit);
  }
  if (const LoadPeak* largest = summary.largest_load())
    out += fmt::format("\n  {:<16} {}: {:.6g} N at {:.4g} s\n", "largest load", largest->joint, largest->force, largest->t);
  return out;
}

// The same where time stands still.
std::string static_loads_text(const RunSummary& summary) {
  std::string out;
  for (const EffortPeak& e : summary.efforts)
    out += fmt::format("{}  {:<16} {:.6g} {}\n", out.empty() ? "\n  efforts\n" : "", e.driver, e.peak, e.unit);
  if (const LoadPeak* largest = summary.largest_load())
    out += fmt::format("\n  {:<16} {}: {:.6g} N\n", "largest load", largest->joint, largest->force);
  return out;
}

// The same over a coordinate.
std::string over_loads_text(const OverRun& over, const RunSummary& summary) {
  std::string out;
  const std::string at = fmt::format("at {} = {{:.4g}} {}", over.coordinate, over.unit);
  for (const EffortPeak& e : summary.efforts)
    out += fmt::format("{}  {:<16} {:>13.6g} {:<3}   {}\n", out.empty() ? "\n  largest efforts\n" : "", e.driver, e.peak, e.unit, fmt::format(fmt::runtime(at), e.t));
  if (const LoadPeak* largest = summary.largest_load())
    out += fmt::format("\n  {:<16} {}: {:.6g} N {}\n", "largest load", largest->joint, largest->force, fmt::format(fmt::runtime(at), largest->t));
  return out;
}

std::string events_text(const std::vector<Event>& events) {
  std::string out;
  for (const Event& e : std::span(events).first(std::min(events.size(), kEvents)))
    out += line("event", fmt::format("t = {:.6g} s  {}: {}", e.t, e.kind, e.sentence));
  if (events.size() > kEvents) out += line("", fmt::format("... and {} more events", events.size() - kEvents));
  return out;
}

Json row_json(const Plan& plan, const std::vector<double>& row) {
  Json out = Json::object();
  for (std::size_t c = 0; c < plan.names.size() && plan.kept[c] < row.size(); ++c) out[plan.names[c]] = row[plan.kept[c]];  // none on demand
  return out;
}

// Coloured for the stream it goes to.
std::string summary_text(const Mechanism& mechanism, const Plan& plan, const Followed& followed, const RunSummary& summary, bool motion,
                         std::FILE* stream) {
  const Run& run = followed.run;
  const Outcome& outcome = run.outcome;
  const bool rest = run.rest.has_value() || run.over.has_value();
  std::string out = fmt::format("{}  ({})\n", toned(Tone::strong, mechanism.name(), stream), mechanism.file());
  out += line("run", run.over ? fmt::format("equilibrium, at t = 0, over {} in {} values", run.over->coordinate, run.over->values)
                   : rest ? std::string("equilibrium, at t = 0")
                          : fmt::format("{} from 0 to {:g} s in {} step{}", word(plan.analysis), plan.to, plan.steps,
                                        plan.steps == 1 ? "" : "s"));
  const std::string early = std::string(word(outcome.kind)) + (rest ? "" : fmt::format(" at t = {:.6g} s", outcome.t));
  const std::string done = outcome.sentence.empty() ? "done" : "done, " + outcome.sentence;  // where an event has ended it
  out += line("outcome", outcome.done() ? toned(Tone::good, done, stream) : toned(Tone::bad, early, stream));
  if (run.rest) out += rest_text(*run.rest, stream);
  for (const Fact& fact : facts(run, summary)) {
    if (fact.head == "reactions") out += line(fact.head, toned(Tone::doubtful, fact.text, stream));
    else if (!run.rest) out += line(fact.head, fact.text);
  }
  if (motion) out += extremes_text(summary);
  out += run.over ? over_loads_text(*run.over, summary) : rest ? static_loads_text(summary) : loads_text(summary);
  out += '\n';
  out += events_text(run.events);
  if (followed.code != kWrong && followed.written && plan.output != "-" && !plan.output.empty()) {
    const int rows = run.over ? run.over->values : rest ? (outcome.done() ? 1 : 0) : run.statistics.samples;
    const char* const plural = rows == 1 ? "" : "s";
    out += line("written", fmt::format("{} ({} row{}, {} columns)", plan.output, rows, plural, plan.names.size()));
  }
  if (followed.reported) out += line("written", fmt::format("{} (report)", plan.report));
  return out;
}

Json summary_json(const RunOptions& options, const Plan& plan, const Followed& followed, const RunSummary& summary, bool motion) {
  const Run& run = followed.run;
  const bool dynamics = plan.analysis == Analysis::dynamics;
  const bool to_file = !plan.output.empty() && plan.output != "-" && followed.written && exit_code(run.outcome.kind) != kWrong;
  Json out{{"analysis", word(plan.analysis)}, {"model", input_name(options.model)}};
  const bool timed = !run.rest && !run.over;
  if (timed) out.update({{"to", plan.to}, {"steps", plan.steps}});
  if (dynamics)
    out.update({{"tol", plan.tolerance},
                {"method", word(plan.method)},
                {"formulation", word(plan.formulation)},
                {"order", plan.order > 0 ? Json(plan.order) : Json()}});
  if (!run.rest) out["samples"] = run.statistics.samples;
  out["outcome"] = to_json(run.outcome);
  if (run.rest) out.update(to_json(*run.rest));
  else if (run.over) out["over"] = to_json(*run.over);
  else out.update({{"events", to_json(run.events)}, {"statistics", to_json(run.statistics, plan.analysis)}});
  out.update({{"columns", plan.names.size()}, {"output", to_file ? Json(plan.output) : Json()}});
  out["report"] = followed.reported ? Json(plan.report) : Json();
  if (plan.analysis != Analysis::kinematics) out["not_unique"] = run.not_unique;
  if (run.rest) out["row"] = run.outcome.done() ? row_json(plan, run.rest->row) : Json();
  if (motion && timed) out["extremes"] = extremes_json(summary, kPoints);
  if (plan.analysis != Analysis::kinematics) out["loads"] = loads_json(summary);
  if (dynamics) out["energy"] = summary.energy ? Json{{"start", summary.energy->start}, {"end", summary.energy->end}} : Json();
  if (summary.momentum) out["momentum"] = to_json(*summary.momentum);
  out["problems"] = to_json(run.problems);
  return out;
}

// Whoever interrupts a run does not want to wait for the page of it; a short one takes no time.
bool too_much_to_wait_for(const Mechanism& mechanism, const Followed& followed) {
  constexpr std::size_t kQuicklyWritten = 300'000;  // numbers, some hundredths of a second
  return followed.interrupted &&
         static_cast<std::size_t>(followed.run.statistics.samples) * result_columns(mechanism, followed.run.analysis).size() > kQuicklyWritten;
}

// Why there is no page; it has been said.
void write_report(const RunRecorder& recorder, const Plan& plan, bool quiet, Followed& followed) {
  if (recorder.empty()) {
    if (!quiet) complain(fmt::format("note: no report is written to '{}': nothing was computed", plan.report));
    return;
  }
  const auto page = recorder.html(followed.run);
  std::optional<std::string> failure;
  if (!page) failure = page.problems().front().sentence;
  else if (const auto unwritten = write_text(plan.report, *page)) failure = cannot_write(plan.report, *unwritten);
  followed.reported = !failure;
  if (!failure) return;
  complain(*failure);
  followed.code = std::max<int>(followed.code, kIncomplete);
}

}  // namespace

int carry_out(const RunOptions& options, const Mechanism& mechanism, const Plan& plan, const Problems& warnings, bool motion,
              std::FILE* summary) {
  print_problems(warnings, options.quiet);
  const bool page = !plan.report.empty();
  RunRecorder recorder(mechanism, plan.analysis, page);
  std::function<void(std::span<const double>)> watch;
  if (page || options.json || summary != nullptr) watch = [&](std::span<const double> row) { recorder.take(row); };
  Followed followed = follow(options, mechanism, plan, watch);
  if (page && too_much_to_wait_for(mechanism, followed)) {
    if (!options.quiet) complain(fmt::format("note: no report is written to '{}': the run was interrupted", plan.report));
  } else if (page && followed.code != kWrong) write_report(recorder, plan, options.quiet, followed);
  followed.run.problems.insert(followed.run.problems.begin(), warnings.begin(), warnings.end());
  if (options.json) {
    print_json(summary_json(options, plan, followed, recorder.summary(), motion));
  } else if (summary != nullptr && !options.quiet && followed.code != kWrong) {
    const std::string text = summary_text(mechanism, plan, followed, recorder.summary(), motion, summary);
    if (summary == stdout) print(text);
    else std::fputs(text.c_str(), summary);
  }
  return followed.code;
}

}  // namespace jounce::app
