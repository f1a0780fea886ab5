#include "jounce/analysis/explain/kane_explanation.hpp"

#include <algorithm>

#include "jounce/analysis/state_at.hpp"
#include "jounce/base/index.hpp"
#include "jounce/plane/spanning/kane.hpp"
#include "jounce/plane/spanning/spanning_tree.hpp"

namespace jounce {
namespace {

// A model that lacks a mass is wrong; masses that do not decide the motion are found out on the way.
Outcome::Kind refusal(const PlaneMechanism& mechanism) {
  const bool complete = std::ranges::all_of(mechanism.bodies.begin() + 1, mechanism.bodies.end(),
                                            [](const BodyData& body) { return body.mass && body.inertia; });
  return complete ? Outcome::Kind::undecided : Outcome::Kind::not_run;
}

}  // namespace

KaneExplainResult explain_kane(const PlaneMechanism& mechanism, double t, const Stop& stop) {
  StateResult reached = state_at(mechanism, t, stop);
  KaneExplainResult out{std::move(reached.outcome), std::move(reached.problems), {}};
  if (!reached.state) return out;
  auto arrays = kane(mechanism, *reached.state);
  append(out.problems, arrays.problems());
  if (!arrays) {
    out.outcome.kind = refusal(mechanism);
    if (!arrays.problems().empty()) out.outcome.sentence = arrays.problems().front().sentence;
    return out;
  }
  KaneExplanation& e = out.explanation.emplace();
  e.t = reached.state->t;
  e.driven = reached.driven;
  e.arrays = *std::move(arrays);
  const SpanningTree tree = spanning_tree(mechanism.system);
  for (const KaneCoordinate& c : e.arrays.coordinates) {
    const SpanningTree::Edge& edge = tree.edges[z(c.edge)];
    e.moved.push_back({mechanism.bodies[z(edge.body)].name, mechanism.bodies[z(edge.parent)].name});
  }
  for (const int c : tree.closures) {
    const Constraint& closure = mechanism.system.constraints()[z(c)];
    e.cut.push_back({closure.name, std::string(closure.type), std::string(planar::word(closure.group))});
  }
  return out;
}

}  // namespace jounce
