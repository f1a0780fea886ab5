#include "jounce/results/row_collector.hpp"

#include <algorithm>
#include <iterator>

namespace jounce {
namespace {

constexpr std::size_t kRowsAtOnce = 8;  // of a column: a line of the cache
/// Room is made for at most so many numbers at once, 256 MiB: a run that asks for more rows than there is memory may end long before.
constexpr std::size_t kMostNumbers = std::size_t{1} << 25U;

}  // namespace

RowCollector::RowCollector(std::vector<Column> columns, std::span<const std::string> patterns, std::size_t rows)
    : RowCollector(std::move(columns), {}, patterns, rows) {}

RowCollector::RowCollector(std::vector<Column> columns, std::vector<Column> further, std::span<const std::string> patterns, std::size_t rows) {
  if (!patterns.empty()) {
    kept_ = select_columns(names_of(columns), names_of(further), patterns, unmatched_);
    takes_further_ = !kept_.empty() && kept_.back() >= columns.size();
    std::ranges::move(further, std::back_inserter(columns));
    std::vector<Column> kept;
    for (const std::size_t c : kept_) kept.push_back(std::move(columns[c]));
    columns = std::move(kept);
  }
  most_waiting_ = kRowsAtOnce * columns.size();
  waiting_.reserve(most_waiting_);
  results_ = Trajectory(std::move(columns));
  results_.reserve(std::min(rows, kMostNumbers / std::max<std::size_t>(results_.columns().size(), 1)));
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
