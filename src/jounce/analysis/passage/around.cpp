#include "jounce/analysis/passage/around.hpp"

#include <algorithm>
#include <cmath>

namespace jounce {
namespace {

/// Of the shorter side of a step across: so close to the middle nothing is solved for, but at these places on both sides of it.
constexpr double kBlind = 0.15;
constexpr std::array<double, Around::kTimes> kPlaces{-0.6, -0.42, -0.3, -0.2, 0.2, 0.3, 0.42, 0.6};
/// The values at these are foretold from the others.
constexpr std::array<std::size_t, 2> kForetold{2, 5};
constexpr int kMostPower = 2;
/// A higher power has to tell them so much better.
constexpr double kBetter = 0.1;
/// At the position itself, what grows without bound is that of this place.
constexpr double kNearest = 1e-9;

/// Of the polynomial through all points, or all but those that are foretold, at x.
double interpolate(std::span<const double> x, std::span<const double> y, double at, bool all) {
  const auto left_out = [&](std::size_t i) { return !all && std::ranges::find(kForetold, i) != kForetold.end(); };
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (left_out(i)) continue;
    double term = y[i];
    for (std::size_t j = 0; j < x.size(); ++j)
      if (j != i && !left_out(j)) term *= (at - x[j]) / (x[i] - x[j]);
    sum += term;
  }
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
  return out;
}

double Around::value(std::span<const double> values) const {
  double best = 0, least = 0;
  std::array<double, kTimes> scaled{};
  std::ranges::copy(values, scaled.begin());
  for (int power = 0; power <= kMostPower; ++power) {
    double off = 0;
    for (const std::size_t i : kForetold)
      off = std::max(off, std::abs(interpolate(places_, scaled, places_[i], false) - scaled[i]) / std::pow(std::abs(places_[i]), power));
    if (power == 0 || off < kBetter * least) {
      const double place = power == 0 || std::abs(place_) > kNearest ? place_ : std::copysign(kNearest, place_);
      best = interpolate(places_, scaled, place, true) / std::pow(place, power);
      least = off;
    }
    for (std::size_t i = 0; i < kTimes; ++i) scaled[i] *= places_[i];
  }
  return best;
}

}  // namespace jounce
