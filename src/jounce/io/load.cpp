#include "jounce/io/load.hpp"

#include <algorithm>

#include "jounce/base/suggest.hpp"
#include "jounce/io/read_model.hpp"

namespace jounce {
namespace {

// The problems of reading and of building, each once, in the order of the file. Where reading failed, a warning adds nothing.
Problems merge(Problems reading, const Problems& building) {
  const std::size_t n = reading.size();
  for (const Problem& p : building) {
    const auto same_line = [&](const Problem& r) { return p.severity == Severity::warning && r.where.line == p.where.line; };
    const bool covered = std::any_of(reading.begin(), reading.begin() + static_cast<std::ptrdiff_t>(n), same_line);
    if (!covered && std::ranges::find(reading, p) == reading.end()) reading.push_back(p);
  }
  sort_by_place(reading);
  return reading;
}

void override_parameters(Model& model, std::span<const Override> overrides, Problems& problems) {
  for (const auto& [name, text] : overrides) {
    const auto it = std::ranges::find(model.parameters, name, &Parameter::name);
    if (it != model.parameters.end()) {
      it->value = Text(text, {}, true);
      continue;
    }
    std::vector<std::string> names;
    for (const Parameter& p : model.parameters) names.push_back(p.name);
    std::string sentence = "cannot set " + name + " = " + text + ": the model has no parameter '" + name + "'";
    if (const auto guess = nearest_name(name, names)) sentence += " (did you mean '" + *guess + "'?)";
    else sentence += " (it has " + join_names(names) + ")";
    problems.push_back(error({}, std::move(sentence)));
  }
}

}  // namespace

Result<Model> read(const std::string& path) {
  ReadModel file = parse_model_file(path);
  const Problems building = file.model.space == Space::plane ? build_plane(file.model).problems() : build_space(file.model).problems();
  const bool nothing_read = any_error(file.problems) && file.model.bodies.empty();
  Problems problems = nothing_read ? file.problems : merge(file.problems, building);
  if (any_error(problems)) return problems;
  return {std::move(file.model), std::move(problems)};
}

namespace {

template <class Built, class Build>
Result<Built> load_with(ReadModel& file, std::span<const Override> overrides, Build&& build_model) {
  override_parameters(file.model, overrides, file.problems);
  // Nothing readable: what building would say about an empty model helps nobody.
  if (any_error(file.problems) && file.model.bodies.empty()) return file.problems;
  auto built = build_model(file.model);
  Problems problems = merge(std::move(file.problems), built.problems());
  if (any_error(problems)) return problems;
  return {*std::move(built), std::move(problems)};
}

// "this is a spatial model: expected a mechanism in the plane", at the word that says so.
Problems other_space(ReadModel file, const char* sentence) {
  file.problems.push_back(error(file.space, sentence));
  locate(file.problems, file.model.file);
  sort_by_place(file.problems);
  return std::move(file.problems);
}

}  // namespace

Result<PlaneMechanism> build_plane(ReadModel& file, std::span<const Override> overrides, const Tables& known) {
  return load_with<PlaneMechanism>(file, overrides, [&](const Model& model) { return build_plane(model, known); });
}
Result<SpaceMechanism> build_space(ReadModel& file, std::span<const Override> overrides, const Tables& known) {
  return load_with<SpaceMechanism>(file, overrides, [&](const Model& model) { return build_space(model, known); });
}

Result<PlaneMechanism> load_plane(const std::string& path, std::span<const Override> overrides) {
  ReadModel file = parse_model_file(path);
  if (file.model.space != Space::plane)
    return other_space(std::move(file), "space: this is a spatial model: expected a mechanism in the plane");
  return build_plane(file, overrides);
}

Result<SpaceMechanism> load_space(const std::string& path, std::span<const Override> overrides) {
  ReadModel file = parse_model_file(path);
  if (file.model.space != Space::three && !(any_error(file.problems) && file.model.bodies.empty()))
    return other_space(std::move(file), "space: this is a planar model: expected space = \"3d\"");
  return build_space(file, overrides);
}

}  // namespace jounce
