// Events: what a run is to notice, an expression of the columns of its rows that passes zero.
//
//   [events.closed]
//   when = "opening - 0.01"     direction = "falling"     stop = true
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/expr/expression.hpp"
#include "jounce/mechanism/measures.hpp"
#include "jounce/model/model.hpp"

namespace jounce {

struct WatchedEvent {
  enum class Direction { both, rising, falling };

  std::string name;
  Where where;      ///< of its text
  Expression when;  ///< its variables are t and columns by their names
  Direction direction = Direction::both;
  bool stop = false;  ///< the run ends there
  /// Of what the mechanism itself watches, beside the events of the model: what happens where it falls below zero. The run ends there, or at its start where it is
  /// below zero from the beginning.
  std::string bound{};
};

/// In the order of WatchedEvent::Direction.
inline constexpr std::array<std::string_view, 3> kDirections{"both", "rising", "falling"};

/// What each means; problems are placed in the file.
[[nodiscard]] std::vector<WatchedEvent> compile_events(const std::vector<EventSection>& events, MechanismNames& names, Problems& problems);

}  // namespace jounce
