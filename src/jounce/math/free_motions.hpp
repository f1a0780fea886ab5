// M x + Kᵀλ = f, K x = k with dense matrices: x from the motions that K leaves, λ from what they leave of f.
#pragma once

#include <span>
#include <vector>

#include "jounce/math/dense_rank.hpp"

namespace jounce {

struct FreeMotionSolution {
  std::vector<double> x, lambda;  ///< of several λ the shortest
  int rank = 0;                   ///< of K
  bool decided = true;            ///< false: M has no inertia along some motion that K leaves, and nothing is solved
  int contradiction = -1;         ///< a row of K that cannot be met together with the others
};

struct FreeMotionLimits {
  double dependent = 0;      ///< rows of K with less of their own than this, relative to the largest, follow from others
  double contradiction = 0;  ///< how well K x = k must hold, relative to k
  double no_inertia = 0;     ///< pivots of the scaled inertia below this for each unknown are none
};

/// All in comparable units. M is symmetric.
[[nodiscard]] FreeMotionSolution solve_by_free_motions(const DenseMatrix& M, std::span<const double> f, const DenseMatrix& K,
                                                       std::span<const double> k, const FreeMotionLimits& limits);

}  // namespace jounce
