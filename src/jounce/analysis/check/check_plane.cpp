#include "jounce/analysis/check/check.hpp"
#include "jounce/plane/mechanism.hpp"
#include "jounce/plane/motion/mobility.hpp"
#include "jounce/plane/motion/multipliers.hpp"

namespace jounce {

Check check(const PlaneMechanism& mechanism, const Stop& stop) {
  Check out;
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) out.bodies.push_back(mechanism.bodies[b].name);
  for (const Constraint& c : mechanism.system.constraints()) {
    auto& own = c.group == planar::Group::joint ? out.joints : out.drivers;
    own.push_back({.name = c.name, .type = std::string(c.type), .equations = c.rows, .parent = {}, .child = {}, .prescribed = {}});
  }
  out.assembly = assemble(mechanism, 0, stop);
  out.stopped = out.assembly.stopped;
  if (out.stopped) return out;
  out.mobility = mobility(mechanism, out.assembly.q);
  if (out.assembly.assembled && out.mobility.redundant > 0)
    out.not_unique = not_unique(mechanism.system, indeterminacy(mechanism.system, 0, out.assembly.q));
  out.problems = out.assembly.problems;
  return out;
}

}  // namespace jounce
