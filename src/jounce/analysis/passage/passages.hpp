// Singular positions on the way of a forward motion: seen before steps come near them, and passed in one long step across.
//
// Where the equations are solved by a method that shows how well they hold (ForwardMotion::smallest_pivot), steps in which that stays far from zero, and does not
// fall towards it, are not looked at any further. After every other step it is asked what the equations that hold the mechanism have left since the step began (HeldSince). They lose rank ahead, at the
// time at which that would be nothing, or within the step. A step that goes beyond is not used: the way across is found from a state far
// enough before it (Crossing). Where there is no smooth way across, because the mechanism comes near a singular position without going through it, steps
// are kept short, and it is looked at again from half as far.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "jounce/analysis/passage/crossing.hpp"
#include "jounce/analysis/passage/held.hpp"

namespace jounce {

class Passages {
 public:
  Passages(ForwardMotion& motion, double tolerance) : motion_(motion), tolerance_(tolerance) {}

  /// A method starts at a state. What was behind belongs to another motion where rates have jumped.
  void start(double t, std::span<const double> y, bool jumped);

  struct Look {
    std::unique_ptr<Crossing> crossing{};  ///< to be used instead of the step
    std::optional<double> again{};         ///< the step is to be made again, not longer than this
    bool lost = false;                     ///< the equations lose rank, and there is no way across
  };
  /// At the last step, before any of it is used; nothing after `limit` is known.
  [[nodiscard]] Look look(Stepper& stepper, double limit);
  /// The next step is not to go beyond; infinite where nothing is near.
  [[nodiscard]] double limit() const { return limit_; }
  /// Where a step that is made again begins.
  [[nodiscard]] const Crossing::Known& last() const { return behind_.back(); }

 private:
  [[nodiscard]] double within(Stepper& stepper);
  [[nodiscard]] double regularity_at(Stepper& stepper, double t);
  [[nodiscard]] std::unique_ptr<Crossing> across(double singular, double limit);
  void keep(double t, std::span<const double> y);
  [[nodiscard]] const AllHeldSince& held();
  [[nodiscard]] double loss(Stepper& stepper, double near);
  [[nodiscard]] bool well_held(double step, double near);

  ForwardMotion& motion_;
  double tolerance_;
  std::vector<Crossing::Known> behind_;  // the last of them is where the last step began
  std::optional<AllHeldSince> held_;
  std::vector<Matrix> gradients_;  // at a time, where they are known
  double gradients_at_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> y_;
  double root_ = 0, best_root_ = 0;  // of the smallest pivot, in the last step and ever; 0: not known
  int looks_ = 0;  // in a row, at one that there is no way across
  double way_ = 0;  // seconds: the longest half of a way across, at the speed of the last state
  double limit_ = std::numeric_limits<double>::infinity();
  double longest_ = std::numeric_limits<double>::infinity();  // that a half of a way across may be, by what was tried
};

}  // namespace jounce
