#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "expr_test.hpp"
#include "jounce/scalar/dual.hpp"
#include "jounce/scalar/series.hpp"
#include "places.hpp"

using namespace jounce;

TEST_CASE("every function gives the number of the standard library") {
  // oracle: <cmath>
  const double t = 0.3;
  CHECK(value("sin(t)", t) == std::sin(t));
  CHECK(value("cos(t)", t) == std::cos(t));
  CHECK(value("tan(t)", t) == std::tan(t));
  CHECK(value("asin(t)", t) == std::asin(t));
  CHECK(value("acos(t)", t) == std::acos(t));
  CHECK(value("atan(t)", t) == std::atan(t));
  CHECK(value("atan2(t, -1)", t) == std::atan2(t, -1));
  CHECK(value("atan2(-t, t - 1)", t) == std::atan2(-t, t - 1));
  CHECK(value("sinh(t)", t) == std::sinh(t));
  CHECK(value("cosh(t)", t) == std::cosh(t));
  CHECK(value("tanh(t)", t) == std::tanh(t));
  CHECK(value("exp(t)", t) == std::exp(t));
  CHECK(value("log(t)", t) == std::log(t));
  CHECK(value("sqrt(t)", t) == std::sqrt(t));
  CHECK(value("abs(-t)", t) == t);
  CHECK(value("sign(-t) + 10*sign(t) + 100*sign(0*t)", t) == 9);
  CHECK(value("min(t, 1, -t)", t) == -t);
  CHECK(value("max(-1, t, -t)", t) == t);
  CHECK(value("pow(t, 2.5)", t) == std::pow(t, 2.5));
  CHECK(value("t^2.5", t) == std::pow(t, 2.5));
  CHECK(value("sqrt(0*t) + abs(0*t) + asin(1 + 0*t) - acos(-1)/2", t) == 0);
}

TEST_CASE("random expressions agree with 50 digits to the fourth derivative") {
  // oracle: mpmath through Python's parser (tools/expression_oracle.py)
  const auto cases = nlohmann::json::parse(std::ifstream(places::source() + "/tests/data/expressions.json"));
  REQUIRE(cases.size() == 400);
  double worst = 0;
  for (const auto& c : cases) {
    const std::string text = c["text"];
    const double t = c["t"];
    const Expression f = parsed(text);
    const auto series = at(f, Series<4>::time(t));
    const auto any = at(f, AnySeries::time(t, 4));
    Dual<3> dual_t = t;
    dual_t.d[1] = 1;
    const auto dual = at(f, dual_t);
    double size = 1;  // the lower derivatives enter the higher ones
    for (int k = 0; k <= 4; ++k) {
      const double expected = std::stod(c["derivatives"][static_cast<std::size_t>(k)].get<std::string>());
      size = std::max(size, std::abs(expected));
      INFO(text, " at ", t, ", derivative ", k);
      CHECK(std::abs(series.derivative(k) - expected) <= round_off(1000, size));
      CHECK(any.derivative(k) == series.derivative(k));
      worst = std::max(worst, std::abs(series.derivative(k) - expected) / round_off(1, size));
    }
    CHECK(at(f, t) == doctest::Approx(series.value()).epsilon(round_off(1000)));
    CHECK(dual.d[1] == doctest::Approx(series.derivative(1)).epsilon(round_off(1000)));
    CHECK(dual.d[0] == 0);
  }
  CHECK(worst > 0.1);  // two routes, not one
}

TEST_CASE("powers with whole exponents have all derivatives at zero and below") {
  // oracle: polynomials
  const auto cube = at(parsed("t^3"), Series<4>::time(0));
  CHECK(cube.c == std::array<double, 5>{0, 0, 0, 1, 0});
  const auto square = at(parsed("(t - 2)^2"), Series<4>::time(0));
  CHECK(square.c == std::array<double, 5>{4, -4, 1, 0, 0});
  const auto inverse = at(parsed("t^-2"), Series<4>::time(-1));
  CHECK(inverse.c == std::array<double, 5>{1, 2, 3, 4, 5});
  const auto zeroth = at(parsed("t^0"), Series<4>::time(0));
  CHECK(zeroth.c == std::array<double, 5>{1, 0, 0, 0, 0});
}

TEST_CASE("step is flat outside, symmetric, and smooth to the fourth derivative at both ends") {
  // oracle: the polynomial u^5 (126 - 420 u + 540 u^2 - 315 u^3 + 70 u^4) and its derivatives
  const Expression f = parsed("step(t, 1, 3)");
  const auto blend = [](double u) { return std::pow(u, 5) * (126 + u * (-420 + u * (540 + u * (-315 + u * 70)))); };
  for (double t = 1; t <= 3; t += 0.125) {
    CHECK(at(f, t) == doctest::Approx(blend((t - 1) / 2)).epsilon(round_off(100)));
    CHECK(at(f, t) + at(f, 4 - t) == doctest::Approx(1).epsilon(round_off(4)));
  }
  CHECK(at(f, 0.5) == 0);
  CHECK(at(f, 3.5) == 1);
  CHECK(at(f, 2.0) == 0.5);
  for (const double end : {1.0, 3.0}) {
    const double inside = end == 1 ? std::nextafter(end, 2) : std::nextafter(end, 0), outside = 2 * end - inside;
    for (int k = 0; k <= 4; ++k)
      CHECK(std::abs(at(f, Series<4>::time(inside)).derivative(k) - at(f, Series<4>::time(outside)).derivative(k)) <=
            round_off(1000));
    // the fifth derivative jumps: 5! 126 / 2^5, from one side at each end
    const auto from_right = at(f, Series<5>::time(end == 1 ? end : inside));
    CHECK(std::abs(from_right.derivative(5)) == doctest::Approx(120 * 126 / 32.0).epsilon(1e-9));
  }
  // at the first end the series looks forward, at the last one too
  CHECK(at(f, Series<5>::time(3)).derivative(5) == 0);
  // the middle slope is the largest: 630/256 per unit of u
  CHECK(at(f, Series<4>::time(2)).derivative(1) == doctest::Approx(630.0 / 256 / 2).epsilon(round_off(10)));
  // ends that move: u = (t - a)/(b - a) is what counts
  CHECK(value("step(t, t - 1, t + 3)", 7) == doctest::Approx(blend(0.25)).epsilon(round_off(100)));
  CHECK(value("step(2, t, 3)", 1) == 0.5);
}

TEST_CASE("max and constants keep the order of a series whose order is known at run time") {
  // oracle: the order asked for
  for (const char* text : {"7", "max(t, 5)", "sign(t)", "step(t, 8, 9)", "min(3, t) + 0*5"}) {
    const auto out = at(parsed(text), AnySeries::time(4, 6));
    CHECK_MESSAGE(out.order() == 6, text);
    CHECK_MESSAGE(!out.is_number(), text);
  }
}

TEST_CASE("kinks of constants cost nothing") {
  // oracle: a constant has zero derivatives
  const Series<4> rest = 0.0;
  CHECK(at(parsed("abs(t) + sqrt(t) + sign(t) + max(t, 0) + min(t, t) + 5*asin(t + 1)/asin(1)"), rest).c ==
        std::array<double, 5>{5, 0, 0, 0, 0});
  CHECK(at(parsed("min(t, t)"), Series<4>::time(2)).c == std::array<double, 5>{2, 1, 0, 0, 0});
}
