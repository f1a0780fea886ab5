// jounce run MODEL: what [run] says, results in NAME.csv, a report in NAME.html, and a summary for a person.
#include <algorithm>
#include <cctype>
#include <filesystem>

#include "commands.hpp"
#include "jounce/api/report.hpp"
#include "model_input.hpp"
#include "run_summary.hpp"
#include "timed_run.hpp"

namespace jounce::app {
namespace {

constexpr std::size_t kLongestStem = 80;  // of a file's name: any system takes it

// "Offset slider-crank" -> "offset-slider-crank"
std::string file_stem(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    if (u < 128 && std::isalnum(u) != 0) out += static_cast<char>(std::tolower(u));
    else if (c == '_') out += c;
    else if (!out.empty() && out.back() != '-') out += '-';
  }
  out.resize(std::min(out.size(), kLongestStem));
  while (out.ends_with('-')) out.pop_back();
  return out;
}

std::string output_name(const Mechanism& mechanism) {
  std::string stem = file_stem(mechanism.name());
  if (stem.empty()) stem = file_stem(std::filesystem::path(mechanism.file()).stem().string());
  return stem.empty() ? "results" : stem;
}

}  // namespace

int command_run(const RunOptions& options) {
  Problems warnings;
  const auto mechanism = load_model(options, warnings);
  if (!mechanism) return kWrong;
  if (!mechanism->run().written)
    return refuse(options, input_name(options.model) + ": the model has no [run] section: it does not say what to run",
                  "write for example:\n    [run]\n    analysis = \"kinematics\"\n    to       = 1.0\n    steps    = 100");
  const Analysis analysis = *analysis_of(mechanism->run().analysis);  // no other word is read
  const std::string name = output_name(*mechanism);
  const auto planned = plan(options, *mechanism, analysis, name + ".csv", has_reports() ? name + ".html" : "");
  if (!planned) return refuse(options, planned.problems());
  return carry_out(options, *mechanism, *planned, warnings, true, planned->output == "-" ? stderr : stdout);
}

}  // namespace jounce::app
