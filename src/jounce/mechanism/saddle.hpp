// M δ + Kᵀλ = g, K δ = −r with a diagonal M: what every formulation solves, each in its own way.
//
// The unknowns are changes of the coordinates of free bodies (three in the plane, six in space) and the multipliers of all equations that
// hold them together. The solvers here know only the matrices; those of tree_solver.hpp also know which joints carry which bodies.
#pragma once

#include <memory>
#include <span>

#include "jounce/math/sparse_lu.hpp"
#include "jounce/mechanism/formulation.hpp"

namespace jounce {

class SaddleSolver {
 public:
  virtual ~SaddleSolver() = default;
  SaddleSolver() = default;
  SaddleSolver(const SaddleSolver&) = delete;
  SaddleSolver& operator=(const SaddleSolver&) = delete;

  /// Takes K (in the order of its pattern) at the position q. False where K and M do not decide the motion.
  [[nodiscard]] virtual bool factor(std::span<const double> jacobian, std::span<const double> q) = 0;
  /// g and δ have one entry per coordinate, r and λ one per equation. Equations that depend on others get λ = 0.
  virtual void solve(std::span<const double> g, std::span<const double> r, std::span<double> delta, std::span<double> lambda) = 0;
  /// Equations found to depend on others.
  [[nodiscard]] virtual std::span<const int> dropped() const = 0;
  /// ½ vᵀ M v of rates v that K allows, by whatever inertia the solver has factored; NaN: by none.
  [[nodiscard]] virtual double kinetic(std::span<const double> v);
  /// How many numbers it solves for.
  [[nodiscard]] virtual int unknowns() const = 0;
};

/// For lagrange, kkt and nullspace. `pattern` of K and `mass`, the diagonal of M, must outlive the solver.
[[nodiscard]] std::unique_ptr<SaddleSolver> make_saddle_solver(Formulation formulation, const SparsePattern& pattern,
                                                               std::span<const double> mass);

}  // namespace jounce
