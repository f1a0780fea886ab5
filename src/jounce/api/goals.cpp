#include "jounce/api/goals.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "jounce/api/content.hpp"
#include "jounce/api/run_goals.hpp"
#include "jounce/plane/build/names.hpp"
#include "jounce/space/build/names.hpp"

namespace jounce {
namespace {

// Why a column that exists cannot stand in a goal of this analysis.
std::string why_not(const Mechanism& mechanism, Analysis analysis, std::string_view name) {
  std::string others;
  for (const Analysis other : kAnalyses) {
    if (other == analysis) continue;
    const std::vector<Column> columns = row_columns(mechanism, other);
    if (std::ranges::find(columns, name, &Column::name) != columns.end()) others.append(others.empty() ? "" : ", ").append(word(other));
  }
  if (others.empty()) return "";
  return "'" + std::string(name) + "' is not among the results of " + std::string(word(analysis)) + ": expected one of its columns (it is among those of " + others + ")";
}

}  // namespace

ReadGoals read_goals(const Mechanism& mechanism, Analysis analysis, std::vector<Column> columns, std::span<const Goal> goals, Problems& problems) {
  ReadGoals out{{}, std::move(columns), {}, false};
  std::vector<Parameter> written;
  for (const Goal& goal : goals) written.push_back({goal.name, {}, Text(goal.text, {1, 1}, true)});
  std::set<std::string, std::less<>> used;
  visit(mechanism, [&](const auto& m) {
    MechanismNames::Known known = named_of(m.bodies, out.columns);
    known.why_not = [&](std::string_view name) { return why_not(mechanism, analysis, name); };
    known.place = [&out, place = std::move(known.place)](std::string_view body, std::string_view point) { return out.of_places = true, place(body, point); };
    out.goals = compile_goals(written, {mechanism.model(), m.parameters, m.tables, std::move(known)}, used, problems);
  });
  for (const std::string& name : used) out.parameters.emplace(name, mechanism.parameters().at(name));
  return out;
}

bool ReadGoals::fit(const Mechanism& other, const std::vector<Column>& columns_of_other) const {
  if (of_places || columns_of_other != columns) return false;
  return std::ranges::all_of(parameters, [&](const auto& used) {
    const auto it = other.parameters().find(used.first);
    return it != other.parameters().end() && it->second == used.second;
  });
}

Problems check_goals(const Mechanism& mechanism, Analysis analysis, std::span<const Goal> goals) {
  Problems out;
  (void)read_goals(mechanism, analysis, row_columns(mechanism, analysis), goals, out);
  return out;
}

}  // namespace jounce
