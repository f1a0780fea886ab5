#include "driven_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "columns.hpp"
#include "model_input.hpp"
#include "result_file.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

constexpr double kMostSteps = 1e9;

void take_numbers(const RunOptions& options, const Mechanism& mechanism, Plan& plan, Problems& problems) {
  const auto take = [&](std::string_view option, const std::optional<std::string>& text, const auto& accept,
                        const char* expected) {
    if (!text) return;
    const auto value = option_number(option, *text, mechanism);
    if (!value) problems.insert(problems.end(), value.problems().begin(), value.problems().end());
    else if (!accept(*value)) problems.push_back(error({}, fmt::format("{} {}: must be {}", option, *text, expected)));
  };
  take("--to", options.to, [&](double v) { return plan.to = v, std::isfinite(v) && v > 0; }, "a time greater than 0");
  take("--steps", options.steps,
       [&](double v) {
         if (!(v >= 1 && v <= kMostSteps && v == std::floor(v))) return false;
         return plan.steps = static_cast<int>(v), true;
       },
       "a whole number from 1 to 1e9");
  take("--tol", options.tol, [](double v) { return std::isfinite(v) && v > 0; }, "greater than 0");
}

// Results must not take the place of a model or of something else that a person made.
// Results never replace what the run was made from.
void protect_inputs(const RunOptions& options, const Mechanism& mechanism, const std::string& output, Problems& problems) {
  std::error_code ignored;
  if (std::filesystem::equivalent(output, options.model, ignored))
    problems.push_back(error({}, fmt::format("{}: this is the model; results are written as .csv", output)));
  for (const std::string& table : mechanism.tables)
    if (std::filesystem::equivalent(output, table, ignored))
      problems.push_back(error({}, fmt::format("{}: this is a table that the model reads; it would be overwritten", output),
                               "give -o another name"));
}

void refuse_output(const std::string& output, Problems& problems) {
  namespace fs = std::filesystem;
  if (output.empty()) problems.push_back(error({}, "-o: expected the name of a .csv file, or - for standard output"));
  std::string extension = fs::path(output).extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array kOthers{".toml", ".json", ".html", ".htm", ".svg", ".png", ".pdf", ".md", ".urdf", ".xml", ".py"};
  if (std::ranges::find(kOthers, extension) != kOthers.end())
    problems.push_back(error({}, fmt::format("-o {}: results are written as .csv", output)));
}

}  // namespace

Result<Plan> plan(const RunOptions& options, const Mechanism& mechanism, std::string output) {
  Plan out{mechanism.run.to, mechanism.run.steps, {}, {}, std::move(output)};
  Problems problems;
  take_numbers(options, mechanism, out, problems);
  if (options.report) problems.push_back(error({}, "--report: reports are not part of this version"));
  if (options.output) {
    out.output = *options.output;
    refuse_output(out.output, problems);
    if (options.json && out.output == "-")
      problems.push_back(error({}, "-o -: standard output carries the summary of --json", "give -o the name of a .csv file"));
  }
  if (!out.output.empty() && out.output != "-") protect_inputs(options, mechanism, out.output, problems);
  choose_columns(options.columns, mechanism, out.names, out.kept, problems);
  if (!problems.empty()) return problems;
  return out;
}

Followed follow(const RunOptions& options, const Mechanism& mechanism, const Plan& plan,
                const std::function<void(std::span<const double>)>& watch) {
  if (options.tol && !options.quiet)
    complain("note: --tol has no effect on kinematics: positions are solved to rounding");

  Followed out;
  ResultFile file(plan.output, plan.names);
  const Interrupt interrupt;
  {
    Progress progress(plan.to, !options.quiet && !(plan.output == "-" && is_terminal(stdout)));
    std::vector<double> kept(plan.kept.size());
    out.run = kinematics(mechanism, {.to = plan.to, .steps = plan.steps}, [&](std::span<const double> row) {
      if (watch) watch(row);
      progress.show(row[0]);
      std::ranges::transform(plan.kept, kept.begin(), [&](std::size_t c) { return row[c]; });
      return file.row(kept) && !Interrupt::asked();
    });
  }

  const Outcome& outcome = out.run.outcome;
  const bool stopped = outcome.kind == Outcome::Kind::stopped;
  out.code = exit_code(outcome.kind);
  if (out.code != kWrong) file.finish();
  print_problems(out.run.problems, options.quiet);
  if (stopped && Interrupt::asked()) complain(fmt::format("interrupted at t = {:g} s", outcome.t));
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
  return kind == Outcome::Kind::not_driven ? kWrong : kIncomplete;
}

Json summary(const RunOptions& options, const Plan& plan, const KinematicsRun& run) {
  const bool to_file = !plan.output.empty() && plan.output != "-" && exit_code(run.outcome.kind) != kWrong;
  return {{"analysis", "kinematics"},
          {"model", options.model},
          {"to", plan.to},
          {"steps", plan.steps},
          {"samples", run.statistics.samples},
          {"outcome", to_json(run.outcome)},
          {"events", to_json(run.events)},
          {"statistics",
           {{"samples", run.statistics.samples},
            {"steps", run.statistics.steps},
            {"rejected", run.statistics.rejected},
            {"factorisations", run.statistics.factorisations},
            {"worst_residual", run.statistics.worst_residual}}},
          {"columns", plan.names.size()},
          {"output", to_file ? Json(plan.output) : Json()},
          {"problems", to_json(run.problems)}};
}

}  // namespace jounce::app
