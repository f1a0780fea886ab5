#include "jounce/analysis/state_at.hpp"

#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/kinematics.hpp"

namespace jounce {
namespace {

constexpr double kTolerance = 1e-10;

bool ignore(std::span<const double> /*row*/) { return true; }

StateResult by_dynamics(const PlaneMechanism& mechanism, double t) {
  const DynamicsRun run = dynamics(mechanism, {.to = t, .steps = 1, .tolerance = kTolerance}, ignore);
  StateResult out{run.outcome, run.problems, {}};
  if (run.outcome.done()) out.state = PlanarState{t, run.q, run.v};
  return out;
}

}  // namespace

StateResult state_at(const PlaneMechanism& mechanism, double t) {
  const std::string& analysis = mechanism.run.analysis;
  if (mechanism.run.written && (analysis == "dynamics" || analysis == "equilibrium")) return by_dynamics(mechanism, t);
  const KinematicsRun run = kinematics(mechanism, {.to = t, .steps = 1, .columns = {}}, ignore);
  if (run.outcome.kind == Outcome::Kind::not_driven) return by_dynamics(mechanism, t);
  StateResult out{run.outcome, run.problems, {}, true};
  if (!run.outcome.done()) return out;
  const auto n = static_cast<std::ptrdiff_t>(mechanism.system.coordinates());
  out.state = PlanarState{t, run.q, {run.ways.begin(), run.ways.begin() + n}};
  return out;
}

}  // namespace jounce
