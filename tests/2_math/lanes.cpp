// Oracle: the same operation on four plain doubles.
#include "jounce/math/lanes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lanes_test {

using jounce::kLanes;
using jounce::Lanes;

TEST_CASE("four lanes compute what four doubles compute, bit for bit") {
  // oracle: double arithmetic, lane by lane
  const std::array<double, 4> x{0.1, -2.5, 1e300, 3.0}, y{7.0, 0.3, -1e-300, 1.0 / 3.0};
  const Lanes a = Lanes::of(x[0], x[1], x[2], x[3]), b = Lanes::of(y[0], y[1], y[2], y[3]);
  for (int i = 0; i < kLanes; ++i) {
    const double p = x[static_cast<std::size_t>(i)], q = y[static_cast<std::size_t>(i)];
    CHECK((a + b)[i] == p + q);
    CHECK((a - b)[i] == p - q);
    CHECK((a * b)[i] == p * q);
    CHECK((a / b)[i] == p / q);
    CHECK((-a)[i] == -p);
    CHECK(sqrt(a * a)[i] == std::sqrt(p * p));
    CHECK(Lanes::all(q)[i] == q);
  }
}

TEST_CASE("sine and cosine of four lanes are those of four doubles, bit for bit") {
  // oracle: one by one; also where one of the four is too large for our own, or no number
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  for (int k = -4000; k <= 4000; ++k) {
    const std::array<double, 4> x{0.001 * k, 0.37 * k, 300.7 * k, k % 7 == 0 ? std::numeric_limits<double>::infinity() : 1.5707963267948966 * k};
    const jounce::LaneTurn turn = sincos(Lanes::of(x[0], x[1], x[2], x[3]));
    for (int i = 0; i < kLanes; ++i) {
      const auto one = jounce::sincos(x[static_cast<std::size_t>(i)]);
      CHECK(bits(turn.sin[i]) == bits(one.sin));
      CHECK(bits(turn.cos[i]) == bits(one.cos));
    }
  }
}

TEST_CASE("sine and cosine are right to 1.5 units in the last place for angles below 100, and to 2.5 for those below a million") {
  // oracle: the C library's of long double, and its own at angles beyond
  const auto units = [](double got, long double exact) {
    const double size = std::abs(static_cast<double>(exact)), unit = std::nextafter(size, 2.0) - size;
    return static_cast<double>(std::abs(static_cast<long double>(got) - exact)) / unit;
  };
  const auto worst = [&](double a) {
    const auto [s, c] = jounce::sincos(a);
    return std::max(units(s, std::sin(static_cast<long double>(a))), units(c, std::cos(static_cast<long double>(a))));
  };
  double near = 0, far = 0;
  for (int k = -20000; k <= 20000; ++k) {
    near = std::max({near, worst(0.00499 * k), worst(1.5707963267948966 * (k % 64))});
    far = std::max({far, worst(49.9 * k), worst(1.5707963267948966 * 31 * k)});
  }
  CHECK(near < 1.5);
  CHECK(far < 2.5);
  CHECK(jounce::sincos(3e7).sin == std::sin(3e7));
  CHECK(jounce::sincos(-1e6).cos == std::cos(-1e6));
  CHECK(std::isnan(jounce::sincos(std::numeric_limits<double>::infinity()).cos));
  CHECK(std::isnan(jounce::sincos(std::numeric_limits<double>::quiet_NaN()).sin));
}

TEST_CASE("a lane can be written without touching the others") {
  // oracle: the definition
  for (int lane = 0; lane < kLanes; ++lane) {
    Lanes a = Lanes::of(1, 2, 3, 4);
    a[lane] = 9;
    for (int i = 0; i < kLanes; ++i) CHECK(a[i] == (i == lane ? 9 : i + 1));
  }
}

TEST_CASE("the largest of four lanes is not a number wherever one of them is not") {
  // oracle: the definition
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  CHECK(largest(Lanes::of(1, 4, 2, 3)) == 4);
  for (int lane = 0; lane < kLanes; ++lane) {
    Lanes a = Lanes::of(1, 4, 2, 3);
    a[lane] = kNone;
    CAPTURE(lane);
    CHECK(std::isnan(largest(a)));
  }
}

}  // namespace lanes_test
