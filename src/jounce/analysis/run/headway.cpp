#include "jounce/analysis/run/headway.hpp"

#include <algorithm>
#include <cmath>

namespace jounce {
namespace {

/// So many windows in succession are too many: some tenths of a second of work, or a few seconds.
constexpr long kMostHeld = 30;
/// Steps that move something by more than this many tolerances, on average, are not kept short by a jump.
constexpr double kShortSteps = 100;
/// At the end of a window so many steps are looked at for a jump.
constexpr long kLooks = 50;
/// Two states are brought together so often, each time to about half of their distance; not quite, or opposite ones would meet at zero, where
/// a sign is neither one nor the other.
constexpr int kHalvings = 40;
constexpr double kAboutHalf = 0.4375;
/// On its two sides, a jump is as large as from afar but for this part of it.
constexpr double kClean = 0.2;
/// A jump that moves its rate by less than this part of the tolerance in a step is not what keeps steps short; a tolerance at the level of rounding
/// makes one of noise.
constexpr double kFelt = 0.01, kSmallestTolerance = 1e-12;
/// A rate is held where it moves by less than this part of what the jump could have moved it by.
constexpr double kHeld = 0.1;

}  // namespace

Headway::Headway(ForwardMotion& motion, double tolerance) : motion_(motion), tolerance_(std::max(tolerance, kSmallestTolerance)) {
  for (auto* x : {&window_y_, &before_y_, &a_, &b_, &middle_, &at_a_, &at_b_, &at_middle_}) x->resize(static_cast<std::size_t>(motion.size()));
}

bool Headway::step(double t, std::span<const double> y) {
  if (!begun_ || (steps_ == kWindow && moves(y))) {
    begun_ = true;
    held_ = 0;
    next_window(t, y);
    return true;
  }
  if (steps_++ > kWindow) {  // there is a state of the step before
    // an implicit step ends short of the jump again and again: it is looked for a step's move further on both sides
    for (std::size_t i = 0; i < y.size(); ++i) a_[i] = 2 * before_y_[i] - y[i], b_[i] = 2 * y[i] - before_y_[i];
    if (const int rate = jump_between(before_t_, t); rate >= 0 && held(rate, t, y)) {
      if (held_++ == 0) held_since_ = window_t_;
      next_window(t, y);
      return held_ < kMostHeld;
    }
  }
  before_t_ = t;
  before_y_.assign(y.begin(), y.end());
  if (steps_ >= kWindow + kLooks) held_ = 0, next_window(t, y);
  return true;
}

void Headway::next_window(double t, std::span<const double> y) {
  steps_ = 0;
  window_t_ = t;
  window_y_.assign(y.begin(), y.end());
}

bool Headway::moves(std::span<const double> y) const {
  for (std::size_t i = 0; i < y.size(); ++i)
    if (std::abs(y[i] - window_y_[i]) > kShortSteps * static_cast<double>(kWindow) * tolerance_ * (1 + std::abs(y[i]))) return true;
  return false;
}

int Headway::jump_between(double t_a, double t_b) {
  if (!motion_.rate(t_a, a_, at_a_) || !motion_.rate(t_b, b_, at_b_)) return -1;
  double most = 0;
  std::size_t k = 0;
  for (std::size_t i = 0; i < a_.size(); ++i)
    if (const double felt = std::abs(at_b_[i] - at_a_[i]) / (1 + std::abs(b_[i])); felt > most) most = felt, k = i;
  if (!(most * (t_b - t_a) >= kFelt * tolerance_) || !(at_a_[k] * at_b_[k] < 0)) return -1;
  jump_ = at_b_[k] - at_a_[k];
  const double clean = kClean * std::abs(jump_);
  double before = t_a, behind = t_b, first = at_a_[k], last = at_b_[k];
  for (int i = 0; i < kHalvings; ++i) {
    const double t = before + kAboutHalf * (behind - before);
    for (std::size_t j = 0; j < a_.size(); ++j) middle_[j] = a_[j] + kAboutHalf * (b_[j] - a_[j]);
    if (!motion_.rate(t, middle_, at_middle_)) return -1;
    if (const double x = at_middle_[k]; std::abs(x - first) <= clean) before = t, first = x, std::swap(a_, middle_);
    else if (std::abs(x - last) <= clean) behind = t, last = x, std::swap(b_, middle_);
    else return -1;
  }
  return std::abs(last - first) >= (1 - 2 * kClean) * std::abs(jump_) ? static_cast<int>(k) : -1;
}

bool Headway::held(int rate, double t, std::span<const double> y) const {
  const auto k = static_cast<std::size_t>(rate);
  return std::abs(y[k] - window_y_[k]) <= kHeld * std::abs(jump_) * (t - window_t_);
}

}  // namespace jounce
