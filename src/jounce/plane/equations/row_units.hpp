// What the equations of a planar mechanism are measured in.
#pragma once

#include <string>
#include <vector>

#include "jounce/plane/equations/planar_system.hpp"

namespace jounce {

/// An equation is an angle or a length, times some lengths: |d|² − L² is a length times one length.
struct RowUnit {
  planar::Unit unit{};
  int lengths = 0;

  /// Of its multiplier: λ times the equation is work.
  [[nodiscard]] std::string multiplier() const;
  /// Of what the equation of a driver prescribes.
  [[nodiscard]] std::string prescribed() const { return unit == planar::Unit::radian ? "rad" : "m"; }
};

/// One for each equation. A type of joint does not say it: it follows from what its scale does when every length of it is doubled.
[[nodiscard]] std::vector<RowUnit> row_units(const PlanarSystem& system);

}  // namespace jounce
