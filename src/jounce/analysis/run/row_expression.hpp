// An expression of the columns of a row: where its variables stand there, and its value.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/expr/expression.hpp"
#include "jounce/results/column.hpp"

namespace jounce {

/// Fills a row at a time of the last step of a run; false where there is none.
using RowAt = std::function<bool(double t, std::span<double> row)>;

class RowExpression {
 public:
  /// Its variables are columns by their names.
  RowExpression(const Expression& expression, const std::vector<Column>& columns) : expression_(expression) {
    for (const std::string& variable : expression.variables()) {
      const auto it = std::ranges::find(columns, variable, &Column::name);
      if (it == columns.end() && expression.uses(variable) && lacking_.empty()) lacking_ = variable;
      from_.push_back(it == columns.end() ? 0 : static_cast<std::size_t>(it - columns.begin()));
    }
    variables_.resize(from_.size());
  }

  /// A column that the rows do not have; empty: they have all.
  [[nodiscard]] const std::string& lacking() const { return lacking_; }
  [[nodiscard]] const Expression& expression() const { return expression_; }
  /// Places in the row, of each variable.
  [[nodiscard]] const std::vector<std::size_t>& from() const { return from_; }

  [[nodiscard]] std::optional<ExpressionFault> evaluate(std::span<const double> row, double& out) {
    for (std::size_t v = 0; v < from_.size(); ++v) variables_[v] = row[from_[v]];
    return expression_.evaluate(std::span<const double>(variables_), out);
  }

 private:
  Expression expression_;
  std::vector<std::size_t> from_;
  std::string lacking_;
  std::vector<double> variables_;
};

}  // namespace jounce
