#include "jounce/mechanism/watched_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "jounce/base/suggest.hpp"

namespace jounce {
namespace {

std::optional<WatchedEvent::Direction> direction_of(const EventSection& event, Problems& problems) {
  if (!event.direction || (event.direction->text.empty() && event.direction->where.line > 0))
    return WatchedEvent::Direction::both;  // or reported
  const std::string& word = event.direction->text;
  const auto it = std::ranges::find(kDirections, word);
  if (it != kDirections.end()) return static_cast<WatchedEvent::Direction>(it - kDirections.begin());
  const auto nearest = nearest_name(word, std::vector<std::string>(kDirections.begin(), kDirections.end()));
  problems.push_back(error(event.direction->where,
                           fmt::format("event '{}': direction: expected \"rising\", \"falling\" or \"both\", found '{}'{}",
                                       event.name, word, nearest ? fmt::format(" (did you mean '{}'?)", *nearest) : "")));
  return std::nullopt;
}

// What cannot be watched though it has a value.
std::string unfit(const Expression& when) {
  if (when.is_constant()) return "expected something that changes, of t or of what the mechanism does: this is a constant";
  for (const std::string_view name : kKeptInBooks)
    if (when.uses(name))
      return fmt::format("'{}' is known at the rows of a run alone, and no event can be located by it", name);
  return "";
}

}  // namespace

std::vector<WatchedEvent> compile_events(const std::vector<EventSection>& events, MechanismNames& names, Problems& problems) {
  std::vector<WatchedEvent> out;
  for (const EventSection& event : events) {
    const auto direction = direction_of(event, problems);
    if (event.when.text.empty()) {
      if (event.where.line == 0)  // of a file it has been reported
        problems.push_back(error(event.where,
                                 fmt::format("event '{}': when is missing: expected an expression in quotes", event.name),
                                 "an event happens where it passes zero"));
      continue;
    }
    std::optional<Expression> when = names.read(event.when, fmt::format("event '{}': when", event.name));
    if (!when || !direction) continue;
    if (std::string why = unfit(*when); !why.empty()) {
      problems.push_back(error(event.when.where, fmt::format("event '{}': when: {}", event.name, why)));
      continue;
    }
    out.push_back({event.name, event.when.where, *std::move(when), *direction, event.stop});
  }
  std::ranges::move(names.take_problems(), std::back_inserter(problems));
  return out;
}

}  // namespace jounce
