#include "jounce/results/row_collector.hpp"

namespace jounce {
namespace {

constexpr std::size_t kRowsAtOnce = 8;  // of a column: a line of the cache

}  // namespace

RowCollector::RowCollector(std::vector<Column> columns, std::span<const std::string> patterns, int steps) {
  if (!patterns.empty()) {
    kept_ = select_columns(names_of(columns), patterns, unmatched_);
    std::vector<Column> kept;
    for (const std::size_t c : kept_) kept.push_back(std::move(columns[c]));
    columns = std::move(kept);
  }
  most_waiting_ = kRowsAtOnce * columns.size();
  waiting_.reserve(most_waiting_);
  results_ = Trajectory(std::move(columns));
  if (steps > 0) results_.reserve(static_cast<std::size_t>(steps) + 1);
}

RowSink RowCollector::sink() {
  return [this](std::span<const double> row) {
    if (kept_.empty()) waiting_.insert(waiting_.end(), row.begin(), row.end());
    else
      for (const std::size_t c : kept_) waiting_.push_back(row[c]);
    if (waiting_.size() >= most_waiting_) results_.append(waiting_), waiting_.clear();
    return true;
  };
}

Trajectory RowCollector::finish(Problems& problems) {
  for (const std::string& pattern : unmatched_) problems.push_back(warning({}, "no column matches '" + pattern + "'"));
  results_.append(waiting_);
  waiting_.clear();
  return std::move(results_);
}

}  // namespace jounce
