#include "timed_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <mutex>

#include "columns.hpp"
#include "jounce/api/report.hpp"
#include "jounce/api/table.hpp"
#include "jounce/base/suggest.hpp"
#include "json.hpp"
#include "last_resort.hpp"
#include "model_input.hpp"
#include "result_file.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

constexpr double kMostSteps = 1e9;
constexpr double kLowestOrder = 6, kHighestOrder = 40;
constexpr auto kFormulationChoices = [] {
  std::array<Formulation, kFormulations.size() + 1> out{Formulation::automatic};
  std::ranges::copy(kFormulations, out.begin() + 1);
  return out;
}();

void take_numbers(const RunOptions& options, const Mechanism& mechanism, Plan& plan, Problems& problems) {
  const auto take = [&](std::string_view option, const std::optional<std::string>& text, const auto& accept,
                        const char* expected) {
    if (!text) return;
    const auto value = option_number(option, *text, mechanism);
    if (!value) problems.insert(problems.end(), value.problems().begin(), value.problems().end());
    else if (!accept(*value)) problems.push_back(error({}, fmt::format("{} {}: must be {}", option, *text, expected)));
  };
  const auto whole = [](double v, double from, double to) { return v >= from && v <= to && v == std::floor(v); };
  take("--to", options.to, [&](double v) { return plan.to = v, std::isfinite(v) && v > 0; }, "a time greater than 0");
  take("--steps", options.steps,
       [&](double v) { return whole(v, 1, kMostSteps) && (plan.steps = static_cast<int>(v), true); },
       "a whole number from 1 to 1e9");
  take("--tol", options.tol, [&](double v) { return plan.tolerance = v, std::isfinite(v) && v > 0; }, "greater than 0");
  take("--order", options.order,
       [&](double v) { return whole(v, kLowestOrder, kHighestOrder) && (plan.order = static_cast<int>(v), true); },
       "a whole number from 6 to 40");
}

// One of the words of an option.
template <class Choice, std::size_t N>
void take_word(std::string_view option, const std::optional<std::string>& text, const std::array<Choice, N>& choices,
               Choice& chosen, Problems& problems) {
  if (!text) return;
  std::vector<std::string> words;
  for (const Choice choice : choices) {
    words.emplace_back(word(choice));
    if (words.back() == *text) return void(chosen = choice);
  }
  const auto guess = nearest_name(*text, words);
  problems.push_back(error({}, fmt::format("{} '{}': expected one of {}{}", option, *text, join_names(words),
                                           guess ? " (did you mean '" + *guess + "'?)" : "")));
}

// Results never replace what the run was made from. `option`: which one names the file, `written`: what it becomes.
void protect_inputs(const RunOptions& options, const Mechanism& mechanism, const std::string& file, std::string_view option,
                    std::string_view written, Problems& problems) {
  std::error_code ignored;
  if (!from_standard_input(options.model) && std::filesystem::equivalent(file, options.model, ignored))
    problems.push_back(error({}, fmt::format("{}: this is the model; {}", file, written)));
  for (const std::string& table : mechanism.tables())
    if (std::filesystem::equivalent(file, table, ignored))
      problems.push_back(error({}, fmt::format("{}: this is a table that the model reads; it would be overwritten", file),
                               fmt::format("give {} another name", option)));
}

std::string lower_extension(const std::string& file) {
  std::string out = std::filesystem::path(file).extension().string();
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// What a sheet of a workbook has no room for.
void refuse_size(const Plan& plan, Problems& problems) {
  if (plan.format != Format::xlsx) return;
  const auto refuse = [&](std::string_view what, std::size_t most, std::size_t found) {
    problems.push_back(error({}, fmt::format("-o {}: a sheet has room for {} {}, found {}", plan.output, most, what, found),
                             "write a .csv or .arrow file, or fewer with --steps and --columns"));
  };
  const std::size_t rows = plan.over ? plan.over->values.size() : plan.analysis == Analysis::equilibrium ? 1 : static_cast<std::size_t>(plan.steps) + 1;
  if (rows > kXlsxRows - kXlsxHead) refuse("rows of numbers", kXlsxRows - kXlsxHead, rows);
  if (plan.names.size() > kXlsxColumns) refuse("columns", kXlsxColumns, plan.names.size());
}

void refuse_report(const std::string& report, Problems& problems) {
  if (!has_reports())
    return problems.push_back(error({}, fmt::format("--report {}: this build of Jounce was made without reports", report)));
  if (report.empty()) problems.push_back(error({}, "--report: expected the name of a .html file"));
  else if (const std::string extension = lower_extension(report); extension != ".html" && extension != ".htm")
    problems.push_back(error({}, fmt::format("--report {}: a report is written as .html: expected a name with this ending or .htm, found {}",
                                             report, extension.empty() ? "none" : "'" + extension + "'")));
  // the page is written last: what can be seen before a long run is said before it
  const std::filesystem::path folder = std::filesystem::path(report).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    problems.push_back(error({}, fmt::format("--report {}: there is no folder '{}'", report, folder.string())));
  else if (std::filesystem::is_directory(report, ignored))
    problems.push_back(error({}, fmt::format("--report {}: expected the name of a file, found a folder", report)));
}

// What there is in the plane only.
void refuse_in_space(const RunOptions& options, const Plan& plan, Problems& problems) {
  if (plan.method == Method::taylor)
    problems.push_back(error({}, "--method taylor: is for models of the plane; a spatial model has auto, dop853 and radau"));
  if (plan.formulation == Formulation::kane)
    problems.push_back(error({}, "--formulation kane: is for models of the plane; a spatial model has auto, lagrange, kkt, "
                                 "nullspace, crba and aba"));
  if (options.order)
    problems.push_back(error({}, fmt::format("--order {}: is of the Taylor series, which a spatial model has not", *options.order)));
}

// The run did not answer: all that is known of it is the time of its last row, and that is written.
[[noreturn]] void end_unanswered(const RunOptions& options, const Plan& plan, double t) {
  complain(fmt::format("interrupted at t = {:g} s", t));
  if (options.json) {
    const Outcome outcome{Outcome::Kind::stopped, t, fmt::format("stopped at t = {:g} s", t), {}};
    print_json({{"analysis", word(plan.analysis)}, {"model", options.model}, {"outcome", to_json(outcome)}});
  }
  std::_Exit(finish_output(kIncomplete));
}

// What was asked for and changes nothing.
void tell_idle_options(const RunOptions& options, const Plan& plan) {
  const auto tell = [](std::string_view option, bool given, const std::string& why) {
    if (given) complain(fmt::format("note: {} has no effect {}", option, why));
  };
  if (plan.analysis == Analysis::dynamics) {
    const bool series = plan.method == Method::automatic || plan.method == Method::taylor;
    return tell("--order", options.order && !series, fmt::format("with --method {}", word(plan.method)));
  }
  const bool rest = plan.analysis == Analysis::equilibrium;
  const std::string why =
      fmt::format("on {}: {}", word(plan.analysis), rest ? "nothing moves" : "positions are solved to rounding");
  tell("--to", options.to && rest, why);
  tell("--steps", options.steps && rest, why);
  tell("--tol", options.tol.has_value(), why);
  tell("--method", options.method.has_value(), why);
  tell("--formulation", options.formulation.has_value(), why);
  tell("--order", options.order.has_value(), why);
}

}  // namespace

Result<Plan> plan(const RunOptions& options, const Mechanism& mechanism, Analysis analysis, std::string output,
                  std::string report) {
  Plan out;
  out.analysis = analysis;
  out.to = mechanism.run().to;
  out.steps = mechanism.run().steps;
  out.output = std::move(output);
  out.report = std::move(report);
  Problems problems;
  take_numbers(options, mechanism, out, problems);
  take_word("--method", options.method, kMethods, out.method, problems);
  take_word("--formulation", options.formulation, kFormulationChoices, out.formulation, problems);
  if (mechanism.space() == Space::three && problems.empty()) refuse_in_space(options, out, problems);
  if (options.report) {
    out.report = *options.report;
    refuse_report(out.report, problems);
  }
  if (options.output) {
    out.output = *options.output;
    const auto format = format_of("-o", out.output, kTables, true);
    if (format) out.format = *format;
    append(problems, format.problems());
    if (options.json && out.output == "-")
      problems.push_back(error({}, "-o -: standard output carries the summary of --json", "give -o the name of a file"));
  }
  if (!out.output.empty() && out.output != "-")
    protect_inputs(options, mechanism, out.output, "-o", "results would be written over it", problems);
  if (!out.report.empty()) protect_inputs(options, mechanism, out.report, "--report", "a report is written as .html", problems);
  if (options.units) {
    auto units = Units::read(*options.units);
    if (!units) append(problems, units.problems());
    else out.asked = *std::move(units);
  }
  out.units = shown_units(mechanism, out.asked);
  std::vector<Column> usual = result_columns(mechanism, analysis);
  const std::vector<Column> further = demanded_columns(mechanism, analysis);
  out.usual = usual.size();
  choose_columns(options.columns, mechanism, word(analysis), usual, names_of(further), out.names, out.kept, problems);
  for (std::size_t k = 0; k < out.kept.size(); ++k) {
    const std::size_t c = out.kept[k];
    const Column& column = c < usual.size() ? usual[c] : further[c - usual.size()];
    out.factors.push_back(out.units.of(column.unit).factor);
    out.columns.push_back(column_shown(column, out.units, out.format == Format::csv ? TableForm::text : TableForm::binary));
  }
  refuse_size(out, problems);
  if (!problems.empty()) return problems;
  return out;
}

Followed follow(const RunOptions& options, const Mechanism& mechanism, const Plan& plan,
                const std::function<void(std::span<const double>)>& watch, const std::function<std::vector<Sheet>(const Run&)>& about) {
  if (!options.quiet) tell_idle_options(options, plan);
  Followed out;
  ResultFile file(plan.output, plan.format, plan.columns, {mechanism.name(), table_facts(mechanism, plan.analysis)});
  const bool si = plan.units.si();
  const Interrupt interrupt;
  {
    Progress progress(plan.over ? static_cast<double>(plan.over->values.size()) : plan.to, !options.quiet && !(plan.output == "-" && is_terminal(stdout)));
    std::vector<double> kept(plan.kept.size());
    std::mutex writing;  // a row, or the end of the file
    double last_t = 0;
    const LastResort last_resort([&] {
      const std::scoped_lock lock(writing);
      progress.erase();
      file.finish();
      end_unanswered(options, plan, last_t);
    });
    const auto sink = [&](std::span<const double> row) {
      const std::scoped_lock lock(writing);
      last_t = row[0];
      if (watch) watch(row.first(plan.usual));
      if (!plan.over) progress.show(row[0]);
      std::ranges::transform(plan.kept, kept.begin(), [&](std::size_t c) { return row[c]; });
      if (!si) std::ranges::transform(kept, plan.factors, kept.begin(), std::multiplies{});
      return file.row(kept) && !Interrupt::asked();
    };
    out.run = run(mechanism, plan.analysis,
                  {.to = plan.to,
                   .steps = plan.steps,
                   .over = plan.over,
                   .on_demand = !plan.kept.empty() && plan.kept.back() >= plan.usual,
                   .stop = [] { return Interrupt::asked(); },
                   .progress = plan.over ? std::function<void(double)>([&](double done) { progress.show(done); }) : nullptr,
                   .tolerance = plan.tolerance,
                   .method = plan.method,
                   .formulation = plan.formulation,
                   .order = plan.order},
                  sink);
  }

  const Outcome& outcome = out.run.outcome;
  const bool stopped = outcome.kind == Outcome::Kind::stopped;
  out.code = exit_code(outcome.kind);
  if (out.code != kWrong) file.finish(about ? about(out.run) : std::vector<Sheet>{});
  print_problems(out.run.problems, options.quiet);
  out.interrupted = stopped && Interrupt::asked();
  if (out.interrupted) complain(fmt::format("interrupted at t = {:g} s", outcome.t));
  out.written = file.state() == ResultFile::State::good;
  switch (file.state()) {
    case ResultFile::State::good: break;
    case ResultFile::State::unopened: complain(file.sentence()), out.code = kWrong; break;
    case ResultFile::State::unwritable:
      complain(fmt::format("{} (at t = {:g} s)", file.sentence(), outcome.t));
      out.code = std::max<int>(out.code, kIncomplete);
      break;
    case ResultFile::State::reader_gone:
      if (stopped) out.code = kDone;  // the reader had enough
      break;
  }
  return out;
}

int exit_code(Outcome::Kind kind) {
  if (kind == Outcome::Kind::done) return kDone;
  return kind == Outcome::Kind::not_driven || kind == Outcome::Kind::not_run ? kWrong : kIncomplete;
}

}  // namespace jounce::app
