// jounce check of a model in space.
#include <algorithm>

#include "check_report.hpp"
#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/analysis/space_mobility.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/space/build/checks.hpp"
#include "jounce/space/closures/closures.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

/// What is found out about it.
struct Facts {
  Assembly assembly;
  Mobility mobility;
  int dofs = 0, active = 0;
  std::vector<int> equations;  ///< of each loop, then of each coupling
};

Facts facts(const SpaceMechanism& mechanism) {
  Facts out;
  out.assembly = assemble(mechanism);
  out.dofs = static_cast<int>(mechanism.dofs.size());
  out.active = static_cast<int>(std::ranges::count_if(mechanism.dofs, &SpaceDof::active));
  out.mobility = mobility(mechanism, out.assembly);
  out.equations.resize(mechanism.loops.size() + mechanism.couplings.size());
  const LoopClosures closures(mechanism);
  for (const LoopClosures::Row& row : closures.rows()) ++out.equations[static_cast<std::size_t>(row.element)];
  return out;
}

// "2: 1 revolute, 1 free (7 dofs)"
std::string joints_text(const SpaceMechanism& mechanism) {
  std::vector<std::string_view> types;
  for (const SpaceJoint& joint : mechanism.joints) types.push_back(joint.type->type);
  return types_text(types) + fmt::format(" ({})", counted(static_cast<int>(mechanism.dofs.size()), "dof"));
}

std::string dofs_text(const SpaceMechanism& mechanism, const Facts& f) {
  if (f.active == 0) return fmt::format("{}, none prescribed", f.dofs);
  std::vector<std::string> names;
  for (std::size_t dof = 0; dof < mechanism.dofs.size(); ++dof)
    if (mechanism.dofs[dof].active()) names.push_back(mechanism.dof_name(static_cast<int>(dof)));
  return fmt::format("{}: {} prescribed ({}), {} passive", f.dofs, f.active, join_names(names, 8), f.dofs - f.active);
}

// One line for each kind that there is: "1: 1 revolute (5 equations)".
std::string closures_text(const SpaceMechanism& mechanism, const Facts& f) {
  std::vector<std::string_view> types;
  int of_loops = 0;
  for (std::size_t l = 0; l < mechanism.loops.size(); ++l) types.push_back(mechanism.loops[l].type->type), of_loops += f.equations[l];
  std::string out;
  if (!types.empty()) out += report_line("loops", types_text(types) + " (" + counted(of_loops, "equation") + ")");
  const int couplings = static_cast<int>(mechanism.couplings.size());
  if (couplings > 0) {
    std::vector<std::string> names;
    for (const SpaceCoupling& coupling : mechanism.couplings) names.push_back(coupling.name);
    out += report_line("couplings", fmt::format("{}: {} ({})", couplings, join_names(names), counted(couplings, "equation")));
  }
  return out;
}

std::string mobility_text(const Facts& f) {
  const Mobility& m = f.mobility;
  const std::string rank = toned(Tone::strong, std::to_string(m.mobility));
  std::string out =
      report_line("mobility", fmt::format("{} counted ({} - {}), {} by rank", m.counted, f.dofs, m.joint_equations, rank));
  if (!f.assembly.assembled) return out;
  out += report_line("motion", m.undriven == 0 ? "every motion is prescribed"
                                               : counted(m.undriven, "free motion") + " left to dynamics");
  if (m.joint_equations == 0) return out;
  out += report_line("equations", m.redundant == 0 ? "independent"
                                                   : toned(Tone::doubtful, counted(m.redundant, "redundant equation")));
  return out + dependent_text(m.dependent);
}

std::string_view word(SpaceMechanism::Start start) {
  if (start == SpaceMechanism::Start::zero_momentum) return "zero momentum";
  return start == SpaceMechanism::Start::impulsive ? "impulsive" : "as written";
}

std::string text(const SpaceMechanism& mechanism, const Facts& f) {
  std::vector<std::string> bodies;
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) bodies.push_back(mechanism.bodies[b].name);
  std::string out = fmt::format("{}  ({})\n", toned(Tone::strong, mechanism.name), mechanism.file);
  out += report_line("space", "3d");
  out += report_line("bodies", bodies.empty() ? "none" : fmt::format("{}: {}", bodies.size(), join_names(bodies)));
  out += report_line("joints", joints_text(mechanism));
  out += report_line("dofs", dofs_text(mechanism, f));
  out += closures_text(mechanism, f);
  out += mobility_text(f);
  out += report_line("start", word(mechanism.start));
  const Assembly& a = f.assembly;
  if (a.assembled && f.mobility.joint_equations == 0)
    return out + report_line("assembly", toned(Tone::good, "assembles") + ": there is no loop to close");
  return out + assembly_text(a.assembled, a.moved_metres, a.moved_radians, a.worst_residual, a.gaps, "the positions written");
}

Json joints_json(const SpaceMechanism& mechanism) {
  Json out = Json::array();
  for (const SpaceJoint& joint : mechanism.joints) {
    Json active = Json::array();
    for (int k = 0; k < joint.links.dofs; ++k) active.push_back(mechanism.dofs[static_cast<std::size_t>(joint.links.v + k)].active());
    const auto body = [&](int b) { return mechanism.bodies[static_cast<std::size_t>(b)].name; };
    out.push_back({{"name", joint.name},
                   {"type", joint.type->type},
                   {"parent", body(joint.parent)},
                   {"child", body(joint.child)},
                   {"coordinates", joint.links.coordinates},
                   {"dofs", joint.links.dofs},
                   {"prescribed", active}});
  }
  return out;
}

Json json(const SpaceMechanism& mechanism, const Facts& f, const Problems& problems) {
  const Assembly& a = f.assembly;
  const Mobility& m = f.mobility;
  Json loops = Json::array(), couplings = Json::array();
  for (std::size_t l = 0; l < mechanism.loops.size(); ++l)
    loops.push_back({{"name", mechanism.loops[l].name}, {"type", mechanism.loops[l].type->type}, {"equations", f.equations[l]}});
  for (const SpaceCoupling& c : mechanism.couplings) couplings.push_back({{"name", c.name}, {"equations", 1}});
  return {{"name", mechanism.name},
          {"model", mechanism.file},
          {"space", "3d"},
          {"bodies", mechanism.bodies.size() - 1},
          {"dofs", f.dofs},
          {"prescribed", f.active},
          {"passive", f.dofs - f.active},
          {"equations", m.joint_equations},
          {"joints", joints_json(mechanism)},
          {"loops", loops},
          {"couplings", couplings},
          {"mobility", {{"counted", m.counted}, {"rank", m.mobility}, {"undriven", m.undriven}}},
          {"redundant", m.redundant},
          {"dependent", to_json(m.dependent)},
          {"start", word(mechanism.start)},
          {"assembled", a.assembled},
          {"worst_residual", a.worst_residual},
          {"moved", {{"metres", a.moved_metres}, {"radians", a.moved_radians}}},
          {"gaps", to_json(a.gaps)},
          {"problems", to_json(problems)}};
}

// Kinematics does not mind, dynamics would refuse it: worth a word before.
void warn_of_unmoved(const SpaceMechanism& mechanism, const Assembly& assembly, Problems& problems) {
  if (std::ranges::any_of(mechanism.bodies.begin() + 1, mechanism.bodies.end(), [](const SpaceBody& b) { return !b.mass; })) return;
  Problems found = unmoved_dofs(mechanism, assembly.q);
  for (Problem& p : found) p.severity = Severity::warning;
  locate(found, mechanism.file);
  problems.insert(problems.end(), found.begin(), found.end());
}

}  // namespace

int check_space(const ModelOptions& options, const SpaceMechanism& mechanism, Problems problems) {
  const Facts found = facts(mechanism);
  warn_of_unmoved(mechanism, found.assembly, problems);
  problems.insert(problems.end(), found.assembly.problems.begin(), found.assembly.problems.end());
  print_problems(problems, options.quiet);
  if (options.json) print_json(json(mechanism, found, problems));
  else if (!options.quiet) print(text(mechanism, found));
  return found.assembly.assembled ? kDone : kIncomplete;
}

}  // namespace jounce::app
