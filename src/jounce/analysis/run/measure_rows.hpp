// Columns of measures, behind those of an analysis: each follows from the columns of its row, whichever analysis has filled it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/analysis/run/row_expression.hpp"
#include "jounce/mechanism/measures.hpp"
#include "jounce/results/column.hpp"

namespace jounce {

class MeasureRows {
 public:
  /// `of_rows`: the columns of the rows. A measure of what they do not have (an effort, in kinematics) has no column.
  MeasureRows(const std::vector<Measure>& measures, const std::vector<Column>& of_rows);

  [[nodiscard]] bool empty() const { return values_.empty(); }
  /// NAME, and NAME.rate where it has one.
  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }

  struct Trouble {
    std::string measure, sentence;
    Where where;
  };
  /// One number for each column. Something where a measure has no value; a rate that has none where its measure has is 0.
  [[nodiscard]] std::optional<Trouble> fill(std::span<const double> row, std::span<double> out);

 private:
  struct Value {
    const Measure* measure;
    RowExpression expression;
    bool rate = false;
  };
  void add(const Measure& measure, const Expression& expression, bool rate, const std::vector<Column>& of_rows);

  std::vector<Column> columns_;
  std::vector<Value> values_;
};

}  // namespace jounce
