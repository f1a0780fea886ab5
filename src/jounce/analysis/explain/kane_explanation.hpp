// The arrays of Kane's method at one instant of a mechanism's own run, with the names of what they belong to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/base/stop.hpp"
#include "jounce/plane/spanning/kane_arrays.hpp"
#include "jounce/results/outcome.hpp"

namespace jounce {

struct PlaneMechanism;

struct KaneExplanation {
  /// What a coordinate moves.
  struct Moved {
    std::string body, carrier;
  };
  /// A joint or driver that carries no body: its equations are rows of K.
  struct Cut {
    std::string name, type, group;
  };

  double t = 0;
  bool driven = false;  ///< its drivers brought it there; else forward dynamics did
  KaneArrays arrays;
  std::vector<Moved> moved;  ///< one for each coordinate
  std::vector<Cut> cut;
};

struct KaneExplainResult {
  Outcome outcome;  ///< not run where a mass is missing
  Problems problems;
  std::optional<KaneExplanation> explanation;
};

/// At time t: where the drivers have brought the mechanism, or forward dynamics from the initial velocities of the file.
[[nodiscard]] KaneExplainResult explain_kane(const PlaneMechanism& mechanism, double t, const Stop& stop = {});

}  // namespace jounce
