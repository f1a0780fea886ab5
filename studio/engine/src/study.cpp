#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "answers.hpp"

namespace jounce::studio {
namespace {

std::string text_of(const Json& object, const char* key, const std::string& otherwise = {}) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : otherwise;
}

// The tables that the page has handed along, and what else a model asked for.
class HandedFiles {
 public:
  explicit HandedFiles(const Json& request) : folder_(text_of(request, "file")) {
    folder_.resize(folder_.rfind('/') + 1);
    if (const auto it = request.find("tables"); it != request.end() && it->is_object())
      for (const auto& [path, text] : it->items())
        if (text.is_string()) texts_[path] = text.get<std::string>();
  }

  Result<std::string> read(const std::string& path) {
    const std::string written = path.starts_with(folder_) ? path.substr(folder_.size()) : path;
    if (const auto it = texts_.find(written); it != texts_.end()) return it->second;
    if (std::ranges::find(missing_, written) == missing_.end()) missing_.push_back(written);
    return error({}, "No such file or directory");
  }

  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

 private:
  std::string folder_;
  std::map<std::string, std::string, std::less<>> texts_;
  std::vector<std::string> missing_;
};

Json located(const Problems& problems) {
  Json out = Json::array();
  for (const Problem& problem : problems)
    out.push_back({{"severity", problem.severity == Severity::error ? "error" : "warning"},
                   {"message", problem.sentence + (problem.hint.empty() ? "" : " (" + problem.hint + ")")},
                   {"line", problem.where.line},
                   {"column", problem.where.column},
                   {"text", problem.text()}});
  return out;
}

bool has_masses(const Model& model) {
  return std::ranges::any_of(model.bodies, [](const Body& body) { return body.mass || body.inertia || body.inertia_matrix; });
}

// What fits a model that does not say what to run: motions that all are given are followed, with what they take where something has a mass or pulls;
// what is free swings.
std::optional<Analysis> fitting(const Mechanism& mechanism, const Check& found) {
  const Model& model = mechanism.model();
  const bool moves = found.mobility.mobility > 0;
  if (!found.assembly.assembled || !moves) return std::nullopt;
  if (found.mobility.undriven == static_cast<int>(found.mobility.idle.size()))
    return has_masses(model) || !model.forces.empty() ? Analysis::inverse : Analysis::kinematics;
  return has_masses(model) ? std::optional(Analysis::dynamics) : std::nullopt;
}

std::string mobility_text(const Mobility& mobility) {
  const auto counted = [](int n, const std::string& one, const std::string& more) { return std::to_string(n) + " " + (n == 1 ? one : more); };
  std::string out = counted(mobility.mobility, "degree of freedom", "degrees of freedom");
  if (mobility.undriven > 0 && mobility.undriven < mobility.mobility) out += ", " + std::to_string(mobility.undriven) + " of them not driven";
  if (mobility.redundant > 0) out += ", " + counted(mobility.redundant, "redundant equation", "redundant equations");
  if (mobility.counted != mobility.mobility) out += " (counted: " + std::to_string(mobility.counted) + ")";
  return out;
}

// The joints whose equations repeat each other.
Json redundant(const Mobility& mobility) {
  Json out = Json::array();
  for (const DependentSet& set : mobility.dependent) out.push_back(join_names(set.names));
  return out;
}

struct Wanted {
  std::optional<Analysis> analysis;
  Options options;
};

Wanted wanted(const Json& request, const Mechanism& mechanism, const Check& found) {
  Wanted out;
  const RunPlan& plan = mechanism.run();
  if (const std::string asked = text_of(request, "analysis"); !asked.empty()) out.analysis = analysis_of(asked);
  else if (plan.written) out.analysis = analysis_of(plan.analysis);
  else out.analysis = fitting(mechanism, found);
  out.options.to = plan.to;
  out.options.steps = plan.steps;
  if (const auto it = request.find("to"); it != request.end() && it->is_number()) out.options.to = it->get<double>();
  if (const auto it = request.find("steps"); it != request.end() && it->is_number()) out.options.steps = it->get<int>();
  return out;
}

// Goals that can be read; what is wrong with the others goes to the problems.
std::vector<Goal> goals_of(const Json& request, const Mechanism& mechanism, Analysis analysis, Problems& problems) {
  std::vector<Goal> out;
  const auto it = request.find("goals");
  if (it == request.end() || !it->is_array()) return out;
  for (const Json& goal : *it) {
    const Goal one{text_of(goal, "name"), text_of(goal, "text")};
    Problems wrong = check_goals(mechanism, analysis, std::span(&one, 1));
    if (wrong.empty()) out.push_back(one);
    for (Problem& problem : wrong) problem.where = {}, problems.push_back(std::move(problem));
  }
  return out;
}

// A page keeps every number of a run, twice.
std::optional<Problem> too_large(const Mechanism& mechanism, Analysis analysis, int steps) {
  constexpr std::size_t kMostNumbers = 12'000'000;
  const std::size_t columns = result_columns(mechanism, analysis).size(), rows = static_cast<std::size_t>(std::max(steps, 0)) + 1;
  if (rows <= kMostNumbers / columns) return std::nullopt;
  const std::optional<RunSection>& written = mechanism.model().run;
  return error(written && written->steps ? written->steps->where : Where{}, "run: expected at most " + std::to_string(kMostNumbers / columns) + " rows of " + std::to_string(columns) +
                                          " columns on a page, found steps = " + std::to_string(steps), "jounce run writes as many as a disk holds");
}

Json goal_numbers(const std::vector<GoalValue>& goals) {
  Json out = Json::array();
  for (const GoalValue& goal : goals) out.push_back({{"name", goal.name}, {"value", goal.value ? Json(*goal.value) : Json(nullptr)}, {"unit", goal.unit}});
  return out;
}

std::vector<Override> parameters_of(const Json& request) {
  std::vector<Override> out;
  if (const auto it = request.find("parameters"); it != request.end() && it->is_object())
    for (const auto& [name, value] : it->items())
      if (value.is_number()) out.emplace_back(name, Text(value.get<double>()).text);
  return out;
}

Json facts_of(const Mechanism& mechanism, const Check& found, const Wanted& asked, bool ran, const HandedFiles& files) {
  Json parameters = Json::object();
  for (const auto& [name, value] : mechanism.parameters()) parameters[name] = value;
  const Mobility& mobility = found.mobility;
  return {{"name", mechanism.name()},
          {"space", mechanism.space() == Space::plane ? "plane" : "3d"},
          {"parameters", std::move(parameters)},
          {"freedom", mobility.mobility},
          {"driven", mobility.undriven},
          {"mobility", mobility_text(mobility)},
          {"redundant", redundant(mobility)},
          {"assembled", found.assembly.assembled},
          {"analysis", ran && asked.analysis ? Json(word(*asked.analysis)) : Json(nullptr)},
          {"to", asked.options.to},
          {"steps", asked.options.steps},
          {"missing", files.missing()}};
}

std::string as_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

Answer study(const Json& request, Studied& last) {
  last = {};
  const auto files = std::make_shared<HandedFiles>(request);
  set_file_provider([files](const std::string& path, std::size_t) { return files->read(path); });
  auto mechanism = Mechanism::from_text(text_of(request, "text"), text_of(request, "file", "model.toml"), parameters_of(request));
  if (!mechanism)
    return {R"({"problems":)" + as_text(located(mechanism.problems())) + R"(,"model":null,"document":null,"goals":[],"missing":)" + as_text(files->missing()) + "}",
            false};
  last.mechanism = *mechanism;
  Problems problems = mechanism->problems();

  const Check found = jounce::check(*mechanism);
  Wanted asked = wanted(request, *mechanism, found);
  bool ran = false;
  if (asked.analysis)
    if (std::optional<Problem> large = too_large(*mechanism, *asked.analysis, asked.options.steps)) {
      problems.push_back(*std::move(large));
      asked.analysis.reset();
    }
  if (asked.analysis) {
    asked.options.goals = goals_of(request, *mechanism, *asked.analysis, problems);
    last.run = run(*mechanism, *asked.analysis, asked.options);
    ran = last.run.results.rows() > 0;
  }
  if (!ran) {  // it is drawn where it stands
    Run still = standing(*mechanism);
    if (asked.analysis) {
      still.outcome = std::move(last.run.outcome);
      still.problems = std::move(last.run.problems);
      still.goals = std::move(last.run.goals);
    }
    last.run = std::move(still);
  }
  append(problems, last.run.problems);
  const Result<std::string> document = report_document(*mechanism, last.run);
  last.drawn = static_cast<bool>(document);
  if (!document) append(problems, document.problems());

  std::string out = R"({"problems":)" + as_text(located(problems)) + R"(,"model":)" + as_text(facts_of(*mechanism, found, asked, ran, *files));
  out += R"(,"goals":)" + as_text(goal_numbers(last.run.goals)) + R"(,"missing":)" + as_text(files->missing()) + R"(,"document":)";
  out += (document ? *document : "null") + "}";
  return {std::move(out), last.drawn};
}

}  // namespace jounce::studio
