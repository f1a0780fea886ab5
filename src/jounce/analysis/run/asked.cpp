#include "jounce/analysis/run/asked.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/text.hpp"

namespace jounce {
namespace {

constexpr int kMostSteps = 1'000'000'000;

bool finite(const std::vector<double>& x) {
  return std::ranges::all_of(x, [](double a) { return std::isfinite(a); });
}

std::string wrong_start(const MotionState& start, std::size_t q, std::size_t v, bool driven) {
  if (start.q.size() != q || (start.v.size() != v && !(driven && start.v.empty())))
    return "start: expected " + std::to_string(q) + " coordinates and " + std::to_string(v) + " rates, found " +
           std::to_string(start.q.size()) + " and " + std::to_string(start.v.size());
  return std::isfinite(start.t) && finite(start.q) && finite(start.v) ? "" : "start: expected finite numbers";
}

}  // namespace

std::string wrong_asked(const AskedTimes& asked, std::size_t coordinates, std::size_t rates, bool driven) {
  if (asked.start)
    if (std::string wrong = wrong_start(*asked.start, coordinates, rates, driven); !wrong.empty()) return wrong;
  const double from = asked.start ? asked.start->t : 0;
  if (asked.times.empty()) {
    if (asked.steps >= 1 && asked.steps <= kMostSteps && asked.to >= from && std::isfinite(asked.to)) return "";
    const std::string least = asked.start ? "that of the start, " + short_number(from) + " s," : "0";
    return "expected a finite time to >= " + least + " and 1 to 1e9 steps, found " + short_number(asked.to) + " s and " + std::to_string(asked.steps);
  }
  if (finite(asked.times) && asked.times.front() >= from && std::ranges::is_sorted(asked.times)) return "";
  return "times: expected finite times in ascending order, the first at " + short_number(from) + " s or later";
}

}  // namespace jounce
