// The equations of motion, coefficient by coefficient: M q̈ + Φqᵀλ = Q, Φ(q, t) = 0 along a power series in time.
//
// Given a position and a velocity, `expand` finds the Taylor coefficients of the motion and of the multipliers to any order with one
// factorisation of S = Φq M⁻¹ Φqᵀ. With m = k − 2:
//
//   free motion   q_k = M⁻¹ f_m / (k (k − 1)),  f_m: what is known of coefficient m of Q − Φqᵀλ before λ_m is
//   residual      r = coefficient k of Φ at that q_k: how far the free motion breaks the joints
//   multipliers   λ_m = k (k − 1) S⁻¹ r
//   motion        f_m − Φqᵀλ_m gives q_k
//
// Acceleration and reactions are k = 2, jerk and the rates of the reactions k = 3 (the third-order equations, with κ among what is
// known of f_1), snap k = 4, and an integrator goes on to 16 or 20. Forces follow one order behind the motion: coefficient m of Q
// needs q_{m+1}.
//
// That is the lagrange formulation, for bodies that all have mass and inertia. The others (formulation.hpp) find the change of the free
// motion and λ from M δ + Φqᵀλ = g, Φq δ = −r in their own ways (saddle.hpp, tree_solver.hpp), at each order with the same factors.
//
// No allocation after construction.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/base/fault.hpp"
#include "jounce/plane/equations/body_series.hpp"
#include "jounce/mechanism/formulation.hpp"
#include "jounce/planar/equation.hpp"
#include "jounce/plane/equations/linearisation.hpp"
#include "jounce/plane/equations/planar_system.hpp"

namespace jounce {

template <template <class> class E>
class Batch;

class EquationsOfMotion {
 public:
  /// `order`: the highest coefficient of the motion that will be asked for, at least 2.
  EquationsOfMotion(const PlanarSystem& system, int order, Formulation formulation = Formulation::automatic);
  ~EquationsOfMotion();
  EquationsOfMotion(EquationsOfMotion&&) noexcept;

  [[nodiscard]] const PlanarSystem& system() const { return *system_; }
  [[nodiscard]] int order() const { return order_; }
  [[nodiscard]] Formulation formulation() const { return formulation_; }

  /// Direction of exact dry friction, −1, 0 or 1, one for each signal of the system. All 0 at the start.
  void set_directions(std::span<const double> directions);

  /// Corrects the multipliers of every order once, for more digits where S is badly conditioned; very badly, it is done anyway.
  void set_refined(bool refined);

  // ---- in this order ------------------------------------------------------------------------------------------------

  /// Functions of time, to order `order`.
  [[nodiscard]] std::optional<Fault> set_time(double t, int order);
  /// Coefficient 0, with Φ.
  void set_position(std::span<const double> q);
  /// Φq and the factors of S there. `inverse`: a long expansion follows.
  void factor(bool inverse);
  /// Coefficient 1, with Φ̇.
  void set_velocity(std::span<const double> v);
  /// Coefficients 2 … `order` of the motion and 0 … `order` − 2 of the multipliers.
  [[nodiscard]] std::optional<Fault> expand(int order);

  /// Of an equation of the user's that has no value since the position was set, why; nothing where all have one.
  [[nodiscard]] std::optional<Fault> without_value() const;

  // ---- back to the constraints ---------------------------------------------------------------------------------------

  /// One Newton step, shortest in the mass metric, with the factors at hand: q −= M⁻¹Φqᵀ S⁻¹ Φ. Sets the new position; gives the
  /// size of the correction (metres over the length scale, radians).
  double project_position(std::span<double> q);
  /// v −= M⁻¹Φqᵀ S⁻¹ Φ̇, and sets it.
  double project_velocity(std::span<double> v);

  /// What an impulse does to the rates while the equations hold: M δ + Φqᵀλ = impulse, Φq δ = 0. For the formulation kkt, after `factor`; false where
  /// masses and equations do not decide it.
  [[nodiscard]] bool respond(std::span<const double> impulse, std::span<double> change);

  // ---- what came out ------------------------------------------------------------------------------------------------

  [[nodiscard]] double time() const { return time_; }
  /// Coefficient k of the coordinates.
  void coefficient(int k, std::span<double> q_k) const;
  /// Coefficient k of every body's frame, the ground first.
  [[nodiscard]] std::span<const planar::FrameRecord> frames(int k) const;
  /// Coefficient m of the multipliers, by equation; factorial not included.
  void multipliers(int m, std::span<double> lambda) const;
  /// Coefficient m of measure and tension (or torque) of a force with a length or an angle.
  [[nodiscard]] ForceReading reading(int force, int m) const;
  /// Coefficients 0 … order of the lengths of all springs that need a line of action, [spring][coefficient].
  void copy_lengths(int order, std::vector<double>& out) const;
  /// Coefficient m of the load that a signal grows with, which is friction of a joint.
  [[nodiscard]] double friction_load(int signal, int m) const;
  /// The same loads along the direction that they have here, coefficients 0 … order − 2, [joint][coefficient]: where one of them changes its sign, |R| has a corner.
  void copy_loads(int order, std::vector<double>& out) const;
  /// The spring that is shortest, as what has no value.
  [[nodiscard]] Fault collapsed() const;
  /// The largest force that a joint or driver carries, from coefficient 0 of the multipliers; moments divided by the length scale.
  [[nodiscard]] double largest_constraint_force() const;
  /// The rate of a signal's measure, for the events of exact friction.
  [[nodiscard]] double signal_rate(int signal) const;
  /// Coefficients 0, 1, … of the power that drivers and forces bring in and that no potential energy accounts for, after an expansion to
  /// `order`: products of polynomials of degree order − 2, of which there is room for so many terms.
  void power(int order, std::span<double> out) const;
  [[nodiscard]] double potential() const;
  [[nodiscard]] double kinetic() const;
  /// The same by the inertia that the formulation has factored, where it has its own.
  [[nodiscard]] double kinetic_of_factors() const;
  /// How many numbers the formulation solves for.
  [[nodiscard]] int unknowns() const;
  /// Largest residual of Φ, in metres or radians; of coefficient 0, or coefficient 1 (per second).
  [[nodiscard]] double worst_residual(int k) const;
  /// How close to singular the position is: see SchurComplement::smallest_pivot. NaN where the equations do not decide the motion; 1
  /// otherwise for formulations other than lagrange.
  [[nodiscard]] double smallest_pivot() const;
  /// Equations that depend on the others at this position: their multipliers are 0.
  [[nodiscard]] std::vector<int> dropped_rows() const;
  [[nodiscard]] int dropped_count() const;
  [[nodiscard]] long factorisations() const { return factorisations_; }

  [[nodiscard]] CoefficientSize size(int k) const;
  /// The motion of the last expansion, to this order.
  void copy_motion(int order, MotionPolynomial& out) const;

 private:
  struct Impl;
  double project(const std::vector<Lanes>& residual, std::span<double> q);
  void add_own_power(const Batch<planar::Equation>& batch, int n, std::span<double> out) const;

  const PlanarSystem* system_;
  int order_;
  Formulation formulation_;
  double time_ = 0;
  long factorisations_ = 0;
  std::unique_ptr<Impl> impl_;
};

}  // namespace jounce
