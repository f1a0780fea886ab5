#include "jounce/analysis/equilibrium/equilibrium.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/analysis/equilibrium/rest_row.hpp"
#include "jounce/analysis/equilibrium/search.hpp"
#include "jounce/plane/motion/multipliers.hpp"
#include "jounce/plane/motion/rest.hpp"
#include "jounce/space/equations/shared_reactions.hpp"
#include "jounce/space/motion/rest.hpp"

namespace jounce {
namespace {

// Nothing needs a mass here, but gravity is written to be felt.
void warn_of_no_weight(const auto& bodies, bool gravity, Problems& problems) {
  for (const auto& body : std::span(bodies).subspan(1))
    if (gravity && !body.mass)
      problems.push_back(warning(body.where, "body '" + body.name + "': 'mass' is missing: it has no weight here"));
}

void warn_of_stability(Equilibrium& out) {
  const auto motions = [](int count) { return std::to_string(count) + (count == 1 ? " motion" : " motions"); };
  if (out.unstable > 0) out.problems.push_back(warning({}, "the equilibrium is unstable in " + motions(out.unstable)));
  if (out.neutral > 0)
    out.problems.push_back(warning({}, "the equilibrium is neutral in " + motions(out.neutral) + ": no force resists"));
}

Equilibrium searched(const auto& mechanism, const Assembly& assembly, RestMotion& motion, bool gravity, const Stop& stop) {
  Equilibrium out;
  out.problems = assembly.problems;
  out.q = assembly.q;
  if (assembly.assembled) find_rest(motion, std::vector(out.q), stop, out);
  else out.outcome = not_begun(assembly);
  warn_of_no_weight(mechanism.bodies, gravity, out.problems);
  out.stable = out.outcome.done() && out.unstable == 0;
  if (out.outcome.done()) warn_of_stability(out);
  return out;
}

std::vector<ModeSwing> followed(RestMotion& motion, const Equilibrium& rest, std::size_t most) {
  std::vector<ModeSwing> out;
  for (const NaturalMode& mode : std::span(rest.modes).first(std::min(most, rest.modes.size()))) out.push_back(swing_along(motion, rest.q, mode.shape));
  return out;
}

void finish(Equilibrium& out, const std::string& file) {
  if (!out.not_unique.empty()) out.problems.push_back(not_unique_warning(out.not_unique));
  locate(out.problems, file);
}

}  // namespace

Equilibrium equilibrium(const PlaneMechanism& mechanism, const Stop& stop, std::span<const double> start) {
  PlaneRest motion(mechanism);
  const Assembly assembly = start.empty() ? assemble(mechanism, 0, stop) : assemble_from(mechanism, start, 0, stop);
  Equilibrium out = searched(mechanism, assembly, motion, length(mechanism.gravity) > 0, stop);
  if (out.outcome.done()) {
    out.not_unique = not_unique(mechanism.system, indeterminacy(mechanism.system, 0, out.q));
    out.row = rest_row(mechanism, out.q, out.lambda);
  }
  finish(out, mechanism.file);
  return out;
}

Equilibrium equilibrium(const SpaceMechanism& mechanism, const Stop& stop, std::span<const double> start) {
  SpaceMechanism at_rest = mechanism;
  if (!start.empty()) at_rest.q.assign(start.begin(), start.end());
  std::ranges::fill(at_rest.v, 0.0);
  at_rest.start = SpaceMechanism::Start::as_written;
  SpaceRest motion(mechanism);
  Equilibrium out = searched(mechanism, assemble(at_rest, 0, stop), motion, length(mechanism.tree.gravity) > 0, stop);
  if (out.outcome.done()) {
    out.not_unique = not_unique(mechanism, out.q);
    out.row = rest_row(mechanism, out.q);
  }
  finish(out, mechanism.file);
  return out;
}

int free_motions(const PlaneMechanism& mechanism, std::span<const double> q) {
  PlaneRest motion(mechanism);
  return free_ways(motion, q);
}

int free_motions(const SpaceMechanism& mechanism, std::span<const double> q) {
  SpaceRest motion(mechanism);
  return free_ways(motion, q);
}

std::vector<ModeSwing> swings(const PlaneMechanism& mechanism, const Equilibrium& rest, std::size_t most) {
  PlaneRest motion(mechanism);
  return followed(motion, rest, most);
}

std::vector<ModeSwing> swings(const SpaceMechanism& mechanism, const Equilibrium& rest, std::size_t most) {
  SpaceRest motion(mechanism);
  return followed(motion, rest, most);
}

}  // namespace jounce
