// Multipliers where equations are redundant: many of them balance the same forces, and the shortest are reported.
//
// λ and λ + n give the same Φqᵀλ for every n with Φqᵀn = 0. Lengths are measured in physical units: row r counts as the force
// λ_r · divisor_r in newtons, or as the moment λ_r · divisor_r divided by the length scale of the system.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/math/sparse_lu.hpp"
#include "jounce/plane/equations/planar_system.hpp"

namespace jounce {

/// What the equations of motion leave open in the multipliers at one position.
struct Indeterminacy {
  /// Orthonormal vectors n in physical units: λ_r = n_r / unit_r. Empty when the equations are independent.
  std::vector<std::vector<double>> null_space;
  std::vector<double> unit;  ///< a multiplier times this is newtons; one per equation
  std::vector<bool> unique;  ///< one per equation
};

[[nodiscard]] Indeterminacy indeterminacy(const PlanarSystem& system, double t, std::span<const double> q);
/// The same from factors of Φq with full column rank at the position and time of `evaluation`: a fully driven mechanism.
[[nodiscard]] Indeterminacy indeterminacy(const PlanarSystem& system, Evaluation& evaluation, SparseLu& factors);

/// Takes away what is open: the shortest multipliers with the same Φqᵀλ.
void shorten(const Indeterminacy& open, std::span<double> lambda);

/// The joints and drivers whose reactions are not unique, in the order of the file.
[[nodiscard]] std::vector<std::string> not_unique(const PlanarSystem& system, const Indeterminacy& open);
/// What a user is told of them.
[[nodiscard]] Problem not_unique_warning(const std::vector<std::string>& names);

}  // namespace jounce
