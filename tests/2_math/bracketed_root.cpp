// Zeros between two places of different sign. Oracles: closed forms.
#include "jounce/math/bracketed_root.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace bracketed_root_test {

using namespace jounce;

namespace {

template <class F>
double root(const F& f, double a, double b) {
  return bracketed_root(f, a, f(a), b, f(b));
}

}  // namespace

TEST_CASE("a zero between two places is found to rounding") {
  const double eps = 2.3e-16;
  CHECK(std::abs(root([](double x) { return std::cos(x); }, 1, 3) - std::numbers::pi / 2) <= 2 * eps);
  CHECK(std::abs(root([](double x) { return 2 - x * x; }, 2, 0) - std::numbers::sqrt2) <= 2 * eps);
  CHECK(std::abs(root([](double x) { return std::exp(40 * x) - 1e3; }, -3, 5) - std::log(1e3) / 40) <= 2 * eps);
  CHECK(root([](double x) { return x; }, -1, 2) == 0);
}

TEST_CASE("a triple zero and a jump end the search where they are") {
  // x³ is below the smallest number long before x is: the bracket closes on it all the same
  CHECK(std::abs(root([](double x) { return std::pow(x - 0.3, 3); }, 0, 1) - 0.3) <= 1e-15);
  int calls = 0;
  const double jump = root([&](double x) { return ++calls, x < 0.7 ? -1e9 : 1e-9; }, 0, 1);
  CHECK(std::abs(jump - 0.7) <= 4e-16);
  CHECK(calls < 200);
}

}  // namespace bracketed_root_test
