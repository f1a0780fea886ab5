// Oracle: the same operation on four plain doubles.
#include "jounce/math/lanes.hpp"

#include <doctest/doctest.h>

#include <array>

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

TEST_CASE("a lane can be written without touching the others") {
  // oracle: the definition
  for (int lane = 0; lane < kLanes; ++lane) {
    Lanes a = Lanes::of(1, 2, 3, 4);
    a[lane] = 9;
    for (int i = 0; i < kLanes; ++i) CHECK(a[i] == (i == lane ? 9 : i + 1));
  }
}
