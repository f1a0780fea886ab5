// The state of a mechanism at a time of its own run: by its drivers where they decide the motion, else by forward dynamics.
#pragma once

#include <optional>

#include "jounce/base/problem.hpp"
#include "jounce/base/stop.hpp"
#include "jounce/mechanism/motion_state.hpp"
#include "jounce/results/outcome.hpp"

namespace jounce {

struct PlaneMechanism;
struct SpaceMechanism;

struct StateResult {
  Outcome outcome;
  Problems problems;
  std::optional<MotionState> state;  ///< when the outcome is done
  bool driven = false;               ///< by its drivers
};

/// Masses are needed where free motions are left.
[[nodiscard]] StateResult state_at(const PlaneMechanism& mechanism, double t, const Stop& stop = {});
[[nodiscard]] StateResult state_at(const SpaceMechanism& mechanism, double t, const Stop& stop = {});

}  // namespace jounce
