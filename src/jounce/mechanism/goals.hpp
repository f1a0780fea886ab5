// Goals: numbers of a whole run, put together from what expressions come to along it.
//
//   peak-torque = "max(abs(motor.effort))"        stroke = "range(piston.x)/crank"
//
// In a reduction, max(…), stands whatever could be a measure; between reductions stand numbers, parameters and functions of these. max and min with two
// arguments or more are the plain functions. What a reduction is along a motion is docs/theory/goals.md.
#pragma once

#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/expr/expression.hpp"
#include "jounce/expr/table_file.hpp"
#include "jounce/mechanism/measures.hpp"
#include "jounce/model/model.hpp"

namespace jounce {

/// One number of all values that an expression takes along a run.
struct Reduction {
  enum class Kind { max, min, mean, rms, range, first, last, integral, at, time_of_max, time_of_min };

  Kind kind{};
  Expression of;    ///< its variables are t and columns by their names
  std::vector<Expression> rates{};  ///< the first and second derivative of what is integrated, as far as columns give them
  double time = 0;  ///< of `at`
  std::string text; ///< as it is written
  Where where;
};
/// In the order of Reduction::Kind.
inline constexpr std::array<std::string_view, 11> kReductions{"max",  "min",      "mean", "rms",         "range",      "first",
                                                              "last", "integral", "at",   "time_of_max", "time_of_min"};

struct RunGoal {
  std::string name;
  Where where;                        ///< of its text
  Expression value;                   ///< its variables are the reductions, in their order
  std::vector<Reduction> reductions;
};

/// What a text about results may refer to.
struct ResultNames {
  const Model& model;
  const std::map<std::string, double, std::less<>>& parameters;
  const Tables& tables;         ///< that need not be read again
  MechanismNames::Known known;  ///< without the names of the model
};
/// What each goal means; problems are placed where its text is. `used`: takes the names of the parameters that they are of.
[[nodiscard]] std::vector<RunGoal> compile_goals(std::span<const Parameter> goals, ResultNames names, std::set<std::string, std::less<>>& used, Problems& problems);

}  // namespace jounce
