#include "computed.hpp"

#include "jounce/analysis/inverse.hpp"
#include "jounce/analysis/space_run.hpp"
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

Followed of_equilibrium(const auto& mechanism, const RowSink& sink) {
  Followed out;
  out.rest = equilibrium(mechanism);
  out.outcome = out.rest->outcome;
  out.problems = out.rest->problems;
  out.not_unique = out.rest->not_unique;
  if (out.outcome.done() && !sink(out.rest->row)) out.outcome = {Outcome::Kind::stopped, 0, "", {}};
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

Followed in_kind(const SpaceMechanism& mechanism, const Plan& plan, const RowSink& sink) {
  if (plan.analysis == Analysis::kinematics) return of_driven(kinematics(mechanism, driven_options(plan), sink));
  if (plan.analysis == Analysis::inverse) return of_driven(inverse(mechanism, driven_options(plan), sink));
  if (plan.analysis == Analysis::dynamics) return of_measured(dynamics(mechanism, dynamics_options(plan), sink));
  return of_equilibrium(mechanism, sink);
}

}  // namespace

Followed computed(const AnyMechanism& mechanism, const Plan& plan, const RowSink& sink) {
  return std::visit([&](const auto& m) { return in_kind(m, plan, sink); }, mechanism);
}

}  // namespace jounce::app
