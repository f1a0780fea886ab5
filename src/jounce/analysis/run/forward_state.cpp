#include "jounce/analysis/run/forward_state.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/math/gauss.hpp"

namespace jounce {
namespace {

/// Steps whose work is remembered.
constexpr int kStepsRemembered = 128;

}  // namespace

Stepper::Status ForwardState::begin(double t, double behind, std::unique_ptr<Stepper> stepper) {
  begun_at_ = t;
  stepped_ = false;
  stepper_ = std::move(stepper);
  work_before_ = work_;
  if (watched()) remember(t, work_);
  return stepper_->start(behind, y_);
}

void ForwardState::cross(std::unique_ptr<Stepper> crossing) {
  work_before_ = work_;
  crossing_ = true;
  stepper_ = std::move(crossing);
}

void ForwardState::give_up() {
  crossing_ = false;
  stepper_.reset();
}

bool ForwardState::at(double t) {
  if (!stepped_) return true;
  const bool crosses = crossing_ && !motion_.conservative();
  const double crossed = crosses ? work_of_crossing(t) : 0;
  if (!stepper_->dense(t, y_)) return false;
  work_ = work_before_ + (crosses ? crossed : stepper_->work());
  return true;
}

void ForwardState::end_at(double t) {
  const bool in_last_step = t > stepper_->previous_t() && t <= stepper_->t();  // whose work is not among the remembered
  if (!in_last_step || !at(t)) work_ = work_at_step(t);
}

bool ForwardState::at_end() {
  if (!stepped_ || crossing_) return at(reached());
  if (!stepper_->ending(y_)) return false;
  work_ = work_before_ + stepper_->ending_work();
  return true;
}

void ForwardState::go_back(double t, const std::vector<double>& y) {
  work_ = work_at_step(t);
  y_ = y;
}

void ForwardState::remember_work() {
  if (!watched() || (crossing_ && !at_end())) return;
  remember(reached(), crossing_ ? work_ : work_before_ + stepper_->ending_work());
}

void ForwardState::remember(double t, double work) {
  if (works_.size() >= kStepsRemembered) works_.erase(works_.begin(), works_.begin() + kStepsRemembered / 2);
  works_.push_back({t, work});
}

double ForwardState::work_at_step(double t) const {
  const auto nearer = [&](const WorkAt& a, const WorkAt& b) { return std::abs(a.t - t) < std::abs(b.t - t); };
  return works_.empty() ? work_ : std::min_element(works_.rbegin(), works_.rend(), nearer)->work;
}

// The long step across a singular position knows where it goes and not what works on it: by Gauss's rule.
double ForwardState::work_of_crossing(double t) {
  const double from = stepper_->previous_t();
  double sum = 0;
  for (std::size_t i = 0; i < kGauss4.node.size(); ++i) {
    const double there = from + kGauss4.place(i) * (t - from);
    if (!stepper_->dense(there, y_)) continue;
    sum += kGauss4.share(i) * motion_.power_at(there, y_).value_or(0);
  }
  return sum * (t - from);
}

}  // namespace jounce
