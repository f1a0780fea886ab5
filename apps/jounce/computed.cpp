#include "computed.hpp"

#include <fmt/format.h>

#include "extremes.hpp"
#include "jounce/analysis/inverse.hpp"
#include "jounce/plane/motion/multipliers.hpp"
#include "jounce/analysis/space_equilibrium.hpp"
#include "jounce/analysis/space_run.hpp"
#include "rest_row.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

template <class Run>
Followed common(Run run) {
  Followed out{std::move(run.outcome), std::move(run.events), std::move(run.problems), {}, {}, {}};
  if constexpr (requires { run.not_unique; }) out.not_unique = std::move(run.not_unique);
  return out;
}

Followed of_driven(auto run) {
  const KinematicsStatistics s = run.statistics;
  Followed out = common(std::move(run));
  out.statistics.samples = s.samples;
  out.statistics.steps = s.steps;
  out.statistics.rejected = s.rejected;
  out.statistics.factorisations = s.factorisations;
  out.statistics.worst_residual = s.worst_residual;
  return out;
}

// A run with the statistics of dynamics.
Followed of_measured(auto run) {
  DynamicsStatistics statistics = std::move(run.statistics);
  Followed out = common(std::move(run));
  out.statistics = std::move(statistics);
  return out;
}

DynamicsOptions dynamics_options(const Plan& plan) {
  return {.to = plan.to,
          .steps = plan.steps,
          .tolerance = plan.tolerance,
          .method = plan.method,
          .formulation = plan.formulation,
          .order = plan.order,
          .columns = {},
          .stop = [] { return Interrupt::asked(); }};
}

// A truss needs no masses, but gravity is written to be felt.
void warn_of_no_weight(const PlaneMechanism& mechanism, Problems& problems) {
  if (length(mechanism.gravity) == 0) return;
  for (const BodyData& body : std::span(mechanism.bodies).subspan(1))
    if (!body.mass)
      problems.push_back(warning(body.where, fmt::format("body '{}': 'mass' is missing: it has no weight here", body.name)));
  locate(problems, mechanism.file);
}

std::vector<std::string> mode_components(const PlaneMechanism& mechanism) {
  std::vector<std::string> out;
  for (const BodyData& body : std::span(mechanism.bodies).subspan(1))
    for (const char* coordinate : {".x", ".y", ".phi"}) out.push_back(body.name + coordinate);
  return out;
}

Followed of_equilibrium(const PlaneMechanism& mechanism, const RowSink& sink) {
  Followed out;
  out.rest = Rest{equilibrium(mechanism), mode_components(mechanism)};
  out.outcome = out.rest->outcome;
  out.problems = out.rest->problems;
  warn_of_no_weight(mechanism, out.problems);
  if (!out.outcome.done()) return out;
  out.not_unique = not_unique(mechanism.system, indeterminacy(mechanism.system, 0, out.rest->q));
  if (!out.not_unique.empty()) out.problems.push_back(not_unique_warning(mechanism, out.not_unique));
  if (!sink(rest_row(mechanism, *out.rest))) out.outcome = {Outcome::Kind::stopped, 0, "", {}};
  return out;
}

KinematicsOptions driven_options(const Plan& plan) { return {.to = plan.to, .steps = plan.steps, .columns = {}}; }

Followed in_kind(const PlaneMechanism& mechanism, const Plan& plan, const RowSink& sink) {
  switch (plan.analysis) {
    case Analysis::kinematics: return of_driven(kinematics(mechanism, driven_options(plan), sink));
    case Analysis::inverse: return of_driven(inverse(mechanism, driven_options(plan), sink));
    case Analysis::dynamics: return of_measured(dynamics(mechanism, dynamics_options(plan), sink));
    case Analysis::equilibrium: break;
  }
  return of_equilibrium(mechanism, sink);
}

// What both kinds of equilibrium have, with what space has beyond left behind.
Rest rest_of(const SpaceMechanism& mechanism, SpaceEquilibrium&& found) {
  Rest out;
  out.outcome = std::move(found.outcome);
  out.problems = std::move(found.problems);
  out.q = std::move(found.q);
  out.lambda = std::move(found.lambda);
  out.unbalanced = found.unbalanced;
  out.iterations = found.iterations;
  out.free_motions = found.free_motions;
  out.unstable = found.unstable;
  out.neutral = found.neutral;
  out.stable = found.stable;
  out.modes = std::move(found.modes);
  out.eigenvalues = std::move(found.eigenvalues);
  out.note = std::move(found.note);
  for (std::size_t dof = 0; dof < mechanism.dofs.size(); ++dof) out.components.push_back(dof_label(mechanism, static_cast<int>(dof)));
  return out;
}

Followed of_equilibrium(const SpaceMechanism& mechanism, const RowSink& sink) {
  SpaceEquilibrium found = equilibrium(mechanism);
  const std::vector<double> row = std::move(found.row);
  Followed out;
  if (found.outcome.done() && !found.unique_reactions) {
    for (const SpaceLoop& loop : mechanism.loops) out.not_unique.push_back(loop.name);
    for (const SpaceCoupling& coupling : mechanism.couplings) out.not_unique.push_back(coupling.name);
  }
  out.rest = rest_of(mechanism, std::move(found));
  out.outcome = out.rest->outcome;
  out.problems = out.rest->problems;
  if (out.outcome.done() && !sink(row)) out.outcome = {Outcome::Kind::stopped, 0, "", {}};
  return out;
}

Followed in_kind(const SpaceMechanism& mechanism, const Plan& plan, const RowSink& sink) {
  if (plan.analysis == Analysis::kinematics) return of_measured(kinematics(mechanism, driven_options(plan), sink));
  if (plan.analysis == Analysis::inverse) return of_measured(inverse(mechanism, driven_options(plan), sink));
  if (plan.analysis == Analysis::dynamics) return of_measured(dynamics(mechanism, dynamics_options(plan), sink));
  return of_equilibrium(mechanism, sink);
}

}  // namespace

Followed computed(const AnyMechanism& mechanism, const Plan& plan, const RowSink& sink) {
  return std::visit([&](const auto& m) { return in_kind(m, plan, sink); }, mechanism);
}

}  // namespace jounce::app
