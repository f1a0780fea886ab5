// Oracle: the texts themselves: where a step begins and ends, where an argument changes its sign, the knots of a table.
#include <doctest/doctest.h>
#include <jounce/expr/breakpoints.hpp>

#include <cmath>
#include <numbers>

#include "expr_test.hpp"

using namespace jounce;

namespace {

TimeFunction function(const std::string& text) { return TimeFunction(*Expression::parse(text, {{}, {"t"}})); }

}  // namespace

TEST_CASE("the edges of steps are found exactly, however narrow") {
  CHECK(breakpoints(function("step(t, 0.1, 0.2)"), 0, 1) == std::vector<double>{0.1, 0.2});
  CHECK(breakpoints(function("step(t, 0.5, 0.5000001) - step(t, 0.5000002, 0.5000003)"), 0, 1000) ==
        std::vector<double>{0.5, 0.5000001, 0.5000002, 0.5000003});
  CHECK(breakpoints(function("3*t^2 + sin(t)"), 0, 10).empty());
  CHECK(breakpoints(function("step(t, -2, -1)"), 0, 1).empty());
  // ends are not between
  CHECK(breakpoints(function("step(t, 0, 1)"), 0, 1).empty());
}

TEST_CASE("kinks are found where their argument changes its sign") {
  const auto found = breakpoints(function("abs(sin(t))"), 0.5, 10);
  REQUIRE(found.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(found[i] - static_cast<double>(i + 1) * std::numbers::pi) < 1e-14);
  const auto crossing = breakpoints(function("max(t, 1 - t)"), 0, 1);
  REQUIRE(crossing.size() == 1);
  CHECK(std::abs(crossing[0] - 0.5) < 1e-15);
  // just behind the kink, where there is a derivative again, from either side
  CHECK(breakpoints(function("abs(t - 0.5)"), 0, 1) == std::vector<double>{std::nextafter(0.5, 1.0)});
  CHECK(breakpoints(function("abs(0.5 - t)"), 0, 1) == std::vector<double>{std::nextafter(0.5, 1.0)});
  CHECK(breakpoints(function("max(0, t)"), 0, 1) == std::vector<double>{std::nextafter(0.0, 1.0)});
}

TEST_CASE("a law of other variables: what depends on time alone is found, the rest is named") {
  const auto law = [](const std::string& text) { return *Expression::parse(text, {{}, {"l", "v", "t"}}); };
  CHECK(breakpoints(law("l*step(t, 0.25, 0.5) + abs(v)"), 2, 0, 1) == std::vector<double>{0.25, 0.5});
  CHECK(has_kinks_elsewhere(law("abs(v)"), 2));
  CHECK(has_kinks_elsewhere(law("max(0, l - t)"), 2));
  CHECK(!has_kinks_elsewhere(law("l*step(t, 0.25, 0.5)"), 2));
  // after a register was used for something of time, it may be used for something else
  CHECK(breakpoints(law("step(t, 0.25, 0.5)*(l + v*3) + step(t, 0.6, 0.7)"), 2, 0, 1) == std::vector<double>{0.25, 0.5, 0.6, 0.7});
}

TEST_CASE("the knots of a table within the time asked for") {
  const std::vector<double> x{0, 1, 2, 3, 4, 5, 6, 7}, y{0, 1, 0, 2, 0, 1, 0, 0};
  const auto spline = QuinticSpline::through(x, y);
  REQUIRE(spline.ok());
  const auto all = spline->knots();
  const auto found = breakpoints(TimeFunction(*spline), 2.5, 5.5);
  for (const double t : found) CHECK((t > 2.5 && t < 5.5));
  CHECK(found.size() <= all.size());
  CHECK(!found.empty());
}
