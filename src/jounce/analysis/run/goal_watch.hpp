// Goals along a run: extremes and integrals of expressions over its rows, and over rows between them. Driven and forward runs use it alike: it asks them for
// rows at times of the step that was made last.
//
// What counts lies between the first row of the run and the last.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/analysis/run/row_expression.hpp"
#include "jounce/analysis/run/row_rounding.hpp"
#include "jounce/base/problem.hpp"
#include "jounce/mechanism/goals.hpp"

namespace jounce {

class GoalWatch {
 public:
  /// Both must outlive it. `columns`: of the rows, which have all that the goals use.
  GoalWatch(const std::vector<RunGoal>& goals, const std::vector<Column>& columns);
  ~GoalWatch();
  GoalWatch(const GoalWatch&) = delete;
  GoalWatch& operator=(const GoalWatch&) = delete;

  struct Along {
    double from = 0;                ///< the first row
    RowRounding::Scales scales{};
    std::vector<double> breaks{};   ///< times behind which something may have jumped, ascending
  };
  void begin(Along along);

  /// From where it looked last up to `to`, in so many parts. `row`: that at `to`, or empty, and then it is asked for. True: `row_at` was asked.
  bool look(double to, std::span<const double> row, int parts, const RowAt& row_at);
  /// What follows does not go on from what was before: the next look begins with a row at this time.
  void jump(double t) { jumped_ = t; }

  /// One for each goal, in their order: of a run that came to its end. What has none is told among the problems.
  [[nodiscard]] std::vector<std::optional<double>> values(Problems& problems) const;

 private:
  struct Watched;

  void look_smooth(double to, std::span<const double> row, int parts);
  bool row_at(double t, std::span<const double> given);
  void start(double t);
  void advance(double t);

  const std::vector<RunGoal>& goals_;
  const std::vector<Column>& columns_;
  std::vector<std::unique_ptr<Watched>> watched_;  // of all goals, in their order
  Along along_;
  std::optional<RowRounding> rounding_;
  std::vector<double> row_, beside_;
  bool begun_ = false, asked_ = false;
  std::optional<double> jumped_;
  std::size_t break_ = 0;  // the next one
  double t_ = 0;           // looked at up to here
  long samples_ = 0;
  const RowAt* asking_ = nullptr;  // during a look
};

}  // namespace jounce
