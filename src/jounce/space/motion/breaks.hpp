// The times of a run at which some function of a spatial mechanism is not smooth.
#pragma once

#include "jounce/mechanism/time_breaks.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

[[nodiscard]] inline TimeBreaks breaks_of(const SpaceMechanism& mechanism, double from, double to) {
  TimeBreaks out(from, to);
  for (const SpaceDof& dof : mechanism.dofs) {
    if (dof.motion) out.add_motion(*dof.motion);
    if (dof.torque) out.add(*dof.torque);
  }
  for (const SpacePose& pose : mechanism.poses) {
    for (const TimeFunction& turn : pose.turns) out.add_motion(turn);
    for (const TimeFunction& place : pose.position) out.add_motion(place);
  }
  for (const SpaceEquation& equation : mechanism.equations) out.add_of_time(equation.law.phi);
  const auto add = [&](const laws::LoadFunction& value) { out.add(value); };
  const auto add_law = [&](const laws::StateExpression& law) { out.add_law(law.expression); };
  for (const SpaceForce& force : mechanism.forces) tree::each_function(force.law, add, add_law);
  return out;
}

}  // namespace jounce
