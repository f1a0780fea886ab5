// Exact derivatives of what moves a spatial mechanism, by dual numbers through the recursive algorithms.
//
// Of the accelerations: H a = τ − C + Kᵀλ is differentiated with a and λ held, by Newton–Euler on dual numbers, and the factors of
// the articulated bodies make accelerations of the result:
//
//   ∂a = H⁻¹ (∂(τ − H a − C + Kᵀλ) + Kᵀ ∂λ),     K ∂a = 0
//
// Exact without loops. With loops two things are left out, which a Newton iteration can do without: that k and K in K a = k change
// with the state (terms of the size of velocities squared), and that the directions which some joints of loops resist turn
// against frame i (universal, gimbal and custom ones; λ moves with the axes of frame i).
#pragma once

#include <memory>

#include "jounce/space/equations/equations.hpp"

namespace jounce {

class SpaceDerivatives {
 public:
  explicit SpaceDerivatives(const SpaceMechanism& mechanism);
  ~SpaceDerivatives();
  SpaceDerivatives(const SpaceDerivatives&) = delete;
  SpaceDerivatives& operator=(const SpaceDerivatives&) = delete;

  /// A state at which `SpaceEquations::solve` was called last.
  struct State {
    double t = 0;
    std::span<const double> y;        ///< passive coordinates, quaternions of any length, then passive rates
    std::span<const double> q, v, a;  ///< what follows from it: all coordinates (unit quaternions), rates and accelerations
  };
  /// ∂f/∂y of f = (rates of the passive coordinates, passive accelerations), row after row. The quaternions of y are made unit ones
  /// in f.
  [[nodiscard]] std::optional<Fault> of_rates(const SpaceEquations& at, const State& state, std::span<double> jacobian);

  /// At rest, without loops: how the forces on the dofs change with the passive coordinates and rates. One row for each dof, one
  /// column for each passive dof; coordinates change along `tree::move`.
  struct AtRest {
    std::vector<double> force;  ///< τ − C of every dof
    std::vector<double> tau;    ///< of its own spring and torque alone
    double tension = 0;         ///< the largest between two points
    std::vector<double> by_position, by_rate;
  };
  [[nodiscard]] std::optional<Fault> of_forces(double t, std::span<const double> q, AtRest& out);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace jounce
