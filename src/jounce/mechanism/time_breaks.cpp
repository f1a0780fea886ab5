#include "jounce/mechanism/time_breaks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/expr/breakpoints.hpp"
#include "jounce/scalar/series.hpp"

namespace jounce {
namespace {

/// Rates that differ by less are the same, but for rounding.
constexpr double kSameRate = 1e-9;
constexpr std::size_t kClock = 2;  // laws are of the measure, its rate and t

}  // namespace

void TimeBreaks::take(const std::vector<double>& times) {
  times_.insert(times_.end(), times.begin(), times.end());
  std::ranges::sort(times_);
}

void TimeBreaks::add(const TimeFunction& function) { take(breakpoints(function, from_, to_)); }

void TimeBreaks::add(const laws::LoadFunction& function) {
  const laws::StateExpression* law = function.of_state();
  if (law == nullptr) return add(function.of_time());
  add_of_time(law->expression);
}

void TimeBreaks::add_of_time(const Expression& law) {
  take(breakpoints(law, 0, from_, to_));
  kinks_elsewhere_ = kinks_elsewhere_ || has_kinks_elsewhere(law, 0);
}

void TimeBreaks::add_motion(const TimeFunction& function) {
  add(function);
  for (const double t : breakpoints(function, from_, to_))
    if (t > std::nextafter(from_, to_) && rate_jump(function, t)) blows_.push_back(t);  // at the start there is nothing to strike
  std::ranges::sort(blows_);
}

bool TimeBreaks::is_blow(double t) const { return std::ranges::binary_search(blows_, t); }

void TimeBreaks::add_law(const Expression& law) {
  take(breakpoints(law, kClock, from_, to_));
  kinks_elsewhere_ = kinks_elsewhere_ || has_kinks_elsewhere(law, kClock);
}

bool rate_jump(const TimeFunction& function, double t) {
  const double just_before = std::nextafter(std::nextafter(t, -std::numeric_limits<double>::infinity()), -std::numeric_limits<double>::infinity());
  Series<1> before, behind;
  if (function.evaluate(Series<1>::time(just_before), before) || function.evaluate(Series<1>::time(t), behind)) return false;
  return std::abs(behind[1] - before[1]) > kSameRate * (1 + std::abs(before[1]));
}

std::optional<double> TimeBreaks::after(double t) const {
  const auto next = std::ranges::upper_bound(times_, t);
  return next == times_.end() ? std::nullopt : std::optional(*next);
}

double TimeBreaks::behind(double t) const {
  const double next = std::nextafter(t, std::numeric_limits<double>::infinity());
  return std::ranges::binary_search(times_, next) ? next : t;
}

}  // namespace jounce
