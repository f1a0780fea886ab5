#include "check_report.hpp"

#include <algorithm>
#include <numbers>

#include "jounce/base/suggest.hpp"
#include "terminal.hpp"

namespace jounce::app {

std::string counted(int n, std::string_view one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

std::string report_line(std::string_view head, std::string_view text) { return fmt::format("  {:<13}{}\n", head, text); }

std::string types_text(const std::vector<std::string_view>& types) {
  if (types.empty()) return "none";
  std::vector<std::pair<std::string_view, int>> counts;
  for (const std::string_view type : types) {
    const auto it = std::ranges::find(counts, type, &std::pair<std::string_view, int>::first);
    if (it == counts.end()) counts.emplace_back(type, 1);
    else ++it->second;
  }
  std::string out = fmt::format("{}: ", types.size());
  for (const auto& [type, n] : counts) out += fmt::format("{}{} {}", &type == &counts.front().first ? "" : ", ", n, type);
  return out;
}

std::string dependent_text(const std::vector<DependentSet>& dependent) {
  std::string out;
  for (const DependentSet& set : dependent) {
    out += report_line("", "  " + join_names(set.names, 20));
    out += report_line("", set.consistent ? "  consistent: overconstrained but movable"
                                          : toned(Tone::bad, "  conflicting: they contradict each other"));
  }
  return out;
}

std::string assembly_text(bool assembled, double metres, double radians, double residual, const std::vector<Gap>& gaps,
                          std::string_view from) {
  const double degrees = radians * 180 / std::numbers::pi;
  std::string out = report_line("assembly", assembled ? toned(Tone::good, "assembles") : toned(Tone::bad, "does not assemble"));
  out += report_line("", fmt::format("moved at most {:.3g} m and {:.3g} rad ({:.3g} deg) from {}", metres, radians, degrees, from));
  out += report_line("", fmt::format("worst residual {:.3g} (m or rad)", residual));
  for (const Gap& gap : gaps) {
    const std::string apart = gap.metres != 0 ? fmt::format(" {:.3g} m", gap.metres) : "";
    const std::string turned = gap.radians != 0 ? fmt::format(" {:.3g} rad", gap.radians) : "";
    out += report_line("", fmt::format("{} misses by{}{}", gap.constraint, apart, turned));
  }
  return out;
}

Json to_json(const std::vector<DependentSet>& dependent) {
  Json out = Json::array();
  for (const DependentSet& set : dependent) out.push_back({{"names", set.names}, {"consistent", set.consistent}});
  return out;
}

Json to_json(const std::vector<Gap>& gaps) {
  Json out = Json::array();
  for (const Gap& gap : gaps)
    out.push_back({{"constraint", gap.constraint}, {"metres", gap.metres}, {"radians", gap.radians}});
  return out;
}

}  // namespace jounce::app
