// What a run came to, for a person and for a program.
#pragma once

#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "extremes.hpp"
#include "json.hpp"
#include "timed_run.hpp"

namespace jounce::app {

/// What is taken from the rows as they pass; each where the analysis has it.
struct Watched {
  /// `motion`: with the ranges of drivers and points, as `run` and reports tell them.
  Watched(const AnyMechanism& mechanism, Analysis analysis, bool motion);
  void take(std::span<const double> row);

  std::optional<Extremes> extremes;
  std::optional<Loads> loads;
  std::optional<EnergyWatch> energy;
  std::optional<MomentumWatch> momentum;  ///< where it should be constant
  std::vector<double> last;  ///< the last row
};

/// A line of a summary.
struct Fact {
  std::string head, text;
};
/// What a run came to, beside its outcome: samples, method, energy, work, residual; of an equilibrium: stability, work.
[[nodiscard]] std::vector<Fact> run_facts(const Plan& plan, const Followed& followed, const Watched& watched);

/// Coloured for the stream it goes to.
[[nodiscard]] std::string summary_text(const AnyMechanism& mechanism, const Plan& plan, const Followed& followed,
                                       const Watched& watched, bool motion, std::FILE* stream);
[[nodiscard]] Json summary_json(const RunOptions& options, const Plan& plan, const Followed& followed, const Watched& watched,
                                bool motion);

/// Follows a plan and reports it. `motion`: with the ranges of drivers and points. `summary`: where a person finds it; null: nowhere. With --json a program finds it on standard
/// output.
int carry_out(const RunOptions& options, const AnyMechanism& mechanism, const Plan& plan, const Problems& warnings, bool motion,
              std::FILE* summary);

}  // namespace jounce::app
