// Idle turns: links that can turn about a line through the places that hold them, and nobody notices.
//
// A link between two balls is the usual one. Idle is what can turn, as one piece, about a line through everything that holds it, at two places at
// least, while all the rest stands still: for more than an instant, and without moving a dof that is prescribed or coupled.
#pragma once

#include <span>
#include <vector>

#include "jounce/mechanism/mobility.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

/// At a position where loops and couplings hold. No rates are given.
[[nodiscard]] std::vector<SpaceIdle> find_idle(const SpaceMechanism& mechanism, std::span<const double> q);

/// In the words of the model.
[[nodiscard]] IdleTurn described(const SpaceMechanism& mechanism, const SpaceIdle& idle);

}  // namespace jounce
