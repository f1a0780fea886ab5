// What the two halves of the Radau method share: how it decides.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "jounce/analysis/integrators/radau_tableau.hpp"

namespace jounce::radau {

inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
inline constexpr int kMostIterations = 10;
/// While Newton's increments shrink by this factor or faster, the Jacobian is kept.
inline constexpr double kFastConvergence = 1e-3;
/// Steps are chosen so that they shrink by this factor at least.
inline constexpr double kGoodConvergence = 0.4;
inline constexpr double kSafety = 0.9, kLeastChange = 1.0 / 8, kMostChange = 5;  // h is divided by something between these
/// Conjugate residuals: the part to be left of an increment, and how many directions.
inline constexpr double kInnerError = 0.005;
inline constexpr int kMostDirections = 12;

/// The larger of two numbers; what is not a number stays.
inline double larger(double a, double b) { return b > a || std::isnan(b) ? b : a; }

inline double combine(const Stages& weight, const std::array<std::vector<double>, kStages>& stages, std::size_t i) {
  return weight[0] * stages[0][i] + weight[1] * stages[1][i] + weight[2] * stages[2][i];
}

}  // namespace jounce::radau
