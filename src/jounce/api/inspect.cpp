#include "jounce/api/inspect.hpp"

#include "jounce/api/content.hpp"

namespace jounce {
namespace {

Explained explained(auto&& from) {
  Explained out{std::move(from.outcome), std::move(from.problems), {}};
  if (from.explanation) out.what = *std::move(from.explanation);
  return out;
}

Explained refused(std::string sentence) { return {{}, {error({}, std::move(sentence))}, {}}; }

}  // namespace

Check check(const Mechanism& mechanism, const Stop& stop) {
  return visit(mechanism, [&](const auto& m) { return check(m, stop); });
}

std::optional<int> multipliers(const Mechanism& mechanism) {
  const auto* plane = std::get_if<PlaneMechanism>(&mechanism.content().equations);
  if (plane == nullptr) return std::nullopt;
  return plane->system.equations();
}

Explained explain(const Mechanism& mechanism, double t, const std::vector<double>& lambda, const Stop& stop) {
  const auto* plane = std::get_if<PlaneMechanism>(&mechanism.content().equations);
  if (plane == nullptr && !lambda.empty()) return refused("lambda: kappa and its multipliers are explained for models of the plane only");
  if (plane == nullptr) return explained(explain(std::get<SpaceMechanism>(mechanism.content().equations), t, stop));
  const auto expected = static_cast<std::size_t>(plane->system.equations());
  if (!lambda.empty() && lambda.size() != expected)
    return refused("lambda: expected " + std::to_string(expected) + " numbers, one for each equation in the order of the file, found " +
                   std::to_string(lambda.size()));
  return explained(explain(*plane, t, lambda, stop));
}

KaneExplainResult explain_kane(const Mechanism& mechanism, double t, const Stop& stop) {
  if (const auto* plane = std::get_if<PlaneMechanism>(&mechanism.content().equations)) return explain_kane(*plane, t, stop);
  return {{}, {error({}, "Kane's method: expected a model of the plane, found one in space: explain_arrays has its arrays")}, {}};
}

ArraysExplainResult explain_arrays(const Mechanism& mechanism, LinkageFormulation formulation, double t, const Stop& stop) {
  if (const auto* space = std::get_if<SpaceMechanism>(&mechanism.content().equations)) return explain_arrays(*space, formulation, t, stop);
  return {{}, {error({}, std::string(word(formulation)) + ": expected a model in space, found one of the plane: of these, explain shows the arrays of 'kane'")}, {}};
}

ComparisonResult compare(const Mechanism& mechanism, double t, const Stop& stop) {
  return visit(mechanism, [&](const auto& m) { return compare(m, t, stop); });
}

}  // namespace jounce
