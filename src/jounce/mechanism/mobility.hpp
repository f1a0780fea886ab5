// In how many ways a mechanism can move, and which of its equations repeat each other.
#pragma once

#include <string>
#include <vector>

namespace jounce {

/// Joints (and drivers) whose equations are not independent: any one of them could do without one equation.
struct DependentSet {
  std::vector<std::string> names;
  /// True: the surplus equation agrees with the others (overconstrained but movable). False: it contradicts them as soon as
  /// the mechanism moves (two motors on one shaft at different speeds).
  bool consistent = true;
};

/// A link between two ball joints turns about itself, and nothing else moves with it.
struct IdleTurn {
  std::vector<std::string> bodies;  ///< all that turn
  std::string from, to;             ///< the joints or loops on its line

  /// "rod turns about the line from 'near' to 'far'"
  [[nodiscard]] std::string sentence() const;
};

struct Mobility {
  /// In space: equations of loops and couplings, and dofs whose motion is prescribed.
  int bodies = 0, joint_equations = 0, driver_equations = 0;
  int counted = 0;         ///< Grübler: 3 · bodies − equations of the joints; in space dofs − equations of loops and couplings
  int mobility = 0;        ///< by rank: the free motions the joints really leave
  int undriven = 0;        ///< free motions that are left with the drivers
  int redundant = 0;       ///< surplus equations among joints and drivers
  std::vector<DependentSet> dependent;
  /// Of the free motions that are left, in space, those that nobody notices.
  std::vector<IdleTurn> idle;
  // Of the plane alone:
  /// The rank is lower here than next to here: a dead point, a change point, or a drawing that happens to be one.
  bool singular_position = false;
  /// Free motions exist to first order only: the mechanism is shaky but cannot really move.
  bool only_infinitesimal = false;
  /// Smallest over largest singular value of the scaled Jacobian with drivers, those that are zero left out: 1 is perfect, below
  /// about 1e-4 is close to singular. 0 when the model is too large for it to be computed.
  double regularity = 0;
};

}  // namespace jounce
