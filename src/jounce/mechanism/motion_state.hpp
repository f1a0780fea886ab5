// Where a mechanism is and how fast it moves.
#pragma once

#include <vector>

namespace jounce {

/// All coordinates and rates, in the order of the engine: in the plane x, y, phi of each centre of mass, in space those of the joints.
struct MotionState {
  double t = 0;
  std::vector<double> q, v;
};

}  // namespace jounce
