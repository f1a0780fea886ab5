// S = Φq M⁻¹ Φqᵀ: the small symmetric system that gives the multipliers, in blocks of two rows.
//
// S has the graph of the joints: two of them meet in it when they share a body. The order of elimination is chosen once; then each
// block of S and of its factors L D Lᵀ is formed in one go from lists of what contributes to it. A row whose pivot vanishes
// against its own diagonal depends on the others: it is left out, its multiplier is 0, and it is reported.
//
// Where equations are redundant, which of them can be left out changes with the position, and a fixed order would sooner or later keep the
// wrong ones. Up to kDense rows S is then factored densely, the largest pivot first.
//
// Up to kSmall rows the inverse is formed, because a Taylor step solves some twenty times with one matrix.
#pragma once

#include <span>
#include <vector>

#include "jounce/math/lanes.hpp"

namespace jounce {

struct PairRecord;

/// Two equations (or one) that are eliminated together, and the bodies they are on.
struct SchurRow {
  struct Slot {
    int body = 0;    ///< 0, the ground, contributes nothing
    int record = 0;  ///< of the Jacobian
  };
  int place[2] = {-1, -1};  ///< in vectors; the second is −1 for a single equation
  std::vector<Slot> slots;
};

class SchurComplement {
 public:
  /// With more rows than this, triangular solves are cheaper than an inverse.
  static constexpr int kSmall = 44;
  /// A pivot below this fraction of its diagonal counts as zero: in the fixed order, and with the largest first.
  static constexpr double kRankTolerance = 1e-12, kPivotedTolerance = 1e-10;
  /// With a pivot below this the fixed order does not tell at the start whether equations are redundant: what rounding leaves of one that is may
  /// have grown on the way. The largest pivots first tell: that of a redundant one is then rounding, and one next to a dead position is more.
  static constexpr double kDoubtful = 1e-6, kSquareOfRounding = 1e-14;
  /// Redundant systems up to this size choose their pivots anew each time.
  static constexpr int kDense = 400;

  SchurComplement() = default;
  /// `inverse_mass`: three for each body, the ground first. `places`: length of the vectors to be solved for, a multiple of 4.
  SchurComplement(std::vector<SchurRow> rows, std::span<const double> inverse_mass, int places);

  /// Factors for these Jacobian records; `inverse`: many solves will follow.
  void factor(const PairRecord* jacobian, bool inverse);
  /// x = S⁻¹ r; places that are no row, and rows left out, get 0. r and x are aligned to 32 bytes and may be the same.
  void solve(const double* r, double* x);

  /// The smallest pivot against its diagonal, those left out not counted: near 0 the position is close to singular. NaN where the
  /// Jacobian is not finite.
  [[nodiscard]] double smallest_pivot() const { return smallest_pivot_; }
  /// Places of the rows that were left out.
  [[nodiscard]] std::span<const int> dropped() const { return dropped_; }
  [[nodiscard]] int rows() const { return real_rows_; }
  [[nodiscard]] int block_count() const { return static_cast<int>(factor_.size()); }

 private:
  struct Contribution {
    int left = 0, right = 0, body = 0;  // records of the two rows
  };
  struct Product {
    int left = 0, right = 0;  // blocks (i, k) and (j, k)
  };
  struct Block {
    int row = 0, column = 0;  // in elimination order
    int contributions = 0, products = 0;  // ends of its lists
  };

  void choose_order();
  void list_blocks();
  [[nodiscard]] Lanes product_sum(const Block& block, const Contribution*& from, const PairRecord* jacobian) const;
  void factor_in_order(const PairRecord* jacobian);
  void factor_pivoted(const PairRecord* jacobian, double tolerance);
  void solve_pivoted(const double* r, double* x);
  void weigh(const PairRecord* jacobian);
  [[nodiscard]] bool invert_pivot(const SchurRow& row, const Lanes& block, double diagonal_0, double diagonal_1, Lanes& inverse);
  [[nodiscard]] bool invert_poor_pivot(const SchurRow& row, const Lanes& block, double diagonal_0, double diagonal_1, Lanes& inverse);
  void substitute(const double* r);
  template <int kQuads>
  void multiply_inverse(const double* r, double* x) const;
  void form_inverse();

  std::vector<SchurRow> rows_;  // in elimination order after choose_order
  std::vector<std::vector<int>> structure_;  // rows below the diagonal of each column
  std::vector<double> inverse_mass_;
  int places_ = 0, real_rows_ = 0;

  std::vector<Block> blocks_;  // column by column, the diagonal first
  std::vector<int> column_start_;
  std::vector<Contribution> contributions_;
  std::vector<Product> products_;
  std::vector<int> row_start_, row_block_, row_column_;  // the blocks of each row, left of the diagonal

  std::vector<Lanes> weighted_;  // two for each record: Jacobian times inverse masses
  std::vector<int> record_body_;
  std::vector<Lanes> factor_;    // L by columns of the block: (l00, l10, l01, l11); the diagonal holds the inverse pivot
  std::vector<Lanes> scaled_;    // L D by rows: (u00, u01, u10, u11)
  std::vector<double> work_;     // two for each row
  std::vector<Lanes> inverse_, columns_;    // S⁻¹ by columns; four of them at work
  std::vector<int> row_place_, column_place_;  // where they go
  bool has_inverse_ = false;

  bool redundant_ = false, begun_ = false;
  std::vector<double> dense_, diagonal_;  // L of the pivoted factors, row by row in the order of pivots; what S had on its diagonal
  std::vector<int> pivots_;               // 2 · block row + half, the independent ones first
  int rank_ = 0;
  double smallest_pivot_ = 0, worst_pivot_ = 1, worst_diagonal_ = 1;
  std::vector<int> dropped_;
};

}  // namespace jounce
