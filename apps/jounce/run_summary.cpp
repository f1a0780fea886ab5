#include "run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>

#include "jounce/api/facts.hpp"
#include "jounce/api/report.hpp"
#include "jounce/api/summary_tables.hpp"
#include "jounce/api/version.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/results/noise.hpp"
#include "json.hpp"
#include "model_input.hpp"
#include "rest_summary.hpp"
#include "terminal.hpp"
#include "text_file.hpp"

namespace jounce::app {
namespace {

constexpr std::size_t kPoints = 3, kEvents = 10, kRows = 20;

std::string line(std::string_view head, std::string_view text) { return fmt::format("  {:<10}{}\n", head, text); }

// How many columns a terminal takes for a text of ours, which has no wide signs.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// Under its title and the names of its columns; numbers to the right, so that those of one unit stand under each other.
std::string table_text(const SummaryTable& table) {
  const std::size_t shown = std::min(table.rows.size(), kRows);
  std::vector<std::vector<std::string>> lines(table.rows.begin(), table.rows.begin() + static_cast<std::ptrdiff_t>(shown));
  lines.insert(lines.begin(), table.head);
  lines.front().front() = table.title;
  lines.front().front().front() = static_cast<char>(std::tolower(static_cast<unsigned char>(lines.front().front().front())));
  std::vector<std::size_t> wide(table.head.size(), 0);
  for (const auto& line : lines)
    for (std::size_t c = 0; c < line.size(); ++c) wide[c] = std::max(wide[c], width(line[c]));
  std::string out = "\n";
  for (const auto& line : lines) {
    std::string text = "  " + line.front() + std::string(wide.front() - width(line.front()), ' ');
    for (std::size_t c = 1; c < line.size(); ++c) text += "  " + std::string(wide[c] - width(line[c]), ' ') + line[c];
    text.resize(text.find_last_not_of(' ') + 1);
    out += text + '\n';
  }
  if (shown < table.rows.size()) out += fmt::format("  ... and {} more\n", table.rows.size() - shown);
  return out;
}

std::string events_text(const std::vector<Event>& events, const Units::Shown& second) {
  std::string out;
  for (const Event& e : std::span(events).first(std::min(events.size(), kEvents)))
    out += line("event", fmt::format("t = {:.6g} {}  {}: {}", e.t * second.factor, second.unit, e.kind, e.sentence));
  if (events.size() > kEvents) out += line("", fmt::format("... and {} more events", events.size() - kEvents));
  return out;
}

// What was asked of the rows alone is not told again, and of all joints a terminal shows the one that carries most.
bool is_of_motion(const SummaryTable& table) { return table.title == "Driven" || table.title == "Fastest points"; }
bool is_of_joints(const SummaryTable& table) { return table.title == "Largest forces in joints"; }

std::string largest_text(const Run& run, const RunSummary& summary, const Units& units) {
  const LoadPeak* largest = summary.largest_load();
  if (largest == nullptr || is_noise(largest->force, summary.load_scale())) return {};
  const Units::Shown force = units.of("N"), where = units.of(run.over ? run.over->unit : "s");
  const std::string what = run.over ? run.over->coordinate + " = " : "";
  const std::string at = run.rest ? "" : fmt::format(" at {}{:.4g} {}", what, largest->t * where.factor, where.unit);
  return fmt::format("\n  {:<16} {}: {:.6g} {}{}\n", "largest load", largest->joint, largest->force * force.factor, force.unit, at);
}

Json row_json(const Plan& plan, const std::vector<double>& row) {
  Json out = Json::object();
  for (std::size_t c = 0; c < plan.names.size() && plan.kept[c] < row.size(); ++c) out[plan.names[c]] = row[plan.kept[c]] * (plan.asked ? plan.factors[c] : 1);  // none on demand
  return out;
}

// "N m": "kN mm", for what the summary and the row are made of.
Json units_json(const Units& units) {
  Json out = Json::object();
  for (const char* si : {"m", "rad", "s", "kg", "m/s", "m/s²", "rad/s", "rad/s²", "N", "N m", "J", "W"}) out[si] = units.of(si).unit;
  return out;
}

// Coloured for the stream it goes to.
std::string summary_text(const Mechanism& mechanism, const Plan& plan, const Followed& followed, const RunSummary& summary, bool motion,
                         std::FILE* stream) {
  const Run& run = followed.run;
  const Outcome& outcome = run.outcome;
  const bool rest = run.rest.has_value() || run.over.has_value();
  const Units::Shown second = plan.units.of("s");
  std::string out = fmt::format("{}  ({})\n", toned(Tone::strong, mechanism.name(), stream), mechanism.file());
  out += line("run", run.over ? fmt::format("equilibrium, at t = 0, over {} in {} values", run.over->coordinate, run.over->values)
                   : rest ? std::string("equilibrium, at t = 0")
                          : fmt::format("{} from 0 to {:g} {} in {} step{}", word(plan.analysis), plan.to * second.factor, second.unit,
                                        plan.steps, plan.steps == 1 ? "" : "s"));
  const std::string early = std::string(word(outcome.kind)) + (rest ? "" : fmt::format(" at t = {:.6g} {}", outcome.t * second.factor, second.unit));
  const std::string done = outcome.sentence.empty() ? "done" : "done, " + outcome.sentence;  // where an event has ended it
  out += line("outcome", outcome.done() ? toned(Tone::good, done, stream) : toned(Tone::bad, early, stream));
  if (run.rest) out += rest_text(*run.rest, stream);
  for (const Fact& fact : facts(run, summary, plan.units)) {
    if (fact.head == "reactions") out += line(fact.head, toned(Tone::doubtful, fact.text, stream));
    else if (!run.rest) out += line(fact.head, fact.text);
  }
  for (const SummaryTable& table : summary_tables(run, summary, plan.units, kPoints))
    if ((motion || !is_of_motion(table)) && !is_of_joints(table)) out += table_text(table);
  out += largest_text(run, summary, plan.units);
  out += '\n';
  out += events_text(run.events, second);
  if (followed.code != kWrong && followed.written && plan.output != "-" && !plan.output.empty()) {
    const int rows = run.over ? run.over->values : rest ? (outcome.done() ? 1 : 0) : run.statistics.samples;
    const char* const plural = rows == 1 ? "" : "s";
    out += line("written", fmt::format("{} ({} row{}, {} columns)", plan.output, rows, plural, plan.names.size()));
  }
  if (followed.reported) out += line("written", fmt::format("{} (report)", plan.report));
  return out;
}

// SI units, unless others are asked for: a program that reads it knows nothing of what the model says to people.
Json summary_json(const RunOptions& options, const Plan& plan, const Followed& followed, const RunSummary& found, bool motion) {
  const Run& run = followed.run;
  const RunSummary summary = plan.asked ? in_units(found, plan.units, run.over ? run.over->unit : "s") : found;
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
  if (plan.asked) out["units"] = units_json(plan.units);
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

// What a workbook says about the model.
std::vector<SummaryTable> model_tables(const Mechanism& mechanism, const Plan& plan) {
  // a workbook is sent on: where the file lies is nobody's business
  SummaryTable model{mechanism.name(),
                     {},
                     {{"file", std::filesystem::path(mechanism.file()).filename().string()},
                      {"space", mechanism.space() == Space::plane ? "plane" : "3d"},
                      {"analysis", std::string(word(plan.analysis))},
                      {"written by", "jounce " + std::string(version())}}};
  SummaryTable parameters{"Parameters, in SI units and radians", {"name", "value"}, {}};
  for (const auto& [name, value] : mechanism.parameters()) parameters.rows.push_back({name, fmt::format("{}", value)});
  std::vector<SummaryTable> out{std::move(model)};
  if (!parameters.rows.empty()) out.push_back(std::move(parameters));
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
  const auto page = recorder.html(followed.run, plan.asked);
  std::optional<std::string> failure;
  if (!page) failure = page.problems().front().sentence;
  else if (const auto unwritten = write_text(plan.report, *page + plan.page_mark)) failure = cannot_write(plan.report, *unwritten);
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
  const bool book = plan.format == Format::xlsx;
  if (page || options.json || summary != nullptr || book) watch = [&](std::span<const double> row) { recorder.take(row); };
  std::function<std::vector<Sheet>(const Run&)> about;
  if (book) about = [&](const Run& run) { return std::vector<Sheet>{{"Summary", recorder.tables(run, plan.asked)}, {"Model", model_tables(mechanism, plan)}}; };
  Followed followed = follow(options, mechanism, plan, watch, about);
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
