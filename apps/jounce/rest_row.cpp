#include "rest_row.hpp"

#include "jounce/plane/rows/dynamic_rows.hpp"

namespace jounce::app {

std::vector<double> rest_row(const PlaneMechanism& mechanism, const Equilibrium& rest) {
  Evaluation place(mechanism.system, 0);
  Linearisation forces(mechanism.system);
  // both had values when the equilibrium was found there
  (void)place.set_time(0);
  (void)forces.forces_at_rest(0, rest.q);
  place.set_position(rest.q);

  DynamicSample sample{.t = 0, .frames = {}, .lambda = rest.lambda, .lambda_rate = {}, .readings = forces.readings()};
  sample.potential = forces.potential();
  sample.constraint_error = place.worst_residual();
  const std::vector<planar::FrameRecord> still(mechanism.bodies.size(), planar::FrameRecord{});
  sample.frames.fill(still);
  sample.frames[0] = place.frames(0);
  std::vector<double> row(dynamic_width(mechanism, false));
  fill_dynamic_row(mechanism, sample, row);
  return row;
}

}  // namespace jounce::app
