#include "draw_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "computed.hpp"
#include "jounce/plane/rows/given_loads.hpp"
#include "jounce/space/rows/given_load.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/text.hpp"
#include "model_input.hpp"

namespace jounce::app {
namespace {

constexpr int kTrailSteps = 400;  // at least; more where [run] has more
constexpr int kMostTrailSteps = 20000;
constexpr double kBefore = 1e-6;  // a run that ended is drawn this part of its time before

// The analysis that says where the bodies are; what loads them is not asked for.
Analysis motion_of(const Head& model) {
  if (!model.run.written) return Analysis::kinematics;
  const Analysis analysis = analysis_of(model.run.analysis).value_or(Analysis::kinematics);
  return analysis == Analysis::inverse ? Analysis::kinematics : analysis;
}

// Runs it; by dynamics where drivers do not decide the motion.
Followed run(const AnyMechanism& mechanism, Plan& plan, const RowSink& sink) {
  Followed out = computed(mechanism, plan, sink);
  if (out.outcome.kind != Outcome::Kind::not_driven) return out;
  plan.analysis = Analysis::dynamics;
  return computed(mechanism, plan, sink);
}

// The bodies where the joints bring them, without any motion.
std::vector<Frame<double>> assembled(const PlaneMechanism& mechanism, DrawnState& out) {
  const Assembly found = assemble(mechanism);
  out.problems = found.problems;
  out.code = found.assembled ? kDone : kIncomplete;
  std::vector<Frame<double>> poses(1);
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
    const double* q = found.q.data() + 3 * (b - 1);
    const Vec2<double> com = mechanism.bodies[b].com;
    poses.push_back(plane_frame(q[0], q[1], q[2]));
    poses.back().origin = poses.back() * Vec3<double>{-com.x, -com.y, 0};
  }
  return poses;
}

std::vector<Frame<double>> assembled(const SpaceMechanism& mechanism, DrawnState& out) {
  Assembly found = assemble(mechanism);
  out.problems = found.problems;
  out.code = found.assembled ? kDone : kIncomplete;
  std::vector<double> a(mechanism.dofs.size());
  SpaceEquations equations(mechanism);
  equations.move(found.q, found.v, a);
  const std::vector<Column> columns = space_columns(mechanism, false);
  std::vector<double> row(columns.size());
  fill_space_row(equations, {.t = 0, .q = found.q, .v = found.v, .a = a}, row);
  return Poses(scene(mechanism), columns).all(row);
}

bool weightless(Outcome::Kind kind) {
  return kind == Outcome::Kind::not_run || kind == Outcome::Kind::not_assembled || kind == Outcome::Kind::undecided;
}

}  // namespace

DrawnState drawn_state(const AnyMechanism& mechanism, const Scene& scene, std::optional<double> at) {
  const Head model = head(mechanism);
  Plan plan;
  plan.analysis = motion_of(model);
  if (at && plan.analysis == Analysis::equilibrium) plan.analysis = Analysis::dynamics;
  const double t = at.value_or(0);
  plan.to = t > 0 ? t : model.run.to;
  plan.steps = 1;
  plan.tolerance = 1e-10;
  std::vector<double> last;
  const RowSink sink = [&](std::span<const double> row) { return last.assign(row.begin(), row.end()), t > 0; };
  Followed followed = run(mechanism, plan, sink);

  DrawnState out;
  const bool started = !last.empty() && t == 0;
  if (!started && !followed.outcome.done()) {
    const double reached = followed.outcome.t * (1 - kBefore);
    out.problems = std::move(followed.problems);
    if (!(reached > 0)) {
      if (t == 0 && weightless(followed.outcome.kind))
        out.poses = std::visit([&](const auto& m) { return assembled(m, out); }, mechanism);
      else
        out.code = exit_code(followed.outcome.kind);
      return out;
    }
    plan.to = reached;
    last.clear();
    if (!computed(mechanism, plan, sink).outcome.done()) return out.code = kIncomplete, out;
    out.problems.push_back(warning({}, fmt::format("drawn at {}, as far as the run goes", seconds(reached))));
    out.code = kIncomplete;
  }
  out.t = t > 0 ? plan.to : 0;
  out.poses = Poses(scene, all_columns(mechanism, plan.analysis)).all(last);
  return out;
}

std::vector<Snapshot::Trail> trails(const AnyMechanism& mechanism, const Scene& scene, const std::vector<TrailPoint>& points,
                                    Problems& problems) {
  std::vector<Snapshot::Trail> out;
  out.reserve(points.size());
  for (const TrailPoint& point : points) out.push_back({point.name, {}});
  if (points.empty()) return out;
  const Head model = head(mechanism);
  Plan plan;
  plan.analysis = motion_of(model);
  if (plan.analysis == Analysis::equilibrium) plan.analysis = Analysis::dynamics;
  plan.to = model.run.to;
  plan.steps = std::clamp(model.run.steps, kTrailSteps, kMostTrailSteps);
  std::optional<Poses> poses;  // which columns there are is known when the run has chosen its analysis
  const RowSink sink = [&](std::span<const double> row) {
    if (!poses) poses.emplace(scene, all_columns(mechanism, plan.analysis));
    for (std::size_t k = 0; k < points.size(); ++k) out[k].path.push_back(poses->of(points[k].body, row) * points[k].p);
    return true;
  };
  const Followed followed = run(mechanism, plan, sink);
  if (!followed.outcome.done())
    problems.push_back(
        warning({}, fmt::format("the trails end at {}: {}", seconds(followed.outcome.t), followed.outcome.sentence)));
  return out;
}

namespace {

std::vector<Snapshot::Load> loads_in(const PlaneMechanism& mechanism, const std::vector<Frame<double>>& poses, double t) {
  std::vector<planar::FrameRecord> frames(poses.size());
  for (std::size_t b = 0; b < poses.size(); ++b) {
    const Vec2<double> com = mechanism.bodies[b].com;
    const Vec3<double> at = poses[b] * Vec3<double>{com.x, com.y, 0}, along = poses[b].axes.x;
    static_cast<planar::Frame<double>&>(frames[b]) = {at.x, at.y, along.x, along.y, std::atan2(along.y, along.x)};
  }
  std::vector<Snapshot::Load> out;
  const std::vector<GivenLoad> given = given_loads(mechanism.system, t, frames);
  for (std::size_t f = 0; f < given.size(); ++f)
    if (given[f].known) out.push_back({mechanism.system.forces()[f].name, given[f].force, given[f].moment});
  return out;
}

std::vector<Snapshot::Load> loads_in(const SpaceMechanism& mechanism, const std::vector<Frame<double>>& poses, double t) {
  std::vector<Snapshot::Load> out;
  for (const SpaceForce& force : mechanism.forces)
    if (const GivenLoad given = given_load(force, t, poses[z(tree::carrier(force.law))].axes); given.known)
      out.push_back({force.name, given.force, given.moment});
  return out;
}

}  // namespace

std::vector<Snapshot::Load> loads(const AnyMechanism& mechanism, const std::vector<Frame<double>>& poses, double t) {
  return std::visit([&](const auto& m) { return loads_in(m, poses, t); }, mechanism);
}

}  // namespace jounce::app
