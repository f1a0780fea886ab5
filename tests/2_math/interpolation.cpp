// Oracles: published nodes and weights, integrals of powers in closed form, the coefficients of Adams and Bashforth, and polynomials themselves.
#include "jounce/math/interpolation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace interpolation_test {

using namespace jounce;

namespace {

// A few roundings of numbers of size 1.
constexpr double kRounding = 2e-15;

/// Of xᵏ from `from` to `to`.
double integral_of_power(int k, double from, double to) { return (std::pow(to, k + 1) - std::pow(from, k + 1)) / (k + 1); }

template <std::size_t count>
double by_rule(const GaussRule<count>& rule, int power) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += rule.weight[i] * std::pow(rule.node[i], power);
  return sum;
}

template <std::size_t count>
void check_exactness(const GaussRule<count>& rule) {
  constexpr int kDegree = 2 * static_cast<int>(count) - 1;
  for (int k = 0; k <= kDegree; ++k) {
    CAPTURE(k);
    CHECK(std::abs(by_rule(rule, k) - integral_of_power(k, -1, 1)) < 4e-16);
  }
  // of the first power that is not integrated exactly the error is known: 2²ⁿ⁺¹ n!⁴ / ((2n + 1) (2n)!²)
  const double n = static_cast<double>(count);
  const double error = std::exp((2 * n + 1) * std::log(2) + 4 * std::lgamma(n + 1) - 2 * std::lgamma(2 * n + 1)) / (2 * n + 1);
  CHECK(integral_of_power(kDegree + 1, -1, 1) - by_rule(rule, kDegree + 1) == doctest::Approx(error).epsilon(1e-9));
}

// 3 − x + 2 x² + … with small coefficients that alternate, of any degree.
double polynomial(int degree, double x) {
  double sum = 0;
  for (int k = degree; k >= 0; --k) sum = sum * x + (k % 2 == 0 ? 3.0 - 0.2 * k : -1.0 - 0.1 * k);
  return sum;
}
double integral_of_polynomial(int degree, double from, double to) {
  double sum = 0;
  for (int k = 0; k <= degree; ++k) sum += (k % 2 == 0 ? 3.0 - 0.2 * k : -1.0 - 0.1 * k) * integral_of_power(k, from, to);
  return sum;
}

}  // namespace

TEST_CASE("Gauss's nodes and weights are those of the table") {
  // Abramowitz and Stegun, Handbook of Mathematical Functions, table 25.4: 15 decimals
  constexpr double kLastDecimal = 0.6e-15;
  const auto check = [&](const auto& rule, const std::vector<std::array<double, 2>>& table) {
    REQUIRE(rule.node.size() == 2 * table.size());
    for (std::size_t k = 0; k < table.size(); ++k) {
      CAPTURE(k);
      const std::size_t right = table.size() + k, left = table.size() - 1 - k;
      CHECK(std::abs(rule.node[right] - table[k][0]) < kLastDecimal);
      CHECK(std::abs(rule.weight[right] - table[k][1]) < kLastDecimal);
      CHECK(rule.node[left] == -rule.node[right]);
      CHECK(rule.weight[left] == rule.weight[right]);
      CHECK(rule.place(right) == doctest::Approx((1 + table[k][0]) / 2).epsilon(1e-14));
      CHECK(rule.share(right) == doctest::Approx(table[k][1] / 2).epsilon(1e-14));
    }
  };
  check(kGauss4, {{0.339981043584856, 0.652145154862546}, {0.861136311594053, 0.347854845137454}});
  check(kGauss8, {{0.183434642495650, 0.362683783378362},
                  {0.525532409916329, 0.313706645877887},
                  {0.796666477413627, 0.222381034453374},
                  {0.960289856497536, 0.101228536290376}});
}

TEST_CASE("Gauss's rule of n nodes is exact up to degree 2 n − 1, and not beyond") {
  check_exactness(kGauss4);
  check_exactness(kGauss8);
}

TEST_CASE("Lagrange's polynomials are one at their own node and nothing at the others, and reproduce polynomials") {
  const std::vector<double> nodes{-1.3, -0.4, 0.1, 0.7, 1.9};
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t j = 0; j < nodes.size(); ++j) CHECK(lagrange(nodes, i, nodes[j]) == (i == j ? 1 : 0));
  for (const double x : {-2.0, -0.9, 0.0, 0.33, 2.5}) {
    CAPTURE(x);
    double sum = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) sum += lagrange(nodes, i, x) * polynomial(4, nodes[i]);
    CHECK(sum == doctest::Approx(polynomial(4, x)).epsilon(1e-13));
  }
}

TEST_CASE("the integral of a polynomial through five rates is that of Adams and Bashforth") {
  const std::vector<double> nodes{0, -1, -2, -3, -4}, published{1901, -2774, 2616, -1274, 251};
  const std::vector<double> weights = integral_weights(nodes, 0, 1);
  for (std::size_t i = 0; i < nodes.size(); ++i) CHECK(std::abs(weights[i] - published[i] / 720) < 5 * kRounding);
}

TEST_CASE("an integral that grows node by node comes to that of the polynomial, and then no node changes it") {
  const double from = 0.3, to = 1.1;
  const std::vector<double> nodes{0.3, 1.1, 0.2, -0.1, 0.7, 0.44, 0.96, 0.55, 0.85, 0.35};
  for (const int degree : {0, 1, 3, 6}) {
    CAPTURE(degree);
    GrowingIntegral integral(from, to);
    double sum = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double change = integral.add(nodes[i], polynomial(degree, nodes[i]));
      sum += change;
      if (static_cast<int>(i) > degree) CHECK(std::abs(change) < 1e-12);
    }
    CHECK(integral.value() == sum);
    CHECK(integral.value() == doctest::Approx(integral_of_polynomial(degree, from, to)).epsilon(1e-12));
  }
  // of what is no polynomial it is that of the polynomial through the nodes
  GrowingIntegral integral(from, to);
  const std::vector<double> weights = integral_weights(nodes, from, to);
  double whole = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    integral.add(nodes[i], std::exp(nodes[i]));
    whole += weights[i] * std::exp(nodes[i]);
  }
  CHECK(integral.value() == doctest::Approx(whole).epsilon(1e-12));
  CHECK(integral.value() == doctest::Approx(std::exp(to) - std::exp(from)).epsilon(1e-11));
}

TEST_CASE("an integral takes derivatives as well as values") {
  // oracle: of a polynomial of degree 8, three nodes with their slopes and second derivatives say all
  const double from = 0.3, to = 1.1;
  const auto coefficient = [](double x, int order) {  // of x^8 + 2 x^3, about x
    return order == 0 ? std::pow(x, 8) + 2 * std::pow(x, 3) : order == 1 ? 8 * std::pow(x, 7) + 6 * x * x : 28 * std::pow(x, 6) + 6 * x;
  };
  const double exact = (std::pow(to, 9) - std::pow(from, 9)) / 9 + (std::pow(to, 4) - std::pow(from, 4)) / 2;
  GrowingIntegral integral(from, to);
  for (int order = 0; order < 3; ++order)
    for (const double x : {0.3, 1.1, -0.5}) integral.add(x, coefficient(x, order), order);
  CHECK(integral.nodes() == 9);
  CHECK(integral.value() == doctest::Approx(exact).epsilon(1e-13));
  CHECK(std::abs(integral.add(0.7, coefficient(0.7, 0))) < 1e-12);
}

}  // namespace interpolation_test
