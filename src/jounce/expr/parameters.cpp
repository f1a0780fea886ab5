#include "jounce/expr/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "jounce/expr/expression.hpp"
#include "jounce/expr/names.hpp"
#include "jounce/expr/parser.hpp"

namespace jounce {
namespace {

using Values = std::map<std::string, double, std::less<>>;

class Evaluation {
 public:
  explicit Evaluation(std::span<const WrittenParameter> parameters) : parameters_(parameters), uses_(parameters.size()) {}

  Result<Values> run() {
    check_names();
    find_uses();
    report_circles();
    for (const std::size_t k : order_) evaluate(k);
    sort_by_place(problems_);
    if (any_error(problems_)) return std::move(problems_);
    return {std::move(values_), std::move(problems_)};
  }

 private:
  enum class Mark { unseen, open, done };

  void check_names() {
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      const auto& [name, text, where] = parameters_[k];
      if (is_reserved_name(name))
        problems_.push_back(
            error(where, fmt::format("'{}' cannot be redefined: it is {}", name, kind(name)), "choose another name"));
      else if (!index_.emplace(name, k).second)
        problems_.push_back(error(where, fmt::format("parameter '{}' is defined twice", name)));
      else if (!is_spellable(name))
        problems_.push_back(warning(where, fmt::format("parameter '{}' cannot be used in expressions", name),
                                    "a name there is letters, digits and '_', and does not begin with a digit"));
      else
        spellable_.push_back(name);
    }
  }

  static const char* kind(std::string_view name) {
    return name == "t" ? "the name of time" : find_constant(name) != nullptr ? "a constant" : "a function";
  }

  void find_uses() {
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      const auto names = names_in(parameters_[k].text);
      if (!names) continue;  // reported when it is parsed
      for (const std::string& name : *names)
        if (const auto it = index_.find(name); it != index_.end()) uses_[k].push_back(it->second);
    }
  }

  // Depth first without recursion. A use of a parameter that is still open closes a circle; each parameter is blamed once.
  void report_circles() {
    std::vector<Mark> mark(parameters_.size(), Mark::unseen);
    std::vector<std::size_t> path, next(parameters_.size(), 0);
    for (std::size_t start = 0; start < parameters_.size(); ++start) {
      if (mark[start] == Mark::unseen) path.push_back(start), mark[start] = Mark::open;
      while (!path.empty()) {
        const std::size_t k = path.back();
        if (next[k] == uses_[k].size()) {
          mark[k] = Mark::done;
          order_.push_back(k);
          path.pop_back();
          continue;
        }
        const std::size_t used = uses_[k][next[k]++];
        if (mark[used] == Mark::unseen)
          path.push_back(used), mark[used] = Mark::open;
        else if (mark[used] == Mark::open)
          report_circle({std::ranges::find(path, used), path.end()});
      }
    }
  }

  void report_circle(std::vector<std::size_t> circle) {
    const bool known = std::ranges::any_of(circle, [&](std::size_t k) { return in_circle_.contains(k); });
    in_circle_.insert(circle.begin(), circle.end());
    if (known) return;
    // Told from the parameter that is written first.
    std::rotate(circle.begin(), std::ranges::min_element(circle), circle.end());
    const WrittenParameter& first = parameters_[circle.front()];
    if (circle.size() == 1) {
      problems_.push_back(error(first.where, fmt::format("parameter '{}' refers to itself", first.name)));
      return;
    }
    std::string names;
    for (std::size_t k = 0; k < std::min<std::size_t>(circle.size(), 8); ++k) names += parameters_[circle[k]].name + " -> ";
    if (circle.size() > 8) names += "... -> ";
    problems_.push_back(error(first.where, "parameters refer to each other in a circle: " + names + first.name));
  }

  // A parameter that failed is a variable to those that use it: they are still read for errors of their own, but get no value.
  void evaluate(std::size_t k) {
    const auto& [name, text, where] = parameters_[k];
    Scope scope;
    for (const std::size_t used : uses_[k]) {
      const std::string& other = parameters_[used].name;
      if (const auto value = values_.find(other); value != values_.end())
        scope.values.emplace(*value);
      else
        scope.variables.push_back(other);
    }
    Result<Program> program = parse_program(text, scope, spellable_);
    for (Problem& problem : program.problems()) {
      problem.where = where.line == 0 ? where : Where{where.line, where.column + problem.where.column - 1};
      problems_.push_back(std::move(problem));
    }
    const bool complete = scope.variables.empty() && !is_reserved_name(name);
    if (program && complete) values_.emplace(name, program->constant);
  }

  std::span<const WrittenParameter> parameters_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::vector<std::vector<std::size_t>> uses_;
  std::vector<std::size_t> order_;  // every parameter after those it uses, as far as there is such an order
  std::vector<std::string> spellable_;
  std::set<std::size_t> in_circle_;
  Values values_;
  Problems problems_;
};

}  // namespace

Result<Values> evaluate_parameters(std::span<const WrittenParameter> parameters) { return Evaluation(parameters).run(); }

}  // namespace jounce
