#include "jounce/analysis/run/event_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "jounce/base/text.hpp"
#include "jounce/math/bracketed_root.hpp"

namespace jounce {
namespace {

/// Of the largest numbers of a kind in a row: positions are solved for to some 1e-15, reactions to some 1e-14.
constexpr double kRounding = 1e-13;
/// Of the time between two samples: what is at zero no longer than that passes it.
constexpr double kPassing = 1e-6;
/// Halvings of an interval whose ends are a second apart, down to rounding.
constexpr int kHalvings = 60;

int sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

}  // namespace

EventWatch::EventWatch(const std::vector<WatchedEvent>& events, const std::vector<Column>& columns, const Watching& along)
    : analysis_(along.analysis), row_(columns.size()), rounding_(columns, along.scales) {
  for (const WatchedEvent& event : events) {
    RowExpression when(event.when, columns);
    if (!when.lacking().empty()) missing_.push_back({&event, when.lacking()});
    else watched_.push_back({.event = &event, .when = std::move(when)});
  }
}

Problems EventWatch::not_watched() const {
  Problems out;
  for (const Missing& missing : missing_)
    if (missing.event->bound.empty()) out.push_back(warning(missing.event->where, fmt::format("event '{}' is not watched for: {} has no column '{}'",
                                                            missing.event->name, word(analysis_), missing.column)));
  return out;
}

// At the row that was filled last.
double EventWatch::rounding_of(const Watched& of) { return kRounding * rounding_.size(of.when, row_); }

// All values at a time; `known` where there is a row.
std::optional<EventWatch::Ended> EventWatch::sample(double t, const RowAt& row_at, bool& known) {
  known = row_at(t, row_);
  if (!known) return std::nullopt;
  rounding_.take(row_);
  for (Watched& one : watched_) {
    one.before = one.value;
    if (const auto fault = one.when.evaluate(row_, one.value)) {
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

double EventWatch::located(Watched& of, bool was_zero, double from, double to, const RowAt& row_at) {
  double value = 0;
  const auto at = [&](double t) { return row_at(t, row_) && !of.when.evaluate(row_, value) ? value : of.value; };
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
