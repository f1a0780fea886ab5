#include <doctest/doctest.h>

#include "scalar_test.hpp"

using namespace jounce;
using namespace jounce::test;

TEST_CASE("multiplication is associative and distributive, and a sum takes its difference back") {
  // oracle: the axioms of a commutative ring
  Random random;
  for_every_series([&](const auto& pattern) {
    const auto a = random.like(pattern, -2, 2), b = random.like(pattern, -2, 2), c = random.like(pattern, -2, 2);
    CHECK(gap((a * b) * c, a * (b * c)) <= kIdentity);
    CHECK(gap(a * (b + c), a * b + a * c) <= kIdentity);
    CHECK(gap(a * b, b * a) <= kIdentity);
    CHECK(gap((a + b) - b, a) <= kIdentity);
    CHECK(gap(-(-a), a) == 0.0);
    CHECK(gap(a - a, pattern.blank()) == 0.0);
  });
}

TEST_CASE("a product divided by a factor is the other factor") {
  // oracle: (a b) / b = a
  Random random;
  for_every_series([&](const auto& pattern) {
    const auto a = random.like(pattern, -2, 2), b = random.like(pattern, 1, 2);
    CHECK(gap((a * b) / b, a) <= kIdentity);
    CHECK(gap((a / b) * b, a) <= kIdentity);
  });
}

TEST_CASE("derivatives of a product follow the rule of Leibniz") {
  // oracle: (a b)^(n) = Σ binomial(n, i) a^(i) b^(n-i)
  Random random;
  for_every_series([&](const auto& pattern) {
    const auto a = random.like(pattern, -2, 2), b = random.like(pattern, -2, 2);
    const auto ab = a * b;
    for (int n = 0; n <= pattern.order(); ++n) {
      double sum = 0.0, size = 0.0, binomial = 1.0;
      for (int i = 0; i <= n; ++i) {
        const double term = binomial * a.derivative(i) * b.derivative(n - i);
        sum += term;
        size += std::abs(term);
        binomial = binomial * (n - i) / (i + 1);
      }
      CHECK(std::abs(ab.derivative(n) - sum) <= kIdentity * size);
    }
  });
}

TEST_CASE("the product of two sums of four squares is a sum of four squares") {
  // oracle: Euler's identity, which is |p|² |q|² = |p q|² for quaternions
  Random random;
  for_every_series([&](const auto& pattern) {
    const auto a = random.like(pattern, -1, 1), b = random.like(pattern, -1, 1), c = random.like(pattern, -1, 1),
               d = random.like(pattern, -1, 1);
    const auto w = random.like(pattern, -1, 1), x = random.like(pattern, -1, 1), y = random.like(pattern, -1, 1),
               z = random.like(pattern, -1, 1);
    const auto product = (a * a + b * b + c * c + d * d) * (w * w + x * x + y * y + z * z);
    const auto e = a * w - b * x - c * y - d * z, f = a * x + b * w + c * z - d * y, g = a * y - b * z + c * w + d * x,
               h = a * z + b * y - c * x + d * w;
    CHECK(gap(e * e + f * f + g * g + h * h, product) <= kIdentity);
  });
}

TEST_CASE("the trigonometric functions satisfy their identities") {
  // oracle: sin² + cos² = 1, tan = sin / cos, the double angle, and each inverse
  Random random;
  for_every_series([&](const auto& pattern) {
    const auto x = random.like(pattern, -4, 4), small = random.like(pattern, -0.9, 0.9);
    const auto [s, c] = sincos(x);
    CHECK(gap(s * s + c * c, constant_like(pattern, 1.0)) <= kIdentity);
    CHECK(gap(sin(x), s) == 0.0);
    CHECK(gap(cos(x), c) == 0.0);
    CHECK(gap(sin(2.0 * x), 2.0 * s * c) <= kIdentity);
    CHECK(gap(tan(small), sin(small) / cos(small)) <= kIdentity);
    CHECK(gap(asin(sin(small)), small) <= kIdentity);
    CHECK(gap(acos(cos(small + 1.5)), small + 1.5) <= kIdentity);
    CHECK(gap(atan(tan(small)), small) <= kIdentity);
    CHECK(gap(sin(asin(0.5 * small)), 0.5 * small) <= kIdentity);
    CHECK(gap(cos(acos(0.5 * small)), 0.5 * small) <= kIdentity);
    CHECK(gap(tan(atan(small)), small) <= kIdentity);
  });
}

TEST_CASE("atan2 finds the angle of a point in every quadrant") {
  // oracle: atan2(r sin x, r cos x) = x, for −π < x < π
  Random random;
  for_every_series([&](const auto& pattern) {
    for (const double quadrant : {-2.4, -0.8, 0.8, 2.4}) {
      const auto x = random.like(pattern, quadrant - 0.5, quadrant + 0.5), r = random.like(pattern, 1, 2);
      const auto [s, c] = sincos(x);
      CHECK(gap(atan2(r * s, r * c), x) <= kIdentity);
    }
  });
}

TEST_CASE("the hyperbolic functions satisfy their identities") {
  // oracle: cosh² − sinh² = 1, cosh + sinh = exp, tanh = sinh / cosh
  Random random;
  for_every_series([&](const auto& pattern) {
    const auto x = random.like(pattern, -1, 1);
    const auto [s, c] = sinhcosh(x);
    CHECK(gap(c * c - s * s, constant_like(pattern, 1.0)) <= kIdentity);
    CHECK(gap(sinh(x) + cosh(x), exp(x)) <= kIdentity);
    CHECK(gap(tanh(x), s / c) <= kIdentity);
  });
}

TEST_CASE("exp turns sums into products, and log undoes it") {
  // oracle: exp(a + b) = exp a exp b, exp(log x) = x, log(exp x) = x
  Random random;
  for_every_series([&](const auto& pattern) {
    const auto a = random.like(pattern, -1, 1), b = random.like(pattern, -1, 1), x = random.like(pattern, 1, 3);
    CHECK(gap(exp(a + b), exp(a) * exp(b)) <= kIdentity);
    CHECK(gap(exp(log(x)), x) <= kIdentity);
    CHECK(gap(log(exp(a)), a) <= kIdentity);
  });
}

TEST_CASE("powers are what their exponents say") {
  // oracle: sqrt(x)² = x, x^3 = x x x, x^-2 x² = 1, x^p x^q = x^(p+q), x^y = exp(y log x)
  Random random;
  for_every_series([&](const auto& pattern) {
    const auto x = random.like(pattern, 1, 3), y = random.like(pattern, -1, 1);
    CHECK(gap(sqrt(x) * sqrt(x), x) <= kIdentity);
    CHECK(gap(pow(x, 0.5), sqrt(x)) <= kIdentity);
    CHECK(gap(pow(x, 1.3) * pow(x, 1.7), x * x * x) <= kIdentity);
    CHECK(gap(pow(x, y), exp(y * log(x))) <= kIdentity);
    // Whole exponents need no logarithm: any base will do, negative and zero too.
    for (const double value : {-1.5, 0.0, 2.0}) {
      auto z = y;
      z[0] = value;
      CHECK(gap(pow(z, 0.0), constant_like(pattern, 1.0)) == 0.0);
      CHECK(gap(pow(z, 1.0), z) == 0.0);
      CHECK(gap(pow(z, 2.0), z * z) == 0.0);
      CHECK(gap(pow(z, 3.0), z * z * z) == 0.0);
      CHECK(gap(pow(z, 5.0), z * z * z * z * z) <= kIdentity);
      CHECK(gap(pow(z, constant_like(pattern, 3.0)), z * z * z) == 0.0);
      if (value != 0.0) CHECK(gap(pow(z, -2.0) * z * z, constant_like(pattern, 1.0)) <= kIdentity);
    }
  });
}

TEST_CASE("abs, sign, min and max choose by value and keep the motion") {
  // oracle: |x| = sign(x) x; min + max = sum
  Random random;
  for_every_series([&](const auto& pattern) {
    const auto a = random.like(pattern, 0.5, 1), b = random.like(pattern, -1, -0.5);
    CHECK(gap(abs(a), a) == 0.0);
    CHECK(gap(abs(b), -b) == 0.0);
    CHECK(gap(abs(b), sign(b) * b) == 0.0);
    CHECK(gap(sign(a), constant_like(pattern, 1.0)) == 0.0);
    CHECK(gap(sign(pattern.blank()), pattern.blank()) == 0.0);
    CHECK(gap(min(a, b), b) == 0.0);
    CHECK(gap(min(b, a), b) == 0.0);
    CHECK(gap(max(a, b), a) == 0.0);
    CHECK(gap(max(b, a), a) == 0.0);
    CHECK(gap(min(a, 2.0), a) == 0.0);
    CHECK(gap(min(2.0, a), a) == 0.0);
    CHECK(gap(max(a, 2.0), constant_like(pattern, 2.0)) == 0.0);
    CHECK(gap(max(2.0, a), constant_like(pattern, 2.0)) == 0.0);
  });
}
