// What is nothing but rounding: a number so small against what it stands beside that no digit of it says anything. What is shown, in summaries,
// tables and figures, shows 0 instead; files keep every bit.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "jounce/results/column.hpp"

namespace jounce {

/// Of the largest number of its kind. Rounding is 1e-16 of what goes into a result, and a few thousand operations add to it.
inline constexpr double kNoise = 1e-12;

[[nodiscard]] inline bool is_noise(double value, double scale) { return std::abs(value) < kNoise * scale; }

/// Which columns hold nothing else: against the largest number of a column of the same group and unit, and, through the size of the mechanism, lengths
/// against angles and moments against forces; angles against one radian, too. `largest`: of each column, without its sign. `size`: a length, 0 where none is known.
[[nodiscard]] std::vector<bool> noise(std::span<const Column> columns, std::span<const double> largest, double size);

}  // namespace jounce
