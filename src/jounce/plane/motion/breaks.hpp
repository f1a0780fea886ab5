// The times of a run at which some function of a planar mechanism is not smooth.
#pragma once

#include "jounce/mechanism/time_breaks.hpp"
#include "jounce/plane/equations/planar_system.hpp"

namespace jounce {

[[nodiscard]] inline TimeBreaks breaks_of(const PlanarSystem& system, double from, double to) {
  TimeBreaks out(from, to);
  for (const PrescribedMotion& motion : system.motions()) out.add_motion(motion.function);
  for (const ForceComponent& component : system.force_motions()) out.add(component.function);
  for (const ForceSignal& signal : system.signals())
    for (const laws::StateExpression& law : signal.laws) out.add_law(law.expression);
  for (const planar::EquationLaw* law : system.own_equations()) out.add_of_time(law->phi);
  return out;
}

}  // namespace jounce
