// A run over time as the command line asks for it: `kinematics` and `run` plan it, follow it and report it in the same way.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "commands.hpp"
#include "jounce/analysis/kinematics.hpp"
#include "jounce/base/result.hpp"
#include "json.hpp"

namespace jounce::app {

struct Plan {
  double to = 1;
  int steps = 100;
  std::vector<std::string> names;  ///< the columns to write
  std::vector<std::size_t> kept;   ///< their places among all columns
  std::string output;              ///< "-": standard output; empty: rows are not written
};

/// Options over the [run] section over the defaults. `output`: where rows go when the command line does not say. Everything
/// wrong is found at once.
[[nodiscard]] Result<Plan> plan(const RunOptions& options, const Mechanism& mechanism, std::string output);

struct Followed {
  KinematicsRun run;
  int code = kDone;
};

/// Runs, writes, and prints the messages; `watch` sees every whole row.
[[nodiscard]] Followed follow(const RunOptions& options, const Mechanism& mechanism, const Plan& plan,
                              const std::function<void(std::span<const double>)>& watch = {});

/// Not driven means that the wrong analysis was asked for; everything else that stops a run happens on the way.
[[nodiscard]] int exit_code(Outcome::Kind kind);

/// The machine-readable summary.
[[nodiscard]] Json summary(const RunOptions& options, const Plan& plan, const KinematicsRun& run);

}  // namespace jounce::app
