#include "jounce/api/json.hpp"

namespace jounce {
namespace {

Json by_name(const std::vector<std::string>& names, const std::vector<double>& values) {
  Json out = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i) out[names[i]] = values[i];
  return out;
}

Json json(const Comparison& c, const ComparedFormulation& f) {
  if (!f.applies()) return {{"name", word(f.formulation)}, {"applies", false}, {"reason", f.reason}};
  return {{"name", word(f.formulation)},
          {"applies", true},
          {"accelerations", by_name(c.acceleration_columns, f.accelerations)},
          {"reactions", by_name(c.reaction_columns, f.reactions)},
          {"energy", {{"kinetic", f.kinetic}, {"potential", f.potential}}},
          {"unknowns", f.unknowns},
          {"seconds", f.seconds}};
}

// Nothing apart has no place.
Json json(const Comparison::Apart& apart) {
  Json out{{"relative", apart.relative}, {"column", Json()}, {"between", Json::array()}};
  if (apart.relative == 0) return out;
  out["column"] = apart.column;
  out["between"] = {word(apart.one), word(apart.other)};
  return out;
}

Json json(const Comparison& c) {
  Json formulations = Json::array();
  for (const ComparedFormulation& f : c.formulations) formulations.push_back(json(c, f));
  const Json disagreements{
      {"accelerations", json(c.accelerations)}, {"reactions", json(c.reactions)}, {"energy", json(c.energy)}};
  return {{"at", c.t},
          {"formulations", formulations},
          {"disagreement", c.disagreement()},
          {"condition", c.condition},
          {"allowed", c.allowed},
          {"agree", c.agree()},
          {"disagreements", disagreements},
          {"not_unique", c.not_unique}};
}

}  // namespace

Json compare_json(const Mechanism& mechanism, const ComparisonResult& result, const Problems& problems) {
  Json out{{"model", mechanism.file()}};
  if (result.comparison) out.update(json(*result.comparison));
  out["outcome"] = to_json(result.outcome);
  out["problems"] = to_json(problems);
  return out;
}

}  // namespace jounce
