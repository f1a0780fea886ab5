// A mechanism of the plane pulled at a point, by its joints alone: drivers let go.
//
//   1. all joints stay closed
//   2. the point comes as near to the target as they let it, along the way from where it was: no other branch is looked for
//   3. of all positions that are equally near the one that moves least is taken
//
// Newton's method on what the joints leave free, by steps of a length that is limited, each closed again. Where the point cannot follow, the forces in the
// joints that balance its pull tell which of them hold it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jounce/plane/mechanism.hpp"

namespace jounce {

/// A point of a body, from its centre of mass in its axes, and where it is wanted.
struct PlanePull {
  int body = 0;
  Vec2<double> p_com, target;
};

struct PlanePulled {
  std::vector<double> q;          ///< the coordinates of the engine
  bool closed = false;            ///< all joints are met; otherwise nothing has moved
  double short_by = 0;            ///< how far the point stays from its target, in metres
  std::vector<std::string> held;  ///< where it stays away: the joints that carry the pull, in the order of the model
  int steps = 0;
};

/// `from`: where the mechanism is; small gaps are closed first.
[[nodiscard]] PlanePulled pull(const PlaneMechanism& mechanism, std::span<const double> from, const PlanePull& pull);

}  // namespace jounce
