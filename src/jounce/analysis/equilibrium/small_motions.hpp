// Small motions about an equilibrium: M ξ̈ + D ξ̇ + K ξ = 0 in the free motions ξ that joints and loops leave.
#pragma once

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "jounce/analysis/equilibrium/equilibrium.hpp"
#include "jounce/base/stop.hpp"
#include "jounce/math/dense.hpp"

namespace jounce {

struct SmallMotionEquations {
  const Matrix &stiffness, &mass;         ///< K and M, motions × motions
  const Matrix& damping;                  ///< D; empty: a law has no derivative at rest
  const Matrix& shapes;                   ///< coordinates × motions: what a motion moves
  std::function<double(double)> slight;   ///< the stiffness that is zero but for rounding, next to one of this size
  Stop asked;                             ///< between factorisations; true: what is found is of no use any more
};

struct SmallMotions {
  int unstable = 0, neutral = 0;
  std::vector<NaturalMode> modes;
  std::vector<std::complex<double>> eigenvalues;
  std::string note;
};

[[nodiscard]] SmallMotions small_motions(const SmallMotionEquations& equations);

}  // namespace jounce
