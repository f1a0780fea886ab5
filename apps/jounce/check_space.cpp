// jounce check of a model in space.
#include <algorithm>

#include "check_report.hpp"
#include "jounce/analysis/space_assembly.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/space/build/checks.hpp"
#include "jounce/space/closures/closures.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

/// What is found out about it.
struct Facts {
  SpaceAssembly assembly;
  int dofs = 0, active = 0;
  int by_rank = 0;             ///< free motions, those that are prescribed among them
  std::vector<int> equations;  ///< of each loop, then of each coupling
};

// The same mechanism with nothing prescribed, at the position that was found: how it could move.
int mobility_by_rank(const SpaceMechanism& mechanism, const SpaceAssembly& assembly) {
  SpaceMechanism loose = mechanism;
  for (SpaceDof& dof : loose.dofs) dof.motion.reset();
  loose.q = assembly.q;
  loose.v = assembly.v;
  loose.start = SpaceMechanism::Start::as_written;
  return assemble(loose).mobility;
}

Facts facts(const SpaceMechanism& mechanism) {
  Facts out;
  out.assembly = assemble(mechanism);
  out.dofs = static_cast<int>(mechanism.dofs.size());
  out.active = static_cast<int>(std::ranges::count_if(mechanism.dofs, &SpaceDof::active));
  out.by_rank = out.active == 0 ? out.assembly.mobility : mobility_by_rank(mechanism, out.assembly);
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
  const SpaceAssembly& a = f.assembly;
  const std::string rank = toned(Tone::strong, std::to_string(f.by_rank));
  std::string out =
      report_line("mobility", fmt::format("{} counted ({} - {}), {} by rank", f.dofs - a.rows, f.dofs, a.rows, rank));
  if (!a.assembled) return out;
  out += report_line("motion", a.mobility == 0 ? "every motion is prescribed"
                                               : counted(a.mobility, "free motion") + " left to dynamics");
  if (a.rows == 0) return out;
  out += report_line("equations", a.redundant == 0 ? "independent"
                                                   : toned(Tone::doubtful, counted(a.redundant, "redundant equation")));
  return out + dependent_text(a.dependent);
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
  const SpaceAssembly& a = f.assembly;
  if (a.assembled && a.rows == 0) return out + report_line("assembly", toned(Tone::good, "assembles") + ": there is no loop to close");
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
  const SpaceAssembly& a = f.assembly;
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
          {"equations", a.rows},
          {"joints", joints_json(mechanism)},
          {"loops", loops},
          {"couplings", couplings},
          {"mobility", {{"counted", f.dofs - a.rows}, {"rank", f.by_rank}, {"undriven", a.mobility}}},
          {"redundant", a.redundant},
          {"dependent", to_json(a.dependent)},
          {"start", word(mechanism.start)},
          {"assembled", a.assembled},
          {"worst_residual", a.worst_residual},
          {"moved", {{"metres", a.moved_metres}, {"radians", a.moved_radians}}},
          {"gaps", to_json(a.gaps)},
          {"problems", to_json(problems)}};
}

// Kinematics does not mind, dynamics would refuse it: worth a word before.
void warn_of_unmoved(const SpaceMechanism& mechanism, const SpaceAssembly& assembly, Problems& problems) {
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
