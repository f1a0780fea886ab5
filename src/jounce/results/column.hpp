// What a column of results is: its name, its unit, what kind of quantity it holds and whose.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace jounce {

struct Column {
  std::string name;   ///< "crank.A.vx"
  std::string unit;   ///< "m/s²", "N m"; empty: a number without unit, or one that is not known
  /// time, position, velocity, acceleration, jerk, snap, reaction, tension, effort, multiplier, force, energy, momentum, com, error,
  /// joint-position, joint-velocity, joint-acceleration, joint-jerk, joint-snap or measure; empty for a name that is no column of results.
  std::string group;
  std::string owner;  ///< the body, joint, driver or force; "body.P" for a point; empty for the system as a whole

  friend bool operator==(const Column&, const Column&) = default;
};

/// Points of the ground stand still: their columns say nothing that the model does not, and files have them only when they are asked for.
[[nodiscard]] inline bool stands_still(const Column& column) { return column.owner.starts_with("ground."); }

[[nodiscard]] inline std::vector<std::string> names_of(std::span<const Column> columns) {
  std::vector<std::string> out;
  out.reserve(columns.size());
  for (const Column& column : columns) out.push_back(column.name);
  return out;
}

}  // namespace jounce
