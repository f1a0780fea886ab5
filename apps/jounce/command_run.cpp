// jounce run MODEL: what [run] says, results in NAME.csv, a report in NAME.html, and a summary for a person.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "commands.hpp"
#include "jounce/api/report.hpp"
#include "model_input.hpp"
#include "run_summary.hpp"
#include "terminal.hpp"
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

// A page that was written under a name of our choice ends with a mark of the model it is of: the way to it from here, as a number, since a page is
// sent on and where a model lies is nobody's business. Another model of the same name gets another name.
std::string mark_of(const std::string& model) {
  std::error_code failed;
  std::string way = from_standard_input(model) ? "-" : std::filesystem::proximate(model, failed).generic_string();
  if (failed) way = model;
  constexpr std::uint64_t kBasis = 14695981039346656037U, kPrime = 1099511628211U;  // FNV-1a
  std::uint64_t hash = kBasis;
  for (const char c : way) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return fmt::format("<!-- of model {:016x} -->\n", hash);
}

// Of the page of another model, for certain: one without a mark may be anybody's, as before.
bool is_of_another(const std::string& page, const std::string& mark) {
  std::ifstream in(page, std::ios::binary);
  if (!in.seekg(-static_cast<std::streamoff>(mark.size()), std::ios::end)) return false;
  std::string end(mark.size(), '\0');
  in.read(end.data(), static_cast<std::streamsize>(end.size()));
  constexpr std::string_view kHead = "<!-- of model ";
  return in && end.starts_with(kHead) && end != mark;
}

// NAME, or NAME-2, NAME-3 ... where NAME.csv and NAME.html are of other models of that name.
std::string free_name(const std::string& name, const std::string& mark) {
  constexpr int kMostTries = 1000;
  std::string out = name;
  for (int k = 2; k < kMostTries && is_of_another(out + ".html", mark); ++k) out = fmt::format("{}-{}", name, k);
  return out;
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
  const std::string usual = output_name(*mechanism), mark = mark_of(options.model);
  const bool table = !options.output, page = !options.report && has_reports(), chosen = !table && !page;  // what goes by a name of our choice
  const std::string name = chosen ? usual : free_name(usual, mark);
  auto planned = plan(options, *mechanism, analysis, name + ".csv", has_reports() ? name + ".html" : "");
  if (!planned) return refuse(options, planned.problems());
  if (!options.report && has_reports()) planned->page_mark = mark;
  if (name != usual && !options.quiet) {
    const std::string where = table && page ? fmt::format("results of this one are in '{}'", name)
                              : page        ? fmt::format("the page of this one is '{}.html'", name)
                                            : fmt::format("the table of this one is '{}.csv'", name);
    complain(fmt::format("note: '{}.html' here is of another model of this name; {}", usual, where));
  }
  return carry_out(options, *mechanism, *planned, warnings, true, planned->output == "-" ? stderr : stdout);
}

}  // namespace jounce::app
