// Named columns over time: what an analysis gives back and what a CSV file holds.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jounce {

class Trajectory {
 public:
  Trajectory() = default;
  explicit Trajectory(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return columns_.empty() ? 0 : data_.size() / columns_.size(); }
  [[nodiscard]] std::span<const double> row(std::size_t i) const { return {data_.data() + i * columns_.size(), columns_.size()}; }
  void append(std::span<const double> row) { data_.insert(data_.end(), row.begin(), row.end()); }
  void reserve(std::size_t rows) { data_.reserve(rows * columns_.size()); }

  [[nodiscard]] std::optional<std::size_t> find(std::string_view column) const;
  /// All values of a column; empty when there is no such column.
  [[nodiscard]] std::vector<double> column(std::string_view name) const;
  /// The value of a column at row i.
  [[nodiscard]] std::optional<double> at(std::size_t i, std::string_view column) const;

 private:
  std::vector<std::string> columns_;
  std::vector<double> data_;
};

/// Keeps the columns that match one of the patterns, in their own order; `t` always stays. A pattern is a column's name with `*`
/// for any run of characters. Gives the kept indices; `unmatched` receives the patterns that matched nothing.
[[nodiscard]] std::vector<std::size_t> select_columns(std::span<const std::string> columns, std::span<const std::string> patterns,
                                                      std::vector<std::string>& unmatched);

}  // namespace jounce
