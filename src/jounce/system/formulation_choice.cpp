#include "jounce/system/formulation_choice.hpp"

#include <algorithm>
#include <vector>

#include "jounce/system/spanning_tree.hpp"

namespace jounce {
namespace {

/// Joints on one body from which on another formulation is faster: of an open tree, and with loops.
constexpr int kManyOfTree = 16, kManyOfLoops = 50;

int most_joints_on_a_body(const PlanarSystem& system) {
  std::vector<int> count(static_cast<std::size_t>(system.bodies()) + 1, 0);
  for (const Constraint& c : system.constraints())
    for (const int body : c.bodies) ++count[static_cast<std::size_t>(body)];
  count[0] = 0;  // the ground is no coordinate: its joints do not meet
  return *std::ranges::max_element(count);
}

}  // namespace

Formulation chosen_formulation(const PlanarSystem& system) {
  const bool heavy = std::ranges::all_of(system.mass(), [](double m) { return m > 0; });
  const int most = most_joints_on_a_body(system);
  if (heavy && most < kManyOfTree) return Formulation::lagrange;
  if (spanning_tree(system).open()) return Formulation::aba;
  return heavy && most < kManyOfLoops ? Formulation::lagrange : Formulation::kkt;
}

}  // namespace jounce
