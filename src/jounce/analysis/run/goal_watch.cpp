#include "jounce/analysis/run/goal_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "jounce/analysis/run/work_quadrature.hpp"
#include "jounce/base/text.hpp"
#include "jounce/math/extreme_search.hpp"

namespace jounce {
namespace {

using Kind = Reduction::Kind;

/// Of the largest numbers of a kind in a row: positions are solved for to some 1e-15, reactions to some 1e-14.
constexpr double kRounding = 1e-14;
/// What an integral over one part of a run may be off by, of all that was added up.
constexpr double kAccuracy = 1e-12;
/// Polynomials of a high degree make more of the rounding of their values.
constexpr double kOfPolynomials = 10;
/// Of so many samples one is looked at for its rounding.
constexpr long kBetweenLooks = 8;

Where inside(Where where, int column) { return where.line > 0 ? Where{where.line, where.column + std::max(column - 1, 0)} : where; }

bool has_highest(Kind kind) { return kind == Kind::max || kind == Kind::range || kind == Kind::time_of_max; }
bool has_lowest(Kind kind) { return kind == Kind::min || kind == Kind::range || kind == Kind::time_of_min; }
bool has_integral(Kind kind) { return kind == Kind::mean || kind == Kind::rms || kind == Kind::integral; }

}  // namespace

/// One reduction with what it has come to so far.
struct GoalWatch::Watched {
  Watched(const RunGoal& goal_of, const Reduction& reduction, const std::vector<Column>& columns)
      : goal(goal_of), what(reduction), of(reduction.of, columns) {
    if (has_highest(what.kind)) highest.emplace(ExtremeSearch::Side::highest);
    if (has_lowest(what.kind)) lowest.emplace(ExtremeSearch::Side::lowest);
    if (!has_integral(what.kind)) return;
    for (const Expression& rate : what.rates)
      if (RowExpression one(rate, columns); one.lacking().empty() && rates.size() + 1 < PowerAt::kMost) rates.push_back(std::move(one));
      else break;
    integral.emplace(
        [this](double t) {
          const std::optional<double> value = at(t);
          return value ? std::optional<PowerAt>(what.kind == Kind::rms ? *value * *value : *value) : std::nullopt;
        },
        std::vector<double>{}, kAccuracy);
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  // Its value at a row, and how it goes on there as far as that is known.
  [[nodiscard]] PowerAt integrand(double value, std::span<const double> row) {
    PowerAt out(value);
    auto& [c0, c1, c2] = out.coefficient;
    for (RowExpression& rate : rates) {
      double& next = out.coefficient[static_cast<std::size_t>(out.known)];
      if (rate.evaluate(row, next)) break;
      ++out.known;
    }
    c2 /= 2;
    if (what.kind == Kind::rms) c2 = c1 * c1 + 2 * c0 * c2, c1 = 2 * c0 * c1, c0 = c0 * c0;
    return out;
  }

  void start(double t, double value, std::span<const double> row) {
    if (highest) highest->begin(t, value);
    if (lowest) lowest->begin(t, value);
    if (!integral) return;
    added += integral->work();
    integral->begin(t, integrand(value, row));
  }
  void advance(double before, double t, double value, std::span<const double> row) {
    const double rounding = kRounding * size;
    if (highest) highest->advance(t, value, rounding, at);
    if (lowest) lowest->advance(t, value, rounding, at);
    const double slope = what.kind == Kind::rms ? 2 * std::abs(value) : 1;
    if (integral) integral->advance(t, integrand(value, row), kOfPolynomials * rounding * slope * (t - before));
  }
  [[nodiscard]] bool unsettled() const {
    return (highest && highest->unsettled()) || (lowest && lowest->unsettled()) || (integral && integral->unsettled() > 0);
  }
  /// Over so many seconds.
  [[nodiscard]] std::optional<double> value(double seconds) const {
    const double sum = integral ? added + integral->work() : 0;
    switch (what.kind) {
      case Kind::max: return highest->value();
      case Kind::min: return lowest->value();
      case Kind::range: return highest->value() - lowest->value();
      case Kind::time_of_max: return highest->time();
      case Kind::time_of_min: return lowest->time();
      case Kind::integral: return sum;
      case Kind::mean: return seconds > 0 ? sum / seconds : first;
      case Kind::rms: return seconds > 0 ? std::sqrt(std::max(sum / seconds, 0.0)) : std::abs(*first);
      case Kind::first: return first;
      case Kind::last: return last;
      case Kind::at: break;
    }
    return at_time;
  }

  const RunGoal& goal;
  const Reduction& what;
  RowExpression of;
  std::vector<RowExpression> rates;  // of what is integrated
  std::function<std::optional<double>(double t)> at;  // at a time of the last step
  std::optional<ExtremeSearch> highest, lowest;
  std::optional<WorkQuadrature> integral;
  double added = 0;  // before the last jump
  std::optional<double> first, last, at_time;
  double size = 0;      // that its rounding is of
  std::string trouble;  // why it has no value
};

GoalWatch::GoalWatch(const std::vector<RunGoal>& goals, const std::vector<Column>& columns) : goals_(goals), columns_(columns) {
  row_.resize(columns_.size()), beside_.resize(columns_.size());
  for (const RunGoal& goal : goals)
    for (const Reduction& reduction : goal.reductions) {
      Watched& one = *watched_.emplace_back(std::make_unique<Watched>(goal, reduction, columns_));
      one.at = [this, &one](double t) -> std::optional<double> {
        asked_ = true;
        double value = 0;
        if (!(*asking_)(t, beside_) || one.of.evaluate(beside_, value)) return std::nullopt;
        return value;
      };
    }
}
GoalWatch::~GoalWatch() = default;

void GoalWatch::begin(Along along) {
  along_ = std::move(along);
  rounding_.emplace(columns_, along_.scales);
}

// The row at a time, as it is given or asked for; false: there is none.
bool GoalWatch::row_at(double t, std::span<const double> given) {
  if (!given.empty()) return std::ranges::copy(given, row_.begin()), true;
  asked_ = true;
  return (*asking_)(t, row_);
}

bool GoalWatch::look(double to, std::span<const double> row, int parts, const RowAt& row_at_time) {
  asked_ = false;
  asking_ = &row_at_time;
  if (to < along_.from) return false;
  if (!begun_) {
    if (!row_at(along_.from, to > along_.from ? std::span<const double>() : row)) return asked_;
    begun_ = true;
    jumped_.reset();
    while (break_ < along_.breaks.size() && along_.breaks[break_] <= along_.from) ++break_;
    start(along_.from);
  }
  if (jumped_ && *jumped_ >= t_ && row_at(*jumped_, {})) start(*jumped_);
  jumped_.reset();
  for (; break_ < along_.breaks.size() && along_.breaks[break_] <= to; ++break_) {
    const double behind = along_.breaks[break_], before = std::nextafter(std::nextafter(behind, t_), t_);
    if (before > t_) look_smooth(before, {}, parts);
    if (row_at(behind, behind < to ? std::span<const double>() : row)) start(behind);
  }
  if (to > t_) look_smooth(to, row, parts);
  return asked_;
}

void GoalWatch::look_smooth(double to, std::span<const double> row, int parts) {
  const double from = t_;
  for (int k = 1; k <= parts; ++k) {
    const double t = k == parts ? to : from + (to - from) * k / parts;
    if (t > t_ && row_at(t, k == parts ? row : std::span<const double>())) advance(t);
  }
}

void GoalWatch::start(double t) {
  rounding_->take(row_);
  samples_ = 0;
  for (const auto& one : watched_) {
    double value = 0;
    if (!one->trouble.empty()) continue;
    if (const auto fault = one->of.evaluate(row_, value)) {
      one->trouble = "at " + seconds(t) + ": " + fault->sentence;
      continue;
    }
    one->size = rounding_->size(one->of, row_);
    if (!one->first) one->first = value;
    one->last = value;
    if (one->what.kind == Kind::at && one->what.time == t) one->at_time = value;
    one->start(t, value, row_);
  }
  t_ = t;
}

// To the row that was filled last.
void GoalWatch::advance(double t) {
  rounding_->take(row_);
  const bool sizes = ++samples_ % kBetweenLooks == 0;
  for (const auto& one : watched_) {
    double value = 0;
    if (!one->trouble.empty()) continue;
    if (const auto fault = one->of.evaluate(row_, value)) {
      one->trouble = "at " + seconds(t) + ": " + fault->sentence;
      continue;
    }
    if (sizes) one->size = rounding_->size(one->of, row_);
    one->last = value;
    if (const double time = one->what.time; one->what.kind == Kind::at && time > t_ && time <= t)
      one->at_time = time == t ? std::optional(value) : one->at(time);
    one->advance(t_, t, value, row_);
  }
  t_ = t;
}

std::vector<std::optional<double>> GoalWatch::values(Problems& problems) const {
  std::vector<std::optional<double>> out;
  auto next = watched_.begin();
  for (const RunGoal& goal : goals_) {
    std::vector<double> reduced;
    bool known = begun_;
    const auto tell = [&](Where where, const std::string& what) { problems.push_back(warning(where, fmt::format("goal '{}': {}", goal.name, what))); };
    for (std::size_t k = 0; k < goal.reductions.size(); ++k, ++next) {
      const Watched& one = **next;
      const std::optional<double> value = begun_ && one.trouble.empty() ? one.value(t_ - along_.from) : std::nullopt;
      if (!one.trouble.empty()) tell(one.what.where, one.what.text + " has no value: " + one.trouble);
      else if (begun_ && !value) tell(one.what.where, one.what.text + " has no value: the run came to " + seconds(t_));
      else if (one.unsettled()) tell(one.what.where, one.what.text + ": it changes too fast between the steps of the run; not all of its digits are sure");
      known = known && value;
      reduced.push_back(value.value_or(0));
    }
    double value = 0;
    if (known)
      if (const auto fault = goal.value.evaluate(std::span<const double>(reduced), value)) known = false, tell(inside(goal.where, fault->column), fault->sentence);
    out.push_back(known ? std::optional(value) : std::nullopt);
  }
  return out;
}

}  // namespace jounce
