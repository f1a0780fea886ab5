// A mechanism of the plane in a hand: pulled at a point, it follows by its joints, with its drivers let go.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "jounce/api/mechanism.hpp"

namespace jounce {

/// A point of a body, from its origin in its axes, and where it is wanted, in metres.
struct Pull {
  std::string body;
  std::array<double, 2> p{}, to{};
};

struct Pulled {
  std::vector<double> q;          ///< the coordinates of MotionState
  double short_by = 0;            ///< how far the point stays from where it is wanted
  std::vector<std::string> held;  ///< where it stays away: the joints that carry the pull
};

/// `from`: where the mechanism is, as in MotionState; empty: where it is assembled, drivers included. The point comes as near as the joints let it, without a
/// change of branch, and everything else moves as little as that takes. Stops are not held. Refused: a mechanism of space, a body that is not there, numbers that are
/// none, joints that do not close.
[[nodiscard]] Result<Pulled> pull(const Mechanism& mechanism, const Pull& pull, std::span<const double> from = {});

/// x, y and phi of the origin of each body, the ground first, at such coordinates; none of a mechanism of space.
[[nodiscard]] std::vector<std::array<double, 3>> origins(const Mechanism& mechanism, std::span<const double> q);
/// The coordinates at which the origins are there.
[[nodiscard]] std::vector<double> at_origins(const Mechanism& mechanism, std::span<const std::array<double, 3>> origins);

}  // namespace jounce
