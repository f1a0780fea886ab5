// Many variants of one mechanism, each with its own parameters, and the goals of each: a table.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "jounce/api/run.hpp"
#include "jounce/base/result.hpp"
#include "jounce/base/stop.hpp"
#include "jounce/results/outcome.hpp"

namespace jounce {

struct SweepOptions {
  Analysis analysis = Analysis::kinematics;
  Options run{};    ///< of each variant, its goals among them; columns, progress and stop do not count here
  int threads = 1;  ///< that work on it; the numbers are the same, bit for bit, whatever their number
  Stop stop{};      ///< true ends the sweep with what there is by then; asked by any of the threads, several at once
  std::function<void(std::size_t done)> progress{};  ///< told after every variant how many are done; by any of the threads, one at a time
};

/// One row for each variant, in the order they were given.
struct SweepTable {
  std::vector<std::string> parameters, goals;
  std::vector<std::string> units;  ///< of the goals
  std::size_t variants = 0;
  std::vector<double> values;               ///< [variant][goal]; NaN where there is none
  std::vector<Outcome::Kind> outcomes;      ///< of each variant: `not_run` where no mechanism could be made of it, `stopped` where it was not reached
  std::vector<std::string> sentences;       ///< why, where it is not done; what a goal without a value says, where it is

  [[nodiscard]] double value(std::size_t variant, std::size_t goal) const { return values[variant * goals.size() + goal]; }
};

/// `values`: [variant][parameter]. A variant that cannot be made or does not come to its end is a row of the table all the same. Fails where the question itself
/// is wrong: a parameter that the model does not have, a goal that cannot be read.
[[nodiscard]] Result<SweepTable> sweep(const Mechanism& mechanism, std::span<const std::string> parameters, std::span<const double> values,
                                       const SweepOptions& options);

}  // namespace jounce
