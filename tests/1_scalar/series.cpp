#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <type_traits>

#include "scalar_test.hpp"

using namespace jounce;
using namespace jounce::test;

// No allocation, no surprise: a fixed series is its coefficients.
static_assert(std::is_trivially_copyable_v<Series<4>> && sizeof(Series<4>) == 5 * sizeof(double));
static_assert(Scalar<double> && Scalar<Series<0>> && Scalar<Series<4>> && Scalar<AnySeries>);
static_assert(!Scalar<int> && !Scalar<const char*>);
// Arithmetic happens at compile time where asked: (1 + t)³ = 1 + 3 t + 3 t² + t³.
static_assert((Series<2>::time(1.0) * Series<2>::time(1.0) * Series<2>::time(1.0)).derivative(2) == 6.0);

TEST_CASE("a series is its value, its derivatives and a polynomial in time") {
  // oracle: x = 2 + 3 t − 5 t² + 7 t³ by hand
  const Series<3> x{2.0, 3.0, -5.0, 7.0};
  const auto y = AnySeries::from({2.0, 3.0, -5.0, 7.0});
  CHECK(x.value() == 2.0);
  CHECK(value_of(x) == 2.0);
  CHECK(x.derivative(1) == 3.0);
  CHECK(x.derivative(2) == -10.0);
  CHECK(x.derivative(3) == 42.0);
  CHECK(y.derivative(2) == -10.0);
  CHECK(evaluate(x, 2.0) == 44.0);
  CHECK(evaluate(y, 2.0) == 44.0);
  CHECK(Series<3>(4.0).derivative(0) == 4.0);
  CHECK(Series<3>(4.0).derivative(1) == 0.0);
  CHECK(Series<3>::time(0.5).derivative(1) == 1.0);
  CHECK(AnySeries::time(0.5, 3).derivative(1) == 1.0);
  CHECK(AnySeries(4.0).derivative(7) == 0.0);
}

TEST_CASE("a plain number beside a series acts as the constant series") {
  // oracle: the same operation after promotion by hand
  Random random;
  for_every_series([&](const auto& pattern) {
    const auto a = random.like(pattern, 1, 2);
    const auto c = constant_like(pattern, 1.75);
    CHECK(gap(a + 1.75, a + c) == 0.0);
    CHECK(gap(1.75 + a, c + a) == 0.0);
    CHECK(gap(a - 1.75, a - c) == 0.0);
    CHECK(gap(1.75 - a, c - a) == 0.0);
    CHECK(gap(a * 1.75, a * c) <= kIdentity);
    CHECK(gap(1.75 * a, c * a) <= kIdentity);
    CHECK(gap(a / 1.75, a / c) <= kIdentity);
    CHECK(gap(1.75 / a, c / a) <= kIdentity);
    CHECK(gap(2 * a + 1, a + a + constant_like(pattern, 1.0)) <= kIdentity);
    auto b = a;
    b += 1.75;
    b -= 0.5;
    b *= 3.0;
    b /= 4.0;
    CHECK(gap(b, (a + 1.25) * 0.75) <= kIdentity);
    b += a;
    b -= c;
    b *= a;
    b /= c;
    CHECK(gap(b, ((a + 1.25) * 0.75 + a - 1.75) * a / 1.75) <= kIdentity);
    CHECK(gap(atan2(a, 1.75), atan2(a, c)) <= kIdentity);
    CHECK(gap(atan2(1.75, a), atan2(c, a)) <= kIdentity);
    CHECK(gap(pow(1.75, a), exp(a * log(c))) <= kIdentity);
  });
}

TEST_CASE("the chain rule: the derivative of every function matches differences of its values along the motion") {
  // oracle: the value of f at x(t), t around 0, by central differences; error h² f'''/6 (|f'''| below 500 here) and rounding/h
  constexpr double h = 1e-5, truncation = h * h * 500 / 6 + round_off(20) / h;
  Random random;
  for_every_function([&](const auto& unary) {
    const auto x = random.like(Series<3>{}, unary.low, unary.high);
    const double slope = (unary.f(evaluate(x, h)) - unary.f(evaluate(x, -h))) / (2 * h);
    INFO(unary.name);
    CHECK(gap(unary.f(x).derivative(1), slope) <= truncation);
  });
}

TEST_CASE("both storages give the same bits, and an order is the beginning of a higher one") {
  // oracle: one set of loops, in which coefficient k depends on coefficients up to k only
  Random random;
  for_every_function([&](const auto& unary) {
    const auto x = random.like(Series<kHighestOrder>{}, unary.low, unary.high);
    const auto y = unary.f(x);
    for_every_fixed_order([&](auto fixed) {
      auto any = AnySeries::of_order(fixed.order());
      for (int k = 0; k <= fixed.order(); ++k) any[k] = fixed[k] = x[k];
      const auto y_fixed = unary.f(fixed);
      const auto y_any = unary.f(any);
      INFO(unary.name, " at order ", fixed.order());
      REQUIRE(y_any.order() == fixed.order());
      for (int k = 0; k <= fixed.order(); ++k) {
        CHECK(y_fixed[k] == y[k]);
        CHECK(y_any[k] == y[k]);
      }
    });
  });
}

TEST_CASE("an AnySeries made from a double meets any order and stays a number among numbers") {
  // oracle: the same operation with the double itself
  Random random;
  const auto x = random.like(AnySeries::of_order(5), 1, 2);
  const AnySeries c = 1.75;
  CHECK(c.is_number());
  CHECK((c + c * c).is_number());
  CHECK(sin(c).is_number());
  CHECK(gap(c + x, 1.75 + x) == 0.0);
  CHECK(gap(x + c, x + 1.75) == 0.0);
  CHECK(gap(c - x, 1.75 - x) == 0.0);
  CHECK(gap(x - c, x - 1.75) == 0.0);
  CHECK(gap(c * x, 1.75 * x) == 0.0);
  CHECK(gap(x * c, x * 1.75) == 0.0);
  CHECK(gap(c / x, 1.75 / x) == 0.0);
  CHECK(gap(x / c, x / 1.75) == 0.0);
  CHECK(gap(atan2(c, x), atan2(1.75, x)) == 0.0);
  CHECK(gap(atan2(x, c), atan2(x, 1.75)) == 0.0);
  CHECK(gap(pow(c, x), pow(1.75, x)) == 0.0);
  CHECK(gap(pow(x, c), pow(x, 1.75)) == 0.0);
  AnySeries sum = 0.0;
  for (int i = 0; i < 3; ++i) sum += x;
  CHECK(gap(sum, 3.0 * x) <= kIdentity);
  AnySeries difference;
  difference -= x;
  CHECK(gap(difference, -x) == 0.0);
}

TEST_CASE("a constant argument gives a constant, also where the function has no derivative") {
  // oracle: a constant does not move
  for_every_series([](const auto& pattern) {
    const auto zero = pattern.blank(), one = constant_like(pattern, 1.0);
    CHECK(gap(sqrt(zero), zero) == 0.0);
    CHECK(gap(pow(zero, 1.5), zero) == 0.0);
    CHECK(gap(asin(one), constant_like(pattern, std::asin(1.0))) == 0.0);
    CHECK(gap(acos(-one), constant_like(pattern, std::acos(-1.0))) == 0.0);
    CHECK(gap(pow(0.0, 2.0 * one), zero) == 0.0);
  });
}

TEST_CASE("series of different orders in one operation stop the program") {
  // oracle: the child process ends by SIGABRT, as a broken invariant does
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    std::fclose(stderr);
    const AnySeries sum = AnySeries::time(0.0, 2) * AnySeries::time(0.0, 3);
    _exit(sum.order());
  }
  REQUIRE(child > 0);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGABRT);
}
