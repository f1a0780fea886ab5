#include "jounce/mechanism/goals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "jounce/expr/tokens.hpp"
#include "jounce/expr/units.hpp"
#include "jounce/mechanism/numbers.hpp"

namespace jounce {
namespace {

std::optional<Reduction::Kind> reduction_called(std::string_view name) {
  const auto it = std::ranges::find(kReductions, name);
  if (it == kReductions.end()) return std::nullopt;
  return static_cast<Reduction::Kind>(it - kReductions.begin());
}

bool is_reduction(std::string_view name, std::size_t arguments) {
  const auto kind = reduction_called(name);
  return kind && (arguments == 1 || (*kind != Reduction::Kind::max && *kind != Reduction::Kind::min));
}

bool has_integral(Reduction::Kind kind) {
  return kind == Reduction::Kind::mean || kind == Reduction::Kind::rms || kind == Reduction::Kind::integral;
}

std::string unit_of(Reduction::Kind kind, const std::string& of) {
  if (kind == Reduction::Kind::time_of_max || kind == Reduction::Kind::time_of_min) return "s";
  return kind == Reduction::Kind::integral ? times_second(of) : of;
}

// The first call of a reduction in a text that stands in one already.
std::optional<Token> reduction_inside(std::string_view text) {
  for (Tokens tokens(text); tokens.current().kind != Token::Kind::end;) {
    const Token name = tokens.current();
    tokens.next();
    if (name.kind != Token::Kind::name || !tokens.current().is('(')) continue;
    Tokens ahead = tokens;
    if (const auto arguments = take_arguments(ahead); arguments && is_reduction(name.text, arguments->size())) return name;
  }
  return std::nullopt;
}

// What names mean outside of reductions: nothing that changes along a run.
class GoalNames : public NameSource {
 public:
  GoalNames(MechanismNames& inside, const Scope& constants) : inside_(inside), constants_(constants), varying_(constants) {
    varying_.variables.insert(varying_.variables.begin(), "t");
    varying_.names = &inside;
  }

  [[nodiscard]] std::vector<Reduction> take_reductions() { return std::move(found_); }

  [[nodiscard]] Meaning of_name(std::string_view name) override {
    Meaning out = name == "t" ? Meaning{.variable = "t"} : inside_.of_name(name);
    if (!out.variable && !out.text) return out;
    return changes(fmt::format("'{}'", name), std::string(name));
  }
  [[nodiscard]] std::vector<std::string> plain_names() const override { return inside_.plain_names(); }
  [[nodiscard]] std::size_t name_with_dashes(std::string_view text) const override { return inside_.name_with_dashes(text); }
  [[nodiscard]] bool takes_names(std::string_view function) const override { return inside_.takes_names(function); }
  [[nodiscard]] Meaning of_call(std::string_view function, std::span<const std::string>) override {
    return changes(fmt::format("'{}'", function), fmt::format("{}(…)", function));
  }
  [[nodiscard]] Meaning rate_of(const std::string& variable) override {
    return {.trouble = fmt::format("'rate': {} is one number of the whole run and has no rate", variable)};
  }
  [[nodiscard]] std::string unit_of(const std::string& variable) const override {
    const auto it = std::ranges::find(found_, variable, &Reduction::text);
    return it == found_.end() ? "" : jounce::unit_of(it->kind, it->of.unit());
  }
  [[nodiscard]] std::shared_ptr<const LookupTable> table(const TableQuestion& question, std::string& trouble) override {
    return inside_.table(question, trouble);
  }

  [[nodiscard]] bool reduces(std::string_view function, std::size_t arguments) const override { return is_reduction(function, arguments); }
  [[nodiscard]] std::vector<std::string> reductions() const override { return {kReductions.begin(), kReductions.end()}; }
  [[nodiscard]] Result<std::string> reduced(const Argument& call, std::string_view function, std::span<const Argument> arguments) override {
    const Reduction::Kind kind = *reduction_called(function);
    const std::size_t wanted = kind == Reduction::Kind::at ? 2 : 1;
    if (arguments.size() != wanted)
      return error({1, call.column}, fmt::format("'{}' takes {} argument{}, found {}", function, wanted, wanted == 1 ? "" : "s", arguments.size()),
                   kind == Reduction::Kind::at ? "at(piston.x, 0.25) is the value at t = 0.25 s" : "");
    if (const auto other = reduction_inside(arguments[0].text))
      return error({1, arguments[0].column + other->column - 1},
                   fmt::format("'{}' is one number of the whole run and cannot stand in '{}', which is of what changes", other->text, function));
    auto of = Expression::parse(arguments[0].text, varying_);
    if (!of) return moved(of.problems(), arguments[0].column);
    if (kind != Reduction::Kind::first && kind != Reduction::Kind::last)
      for (const std::string_view name : kKeptInBooks)
        if (of->uses(name))
          return error({1, call.column}, fmt::format("'{}' is known at the rows of a run alone: expected its 'first' or 'last', found '{}'", name, function));
    double time = 0;
    if (kind == Reduction::Kind::at) {
      const auto given = Expression::parse(arguments[1].text, constants_);
      if (!given) return moved(given.problems(), arguments[1].column);
      if (const auto fault = given->evaluate(std::span<const double>{}, time)) return error({1, arguments[1].column}, fault->sentence);
    }
    const std::string key(call.text);
    if (std::ranges::find(found_, key, &Reduction::text) != found_.end()) return key;
    found_.push_back({.kind = kind, .of = *std::move(of), .time = time, .text = key, .where = {1, call.column}});
    if (has_integral(kind)) add_rates(found_.back(), std::string(arguments[0].text));
    return key;
  }

 private:
  // With the rates of what is integrated fewer rows are asked for.
  void add_rates(Reduction& out, std::string text) {
    constexpr std::size_t kMostRates = 2;
    while (out.rates.size() < kMostRates) {
      text = "rate(" + text + ")";
      auto rate = Expression::parse(text, varying_);
      if (!rate) return;
      out.rates.push_back(*std::move(rate));
    }
  }
  static Meaning changes(const std::string& what, const std::string& example) {
    return {.trouble = fmt::format("{} changes along the run: expected one number of it, such as max({})", what, example)};
  }
  static Problems moved(Problems problems, int column) {
    for (Problem& problem : problems) problem.where.column += column - 1;
    return problems;
  }

  MechanismNames& inside_;
  Scope constants_, varying_;
  std::vector<Reduction> found_;
};

class Compile : Numbers {
 public:
  Compile(ResultNames&& names, std::set<std::string, std::less<>>& used) : Numbers(names.model, names.tables) {
    constants_.values = names.parameters;
    constants_.used = &used;
    name_results(names.known);
    names_.emplace(model_.measures, constants_, std::move(names.known), table_reader());
  }

  std::optional<RunGoal> goal(const Parameter& written, Problems& problems) {
    GoalNames own(*names_, constants_);
    Scope scope = constants_;
    scope.names = &own;
    auto value = Expression::parse(written.value.text, scope);
    std::ranges::move(problems_, std::back_inserter(problems));  // of tables
    problems_.clear();
    for (Problem problem : value.problems()) {
      if (problem.sentence == kToldElsewhere) continue;
      problem.where = inside(written.value.where, problem.where.column);
      problem.sentence = fmt::format("goal '{}': {}", written.name, problem.sentence);
      problems.push_back(std::move(problem));
    }
    if (!value) return std::nullopt;
    RunGoal out{written.name, written.value.where, *std::move(value), own.take_reductions()};
    for (Reduction& reduction : out.reductions) reduction.where = inside(written.value.where, reduction.where.column);
    return out;
  }

 private:
  static Where inside(Where where, int column) { return where.line > 0 ? Where{where.line, where.column + std::max(column - 1, 0)} : where; }

  std::optional<MechanismNames> names_;
};

}  // namespace

std::vector<RunGoal> compile_goals(std::span<const Parameter> goals, ResultNames names, std::set<std::string, std::less<>>& used, Problems& problems) {
  std::vector<RunGoal> out;
  Compile compile(std::move(names), used);
  std::set<std::string_view> taken;
  for (const Parameter& goal : goals) {
    if (goal.name.empty()) problems.push_back(error(goal.where, fmt::format("a goal has no name: expected one for \"{}\"", goal.value.text)));
    else if (!taken.insert(goal.name).second) problems.push_back(error(goal.where, fmt::format("goal '{}': there is another of this name", goal.name)));
    if (auto one = compile.goal(goal, problems)) out.push_back(*std::move(one));
  }
  return out;
}

}  // namespace jounce
