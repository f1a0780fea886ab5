// The Taylor integrator: the solution as a power series, one factorisation a step.
//
// At the end of a step the state is put back on the constraints and expanded anew. The length of the step comes from the last
// coefficients; whether it was good is seen at its end, where the acceleration that the polynomial predicts is compared with the
// one that the equations give there (the defect). That costs nothing: it is the first coefficient of the next expansion. A
// step that fails the comparison, or ends where the equations have no value, is shortened and made again. Output times never
// limit a step: between its ends the motion is the polynomial.
//
// Singular positions, where S loses rank, are seen coming, because the pivots of S fall towards zero. A step ends at some distance
// before such a position and the next one carries the mechanism across, to the same distance behind it: at the ends S is regular, and
// in between the motion is the polynomial, which knows nothing of S. Rounding errors make the coefficients of a position at distance d
// grow like d^-k, so the series of the crossing is cut off at its smallest term.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/plane/equations/equations_of_motion.hpp"

namespace jounce {

/// A mechanism that goes through singular positions is not integrated with a looser tolerance or by longer series than these: what is lost there is not made
/// good again, and rounding grows with the order.
inline constexpr double kCrossingTolerance = 1e-10;
inline constexpr int kCrossingOrder = 20;

struct TaylorOptions {
  double tolerance = 1e-8;  ///< local error of positions and velocities, against 1 + their size
  int order = 0;            ///< at least 6; 0: chosen from the tolerance
  Formulation formulation = Formulation::automatic;
  double largest_step = std::numeric_limits<double>::infinity();  ///< except across a singular position
  bool crosses = true;                                            ///< goes across singular positions; otherwise only looks for them
  bool work = false;        ///< whether that of drivers, dampers and loads is integrated, too
};

class TaylorIntegrator {
 public:
  TaylorIntegrator(const PlanarSystem& system, const TaylorOptions& options);

  enum class Status {
    accepted,
    step_too_small,  ///< the tolerance cannot be met, or the motion ends
    fault,           ///< an equation has no value: see fault()
    singular,        ///< the equations do not decide the motion
  };

  void set_directions(std::span<const double> directions) { equations_.set_directions(directions); }

  /// From a state that satisfies the constraints to within a projection.
  [[nodiscard]] Status start(double t, std::span<const double> q, std::span<const double> v);
  /// One step, not beyond `limit`; where nothing depends on time, a step across a singular position may end behind it.
  [[nodiscard]] Status step(double limit);
  [[nodiscard]] double t() const { return t_; }
  [[nodiscard]] double previous_t() const { return previous_t_; }
  [[nodiscard]] std::span<const double> q() const { return q_; }
  [[nodiscard]] std::span<const double> v() const { return v_; }
  /// Derivative d of the coordinates within the last step.
  void dense(int d, double t, std::span<double> out) const { motion_.at(d, t - previous_t_, out); }

  /// Done since the start by what is not in kinetic and potential energy, up to a time within the last step.
  [[nodiscard]] double work(double t) const { return t == t_ ? end_work_ : work_within(t); }

  [[nodiscard]] const EquationsOfMotion& equations() const { return equations_; }
  [[nodiscard]] const Fault& fault() const { return *fault_; }
  [[nodiscard]] int order() const { return order_; }

  struct Statistics {
    long steps = 0, rejected = 0, crossings = 0;  ///< crossings: of singular positions
    double worst_defect = 0;      ///< against what is allowed
    double largest_projection = 0;
  };
  [[nodiscard]] const Statistics& statistics() const { return statistics_; }
  [[nodiscard]] double next_step() const { return next_step_; }
  /// The time of a singular position that the last step went across.
  [[nodiscard]] std::optional<double> passage() const { return passage_; }
  /// The time of one that lies ahead, or that the mechanism comes near.
  [[nodiscard]] std::optional<double> singular_ahead() const { return singular_ahead_; }
  /// Stability, not accuracy, has bounded the steps for a while.
  [[nodiscard]] bool stiff() const { return stiff_looks_ >= kStiffLooks; }

 private:
  static constexpr int kStepsBetweenLooks = 4, kStiffLooks = 6;

  [[nodiscard]] Status expand_at(double t, std::span<const double> q, std::span<const double> v);
  [[nodiscard]] double accuracy_step() const;
  [[nodiscard]] double defect(double h);
  /// How close to singular the position at hand is: pivots against the best seen.
  [[nodiscard]] double nearness() const;
  [[nodiscard]] double pivot_here();
  [[nodiscard]] double pivot_ahead(double s);
  [[nodiscard]] double before_collapse(double h);
  [[nodiscard]] double at_corner(double h) const;
  void look_ahead();
  void prepare_crossings();
  [[nodiscard]] std::optional<double> singular_near(double s, double width);
  struct Plan {
    double h = 0;
    bool crossing = false;
  };
  [[nodiscard]] Plan plan(double limit) const;
  [[nodiscard]] double cut_off(double h);
  void watch_stiffness();
  void remember_sizes();
  void expand_power();
  [[nodiscard]] double work_within(double t) const;
  void accept(double end);

  EquationsOfMotion equations_;
  double tolerance_, largest_step_;
  int order_;
  bool autonomous_, crosses_;
  double t_ = 0, previous_t_ = 0, next_step_ = 0;
  std::vector<double> q_, v_, end_q_, end_v_, acceleration_, expected_;
  MotionPolynomial motion_, next_motion_;
  std::vector<double> power_, next_power_;  // coefficients, with the motions that they belong to; empty: not asked for
  int power_order_ = 0, next_power_order_ = 0;  // of the expansions that they come from
  double work_ = 0, end_work_ = 0;          // at the start of the last step, and at its end
  std::vector<CoefficientSize> sizes_;  // of the expansion at t
  std::vector<double> lengths_;         // of the springs, [spring][coefficient], from the expansion at t
  std::vector<double> loads_;           // that friction of joints grows with, likewise
  std::optional<Fault> fault_;
  Statistics statistics_;
  int stiff_looks_ = 0;

  // singular positions
  std::unique_ptr<EquationsOfMotion> probe_;  // looks ahead
  int dropped_ = 0;                           // equations that depend on others everywhere
  double pivot_ = 0, best_pivot_ = 0, last_pivot_ = 0;
  double smooth_step_ = 0;                    // the accuracy step where S was last well conditioned
  double looked_at_ = std::numeric_limits<double>::infinity();  // the nearness at which nothing was found
  std::optional<double> singular_ahead_;      // the time of the next one
  std::optional<double> passage_;             // of the last step
};

}  // namespace jounce
