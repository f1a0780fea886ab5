// Linear complementarity with a symmetric matrix that is positive or zero in every direction: what pushes does not pull, and pushes only where it touches.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "jounce/math/dense.hpp"

namespace jounce {

/// x ≥ 0 with A x + b ≥ 0 and x · (A x + b) = 0, by the active sets of Lawson and Hanson. A x + b is unique; so is x where A is definite on what it holds.
/// None where nothing does: b goes where A does not reach.
[[nodiscard]] std::optional<std::vector<double>> solve_complementarity(const Matrix& a, std::span<const double> b);

}  // namespace jounce
