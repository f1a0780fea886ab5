#include "jounce/plane/equations/formulation_choice.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "jounce/plane/spanning/spanning_tree.hpp"

namespace jounce {
namespace {

/// Joints on one body from which on another formulation is faster: of an open tree, and with loops.
constexpr int kManyOfTree = 16, kManyOfLoops = 50;

/// Beyond this ratio of masses S = Φq M⁻¹ Φqᵀ loses too many digits; what does not form it keeps them.
constexpr double kLargestRatio = 1e8;

// Inertias by the size of the mechanism.
double mass_ratio(const PlanarSystem& system) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t i = 0; i < system.mass().size(); ++i) {
    const double length = i % 3 == 2 ? system.length_scale() : 1.0, mass = system.mass()[i] / (length * length);
    least = std::min(least, mass), most = std::max(most, mass);
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
