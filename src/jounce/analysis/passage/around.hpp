// Rows close to a singular position, from those around it.
//
// The motion is smooth across it. Reactions need not be: a load that nothing carries there but a constraint whose gradient vanishes makes them grow like the
// inverse of the time to it, and their rates like its square. So each number of a row is a polynomial in time divided by a power of the time to the
// position: that power of which the numbers at some of the times tell those at the others best.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "jounce/mechanism/stepper.hpp"

namespace jounce {

class Around {
 public:
  static constexpr int kTimes = 8;

  /// For a time t so close to the middle of a step that goes across that nothing can be solved for there; none elsewhere.
  [[nodiscard]] static std::optional<Around> of(const Stepper& stepper, double t);

  /// On both sides of the position.
  [[nodiscard]] const std::array<double, kTimes>& times() const { return times_; }
  /// At t, of the values at those times.
  [[nodiscard]] double value(std::span<const double> values) const;

 private:
  std::array<double, kTimes> times_{}, places_{};  // seconds; from the middle, in lengths of the shorter side
  double place_ = 0, nearest_ = 0;                 // of t; the same, not quite at the position
  // what each value contributes to the polynomials: through all at these two, and through the others at those that are foretold
  std::array<double, kTimes> at_place_{}, at_nearest_{};
  std::array<std::array<double, kTimes>, 2> foretelling_{};
};

}  // namespace jounce
