// A mechanism whose equations do not hold yet, as the search for an assembled position sees it, in the plane and in space.
//
// A position is all coordinates. Equations are scaled: lengths count in sizes of the mechanism, so that one number means one thing. A step
// or a way has one number for each direction, in units that the mechanism chooses; W makes sizes of them: |way|² = wayᵀ W way.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/base/problem.hpp"

namespace jounce {

class ClosingMotion {
 public:
  using Position = std::vector<double>;
  using Vector = std::vector<double>;

  ClosingMotion() = default;
  virtual ~ClosingMotion() = default;
  ClosingMotion(const ClosingMotion&) = delete;
  ClosingMotion& operator=(const ClosingMotion&) = delete;

  /// How the search goes about it.
  struct Habits {
    bool newton_first = false;  ///< try the shortest way to the equations before anything else
    int newton_steps = 6;       ///< at most
    double newton_below = 1e-4; ///< residuals must be at most so large
    int restart_limit = 600;    ///< directions; beyond this a restart costs more than it is worth
  };
  [[nodiscard]] virtual Habits habits() const = 0;

  // ---- positions -------------------------------------------------------------------------------------------------------

  /// As drawn or written.
  [[nodiscard]] virtual const Position& drawn() const = 0;
  [[nodiscard]] virtual int directions() const = 0;
  virtual void move(Position& at, std::span<const double> step) = 0;
  [[nodiscard]] virtual Vector way_from_drawn(const Position& at) = 0;
  /// W way
  [[nodiscard]] virtual Vector weighted(std::span<const double> way) const = 0;
  /// Of a step: more than some part of a turn could already lead to the wrong branch.
  [[nodiscard]] virtual double longest_turn(std::span<const double> step) const = 0;
  /// How far a restart may shake this direction, for each radian that it shakes angles.
  [[nodiscard]] virtual double shake(int direction) const = 0;

  // ---- equations -------------------------------------------------------------------------------------------------------

  [[nodiscard]] virtual Vector residual(const Position& at) = 0;
  /// Takes the Jacobian J of the position whose residual was asked for last.
  virtual void linearise() = 0;
  /// Jᵀ r
  [[nodiscard]] virtual Vector gradient(std::span<const double> r) const = 0;
  /// −N⁻¹ gradient, with N = JᵀJ + damping W; none where that cannot be factored.
  [[nodiscard]] virtual std::optional<Vector> damped_step(std::span<const double> gradient, double damping) = 0;
  /// stepᵀ N step
  [[nodiscard]] virtual double curvature(std::span<const double> step) const = 0;
  /// The shortest step that makes up for r, to first order.
  [[nodiscard]] virtual std::optional<Vector> newton_step(std::span<const double> r) = 0;

  // ---- for results and messages ----------------------------------------------------------------------------------------

  /// Metres.
  [[nodiscard]] virtual double size() const = 0;
  /// The largest residual, unscaled: metres or radians.
  [[nodiscard]] virtual double worst_residual(const Position& at) = 0;
  struct Moved {
    double metres = 0, radians = 0;
  };
  /// The largest moves from the drawing.
  [[nodiscard]] virtual Moved moved(const Position& at) = 0;
  struct Open {
    std::string element;  ///< "joint 'B'"
    double metres = 0, radians = 0;
    Where where;
  };
  /// How far each element is from being met.
  [[nodiscard]] virtual std::vector<Open> open(const Position& at) = 0;
};

}  // namespace jounce
