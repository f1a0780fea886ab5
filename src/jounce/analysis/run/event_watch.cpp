#include "jounce/analysis/run/event_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "jounce/base/text.hpp"
#include "jounce/math/bracketed_root.hpp"

namespace jounce {
namespace {

/// Of the largest numbers of a kind in a row: positions are solved for to some 1e-15, reactions to some 1e-14.
constexpr double kRounding = 1e-13;
/// How much of a scale is left a sample later: where all velocities pass zero together their rounding is still that of before.
constexpr double kFading = 0.9;
/// Of the time between two samples: what is at zero no longer than that passes it.
constexpr double kPassing = 1e-6;
/// Halvings of an interval whose ends are a second apart, down to rounding.
constexpr int kHalvings = 60;

constexpr std::array<std::string_view, 5> kPerTime{"", "/s", "/s²", "/s³", "/s⁴"};

int sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

}  // namespace

EventWatch::EventWatch(const std::vector<WatchedEvent>& events, const std::vector<Column>& columns, const Watching& along)
    : analysis_(along.analysis), row_(columns.size()) {
  std::map<std::string_view, std::size_t> units;
  for (const Column& column : columns) {
    const auto [it, is_new] = units.emplace(column.unit, scales_.size());
    if (is_new) scales_.emplace_back();
    unit_of_.push_back(it->second);
  }
  for (const std::string base : {"m", "rad"}) {  // a rate is not known better than what it is the rate of
    const auto of = units.find(base);
    for (std::size_t k = 0; k < kPerTime.size() && of != units.end(); ++k)
      if (const auto it = units.find(base + std::string(kPerTime[k])); it != units.end()) {
        scales_[it->second].length = static_cast<std::ptrdiff_t>(of->second);
        scales_[it->second].per_time = 1 / std::pow(std::max(along.seconds, 1e-300), static_cast<double>(k));
      }
    if (of != units.end()) scales_[of->second].least = base == "rad" ? 1 : along.metres;
  }
  std::size_t most = 0;
  for (const WatchedEvent& event : events) {
    Watched one{.event = &event, .from = {}};
    std::string lacking;
    for (const std::string& variable : event.when.variables()) {
      const auto it = std::ranges::find(columns, variable, &Column::name);
      if (it == columns.end() && event.when.uses(variable) && lacking.empty()) lacking = variable;
      one.from.push_back(it == columns.end() ? 0 : static_cast<std::size_t>(it - columns.begin()));
    }
    most = std::max(most, one.from.size());
    if (lacking.empty())
      watched_.push_back(std::move(one));
    else
      missing_.push_back({&event, std::move(lacking)});
  }
  variables_.resize(most), duals_.resize(most);
}

Problems EventWatch::not_watched() const {
  Problems out;
  for (const Missing& missing : missing_)
    if (missing.event->bound.empty()) out.push_back(warning(missing.event->where, fmt::format("event '{}' is not watched for: {} has no column '{}'",
                                                            missing.event->name, word(analysis_), missing.column)));
  return out;
}

std::optional<ExpressionFault> EventWatch::evaluate(const Watched& of, double& value) {
  for (std::size_t v = 0; v < of.from.size(); ++v) variables_[v] = row_[of.from[v]];
  return of.event->when.evaluate(std::span<const double>(variables_), value);
}

void EventWatch::take_scales() {
  for (Scale& scale : scales_) scale.largest *= kFading;
  for (std::size_t c = 0; c < row_.size(); ++c)
    scales_[unit_of_[c]].largest = std::max(scales_[unit_of_[c]].largest, std::abs(row_[c]));
}

// Σ |∂f/∂x| · rounding of x, at the row that was filled last.
double EventWatch::rounding_of(const Watched& of) {
  double sum = 0;
  for (std::size_t v = 0; v < of.from.size(); ++v) duals_[v] = Dual<1>(row_[of.from[v]]);
  for (std::size_t v = 0; v < of.from.size(); ++v) {
    duals_[v] = Dual<1>::variable(row_[of.from[v]], 0);
    Dual<1> found;
    if (!of.event->when.evaluate(std::span<const Dual<1>>(duals_), found)) {  // else it has no slope there
      const Scale& own = scales_[unit_of_[of.from[v]]];
      const Scale* length = own.length < 0 ? nullptr : &scales_[static_cast<std::size_t>(own.length)];
      const double least = length == nullptr ? 0 : own.per_time * std::max(length->largest, length->least);
      sum += std::abs(found.d[0]) * std::max(own.largest, least);
    }
    duals_[v] = Dual<1>(row_[of.from[v]]);
  }
  return kRounding * sum;
}

// All values at a time; `known` where there is a row.
std::optional<EventWatch::Ended> EventWatch::sample(double t, const RowAt& row_at, bool& known) {
  known = row_at(t, row_);
  if (!known) return std::nullopt;
  take_scales();
  for (Watched& one : watched_) {
    one.before = one.value;
    if (const auto fault = evaluate(one, one.value)) {
      Where where = one.event->where;
      if (where.line > 0) where.column += std::max(fault->column - 1, 0);
      return Ended{t, one.event->name, "event '" + one.event->name + "' at " + seconds(t) + ": " + fault->sentence, false,
                   where};
    }
    one.rounding = rounding_of(one);
  }
  return std::nullopt;
}

std::optional<EventWatch::Ended> EventWatch::begin(double t, const RowAt& row_at) {
  t_ = t;
  bool known = false;
  if (auto ended = sample(t, row_at, known)) return ended;
  for (Watched& one : watched_) {
    one.zero = !known || std::abs(one.value) <= one.rounding;
    one.sign = one.zero ? 0 : sign_of(one.value);
    if (one.sign < 0 && !one.event->bound.empty()) return beyond(*one.event, t);
  }
  return std::nullopt;
}

std::optional<EventWatch::Ended> EventWatch::look(double to, int parts, const RowAt& row_at, std::vector<Event>& out) {
  const double from = t_;
  if (!(to > from)) return std::nullopt;
  for (int k = 1; k <= parts; ++k) {
    const double t = k == parts ? to : from + (to - from) * k / parts;
    if (!(t > t_)) continue;
    bool known = false;
    if (auto ended = sample(t, row_at, known)) return ended;
    if (!known) continue;
    found_.clear();
    for (Watched& one : watched_) {
      const bool was_zero = std::exchange(one.zero, std::abs(one.value) <= one.rounding);
      if (one.zero) continue;
      const int sign = sign_of(one.value), last = std::exchange(one.sign, sign);
      if (last == 0 || last == sign) continue;
      const WatchedEvent::Direction counts = one.event->direction;
      if (counts == WatchedEvent::Direction::both || (counts == WatchedEvent::Direction::rising) == (sign > 0))
        found_.push_back({located(one, was_zero, t_, t, row_at), &one});
    }
    t_ = t;
    if (auto ended = tell(out)) return ended;
  }
  return std::nullopt;
}

EventWatch::Ended EventWatch::beyond(const WatchedEvent& event, double t) {
  return {t, event.name, event.bound + " at " + seconds(t), false, event.where};
}

std::optional<EventWatch::Ended> EventWatch::tell(std::vector<Event>& out) {
  std::ranges::stable_sort(found_, {}, &Crossing::t);
  for (const Crossing& crossing : found_) {
    const WatchedEvent& event = *crossing.of->event;
    const bool rising = crossing.of->sign > 0;
    if (!event.bound.empty()) {
      out.push_back({crossing.t, "event", event.bound, {event.name}, "falling"});
      return beyond(event, crossing.t);
    }
    out.push_back(
        {crossing.t,
         "event",
         fmt::format("'{}' {} through zero{}", event.name, rising ? "rises" : "falls", event.stop ? " and ends the run" : ""),
         {event.name},
         rising ? "rising" : "falling"});
    if (event.stop) return Ended{crossing.t, event.name, "ended by event '" + event.name + "' at " + seconds(crossing.t)};
  }
  return std::nullopt;
}

double EventWatch::located(const Watched& of, bool was_zero, double from, double to, const RowAt& row_at) {
  double value = 0;
  const auto at = [&](double t) { return row_at(t, row_) && !evaluate(of, value) ? value : of.value; };
  if (sign_of(of.before) * sign_of(of.value) < 0) return bracketed_root(at, from, of.before, to, of.value);
  if (!was_zero) return from;
  // It was zero, to rounding: there if it passed, else the last time at which it still is.
  const double begin = from, passing = kPassing * (to - from);
  for (int k = 0; k < kHalvings && to - begin > passing; ++k) {
    const double middle = 0.5 * (from + to);
    if (!(middle > from && middle < to)) break;
    (std::abs(at(middle)) <= rounding_of(of) ? from : to) = middle;
  }
  return to - begin > passing ? from : begin;
}

}  // namespace jounce
