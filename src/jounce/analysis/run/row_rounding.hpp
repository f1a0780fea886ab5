// How well what follows from a row is known: the rounding of each number of a row is that of the largest of its kind, and a rate is not known better than what
// it is the rate of.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "jounce/analysis/run/row_expression.hpp"
#include "jounce/results/column.hpp"
#include "jounce/scalar/dual.hpp"

namespace jounce {

class RowRounding {
 public:
  /// What the rows are of.
  struct Scales {
    double seconds = 0;  ///< the run
    double metres = 0;   ///< a length typical of the mechanism
  };
  RowRounding(const std::vector<Column>& columns, const Scales& of);

  /// A row, in the order of time.
  void take(std::span<const double> row);
  /// Σ |∂f/∂x| · size of x, at a row: times the rounding of a number of size 1 it is that of f.
  [[nodiscard]] double size(const RowExpression& f, std::span<const double> row);

 private:
  struct Scale {
    double largest = 0;          // in the last rows
    std::ptrdiff_t length = -1;  // the scale of lengths or angles that it is a rate of, or itself
    double per_time = 1, least = 0;
  };
  std::vector<std::size_t> unit_of_;  // of each column, among the scales
  std::vector<Scale> scales_;
  std::vector<Dual<1>> duals_;
};

}  // namespace jounce
