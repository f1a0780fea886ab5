// Whether a body can have an inertia that was written for it.
#pragma once

#include <array>

#include "jounce/math/vec3.hpp"

namespace jounce {

/// Of the matrix about the centre of mass.
struct InertiaJudgement {
  enum class Fault {
    none,
    too_large,  ///< not finite
    negative,   ///< a principal moment
    triangle,   ///< the largest principal moment exceeds the sum of the others
  };
  std::array<double, 3> moments{};  ///< principal ones, in ascending order
  Fault fault = Fault::none;
};
/// Written digits may break an inequality by a little.
[[nodiscard]] InertiaJudgement judge_inertia(const Sym3<double>& inertia);

/// In kg m²: below this an inertia is the rounding of whatever computed it, in a mechanism of this mass and length. Only what no body can have
/// is judged by it: a small inertia that is right in itself stays as it is written.
[[nodiscard]] double negligible_inertia(double mass, double length);

}  // namespace jounce
