// Generalized forces and constraint forces with their derivatives, by dual numbers on the element templates themselves.
//
// This is the second road to Q and Φqᵀλ: it shares the templates with the kernels and nothing else. Implicit integration,
// equilibrium and vibration need the derivatives; speed comes second here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/planar/equation.hpp"
#include "jounce/plane/equations/planar_system.hpp"

namespace jounce {

/// A force that has no value at some state: which one, and why (without the time).
struct ForceFault {
  int force = -1;  ///< index in PlanarSystem::forces()
  std::string sentence;
  int column = 0;  ///< in the text of its law; 0 when it concerns the whole
  Where where{};   ///< of that text, or of the force
};

/// An entry of a sparse matrix; entries at the same place add.
struct Triplet {
  int row = 0, column = 0;
  double value = 0;
};

/// A measure of a force (a length or an angle), its rate, and the effort along it: tension or torque, positive pulling together.
struct ForceReading {
  double x = 0, rate = 0, effort = 0;
};

class Linearisation {
 public:
  explicit Linearisation(const PlanarSystem& system);

  /// Direction of exact dry friction, −1, 0 or 1, one for each signal of the system. All 0 at the start.
  void set_directions(std::span<const double> directions);

  [[nodiscard]] std::span<const double> directions() const { return directions_; }
  /// The load that friction of a joint grows with, one for each signal of the system; 0 at the start, without meaning for others.
  void set_loads(std::span<const double> loads);

  /// Q (gravity included) at a state, with ∂Q/∂q and ∂Q/∂q̇. Rows and columns are coordinates.
  [[nodiscard]] std::optional<ForceFault> forces(double t, std::span<const double> q, std::span<const double> v);
  /// The same at rest, without ∂Q/∂q̇: also where a law has a kink or a jump at rate 0.
  [[nodiscard]] std::optional<ForceFault> forces_at_rest(double t, std::span<const double> q);
  /// The same at a state, without derivatives: also where a law has a kink in the length.
  [[nodiscard]] std::optional<ForceFault> forces_alone(double t, std::span<const double> q, std::span<const double> v);
  [[nodiscard]] std::span<const double> Q() const { return q_; }
  [[nodiscard]] std::span<const Triplet> dQ_dq() const { return dq_; }
  [[nodiscard]] std::span<const Triplet> dQ_dv() const { return dv_; }
  /// Of every force with a length or an angle, in the order of the system's list, after `forces`; others stay 0.
  [[nodiscard]] std::span<const ForceReading> readings() const { return readings_; }
  /// Energy of the springs and of gravity (zero at the height of the ground's origin), after `forces`.
  [[nodiscard]] double potential() const { return potential_; }

  /// Of all forces: what their potential energy does not account for, after `forces`.
  [[nodiscard]] double power() const { return power_; }

  /// Φqᵀλ and its derivative with respect to q, λ held fixed. One multiplier per equation.
  void constraint_forces(double t, std::span<const double> q, std::span<const double> lambda);
  [[nodiscard]] std::span<const double> constraint_force() const { return reaction_; }
  [[nodiscard]] std::span<const Triplet> d_constraint_force() const { return reaction_dq_; }

 private:
  enum class Derivatives { none, positions, both };
  template <Derivatives wanted>
  std::optional<ForceFault> evaluate(double t, std::span<const double> q, std::span<const double> v);
  template <template <class> class F, class Local>
  std::optional<ForceFault> add_seen(const Local& local, int force, double t, std::span<const double> q, std::span<const double> v, bool rates);
  void add_gravity(std::span<const double> q);
  void add_own(const planar::EquationLaw& law, double t, std::span<const double> q, double lambda);

  const PlanarSystem* system_;
  std::vector<double> directions_, loads_, q_, reaction_;
  std::vector<Triplet> dq_, dv_, reaction_dq_;
  std::vector<ForceReading> readings_;
  std::vector<double> quantities_;  // of the state
  double potential_ = 0, power_ = 0;
};

}  // namespace jounce
