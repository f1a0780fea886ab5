// How large a planar mechanism is, for judging its energy.
#pragma once

#include <cmath>

#include "jounce/mechanism/audit_scale.hpp"
#include "jounce/plane/equations/planar_system.hpp"

namespace jounce {

[[nodiscard]] inline AuditScale audit_scale(const PlanarSystem& system) {
  const double length = system.length_scale();
  double mass = 0, inertia = 0;
  for (std::size_t i = 0; i < system.mass().size(); i += 3) mass += system.mass()[i], inertia += system.mass()[i + 2];
  return {mass + inertia / (length * length), length, mass * std::hypot(system.gravity().x, system.gravity().y)};
}

}  // namespace jounce
