// What `compare` computes about numbers that are there: how far formulations are apart, and how far rounding may bring them
// apart. The plane and space share it. (Comparison::disagreement is here, too.)
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "jounce/analysis/compare/compare.hpp"
#include "jounce/math/sparse_lu.hpp"

namespace jounce {

/// The full inertia matrix of more joints than this takes longer to look at than it is worth.
inline constexpr int kLargestMatrix = 400;

/// The largest difference of any two formulations that apply, over the largest value of all of them. Values count times the weight
/// of their column, which makes units alike (a length for angles and one over it for moments). The scale is at least `floor`: of
/// numbers that ought to be zero only rounding is left, and that is compared with what was added up. Infinite where a value is not
/// finite.
[[nodiscard]] Comparison::Apart farthest_apart(std::span<const ComparedFormulation> formulations,
                                               std::vector<double> ComparedFormulation::*values, std::span<const std::string> columns,
                                               std::span<const double> weights, double floor);

/// The same of "energy.kinetic" and "energy.potential", over the larger of the two and at least `floor`.
[[nodiscard]] Comparison::Apart energies_apart(std::span<const ComparedFormulation> formulations, double floor);

/// How far each formulation is from the first that applies, by the scales of what is found farthest apart.
void measure_from_first(Comparison& comparison, std::span<const double> acceleration_weights, std::span<const double> reaction_weights);

/// The condition (of the 2-norm) of [M Kᵀ; K 0] over the independent rows of K, its rows and columns scaled alike until their
/// largest entries are 1. Exact up to a few hundred unknowns, beyond that by iteration. Infinite where the matrix is singular all
/// the same.
[[nodiscard]] double saddle_condition(const SparsePattern& pattern, std::span<const double> jacobian, std::span<const double> mass);

/// What masses that differ much add: the condition of S = K M⁻¹ Kᵀ over that of M^-½ Kᵀ with masses of one size (`alike`), rows brought to
/// length 1. Near a singular position that is the condition of K, with masses the ratio of the heavy to the light. At least 1, and 1
/// where some mass is zero or there are more than a few hundred rows.
[[nodiscard]] double mass_condition(const SparsePattern& pattern, std::span<const double> jacobian, std::span<const double> mass,
                                    std::span<const double> alike);

/// Of a symmetric positive matrix, n × n, scaled to a diagonal of ones.
[[nodiscard]] double symmetric_condition(std::span<const double> matrix, int n);

/// The disagreement that rounding explains in equations of this condition; never more than 1e-3, beyond which nothing can be told.
[[nodiscard]] double allowed_by(double condition);

/// Seconds that a call takes: the fastest of several, which are more where it is short.
[[nodiscard]] double fastest(const std::function<void()>& call);

}  // namespace jounce
