#include "answers.hpp"

#include <utility>
#include <vector>

namespace jounce::studio {
namespace {

std::string as_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }
Answer of(const Json& json) { return {as_text(json), false}; }
Answer of_text(const std::string& text) { return of({{"text", text}}); }
Answer nothing_studied() { return refused("there is no model yet"); }

double time_of(const Json& request) {
  const auto it = request.find("t");
  return it != request.end() && it->is_number() ? it->get<double>() : 0;
}

}  // namespace

Json member(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it == object.end() ? Json() : *it;
}

double number(const Json& list, std::size_t k) { return list.is_array() && k < list.size() && list[k].is_number() ? list[k].get<double>() : 0; }

Json numbers(const std::vector<std::array<double, 3>>& origins) {
  Json out = Json::array();
  for (const auto& origin : origins)
    for (const double x : origin) out.push_back(x);
  return out;
}

Answer refused(const std::string& sentence) { return of({{"error", sentence}}); }

Answer csv(const Studied& last) {
  if (!last.mechanism || !last.drawn) return nothing_studied();
  const Units units = shown_units(*last.mechanism);
  const Trajectory& rows = last.run.results;
  std::vector<Column> columns;
  std::vector<std::size_t> kept;
  std::vector<double> factors;
  for (std::size_t c = 0; c < rows.columns().size(); ++c) {  // those that the program writes
    const Column& column = rows.columns()[c];
    if (stands_still(column)) continue;
    columns.push_back(column_shown(column, units, TableForm::text));
    kept.push_back(c);
    factors.push_back(units.of(column.unit).factor);
  }
  std::string out;
  CsvWriter writer(out);
  (void)writer.header(std::span<const Column>(columns));
  std::vector<double> row(kept.size());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t k = 0; k < kept.size(); ++k) row[k] = rows.column(kept[k])[i] * (units.si() ? 1 : factors[k]);
    (void)writer.row(row);
  }
  (void)writer.finish();
  return of_text(out);
}

Answer report(const Studied& last) {
  if (!last.mechanism || !last.drawn) return nothing_studied();
  const Result<std::string> data = report_data(*last.mechanism, last.run);
  return data ? of_text(*data) : refused(text(data.problems()));
}

Answer drawing(const Json& request, const Studied& last) {
  if (!last.mechanism) return nothing_studied();
  const Drawing drawn = draw(*last.mechanism, time_of(request));
  return drawn.svg.empty() ? refused(drawn.problems.empty() ? drawn.outcome.sentence : text(drawn.problems)) : of_text(drawn.svg);
}

Answer types() { return of({{"types", types_json(element_types())}}); }

}  // namespace jounce::studio
