// M δ + Φqᵀλ = g, Φq δ = −r: solved as one sparse matrix (kkt) or by independent motions (nullspace). The lagrange road, for bodies
// that all have mass, is schur.hpp.
#pragma once

#include <memory>
#include <span>

#include "jounce/system/formulation.hpp"
#include "jounce/system/planar_system.hpp"

namespace jounce {

class SaddleSolver {
 public:
  virtual ~SaddleSolver() = default;
  SaddleSolver() = default;
  SaddleSolver(const SaddleSolver&) = delete;
  SaddleSolver& operator=(const SaddleSolver&) = delete;

  /// Takes Φq (in the order of the system's pattern) and M. False where they do not decide the motion.
  [[nodiscard]] virtual bool factor(std::span<const double> jacobian) = 0;
  /// g and δ have one entry per coordinate, r and λ one per equation. Equations that depend on others get λ = 0.
  virtual void solve(std::span<const double> g, std::span<const double> r, std::span<double> delta, std::span<double> lambda) = 0;
  /// Equations found to depend on others.
  [[nodiscard]] virtual std::span<const int> dropped() const = 0;
};

/// For Formulation::kkt and Formulation::nullspace.
[[nodiscard]] std::unique_ptr<SaddleSolver> make_saddle_solver(Formulation formulation, const PlanarSystem& system);

}  // namespace jounce
