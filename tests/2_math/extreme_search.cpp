// The highest and lowest value of a function between its samples. Oracles: closed forms.
#include "jounce/math/extreme_search.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace extreme_search_test {

using namespace jounce;

namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kEpsilon = 2.3e-16;
constexpr double kWhen = 1e-8;  // radians of a turn: half of the digits of a value

struct Found {
  double highest, lowest, time_of_highest, time_of_lowest;
  int asked;
  bool unsettled;
};

Found search(const std::function<double(double)>& f, int samples, double to = kTurn, double rounding = 1e-15) {
  ExtremeSearch high(ExtremeSearch::Side::highest), low(ExtremeSearch::Side::lowest);
  int asked = 0;
  high.begin(0, f(0)), low.begin(0, f(0));
  double before = 0, earlier = 0;
  for (int i = 1; i <= samples; ++i) {
    const double t = to * i / samples;
    const auto at = [&](double between) -> std::optional<double> {
      REQUIRE(between > earlier);
      REQUIRE(between < t);
      return ++asked, f(between);
    };
    high.advance(t, f(t), rounding, at), low.advance(t, f(t), rounding, at);
    earlier = before, before = t;
  }
  return {high.value(), low.value(), high.time(), low.time(), asked, high.unsettled() || low.unsettled()};
}

}  // namespace

TEST_CASE("extremes of a smooth function are found to rounding, however it is sampled, with a few values more") {
  // oracle: sin, whose extremes are 1 and −1; the stroke of a slider-crank
  for (const int samples : {7, 20, 50, 100, 333, 1000}) {
    CAPTURE(samples);
    const Found sine = search([](double t) { return std::sin(t + 0.3); }, samples);
    CHECK(std::abs(sine.highest - 1) <= kEpsilon);
    CHECK(std::abs(sine.lowest + 1) <= kEpsilon);
    CHECK(std::abs(sine.time_of_highest - (kTurn / 4 - 0.3)) <= kWhen);
    CHECK(std::abs(sine.time_of_lowest - (3 * kTurn / 4 - 0.3)) <= kWhen);
    CHECK(sine.asked <= 30);
    const Found slider = search(
        [](double t) {
          const double y = 0.05 * std::sin(t + 0.7);
          return 0.05 * std::cos(t + 0.7) + std::sqrt(0.04 - y * y);
        },
        samples);
    CHECK(std::abs(slider.highest - 0.25) <= kEpsilon);
    CHECK(std::abs(slider.lowest - 0.15) <= kEpsilon);
    CHECK(slider.asked <= 30);
  }
}

TEST_CASE("a peak that is narrower than the samples are apart is found where they show it") {
  // oracle: exp(−100 (t − 3.1)²), 1 at 3.1
  for (const int samples : {20, 50, 100, 333}) {
    CAPTURE(samples);
    const Found peak = search([](double t) { return std::exp(-100 * (t - 3.1) * (t - 3.1)); }, samples);
    CHECK(std::abs(peak.highest - 1) <= kEpsilon);
    CHECK(std::abs(peak.time_of_highest - 3.1) <= kWhen);
  }
}

TEST_CASE("samples in step with an oscillation do not take it for a constant") {
  // oracle: sin(100 pi t) at times where it is zero
  for (const int samples : {50, 100}) {
    const Found wave = search([](double t) { return std::sin(50 * kTurn * t); }, samples, 1);
    CHECK(std::abs(wave.highest - 1) <= kEpsilon);
    CHECK(std::abs(wave.lowest + 1) <= kEpsilon);
  }
}

TEST_CASE("kinks and jumps are found to rounding") {
  // oracle: |sin| has its lowest value 0 in a kink; min(t, 5 − 2t) its highest, 5/3, in one; t − 4 [t > 3.1] its highest, 3.1, before a jump
  for (const int samples : {7, 20, 50, 100, 333, 1000}) {
    CAPTURE(samples);
    const Found folded = search([](double t) { return std::abs(std::sin(t + 0.3)); }, samples);
    CHECK(std::abs(folded.highest - 1) <= kEpsilon);
    CHECK(folded.lowest <= 8 * kEpsilon);
    const Found roof = search([](double t) { return std::min(t, 5 - 2 * t); }, samples);
    CHECK(std::abs(roof.highest - 5.0 / 3) <= 8 * kEpsilon);
    CHECK(std::abs(roof.time_of_highest - 5.0 / 3) <= 8 * kEpsilon);
    const Found jump = search([](double t) { return t < 3.1 ? t : t - 4; }, samples);
    CHECK(std::abs(jump.highest - 3.1) <= 1e-12);
  }
}

TEST_CASE("a kink next to a sample is found on both of its sides") {
  // oracle: 2 − |t − 3| − 0.2 t² about a kink so close to a sample at 3 that no polynomial sees it
  for (const double aside : {1e-2, 1e-3, 1e-5, 1e-8})
    for (const double side : {-1.0, 1.0}) {
      CAPTURE(aside);
      const double kink = 3 + side * aside;
      const Found roof = search([&](double t) { return 2 - 3 * std::abs(t - kink) - 0.2 * t * t; }, 60, 6);
      CHECK(std::abs(roof.highest - (2 - 0.2 * kink * kink)) <= 1e-14);
      CHECK(std::abs(roof.time_of_highest - kink) <= 1e-14);
    }
}

TEST_CASE("what is constant, or rises all the way, is asked for no more than at its start") {
  // oracle: the function itself; an extreme that is reached again counts where it was reached first
  for (const int samples : {7, 100}) {
    const Found constant = search([](double) { return 3.7; }, samples);
    CHECK(constant.highest == 3.7);
    CHECK(constant.time_of_highest == 0);
    CHECK(constant.asked == 6);
    const Found noise = search([](double t) { return 3.7 + 1e-14 * std::sin(1e7 * t); }, samples, kTurn, 1e-13);
    CHECK(noise.time_of_highest == 0);
    CHECK(noise.asked == 6);
    const Found rising = search([](double t) { return t * t; }, samples);
    CHECK(rising.highest == kTurn * kTurn);
    CHECK(rising.lowest == 0);
    CHECK(rising.asked == 6);
  }
  const Found twice = search([](double t) { return std::cos(t); }, 50, 2 * kTurn);
  CHECK(twice.time_of_highest == 0);
  CHECK(std::abs(twice.time_of_lowest - kTurn / 2) <= kWhen);
}

TEST_CASE("a function that is all noise ends the search, which says so") {
  // oracle: the number of values that are asked for
  const Found noise = search([](double t) { return std::exp(10 * t) * (1 + 0.1 * std::sin(1e9 * t * t)); }, 100);
  CHECK(noise.unsettled);
  CHECK(noise.asked <= 2 * (2000 + 20 * 100));
}

}  // namespace extreme_search_test
