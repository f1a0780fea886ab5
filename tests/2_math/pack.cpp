// Oracle: the same operation on plain doubles, and the sine and cosine of the standard library.
#include "jounce/math/pack.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace pack_test {

namespace {

using jounce::kPack;
using jounce::Pack;
using jounce::PackTurn;

Pack of(std::initializer_list<double> some) {
  Pack out(0.0);
  int i = 0;
  for (const double x : some) out.v[i++ % kPack] = x;
  return out;
}

// Units in the last place of a number of size one: sine and cosine are wanted to an absolute error, as entries of rotations.
double error(double found, double expected) { return std::abs(found - expected) / std::numeric_limits<double>::epsilon(); }

}  // namespace

TEST_CASE("a pack computes what its doubles compute, bit for bit") {
  const Pack a = of({0.1, -2.5, 1e300, 3.0, 7.25, -0.0, 11.0, 1e-300}),
             b = of({7.0, 0.3, -1e-300, 1.0 / 3, 2.0, 4.0, -0.7, 3.0});
  for (int i = 0; i < kPack; ++i) {
    CHECK((a + b)[i] == a[i] + b[i]);
    CHECK((a - b)[i] == a[i] - b[i]);
    CHECK((a * b)[i] == a[i] * b[i]);
    CHECK((a / b)[i] == a[i] / b[i]);
    CHECK((1.0 / b)[i] == 1.0 / b[i]);
    CHECK((-a)[i] == -a[i]);
    CHECK(sqrt(a * a)[i] == std::sqrt(a[i] * a[i]));
    CHECK((a > 0.0)[i] == (a[i] > 0));
    CHECK((a < 3.0)[i] == (a[i] < 3));
  }
}

TEST_CASE("flags of a pack: NaN is neither greater nor less, and one that fails is seen") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK((Pack(1.0) > 0.0).all());
  for (int i = 0; i < kPack; ++i) {
    for (const double bad : {0.0, -1.0, nan}) {
      Pack a(1.0);
      a.v[i] = bad;
      CHECK_FALSE((a > 0.0).all());
      CHECK_FALSE((a > 0.0)[i]);
      CHECK_FALSE(((a > 0.0) & (Pack(1.0) > 0.0)).all());
    }
  }
}

TEST_CASE("a pack is loaded from and stored to any address") {
  double numbers[3 * kPack + 1];
  for (int i = 0; i < 3 * kPack + 1; ++i) numbers[i] = i;
  Pack::load(numbers + 1).store(numbers + kPack + 1);
  for (int i = 0; i < kPack; ++i) CHECK(numbers[kPack + 1 + i] == i + 1);
  CHECK(numbers[kPack] == kPack);
  CHECK(numbers[2 * kPack + 1] == 2 * kPack + 1);
}

TEST_CASE("sine and cosine of a pack") {
  std::mt19937 engine(3);
  for (const double size : {1e-8, 0.8, 7.0, 1e3, 9.9e5}) {
    std::uniform_real_distribution<double> some(-size, size);
    for (int trial = 0; trial < 20000; ++trial) {
      Pack a;
      for (int i = 0; i < kPack; ++i) a.v[i] = some(engine);
      const PackTurn turn = sincos(a);
      double worst = 0;
      for (int i = 0; i < kPack; ++i)
        worst = std::max({worst, error(turn.sin[i], std::sin(a[i])), error(turn.cos[i], std::cos(a[i]))});
      REQUIRE_MESSAGE(worst <= 1, worst << " at size " << size);
    }
  }
  // multiples of a quarter turn and their neighbours, where quadrants meet
  for (int quarter = -4000; quarter <= 4000; ++quarter) {
    const double at = quarter * 1.5707963267948966, half = at + 0.7853981633974483;
    for (const double x : {at, std::nextafter(at, 1e9), std::nextafter(at, -1e9), half, std::nextafter(half, 1e9)}) {
      const PackTurn turn = sincos(Pack(x));
      REQUIRE(error(turn.sin[0], std::sin(x)) <= 1);
      REQUIRE(error(turn.cos[0], std::cos(x)) <= 1);
    }
  }
  CHECK(sincos(Pack(0.0)).sin[0] == 0);
  CHECK(sincos(Pack(0.0)).cos[0] == 1);
}

TEST_CASE("sine and cosine of a pack beyond the reduction, and of what is no angle") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const double odd : {1e6, -1e6, 1.1e6, -3e9, 1e22, 1e300, nan, inf, -inf}) {
    Pack a(0.5);
    a.v[kPack - 1] = odd;
    const PackTurn turn = sincos(a);
    CHECK(turn.sin[0] == sincos(Pack(0.5)).sin[0]);  // whatever its neighbours are
    CHECK(turn.cos[0] == sincos(Pack(0.5)).cos[0]);
    if (std::isfinite(odd)) {
      CHECK(turn.sin[kPack - 1] == std::sin(odd));
      CHECK(turn.cos[kPack - 1] == std::cos(odd));
    } else {
      CHECK(std::isnan(turn.sin[kPack - 1]));
      CHECK(std::isnan(turn.cos[kPack - 1]));
    }
  }
}

}  // namespace pack_test
