#include "jounce/analysis/run/method_choice.hpp"

#include <algorithm>

namespace jounce {
namespace {

/// Explicit steps still to go, for a change to the stiff method to pay.
constexpr double kWorthAChange = 500;
/// A trial has so many steps at least.
constexpr std::size_t kTrialSteps = 12;
/// It goes on while the last steps are longer than those before them by this factor.
constexpr double kGrowing = 1.3;
/// The first rest is so many times as long as the trial before it.
constexpr double kRest = 20;

}  // namespace

bool MethodChoice::tries_stiff(double step, bool stiff, double left) {
  note(step);
  rest_ -= 1;
  if (!stiff || rest_ > 0 || left < kWorthAChange * average()) return false;
  usual_step_ = average();
  noted_ = 0;
  return true;
}

bool MethodChoice::gives_up(double step) {
  if (paid_) return false;
  note(step);
  if (noted_ < kTrialSteps) return false;
  if (average() >= stiff_cost_ * usual_step_) return paid_ = true, false;
  if (average() >= kGrowing * average(kJudged)) return false;
  longest_rest_ = std::max(2 * longest_rest_, kRest * stiff_cost_ * static_cast<double>(noted_));
  rest_ = longest_rest_;
  noted_ = 0;
  return true;
}

void MethodChoice::note(double step) { last_[noted_++ % last_.size()] = step; }

double MethodChoice::average(std::size_t before) const {
  const std::size_t end = noted_ - std::min(noted_, before), count = std::min(end, kJudged);
  double sum = 0;
  for (std::size_t i = end - count; i < end; ++i) sum += last_[i % last_.size()];
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

}  // namespace jounce
