#include "jounce/results/row_collector.hpp"

namespace jounce {

RowCollector::RowCollector(std::vector<std::string> columns, std::span<const std::string> patterns, int steps) {
  if (!patterns.empty()) {
    kept_ = select_columns(columns, patterns, unmatched_);
    std::vector<std::string> names;
    for (const std::size_t c : kept_) names.push_back(columns[c]);
    columns = std::move(names);
  }
  selected_.resize(columns.size());
  results_ = Trajectory(std::move(columns));
  if (steps > 0) results_.reserve(static_cast<std::size_t>(steps) + 1);
}

RowSink RowCollector::sink() {
  return [this](std::span<const double> row) {
    if (kept_.empty()) return results_.append(row), true;
    for (std::size_t i = 0; i < kept_.size(); ++i) selected_[i] = row[kept_[i]];
    return results_.append(selected_), true;
  };
}

Trajectory RowCollector::finish(Problems& problems) {
  for (const std::string& pattern : unmatched_) problems.push_back(warning({}, "no column matches '" + pattern + "'"));
  return std::move(results_);
}

}  // namespace jounce
