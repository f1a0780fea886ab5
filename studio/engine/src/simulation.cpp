#include <utility>

#include "answers.hpp"

namespace jounce::studio {
namespace {

// Seen, not measured: a tenth of a pixel of a screen is a ten-thousandth of the mechanism.
constexpr double kTolerance = 1e-6;

Answer where_it_is(const Simulated& simulated) {
  return {Json{{"t", simulated.state.t}, {"bodies", numbers(origins(simulated.mechanism, simulated.state.q))}}.dump(), false};
}

Answer refusal(const Simulation& simulation) {
  return refused(simulation.problems().empty() ? simulation.outcome().sentence : text(simulation.problems()));
}

}  // namespace

// From an instant of the motion.
Answer simulate(const Json& request, Studied& last) {
  last.simulated.reset();
  if (!last.mechanism) return refused("there is no model yet");
  if (last.mechanism->space() != Space::plane) return refused("a hand pulls at mechanisms of the plane");
  Simulation simulation(*last.mechanism, {.tolerance = kTolerance});
  const Json t = member(request, "t");
  if (!simulation.ready() || (t.is_number() && t.get<double>() > 0 && !simulation.advance(t.get<double>()))) return refusal(simulation);
  last.simulated = Simulated{*last.mechanism, {}, {}, simulation.state()};
  return where_it_is(*last.simulated);
}

// A hand takes hold of a point, or (without a handle) lets go.
Answer hold(const Json& request, Studied& last) {
  if (!last.mechanism || !last.simulated) return refused("nothing moves yet");
  Simulated& now = *last.simulated;
  now.mechanism = *last.mechanism;
  now.x.clear(), now.y.clear();
  const Json handle = member(request, "handle");
  if (handle.is_object()) {
    const Json body = member(handle, "body"), p = member(handle, "p");
    Result<InHand> taken = in_hand(*last.mechanism, {.body = body.is_string() ? body.get<std::string>() : "", .p = {number(p, 0), number(p, 1)}});
    if (!taken) return refused(text(taken.problems()));
    now.mechanism = std::move(taken->mechanism);
    now.x = std::move(taken->x);
    now.y = std::move(taken->y);
  }
  return where_it_is(now);
}

Answer advance(const Json& request, Studied& last) {
  if (!last.simulated) return refused("nothing moves yet");
  Simulated& now = *last.simulated;
  const Json by = member(request, "by"), to = member(request, "to");
  Mechanism mechanism = now.mechanism;
  if (!now.x.empty()) {
    Result<Mechanism> there = mechanism.with({{now.x, number(to, 0)}, {now.y, number(to, 1)}});
    if (!there) return refused(text(there.problems()));
    mechanism = *std::move(there);
  }
  Simulation simulation(mechanism, {.tolerance = kTolerance, .start = now.state});
  if (!simulation.ready() || !simulation.advance(by.is_number() ? by.get<double>() : 0)) return refusal(simulation);
  now.state = simulation.state();
  return where_it_is(now);
}

}  // namespace jounce::studio
