// Φq with rows in mechanism lengths and radians and columns in the same, so that the sizes of its entries mean something.
#pragma once

#include <span>

#include "jounce/math/dense_rank.hpp"
#include "jounce/plane/equations/planar_system.hpp"

namespace jounce {

/// Below this fraction of the largest, a row counts as dependent: positions are assembled to about 1e-13.
inline constexpr double kDependentRow = 1e-9;
/// Beyond this many coordinates a dense decomposition takes too long; the rank then comes from the sparse factors.
inline constexpr int kMostDense = 900;

/// What a row and a column are divided and multiplied by.
[[nodiscard]] inline double row_unit(const planar::Scale& scale, double size) {
  return scale.divisor * (scale.unit == planar::Unit::metre ? size : 1.0);
}
[[nodiscard]] inline double column_unit(int column, double size) { return column % 3 == 2 ? 1.0 : size; }

/// At the time set last; sets the position.
[[nodiscard]] DenseMatrix scaled_jacobian(const PlanarSystem& system, Evaluation& evaluation, std::span<const double> q);

}  // namespace jounce
