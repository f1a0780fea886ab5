// Whom a combination of the equations of loops and couplings concerns, by name.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jounce/space/closures/closures.hpp"

namespace jounce {

struct ClosureParts {
  std::vector<std::string> names;    ///< loops, couplings, and the joints with a prescribed motion
  std::vector<std::string> drivers;  ///< the latter alone
};

/// Each combination uᵀ K has a number for every equation, lengths in sizes of the mechanism. Where it asks nothing of the passive dofs, what
/// it asks of the active ones is decided by their motions alone: they depend on each other, or contradict each other. At the position of
/// the last evaluation.
[[nodiscard]] ClosureParts parts_of(const SpaceMechanism& mechanism, const LoopClosures& closures, double size,
                                    std::span<const std::vector<double>> combinations);

}  // namespace jounce
