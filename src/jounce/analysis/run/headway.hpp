// Sees a motion that makes no headway: a force that jumps back and forth holds it (sign(v) at rest), and it is followed in ever so small steps,
// without end.
//
// Short steps alone tell nothing: a stiff or a fast motion has them, too, for as long as it takes. What tells is the force. Between two
// neighbouring states of such a motion the acceleration jumps, however close to each other they are brought, which no smooth law does, however
// steep; on both sides it points back at the jump; and over thousands of steps the rate that it drives stays where it is. All three together,
// for tens of thousands of steps, are the sign. None of it depends on how long the run is.
#pragma once

#include <span>
#include <vector>

#include "jounce/mechanism/forward_motion.hpp"

namespace jounce {

class Headway {
 public:
  Headway(ForwardMotion& motion, double tolerance);

  /// Whether the state at the end of the next step is wanted: of few steps it is.
  [[nodiscard]] bool looks() const { return !begun_ || steps_ >= kWindow; }
  /// After a step of which the state is not wanted.
  void step() { ++steps_; }
  /// After one of which it is; false: held for too long.
  [[nodiscard]] bool step(double t, std::span<const double> y);

  /// For how many steps, and since when, when it was held for too long.
  [[nodiscard]] long held_steps() const { return held_ * kWindow; }
  [[nodiscard]] double held_since() const { return held_since_; }

 private:
  static constexpr long kWindow = 1000;

  /// More in this window than a motion that is held does.
  [[nodiscard]] bool moves(std::span<const double> y) const;
  /// The number of a rate whose own rate jumps between two states; none: −1. The jump is left in jump_.
  [[nodiscard]] int jump_between(double t_a, double t_b);
  [[nodiscard]] bool held(int rate, double t, std::span<const double> y) const;
  void next_window(double t, std::span<const double> y);

  ForwardMotion& motion_;
  double tolerance_;
  long steps_ = 0;        // of this window
  long held_ = 0;         // windows in succession
  double held_since_ = 0;
  bool begun_ = false;
  double window_t_ = 0, before_t_ = 0;
  std::vector<double> window_y_, before_y_;           // at the start of the window; at the step before
  std::vector<double> a_, b_, middle_, at_a_, at_b_, at_middle_;  // two states and one between them, and their rates
  double jump_ = 0;
};

}  // namespace jounce
