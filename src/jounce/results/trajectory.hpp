// Named columns over time: what an analysis gives back and what a CSV file holds.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/results/column.hpp"

namespace jounce {

/// Leaves the numbers of a vector that grows as they are: room for the rows of a long run costs nothing until they come.
struct UnwrittenNumbers : std::allocator<double> {
  template <class T>
  struct rebind {
    using other = UnwrittenNumbers;
  };
  void construct(double*) noexcept {}
  void construct(double* at, double value) noexcept { *at = value; }
};

/// Stored column by column: the numbers of a column lie side by side, and are looked at without a copy.
class Trajectory {
 public:
  Trajectory() = default;
  explicit Trajectory(std::vector<Column> columns) : columns_(std::move(columns)) {}

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  [[nodiscard]] std::vector<std::string> names() const { return names_of(columns_); }
  [[nodiscard]] std::size_t rows() const { return rows_; }

  /// Rows one after the other, each with one number for every column. Several at once are quicker.
  void append(std::span<const double> rows);
  /// Room for as many rows in all.
  void reserve(std::size_t rows);

  [[nodiscard]] std::optional<std::size_t> find(std::string_view column) const;
  /// All numbers of a column, until rows are added; empty when there is no such column.
  [[nodiscard]] std::span<const double> column(std::string_view name) const&;
  [[nodiscard]] std::span<const double> column(std::size_t c) const& { return {data_.data() + c * room_, rows_}; }
  std::span<const double> column(std::string_view name) && = delete;  // would be gone at once
  std::span<const double> column(std::size_t c) && = delete;
  /// A copy of row i.
  [[nodiscard]] std::vector<double> row(std::size_t i) const;
  /// The same into `out`, which has a place for each column.
  void copy_row(std::size_t i, std::span<double> out) const;
  /// The value of a column at row i.
  [[nodiscard]] std::optional<double> at(std::size_t i, std::string_view column) const;

 private:
  std::vector<Column> columns_;
  std::vector<double, UnwrittenNumbers> data_;  // `room_` places for each column, of which `rows_` are in use
  std::size_t rows_ = 0, room_ = 0;
};

/// Keeps the columns that match one of the patterns, in their own order; `t` always stays. A pattern is a column's name with `*`
/// for any run of characters. Gives the kept indices; `unmatched` receives the patterns that matched nothing.
[[nodiscard]] std::vector<std::size_t> select_columns(std::span<const std::string> columns, std::span<const std::string> patterns,
                                                      std::vector<std::string>& unmatched);
/// The same with `further` columns behind them that are there on demand only: for patterns that no other column matches, or that ask for rates or generalized forces ("_rate", ".Q").
[[nodiscard]] std::vector<std::size_t> select_columns(std::span<const std::string> columns, std::span<const std::string> further,
                                                      std::span<const std::string> patterns, std::vector<std::string>& unmatched);

}  // namespace jounce
