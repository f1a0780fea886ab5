// Sparse LU factors of a rectangular matrix, pivoted once and then refactored with the same pivots.
//
// A mechanism's Jacobian keeps its pattern while its numbers change from sample to sample. `factor` chooses the pivots (columns
// ordered to keep the factors sparse, rows by size, left-looking as Gilbert and Peierls) and remembers where the factors have
// entries; `refactor` only redoes the arithmetic, and says so when a pivot is no longer a good one. There may be more rows than
// columns: the rows that were not needed stay in the factors as candidates, so redundant equations are checked, not
// forgotten, and can take over when the chosen ones degenerate. A column without an acceptable pivot is skipped: the rank is known.
#pragma once

#include <span>
#include <vector>

namespace jounce {

/// Where a matrix can have entries, by columns.
struct SparsePattern {
  int rows = 0, columns = 0;
  std::vector<int> start;  ///< columns + 1 places in `row`
  std::vector<int> row;    ///< ascending within a column

  [[nodiscard]] int entries() const { return static_cast<int>(row.size()); }
};

class SparseLu {
 public:
  /// A pivot is chosen among those within this factor of the largest of its column; sparser rows win.
  static constexpr double kPivotThreshold = 0.1;
  /// A remembered pivot is kept as long as it is within this factor of the largest of its column.
  static constexpr double kRefactorThreshold = 0.02;
  /// With spare rows: a row is exchanged for a spare one that needs more than this much of it.
  static constexpr double kExchange = 1.2;
  /// A pivot below this fraction of its column's largest entry counts as zero.
  static constexpr double kRankTolerance = 1e-11;

  SparseLu() = default;
  explicit SparseLu(SparsePattern pattern);

  /// Rows are compared after multiplication by these weights (their units differ). All 1 at the start.
  void set_weights(std::span<const double> weights);

  /// Chooses pivots for these values (in the order of the pattern) and factors.
  void factor(std::span<const double> values);
  /// Factors with the pivots chosen before; false when they no longer serve, and nothing is factored then.
  [[nodiscard]] bool refactor(std::span<const double> values);
  /// Refactors, or factors anew where that fails; with more rows than columns, exchanges pivot rows until they are about as
  /// well conditioned as the whole matrix is.
  void update(std::span<const double> values);

  [[nodiscard]] const SparsePattern& pattern() const { return pattern_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] bool full_column_rank() const { return rank_ == pattern_.columns; }

  /// Solves A x = b by the pivot rows; needs full column rank. What is left of the other rows (their misfit) stays behind in
  /// `misfit()`. b has one entry per row, x one per column.
  void solve(std::span<const double> b, std::span<double> x);
  /// Largest weighted misfit of the rows that were not pivots, after `solve`.
  [[nodiscard]] double misfit() const { return misfit_; }
  /// Solves Aᵀ y = c over the pivot rows (the others get 0); needs full column rank.
  void solve_transposed(std::span<const double> c, std::span<double> y);

  /// The original rows that are pivots, in the order of elimination, and those left over.
  [[nodiscard]] std::span<const int> pivot_rows() const { return {row_order_.data(), static_cast<std::size_t>(rank_)}; }
  [[nodiscard]] std::span<const int> spare_rows() const {
    return {row_order_.data() + rank_, row_order_.size() - static_cast<std::size_t>(rank_)};
  }
  /// Columns that found no pivot.
  [[nodiscard]] std::span<const int> free_columns() const { return free_columns_; }

  /// Estimates the smallest singular value of the matrix with its rows multiplied by the weights and its columns by `units`, by
  /// inverse iteration from `direction`, which is improved on the way; 0 without full column rank. Along a motion one iteration
  /// a step is enough, the direction of the last step being a good start. With spare rows it is that of the pivot rows.
  [[nodiscard]] double smallest_stretch(std::span<const double> units, std::span<double> direction, int iterations);

  /// The determinant as mantissa · 2^exponent, its sign independent of the order of elimination (square, full rank only).
  struct Determinant {
    double mantissa = 0;
    long exponent = 0;
  };
  [[nodiscard]] Determinant determinant() const;
  /// Counts the calls of `factor`: two determinants compare in size only when it is the same.
  [[nodiscard]] int pivoting() const { return pivoting_; }
  /// Entries of L and U together, diagonal included.
  [[nodiscard]] int factor_entries() const { return static_cast<int>(l_value_.size() + u_value_.size() + diagonal_.size()); }

 private:
  struct Exchange {
    int spare = -1, step = -1;
  };
  [[nodiscard]] Exchange worthwhile_exchange(std::span<const double> values);

  SparsePattern pattern_;
  std::vector<int> column_order_;  // step → column
  std::vector<double> weight_;     // by original row
  std::vector<int> row_count_;     // entries per row, the tie-breaker
  std::vector<char> barred_;       // rows that must not be pivots
  std::vector<int> row_start_, row_entry_;  // the entries of each row: column and place in the pattern
  std::vector<int> row_column_;

  // After `factor`, rows are numbered by elimination step, spare rows behind them.
  std::vector<int> row_order_;   // step → original row
  std::vector<int> step_column_; // step → original column
  std::vector<int> a_row_;       // the pattern's rows, renumbered
  std::vector<int> l_start_, l_row_, u_start_, u_row_;
  std::vector<double> l_value_, u_value_, diagonal_, step_weight_;
  std::vector<int> free_columns_;
  std::vector<double> work_, right_, row_values_, shares_, stretched_;

  int rank_ = 0;
  int parity_ = 1;
  int pivoting_ = 0;
  double misfit_ = 0;
};

}  // namespace jounce
