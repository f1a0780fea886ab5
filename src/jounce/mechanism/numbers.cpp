#include "jounce/mechanism/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "jounce/base/path.hpp"
#include "jounce/expr/parameters.hpp"
#include "jounce/mechanism/analysis.hpp"

namespace jounce {
namespace {

// The text cannot have been written like that: the reader has reported what stands there.
bool reported(const Text& text) { return text.text.empty() && text.where.line > 0; }

}  // namespace

std::string shown(double x) { return Text(x).text; }

void Numbers::complain(Where where, std::string sentence, std::string hint) {
  problems_.push_back(error(where, std::move(sentence), std::move(hint)));
}

void Numbers::parameters() {
  std::vector<WrittenParameter> written;
  for (const Parameter& p : model_.parameters)  // line k stands for the k-th parameter until its problems are placed
    written.push_back({p.name, p.value.text, {static_cast<int>(written.size()) + 1, 1}});
  auto result = evaluate_parameters(written);
  for (Problem problem : result.problems()) {
    const Parameter& p = model_.parameters[static_cast<std::size_t>(problem.where.line - 1)];
    if (reported(p.value)) continue;
    const Where where = p.value.where;
    problem.where = where.line > 0 ? Where{where.line, where.column + problem.where.column - 1} : where;
    if (!problem.sentence.starts_with("parameter")) problem.sentence = "parameter '" + p.name + "': " + problem.sentence;
    problems_.push_back(std::move(problem));
  }
  parameters_failed_ = !result;
  if (result) constants_.values = *std::move(result);
  // Parameters without a value are still known: as variables, so that nothing is computed with them.
  else
    for (const Parameter& p : model_.parameters) constants_.variables.push_back(p.name);
}

Scope Numbers::scope(std::vector<std::string> variables) const {
  Scope out{constants_.values, std::move(variables)};
  for (const std::string& name : constants_.variables)
    if (std::ranges::find(out.variables, name) == out.variables.end()) out.variables.push_back(name);
  return out;
}

std::optional<Expression> Numbers::parse(const Text& text, const Scope& scope, const std::string& who) {
  if (reported(text)) return std::nullopt;
  auto parsed = Expression::parse(text.text, scope);
  for (Problem problem : parsed.problems()) {
    if (problem.sentence == kToldElsewhere) continue;
    problem.where = {text.where.line, text.where.line > 0 ? text.where.column + std::max(problem.where.column - 1, 0) : 0};
    problem.sentence = who + ": " + problem.sentence;
    problems_.push_back(std::move(problem));
  }
  if (!parsed) return std::nullopt;
  return *std::move(parsed);
}

std::optional<double> Numbers::number(const Text& text, const std::string& who) {
  const auto expression = parse(text, constants_, who);
  if (!expression || !expression->is_constant()) return std::nullopt;
  double value = 0;
  if (const auto fault = expression->evaluate(std::span<const double>{}, value)) {
    complain({text.where.line, text.where.column + std::max(fault->column - 1, 0)}, who + ": " + fault->sentence);
    return std::nullopt;
  }
  return value;
}

std::optional<TimeFunction> Numbers::time_function(const Text& text, const std::string& who) {
  auto expression = parse(text, scope({"t"}), who);
  if (!expression || parameters_failed_) return std::nullopt;
  return TimeFunction(*std::move(expression));
}

std::optional<TimeFunction> Numbers::time_function(const TableFile& table, const std::string& who) {
  const std::string path = beside(model_.file, table.path.text);
  const auto known = known_.motions.find(path);
  auto spline = known != known_.motions.end() ? Result<QuinticSpline>(known->second) : read_table(path, &texts_at_hand(path));
  for (Problem problem : spline.problems()) {
    std::string place = who + ": ";
    if (problem.where.line == 0) {  // not in the table, but about the file itself
      problem.file.clear();
      problem.where = table.path.where;
      place += "'" + table.path.text + "': ";
    }
    problem.sentence = place + problem.sentence;
    problems_.push_back(std::move(problem));
  }
  if (!spline) return std::nullopt;
  tables_.motions.insert_or_assign(path, *spline);
  remember(path);
  return TimeFunction(*std::move(spline));
}

FileTexts& Numbers::texts_at_hand(const std::string& path) {
  if (const auto it = known_.texts.find(path); it != known_.texts.end()) tables_.texts.insert(*it);
  return tables_.texts;
}

void Numbers::remember(const std::string& path) {
  (void)texts_at_hand(path);
  if (std::ranges::find(tables_.paths, path) == tables_.paths.end()) tables_.paths.push_back(path);
}

std::shared_ptr<const LookupTable> Numbers::lookup_table(const NameSource::TableQuestion& question, std::string& trouble) {
  const std::string path = beside(model_.file, question.path);
  const std::string key = path + '\n' + question.column + '\n' + shown(question.period);
  for (const Tables* tables : {&std::as_const(tables_), &known_})
    if (const auto it = tables->lookups.find(key); it != tables->lookups.end())
      return remember(path), tables_.lookups[key] = it->second;
  // What is wrong in the file is told there, once; what is wrong with the file, where it is named.
  const auto tell = [&](const Problems& problems) {
    for (const Problem& problem : problems) {
      if (problem.where.line == 0)
        trouble = problem.sentence;
      else if (std::ranges::find(problems_, problem) == problems_.end())
        problems_.push_back(problem);
    }
  };
  const Result<TablePoints> points = read_points(path, question.column, &texts_at_hand(path));
  if (!points) return tell(points.problems()), nullptr;
  const Result<QuinticSpline> spline = question.period > 0 ? QuinticSpline::periodic(points->x, points->y, question.period)
                                                           : QuinticSpline::through(points->x, points->y);
  if (!spline) return tell(spline.problems()), nullptr;
  remember(path);
  return tables_.lookups[key] = std::make_shared<const LookupTable>(LookupTable{question.path, *spline, question.period});
}

std::optional<std::string> Numbers::curve_table(const TableFile& table, const std::string& who) {
  const std::string& path = table.path.text;
  if (path.find('\'') != std::string::npos) {
    complain(table.path.where, who + ": the name of a table must not contain a quote, found \"" + path + "\"");
    return std::nullopt;
  }
  std::string trouble;
  if (lookup_table({.path = path}, trouble)) return path;
  if (!trouble.empty()) complain(table.path.where, who + ": '" + path + "': " + trouble);
  return std::nullopt;
}

std::optional<TablePoints> Numbers::places(const TableFile& table, const std::string& who) {
  const std::string path = beside(model_.file, table.path.text);
  for (const Tables* tables : {&std::as_const(tables_), &known_})
    if (const auto it = tables->places.find(path); it != tables->places.end()) return remember(path), tables_.places[path] = it->second;
  const Result<TablePoints> found = read_places(path, &texts_at_hand(path));
  for (const Problem& problem : found.problems()) {
    if (problem.where.line == 0) complain(table.path.where, who + ": '" + table.path.text + "': " + problem.sentence);
    else if (std::ranges::find(problems_, problem) == problems_.end()) problems_.push_back(problem);
  }
  if (!found) return std::nullopt;
  remember(path);
  return tables_.places[path] = *found;
}

void Numbers::with_names(MechanismNames::Known& known) const {
  for (const auto* list : {&model_.joints, &model_.drivers, &model_.forces, &model_.couplings, &model_.loops})
    for (const Element& element : *list) known.others.push_back(element.name);
  for (const StopSection& stop : written_stops_) known.others.push_back(stop.name);
  known.bodies.push_back(model_.ground.name);
  for (const Body& body : model_.bodies) known.bodies.push_back(body.name);
}

std::optional<Numbers::WrittenStop> Numbers::stop(const StopSection& section) {
  const std::string who = "stop '" + section.name + "'";
  if (section.of.text.empty()) {
    if (section.where.line == 0) complain(section.where, who + ": of is missing: expected an expression in quotes");  // of a file it has been reported
    return std::nullopt;
  }
  if (!section.min && !section.max) {
    complain(section.where, who + ": min or max is missing: expected at least one bound");
    return std::nullopt;
  }
  const auto constant = [&](const Text& bound) -> std::optional<double> {
    const Result<Expression> value = Expression::parse(bound.text, scope({}));
    double out = 0;
    return !value || value->evaluate(std::span<const double>{}, out) ? std::nullopt : std::optional(out);
  };
  if (section.min && section.max)
    if (const auto low = constant(*section.min), high = constant(*section.max); low && high && !(*low < *high)) {
      complain(section.max->where, who + ": max: expected more than min, " + shown(*low) + ", found " + shown(*high));
      return std::nullopt;
    }
  WrittenStop out{{.name = section.name, .where = section.where}, {}};
  if (section.restitution) {
    const auto given = number(*section.restitution, who + ": restitution");
    if (!given) return std::nullopt;
    out.stop.restitution = *given;
    if (!(*given >= 0 && *given <= 1)) {
      complain(section.restitution->where, who + ": restitution: expected a number from 0 to 1, found " + shown(*given));
      return std::nullopt;
    }
  }
  // What is wrong with a part is told where it stands.
  if (!equation_law(section.of, who + ": of", Depends::of_stop)) return std::nullopt;
  if (section.min && !equation_law(*section.min, who + ": min", Depends::of_stop)) return std::nullopt;
  if (section.max && !equation_law(*section.max, who + ": max", Depends::of_stop)) return std::nullopt;
  for (const std::string& gap : gap_texts(section)) {
    Text whole(gap);
    whole.where = section.of.where;
    auto law = equation_law(whole, who, Depends::of_stop);
    if (!law) return std::nullopt;
    out.gaps.push_back(*std::move(law));
  }
  return out;
}

void Numbers::name_results(MechanismNames::Known& known) const {
  with_names(known);
  known.text = [this](std::string_view name) -> std::optional<std::string> {
    if (!name.ends_with(".gap")) return std::nullopt;
    const auto it = std::ranges::find(written_stops_, name.substr(0, name.size() - 4), &StopSection::name);
    return it == written_stops_.end() ? std::nullopt : std::optional(gap_text(*it));
  };
}

void Numbers::names_of_results(MechanismNames::Known known, std::vector<Measure>& measures, std::vector<WatchedEvent>& events) {
  name_results(known);
  MechanismNames names(model_.measures, constants_, std::move(known), table_reader());
  Problems found;
  measures = names.compile(found);
  std::ranges::move(gap_columns(written_stops_, names), std::back_inserter(measures));
  events = compile_events(model_.events, names, found);
  found.insert(found.end(), problems_.begin(), problems_.end());  // those of tables
  problems_ = std::move(found);
  sort_by_place(problems_);
  locate(problems_, model_.file);
}

MechanismNames::ReadTable Numbers::table_reader() {
  return [this](const NameSource::TableQuestion& question, std::string& trouble) { return lookup_table(question, trouble); };
}

std::optional<laws::StateExpression> Numbers::state_expression(const Text& text, std::vector<std::string> variables, const std::string& who) {
  Scope own = scope(std::move(variables));
  double number = 0;
  const char* end = text.text.data() + text.text.size();
  if (std::from_chars(text.text.data(), end, number).ptr != end) {
    if (!load_names_) load_names_ = std::make_unique<MechanismNames>(model_.measures, constants_, in_loads_.known(), table_reader());
    own.names = load_names_.get();
  }
  auto expression = parse(text, own, who);
  if (!expression || parameters_failed_) return std::nullopt;
  laws::StateExpression out{*std::move(expression)};
  for (std::size_t k = own.variables.size(); k < out.expression.variables().size(); ++k)
    out.quantities.push_back(in_loads_.quantity(out.expression.variables()[k]));
  return out;
}

std::optional<laws::LoadFunction> Numbers::load_function(const Text& text, const std::string& who) {
  auto law = state_expression(text, {"t"}, who);
  if (!law) return std::nullopt;
  if (law->quantities.empty()) return TimeFunction(std::move(law->expression));
  return laws::LoadFunction(*std::move(law));
}

std::optional<laws::EquationLaw> Numbers::equation_law(const Text& text, const std::string& who, Depends depends) {
  Scope own = scope({"t"});
  std::unique_ptr<MechanismNames>& names = depends == Depends::of_stop ? stop_names_ : equation_names_;
  if (!names) names = std::make_unique<MechanismNames>(model_.measures, constants_, in_equations_(depends), table_reader());
  own.names = names.get();
  const auto phi = parse(text, own, who);
  if (!phi || parameters_failed_) return std::nullopt;
  bool good = true;
  const auto derivative = [&](const std::string& by) {
    const auto found = Expression::derivative(text.text, own, by);
    if (found) return *found;
    complain(text.where, who + ": its derivative by '" + by + "': " + found.problems().front().sentence);
    good = false;
    return Expression::constant(0);
  };
  laws::EquationLaw out{*phi, {}, phi->uses("t") ? derivative("t") : Expression::constant(0), text.where};
  for (std::size_t k = own.variables.size(); k < phi->variables().size(); ++k) out.by_quantity.push_back(derivative(phi->variables()[k]));
  if (!good) return std::nullopt;
  return out;
}

void Numbers::judge_load_names() {
  for (const auto& names : {&load_names_, &equation_names_, &stop_names_})
    if (*names) std::ranges::move((*names)->take_problems(), std::back_inserter(problems_));
}

RunPlan Numbers::run_section() {
  RunPlan run;
  if (!model_.run) return run;
  run.written = true;
  const RunSection& written = *model_.run;
  if (written.analysis && !written.analysis->text.empty()) {
    run.analysis = written.analysis->text;
    if (!analysis_of(run.analysis))
      complain(written.analysis->where,
               "[run]: analysis: expected \"kinematics\", \"inverse\", \"dynamics\" or \"equilibrium\", found '" +
                   run.analysis + "'");
  }
  if (written.to) {
    if (const auto to = number(*written.to, "[run]: to")) {
      run.to = *to;
      if (!(*to > 0)) complain(written.to->where, "[run]: to: must be greater than 0, found " + shown(*to));
    }
  }
  if (written.steps) {
    if (const auto steps = number(*written.steps, "[run]: steps")) {
      if (!(*steps >= 1) || !(*steps <= 1e9) || *steps != std::floor(*steps))
        complain(written.steps->where, "[run]: steps: must be a whole number from 1 to 1e9, found " + shown(*steps));
      else
        run.steps = static_cast<int>(*steps);
    }
  }
  return run;
}

bool Numbers::joint_friction(const Entry& entry, Form form, const std::string& who, laws::JointFriction& out) {
  const auto* table = std::get_if<Table>(&entry.value);
  if (table == nullptr) return complain(entry.where, who + ": expected " + std::string(expected(form))), false;
  bool complete = true;
  const auto take = [&](const FieldInfo& field, double& to, bool positive) {
    const Table::Entry* own = table->find(field.key);
    const std::string key = who + ": " + std::string(field.key);
    if (own == nullptr && field.required) complain(table->where, who + ": '" + std::string(field.key) + "' is missing"), complete = false;
    const Text* text = own == nullptr ? nullptr : std::get_if<Text>(&own->value);
    if (own != nullptr && text == nullptr) complete = false;
    const auto found = text == nullptr ? std::nullopt : number(*text, key);
    if (text != nullptr && !found) complete = false;
    if (!found) return;
    to = *found;
    if (positive ? to > 0 : to >= 0) return;
    complain(text->where, key + (positive ? ": must be greater than 0, found " : ": must not be negative, found ") + shown(to));
    complete = false;
  };
  for (const FieldInfo& field : friction_fields(form)) {
    const bool radius = field.key == "radius";
    take(field, radius ? out.radius : field.key == "speed" ? out.speed : out.coefficient, radius);
  }
  out.given = complete;
  return complete;
}

}  // namespace jounce
