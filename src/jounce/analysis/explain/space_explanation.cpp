#include "jounce/analysis/explain/space_explanation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "jounce/analysis/explain/space_instant.hpp"
#include "jounce/base/index.hpp"
#include "jounce/space/equations/free_mechanism.hpp"
#include "jounce/space/equations/orders.hpp"
#include "jounce/space/loads/load_rates.hpp"
#include "jounce/space/motion/dry_friction.hpp"

namespace jounce {
namespace {

/// Of dry friction: rates below it are not told from zero. As a run with the usual tolerance has it.
constexpr double kAtRest = 1e-9;
/// Rates, metres or radians per second, that projections leave of zero.
constexpr double kNoRate = 1e-14;

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

std::vector<double> of_dofs(const SpaceMechanism& mechanism, const SpaceInstant& at, const std::string& column) {
  std::vector<double> out(mechanism.dofs.size());
  for (const SpaceJoint& joint : mechanism.joints) std::ranges::copy(at.values(joint.name + column, joint.links.dofs), out.begin() + joint.links.v);
  return out;
}

// What brought it there, done once more at the instant itself: it leaves the right-hand sides of every order.
void expand(const SpaceInstant& at, double t, std::span<const double> a, SpaceEquations& equations, SpaceOrders& orders) {
  std::vector<double> own(a.begin(), a.end());
  SpaceOrders::After after = SpaceOrders::After::following;
  equations.at_time(t);
  equations.evaluate_closures(at.q, at.v);
  if (at.by == Analysis::inverse) {
    equations.use_actuators();
    (void)equations.balance(t, at.q, at.v, own);  // the run has seen its faults
    after = SpaceOrders::After::balance;
  } else if (at.by == Analysis::dynamics) {
    (void)equations.solve(t, at.q, at.v, own);
    after = SpaceOrders::After::solve;
  }
  (void)orders.find(after, t, at.q, at.v, own);
}

void add_closures(const SpaceMechanism& mechanism, const SpaceInstant& at, double t, std::span<const double> a, SpaceExplanation& out) {
  const std::optional<SpaceMechanism> held_turns = with_held_turns(mechanism, at);  // orders above the velocity depend on how an idle link turns
  const FreeMechanism free(mechanism, at.q);
  SpaceEquations equations(at.by == Analysis::dynamics ? free.mechanism() : held_turns ? *held_turns : mechanism);
  if (at.by == Analysis::dynamics && !free.light().empty()) equations.carry(free.light());
  const LoopClosures& all = equations.closures();
  if (all.size() == 0) return;
  SpaceOrders orders(equations);
  expand(at, t, a, equations, orders);
  const bool held = at.by == Analysis::dynamics && has_exact_friction(mechanism);  // what is stuck moves as the rows say
  const std::vector<double> jerk = of_dofs(mechanism, at, ".j1"), snap = of_dofs(mechanism, at, ".s1");
  out.closures.resize(z(all.elements()) - equations.mechanism().idle.size());
  for (std::size_t r = 0; r < z(all.first_idle()); ++r) {
    SpaceExplanation::Closure& own = out.closures[z(all.rows()[r].element)];
    const double as_written = z(all.first_equation()) <= r ? -all.scale(static_cast<int>(r)) : 1;  // of an equation the row is −phi / scale
    own.phi.push_back(all.residual()[r] * as_written);
    own.nu.push_back(all.drift()[r] * as_written);
    own.gamma.push_back(all.right()[r] * as_written);
    own.eta.push_back(orders.eta()[r] * as_written);
    own.sigma.push_back(orders.sigma()[r] * as_written);
    std::vector<double>& row = own.K.emplace_back(mechanism.dofs.size());
    const LoopClosures::Entries entries = all.row(static_cast<int>(r));
    for (std::size_t k = 0; k < entries.dofs.size(); ++k) row[z(entries.dofs[k])] = entries.values[k] * as_written;
    if (!held) continue;
    own.eta.back() = entries.times(jerk) * as_written, own.sigma.back() = entries.times(snap) * as_written;
  }
  for (std::size_t e = 0; e < out.closures.size(); ++e) {
    SpaceExplanation::Closure& own = out.closures[e];
    const std::string& name = all.plain_name(static_cast<int>(e));
    own.name = all.name(static_cast<int>(e));
    own.lambda = at.values(name + ".lambda1", static_cast<int>(own.phi.size()));
    own.lambda_rate = at.values(name + ".lambda1_rate", static_cast<int>(own.phi.size()));
  }
}

// As the run decides it: what slides which way, and what the others hold.
std::vector<StrutFriction> friction_in_forces(const SpaceMechanism& mechanism, const SpaceInstant& at, double t) {
  if (at.by != Analysis::dynamics || !has_exact_friction(mechanism)) return {};
  const FreeMechanism free(mechanism, at.q);
  SpaceDryFriction friction(free.mechanism(), Formulation::automatic, kAtRest);
  if (!free.light().empty()) friction.carry(free.light());
  std::vector<double> q = at.q, v = at.v, a(v.size());
  for (double& rate : v)
    if (std::abs(rate) < kNoRate) rate = 0;
  if (friction.start(t, q, v) != DryFriction::Status::decided) return {};
  SpaceEquations equations(friction.mechanism());
  if (!free.light().empty()) equations.carry(free.light());
  equations.direct(friction.directions());
  SpaceOrders orders(equations);
  (void)equations.prescribe(t, q, v, a);  // the run has seen its faults
  (void)equations.solve(t, q, v, a);
  (void)orders.find(SpaceOrders::After::solve, t, q, v, a);
  equations.move(q, v, a);
  return friction.in_forces(equations, orders.multiplier_rates());
}

void add_forces(const SpaceMechanism& mechanism, const SpaceInstant& at, double t, std::span<const double> a, SpaceExplanation& out) {
  LoadRates rates(mechanism);
  const std::span<const LoadAndRate> loads = rates.at(t, at.q, at.v, a, friction_in_forces(mechanism, at, t));
  for (std::size_t f = 0; f < loads.size(); ++f) {
    const SpaceForce& force = mechanism.forces[f];
    SpaceExplanation::Force& own = out.forces.emplace_back();
    own.name = force.name, own.type = tree::type_of(force.law), own.value = loads[f].value, own.rate = loads[f].rate, own.trouble = loads[f].trouble;
    std::visit([&]<class Law>(const Law&) { for (const columns::Ending& ending : Law::columns) own.columns.emplace_back(ending.text); }, force.law);
    for (const LoadAndRate::OnBody& on : loads[f].bodies) own.bodies.push_back({mechanism.bodies[z(on.body)].name, on.Q, on.Q_rate});
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
                              .j = at.values(n + ".j1", joint.links.dofs),
                              .s = at.values(n + ".s1", joint.links.dofs),
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
  const std::vector<double> a = of_dofs(mechanism, found, ".a1");
  add_closures(mechanism, found, t, a, e);
  add_forces(mechanism, found, t, a, e);
  return out;
}

}  // namespace jounce
