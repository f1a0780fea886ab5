// Curves with no more points than can be seen.
#pragma once

#include <span>
#include <vector>

#include "jounce/report/svg_writer.hpp"

namespace jounce::svg {

/// Points of the curve, the first and the last among them, such that no point that is left out lies farther than `tolerance`
/// from the line. Of a curve that goes on to the right, samples closer together than `column` are shown by the first, lowest,
/// highest and last.
[[nodiscard]] std::vector<Pixel> simplified(std::span<const Pixel> curve, double tolerance, double column);

}  // namespace jounce::svg
