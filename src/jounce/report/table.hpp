// The rows of a run as a page carries them: as many as it can hold, evenly spaced, and what each column is.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/math/vec2.hpp"
#include "jounce/report/columns.hpp"
#include "jounce/report/scene.hpp"

namespace jounce {

struct ReportColumn {
  /// A point fixed in a body: its columns follow from the body's, and are not kept.
  struct From {
    int body = 0;    ///< 0: the ground, which has no columns and does not move
    Vec2<double> p;  ///< from the body's origin, in its axes
  };

  std::string name;
  ColumnInfo info;
  std::optional<From> from;
};

/// Takes rows as a run makes them. When there are too many it keeps every second one from then on; the last one is always kept.
class ReportTable {
 public:
  static constexpr std::size_t kMostNumbers = 4'000'000;

  /// `columns`: the names of all columns of the rows.
  ReportTable(const Scene& scene, const std::vector<std::string>& columns, std::size_t most_numbers = kMostNumbers);

  void take(std::span<const double> row);

  [[nodiscard]] const std::vector<ReportColumn>& columns() const { return columns_; }
  [[nodiscard]] std::size_t rows_seen() const { return seen_; }
  [[nodiscard]] std::size_t every() const { return every_; }  ///< which rows are kept
  [[nodiscard]] bool thinned() const { return every_ > 1; }
  /// Kept, with the last one.
  [[nodiscard]] std::size_t samples() const;
  /// The columns that do not follow from others, in their order.
  [[nodiscard]] std::vector<std::vector<double>> stored() const;

 private:
  void thin();

  std::vector<ReportColumn> columns_;
  std::vector<std::size_t> kept_;  // which columns are stored
  std::vector<double> numbers_;    // row by row
  std::vector<double> last_;       // the last row
  std::size_t most_rows_;
  std::size_t seen_ = 0, every_ = 1;
};

}  // namespace jounce
