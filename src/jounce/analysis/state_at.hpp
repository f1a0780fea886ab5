// The state of a mechanism at a time of its own run: by its drivers where they decide the motion, else by forward dynamics.
#pragma once

#include <optional>

#include "jounce/results/outcome.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce {

struct StateResult {
  Outcome outcome;
  Problems problems;
  std::optional<PlanarState> state;  ///< when the outcome is done
  bool driven = false;               ///< by its drivers
};

/// Masses are needed where free motions are left.
[[nodiscard]] StateResult state_at(const PlaneMechanism& mechanism, double t);

}  // namespace jounce
