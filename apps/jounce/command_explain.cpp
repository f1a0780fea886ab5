// jounce explain MODEL: every constraint and force laid open at one instant, in the letters of the equations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands.hpp"
#include "explain_arrays.hpp"
#include "explain_kane.hpp"
#include "explain_space.hpp"
#include "jounce/api/inspect.hpp"
#include "jounce/api/run.hpp"
#include "jounce/base/suggest.hpp"
#include "json.hpp"
#include "model_input.hpp"
#include "terminal.hpp"
#include "timed_run.hpp"

namespace jounce::app {
namespace {

// "  Φ                      0             -1.5e-17"
std::string row(std::string_view head, const auto& values) {
  std::string out = fmt::format("  {:<8}", head);
  for (const double value : values) out += fmt::format("{:>20.12g}", value + 0.0);  // no "-0"
  return out + '\n';
}

std::string heads(std::string_view head, std::initializer_list<std::string_view> names) {
  std::string out = fmt::format("  {:<8}", head);
  for (const std::string_view name : names) out += fmt::format("{:>20}", name);
  return out + '\n';
}

std::string text(const ExplainedBody& body) {
  static constexpr std::array kNames{"q", "q'", "q''", "q'''", "q''''"};
  std::string out = fmt::format("\nbody '{}'\n", toned(Tone::strong, body.name)) + heads("", {"x", "y", "phi"});
  for (std::size_t k = 0; k < kNames.size(); ++k) out += row(kNames[k], body.q[k]);
  return out;
}

std::string text(const ExplainedConstraint& c) {
  std::string out = fmt::format("\n{} '{}'  {}\n", c.group, toned(Tone::strong, c.name), c.type);
  out += row("Φ", c.phi) + row("ν", c.nu) + row("γ", c.gamma) + row("η", c.eta) + row("σ", c.sigma) + row("λ", c.lambda);
  if (!c.lambda_rate.empty()) out += row("λ'", c.lambda_rate);
  for (const ExplainedBlock& block : c.bodies) {
    out += fmt::format("  {}\n", block.body) + heads("", {"x", "y", "phi"});
    for (const auto& values : block.phi_q) out += row("Φq", values);
    out += row("κ", block.kappa);
  }
  return out;
}

std::string text(const ExplainedForce& f) {
  std::string out = fmt::format("\nforce '{}'  {}\n", toned(Tone::strong, f.name), f.type);
  if (!f.trouble.empty()) return out + fmt::format("  has no value here: {}\n", f.trouble);
  if (f.along == ExplainedForce::Along::length)
    out += heads("", {"l", "l'", "l''"}) + row("", f.measure) + heads("", {"f", "f'"}) + row("", f.effort);
  if (f.along == ExplainedForce::Along::angle)
    out += heads("", {"theta", "omega", "alpha"}) + row("", f.measure) + heads("", {"T", "T'"}) + row("", f.effort);
  for (const ExplainedForceBlock& block : f.bodies)
    out += fmt::format("  {}\n", block.body) + heads("", {"x", "y", "phi"}) + row("Q", block.Q) + row("Q'", block.Q_rate);
  return out;
}

// Which point of a body x and y belong to.
std::string reference(const Explanation& e) {
  std::vector<std::string> apart;
  for (const ExplainedBody& body : e.bodies)
    if (!body.at_origin) apart.push_back(body.name);
  std::string out = "The reference point of a body is its centre of mass";
  if (apart.empty()) return out + ", which is the body's origin for every body of this model.\n";
  return out + fmt::format(", which is not the body's origin for {}: x and y there are not those of the result columns.\n",
                           join_names(apart));
}

std::string text(const Mechanism& mechanism, const Explanation& e) {
  std::string out = fmt::format("{} at t = {:.12g} s\n", toned(Tone::strong, mechanism.name()), e.t) + reference(e);
  out += "Φq q' = ν,  Φq q'' = γ,  Φq q''' = η,  Φq q'''' = σ,  κ = (d/dt Φqᵀ) λ";
  out += fmt::format("  with λ: {}.\n", e.multipliers);
  for (const ExplainedBody& body : e.bodies) out += text(body);
  for (const ExplainedConstraint& constraint : e.constraints) out += text(constraint);
  if (!e.forces.empty()) out += "\nQ of a body is force and moment about its reference point; tension f pulls the ends together.\n";
  for (const ExplainedForce& force : e.forces) out += text(force);
  return out;
}

// Measures, equations and events as the model writes them, with the units that the results have.
std::string names_text(const Mechanism& mechanism) {
  const Model& model = mechanism.model();
  std::string out;
  const auto unit_of = [columns = result_columns(mechanism, Analysis::dynamics)](const std::string& name) {
    const auto found = std::ranges::find(columns, name, &Column::name);
    return found == columns.end() || found->unit.empty() ? std::string() : "[" + found->unit + "]";
  };
  if (!model.measures.empty()) out += "\nmeasures\n";
  for (const Parameter& measure : model.measures) out += fmt::format("  {:<20}{:<10} = {}\n", measure.name, unit_of(measure.name), measure.value.text);
  std::string equations;
  for (const Element& joint : model.joints)
    if (const Entry* of = joint.find("of"))
      if (const Text* text = std::get_if<Text>(&of->value)) equations += fmt::format("  {:<30} {} = 0\n", joint.name, text->text);
  if (!equations.empty()) out += "\nequations\n" + equations;
  if (!model.events.empty()) out += "\nevents\n";
  for (const EventSection& event : model.events)
    out += fmt::format("  {:<30} {} = 0, {}{}\n", event.name, event.when.text, event.direction ? event.direction->text : "both", event.stop ? ", ends the run" : "");
  return out;
}

struct WantedExplanation {
  double at = 0;
  std::vector<double> lambda;
};

Result<WantedExplanation> wanted(const ExplainOptions& options, const Mechanism& mechanism) {
  const std::optional<int> equations = multipliers(mechanism);
  WantedExplanation out;
  Problems problems;
  const auto take = [&](std::string_view option, const std::string& text) {
    const auto value = option_number(option, text, mechanism);
    if (!value) problems.insert(problems.end(), value.problems().begin(), value.problems().end());
    return value ? *value : 0.0;
  };
  if (options.at) out.at = take("--at", *options.at);
  if (!(out.at >= 0)) problems.push_back(error({}, fmt::format("--at {}: must be 0 or a later time", *options.at)));
  if (options.lambda && !equations)
    problems.push_back(error({}, "--lambda: kappa and its multipliers are explained for models of the plane only"));
  if (options.lambda && equations) {
    for (const std::string& text : comma_list(*options.lambda)) out.lambda.push_back(take("--lambda", text));
    if (static_cast<int>(out.lambda.size()) != *equations)
      problems.push_back(error({}, fmt::format("--lambda: expected {} numbers, one for each equation in the order of the file, "
                                               "found {}",
                                               *equations, out.lambda.size())));
  }
  if (!problems.empty()) return problems;
  return out;
}

// What is wrong with asking for a formulation; empty where nothing is.
std::string wrong_formulation(const ExplainOptions& options) {
  if (!options.formulation) return {};
  std::string names;
  for (const LinkageFormulation each : kLinkageFormulations) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", word(each));
  if (!linkage_formulation_of(*options.formulation))
    return fmt::format("--formulation {}: expected {}: the ones whose arrays explain shows", *options.formulation, names);
  if (!options.lambda) return {};
  return fmt::format("--lambda: expected without --formulation {}, whose multipliers follow from the forces", *options.formulation);
}

}  // namespace

int command_explain(const ExplainOptions& options) {
  if (const std::string wrong = wrong_formulation(options); !wrong.empty()) return refuse(options, wrong);
  Problems problems;
  const auto mechanism = load_model(options, problems);
  if (!mechanism) return kWrong;
  const auto asked = wanted(options, *mechanism);
  if (!asked) return refuse(options, asked.problems());
  const auto linkage = options.formulation ? linkage_formulation_of(*options.formulation) : std::nullopt;
  if (linkage == LinkageFormulation::kane && mechanism->space() != Space::three) return explain_by_kane(options, *mechanism, asked->at, std::move(problems));
  if (linkage && mechanism->space() != Space::three)
    return refuse(options, fmt::format("--formulation {}: expected 'kane', the one whose arrays explain shows of a model of the plane", *options.formulation));
  if (linkage) return explain_by_arrays(options, *mechanism, *linkage, asked->at, std::move(problems));

  const Explained result = explain(*mechanism, asked->at, asked->lambda);
  append(problems, result.problems);
  print_problems(problems, options.quiet);
  if (options.json) print_json(explain_json(*mechanism, asked->at, result, problems));
  else if (const auto* plane = std::get_if<Explanation>(&result.what)) print(text(*mechanism, *plane) + names_text(*mechanism));
  else if (const auto* space = std::get_if<SpaceExplanation>(&result.what)) print(explain_text(*mechanism, *space) + names_text(*mechanism));
  return result.reached() ? kDone : exit_code(result.outcome.kind);
}

}  // namespace jounce::app
