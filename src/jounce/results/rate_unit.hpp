// The unit of a column's rate, as columns write units.
#pragma once

#include <string>
#include <string_view>

namespace jounce {

/// "N m" to "N m/s", "m/s" to "m/s²", "N/m" to "N/(m s)"; of none there is none. A rate of a moment stays one: expressions, which know dimensions alone, write watts
/// (expr/units.hpp).
[[nodiscard]] inline std::string rate_unit(std::string_view unit) {
  if (unit.empty()) return {};
  const std::string own(unit);
  const std::size_t slash = own.find('/');
  if (slash == std::string::npos) return own + "/s";
  return own.ends_with("/s") ? own + "²" : own.substr(0, slash + 1) + "(" + own.substr(slash + 1) + " s)";
}

}  // namespace jounce
