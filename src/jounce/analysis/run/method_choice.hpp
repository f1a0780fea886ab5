// When `auto` changes from the usual, explicit method to the stiff one, and back.
//
// A stiff motion is one whose explicit steps are bounded by stability; the stiff method pays where its steps are longer than those by more than
// what one costs more. That is not known beforehand, so it is tried. What counts in a trial are its last steps: the first ones grow from the
// explicit step, and while the stiff parts have not died out accuracy keeps them short. A trial therefore goes on for as long as its steps grow.
// One that did not pay is repeated after a rest that is long against what it cost, and twice as long after each further one: a motion for
// which the stiff method never pays loses a few per cent, one for which it pays later on is found out.
#pragma once

#include <array>
#include <cstddef>

namespace jounce {

class MethodChoice {
 public:
  /// `stiff_cost`: a step of the stiff method costs about as much as so many of the usual one.
  explicit MethodChoice(double stiff_cost) : stiff_cost_(stiff_cost) {}

  /// After a step of the usual method; `stiff`: stability bounds its steps, `left`: the time to the end of the run. True: the stiff method is to
  /// be tried from here, with `usual_step` for its first step.
  [[nodiscard]] bool tries_stiff(double step, bool stiff, double left);
  /// After a step of the stiff method. True: it does not pay, the usual one is to go on from here.
  [[nodiscard]] bool gives_up(double step);

  /// As long as the last steps of the usual method before the trial.
  [[nodiscard]] double usual_step() const { return usual_step_; }

 private:
  /// So many steps are averaged.
  static constexpr std::size_t kJudged = 4;

  void note(double step);
  /// Of the last steps, or of those before them.
  [[nodiscard]] double average(std::size_t before = 0) const;

  double stiff_cost_;
  std::array<double, 2 * kJudged> last_{};  // lengths of steps, the newest at noted_ − 1
  std::size_t noted_ = 0;                   // since the method began
  double usual_step_ = 0;
  double rest_ = 0, longest_rest_ = 0;      // in usual steps: what is left until the next trial; the one after the next
  bool paid_ = false;                       // the trial is over: the stiff method stays
};

}  // namespace jounce
