// Radau IIA of order 5, three implicit stages, for stiff constrained motion in the form of Gear, Gupta and Leimkuhler:
//
//   q' = v − Φqᵀμ      M v' = Q(t, q, v) − Φqᵀλ      0 = Φq v + Φt      0 = Φ(q, t)
//
// Positions and velocities both obey their equations; μ, which is 0 in the exact motion, makes room for that. Index 2, order 5
// in q and v. M may have zeros as long as the constraints and forces still decide the motion.
//
// A transformation of the stages leaves one real and one complex linear system of the size of (q, v, μ, λ). Both use the exact
// Jacobian of the middle of the step, or an older one as long as Newton's iteration converges fast with it. Where stiff forces
// turn with the bodies that is not enough: then each stage has its own derivatives of the forces, and the factors only serve to
// solve that larger system by iteration. The error is that of an embedded formula of order 3, filtered by the real system, and
// counts q and v only.
//
// Hairer, Wanner: Solving Ordinary Differential Equations II, 2nd edition, section IV.8 (the method), VI.3 (constraints) and
// VII.6 (index 2).
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "jounce/analysis/integrators/radau5_matrices.hpp"

namespace jounce {

struct Radau5Statistics {
  long steps = 0;           ///< accepted
  long rejected = 0;        ///< because of their error, because Newton did not converge, or because a force has no value; some
                            ///< of them are tried again as long as before, with other Jacobians
  long evaluations = 0;     ///< of the equations and forces at one state
  long jacobians = 0;
  long factorisations = 0;  ///< of the pair of matrices
  long iterations = 0;      ///< of Newton, three stages together
};

/// What could not be evaluated, and when.
struct StepFault {
  double t = 0;
  std::optional<ForceFault> force;
  std::optional<MotionFault> motion;
};

/// A step allocates nothing, except where pivots have to be chosen anew or a fault needs its text.
class Radau5 {
 public:
  enum class Step {
    accepted,
    too_small,  ///< errors do not get small enough, or Newton does not converge
    fault,      ///< a force or a prescribed motion has no value beyond t: see `fault()`
    singular,   ///< the equations do not decide the motion
  };

  /// A step refused this often in succession, each time made smaller, is given up.
  static constexpr int kMostRefusals = 60;
  /// Rounding leaves no room for less.
  static constexpr double kSmallestTolerance = 1e-12;

  explicit Radau5(const PlanarSystem& system);
  /// Only these equations are used; they have to be independent, and the others to follow from them.
  Radau5(const PlanarSystem& system, std::vector<int> rows);

  /// Direction of exact dry friction, one for each signal of the system; holds from the next step on.
  void set_directions(std::span<const double> directions);

  /// Begins, or begins anew, at a state that obeys the equations. Multipliers (one per equation of the system) only make the
  /// first step easier; none are needed.
  void start(double t, std::span<const double> q, std::span<const double> v, std::span<const double> lambda = {});

  /// One accepted step towards `limit`, at most up to it. The error of each position and velocity is at most
  /// tolerance · (1 + its size). When it is not accepted, the state is as before.
  [[nodiscard]] Step step(double tolerance, double limit);

  [[nodiscard]] double t() const { return t_; }
  [[nodiscard]] double previous_t() const { return previous_t_; }
  [[nodiscard]] std::span<const double> q() const { return {y_.data(), n_}; }
  [[nodiscard]] std::span<const double> v() const { return {y_.data() + n_, n_}; }
  /// Multipliers at t, one per equation of the system; 0 for those not used. Of order 3 only.
  [[nodiscard]] std::span<const double> lambda() const { return lambda_; }
  /// The state at a time inside the last step, of order 3: its error is about the tolerance.
  void dense(double t, std::span<double> q, std::span<double> v) const;

  [[nodiscard]] const Radau5Statistics& statistics() const { return statistics_; }
  /// The last step was held to what rounding allows, which is more than the tolerance.
  [[nodiscard]] bool limited_by_rounding() const { return rounding_; }
  [[nodiscard]] const StepFault& fault() const { return fault_; }

  /// The size that the next step will try; 0 when still to be found.
  [[nodiscard]] double next_step() const { return h_; }
  void set_next_step(double h) { h_ = h; }
  void set_largest_step(double h) { largest_step_ = h; }
  /// Every step is this long, as far as Newton's iteration converges, whatever its error; 0: as the error allows.
  void set_fixed_step(double h) { fixed_step_ = h; }

 private:
  using Vector = std::vector<double>;
  using Unknowns = std::array<Vector, radau5::kStages>;
  enum class Trial { accepted, too_much_error, not_converged, fault, singular };

  void colour_columns();
  void set_scales();
  [[nodiscard]] bool set_time(Evaluation& at, double t);
  [[nodiscard]] bool evaluate(Evaluation& at, const Vector& y, Vector& f, bool derivatives = false);
  void constraints(Evaluation& at, const Vector& y, Vector& f);
  [[nodiscard]] bool begin_step();
  [[nodiscard]] bool renew_jacobian();
  void velocity_equations_q(Evaluation& at, std::span<const double> v);

  [[nodiscard]] Trial attempt(double h, double end);
  [[nodiscard]] bool another_way();
  void guess_stages(double h);
  [[nodiscard]] double beyond_end(std::size_t i, double s) const;
  [[nodiscard]] Trial solve_stages(double h);
  [[nodiscard]] double newton_update(double h);
  void solve_by_stage(double h);
  void stage_differences(double h, const Vector& u);
  [[nodiscard]] double error_of(double h);
  [[nodiscard]] double filtered_error(double h, const Vector& slope);
  [[nodiscard]] double size_of_change() const;
  void project();
  void accept(double h, double end);
  [[nodiscard]] double next_after(double h);
  [[nodiscard]] double change_of_step(Trial trial) const;

  const PlanarSystem* system_;
  std::vector<int> rows_;
  std::size_t n_, m_, all_;  // coordinates, equations used, unknowns

  Linearisation linearisation_;
  std::vector<Evaluation> at_stage_;  // one for each, because each has its own time
  Evaluation at_start_;
  radau5::StepMatrices matrices_;
  std::vector<std::pair<int, int>> entries_;  // of Φq: row among those used or −1, column
  std::vector<int> colour_;                   // of the columns of Φq: no two columns of a colour share a row
  int colours_ = 0;

  // Vectors of unknowns are q, v, μ, λ, one after another; of right-hand sides those of q', M v', then velocities, positions.
  Vector y_, slope_, state_;
  Unknowns z_, w_, f_;         // stages less y, the same transformed, right-hand sides
  Unknowns right_, change_;    // of the linear systems
  std::array<Vector, 3> bend_;  // divided differences of the collocation polynomial, from the end
  Vector lambda_, multipliers_, scale_, motion_, phi_q_, velocity_q_, forward_, inertia_;

  std::array<radau5::ForceDerivatives, radau5::kStages> stage_forces_;
  radau5::ForceDerivatives middle_forces_;  // those of the Jacobian
  Unknowns inner_, difference_, stage_change_;
  Vector rest_, found_;
  std::vector<Vector> direction_, image_;
  int steps_by_stage_ = 0, patience_ = 0;
  bool by_stage_ = false;  // each stage has its own derivatives of forces

  double t_ = 0, previous_t_ = 0, tolerance_ = 0;
  double h_ = 0;           // of the next step
  double factored_h_ = 0;  // of the factors; 0: none
  double largest_step_ = std::numeric_limits<double>::infinity();
  double fixed_step_ = 0;
  double error_ = 0, accepted_h_ = 0, accepted_error_ = 0;
  double rate_ = 0, convergence_ = 1, newton_shrink_ = 0.5;  // of Newton's iteration
  double newton_limit_ = std::numeric_limits<double>::infinity();  // of h, after it failed
  int iterations_ = 0;
  bool begun_ = false;    // slope_ is f at t, y
  bool fresh_ = false;    // the Jacobian was found in this step
  bool renew_ = true;     // it is to be found anew
  bool rounding_ = false;
  bool refused_ = false;  // a trial of this step was refused
  Radau5Statistics statistics_;
  StepFault fault_;
};

}  // namespace jounce
