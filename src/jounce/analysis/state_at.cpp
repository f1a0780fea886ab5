#include "jounce/analysis/state_at.hpp"

#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/kinematics.hpp"
#include "jounce/analysis/space_run.hpp"

namespace jounce {
namespace {

constexpr double kTolerance = 1e-10;

bool ignore(std::span<const double> /*row*/) { return true; }

StateResult taken(auto&& run, double t, bool driven) {
  StateResult out{std::move(run.outcome), std::move(run.problems), {}, driven};
  if (out.outcome.done()) out.state = MotionState{t, std::move(run.q), std::move(run.v)};
  return out;
}

template <class Mechanism>
StateResult found(const Mechanism& mechanism, double t, const Stop& stop) {
  const auto forward = [&] {
    return taken(dynamics(mechanism, {.to = t, .steps = 1, .tolerance = kTolerance, .columns = {}, .stop = stop, .events = false}, ignore), t, false);
  };
  const std::string& analysis = mechanism.run.analysis;
  if (mechanism.run.written && (analysis == "dynamics" || analysis == "equilibrium")) return forward();
  auto driven = kinematics(mechanism, {.to = t, .steps = 1, .times = {}, .columns = {}, .stop = stop, .progress = {}, .events = false}, ignore);
  return driven.outcome.kind == Outcome::Kind::not_driven ? forward() : taken(std::move(driven), t, true);
}

}  // namespace

StateResult state_at(const PlaneMechanism& mechanism, double t, const Stop& stop) { return found(mechanism, t, stop); }
StateResult state_at(const SpaceMechanism& mechanism, double t, const Stop& stop) { return found(mechanism, t, stop); }

}  // namespace jounce
