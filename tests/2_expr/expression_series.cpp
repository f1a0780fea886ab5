#include "jounce/expr/expression_series.hpp"

#include <random>

#include "expr_test.hpp"
#include "jounce/scalar/series.hpp"

using namespace jounce;

namespace {

constexpr int kOrder = 20;
const Scope kLaw{{{"k", 250.0}, {"c", 3.0}}, {"l", "v", "t"}};

using Motion = std::vector<std::vector<double>>;  // coefficients of l, v, t

// A clock and two variables with all coefficients, those of a function whose series converges.
Motion moving(double l, double v, double t) {
  Motion motion(3, std::vector<double>(kOrder + 1));
  for (std::size_t k = 0; k <= kOrder; ++k) {
    const double shrink = std::pow(0.6, static_cast<double>(k));
    motion[0][k] = k == 0 ? l : 0.3 * shrink * std::cos(1.0 + 2.0 * static_cast<double>(k));
    motion[1][k] = k == 0 ? v : 0.4 * shrink * std::sin(2.0 + 3.0 * static_cast<double>(k));
  }
  motion[2][0] = t;
  motion[2][1] = 1;
  return motion;
}

// l and v rest, t stands still: everything is constant.
Motion resting(double l, double v, double t) {
  Motion motion(3, std::vector<double>(kOrder + 1));
  motion[0][0] = l, motion[1][0] = v, motion[2][0] = t;
  return motion;
}

std::vector<AnySeries> truncated(const Motion& motion, int order) {
  std::vector<AnySeries> out;
  for (const auto& c : motion) out.push_back(AnySeries::from({c.begin(), c.begin() + order + 1}));
  return out;
}

struct Comparison {
  int coefficients = 0, faults = 0, different = 0;
};

// One order after the other, against the whole series of that order and of the highest.
void compare(const Expression& f, const Motion& motion, Comparison& total) {
  ExpressionSeries series(f, kOrder);
  const std::vector<const double*> variables{motion[0].data(), motion[1].data(), motion[2].data()};
  AnySeries all;
  const auto fault_of_all = f.evaluate<AnySeries>(truncated(motion, kOrder), all);
  double size = 0;
  for (int k = 0; k <= kOrder; ++k) {
    AnySeries whole;
    double out = 123;
    const auto expected = f.evaluate<AnySeries>(truncated(motion, k), whole);
    const auto fault = series.coefficient(k, variables, out);
    INFO(f.text(), ", order ", k, ", l = ", motion[0][0], ", v = ", motion[1][0], ", t = ", motion[2][0]);
    REQUIRE((fault ? fault->sentence : "none") == (expected ? expected->sentence : "none"));
    REQUIRE(fault == expected);
    if (fault) {
      CHECK(out == 123);
      CHECK(fault_of_all.has_value());
      ++total.faults;
      return;
    }
    ++total.coefficients;
    size = std::max(size, std::abs(whole[k]));
    CHECK(std::abs(out - whole[k]) <= 1e-13 * std::abs(whole[k]));
    if (!fault_of_all) CHECK(std::abs(out - all[k]) <= 1e-13 * size);
    total.different += out != whole[k];
  }
  CHECK(!fault_of_all);
}

const std::vector<std::string> kLaws{"-l",
                                     "l + v",
                                     "l - v",
                                     "2 + l",
                                     "l + 2",
                                     "2 - l",
                                     "l - 2",
                                     "l*v",
                                     "3*l",
                                     "l*3",
                                     "l/v",
                                     "l/3",
                                     "3/l",
                                     "sin(l)",
                                     "cos(l)",
                                     "tan(l)",
                                     "asin(l)",
                                     "acos(l)",
                                     "atan(l)",
                                     "sinh(l)",
                                     "cosh(l)",
                                     "tanh(l)",
                                     "exp(l)",
                                     "log(l)",
                                     "sqrt(l)",
                                     "abs(l)",
                                     "abs(-l)",
                                     "sign(l)",
                                     "sign(-l) + t",
                                     "min(l, v)",
                                     "min(l, 0.1)",
                                     "min(0.1, l)",
                                     "max(l, v)",
                                     "max(l, 0.1)",
                                     "max(0.1, l)",
                                     "min(l, l)",
                                     "max(0*l + 2, 2)",
                                     "atan2(l, v)",
                                     "atan2(-l, -v)",
                                     "atan2(2, v)",
                                     "atan2(l, -3)",
                                     "l^0",
                                     "l^1",
                                     "l^2",
                                     "l^3",
                                     "l^7",
                                     "l^20",
                                     "l^-1",
                                     "l^-2",
                                     "l^-5",
                                     "l^0.5",
                                     "l^2.5",
                                     "l^-1.5",
                                     "l^1000",
                                     "2^l",
                                     "0.5^(v - l)",
                                     "1^l",
                                     "0^l",
                                     "l^v",
                                     "v^l",
                                     "t^t",
                                     "l^(0*v + 3)",
                                     "l^(0*v + 2.5)",
                                     "l^(0*v - 2)",
                                     "l^(3 + t^5)",
                                     "l^(2.5 + t^3)",
                                     "(t - 0.4)^(3 + 0*l)",
                                     "(t - 0.4)^(3 + (t - 0.4)^4)",
                                     "(-2)^(0*t + 3)",
                                     "(-2)^(3 + (t - 0.4)^4)",
                                     "0^(2 + (t - 0.4)^4)",
                                     "(0*t)^(2 + (t - 0.4)^4)",
                                     "2 + 0^(2 + (t - 0.4)^4)*l",
                                     "step(0^(2 + (t - 0.4)^4), -1, 2 + t)",
                                     "step(t, 0, 1)",
                                     "step(t, 0.3, 2)",
                                     "step(t, 0.4, 2)",
                                     "step(t, 0, 0.4)",
                                     "step(t, 1, 2)",
                                     "step(t, -2, -1)",
                                     "step(t, -1, 0.5)",
                                     "step(l, v, 2 + t)",
                                     "step(0.3, -l, 4*v)",
                                     "step(0.3, -l, 2)",
                                     "step(0.3, -2, 1 + l)",
                                     "step(l, 0, v + 1)",
                                     "step(t, 5, 6)*step(l, 5, 6) + step(t, 7, l + 9)",
                                     "-k*(l - 0.3) - c*v",
                                     "k*(l - 0.3) + c*v + 100*sin(2*pi*t)*step(t, 0, 1)",
                                     "k*max(0.5 - l, 0)^1.5 - c*tanh(v/0.01)",
                                     "100*(1 - (v/2)^2)*exp(-(l/0.2)^2)",
                                     "k*l^3/(1 + l^2) - c*v*abs(v)",
                                     "7",
                                     "l",
                                     "t",
                                     "sin(v)^2 + cos(v)^2",
                                     "exp(log(l)) - sqrt(l)^2",
                                     "((l + v)*(l - v))/((l*v + 2)*(l/(3 + v) - 5*(v*t - 6)))"};

}  // namespace

TEST_CASE("coefficient by coefficient is what the whole series is, for every function") {
  // oracle: another route, the expression on AnySeries, at every order
  Comparison total;
  for (const std::string& text : kLaws) {
    const Expression f = parsed(text, kLaw);
    for (const Motion& motion : {moving(0.7, 0.45, 0.4), moving(0.2, 0.9, 0.4), moving(-0.3, -0.6, 0.4), moving(0, 0, 0.4),
                                 moving(1, 1, 0.4), moving(3, 2, 2), resting(0, 0, 0), resting(1, 0, 1), resting(-1, 2, 0.4)})
      compare(f, motion, total);
  }
  CHECK(total.coefficients > 10000);
  CHECK(total.faults > 50);
  // the same operations in the same order: other bits only where an exponent is constant at some orders, then varies
  CHECK(total.different <= 100);
}

TEST_CASE("a variable that starts to move late shows a kink late") {
  // oracle: the expression on AnySeries, order by order
  Comparison total;
  for (const std::string& text : kLaws)
    for (const int first : {2, 5}) {
      Motion motion = resting(0, 1, 0.4);
      for (std::size_t k = static_cast<std::size_t>(first); k <= kOrder; ++k) motion[0][k] = 0.5, motion[1][k] = 0.25;
      compare(parsed(text, kLaw), motion, total);
    }
  CHECK(total.faults > 20);

  double out = 0;
  const double v[] = {0, 0, 0, 1};
  const double* const variables[] = {v};
  ExpressionSeries kink(parsed("2*abs(t)"), 3);
  for (int k = 0; k < 3; ++k) REQUIRE(!kink.coefficient(k, variables, out));
  CHECK(kink.coefficient(3, variables, out) == ExpressionFault{"abs has a kink at 0: no derivative there", 3});
}

TEST_CASE("random expressions agree, and so do their faults") {
  // oracle: the expression on AnySeries; fixed seed
  std::mt19937 random(3);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  // %: a random operand
  const std::vector<std::string> shapes{
      "-%",     "(% + %)", "(% - %)", "%*%",     "%/%",     "(%)^(%)",     "(%)^2",        "(%)^-3",        "sin(%)",
      "cos(%)", "tan(%)",  "asin(%)", "acos(%)", "atan(%)", "atan2(%, %)", "sinh(%)",      "cosh(%)",       "tanh(%)",
      "exp(%)", "log(%)",  "sqrt(%)", "abs(%)",  "sign(%)", "min(%, %)",   "max(%, %, %)", "step(%, %, %)", "pow(%, 1.5)"};
  const std::vector<std::string> leaves{"l", "v", "t", "0.5", "2", "l", "v", "0", "1"};
  Comparison total;
  for (int n = 0; n < 3000; ++n) {
    std::string text = shapes[below(shapes.size())];
    for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%'))
      text.replace(at, 1, text.size() > 60 || below(2) == 0 ? leaves[below(leaves.size())] : shapes[below(shapes.size())]);
    const auto f = Expression::parse(text, kLaw);
    if (!f) continue;  // a constant part without a value
    const double values[] = {-0.4, 0, 0.3, 1, 2};
    const auto start = [&] { return values[below(5)]; };
    const double l = start(), v = start(), t = start();
    compare(*f, below(4) == 0 ? resting(l, v, t) : moving(l, v, t), total);
  }
  CHECK(total.coefficients > 20000);
  CHECK(total.faults > 300);
}

TEST_CASE("a polynomial has the coefficients it is written with") {
  // oracle: the binomial theorem, (2 + t)^3 = 8 + 12 t + 6 t^2 + t^3
  const std::vector<double> clock{2, 1, 0, 0, 0, 0};
  const double* const variables[] = {clock.data()};
  ExpressionSeries cube(parsed("t^3"), 5);
  for (int pass = 0; pass < 2; ++pass)  // order 0 starts anew
    for (int k = 0; k <= 5; ++k) {
      double out = 0;
      REQUIRE(!cube.coefficient(k, variables, out));
      CHECK(out == std::vector<double>{8, 12, 6, 1, 0, 0}[static_cast<std::size_t>(k)]);
    }
}

TEST_CASE("an order can be asked for again with another coefficient") {
  // oracle: coefficient 2 of sin(x) exp(x) for x = x_1 t + x_2 t^2 is x_2 + x_1^2
  std::vector<double> x{0, 3, 0};
  const double* const variables[] = {x.data()};
  ExpressionSeries f(parsed("sin(t)*exp(t)"), 2);
  double out = 0;
  for (int k = 0; k <= 2; ++k) REQUIRE(!f.coefficient(k, variables, out));
  CHECK(out == doctest::Approx(9).epsilon(round_off(10)));
  x[2] = 5;
  REQUIRE(!f.coefficient(2, variables, out));
  CHECK(out == doctest::Approx(14).epsilon(round_off(10)));
  x[2] = INFINITY;
  CHECK(f.coefficient(2, variables, out) == not_finite("t"));
  x[2] = 0;  // a fault leaves the orders below as they were
  REQUIRE(!f.coefficient(2, variables, out));
  CHECK(out == doctest::Approx(9).epsilon(round_off(10)));
}

TEST_CASE("a constant needs no variables, and a copy goes its own way") {
  // oracle: the contract
  double out = 0;
  ExpressionSeries five(Expression::constant(5), 3);
  for (int k = 0; k <= 3; ++k) {
    REQUIRE(!five.coefficient(k, {}, out));
    CHECK(out == (k == 0 ? 5 : 0));
  }
  const double x[] = {0, 1, 0, 0}, y[] = {0, 2, 0, 0};
  const double *const of_x[] = {x}, *const of_y[] = {y};
  ExpressionSeries first(parsed("sin(t)"), 3);
  REQUIRE(!first.coefficient(0, of_x, out));
  ExpressionSeries second = first;
  for (int k = 1; k <= 3; ++k) {
    double sine = 0;
    REQUIRE(!first.coefficient(k, of_x, sine));
    REQUIRE(!second.coefficient(k, of_y, out));
    CHECK(out == doctest::Approx(sine * std::pow(2, k)).epsilon(round_off(4)));  // sin(2t)
  }
}
