#include <algorithm>

#include "jounce/analysis/check/check.hpp"
#include "jounce/analysis/check/space_mobility.hpp"
#include "jounce/base/index.hpp"
#include "jounce/space/build/checks.hpp"
#include "jounce/space/closures/closures.hpp"
#include "jounce/space/equations/free_mechanism.hpp"
#include "jounce/space/equations/shared_reactions.hpp"

namespace jounce {
namespace {

std::string_view word(SpaceMechanism::Start start) {
  if (start == SpaceMechanism::Start::zero_momentum) return "zero momentum";
  return start == SpaceMechanism::Start::impulsive ? "impulsive" : "as written";
}

CheckedElement joint(const SpaceMechanism& mechanism, const SpaceJoint& j) {
  CheckedElement out{.name = j.name,
                     .type = std::string(j.type->type),
                     .parent = mechanism.bodies[z(j.parent)].name,
                     .child = mechanism.bodies[z(j.child)].name,
                     .coordinates = j.links.coordinates,
                     .prescribed = {}};
  for (int k = 0; k < j.links.dofs; ++k) out.prescribed.push_back(mechanism.dofs[z(j.links.v + k)].active());
  return out;
}

// Kinematics does not mind, dynamics would refuse it: worth a word before.
Problems warnings_of_unmoved(const SpaceMechanism& mechanism, const Assembly& assembly) {
  if (std::ranges::any_of(mechanism.bodies.begin() + 1, mechanism.bodies.end(), [](const SpaceBody& b) { return !b.mass; })) return {};
  const FreeMechanism free(mechanism, assembly.q);
  if (free.decided()) return {};
  Problems found = unmoved_dofs(free.mechanism(), assembly.q);
  for (Problem& p : found) p.severity = Severity::warning;
  locate(found, mechanism.file);
  return found;
}

}  // namespace

Check check(const SpaceMechanism& mechanism, const Stop& stop) {
  Check out;
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) out.bodies.push_back(mechanism.bodies[b].name);
  for (const SpaceJoint& j : mechanism.joints) out.joints.push_back(joint(mechanism, j));
  const auto closure = [](const std::string& name, std::string_view type) {
    return CheckedElement{.name = name, .type = std::string(type), .parent = {}, .child = {}, .prescribed = {}};
  };
  for (const SpaceLoop& l : mechanism.loops) out.loops.push_back(closure(l.name, l.type->type));
  for (const SpaceCoupling& c : mechanism.couplings) out.couplings.push_back(closure(c.name, ""));
  for (const SpaceEquation& e : mechanism.equations) out.equations.push_back(closure(e.name, "equation"));
  const LoopClosures closures(mechanism);
  for (const LoopClosures::Row& row : closures.rows()) {
    const std::size_t e = z(row.element), loops = out.loops.size(), couplings = loops + out.couplings.size();
    ++(e < loops ? out.loops[e] : e < couplings ? out.couplings[e - loops] : out.equations[e - couplings]).equations;
  }
  out.dofs = static_cast<int>(mechanism.dofs.size());
  for (int dof = 0; dof < out.dofs; ++dof)
    if (mechanism.dofs[z(dof)].active()) out.prescribed.push_back(mechanism.dof_name(dof));
  for (int dof = 0; dof < out.dofs; ++dof)
    if (mechanism.dofs[z(dof)].actuated) out.actuators.push_back(mechanism.dof_label(dof));
  out.start = word(mechanism.start);
  out.assembly = assemble(mechanism, 0, stop);
  out.stopped = out.assembly.stopped;
  if (out.stopped) return out;
  out.mobility = mobility(mechanism, out.assembly);
  if (out.assembly.assembled && closures.size() > 0) out.not_unique = not_unique(mechanism, out.assembly.q);
  out.problems = warnings_of_unmoved(mechanism, out.assembly);
  append(out.problems, out.assembly.problems);
  if (!out.assembly.assembled || out.actuators.empty()) return out;
  Actuation carried = actuation(mechanism, out.assembly.q);
  out.shared_efforts = std::move(carried.not_unique);
  if (carried.uncarried) {
    out.problems.push_back(warning(carried.uncarried->where, carried.uncarried->text() + ": inverse will end here"));
    locate(out.problems, mechanism.file);
  }
  return out;
}

}  // namespace jounce
