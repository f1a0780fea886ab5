// Radau IIA of order 5, three implicit stages, for stiff y' = f(t, y) with a Jacobian that is given.
//
// A transformation of the stages leaves one real and one complex linear system of the size of y, dense. Both use the Jacobian of
// the middle of the step, or an older one as long as Newton's iteration converges fast with it; it need not be exact. The error is
// that of an embedded formula of order 3, filtered by the real system. radau5.hpp is the same method for constrained planar motion.
//
// Hairer, Wanner: Solving Ordinary Differential Equations II, 2nd edition, section IV.8.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace jounce {

/// f and its Jacobian; false where they have no value.
class StiffSystem {
 public:
  virtual ~StiffSystem() = default;
  [[nodiscard]] virtual bool rate(double t, std::span<const double> y, std::span<double> dy) = 0;
  /// ∂f/∂y, row after row.
  [[nodiscard]] virtual bool jacobian(double t, std::span<const double> y, std::span<double> df) = 0;
};

struct RadauStatistics {
  long steps = 0;           ///< accepted
  long rejected = 0;        ///< because of their error, because Newton did not converge, or because f has no value
  long evaluations = 0;     ///< of f
  long jacobians = 0;
  long factorisations = 0;  ///< of the pair of matrices
  long iterations = 0;      ///< of Newton, three stages together
};

class RadauOde {
 public:
  enum class Step { accepted, too_small };

  /// A step refused this often in succession, each time made smaller, is given up.
  static constexpr int kMostRefusals = 60;
  /// Rounding leaves no room for less.
  static constexpr double kSmallestTolerance = 1e-12;

  /// The error of each y_i in a step is at most tolerance · (1 + |y_i|).
  RadauOde(StiffSystem& system, int n, double tolerance);
  ~RadauOde();
  RadauOde(const RadauOde&) = delete;
  RadauOde& operator=(const RadauOde&) = delete;

  /// Begins, or begins anew; false when f has no value there.
  [[nodiscard]] bool start(double t, std::span<const double> y);
  /// Changes y at the current time a little (put back on loops) and keeps what was learnt so far; false when f has no value there.
  [[nodiscard]] bool replace(std::span<const double> y);
  /// Changes y only in what f does not see, such as the length of a quaternion that f makes a unit one.
  void amend(std::span<const double> y);

  /// One accepted step towards `limit`, at most up to it. When it became too small, t and y are as before.
  [[nodiscard]] Step step(double limit);

  [[nodiscard]] double t() const { return t_; }
  [[nodiscard]] double previous_t() const { return previous_t_; }
  [[nodiscard]] std::span<const double> y() const { return y_; }
  /// y at a time inside the last step, of order 3: its error is about the tolerance.
  void dense(double t, std::span<double> y) const;
  [[nodiscard]] const RadauStatistics& statistics() const { return statistics_; }

  /// The size that the next step will try; 0 when still to be found.
  [[nodiscard]] double next_step() const { return h_; }
  void set_next_step(double h) { h_ = h; }
  void set_largest_step(double h) { largest_step_ = h; }
  /// Every step is this long, as far as Newton's iteration converges, whatever its error; 0: as the error allows.
  void set_fixed_step(double h) { fixed_step_ = h; }

 private:
  using Vector = std::vector<double>;
  using Stages = std::array<Vector, 3>;
  enum class Trial { accepted, too_much_error, not_converged, no_value };
  struct Matrices;

  [[nodiscard]] bool evaluate(double t, const Vector& y, Vector& f);
  [[nodiscard]] bool renew_jacobian(double h);
  [[nodiscard]] Trial attempt(double h, double end);
  void guess_stages(double h);
  [[nodiscard]] double beyond_end(std::size_t i, double s) const;
  [[nodiscard]] Trial solve_stages(double h, double end);
  [[nodiscard]] double newton_update(double h);
  [[nodiscard]] double error_of(double h);
  [[nodiscard]] double filtered_error(double h, const Vector& slope);
  void accept(double h, double end);
  [[nodiscard]] double next_after(double h);
  [[nodiscard]] double change_of_step(Trial trial) const;

  StiffSystem* system_;
  std::size_t n_;
  double tolerance_;
  std::unique_ptr<Matrices> matrices_;

  Vector y_, slope_, state_, scale_;
  Stages z_, w_, f_;            // stages less y, the same transformed, right-hand sides
  Stages right_, change_;       // of the linear systems
  Stages bend_;                 // divided differences of the collocation polynomial, from the end
  double t_ = 0, previous_t_ = 0;
  double h_ = 0;                // of the next step
  double factored_h_ = 0;       // of the factors; 0: none
  double largest_step_ = std::numeric_limits<double>::infinity();
  double fixed_step_ = 0;
  double error_ = 0, accepted_h_ = 0, accepted_error_ = 0;
  double rate_ = 0, convergence_ = 1, newton_shrink_ = 0.5;        // of Newton's iteration
  double newton_limit_ = std::numeric_limits<double>::infinity();  // of h, after it failed
  int iterations_ = 0;
  bool begun_ = false;          // slope_ is f at t, y
  bool fresh_ = false;          // the Jacobian was found in this step
  bool renew_ = true;           // it is to be found anew
  bool refused_ = false;        // a trial of this step was refused
  RadauStatistics statistics_;
};

}  // namespace jounce
