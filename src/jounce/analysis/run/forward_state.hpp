// Where a forward run is: the method that makes its steps, the state at any time of the last one, and the work that was done until then.
#pragma once

#include <memory>
#include <vector>

#include "jounce/mechanism/forward_motion.hpp"

namespace jounce {

class ForwardState {
 public:
  explicit ForwardState(ForwardMotion& motion) : motion_(motion), y_(motion.start_state()) {}

  /// A method takes over, from the state that `at` has found last.
  [[nodiscard]] Stepper::Status begin(double t, double behind, std::unique_ptr<Stepper> stepper);
  /// A long step across a singular position takes the place of the last step, or of the end of it.
  void cross(std::unique_ptr<Stepper> crossing);
  /// The method is done with.
  void give_up();
  void stepped() { stepped_ = true; }

  /// y and the work so far at a time of the last step; where there was none yet, y is where the method started.
  [[nodiscard]] bool at(double t);
  /// The same at the end of it, at the least cost: y may already be put back on the constraints.
  [[nodiscard]] bool at_end();
  [[nodiscard]] std::vector<double>& y() { return y_; }
  [[nodiscard]] double work() const { return work_; }
  void set_work(double work) { work_ = work; }
  /// The method is not used beyond a time: the work so far is that until then.
  void end_at(double t);
  /// Back to where a step began.
  void go_back(double t, const std::vector<double>& y);

  /// Steps end at the states that a singular position is passed from: their work is remembered where there may be one.
  void remember_work();
  /// It has singular positions to watch for.
  [[nodiscard]] bool watched() const { return !motion_.held_by().empty(); }

  [[nodiscard]] bool has_stepper() const { return stepper_ != nullptr; }
  [[nodiscard]] Stepper& stepper() { return *stepper_; }
  [[nodiscard]] const Stepper& stepper() const { return *stepper_; }
  /// The method is a way across a singular position.
  [[nodiscard]] bool crosses() const { return crossing_; }
  /// Since the method began.
  [[nodiscard]] bool has_stepped() const { return stepped_; }
  /// The end of the last step, or where the method began.
  [[nodiscard]] double reached() const { return stepped_ ? stepper_->t() : begun_at_; }

 private:
  void remember(double t, double work);
  [[nodiscard]] double work_at_step(double t) const;
  [[nodiscard]] double work_of_crossing(double t);

  ForwardMotion& motion_;
  std::unique_ptr<Stepper> stepper_;
  std::vector<double> y_;
  bool crossing_ = false, stepped_ = false;
  double begun_at_ = 0;                // of the method
  double work_ = 0, work_before_ = 0;  // at the last `at`, and where the method began
  struct WorkAt {
    double t, work;
  };
  std::vector<WorkAt> works_;  // at the ends of the last steps
};

}  // namespace jounce
