// One state through every formulation: accelerations, reactions and energy side by side, and how far they are apart.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/base/stop.hpp"
#include "jounce/mechanism/formulation.hpp"
#include "jounce/results/outcome.hpp"

namespace jounce {

struct PlaneMechanism;
struct SpaceMechanism;

/// What one formulation finds, or why it does not apply.
struct ComparedFormulation {
  Formulation formulation{};
  std::string reason;                 ///< empty: it applies
  std::vector<double> accelerations;  ///< by Comparison::acceleration_columns
  std::vector<double> reactions;      ///< by Comparison::reaction_columns
  double kinetic = 0, potential = 0;  ///< kinetic energy by its own inertia matrix
  double seconds = 0;                 ///< of one evaluation of the accelerations, the fastest of several
  int unknowns = 0;                   ///< that it solves for together
  double apart = 0;                   ///< largest difference from the first that applies, over the size of what is compared

  [[nodiscard]] bool applies() const { return reason.empty(); }
};

struct Comparison {
  double t = 0;
  bool driven = false;  ///< its drivers brought it there; else forward dynamics did
  std::vector<std::string> acceleration_columns, reaction_columns;  ///< as in results: "crank.ax", "O.fx"
  std::vector<std::string> not_unique;                              ///< joints whose reactions are shared; the shortest are compared
  std::vector<ComparedFormulation> formulations;                    ///< in the order of kFormulations

  /// The largest difference of any two formulations, over the size of what they compute: accelerations over the largest of them (angular
  /// ones times the length of the mechanism), reactions over the largest force, energy over the energy.
  struct Apart {
    double relative = 0;
    std::string column;  ///< where
    Formulation one{}, other{};
    double scale = 0;    ///< what it is relative to
  };
  Apart accelerations, reactions, energy;
  double condition = 0;  ///< of the equations, scaled: what rounding of the data is multiplied by
  double allowed = 0;    ///< disagreement that the condition explains

  [[nodiscard]] double disagreement() const;
  [[nodiscard]] bool agree() const { return disagreement() <= allowed; }
};

struct ComparisonResult {
  Outcome outcome;  ///< of the run that leads to the state
  Problems problems;
  std::optional<Comparison> comparison;
};

/// At the start (t = 0) or after the model's own run up to t: driven mechanisms by their drivers, others by forward dynamics.
[[nodiscard]] ComparisonResult compare(const PlaneMechanism& mechanism, double t, const Stop& stop = {});
[[nodiscard]] ComparisonResult compare(const SpaceMechanism& mechanism, double t, const Stop& stop = {});

}  // namespace jounce
