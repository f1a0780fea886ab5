#include <doctest/doctest.h>

#include "scalar_test.hpp"

using namespace jounce;
using namespace jounce::test;

static_assert(Scalar<Dual<1>> && Scalar<Dual<9, Series<1>>> && Scalar<Series<2, Dual<3>>> && Scalar<Dual<2, Dual<2>>> &&
              Scalar<Dual<2, AnySeries>>);
static_assert((Dual<2>::variable(3.0, 0) * Dual<2>::variable(5.0, 1)).d[0] == 5.0);

namespace {

// A function of two variables that uses most of the arithmetic, and its derivatives by hand.
template <class T>
T f(const T& x, const T& y) {
  return sin(x * y) + 2.0 * x / y - 1.0;
}
template <class T>
T f_x(const T& x, const T& y) {
  return y * cos(x * y) + 2.0 / y;
}
template <class T>
T f_y(const T& x, const T& y) {
  return x * cos(x * y) - 2.0 * x / (y * y);
}
template <class T>
T f_xy(const T& x, const T& y) {
  return cos(x * y) - x * y * sin(x * y) - 2.0 / (y * y);
}

}  // namespace

TEST_CASE("the derivative of a dual number is coefficient 1 of a series, for every function") {
  // oracle: the series recurrences, a second route to the same derivative
  Random random;
  for_every_function([&](const auto& unary) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      const double x = random.between(unary.low, unary.high);
      const auto dual = unary.f(Dual<3>::variable(x, 1));
      const auto series = unary.f(Series<1>::time(x));
      INFO(unary.name, " at ", x);
      CHECK(gap(dual.v, series[0]) <= kDual);
      CHECK(gap(dual.d[1], series[1]) <= kDual);
      CHECK(dual.d[0] == 0.0);
      CHECK(dual.d[2] == 0.0);
    }
  });
}

TEST_CASE("the derivative of a dual number is the textbook one") {
  // oracle: closed forms with the standard library alone
  Random random;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const double x = random.between(0.2, 0.8), y = random.between(0.2, 0.8);
    const auto a = Dual<2>::variable(x, 0), b = Dual<2>::variable(y, 1);
    const auto is = [](const Dual<2>& z, double value, double d_x, double d_y) {
      return gap(z.v, value) <= kDual && gap(z.d[0], d_x) <= kDual && gap(z.d[1], d_y) <= kDual;
    };
    CHECK(is(a + b, x + y, 1, 1));
    CHECK(is(a - b, x - y, 1, -1));
    CHECK(is(a * b, x * y, y, x));
    CHECK(is(a / b, x / y, 1 / y, -x / (y * y)));
    CHECK(is(-a, -x, -1, 0));
    CHECK(is(2.0 * a + 1.0, 2 * x + 1, 2, 0));
    CHECK(is(a * 3 - 1, 3 * x - 1, 3, 0));
    CHECK(is(1 - b / 2, 1 - y / 2, 0, -0.5));
    CHECK(is(3.0 / b, 3 / y, 0, -3 / (y * y)));
    CHECK(is(sin(a), std::sin(x), std::cos(x), 0));
    CHECK(is(cos(a), std::cos(x), -std::sin(x), 0));
    CHECK(is(tan(a), std::tan(x), 1 / (std::cos(x) * std::cos(x)), 0));
    CHECK(is(asin(a), std::asin(x), 1 / std::sqrt(1 - x * x), 0));
    CHECK(is(acos(a), std::acos(x), -1 / std::sqrt(1 - x * x), 0));
    CHECK(is(atan(a), std::atan(x), 1 / (1 + x * x), 0));
    CHECK(is(atan2(a, b), std::atan2(x, y), y / (x * x + y * y), -x / (x * x + y * y)));
    CHECK(is(atan2(a, 0.5), std::atan2(x, 0.5), 0.5 / (x * x + 0.25), 0));
    CHECK(is(atan2(0.5, b), std::atan2(0.5, y), 0, -0.5 / (0.25 + y * y)));
    CHECK(is(sinh(a), std::sinh(x), std::cosh(x), 0));
    CHECK(is(cosh(a), std::cosh(x), std::sinh(x), 0));
    CHECK(is(tanh(a), std::tanh(x), 1 - std::tanh(x) * std::tanh(x), 0));
    CHECK(is(exp(a), std::exp(x), std::exp(x), 0));
    CHECK(is(log(a), std::log(x), 1 / x, 0));
    CHECK(is(sqrt(a), std::sqrt(x), 0.5 / std::sqrt(x), 0));
    CHECK(is(pow(a, 3.0), x * x * x, 3 * x * x, 0));
    CHECK(is(pow(a, -1.5), std::pow(x, -1.5), -1.5 * std::pow(x, -2.5), 0));
    CHECK(is(pow(2.0, b), std::pow(2, y), 0, std::log(2.0) * std::pow(2, y)));
    CHECK(is(pow(a, b), std::pow(x, y), y * std::pow(x, y - 1), std::log(x) * std::pow(x, y)));
    CHECK(is(abs(-a), x, 1, 0));
    CHECK(is(sign(-a), -1, 0, 0));
    CHECK(is(min(a, b + 1.0), x, 1, 0));
    CHECK(is(min(b + 1.0, a), x, 1, 0));
    CHECK(is(max(a, b + 1.0), y + 1, 0, 1));
    CHECK(is(max(b + 1.0, a), y + 1, 0, 1));
    CHECK(is(min(a, 2.0), x, 1, 0));
    CHECK(is(max(2.0, a), 2, 0, 0));
  }
}

TEST_CASE("a power with a whole exponent needs no positive base") {
  // oracle: d(x^n) = n x^(n-1), at a negative base and at zero
  const auto is = [](const Dual<1>& z, double value, double slope) { return z.v == value && z.d[0] == slope; };
  CHECK(is(pow(Dual<1>::variable(-2.0, 0), 3.0), -8.0, 12.0));
  CHECK(is(pow(Dual<1>::variable(-2.0, 0), Dual<1>(3.0)), -8.0, 12.0));
  CHECK(is(pow(Dual<1>::variable(-2.0, 0), -1.0), -0.5, -0.25));
  CHECK(is(pow(Dual<1>::variable(0.0, 0), 0.0), 1.0, 0.0));
  CHECK(is(pow(Dual<1>::variable(0.0, 0), 1.0), 0.0, 1.0));
  CHECK(is(pow(Dual<1>::variable(0.0, 0), 2.0), 0.0, 0.0));
}

TEST_CASE("a constant has no derivatives to lose") {
  // oracle: a constant does not change, also where the function has no derivative
  const auto is = [](const Dual<1>& z, double value) { return z.v == value && z.d[0] == 0.0; };
  CHECK(is(sqrt(Dual<1>(0.0)), 0.0));
  CHECK(is(asin(Dual<1>(1.0)), std::asin(1.0)));
  CHECK(is(acos(Dual<1>(-1.0)), std::acos(-1.0)));
  CHECK(is(pow(Dual<1>(0.0), 0.5), 0.0));
  CHECK(is(pow(0.0, Dual<1>(2.0)), 0.0));
}

TEST_CASE("a gradient that moves: dual numbers of series give the series of the partial derivatives") {
  // oracle: the partial derivatives by hand, evaluated on plain series
  Random random;
  for (int repeat = 0; repeat < 10; ++repeat) {
    const auto x = random.like(Series<6>{}, -1, 1), y = random.like(Series<6>{}, 1, 2);
    using Moving = Dual<2, Series<6>>;
    const auto z = f(Moving::variable(x, 0), Moving::variable(y, 1));
    CHECK(gap(z.v, f(x, y)) <= kIdentity);
    CHECK(gap(z.d[0], f_x(x, y)) <= kIdentity);
    CHECK(gap(z.d[1], f_y(x, y)) <= kIdentity);
  }
}

TEST_CASE("every function takes a dual number of series, in both storages") {
  // oracle: with x = t the direction is the motion f'(t), so its coefficient k is (k+1) times coefficient k+1 of f(t)
  Random random;
  for_every_function([&](const auto& unary) {
    const double x = random.between(unary.low, unary.high);
    const auto y = unary.f(Series<4>::time(x));
    const auto fixed = unary.f(Dual<9, Series<3>>::variable(Series<3>::time(x), 4));
    const auto any = unary.f(Dual<2, AnySeries>::variable(AnySeries::time(x, 3), 1));
    INFO(unary.name, " at ", x);
    CHECK(value_of(fixed) == y[0]);
    for (int k = 0; k <= 3; ++k) {
      CHECK(gap(fixed.v[k], y[k]) <= kIdentity);
      CHECK(gap(fixed.d[4][k], (k + 1) * y[k + 1]) <= kIdentity);
      CHECK(gap(any.v.derivative(k), fixed.v.derivative(k)) <= kIdentity);
      CHECK(gap(any.d[1].derivative(k), fixed.d[4].derivative(k)) <= kIdentity);
    }
  });
}

TEST_CASE("series of dual numbers and dual numbers of series are the same thing") {
  // oracle: differentiation in time and in a parameter commute
  Random random;
  const auto x = random.like(Series<5>{}, -1, 1), y = random.like(Series<5>{}, 1, 2);
  Series<5, Dual<2>> u, w;
  for (int k = 0; k <= 5; ++k) u[k] = x[k], w[k] = y[k];
  u[0] = Dual<2>::variable(x[0], 0);
  w[0] = Dual<2>::variable(y[0], 1);
  using Moving = Dual<2, Series<5>>;
  const auto a = f(u, w);
  const auto b = f(Moving::variable(x, 0), Moving::variable(y, 1));
  CHECK(value_of(a) == value_of(b));
  for (int k = 0; k <= 5; ++k) {
    CHECK(gap(a[k].v, b.v[k]) <= kIdentity);
    CHECK(gap(a[k].d[0], b.d[0][k]) <= kIdentity);
    CHECK(gap(a[k].d[1], b.d[1][k]) <= kIdentity);
  }
}

TEST_CASE("dual numbers of dual numbers give mixed second derivatives, in either order") {
  // oracle: f_xy by hand, and Schwarz's theorem
  Random random;
  for (int repeat = 0; repeat < 10; ++repeat) {
    const double x = random.between(-1, 1), y = random.between(1, 2);
    using Second = Dual<2, Dual<2>>;
    const auto z = f(Second::variable(Dual<2>::variable(x, 0), 0), Second::variable(Dual<2>::variable(y, 1), 1));
    CHECK(gap(z.d[0].d[1], f_xy(x, y)) <= kDual);
    CHECK(gap(z.d[1].d[0], f_xy(x, y)) <= kDual);
    CHECK(gap(z.v.d[0], f_x(x, y)) <= kDual);
    CHECK(gap(z.d[1].v, f_y(x, y)) <= kDual);
  }
}

TEST_CASE("a coefficient beside a nested number acts as the constant") {
  // oracle: the same operation after promotion by hand
  using Moving = Dual<2, Series<2>>;
  const auto c = Series<2>::time(2.0);
  const auto x = Moving::variable(Series<2>{0.3, 0.2, -0.1}, 1);
  const auto same = [](const Moving& a, const Moving& b) {
    return gap(a.v, b.v) <= kIdentity && gap(a.d[0], b.d[0]) <= kIdentity && gap(a.d[1], b.d[1]) <= kIdentity;
  };
  CHECK(same(x + c, x + Moving(c)));
  CHECK(same(c - x, Moving(c) - x));
  CHECK(same(c * x, Moving(c) * x));
  CHECK(same(x / c, x / Moving(c)));
  CHECK(same(c / x, Moving(c) / x));

  using Spread = Series<2, Dual<2>>;
  const auto e = Dual<2>::variable(2.0, 1);
  const auto u = Spread::time(0.3);
  const auto equal = [](const Spread& a, const Spread& b) {
    double worst = 0.0;
    for (int k = 0; k <= 2; ++k) {
      worst = std::max({worst, gap(a[k].v, b[k].v), gap(a[k].d[0], b[k].d[0]), gap(a[k].d[1], b[k].d[1])});
    }
    return worst <= kIdentity;
  };
  CHECK(equal(u + e, u + Spread(e)));
  CHECK(equal(e + u, u + Spread(e)));
  CHECK(equal(u - e, u - Spread(e)));
  CHECK(equal(e - u, Spread(e) - u));
  CHECK(equal(u * e, u * Spread(e)));
  CHECK(equal(e * u, u * Spread(e)));
  CHECK(equal(u / e, u / Spread(e)));
  CHECK(equal(e / u, Spread(e) / u));
}
