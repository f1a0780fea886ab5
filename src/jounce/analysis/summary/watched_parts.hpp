// What of a mechanism the summary of a run speaks of, by the names of its columns: the same for the plane and for space.
#pragma once

#include <string>
#include <vector>

#include "jounce/expr/time_function.hpp"

namespace jounce {

struct PlaneMechanism;
struct SpaceMechanism;

/// Refers to the mechanism.
struct WatchedParts {
  struct Driven {
    std::string name, unit;
    const TimeFunction* motion;
  };
  struct Effort {
    std::string name, column;
  };
  std::size_t dimension = 2;         ///< of the space
  std::vector<Driven> driven;
  std::vector<std::string> points;   ///< "rod.B"
  std::vector<Effort> efforts, inverse_efforts;  ///< of what carries the prescribed motions; in inverse dynamics actuators may
  std::vector<std::string> joints;   ///< and loops
  /// Nothing of the ground touches it, and nothing outside acts on it: free joints hold it to the ground, without springs, gravity or forces.
  bool keeps_momentum = false;
};

[[nodiscard]] WatchedParts watched_parts(const PlaneMechanism& mechanism);
[[nodiscard]] WatchedParts watched_parts(const SpaceMechanism& mechanism);

}  // namespace jounce
