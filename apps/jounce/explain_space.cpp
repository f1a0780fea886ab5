#include "explain_space.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jounce/analysis/space_run.hpp"
#include "jounce/base/index.hpp"
#include "jounce/space/equations/equations.hpp"
#include "json.hpp"
#include "terminal.hpp"
#include "timed_run.hpp"

namespace jounce::app {
namespace {

constexpr std::size_t kLargestShown = 12;  // dofs: a person reads no larger matrix
constexpr int kSteps = 100;                // of a motion that nobody prescribes, to the instant

/// One instant: a row of results, and what the equations are made of there.
struct Instant {
  Analysis by = Analysis::inverse;
  struct Ended {
    Outcome outcome;
    Problems problems;
    std::vector<double> q, v;
  } run;
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

Instant computed_by(Analysis analysis, const SpaceMechanism& mechanism, double at) {
  Instant out;
  out.by = analysis;
  out.columns = names_of(space_columns(mechanism, analysis != Analysis::kinematics));
  const RowSink keep = [&](std::span<const double> row) { return out.row.assign(row.begin(), row.end()), true; };
  const auto take = [&](auto run) { out.run = {std::move(run.outcome), std::move(run.problems), std::move(run.q), std::move(run.v)}; };
  if (analysis == Analysis::kinematics) take(kinematics(mechanism, {.to = at, .steps = 1}, keep));
  if (analysis == Analysis::inverse) take(inverse(mechanism, {.to = at, .steps = 1}, keep));
  if (analysis == Analysis::dynamics) {
    DynamicsOptions options;
    options.to = at;
    options.steps = at > 0 ? kSteps : 1;
    take(dynamics(mechanism, options, keep));
  }
  if (!out.run.outcome.done()) out.row.clear();
  return out;
}

// By inverse dynamics where every motion is prescribed, without its forces where masses are missing, else by dynamics.
Instant instant(const SpaceMechanism& mechanism, double at) {
  Instant driven = computed_by(Analysis::kinematics, mechanism, at);
  if (driven.run.outcome.kind == Outcome::Kind::not_driven) return computed_by(Analysis::dynamics, mechanism, at);
  if (!driven.run.outcome.done()) return driven;
  Instant loaded = computed_by(Analysis::inverse, mechanism, at);
  return loaded.run.outcome.kind == Outcome::Kind::not_run ? driven : loaded;
}

/// H q̈ + C = τ + Kᵀλ without its right-hand side.
struct JointSpace {
  std::size_t dofs = 0;
  std::vector<double> H, C;  ///< H row after row
};

JointSpace joint_space(const SpaceMechanism& mechanism, const Instant::Ended& run) {
  JointSpace out;
  out.dofs = mechanism.dofs.size();
  out.H.resize(out.dofs * out.dofs);
  out.C.resize(out.dofs);
  const std::vector<double> still(out.dofs);
  tree::Workspace<double> work(mechanism.tree);
  tree::crba<double>(mechanism.tree, work, run.q.data(), out.H.data());
  tree::rnea<double>(mechanism.tree, work, run.q.data(), run.v.data(), still.data(), out.C.data(), nullptr, nullptr);
  return out;
}

struct ClosureText {
  std::string name;  ///< "loop 'closure'"
  std::vector<double> residual, right;
  std::vector<std::vector<double>> jacobian;
};

std::vector<ClosureText> closures(const SpaceMechanism& mechanism, const Instant::Ended& run) {
  SpaceEquations equations(mechanism);
  equations.evaluate_closures(run.q, run.v);
  const LoopClosures& all = equations.closures();
  std::vector<ClosureText> out(mechanism.loops.size() + mechanism.couplings.size());
  for (std::size_t e = 0; e < out.size(); ++e) out[e].name = all.name(static_cast<int>(e));
  const std::size_t n = mechanism.dofs.size();
  for (std::size_t r = 0; r < all.rows().size(); ++r) {
    ClosureText& own = out[z(all.rows()[r].element)];
    own.residual.push_back(all.residual()[r]);
    own.right.push_back(all.right()[r]);
    const auto first = all.jacobian().begin() + static_cast<std::ptrdiff_t>(r * n);
    own.jacobian.emplace_back(first, first + static_cast<std::ptrdiff_t>(n));
  }
  return out;
}

// "  q                      0             -1.5e-17", nothing of nothing
std::string row(std::string_view head, std::span<const double> values) {
  if (values.empty()) return {};
  std::string out = fmt::format("  {:<8}", head);
  for (const double value : values) out += fmt::format("{:>20.12g}", value + 0.0);  // no "-0"
  return out + '\n';
}

template <class... Name>
std::string heads(Name... names) {
  std::string out = fmt::format("  {:<8}", "");
  ((out += fmt::format("{:>20}", names)), ...);
  return out + '\n';
}

std::string dofs_text(const SpaceMechanism& mechanism, const SpaceJoint& joint) {
  if (joint.links.dofs == 0) return "no dof";
  std::string out;
  for (int k = 0; k < joint.links.dofs; ++k) {
    const bool active = mechanism.dofs[z(joint.links.v + k)].active();
    out += fmt::format("{}{}", k == 0 ? "" : ", ", active ? "prescribed" : "passive");
  }
  return out;
}

std::string text(const SpaceMechanism& mechanism, const SpaceJoint& joint, const Instant& at) {
  const std::string& n = joint.name;
  std::string out = fmt::format("\njoint '{}'  {}, {} to {}: {}\n", toned(Tone::strong, n), joint.type->type,
                                mechanism.bodies[z(joint.parent)].name, mechanism.bodies[z(joint.child)].name,
                                dofs_text(mechanism, joint));
  out += row("q", at.values(n + ".q1", joint.links.coordinates)) + row("v", at.values(n + ".v1", joint.links.dofs)) +
         row("a", at.values(n + ".a1", joint.links.dofs)) + row("tau", at.values(n + ".tau1", joint.links.dofs));
  const auto force = at.values(n + ".fx", 3), moment = at.values(n + ".mx", 3);
  return force.empty() ? out : out + heads("x", "y", "z") + row("force", force) + row("moment", moment);
}

std::string text(const SpaceBody& body, const Instant& at) {
  const std::string& n = body.name;
  return fmt::format("\nbody '{}'\n", toned(Tone::strong, n)) + heads("x", "y", "z") + row("r", at.values(n + ".x", 3)) +
         row("r'", at.values(n + ".vx", 3)) + row("r''", at.values(n + ".ax", 3)) + row("omega", at.values(n + ".wx", 3)) +
         row("omega'", at.values(n + ".alx", 3)) + heads("w", "x", "y", "z") + row("turned", at.values(n + ".qw", 4));
}

std::string text(const JointSpace& equations) {
  if (equations.dofs == 0) return {};
  std::string out = "\nequations of motion, H a + C = tau\n";
  if (equations.dofs > kLargestShown) return out + fmt::format("  {} dofs: with --json\n", equations.dofs);
  for (std::size_t r = 0; r < equations.dofs; ++r) out += row("H", std::span(equations.H).subspan(r * equations.dofs, equations.dofs));
  return out + row("C", equations.C);
}

std::string text(const ClosureText& closure) {
  std::string out = fmt::format("\n{}\n", closure.name) + row("φ", closure.residual) + row("k", closure.right);
  for (const auto& values : closure.jacobian) out += values.size() > kLargestShown ? "" : row("K", values);
  return out;
}

std::string text(const SpaceMechanism& mechanism, double t, const Instant& at, const JointSpace& equations,
                 const std::vector<ClosureText>& loops) {
  std::string out = fmt::format("{} at t = {:.12g} s\n", toned(Tone::strong, mechanism.name), t);
  if (at.by == Analysis::dynamics && t > 0) out += "Passive dofs are where dynamics has brought them.\n";
  if (at.by == Analysis::kinematics) out += "Some body has no mass: no efforts and forces.\n";
  out += "Forces and moments are what a joint applies on its child at the joint's frame, in ground axes.\n";
  for (const SpaceJoint& joint : mechanism.joints) out += text(mechanism, joint, at);
  for (const SpaceBody& body : std::span(mechanism.bodies).subspan(1)) out += text(body, at);
  out += text(equations);
  if (!loops.empty()) out += "\nLoops and couplings demand φ = 0, K v = 0 and K a = k.\n";
  for (const ClosureText& loop : loops) out += text(loop);
  return out;
}

Json json(const SpaceMechanism& mechanism, const Instant& at, const JointSpace& equations, const std::vector<ClosureText>& loops) {
  Json joints = Json::array(), bodies = Json::array(), closed = Json::array(), H = Json::array();
  for (const SpaceJoint& joint : mechanism.joints) {
    const std::string& n = joint.name;
    Json prescribed = Json::array();
    for (int k = 0; k < joint.links.dofs; ++k) prescribed.push_back(mechanism.dofs[z(joint.links.v + k)].active());
    joints.push_back({{"name", n},
                      {"type", joint.type->type},
                      {"prescribed", prescribed},
                      {"q", at.values(n + ".q1", joint.links.coordinates)},
                      {"v", at.values(n + ".v1", joint.links.dofs)},
                      {"a", at.values(n + ".a1", joint.links.dofs)},
                      {"tau", at.values(n + ".tau1", joint.links.dofs)},
                      {"force", at.values(n + ".fx", 3)},
                      {"moment", at.values(n + ".mx", 3)}});
  }
  for (const SpaceBody& body : std::span(mechanism.bodies).subspan(1)) {
    const std::string& n = body.name;
    bodies.push_back({{"name", n},
                      {"position", at.values(n + ".x", 3)},
                      {"quaternion", at.values(n + ".qw", 4)},
                      {"velocity", at.values(n + ".vx", 3)},
                      {"angular_velocity", at.values(n + ".wx", 3)},
                      {"acceleration", at.values(n + ".ax", 3)},
                      {"angular_acceleration", at.values(n + ".alx", 3)}});
  }
  for (std::size_t r = 0; r < equations.dofs; ++r) {
    const auto values = std::span(equations.H).subspan(r * equations.dofs, equations.dofs);
    H.push_back(std::vector<double>(values.begin(), values.end()));
  }
  for (const ClosureText& c : loops)
    closed.push_back({{"name", c.name}, {"phi", c.residual}, {"K", c.jacobian}, {"k", c.right}});
  return {{"analysis", word(at.by)}, {"joints", joints}, {"bodies", bodies}, {"H", H}, {"C", equations.C}, {"closures", closed}};
}

}  // namespace

int explain_space(const ExplainOptions& options, const SpaceMechanism& mechanism, double at, Problems problems) {
  const Instant found = instant(mechanism, at);
  problems.insert(problems.end(), found.run.problems.begin(), found.run.problems.end());
  print_problems(problems, options.quiet);
  Json out{{"model", options.model}, {"t", at}, {"space", "3d"}};
  const bool reached = !found.row.empty();
  if (reached) {
    const JointSpace equations = joint_space(mechanism, found.run);
    const std::vector<ClosureText> loops = closures(mechanism, found.run);
    if (options.json) out.update(json(mechanism, found, equations, loops));
    else print(text(mechanism, at, found, equations, loops));
  }
  if (options.json) {
    out["outcome"] = to_json(found.run.outcome);
    out["problems"] = to_json(problems);
    print_json(out);
  }
  return reached ? kDone : exit_code(found.run.outcome.kind);
}

}  // namespace jounce::app
