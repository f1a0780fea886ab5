// Radau IIA of order 5, three implicit stages, for stiff motion with or without constraints (StiffForm).
//
// A transformation of the stages leaves one real and one complex linear system of the size of the unknowns. Both use the Jacobian of
// the middle of the step, or an older one as long as Newton's iteration converges fast with it. Where stiff forces turn with the bodies
// that is not enough: then each stage has its own derivatives of the forces, and the factors only serve to solve that larger system by
// iteration. The error is that of an embedded formula of order 3, filtered by the real system, and counts the states only.
//
// Hairer, Wanner: Solving Ordinary Differential Equations II, 2nd edition, section IV.8 (the method), VI.3 (constraints) and
// VII.6 (index 2).
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "jounce/mechanism/stiff_form.hpp"

namespace jounce {

struct RadauStatistics {
  long steps = 0;           ///< accepted
  long rejected = 0;        ///< because of their error, because Newton did not converge, or because something has no value; some
                            ///< of them are tried again as long as before, with other Jacobians
  long evaluations = 0;     ///< of the right-hand sides at one state
  long jacobians = 0;
  long factorisations = 0;  ///< of the pair of matrices
  long iterations = 0;      ///< of Newton, three stages together
};

/// A step of planar motion allocates nothing, except where pivots have to be chosen anew or a fault needs its text.
class Radau {
 public:
  enum class Step {
    accepted,
    too_small,  ///< errors do not get small enough, or Newton does not converge
    fault,      ///< something has no value beyond t: see the form's `fault`
    singular,   ///< the equations do not decide the motion
  };

  /// A step refused this often in succession, each time made smaller, is given up.
  static constexpr int kMostRefusals = 60;

  /// The error of each state in a step is at most tolerance · (1 + its size), or what rounding allows.
  Radau(StiffForm& form, double tolerance);

  /// Begins, or begins anew, at a state that obeys the equations.
  void start(double t, std::span<const double> y);
  /// Changes the state at the current time a little (put back on loops) and keeps what was learnt so far.
  void replace(std::span<const double> y);

  /// One accepted step towards `limit`, at most up to it. When it is not accepted, the state is as before.
  [[nodiscard]] Step step(double limit);

  [[nodiscard]] double t() const { return t_; }
  [[nodiscard]] double previous_t() const { return previous_t_; }
  [[nodiscard]] std::span<const double> y() const { return {u_.data(), states_}; }
  /// The state and the multipliers, which are of order 3 only.
  [[nodiscard]] const std::vector<double>& unknowns() const { return u_; }
  /// The state at a time inside the last step, of order 3: its error is about the tolerance.
  void dense(double t, std::span<double> y) const;

  [[nodiscard]] const RadauStatistics& statistics() const { return statistics_; }
  /// The last step was held to what rounding allows, which is more than the tolerance.
  [[nodiscard]] bool limited_by_rounding() const { return rounding_; }

  /// The size that the next step will try; 0 when still to be found.
  [[nodiscard]] double next_step() const { return h_; }
  void set_next_step(double h) { h_ = h; }
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }
  void set_largest_step(double h) { largest_step_ = h; }
  /// Every step is this long, as far as Newton's iteration converges, whatever its error; 0: as the error allows.
  void set_fixed_step(double h) { fixed_step_ = h; }

 private:
  using Vector = StiffForm::Vector;
  using Unknowns = StiffForm::Stages;
  enum class Trial { accepted, too_much_error, not_converged, fault, singular };

  // radau.cpp: steps
  void set_scales();
  [[nodiscard]] bool begin_step();
  [[nodiscard]] Trial attempt(double h, double end);
  [[nodiscard]] bool another_way();
  [[nodiscard]] double error_of(double h);
  [[nodiscard]] double filtered_error(double h, const Vector& slope);
  [[nodiscard]] double size_of_change() const;
  void project();
  void accept(double h, double end);
  [[nodiscard]] double next_after(double h);
  [[nodiscard]] double change_of_step(Trial trial) const;
  [[nodiscard]] double beyond_end(std::size_t i, double s) const;

  // radau_newton.cpp: the stages of one step
  [[nodiscard]] bool evaluate(int place, const Vector& u, Vector& f, bool derivatives = false);
  [[nodiscard]] bool renew_jacobian();
  void guess_stages(double h);
  [[nodiscard]] Trial solve_stages(double h);
  [[nodiscard]] double newton_update(double h);
  void solve_by_stage(double h);
  void stage_differences(double h, const Vector& u);

  StiffForm* form_;
  std::size_t states_, positions_, all_;
  double tolerance_;

  Vector u_, slope_, state_, scale_;
  Unknowns z_, w_, f_;       // stages less u, the same transformed, right-hand sides
  Unknowns right_, change_;  // of the linear systems
  Unknowns bend_;            // divided differences of the collocation polynomial, from the end

  // derivatives of the forces for each stage
  Unknowns inner_, difference_, stage_change_;
  Vector rest_, found_;
  std::vector<Vector> direction_, image_;
  int steps_by_stage_ = 0, patience_ = 0;
  bool by_stage_ = false;

  double t_ = 0, previous_t_ = 0;
  double h_ = 0;           // of the next step
  double factored_h_ = 0;  // of the factors; 0: none
  double largest_step_ = std::numeric_limits<double>::infinity();
  double fixed_step_ = 0;
  double error_ = 0, accepted_h_ = 0, accepted_error_ = 0;
  double rate_ = 0, convergence_ = 1, newton_shrink_ = 0.5;        // of Newton's iteration
  double newton_limit_ = std::numeric_limits<double>::infinity();  // of h, after it failed
  int iterations_ = 0;
  bool begun_ = false;    // slope_ is f at t, u
  bool fresh_ = false;    // the Jacobian was found in this step
  bool renew_ = true;     // it is to be found anew
  bool rounding_ = false;
  bool refused_ = false;  // a trial of this step was refused
  RadauStatistics statistics_;
};

}  // namespace jounce
