#include "jounce/mechanism/time_breaks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/expr/breakpoints.hpp"

namespace jounce {
namespace {

constexpr std::size_t kClock = 2;  // laws are of the measure, its rate and t

}  // namespace

void TimeBreaks::take(const std::vector<double>& times) {
  times_.insert(times_.end(), times.begin(), times.end());
  std::ranges::sort(times_);
}

void TimeBreaks::add(const TimeFunction& function) { take(breakpoints(function, from_, to_)); }

void TimeBreaks::add_law(const Expression& law) {
  take(breakpoints(law, kClock, from_, to_));
  kinks_elsewhere_ = kinks_elsewhere_ || has_kinks_elsewhere(law, kClock);
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
