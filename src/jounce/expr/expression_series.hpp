// The Taylor coefficients of an expression, one order at a time: coefficient k as soon as coefficients 0 … k of the variables
// are known. The work at order k grows with k alone; nothing is computed twice.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "jounce/expr/expression.hpp"
#include "jounce/expr/growing_series.hpp"

namespace jounce {

class ExpressionSeries {
 public:
  /// `order`: the highest that will be asked for.
  ExpressionSeries(const Expression& expression, int order);

  /// Fills `out` with coefficient k, or says what evaluating the expression on series of order k would say and leaves `out`
  /// alone. `variables[v]` points to the coefficients 0 … k of variable v. Orders come in turn: 0, 1, 2, …; an order may be
  /// asked for again, with other coefficients k, and k = 0 starts anew. Allocates nothing when it succeeds.
  ///
  /// A kink is met at the order where it shows: abs(v) at v = 0 is 0 at order 0, and a fault at the first order where v varies.
  [[nodiscard]] std::optional<ExpressionFault> coefficient(int k, std::span<const double* const> variables, double& out);

 private:
  Expression expression_;
  int order_;
  int known_ = 0;                       // orders already computed
  std::vector<std::size_t> first_row_;  // of every instruction, then the number of rows
  CoefficientRows rows_;
  std::vector<GrowingSeries> variables_;
};

}  // namespace jounce
