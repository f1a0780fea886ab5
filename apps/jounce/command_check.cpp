// jounce check MODEL: what the model is, how it can move, and whether it assembles.
#include <fmt/format.h>

#include "check_report.hpp"
#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/plane/motion/mobility.hpp"
#include "jounce/plane/motion/multipliers.hpp"
#include "jounce/base/suggest.hpp"
#include "model_input.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

constexpr double kNearlySingular = 1e-4;  // of the regularity, see Mobility

// "4: 3 revolute, 1 translational (8 equations)"
std::string constraints_text(const PlaneMechanism& mechanism, planar::Group group, int equations) {
  std::vector<std::string_view> types;
  for (const Constraint& c : mechanism.system.constraints())
    if (c.group == group) types.push_back(c.type);
  return types_text(types) + (types.empty() ? "" : " (" + counted(equations, "equation") + ")");
}

std::string mobility_text(const Mobility& m, const std::vector<std::string>& not_unique, bool assembled) {
  std::string out = report_line("mobility", fmt::format("{} counted (3 x {} - {}), {} by rank", m.counted, m.bodies, m.joint_equations,
                                                 toned(Tone::strong, std::to_string(m.mobility))));
  if (!assembled) return out;  // what follows is about a position that it can take
  out += report_line("with drivers", m.undriven == 0 ? "every motion is driven"
                                              : toned(Tone::doubtful, counted(m.undriven, "free motion") + " left"));
  out += report_line("equations", m.redundant == 0 ? "independent"
                                            : toned(Tone::doubtful, counted(m.redundant, "redundant equation")));
  out += dependent_text(m.dependent);
  if (!not_unique.empty()) out += report_line("reactions", toned(Tone::doubtful, "not unique: " + join_names(not_unique, 20)));
  std::string position = "regularity not computed";
  if (m.regularity > 0) position = fmt::format("regularity {:.3g} (1 is perfect)", m.regularity);
  if (m.singular_position)
    position += toned(Tone::doubtful, ", singular: fewer equations are independent here than next to here");
  else if (m.regularity > 0 && m.regularity < kNearlySingular) position += toned(Tone::doubtful, ", close to singular");
  out += report_line("position", position);
  if (m.only_infinitesimal)
    out += report_line("", toned(Tone::doubtful, "only infinitesimal motion: shaky, but it cannot really move"));
  return out;
}

std::string text(const PlaneMechanism& mechanism, const Assembly& a, const Mobility& m, const std::vector<std::string>& not_unique) {
  std::vector<std::string> bodies;
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) bodies.push_back(mechanism.bodies[b].name);
  std::string out = fmt::format("{}  ({})\n", toned(Tone::strong, mechanism.name), mechanism.file);
  out += report_line("bodies", bodies.empty() ? "none" : fmt::format("{}: {}", bodies.size(), join_names(bodies)));
  out += report_line("joints", constraints_text(mechanism, planar::Group::joint, m.joint_equations));
  out += report_line("drivers", constraints_text(mechanism, planar::Group::driver, m.driver_equations));
  return out + mobility_text(m, not_unique, a.assembled) +
         assembly_text(a.assembled, a.moved_metres, a.moved_radians, a.worst_residual, a.gaps, "the drawing");
}

Json json(const PlaneMechanism& mechanism, const Assembly& a, const Mobility& m, const std::vector<std::string>& not_unique,
          const Problems& problems) {
  Json joints = Json::array(), drivers = Json::array();
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
          {"dependent", to_json(m.dependent)},
          {"not_unique", not_unique},
          {"singular_position", m.singular_position},
          {"only_infinitesimal", m.only_infinitesimal},
          {"regularity", m.regularity},
          {"assembled", a.assembled},
          {"worst_residual", a.worst_residual},
          {"moved", {{"metres", a.moved_metres}, {"radians", a.moved_radians}}},
          {"gaps", to_json(a.gaps)},
          {"problems", to_json(problems)}};
}

int check_plane(const ModelOptions& options, const PlaneMechanism& mechanism, Problems problems) {
  const Assembly assembly = assemble(mechanism);
  const Mobility freedom = mobility(mechanism, assembly.q);
  std::vector<std::string> open;  // joints and drivers whose reactions dynamics cannot tell
  if (assembly.assembled && freedom.redundant > 0) open = not_unique(mechanism.system, indeterminacy(mechanism.system, 0, assembly.q));
  problems.insert(problems.end(), assembly.problems.begin(), assembly.problems.end());
  print_problems(problems, options.quiet);
  if (options.json) print_json(json(mechanism, assembly, freedom, open, problems));
  else if (!options.quiet) print(text(mechanism, assembly, freedom, open));
  return assembly.assembled ? kDone : kIncomplete;
}

}  // namespace

int command_check(const ModelOptions& options) {
  Problems problems;
  const auto mechanism = load_model(options, problems);
  if (!mechanism) return kWrong;
  if (const auto* tree = std::get_if<SpaceMechanism>(&*mechanism)) return check_space(options, *tree, std::move(problems));
  return check_plane(options, std::get<PlaneMechanism>(*mechanism), std::move(problems));
}

}  // namespace jounce::app
