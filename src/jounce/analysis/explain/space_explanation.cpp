#include "jounce/analysis/explain/space_explanation.hpp"

#include <algorithm>

#include "jounce/analysis/explain/space_instant.hpp"
#include "jounce/base/index.hpp"
#include "jounce/space/equations/equations.hpp"

namespace jounce {
namespace {

// H a + C = τ + Kᵀλ without its right-hand side.
void add_joint_space(const SpaceMechanism& mechanism, const SpaceInstant& at, SpaceExplanation& out) {
  const int n = static_cast<int>(mechanism.dofs.size());
  out.H = DenseMatrix(n, n);
  out.C.resize(z(n));
  const std::vector<double> still(z(n));
  tree::Workspace<double> work(mechanism.tree);
  tree::crba<double>(mechanism.tree, work, at.q.data(), out.H.value.data());
  tree::rnea<double>(mechanism.tree, work, at.q.data(), at.v.data(), still.data(), out.C.data(), nullptr, nullptr);
}

void add_closures(const SpaceMechanism& mechanism, const SpaceInstant& at, SpaceExplanation& out) {
  SpaceEquations equations(mechanism);
  equations.evaluate_closures(at.q, at.v);
  const LoopClosures& all = equations.closures();
  out.closures.resize(mechanism.loops.size() + mechanism.couplings.size());
  for (std::size_t e = 0; e < out.closures.size(); ++e) out.closures[e].name = all.name(static_cast<int>(e));
  for (std::size_t r = 0; r < all.rows().size(); ++r) {
    SpaceExplanation::Closure& own = out.closures[z(all.rows()[r].element)];
    own.phi.push_back(all.residual()[r]);
    own.k.push_back(all.right()[r]);
    std::vector<double>& row = own.K.emplace_back(mechanism.dofs.size());
    const LoopClosures::Entries entries = all.row(static_cast<int>(r));
    for (std::size_t k = 0; k < entries.dofs.size(); ++k) row[z(entries.dofs[k])] = entries.values[k];
  }
}

SpaceExplanation::Joint explained(const SpaceMechanism& mechanism, const SpaceJoint& joint, const SpaceInstant& at) {
  const std::string& n = joint.name;
  SpaceExplanation::Joint out{.name = n,
                              .type = std::string(joint.type->type),
                              .parent = mechanism.bodies[z(joint.parent)].name,
                              .child = mechanism.bodies[z(joint.child)].name,
                              .prescribed = {},
                              .q = at.values(n + ".q1", joint.links.coordinates),
                              .v = at.values(n + ".v1", joint.links.dofs),
                              .a = at.values(n + ".a1", joint.links.dofs),
                              .tau = at.values(n + ".tau1", joint.links.dofs),
                              .force = at.values(n + ".fx", 3),
                              .moment = at.values(n + ".mx", 3)};
  for (int k = 0; k < joint.links.dofs; ++k) out.prescribed.push_back(mechanism.dofs[z(joint.links.v + k)].active());
  return out;
}

SpaceExplanation::Body explained(const SpaceBody& body, const SpaceInstant& at) {
  const std::string& n = body.name;
  return {.name = n,
          .position = at.values(n + ".x", 3),
          .quaternion = at.values(n + ".qw", 4),
          .velocity = at.values(n + ".vx", 3),
          .angular_velocity = at.values(n + ".wx", 3),
          .acceleration = at.values(n + ".ax", 3),
          .angular_acceleration = at.values(n + ".alx", 3)};
}

}  // namespace

SpaceExplainResult explain(const SpaceMechanism& mechanism, double t, const Stop& stop) {
  const SpaceInstant found = space_instant(mechanism, t, false, stop);
  SpaceExplainResult out{found.outcome, found.problems, {}};
  if (found.row.empty()) return out;
  SpaceExplanation& e = out.explanation.emplace();
  e.t = t;
  e.by = found.by;
  for (const SpaceJoint& joint : mechanism.joints) e.joints.push_back(explained(mechanism, joint, found));
  for (const SpaceBody& body : std::span(mechanism.bodies).subspan(1)) e.bodies.push_back(explained(body, found));
  add_joint_space(mechanism, found, e);
  add_closures(mechanism, found, e);
  return out;
}

}  // namespace jounce
