#include "jounce/analysis/run/measure_rows.hpp"

#include <algorithm>

namespace jounce {

MeasureRows::MeasureRows(const std::vector<Measure>& measures, const std::vector<Column>& of_rows) {
  for (const Measure& measure : measures) {
    const std::size_t before = values_.size();
    add(measure, measure.value, false, of_rows);
    if (values_.size() > before && measure.rate) add(measure, *measure.rate, true, of_rows);
  }
}

void MeasureRows::add(const Measure& measure, const Expression& expression, bool rate, const std::vector<Column>& of_rows) {
  Value value{&measure, {expression, of_rows}, rate};
  if (!value.expression.lacking().empty()) return;
  columns_.push_back({rate ? measure.name + ".rate" : measure.name, rate ? measure.rate_unit : measure.unit, "measure", measure.name});
  values_.push_back(std::move(value));
}

std::optional<MeasureRows::Trouble> MeasureRows::fill(std::span<const double> row, std::span<double> out) {
  for (std::size_t k = 0; k < values_.size(); ++k) {
    Value& value = values_[k];
    out[k] = 0;
    if (auto fault = value.expression.evaluate(row, out[k]); fault && !value.rate) {
      Where where = value.measure->where;
      if (where.line > 0) where.column += std::max(fault->column - 1, 0);
      return Trouble{value.measure->name, fault->sentence, where};
    }
    out[k] += 0.0;  // no minus zero
  }
  return std::nullopt;
}

}  // namespace jounce
