#include "jounce/api/mechanism.hpp"

#include <fmt/format.h>

#include <array>

#include "jounce/api/content.hpp"
#include "jounce/base/column_endings.hpp"
#include "jounce/expr/expression.hpp"
#include "jounce/io/load.hpp"
#include "jounce/io/model_types.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/io/write_model.hpp"

namespace jounce {

namespace {

const Tables& tables_of(const Mechanism& mechanism) {
  return visit(mechanism, [](const auto& m) -> const Tables& { return m.tables; });
}

}  // namespace

const std::string& Mechanism::name() const {
  return visit(*this, [](const auto& m) -> const std::string& { return m.name; });
}
const std::string& Mechanism::file() const { return content_->model.file; }
const std::map<std::string, double, std::less<>>& Mechanism::parameters() const {
  return visit(*this, [](const auto& m) -> const auto& { return m.parameters; });
}
const RunPlan& Mechanism::run() const {
  return visit(*this, [](const auto& m) -> const RunPlan& { return m.run; });
}
std::vector<std::string> Mechanism::tables() const { return tables_of(*this).paths; }
const FileTexts& Mechanism::files() const { return tables_of(*this).texts; }
const Model& Mechanism::model() const { return content_->model; }
const Problems& Mechanism::problems() const { return content_->problems; }
std::string Mechanism::source() const { return content_->source.empty() ? write_model(model()) : content_->source; }

std::size_t Mechanism::coordinates() const {
  const auto* space = std::get_if<SpaceMechanism>(&content_->equations);
  return space != nullptr ? space->q.size() : rates();
}
std::size_t Mechanism::rates() const {
  const auto* space = std::get_if<SpaceMechanism>(&content_->equations);
  return space != nullptr ? space->dofs.size() : 3 * (std::get<PlaneMechanism>(content_->equations).bodies.size() - 1);
}

namespace {

std::vector<std::string> names_of_bodies(const PlaneMechanism& mechanism, const std::array<std::string_view, 3>& endings) {
  std::vector<std::string> out;
  for (const auto& body : std::span(mechanism.bodies).subspan(1))
    for (const std::string_view ending : endings) out.push_back(fmt::format("{}.{}", body.name, ending));
  return out;
}

// In the places that the joints have in the state.
std::vector<std::string> names_of_joints(const SpaceMechanism& mechanism, const columns::Stem& stem, std::size_t count, int tree::Attached::* first,
                                         int tree::Attached::* own) {
  std::vector<std::string> out(count);
  for (const SpaceJoint& joint : mechanism.joints)
    for (int k = 0; k < joint.links.*own; ++k) out[static_cast<std::size_t>(joint.links.*first + k)] = fmt::format("{}.{}{}", joint.name, stem.text, k + 1);
  return out;
}

}  // namespace

std::vector<std::string> Mechanism::coordinate_names() const {
  const auto* space = std::get_if<SpaceMechanism>(&content_->equations);
  if (space == nullptr) return names_of_bodies(std::get<PlaneMechanism>(content_->equations), {"x", "y", "phi"});
  return names_of_joints(*space, columns::kCoordinate, coordinates(), &tree::Attached::q, &tree::Attached::coordinates);
}
std::vector<std::string> Mechanism::rate_names() const {
  const auto* space = std::get_if<SpaceMechanism>(&content_->equations);
  if (space == nullptr) return names_of_bodies(std::get<PlaneMechanism>(content_->equations), {"vx", "vy", "vphi"});
  return names_of_joints(*space, columns::kRate, rates(), &tree::Attached::v, &tree::Attached::dofs);
}

Result<double> evaluate(std::string_view expression, const std::map<std::string, double, std::less<>>& parameters) {
  const auto parsed = Expression::parse(std::string(expression), Scope{parameters, {}});
  if (!parsed) {
    Problems problems;
    for (const Problem& p : parsed.problems()) problems.push_back(error({}, p.sentence, p.hint));
    return problems;
  }
  double value = 0;
  if (const auto fault = parsed->evaluate<double>({}, value)) return error({}, fault->sentence);
  return value;
}

Result<double> Mechanism::evaluate(std::string_view expression) const { return jounce::evaluate(expression, parameters()); }

namespace {

Result<Mechanism> made(ReadModel file, std::span<const Override> overrides, const Tables& known = {}, std::shared_ptr<const Holding> holding = {}) {
  const bool plane = file.model.space == Space::plane;
  use_own_words(file.model);
  const auto wrapped = [&](auto built) -> Result<Mechanism> {
    if (!built) return built.problems();
    Problems problems = built.problems();
    auto content = std::make_shared<const Mechanism::Content>(
        Mechanism::Content{std::move(file.model), problems, std::move(file.text), *std::move(built), holding});
    return {Mechanism(std::move(content)), std::move(problems)};
  };
  return plane ? wrapped(build_plane(file, overrides, known)) : wrapped(build_space(file, overrides, known));
}

}  // namespace

Result<Mechanism> Mechanism::with(std::span<const Override> overrides) const {
  ReadModel again;
  again.model = model();
  again.text = content_->source;
  return made(std::move(again), overrides, tables_of(*this));
}

Result<Mechanism> built_like(const Mechanism& mechanism, Model model) {
  ReadModel written;
  written.model = std::move(model);
  return made(std::move(written), {}, tables_of(mechanism));
}

Result<Mechanism> built_held(const Mechanism& mechanism, Model model, std::shared_ptr<const Holding> holding) {
  ReadModel written;
  written.model = std::move(model);
  written.text = mechanism.source();
  return made(std::move(written), {}, tables_of(mechanism), std::move(holding));
}

Result<Mechanism> Mechanism::with(std::initializer_list<std::pair<std::string, double>> parameters) const {
  std::vector<Override> overrides;
  for (const auto& [name, value] : parameters) overrides.emplace_back(name, Text(value).text);
  return with(overrides);
}

Result<Mechanism> Mechanism::load(const std::string& path, std::span<const Override> overrides) { return made(parse_model_file(path), overrides); }

Result<Mechanism> Mechanism::from_text(std::string_view text, std::string file, std::span<const Override> overrides, const FileTexts& files) {
  return made(parse_model(text, std::move(file)), overrides, {.motions = {}, .lookups = {}, .places = {}, .paths = {}, .texts = files});
}

Result<Mechanism> Mechanism::build(Model model) {
  ReadModel written;
  written.model = std::move(model);
  return made(std::move(written), {});
}

}  // namespace jounce
