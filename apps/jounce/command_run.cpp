// jounce run MODEL: what [run] says, results in NAME.csv, and a summary for a person.
#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <numbers>

#include "commands.hpp"
#include "driven_run.hpp"
#include "extremes.hpp"
#include "model_input.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

constexpr std::size_t kPoints = 3;

// "Offset slider-crank" -> "offset-slider-crank"
std::string file_stem(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    if (u < 128 && std::isalnum(u) != 0) out += static_cast<char>(std::tolower(u));
    else if (c == '_') out += c;
    else if (!out.empty() && out.back() != '-') out += '-';
  }
  while (out.ends_with('-')) out.pop_back();
  return out;
}

std::string output_name(const Mechanism& mechanism) {
  std::string stem = file_stem(mechanism.name);
  if (stem.empty()) stem = file_stem(std::filesystem::path(mechanism.file).stem().string());
  return (stem.empty() ? "results" : stem) + ".csv";
}

std::string line(std::string_view head, std::string_view text) { return fmt::format("  {:<10}{}\n", head, text); }

std::string range_line(std::string_view head, std::string_view what, const Range& range, bool angle, std::string_view per) {
  constexpr double kDegrees = 180 / std::numbers::pi;
  std::string out = fmt::format("  {:<16} {:<7} {:>12.6g} .. {:<12.6g} {}{}", head, what, range.from, range.to,
                                angle ? "rad" : "m", per);
  if (angle) out += fmt::format("  ({:.6g} .. {:.6g} deg{})", range.from * kDegrees, range.to * kDegrees, per);
  return out + '\n';
}

std::string extremes_text(const Extremes& extremes) {
  std::string out;
  for (const DrivenRange& d : extremes.driven()) {
    if (!(d.value.from <= d.value.to)) continue;
    if (out.empty()) out += "\n  driven\n";
    out += range_line(d.driver, "motion", d.value, d.angle, "") + range_line("", "rate", d.rate, d.angle, "/s");
  }
  const std::vector<PointPeak> fastest = extremes.fastest(kPoints);
  if (!fastest.empty()) out += fmt::format("\n  {:<16} {:>17} {:>33}\n", "fastest points", "speed", "acceleration");
  for (const PointPeak& p : fastest)
    out += fmt::format("  {:<16} {:>13.6g} m/s {:>14} {:>12.6g} m/s^2 {:>14}\n", p.point, p.speed,
                       fmt::format("at {:.4g} s", p.speed_t), p.acceleration, fmt::format("at {:.4g} s", p.acceleration_t));
  return out;
}

std::string text(const Mechanism& mechanism, const Plan& plan, const Followed& followed, const Extremes& extremes) {
  const KinematicsRun& run = followed.run;
  const KinematicsStatistics& s = run.statistics;
  std::string out = fmt::format("{}  ({})\n", toned(Tone::strong, mechanism.name), mechanism.file);
  out += line("run", fmt::format("kinematics from 0 to {:g} s in {} steps", plan.to, plan.steps));
  const std::string early = fmt::format("{} at t = {:.6g} s", word(run.outcome.kind), run.outcome.t);
  out += line("outcome", run.outcome.done() ? toned(Tone::good, "done") : toned(Tone::bad, early));
  out += line("samples", std::to_string(s.samples));
  out += line("work", fmt::format("{} steps, {} rejected, {} factorisations", s.steps, s.rejected, s.factorisations));
  out += line("residual", fmt::format("{:.3g} (m or rad) at worst", s.worst_residual));
  out += extremes_text(extremes) + '\n';
  for (const Event& e : run.events) out += line("event", fmt::format("t = {:.6g} s  {}: {}", e.t, e.kind, e.sentence));
  if (followed.code != kWrong && plan.output != "-" && !plan.output.empty())
    out += line("written", fmt::format("{} ({} rows, {} columns)", plan.output, s.samples, plan.names.size()));
  return out;
}

Json extremes_json(const Extremes& extremes) {
  Json driven = Json::array(), points = Json::array();
  for (const DrivenRange& d : extremes.driven())
    driven.push_back({{"driver", d.driver},
                      {"unit", d.angle ? "rad" : "m"},
                      {"motion", {d.value.from, d.value.to}},
                      {"rate", {d.rate.from, d.rate.to}}});
  for (const PointPeak& p : extremes.fastest(kPoints))
    points.push_back({{"point", p.point},
                      {"speed", p.speed},
                      {"speed_t", p.speed_t},
                      {"acceleration", p.acceleration},
                      {"acceleration_t", p.acceleration_t}});
  return {{"driven", driven}, {"fastest", points}};
}

}  // namespace

int command_run(const RunOptions& options) {
  Problems warnings;
  const auto mechanism = load_model(options, warnings);
  if (!mechanism) return kWrong;
  if (!mechanism->run.written)
    return refuse(options, options.model + ": the model has no [run] section: it does not say what to run",
                  "write for example:\n    [run]\n    analysis = \"kinematics\"\n    to       = 1.0\n    steps    = 100");
  if (mechanism->run.analysis != "kinematics")
    return refuse(options, fmt::format("{}: [run]: analysis: '{}' is not part of this version", options.model,
                                       mechanism->run.analysis));
  const auto planned = plan(options, *mechanism, output_name(*mechanism));
  if (!planned) return refuse(options, planned.problems());
  print_problems(warnings, options.quiet);

  Extremes extremes(*mechanism);
  Followed followed = follow(options, *mechanism, *planned, [&](std::span<const double> row) { extremes.take(row); });
  if (options.json) {
    followed.run.problems.insert(followed.run.problems.begin(), warnings.begin(), warnings.end());
    Json out = summary(options, *planned, followed.run);
    out["extremes"] = extremes_json(extremes);
    print_json(out);
  } else if (!options.quiet && followed.code != kWrong) {
    const std::string summary_text = text(*mechanism, *planned, followed, extremes);
    if (planned->output == "-") std::fputs(summary_text.c_str(), stderr);
    else print(summary_text);
  }
  return followed.code;
}

}  // namespace jounce::app
