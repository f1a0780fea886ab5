#include "jounce/analysis/summary/watched_parts.hpp"

#include <algorithm>
#include <span>

#include "jounce/base/index.hpp"
#include "jounce/plane/equations/row_units.hpp"
#include "jounce/plane/mechanism.hpp"
#include "jounce/space/mechanism.hpp"
#include "jounce/tree/dof_quantity.hpp"

namespace jounce {
namespace {

template <class Bodies>
std::vector<std::string> points_of(const Bodies& bodies) {
  std::vector<std::string> out;
  for (std::size_t b = 1; b < bodies.size(); ++b)
    for (const auto& point : bodies[b].points) out.push_back(bodies[b].name + "." + point.name);
  return out;
}

// The unit of what each driver prescribes: that of its equation.
std::vector<std::string> driven_units(const PlaneMechanism& mechanism) {
  const std::vector<RowUnit> rows = row_units(mechanism.system);
  std::vector<std::string> out(mechanism.system.motions().size());
  for (const Constraint& c : mechanism.system.constraints())
    if (c.motion >= 0) out[z(c.motion)] = rows[z(c.first_row)].prescribed();
  return out;
}

bool keeps_momentum(const SpaceMechanism& mechanism) {
  if (length(mechanism.tree.gravity) != 0) return false;
  const auto lets_go = [&](const SpaceJoint& joint) {
    if (joint.parent != 0) return true;
    const auto own = std::span(mechanism.dofs).subspan(z(joint.links.v), z(joint.links.dofs));
    return joint.type->type == "free" && std::ranges::all_of(own, [](const SpaceDof& dof) {
             return dof.stiffness == 0 && dof.damping == 0 && dof.friction.empty() && !dof.torque && !dof.active();
           });
  };
  const auto inner = [](const SpaceForce& f) { return tree::is_internal(f.law); };
  return std::ranges::all_of(mechanism.joints, lets_go) && std::ranges::all_of(mechanism.forces, inner) &&
         mechanism.equations.empty() &&  // whatever is written may name the ground
         std::ranges::all_of(mechanism.loops, [](const SpaceLoop& loop) { return loop.i != 0 && loop.j != 0; }) &&
         std::ranges::none_of(mechanism.couplings, [&](const SpaceCoupling& c) {
           return mechanism.joint_of(c.i).parent == 0 || mechanism.joint_of(c.j).parent == 0;
         });
}

}  // namespace

WatchedParts watched_parts(const PlaneMechanism& mechanism) {
  WatchedParts out;
  out.points = points_of(mechanism.bodies);
  const std::vector<std::string> units = driven_units(mechanism);
  for (std::size_t m = 0; m < units.size(); ++m)
    out.driven.push_back({mechanism.system.motions()[m].owner, units[m], &mechanism.system.motions()[m].function});
  for (const Constraint& c : mechanism.system.constraints()) {
    if (c.group == planar::Group::joint) out.joints.push_back(c.name);
    else out.efforts.push_back({c.name, c.name + ".effort"});
  }
  out.inverse_efforts = out.efforts;
  return out;
}

WatchedParts watched_parts(const SpaceMechanism& mechanism) {
  WatchedParts out;
  out.dimension = 3;
  out.points = points_of(mechanism.bodies);
  for (const SpaceJoint& joint : mechanism.joints) {
    out.joints.push_back(joint.name);
    for (int k = 0; k < joint.links.dofs; ++k) {
      const int dof = joint.links.v + k;
      const SpaceDof& own = mechanism.dofs[z(dof)];
      const WatchedParts::Effort effort{mechanism.dof_label(dof), joint.name + ".tau" + std::to_string(k + 1)};
      if (mechanism.has_actuators() ? own.actuated : own.active()) out.inverse_efforts.push_back(effort);
      if (!own.active()) continue;
      const bool angle = tree::dof_quantity(mechanism.tree, dof) == tree::Quantity::angle;
      if (own.motion) out.driven.push_back({mechanism.dof_label(dof), angle ? "rad" : "m", &*own.motion});
      out.efforts.push_back(effort);
    }
  }
  for (const SpaceLoop& loop : mechanism.loops) out.joints.push_back(loop.name);
  for (const SpaceEquation& equation : mechanism.equations)
    if (equation.named_first() != nullptr) out.joints.push_back(equation.name);
  out.keeps_momentum = keeps_momentum(mechanism);
  return out;
}

}  // namespace jounce
