// Constrained planar motion as an implicit method sees it, in the form of Gear, Gupta and Leimkuhler:
//
//   q' = v − Φqᵀμ      M v' = Q(t, q, v) − Φqᵀλ      0 = Φq v + Φt      0 = Φ(q, t)
//
// Positions and velocities both obey their equations; μ, which is 0 in the exact motion, makes room for that. Index 2. M may have
// zeros as long as the constraints and forces still decide the motion. Unknowns are q, v, μ, λ, one after another; right-hand sides
// are those of q', M v', then the residuals of velocities and positions.
//
// Hairer, Wanner: Solving Ordinary Differential Equations II, 2nd edition, section VII.6.
#pragma once

#include <optional>
#include <utility>

#include "jounce/mechanism/stiff_form.hpp"
#include "jounce/plane/equations/joint_friction.hpp"
#include "jounce/plane/motion/stiff_matrices.hpp"

namespace jounce {

class PlaneStiffForm final : public StiffForm {
 public:
  explicit PlaneStiffForm(const PlanarSystem& system);
  /// Only these equations are used; they have to be independent, and the others to follow from them.
  PlaneStiffForm(const PlanarSystem& system, std::vector<int> rows);

  /// Direction of exact dry friction, one for each signal of the system; before the start.
  void set_directions(std::span<const double> directions) { linearisation_.set_directions(directions); }
  /// The multipliers λ among some unknowns, one per equation of the system; 0 for those not used.
  [[nodiscard]] std::vector<double> multipliers(const Vector& u) const;

  [[nodiscard]] std::size_t unknowns() const override { return 2 * (n_ + m_); }
  [[nodiscard]] std::size_t states() const override { return 2 * n_; }
  [[nodiscard]] std::size_t positions() const override { return n_; }
  [[nodiscard]] std::size_t prescribed() const override { return n_; }
  [[nodiscard]] bool keeps_constraints() const override { return true; }
  [[nodiscard]] std::span<const double> inertia() const override { return inertia_; }
  bool set_time(int place, double t) override;
  bool evaluate(int place, const Vector& u, Vector& f, bool derivatives) override;
  void residuals(int place, const Vector& u, Vector& f) override;
  /// Motion at constant velocity.
  void first_guess(double time, const Vector& u, Vector& way) const override;
  /// That μ times the second derivatives of Φ is left out costs nothing: μ is about 0.
  bool linearise(const Vector& u) override;
  bool factor(double h, const Shifts& shifts) override { return matrices_.factor(h, shifts); }
  void solve_real(const Vector& right, Vector& x) override { matrices_.solve_real(right, x); }
  void solve(const Stages& right, Stages& x) override { matrices_.solve(right, x); }
  [[nodiscard]] bool stages_apart() const override { return !system_->forces().empty(); }
  void add_difference(int stage, std::span<const double> states, std::span<double> to) const override;
  [[nodiscard]] Fault fault() const override;

  /// What could not be evaluated, and when.
  struct NoValue {
    double t = 0;
    std::optional<ForceFault> force;
    std::optional<MotionFault> motion;
    std::optional<Fault> equation = {};
  };
  [[nodiscard]] const NoValue& no_value() const { return no_value_; }

 private:
  void colour_columns();
  [[nodiscard]] Evaluation& at(int place) { return at_[static_cast<std::size_t>(place)]; }
  void velocity_equations_q(Evaluation& at, std::span<const double> v);
  void set_loads(const Vector& u);
  void guess_multipliers(const Vector& u, Vector& way) const;
  void friction_by_multipliers(const Vector& u);

  const PlanarSystem* system_;
  std::vector<int> rows_;
  std::size_t n_, m_;  // coordinates, equations used
  Linearisation linearisation_;
  std::vector<Evaluation> at_;  // one for each place, because each has its own time
  stiff::StepMatrices matrices_;
  std::vector<std::pair<int, int>> entries_;  // of Φq: row among those used or −1, column
  std::vector<int> colour_;                   // of the columns of Φq: no two columns of a colour share a row
  int colours_ = 0;
  std::vector<std::vector<LoadRow>> load_rows_;  // of friction of joints
  std::vector<int> used_;                        // of every equation: its place among those used, or −1
  std::vector<Triplet> by_multiplier_;           // ∂Q/∂λ of friction
  Vector loads_, along_;
  Vector multipliers_, motion_, phi_q_, velocity_q_, forward_, inertia_, f_;
  std::array<stiff::ForceDerivatives, kStages> stage_forces_;
  stiff::ForceDerivatives middle_forces_;  // those of the Jacobian
  bool without_value(int place);
  NoValue no_value_;
};

}  // namespace jounce
