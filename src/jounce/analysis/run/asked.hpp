// What is wrong with the times and the start that a run is asked for, in words: the same for every analysis.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jounce/mechanism/motion_state.hpp"

namespace jounce {

struct AskedTimes {
  double to = 1;
  int steps = 100;
  const std::vector<double>& times;  ///< in place of the two, where there are any
  const std::optional<MotionState>& start;
};

/// Empty when nothing is. `coordinates`, `rates`: of a state of the mechanism; a start without rates is taken where they follow from the
/// drivers (`driven`).
[[nodiscard]] std::string wrong_asked(const AskedTimes& asked, std::size_t coordinates, std::size_t rates, bool driven);

}  // namespace jounce
