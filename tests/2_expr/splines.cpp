#include <fstream>
#include <random>

#include "expr_test.hpp"
#include "jounce/expr/quintic_spline.hpp"
#include "jounce/expr/time_function.hpp"
#include "jounce/scalar/dual.hpp"
#include "jounce/scalar/series.hpp"

using namespace jounce;

namespace {

template <class F>
QuinticSpline through(const std::vector<double>& x, const F& f) {
  std::vector<double> y;
  for (const double t : x) y.push_back(f(t));
  auto spline = QuinticSpline::through(x, y);
  INFO(text(spline.problems()));
  REQUIRE(spline.ok());
  return *spline;
}

std::vector<double> uneven(std::size_t n, double from, double to, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> x{0};
  while (x.size() < n) x.push_back(x.back() + 0.25 + double(random()) / double(random.max()));
  for (double& t : x) t = from + (to - from) * t / x.back();
  x.back() = to;
  return x;
}

std::vector<double> even(std::size_t n, double from, double to) {
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(from + (to - from) * double(i) / double(n - 1));
  return x;
}

// The largest error of derivative k against sin.
double sine_error(std::size_t n, int k) {
  const QuinticSpline s = through(even(n, 0, 3), [](double t) { return std::sin(t); });
  double worst = 0;
  for (double t = 0.001; t < 3; t += 0.0137)
    worst = std::max(worst, std::abs(s(Series<4>::time(t)).derivative(k) - sin(Series<4>::time(t)).derivative(k)));
  return worst;
}

}  // namespace

TEST_CASE("a spline through n points reproduces polynomials of degree min(5, n - 1)") {
  // oracle: the polynomial and its derivatives, on uneven points
  const auto polynomial = [](const auto& t, std::size_t degree) {
    const double c[] = {0.7, -1.3, 0.4, 2.1, -0.9, 0.3};
    auto out = 0.0 * t + c[degree];
    for (std::size_t k = degree; k-- > 0;) out = out * t + c[k];
    return out;
  };
  for (std::size_t n = 2; n <= 40; ++n) {
    const std::size_t degree = std::min<std::size_t>(5, n - 1);
    const QuinticSpline s = through(uneven(n, -1.5, 1.5, unsigned(n)), [&](double t) { return polynomial(t, degree); });
    CHECK(s.front() == -1.5);
    CHECK(s.back() == 1.5);
    CHECK(s.knots().size() == (n > 6 ? n - 6 : 0));
    for (double t = -1.5; t <= 1.5; t += 0.0625) {
      const auto found = s(Series<4>::time(t)), expected = polynomial(Series<4>::time(t), degree);
      // derivative k of noise at h is noise / h^k: the values to 1e-12, the others as the spacing allows
      double noise = 1e-12;
      for (int k = 0; k <= 4; ++k, noise *= double(n)) CHECK(std::abs(found.c[size_t(k)] - expected.c[size_t(k)]) <= noise);
    }
  }
}

TEST_CASE("a spline passes through its points and has four continuous derivatives") {
  // oracle: the definition; random data, so that nothing is smooth by accident
  std::mt19937 random(5);
  const std::vector<double> x = uneven(30, 10, 12, 3);
  std::vector<double> y;
  for (std::size_t i = 0; i < x.size(); ++i) y.push_back(double(random()) / double(random.max()));
  const QuinticSpline s = *QuinticSpline::through(x, y);
  double size = 0;
  for (double t = 10; t < 12; t += 0.01) size = std::max(size, std::abs(s(t)));
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(s(x[i]) - y[i]) <= 1e-12 * size);
  CHECK(s.knots() == std::vector<double>(x.begin() + 3, x.end() - 3));
  for (const double knot : s.knots()) {
    const double h = std::nextafter(knot, 0) - knot;
    const auto before = s(Series<5>::time(knot + h)), after = s(Series<5>::time(knot));
    double scale = size;
    for (std::size_t k = 0; k <= 4; ++k, scale *= 2 / 0.03) CHECK(std::abs(before.c[k] - after.c[k]) <= 1e-11 * scale);
    CHECK(std::abs(before.c[5] - after.c[5]) > 1e-6 * scale);  // the fifth does jump
  }
}

TEST_CASE("a spline through points of a sine converges with order 6, and 6 - k for derivative k") {
  // oracle: sin; halving the spacing divides the error by 2^(6 - k)
  for (int k = 0; k <= 4; ++k) {
    const double order = std::log2(sine_error(21, k) / sine_error(41, k));
    INFO("derivative ", k, ": order ", order);
    CHECK(order > 6 - k - 0.5);
    CHECK(order < 6 - k + 1.5);
  }
}

TEST_CASE("large tables, large offsets and large scales keep their digits") {
  // oracle: closed forms
  const QuinticSpline s = through(even(10000, 0, 100), [](double t) { return 1e6 + std::sin(t); });
  double worst = 0;
  for (double t = 0; t < 100; t += 0.0173) worst = std::max(worst, std::abs(s(t) - 1e6 - std::sin(t)));
  CHECK(worst <= round_off(4, 1e6));
  const QuinticSpline small = through(even(50, 1e-6, 2e-6), [](double t) { return 1e-9 * std::sin(1e6 * t); });
  const QuinticSpline large = through(even(50, 1e9, 2e9), [](double t) { return 1e12 * std::sin(1e-9 * t); });
  for (double u = 1; u < 2; u += 0.01) {
    CHECK(std::abs(small(1e-6 * u) - 1e-9 * std::sin(u)) <= 1e-9 * 1e-10);
    CHECK(std::abs(large(1e9 * u) - 1e12 * std::sin(u)) <= 1e12 * 1e-10);
  }
  // spacings that differ by a factor of a hundred: a line stays a line
  const std::vector<double> x{0, 1, 1.01, 1.02, 2, 2.01, 3, 4, 4.01, 5, 6};
  const QuinticSpline line = through(x, [](double t) { return 3 * t - 1; });
  for (double t = 0; t <= 6; t += 0.01) CHECK(std::abs(line(t) - (3 * t - 1)) <= 1e-12 * 17);
}

TEST_CASE("wrong points are refused with a sentence") {
  // oracle: the messages
  const auto sentence = [](std::vector<double> x, std::vector<double> y) {
    return QuinticSpline::through(x, y).problems().at(0).sentence;
  };
  CHECK(sentence({}, {}) == "a table needs at least 2 points, found 0");
  CHECK(sentence({1}, {1}) == "a table needs at least 2 points, found 1");
  CHECK(sentence({0, 1, 1}, {1, 2, 3}) == "times must increase: point 3 is at 1, after 1");
  CHECK(sentence({0, 1, 0.5}, {1, 2, 3}) == "times must increase: point 3 is at 0.5, after 1");
  CHECK(sentence({0, NAN}, {1, 2}) == "a table holds finite numbers, found (nan, 2) at point 2");
  CHECK(sentence({0, 1}, {1, INFINITY}) == "a table holds finite numbers, found (1, inf) at point 2");
  CHECK(sentence({0, 1}, {-1.7e308, 1.7e308}) ==
        "the numbers of the table are too large, or its times too close, for double precision");
  CHECK(sentence({0, 5e-324, 1}, {0, 1, 2}) ==
        "the numbers of the table are too large, or its times too close, for double precision");
}

TEST_CASE("a function of time is a constant, an expression or a table") {
  // oracle: closed forms
  const auto at_time = [](const TimeFunction& f, const auto& t) {
    auto out = t;
    const auto fault = f.evaluate(t, out);
    REQUIRE(!fault);
    return out;
  };
  CHECK(at_time(TimeFunction(), 3.0) == 0);
  CHECK(at_time(TimeFunction(2.5), Series<4>::time(3)).c == std::array<double, 5>{2.5, 0, 0, 0, 0});
  CHECK(TimeFunction(2.5).is_constant());
  const TimeFunction square(parsed("t^2"));
  CHECK(!square.is_constant());
  CHECK(square.table() == nullptr);
  CHECK(square.expression()->text() == "t^2");
  CHECK(at_time(square, Series<4>::time(3)).c == std::array<double, 5>{9, 6, 1, 0, 0});
  const TimeFunction fixed(parsed("2*3", {}));
  CHECK(at_time(fixed, AnySeries::time(1, 5)).order() == 5);

  const TimeFunction table(through({0, 0.5, 1, 1.5, 2}, [](double t) { return t * t; }));
  CHECK(!table.is_constant());
  CHECK(table.expression() == nullptr);
  CHECK(at_time(table, 2.0) == doctest::Approx(4).epsilon(round_off(10)));
  CHECK(at_time(table, Series<4>::time(0.7)).derivative(2) == doctest::Approx(2).epsilon(round_off(1000)));
  CHECK(at_time(table, AnySeries::time(0.7, 4)).derivative(1) == doctest::Approx(1.4).epsilon(round_off(1000)));
  CHECK(at_time(table, Dual<3>(0.7)).v == doctest::Approx(0.49).epsilon(round_off(1000)));
  double out = 77;
  for (const double t : {-0.1, 2.1, -1e-12, 2 + 1e-12, double(NAN), double(INFINITY)})
    CHECK(table.evaluate(t, out) == ExpressionFault{"the table covers t from 0 to 2", 0});
  CHECK(out == 77);
  // the last of many time steps may be an ulp late
  CHECK(at_time(table, std::nextafter(2.0, 3.0)) == doctest::Approx(4).epsilon(round_off(10)));
}
