// Results as JSON, as `--json` has them and as every other door hands them on. The one header that needs a library beside Jounce:
// nlohmann-json, where it is included; <jounce/jounce.hpp> does not.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "jounce/api/inspect.hpp"
#include "jounce/api/run.hpp"
#include "jounce/api/types.hpp"

namespace jounce {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json to_json(const Problems& problems);
[[nodiscard]] Json to_json(const Outcome& outcome);
[[nodiscard]] Json to_json(const std::vector<Event>& events);

/// `problems`: those of reading the model and of the question together.
[[nodiscard]] Json check_json(const Mechanism& mechanism, const Check& check, const Problems& problems);
[[nodiscard]] Json explain_json(const Mechanism& mechanism, double t, const Explained& explained, const Problems& problems);
[[nodiscard]] Json explain_json(const Mechanism& mechanism, double t, const KaneExplainResult& explained, const Problems& problems);
[[nodiscard]] Json explain_json(const Mechanism& mechanism, double t, LinkageFormulation formulation, const ArraysExplainResult& explained, const Problems& problems);
[[nodiscard]] Json compare_json(const Mechanism& mechanism, const ComparisonResult& result, const Problems& problems);

[[nodiscard]] Json to_json(const RunStatistics& statistics, Analysis analysis);
/// Stability, modes and eigenvalues.
[[nodiscard]] Json to_json(const Equilibrium& rest);
[[nodiscard]] Json to_json(const OverRun& over);
/// Ranges of the drivers, and the fastest points, at most so many.
[[nodiscard]] Json extremes_json(const RunSummary& summary, std::size_t most_points);
/// Efforts, and the largest force in each joint.
[[nodiscard]] Json loads_json(const RunSummary& summary);
[[nodiscard]] Json to_json(const MomentumDrift& momentum);

/// A list: space, group, type, summary, equations or dofs, fields and snippet of each.
[[nodiscard]] Json types_json(std::span<const ElementType> types);

/// As text with two blanks of indentation; what is not a number or not Unicode becomes null or a replacement character.
[[nodiscard]] std::string json_text(const Json& json);

}  // namespace jounce
