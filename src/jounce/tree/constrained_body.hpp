// One rigid body whose velocity is confined to a subspace, solved in four ways that must agree.
//
// The law, with angular components first and all quantities in one frame:
//
//   f + f_c = I a + p,    v = S q',    a = S q'' + S' q',    f_c = T lambda,    Tᵀ S = 0
//
// I the inertia, f what is applied, p the bias force v ×* I v less the weight, f_c what the constraint adds. S (6 x n) spans
// the motions that are left, T (6 x (6 - n)) the forces that do no work on them. This is the smallest problem in which
// projection, multipliers, generalized coordinates and the null-space method differ, so it is where to compare them; trees are
// solved elsewhere, by recursion. Theory: docs/theory/three-formulations.md.
//
// Units: SI. A column of S has the unit of v divided by that of its rate.
// Degenerate: columns of S that depend on each other, and motions in S that move no inertia. Both are refused, by number.
#pragma once

#include <array>
#include <vector>

#include "jounce/base/result.hpp"

namespace jounce::tree {

/// A motion or a force vector: three angular components (or moments), then three linear ones.
using SixVector = std::array<double, 6>;
/// Row by row.
using SixMatrix = std::array<SixVector, 6>;

struct ConstrainedBody {
  SixMatrix inertia{};       ///< symmetric; may be singular as long as every motion in S moves some inertia
  std::vector<SixVector> S;  ///< its columns, none to six
  std::vector<double> qd;    ///< q', one a column
  SixVector Sdot_qd{};       ///< S' q': the acceleration that is left when q'' = 0
  SixVector p{};             ///< bias force: v ×* I v less the weight
  SixVector f{};             ///< applied force
};

struct BodyMotion {
  SixVector velocity{};          ///< S q'
  SixVector acceleration{};      ///< a
  std::vector<double> qdd;       ///< q''
  std::vector<double> lambda;    ///< in the basis `null_space` of `subspaces`
  SixVector constraint_force{};  ///< T lambda
};

/// Projection onto S removes the constraint force: a = Phi f + b. That force is then what is left over in the equation.
[[nodiscard]] Result<BodyMotion> by_projection(const ConstrainedBody& body);
/// Multipliers: [I T; Tᵀ 0] [a; -lambda] = [f - p; Tᵀ S' q'] as one system of 12 - n equations.
[[nodiscard]] Result<BodyMotion> by_multipliers(const ConstrainedBody& body);
/// Generalized coordinates: H q'' + C = tau.
[[nodiscard]] Result<BodyMotion> by_generalized_coordinates(const ConstrainedBody& body);
/// Null space of the multiplier system: a = Z y + a_p with Z from a QR factorisation of T, which need not be S.
[[nodiscard]] Result<BodyMotion> by_null_space(const ConstrainedBody& body);

/// H q'' + C = tau.
struct GeneralizedEquations {
  std::vector<std::vector<double>> H;  ///< Sᵀ I S
  std::vector<double> C;               ///< Sᵀ (I S' q' + p)
  std::vector<double> tau;             ///< Sᵀ f
};
[[nodiscard]] Result<GeneralizedEquations> generalized_equations(const ConstrainedBody& body);

/// Phi = S (Sᵀ I S)⁻¹ Sᵀ: a = Phi f + b, whatever f is.
[[nodiscard]] Result<SixMatrix> apparent_inverse_inertia(const ConstrainedBody& body);
/// The same from the other side, I⁻¹ - I⁻¹ T (Tᵀ I⁻¹ T)⁻¹ Tᵀ I⁻¹. Needs a body with an inertia in every direction.
[[nodiscard]] Result<SixMatrix> apparent_inverse_inertia_by_range_space(const ConstrainedBody& body);
/// b = S' q' - Phi (I S' q' + p): the acceleration under no applied force.
[[nodiscard]] Result<SixVector> bias_acceleration(const ConstrainedBody& body);

/// The spaces of Phi, as orthonormal bases.
struct ApparentSubspaces {
  int rank = 0;                       ///< of Phi, n
  std::vector<SixVector> range;       ///< motions: the columns of S span the same
  std::vector<SixVector> null_space;  ///< forces that accelerate nothing: T
};
[[nodiscard]] Result<ApparentSubspaces> subspaces(const ConstrainedBody& body);

}  // namespace jounce::tree
