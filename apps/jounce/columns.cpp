#include "columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jounce/base/suggest.hpp"
#include "jounce/results/trajectory.hpp"
#include "model_input.hpp"

namespace jounce::app {
namespace {

// "driver 'motor'": the element of this name that is no body.
std::string element_text(const std::string& name, const Model& model) {
  const auto among = [&](const std::vector<Element>& elements, const char* kind) {
    return std::ranges::find(elements, name, &Element::name) != elements.end() ? fmt::format("{} '{}'", kind, name) : "";
  };
  return among(model.joints, "joint") + among(model.drivers, "driver") + among(model.loops, "loop") + among(model.couplings, "coupling") +
         among(model.forces, "force");
}

// The same when it has no column at all.
std::string without_columns(const std::string& name, const Mechanism& mechanism, const std::vector<std::string>& all) {
  if (std::ranges::any_of(all, [&](const std::string& column) { return column.starts_with(name + "."); })) return {};
  return element_text(name, mechanism.model());
}

std::string unmatched(const std::string& pattern, const Mechanism& mechanism, std::string_view analysis,
                      const std::vector<std::string>& all) {
  std::string sentence = fmt::format("--columns: no column matches '{}'", pattern);
  const std::string owner = without_columns(pattern.substr(0, pattern.find('.')), mechanism, all);
  if (!owner.empty()) return sentence + fmt::format(" ({} has no columns in {})", owner, analysis);
  if (pattern.find('*') == pattern.npos)
    if (const auto guess = nearest_name(pattern, all)) return sentence + " (did you mean '" + *guess + "'?)";

  // "crnk.*": what stands before the last dot may be misspelt
  std::vector<std::string> owners;
  for (const std::string& column : all) {
    const std::size_t dot = column.rfind('.');
    if (dot == column.npos) continue;
    if (const std::string name = column.substr(0, dot); std::ranges::find(owners, name) == owners.end()) owners.push_back(name);
  }
  const std::size_t dot = pattern.rfind('.');
  const auto guess = nearest_name(pattern.substr(0, dot), owners);
  if (!guess) return sentence + fmt::format(" (columns belong to {})", join_names(owners));
  // the name is right and the rest is not: show what there is
  if (dot != pattern.npos && *guess == pattern.substr(0, dot)) {
    std::vector<std::string> own;
    for (const std::string& column : all)
      if (column.rfind('.') == dot && column.starts_with(*guess + ".")) own.push_back(column.substr(dot + 1));
    return sentence + fmt::format(" ('{}' has {})", *guess, join_names(own, 20));
  }
  return sentence + fmt::format(" (did you mean '{}{}'?)", *guess, dot == pattern.npos ? ".*" : pattern.substr(dot));
}

}  // namespace

void choose_columns(const std::optional<std::string>& patterns, const Mechanism& mechanism, std::string_view analysis,
                    const std::vector<Column>& columns, const std::vector<std::string>& on_demand, std::vector<std::string>& names,
                    std::vector<std::size_t>& kept, Problems& problems) {
  if (!patterns) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (!stands_still(columns[c])) kept.push_back(c), names.push_back(columns[c].name);
    return;
  }
  const std::vector<std::string> all = names_of(columns);
  const std::vector<std::string> list = comma_list(*patterns);
  if (list.empty()) problems.push_back(error({}, "--columns: expected names such as \"crank.*,rod.phi\""));
  std::vector<std::string> nothing;
  kept = select_columns(all, on_demand, list, nothing);
  for (const std::size_t c : kept) names.push_back(c < all.size() ? all[c] : on_demand[c - all.size()]);
  for (const std::string& pattern : nothing) problems.push_back(error({}, unmatched(pattern, mechanism, analysis, all)));
}

}  // namespace jounce::app
