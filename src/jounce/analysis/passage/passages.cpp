#include "jounce/analysis/passage/passages.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jounce {
namespace {

/// So many states are remembered.
constexpr std::size_t kRemembered = 16;
/// A way across begins this long before the singular position at most, in radians and sizes of the mechanism: there may be others.
constexpr double kLongestWay = 0.5;
/// It is looked for from there on, and wherever a step of the same length again would come this near.
constexpr double kNear = 0.7;
/// Where a singular position that was foretold is not reached, it is looked at again from this part of the way.
constexpr double kNotReached = 0.5;
/// Of what is left of the time to a singular position with no way across a step may take this much.
constexpr double kApproach = 0.5;
/// States from which a way across is looked for are a little nearer than it may be long.
constexpr double kWithin = 0.95, kTooNear = 0.4;
/// The equations have lost rank where their smallest singular value is below this.
constexpr double kLost = 1e-6;
/// Where it has fallen below this part of what it was behind, it goes through zero.
constexpr double kAlmostLost = 0.02;
constexpr int kHalvings = 40;
/// A motion past a nearly singular position takes some dozens of steps; towards a dead point there is no end of them.
constexpr int kMostLooks = 200;
/// The time of a loss is found to this part of a step, and the middle of a way across may be off by that part of its half.
constexpr double kTimeOfLoss = 1e-7, kMiddle = 0.05;
constexpr int kAttempts = 8;
/// Roots of pivots are like the way to a singular position. Above this part of the best one, and where they would stay above zero if they fell so many times
/// as fast for as long as counts as near, there is none.
constexpr double kWellHeld = 0.3, kSteeper = 3;

}  // namespace

void Passages::start(double t, std::span<const double> y, bool jumped) {
  if (jumped) behind_.clear(), root_ = best_root_ = 0;
  while (!behind_.empty() && behind_.back().t >= t) behind_.pop_back();
  if (jumped || !(limit_ > t)) limit_ = std::numeric_limits<double>::infinity();
  gradients_at_ = std::numeric_limits<double>::quiet_NaN();
  y_.resize(y.size());
  keep(t, y);
}

void Passages::keep(double t, std::span<const double> y) {
  const std::size_t n = behind_.size();
  const bool instead = n > 1 && t - behind_[n - 2].t < way_ / kRemembered;  // of the last, which is too close to the one before
  if (!instead && n == kRemembered) std::rotate(behind_.begin(), behind_.begin() + 1, behind_.end());
  if (!instead && n < kRemembered) behind_.emplace_back();
  behind_.back().t = t;
  behind_.back().y.assign(y.begin(), y.end());
  held_.reset();
}

// Since the last state that is remembered.
const AllHeldSince& Passages::held() {
  if (!held_) {
    if (gradients_at_ != behind_.back().t) gradients_ = motion_.gradients(behind_.back().t, behind_.back().y);
    held_.emplace(gradients_, motion_.held_by());
  }
  return *held_;
}

// Of all stages of the step, so that a singular position between its ends is seen as well.
bool Passages::well_held(double step, double near) {
  const std::optional<double> pivot = motion_.smallest_pivot();
  const double root = pivot ? std::sqrt(*pivot) : 0, before = std::exchange(root_, root);
  best_root_ = std::max(best_root_, root);
  if (!(before > 0) || std::isfinite(longest_) || looks_ > 0) return false;
  return root > kWellHeld * best_root_ && root > kSteeper * (before - root) * near / step;
}

// When equations lose rank: ahead, or within the last step.
double Passages::loss(Stepper& stepper, double near) {
  const double from = behind_.back().t, to = stepper.t();
  const bool tried = std::isfinite(longest_);  // what was foretold is no way across
  if (stepper.looks_ahead() && !tried) return stepper.singular_ahead().value_or(std::numeric_limits<double>::infinity());
  const AllHeldSince& before = held();
  gradients_ = motion_.gradients(to, y_), gradients_at_ = to;
  const double left = before.left(gradients_, near / (near + to - from));
  if (left > 0) return to + (to - from) * left / std::max(1 - left, 1e-300);
  const double found = within(stepper);
  // In a long step equations may turn by more than a right angle without losing rank.
  if (regularity_at(stepper, found) < kAlmostLost * held().regularity()) return found;
  (void)stepper.ending(y_);  // as it was before it was looked within the step
  return std::numeric_limits<double>::infinity();
}

Passages::Look Passages::look(Stepper& stepper, double limit) {
  const double to = stepper.t();
  if (!stepper.ending(y_)) return {};
  way_ = kLongestWay / std::max(motion_.speed(to, y_), 1e-300);
  const double step = to - behind_.back().t, near = std::max(way_, kNear * step);
  const double singular = well_held(step, near) ? std::numeric_limits<double>::infinity() : loss(stepper, near);
  const bool ahead = singular > to;
  limit_ = std::numeric_limits<double>::infinity();
  if (singular - to > near) {  // nothing is near
    longest_ = std::numeric_limits<double>::infinity();
    looks_ = 0;
    keep(to, y_);
    return {};
  }
  if (ahead) {
    (void)motion_.project(to, y_);
    keep(to, y_);
  }
  if (auto found = across(singular, limit)) {
    longest_ = std::numeric_limits<double>::infinity();
    looks_ = 0;
    behind_.clear();  // what lies before a singular position is of no use behind it
    return {.crossing = std::move(found)};
  }
  if (held().regularity() < kLost || ++looks_ > kMostLooks) return {.lost = true};
  // There is to be a state from which the way across would be as long as it may be.
  const auto nearer = std::ranges::find_if(behind_, [&](const Crossing::Known& state) { return singular - state.t <= longest_; });
  if (nearer != behind_.begin() && (nearer == behind_.end() || singular - nearer->t < kTooNear * longest_)) {
    const bool back = nearer != behind_.end() || !ahead;
    if (nearer != behind_.end()) behind_.erase(nearer, behind_.end()), held_.reset();
    limit_ = singular - kWithin * longest_;
    return back ? Look{.again = limit_} : Look{};
  }
  limit_ = behind_.back().t + kApproach * (singular - behind_.back().t);
  return ahead ? Look{} : Look{.again = limit_};
}

// When the equations lose rank within the last step of a method.
double Passages::within(Stepper& stepper) {
  double low = behind_.back().t, high = stepper.t();
  for (int i = 0; i < kHalvings && high - low > kTimeOfLoss * (stepper.t() - stepper.previous_t()); ++i) {
    const double middle = (low + high) / 2;
    if (!stepper.dense(middle, y_)) break;
    (held().left(motion_.gradients(middle, y_)) > 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

double Passages::regularity_at(Stepper& stepper, double t) {
  if (!stepper.dense(t, y_)) return std::numeric_limits<double>::infinity();
  return AllHeldSince(motion_.gradients(t, y_), motion_.held_by()).regularity();
}

// The way across is the better the longer it is, as long as it is smooth enough: near the middle rounding counts for much.
std::unique_ptr<Crossing> Passages::across(double singular, double limit) {
  longest_ = std::min({way_, limit - singular, longest_});
  for (int i = 0; i < kAttempts; ++i) {
    const auto from = std::ranges::find_if(behind_, [&](const Crossing::Known& state) { return singular - state.t <= longest_; });
    if (from == behind_.end() || !(singular > from->t) || (from != behind_.begin() && singular - from->t < kTooNear * longest_)) return nullptr;
    const double half = singular - from->t;
    auto crossing = std::make_unique<Crossing>(motion_, tolerance_, singular);
    if (!crossing->find({behind_.begin(), from + 1})) {
      longest_ = half * crossing->shorter();
      continue;
    }
    (void)crossing->dense(crossing->t(), y_);
    if (held().left(motion_.gradients(crossing->t(), y_)) > 0) {  // it is not reached
      longest_ = kNotReached * half;
      return nullptr;
    }
    const double lost = within(*crossing), regularity = regularity_at(*crossing, lost);
    if (!(regularity < kAlmostLost * held().regularity())) return nullptr;
    if (std::abs(lost - singular) < kMiddle * half) {
      if (regularity < kLost) crossing->set_passage(lost);  // otherwise equations only trade places there: one of a redundant loop for another
      return crossing;
    }
    singular = lost;  // what was foretold was not exact enough
  }
  return nullptr;
}

}  // namespace jounce
