// From the drawn positions to a position where every equation holds, drivers included, moving as little as possible.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jounce/plane/mechanism.hpp"

namespace jounce {

/// How far one joint or driver stays from being met.
struct Gap {
  std::string constraint;  ///< "joint 'B'"
  double metres = 0;       ///< 0 when none of its equations is a length
  double radians = 0;
};

struct Assembly {
  bool assembled = false;
  std::vector<double> q;    ///< the position found; where it is not assembled, the best compromise
  double worst_residual{};  ///< metres or radians
  double moved_metres{}, moved_radians{};  ///< largest move of a body's centre of mass and angle from the drawing
  int iterations = 0;
  std::vector<Gap> gaps;    ///< not assembled: the joints that cannot be met together, widest first
  Problems problems;        ///< warnings (a joint closed the other way round), or the error when it is not assembled
};

/// At time t (0 for the start).
[[nodiscard]] Assembly assemble(const PlaneMechanism& mechanism, double t = 0);

/// The same from any starting position.
[[nodiscard]] Assembly assemble_from(const PlaneMechanism& mechanism, std::span<const double> start, double t);

}  // namespace jounce
