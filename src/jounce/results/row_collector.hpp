// Where rows of results go: to whoever takes them one by one, or into a table.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/results/trajectory.hpp"

namespace jounce {

/// Receives one row of results; false stops the run.
using RowSink = std::function<bool(std::span<const double> row)>;

/// Keeps the rows of a run, with the columns that were asked for.
class RowCollector {
 public:
  /// `patterns`: see select_columns; empty: all columns. `rows`: how many are expected; more and fewer may come.
  RowCollector(std::vector<Column> columns, std::span<const std::string> patterns, std::size_t rows);
  /// `further`: columns on demand (select_columns), behind the others in rows where `takes_further`.
  RowCollector(std::vector<Column> columns, std::vector<Column> further, std::span<const std::string> patterns, std::size_t rows);
  [[nodiscard]] bool takes_further() const { return takes_further_; }

  /// Refers to this collector.
  [[nodiscard]] RowSink sink();
  /// The rows, and a warning for each pattern that matched nothing.
  [[nodiscard]] Trajectory finish(Problems& problems);

 private:
  std::vector<std::size_t> kept_;  // empty: all
  bool takes_further_ = false;
  std::vector<std::string> unmatched_;
  std::vector<double> waiting_;  // rows that are not yet among the results, which take many at once
  std::size_t most_waiting_ = 0; // numbers
  Trajectory results_;
};

}  // namespace jounce
