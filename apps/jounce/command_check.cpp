// jounce check MODEL: what the model is, how it can move, and whether it assembles.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "commands.hpp"
#include "jounce/analysis/assembly.hpp"
#include "jounce/analysis/mobility.hpp"
#include "jounce/analysis/multipliers.hpp"
#include "jounce/base/suggest.hpp"
#include "json.hpp"
#include "model_input.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

constexpr double kNearlySingular = 1e-4;  // of the regularity, see Mobility

std::string counted(int n, std::string_view one, std::string_view more = {}) {
  return fmt::format("{} {}", n, n == 1 ? std::string(one) : more.empty() ? fmt::format("{}s", one) : std::string(more));
}

std::string line(std::string_view head, std::string_view text) { return fmt::format("  {:<13}{}\n", head, text); }

// "4: 3 revolute, 1 translational (8 equations)"
std::string constraints_text(const Mechanism& mechanism, planar::Group group, int equations) {
  std::vector<std::pair<std::string_view, int>> types;
  int total = 0;
  for (const Constraint& c : mechanism.system.constraints()) {
    if (c.group != group) continue;
    ++total;
    const auto it = std::ranges::find(types, c.type, &std::pair<std::string_view, int>::first);
    if (it == types.end()) types.emplace_back(c.type, 1);
    else ++it->second;
  }
  if (total == 0) return "none";
  std::string out = fmt::format("{}: ", total);
  for (const auto& [type, n] : types) out += fmt::format("{}{} {}", &type == &types.front().first ? "" : ", ", n, type);
  return out + " (" + counted(equations, "equation") + ")";
}

std::string mobility_text(const Mobility& m, const std::vector<std::string>& not_unique, bool assembled) {
  std::string out = line("mobility", fmt::format("{} counted (3 x {} - {}), {} by rank", m.counted, m.bodies, m.joint_equations,
                                                 toned(Tone::strong, std::to_string(m.mobility))));
  if (!assembled) return out;  // what follows is about a position that it can take
  out += line("with drivers", m.undriven == 0 ? "every motion is driven"
                                              : toned(Tone::doubtful, counted(m.undriven, "free motion") + " left"));
  out += line("equations", m.redundant == 0 ? "independent"
                                            : toned(Tone::doubtful, counted(m.redundant, "redundant equation")));
  for (const DependentSet& set : m.dependent) {
    out += line("", "  " + join_names(set.names, 20));
    out += line("", set.consistent ? "  consistent: overconstrained but movable"
                                   : toned(Tone::bad, "  conflicting: they contradict each other"));
  }
  if (!not_unique.empty()) out += line("reactions", toned(Tone::doubtful, "not unique: " + join_names(not_unique, 20)));
  std::string position = "regularity not computed";
  if (m.regularity > 0) position = fmt::format("regularity {:.3g} (1 is perfect)", m.regularity);
  if (m.singular_position)
    position += toned(Tone::doubtful, ", singular: fewer equations are independent here than next to here");
  else if (m.regularity > 0 && m.regularity < kNearlySingular) position += toned(Tone::doubtful, ", close to singular");
  out += line("position", position);
  if (m.only_infinitesimal)
    out += line("", toned(Tone::doubtful, "only infinitesimal motion: shaky, but it cannot really move"));
  return out;
}

std::string assembly_text(const Assembly& a) {
  const double degrees = a.moved_radians * 180 / std::numbers::pi;
  std::string out = line("assembly", a.assembled ? toned(Tone::good, "assembles") : toned(Tone::bad, "does not assemble"));
  out += line("", fmt::format("moved at most {:.3g} m and {:.3g} rad ({:.3g} deg) from the drawing", a.moved_metres,
                              a.moved_radians, degrees));
  out += line("", fmt::format("worst residual {:.3g} (m or rad)", a.worst_residual));
  for (const Gap& gap : a.gaps) {
    const std::string metres = gap.metres != 0 ? fmt::format(" {:.3g} m", gap.metres) : "";
    const std::string radians = gap.radians != 0 ? fmt::format(" {:.3g} rad", gap.radians) : "";
    out += line("", fmt::format("{} misses by{}{}", gap.constraint, metres, radians));
  }
  return out;
}

std::string text(const Mechanism& mechanism, const Assembly& a, const Mobility& m, const std::vector<std::string>& not_unique) {
  std::vector<std::string> bodies;
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) bodies.push_back(mechanism.bodies[b].name);
  std::string out = fmt::format("{}  ({})\n", toned(Tone::strong, mechanism.name), mechanism.file);
  out += line("bodies", bodies.empty() ? "none" : fmt::format("{}: {}", bodies.size(), join_names(bodies)));
  out += line("joints", constraints_text(mechanism, planar::Group::joint, m.joint_equations));
  out += line("drivers", constraints_text(mechanism, planar::Group::driver, m.driver_equations));
  return out + mobility_text(m, not_unique, a.assembled) + assembly_text(a);
}

Json json(const Mechanism& mechanism, const Assembly& a, const Mobility& m, const std::vector<std::string>& not_unique,
          const Problems& problems) {
  Json dependent = Json::array(), gaps = Json::array(), joints = Json::array(), drivers = Json::array();
  for (const DependentSet& set : m.dependent) dependent.push_back({{"names", set.names}, {"consistent", set.consistent}});
  for (const Gap& gap : a.gaps)
    gaps.push_back({{"constraint", gap.constraint}, {"metres", gap.metres}, {"radians", gap.radians}});
  for (const Constraint& c : mechanism.system.constraints())
    (c.group == planar::Group::joint ? joints : drivers).push_back({{"name", c.name}, {"type", c.type}, {"equations", c.rows}});
  return {{"name", mechanism.name},
          {"model", mechanism.file},
          {"bodies", m.bodies},
          {"equations", m.joint_equations + m.driver_equations},
          {"joint_equations", m.joint_equations},
          {"driver_equations", m.driver_equations},
          {"joints", joints},
          {"drivers", drivers},
          {"mobility", {{"counted", m.counted}, {"rank", m.mobility}, {"undriven", m.undriven}}},
          {"redundant", m.redundant},
          {"dependent", dependent},
          {"not_unique", not_unique},
          {"singular_position", m.singular_position},
          {"only_infinitesimal", m.only_infinitesimal},
          {"regularity", m.regularity},
          {"assembled", a.assembled},
          {"worst_residual", a.worst_residual},
          {"moved", {{"metres", a.moved_metres}, {"radians", a.moved_radians}}},
          {"gaps", gaps},
          {"problems", to_json(problems)}};
}

}  // namespace

int command_check(const ModelOptions& options) {
  Problems problems;
  const auto mechanism = load_model(options, problems);
  if (!mechanism) return kWrong;
  const Assembly assembly = assemble(*mechanism);
  const Mobility freedom = mobility(*mechanism, assembly.q);
  std::vector<std::string> open;  // joints and drivers whose reactions dynamics cannot tell
  if (assembly.assembled && freedom.redundant > 0) open = not_unique(mechanism->system, indeterminacy(mechanism->system, 0, assembly.q));
  problems.insert(problems.end(), assembly.problems.begin(), assembly.problems.end());
  print_problems(problems, options.quiet);
  if (options.json) print_json(json(*mechanism, assembly, freedom, open, problems));
  else if (!options.quiet) print(text(*mechanism, assembly, freedom, open));
  return assembly.assembled ? kDone : kIncomplete;
}

}  // namespace jounce::app
