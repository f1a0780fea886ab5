// jounce compare MODEL: one state through every formulation, side by side, and whether they agree.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "commands.hpp"
#include "jounce/api/inspect.hpp"
#include "jounce/base/suggest.hpp"
#include "json.hpp"
#include "model_input.hpp"
#include "terminal.hpp"
#include "timed_run.hpp"

namespace jounce::app {
namespace {

constexpr std::size_t kRows = 12;   // of a table; the rest is for programs
constexpr double kRounding = 1e-12;  // of the largest number of a table: as many digits as are shown
constexpr double kTelling = 1e-6;    // where more disagreement than this is allowed, agreement says little

using Applying = std::vector<const ComparedFormulation*>;

Applying applying(const Comparison& c) {
  Applying out;
  for (const ComparedFormulation& f : c.formulations)
    if (f.applies()) out.push_back(&f);
  return out;
}

// Three digits: "871 ns", "1.23 µs", "45.0 ms".
std::string duration(double seconds) {
  static constexpr std::array<std::string_view, 4> kUnits{"ns", "µs", "ms", "s"};
  double value = seconds * 1e9;
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, kUnits[unit]);
}

std::string title(const Mechanism& mechanism, const Comparison& c) {
  std::string out = fmt::format("{}  ({})\n  at t = {:.12g} s, ", toned(Tone::strong, mechanism.name()), mechanism.file(), c.t);
  if (c.t == 0) return out + "the start\n";
  return out + (c.driven ? "where its drivers have brought it\n" : "where forward dynamics has brought it\n");
}

// Where they are farthest apart; a disagreement that is not a number is the worst.
const Comparison::Apart& worst(const Comparison& c) {
  const std::array all{&c.accelerations, &c.reactions, &c.energy};
  for (const Comparison::Apart* apart : all)
    if (std::isnan(apart->relative)) return *apart;
  return **std::ranges::max_element(all, {}, [](const Comparison::Apart* apart) { return apart->relative; });
}

std::string formulations_text(const Comparison& c, const Applying& shown) {
  std::string out = fmt::format("\n  {:<14}{:>8}{:>18}", "formulation", "unknowns", "one evaluation");
  if (shown.size() > 1) out += fmt::format("    differs from {}", word(shown.front()->formulation));
  out += '\n';
  for (const ComparedFormulation& f : c.formulations) {
    out += fmt::format("  {:<14}", word(f.formulation));
    if (!f.applies()) out += toned(Tone::doubtful, "does not apply:") + " " + f.reason;
    else out += fmt::format("{:>8}{:>18}", f.unknowns, duration(f.seconds));
    if (f.applies() && &f != shown.front()) out += f.apart == 0 ? "    0" : fmt::format("    {:.1e}", f.apart);
    out += '\n';
  }
  return out;
}

/// One row for each name and one column for each formulation.
struct Table {
  std::string title;
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
  std::string worst;  ///< the row in which the formulations are farthest apart

  // The first rows, and the worst.
  [[nodiscard]] std::vector<std::size_t> shown() const {
    std::vector<std::size_t> out;
    for (std::size_t r = 0; r < names.size(); ++r)
      if (r < kRows || names[r] == worst) out.push_back(r);
    return out;
  }

  [[nodiscard]] double largest() const {
    double out = 0;
    for (const auto& column : columns)
      for (const double value : column) out = std::max(out, std::abs(value));
    return out;
  }
};

// Twelve digits; two of what is only rounding.
std::string number(double value, double largest) {
  const bool rounding = value != 0 && std::abs(value) < kRounding * largest;
  return rounding ? fmt::format("{:.1e}", value) : fmt::format("{:.12g}", value + 0.0);  // no "-0"
}

/// What all tables have in common, so that a formulation stands in the same place in each.
struct Layout {
  std::size_t names = 0;
  std::vector<std::size_t> widths;

  Layout(std::span<const Table> tables, const Applying& shown) {
    for (const ComparedFormulation* f : shown) widths.push_back(word(f->formulation).size());
    for (const Table& table : tables) {
      names = std::max(names, table.title.size());
      const double largest = table.largest();
      for (const std::size_t r : table.shown()) {
        names = std::max(names, table.names[r].size());
        for (std::size_t f = 0; f < widths.size(); ++f)
          widths[f] = std::max(widths[f], number(table.columns[f][r], largest).size());
      }
    }
  }
};

std::string text(const Table& table, const Applying& shown, const Layout& layout) {
  if (table.names.empty()) return {};
  const std::vector<std::size_t> rows = table.shown();
  const double largest = table.largest();
  std::string out = fmt::format("\n  {:<{}}", table.title, layout.names);
  for (std::size_t f = 0; f < shown.size(); ++f) out += fmt::format("   {:>{}}", word(shown[f]->formulation), layout.widths[f]);
  out += '\n';
  for (const std::size_t r : rows) {
    out += fmt::format("  {:<{}}", table.names[r], layout.names);
    for (std::size_t f = 0; f < shown.size(); ++f)
      out += fmt::format("   {:>{}}", number(table.columns[f][r], largest), layout.widths[f]);
    out += '\n';
  }
  const std::size_t left = table.names.size() - rows.size();
  if (left > 0) out += fmt::format("  … and {} more: --json shows all\n", left);
  return out;
}

std::string tables_text(const Comparison& c, const Applying& shown) {
  std::array tables{Table{"accelerations", c.acceleration_columns, {}, c.accelerations.column},
                    Table{"reactions", c.reaction_columns, {}, c.reactions.column},
                    Table{"energy", {"energy.kinetic", "energy.potential"}, {}, c.energy.column}};
  for (const ComparedFormulation* f : shown) {
    tables[0].columns.push_back(f->accelerations);
    tables[1].columns.push_back(f->reactions);
    tables[2].columns.push_back({f->kinetic, f->potential});
  }
  const Layout layout(tables, shown);
  std::string out;
  for (const Table& table : tables) out += text(table, shown, layout);
  return out;
}

bool close_to_singular(const Comparison& c) { return c.agree() && c.allowed > kTelling; }

std::string verdict(const Comparison& c, std::size_t applying) {
  if (applying == 0) return "no formulation applies";
  const std::string condition = fmt::format("condition {:.1e}", c.condition);
  if (applying == 1) return "only one formulation applies: there is nothing to compare it with; " + condition;
  const std::string limit = fmt::format("{} allows {:.1e}", condition, c.allowed);
  const Comparison::Apart& apart = worst(c);
  if (apart.relative == 0) return fmt::format("no difference in any digit; {}: they agree", limit);
  const std::string where = fmt::format("{}: {} and {}", apart.column, word(apart.one), word(apart.other));
  std::string judged = c.agree() ? "they agree" : "they disagree";
  if (close_to_singular(c)) judged += ", as far as that can tell: the equations are close to singular";
  return fmt::format("largest disagreement {:.1e} ({}); {}: {}", c.disagreement(), where, limit, judged);
}

int exit_code(const Comparison& c, std::size_t applying) { return applying > 0 && c.agree() ? kDone : kIncomplete; }

std::string text(const Mechanism& mechanism, const Comparison& c, const Applying& shown) {
  std::string out = title(mechanism, c) + formulations_text(c, shown);
  if (!shown.empty()) out += tables_text(c, shown);
  out += '\n';
  const std::string shared = "reactions not unique: " + join_names(c.not_unique, 20);
  if (!c.not_unique.empty()) out += fmt::format("  {}; the smallest are compared\n", toned(Tone::doubtful, shared));
  const int code = exit_code(c, shown.size());
  const Tone tone = code != kDone ? Tone::bad : shown.size() == 1 || close_to_singular(c) ? Tone::doubtful : Tone::good;
  return out + "  " + toned(tone, verdict(c, shown.size())) + '\n';
}

Result<double> wanted_time(const CompareOptions& options, const Mechanism& mechanism) {
  if (!options.at) return 0.0;
  auto at = option_number("--at", *options.at, mechanism);
  if (at && !(*at >= 0 && std::isfinite(*at))) return error({}, fmt::format("--at {}: must be 0 or a later time", *options.at));
  return at;
}

}  // namespace

int command_compare(const CompareOptions& options) {
  Problems problems;
  const auto mechanism = load_model(options, problems);
  if (!mechanism) return kWrong;
  const auto at = wanted_time(options, *mechanism);
  if (!at) return refuse(options, at.problems());

  const ComparisonResult result = compare(*mechanism, *at);
  problems.insert(problems.end(), result.problems.begin(), result.problems.end());
  const bool told = std::ranges::any_of(problems, [](const Problem& p) { return p.severity == Severity::error; });
  if (!result.comparison && !told) problems.push_back(error({}, result.outcome.sentence));
  print_problems(problems, options.quiet);
  int code = std::max<int>(exit_code(result.outcome.kind), kIncomplete);
  if (result.comparison) {
    const Applying shown = applying(*result.comparison);
    code = exit_code(*result.comparison, shown.size());
    if (!options.json && !options.quiet) print(text(*mechanism, *result.comparison, shown));
    if (!options.json && options.quiet && code != kDone) complain(verdict(*result.comparison, shown.size()));
  }
  if (options.json) print_json(compare_json(*mechanism, result, problems));
  return code;
}

}  // namespace jounce::app
