// The rows of a run as a page carries them: as many as it can hold, evenly spaced, and what each column is.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/math/vec2.hpp"
#include "jounce/results/column.hpp"
#include "jounce/report/scene.hpp"

namespace jounce {

struct ReportColumn {
  /// A point fixed in a body: its numbers follow from the body's columns, and are not stored.
  struct From {
    int body = 0;    ///< 0: the ground, which has no columns and does not move
    Vec2<double> p;  ///< from the body's origin, in its axes
  };

  Column column;
  std::optional<From> from;
  int parts = 0;         ///< > 0: how large a force is, OWNER.f, from as many components; not stored either
  bool nothing = false;  ///< no number of it is more than rounding (results/noise.hpp)
};

/// Takes rows as a run makes them. When there are too many it keeps every second one from then on; the last one is always kept.
class ReportTable {
 public:
  static constexpr std::size_t kMostNumbers = 4'000'000;

  /// `columns`: all columns of the rows.
  ReportTable(const Scene& scene, const std::vector<Column>& columns, std::size_t most_numbers = kMostNumbers);

  void take(std::span<const double> row);

  /// Of a point: `from` only where the numbers computed from its body are those of the rows (a point that hardly moves on a body that
  /// does may be lost among the rounded numbers of the body).
  [[nodiscard]] std::vector<ReportColumn> columns() const;
  [[nodiscard]] std::size_t rows_seen() const { return seen_; }
  [[nodiscard]] std::size_t every() const { return every_; }  ///< which rows are kept
  [[nodiscard]] bool thinned() const { return every_ > 1; }
  /// Kept, with the last one.
  [[nodiscard]] std::size_t samples() const;
  /// The columns that do not follow from others, in their order.
  [[nodiscard]] std::vector<std::vector<double>> stored() const;
  /// Of the kept rows at most this many, evenly spread, the first among them.
  [[nodiscard]] std::vector<std::span<const double>> spread(std::size_t most) const;

 private:
  static constexpr std::size_t kOrders = 5;  // position to snap

  // How a column of a point is computed, and how well.
  struct Point {
    std::size_t column = 0;                      // its own
    std::size_t order = 0;                       // 0: position ... 4: snap
    bool y = false;                              // x otherwise
    std::size_t origin = 0;                      // the column of the body's origin
    std::array<std::size_t, kOrders> angle{};    // those of the body's angle and its rates, up to the order
    double largest = 0, miss = 0;                // of the rows so far

    [[nodiscard]] bool follows() const;
  };

  [[nodiscard]] std::optional<Point> point_at(std::size_t column, const Scene& scene) const;
  [[nodiscard]] double computed(const Point& point, std::span<const double> row) const;
  void compare(std::vector<Point>& points, std::span<const double> row) const;
  [[nodiscard]] std::vector<bool> follow() const;
  [[nodiscard]] std::vector<bool> nothing() const;
  [[nodiscard]] std::size_t rows() const { return columns_.empty() ? 0 : numbers_.size() / columns_.size(); }
  [[nodiscard]] bool full() const;
  void thin();

  std::vector<ReportColumn> columns_;  // with `from` for every point whose body has its columns here
  std::vector<Point> points_;
  std::vector<double> numbers_;        // row by row
  std::vector<double> last_;           // the last row
  std::size_t most_numbers_;
  double size_;                        // of the mechanism
  std::size_t seen_ = 0, every_ = 1;
};

}  // namespace jounce
