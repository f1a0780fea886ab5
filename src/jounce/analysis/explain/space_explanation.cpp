#include "jounce/analysis/explain/space_explanation.hpp"

#include <algorithm>

#include "jounce/analysis/space_run.hpp"
#include "jounce/base/index.hpp"
#include "jounce/space/equations/equations.hpp"

namespace jounce {
namespace {

constexpr int kSteps = 100;  // of a motion that nobody prescribes, to the instant

/// One instant: a row of results, and the state it belongs to.
struct Instant {
  Analysis by = Analysis::inverse;
  Outcome outcome;
  Problems problems;
  std::vector<double> q, v;
  std::vector<std::string> columns;
  std::vector<double> row;  ///< empty when the instant was not reached

  /// `count` values from the column on; none where the analysis has no such column.
  [[nodiscard]] std::vector<double> values(const std::string& column, int count) const {
    const auto it = std::ranges::find(columns, column);
    if (it == columns.end() || count == 0) return {};
    const auto first = row.begin() + (it - columns.begin());
    return {first, first + count};
  }
};

Instant computed_by(Analysis analysis, const SpaceMechanism& mechanism, double at, const Stop& stop) {
  Instant out;
  out.by = analysis;
  out.columns = names_of(space_columns(mechanism, analysis != Analysis::kinematics));
  const RowSink keep = [&](std::span<const double> row) { return out.row.assign(row.begin(), row.end()), true; };
  const auto take = [&](auto run) {
    out.outcome = std::move(run.outcome);
    out.problems = std::move(run.problems);
    out.q = std::move(run.q);
    out.v = std::move(run.v);
  };
  if (analysis == Analysis::kinematics) take(kinematics(mechanism, {.to = at, .steps = 1, .times = {}, .columns = {}, .stop = stop}, keep));
  if (analysis == Analysis::inverse) take(inverse(mechanism, {.to = at, .steps = 1, .times = {}, .columns = {}, .stop = stop}, keep));
  if (analysis == Analysis::dynamics) {
    DynamicsOptions options;
    options.to = at;
    options.stop = stop;
    options.steps = at > 0 ? kSteps : 1;
    take(dynamics(mechanism, options, keep));
  }
  if (!out.outcome.done()) out.row.clear();
  return out;
}

// By inverse dynamics where every motion is prescribed, without its forces where masses are missing, else by dynamics.
Instant instant(const SpaceMechanism& mechanism, double at, const Stop& stop) {
  Instant driven = computed_by(Analysis::kinematics, mechanism, at, stop);
  if (driven.outcome.kind == Outcome::Kind::not_driven) return computed_by(Analysis::dynamics, mechanism, at, stop);
  if (!driven.outcome.done()) return driven;
  Instant loaded = computed_by(Analysis::inverse, mechanism, at, stop);
  return loaded.outcome.kind == Outcome::Kind::not_run ? driven : loaded;
}

// H a + C = τ + Kᵀλ without its right-hand side.
void add_joint_space(const SpaceMechanism& mechanism, const Instant& at, SpaceExplanation& out) {
  const int n = static_cast<int>(mechanism.dofs.size());
  out.H = DenseMatrix(n, n);
  out.C.resize(z(n));
  const std::vector<double> still(z(n));
  tree::Workspace<double> work(mechanism.tree);
  tree::crba<double>(mechanism.tree, work, at.q.data(), out.H.value.data());
  tree::rnea<double>(mechanism.tree, work, at.q.data(), at.v.data(), still.data(), out.C.data(), nullptr, nullptr);
}

void add_closures(const SpaceMechanism& mechanism, const Instant& at, SpaceExplanation& out) {
  SpaceEquations equations(mechanism);
  equations.evaluate_closures(at.q, at.v);
  const LoopClosures& all = equations.closures();
  out.closures.resize(mechanism.loops.size() + mechanism.couplings.size());
  for (std::size_t e = 0; e < out.closures.size(); ++e) out.closures[e].name = all.name(static_cast<int>(e));
  const std::size_t n = mechanism.dofs.size();
  for (std::size_t r = 0; r < all.rows().size(); ++r) {
    SpaceExplanation::Closure& own = out.closures[z(all.rows()[r].element)];
    own.phi.push_back(all.residual()[r]);
    own.k.push_back(all.right()[r]);
    const auto first = all.jacobian().begin() + static_cast<std::ptrdiff_t>(r * n);
    own.K.emplace_back(first, first + static_cast<std::ptrdiff_t>(n));
  }
}

SpaceExplanation::Joint explained(const SpaceMechanism& mechanism, const SpaceJoint& joint, const Instant& at) {
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

SpaceExplanation::Body explained(const SpaceBody& body, const Instant& at) {
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
  const Instant found = instant(mechanism, t, stop);
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
