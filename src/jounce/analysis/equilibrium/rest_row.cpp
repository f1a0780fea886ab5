#include "jounce/analysis/equilibrium/rest_row.hpp"

#include "jounce/plane/rows/dynamic_rows.hpp"
#include "jounce/plane/rows/kinematic_rows.hpp"
#include "jounce/space/rows/space_rows.hpp"

namespace jounce {

std::vector<double> rest_row(const PlaneMechanism& mechanism, std::span<const double> q, std::span<const double> lambda) {
  Evaluation place(mechanism.system, 0);
  Linearisation forces(mechanism.system);
  (void)place.set_time(0);
  (void)forces.forces_at_rest(0, q);
  place.set_position(q);

  DynamicSample sample{.t = 0, .frames = {}, .lambda = lambda, .lambda_rate = {}, .readings = forces.readings()};
  sample.potential = forces.potential();
  sample.constraint_error = place.worst_residual();
  const std::vector<planar::FrameRecord> still(mechanism.bodies.size(), planar::FrameRecord{});
  sample.frames.fill(still);
  sample.frames[0] = place.frames(0);
  std::vector<double> row(dynamic_width(mechanism, false));
  fill_dynamic_row(mechanism, sample, row);
  return row;
}

std::vector<double> rest_row(const SpaceMechanism& mechanism, std::span<const double> q, std::span<const double> /*lambda*/) {
  SpaceEquations equations(mechanism);
  const std::vector<double> still(mechanism.dofs.size());
  (void)equations.balance(0, q, still, still);
  std::vector<double> tau(still.size());
  equations.efforts(tau);
  equations.move(q, still, still);
  std::vector<double> row(space_width(mechanism, true));
  SpaceOrders orders(equations);
  orders.rest();
  fill_space_row(equations, {0, q, still, still, &orders, true, tau}, row);
  return row;
}

std::vector<double> standing_row(const PlaneMechanism& mechanism, std::span<const double> q) {
  Evaluation place(mechanism.system, 0);
  (void)place.set_time(0);
  place.set_position(q);
  const std::vector<planar::FrameRecord> still(mechanism.bodies.size(), planar::FrameRecord{});
  FrameOrders frames;
  frames.fill(still);
  frames[0] = place.frames(0);
  std::vector<double> row(kinematic_width(mechanism));
  (void)fill_kinematic_row(mechanism, 0, frames, row.data());
  return row;
}

std::vector<double> standing_row(const SpaceMechanism& mechanism, std::span<const double> q) {
  SpaceEquations equations(mechanism);
  const std::vector<double> still(mechanism.dofs.size());
  equations.move(q, still, still);
  std::vector<double> row(space_width(mechanism, false));
  SpaceOrders orders(equations);
  orders.rest();
  fill_space_row(equations, {.t = 0, .q = q, .v = still, .a = still, .orders = &orders}, row);
  return row;
}

}  // namespace jounce
