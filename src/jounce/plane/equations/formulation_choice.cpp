#include "jounce/plane/equations/formulation_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "jounce/plane/spanning/spanning_tree.hpp"

namespace jounce {
namespace {

/// Joints on one body from which on another formulation is faster: of an open tree, and with loops.
constexpr int kManyOfTree = 16, kManyOfLoops = 50;

/// Beyond this ratio of masses S = Φq M⁻¹ Φqᵀ loses too many digits; what does not form it keeps them.
constexpr double kLargestRatio = 1e8;

// How far from its centre of mass each body is held at most: what its equations say of a turn beside what they say of a shift, with all
// bodies laid on one another. The size of the mechanism for a body whose angle alone is held, as that of a gear.
std::vector<double> arms(const PlanarSystem& system) {
  const auto bodies = static_cast<std::size_t>(system.bodies());
  Evaluation start(system, 0);
  if (start.set_time(0)) return std::vector<double>(bodies, system.length_scale());
  start.set_position(std::vector<double>(3 * bodies, 0.0));
  const std::span<const double> jacobian = start.jacobian();
  const SparsePattern& pattern = system.pattern();
  std::vector<double> out(bodies, 0.0), shift(static_cast<std::size_t>(pattern.rows), 0.0);
  for (std::size_t b = 0; b < bodies; ++b) {
    const auto each = [&](std::size_t c, const auto& visit) {
      for (int e = pattern.start[3 * b + c]; e < pattern.start[3 * b + c + 1]; ++e)
        visit(static_cast<std::size_t>(pattern.row[static_cast<std::size_t>(e)]), std::abs(jacobian[static_cast<std::size_t>(e)]));
    };
    for (std::size_t c = 0; c < 2; ++c) each(c, [&](std::size_t row, double by) { shift[row] = std::max(shift[row], by); });
    each(2, [&](std::size_t row, double by) { out[b] = std::max(out[b], std::min(by / shift[row], system.length_scale())); });
    for (std::size_t c = 0; c < 2; ++c) each(c, [&](std::size_t row, double) { shift[row] = 0; });
  }
  return out;
}

// The heaviest over the lightest that a joint can feel: masses, and inertias by the arm at which they are turned.
double mass_ratio(const PlanarSystem& system) {
  const std::vector<double> arm = arms(system);
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t b = 0; b < arm.size(); ++b) {
    const double mass = system.mass()[3 * b], inertia = system.mass()[3 * b + 2];
    const double turned = inertia > 0 && arm[b] == 0 ? mass : inertia / (arm[b] * arm[b]);
    least = std::min({least, mass, inertia > 0 ? turned : 0.0});
    most = std::max({most, mass, arm[b] == system.length_scale() ? turned : 0.0});
  }
  return most / least;
}

int most_joints_on_a_body(const PlanarSystem& system) {
  std::vector<int> count(static_cast<std::size_t>(system.bodies()) + 1, 0);
  for (const Constraint& c : system.constraints())
    for (const int body : c.bodies) ++count[static_cast<std::size_t>(body)];
  count[0] = 0;  // the ground is no coordinate: its joints do not meet
  return *std::ranges::max_element(count);
}

}  // namespace

Formulation chosen_formulation(const PlanarSystem& system) {
  const bool heavy = mass_ratio(system) < kLargestRatio;  // also: all have some
  const int most = most_joints_on_a_body(system);
  if (heavy && most < kManyOfTree) return Formulation::lagrange;
  if (spanning_tree(system).open()) return Formulation::aba;
  return heavy && most < kManyOfLoops ? Formulation::lagrange : Formulation::kkt;
}

}  // namespace jounce
