#include "jounce/analysis/passage/around.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/math/interpolation.hpp"

namespace jounce {
namespace {

/// Of the shorter side of a step across: so close to the middle nothing is solved for, but at these places on both sides of it.
constexpr double kBlind = 0.05;
constexpr std::array<double, Around::kTimes> kPlaces{-0.6, -0.42, -0.3, -0.2, 0.2, 0.3, 0.42, 0.6};
/// The values at these are foretold from the others.
constexpr std::array<std::size_t, 2> kForetold{2, 5};
constexpr int kMostPower = 2;
/// A higher power has to tell them so much better, and what the lower one leaves must be more than rounding, of the largest of them: divided by a
/// power of the time to the position, rounding itself would grow.
constexpr double kBetter = 0.1, kMoreThanRounding = 1e-11;
/// At the position itself, what grows without bound is that of this place.
constexpr double kNearest = 1e-9;

using Weights = std::array<double, Around::kTimes>;

/// What values at all places contribute to the polynomial through them, at x.
Weights by_all(const Weights& places, double x) {
  Weights out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = lagrange(places, i, x);
  return out;
}

/// The same of the polynomial through all but those that are foretold.
Weights by_others(const Weights& places, double x) {
  std::array<std::size_t, Around::kTimes - kForetold.size()> which{};
  std::array<double, which.size()> others{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (std::ranges::find(kForetold, i) != kForetold.end()) continue;
    which[count] = i;
    others[count++] = places[i];
  }
  Weights out{};
  for (std::size_t k = 0; k < which.size(); ++k) out[which[k]] = lagrange(others, k, x);
  return out;
}

double sum_of(const Weights& weights, const Weights& values) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += weights[i] * values[i];
  return sum;
}

}  // namespace

std::optional<Around> Around::of(const Stepper& stepper, double t) {
  const std::optional<double> middle = stepper.passage();
  if (!middle) return std::nullopt;
  const double before = *middle - stepper.previous_t(), behind = stepper.t() - *middle, shorter = std::min(before, behind);
  if (!(std::abs(t - *middle) < kBlind * shorter)) return std::nullopt;
  Around out;
  for (std::size_t i = 0; i < kTimes; ++i) {
    out.times_[i] = *middle + kPlaces[i] * (kPlaces[i] < 0 ? before : behind);
    out.places_[i] = (out.times_[i] - *middle) / shorter;
  }
  out.place_ = (t - *middle) / shorter;
  out.nearest_ = std::abs(out.place_) > kNearest ? out.place_ : std::copysign(kNearest, out.place_);
  out.at_place_ = by_all(out.places_, out.place_);
  out.at_nearest_ = by_all(out.places_, out.nearest_);
  for (std::size_t k = 0; k < kForetold.size(); ++k) out.foretelling_[k] = by_others(out.places_, out.places_[kForetold[k]]);
  return out;
}

double Around::value(std::span<const double> values) const {
  double best = 0, least = 0;
  Weights scaled{};
  std::ranges::copy(values, scaled.begin());
  const double rounding = kMoreThanRounding * std::abs(*std::ranges::max_element(values, {}, [](double x) { return std::abs(x); }));
  for (int power = 0; power <= kMostPower; ++power) {
    double off = 0;
    for (std::size_t k = 0; k < kForetold.size(); ++k) {
      const std::size_t i = kForetold[k];
      off = std::max(off, std::abs(sum_of(foretelling_[k], scaled) - scaled[i]) / std::pow(std::abs(places_[i]), power));
    }
    if (power == 0 || (least > rounding && off < kBetter * least)) {
      best = power == 0 ? sum_of(at_place_, scaled) : sum_of(at_nearest_, scaled) / std::pow(nearest_, power);
      least = off;
    }
    for (std::size_t i = 0; i < kTimes; ++i) scaled[i] *= places_[i];
  }
  return best;
}

}  // namespace jounce
