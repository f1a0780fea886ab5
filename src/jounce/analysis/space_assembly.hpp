// From the positions and rates as written to those where all loops and couplings hold, moving as little as possible.
#pragma once

#include <vector>

#include "jounce/analysis/assembly.hpp"
#include "jounce/plane/motion/mobility.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

struct SpaceAssembly {
  bool assembled = false;    ///< loops and couplings hold, in position and in velocity
  std::vector<double> q, v;  ///< those found; where it is not assembled, the best compromise
  double worst_residual = 0; ///< metres or radians
  double moved_metres = 0, moved_radians = 0;  ///< largest change of a coordinate, or of a rotation
  std::vector<Gap> gaps;     ///< not assembled: the loops and couplings that cannot be met together, widest first
  int rows = 0;              ///< equations of loops and couplings
  int rank = 0;              ///< those that are independent in what the passive dofs can do
  int redundant = 0;         ///< the others
  int mobility = 0;          ///< passive dofs less the rank
  std::vector<DependentSet> dependent;  ///< which loops and couplings say the same
  Problems problems;         ///< warnings, and the error when it is not assembled
};

/// At time t (0 for the start). Active dofs are where their motions say. The passive coordinates move as little as possible. Passive
/// rates that are written as 0 give way first, the others only where that is not enough (with a warning): to write the rate of one
/// dof is enough where it determines the rest. Then the start condition of the mechanism is applied.
[[nodiscard]] SpaceAssembly assemble(const SpaceMechanism& mechanism, double t = 0);

}  // namespace jounce
