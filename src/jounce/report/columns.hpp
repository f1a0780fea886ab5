// What a column of results is, from its name: the unit, what kind of quantity, and whose.
#pragma once

#include <string>
#include <string_view>

namespace jounce {

struct Scene;

struct ColumnInfo {
  std::string unit;   ///< "m/s²", "N m"; empty where there is none, or the name alone does not say
  std::string group;  ///< "position", "reaction", ...; empty for a name that is no column of results
  std::string owner;  ///< the body, joint, driver or force; "body.P" for a point; empty for the system as a whole

  friend bool operator==(const ColumnInfo&, const ColumnInfo&) = default;
};

/// Groups: time, position, velocity, acceleration, jerk, snap, reaction, effort, multiplier, force, energy, momentum, com, error,
/// joint-position, joint-velocity, joint-acceleration.
[[nodiscard]] ColumnInfo describe(std::string_view column);
/// With a mechanism at hand: also the units of efforts and joint coordinates, and what belongs to a torsion spring.
[[nodiscard]] ColumnInfo describe(std::string_view column, const Scene& scene);

}  // namespace jounce
