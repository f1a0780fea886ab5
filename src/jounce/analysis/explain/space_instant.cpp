#include "jounce/analysis/explain/space_instant.hpp"

#include <algorithm>

#include "jounce/analysis/space_run.hpp"
#include "jounce/space/closures/idle.hpp"

namespace jounce {
namespace {

constexpr int kSteps = 100;  // of a motion that nobody prescribes, to the instant

SpaceInstant computed_by(Analysis analysis, const SpaceMechanism& mechanism, double at, const Stop& stop) {
  SpaceInstant out;
  out.by = analysis;
  out.columns = names_of(space_columns(mechanism, analysis != Analysis::kinematics));
  const RowSink keep = [&](std::span<const double> row) { return out.row.assign(row.begin(), row.end()), true; };
  const auto take = [&](auto run) {
    out.outcome = std::move(run.outcome);
    out.problems = std::move(run.problems);
    out.q = std::move(run.q);
    out.v = std::move(run.v);
  };
  if (analysis == Analysis::kinematics) take(kinematics(mechanism, {.to = at, .steps = 1, .times = {}, .columns = {}, .stop = stop, .progress = {}, .events = false}, keep));
  if (analysis == Analysis::inverse) take(inverse(mechanism, {.to = at, .steps = 1, .times = {}, .columns = {}, .stop = stop, .progress = {}, .events = false}, keep));
  if (analysis == Analysis::dynamics) {
    DynamicsOptions options;
    options.to = at;
    options.stop = stop;
    options.events = false;
    options.steps = at > 0 ? kSteps : 1;
    take(dynamics(mechanism, options, keep));
  }
  if (!out.outcome.done()) out.row.clear();
  return out;
}

}  // namespace

std::vector<double> SpaceInstant::values(const std::string& column, int count) const {
  const auto it = std::ranges::find(columns, column);
  if (it == columns.end() || count == 0) return {};
  const auto first = row.begin() + (it - columns.begin());
  return {first, first + count};
}

bool has_exact_friction(const SpaceMechanism& mechanism) {
  const auto rubs = [](const SpaceForce& force) {
    const auto strut = tree::strut_of(force.law);
    return strut && strut->friction != 0;
  };
  return std::ranges::any_of(mechanism.forces, rubs) || std::ranges::any_of(mechanism.dofs, [](const SpaceDof& dof) { return dof.friction.dry_friction != 0; });
}

SpaceInstant space_instant(const SpaceMechanism& mechanism, double at, bool forces, const Stop& stop) {
  SpaceInstant driven = computed_by(Analysis::kinematics, mechanism, at, stop);
  if (driven.outcome.kind == Outcome::Kind::not_driven) return computed_by(Analysis::dynamics, mechanism, at, stop);
  if (!driven.outcome.done()) return driven;
  SpaceInstant loaded = computed_by(Analysis::inverse, mechanism, at, stop);
  return loaded.outcome.kind == Outcome::Kind::not_run && !forces ? driven : loaded;
}

std::optional<SpaceMechanism> with_held_turns(const SpaceMechanism& mechanism, const SpaceInstant& at) {
  if (at.by == Analysis::dynamics) return std::nullopt;
  std::vector<SpaceIdle> idle = find_idle(mechanism, at.q);
  if (idle.empty()) return std::nullopt;
  std::optional<SpaceMechanism> out = mechanism;
  out->idle = std::move(idle);
  return out;
}

}  // namespace jounce
