// Names with dots, texts that names stand for, tables over any quantity, rates by differentiating what is written, units.
// Oracles: the same expression on series in time, which knows nothing of the chain rule on texts; closed forms; sentences that a user reads.
#include <fstream>

#include "expr_test.hpp"
#include "jounce/expr/lookup_table.hpp"
#include "jounce/expr/name_source.hpp"
#include "jounce/expr/quintic_spline.hpp"
#include "jounce/scalar/series.hpp"

using namespace jounce;

namespace {

constexpr double kPi = 3.14159265358979323846;

// a.x, a.vx, a.ax, a.jx follow each other; b-1.phi has a '-' in its name and no rate; twice stands for 2*a.x.
class Fake : public NameSource {
 public:
  Meaning of_name(std::string_view name) override {
    if (name == "a.x" || name == "a.vx" || name == "a.ax" || name == "a.jx" || name == "b-1.phi") return {.variable = std::string(name)};
    if (name == "twice") return {.text = "2*a.x"};
    if (name == "more") return {.text = "twice + t"};
    if (name == "doubled") return {.text = "doubled + doubled"};
    if (name == "told") return {};
    return {.trouble = "unknown name '" + std::string(name) + "'", .unknown = true};
  }
  std::vector<std::string> plain_names() const override { return {"twice", "more"}; }
  std::size_t name_with_dashes(std::string_view text) const override { return text.starts_with("b-1.phi") ? 7 : 0; }
  bool takes_names(std::string_view function) const override { return function == "distance"; }
  Meaning of_call(std::string_view, std::span<const std::string> names) override { return {.text = names[0] + ".x - " + names[1] + ".x"}; }
  Meaning rate_of(const std::string& variable) override {
    if (variable == "a.x") return {.variable = "a.vx"};
    if (variable == "a.vx") return {.variable = "a.ax"};
    if (variable == "a.ax") return {.variable = "a.jx"};
    return {.trouble = "'" + variable + "' has no rate"};
  }
  bool units = false;
  std::string unit_of(const std::string& variable) const override {
    if (!units) return "";
    if (variable == "a.x") return "m";
    if (variable == "a.vx") return "m/s";
    return variable == "b-1.phi" ? "rad" : "";
  }
  std::shared_ptr<const LookupTable> table(const TableQuestion& question, std::string& trouble) override {
    if (question.path != "cos") return trouble = "is not there", nullptr;
    std::vector<double> x, y;
    for (int k = 0; k <= 80; ++k) x.push_back(k * 2 * kPi / 80), y.push_back(k == 80 ? 1.0 : std::cos(x.back()));
    x.back() = 2 * kPi;
    auto spline = question.period > 0 ? QuinticSpline::periodic(x, y, question.period) : QuinticSpline::through(x, y);
    if (!spline) return trouble = spline.problems().front().sentence, nullptr;
    return std::make_shared<const LookupTable>(LookupTable{"cos", *spline, question.period});
  }
};

Result<Expression> read(std::string_view text, Fake& names) { return Expression::parse(text, {{{"c", 3.0}}, {"t"}, &names}); }

Expression good(std::string_view text, Fake& names) {
  auto expression = read(text, names);
  INFO(text, ": ", jounce::text(expression.problems()));
  REQUIRE(expression.ok());
  return *expression;
}

std::string wrong(std::string_view text) {
  Fake names;
  names.units = true;
  const auto expression = read(text, names);
  REQUIRE(!expression.ok());
  std::string out = jounce::text(expression.problems());
  out.pop_back();  // the end of its line
  return out;
}

// a.x = 0.7 + 0.4 t + 0.3 t² − 0.2 t³ at t = 0.5, and everything that follows from it
constexpr double kTime = 0.5;
double position(int derivative) {
  const double t = kTime;
  switch (derivative) {
    case 0: return 0.7 + 0.4 * t + 0.3 * t * t - 0.2 * t * t * t;
    case 1: return 0.4 + 0.6 * t - 0.6 * t * t;
    case 2: return 0.6 - 1.2 * t;
    case 3: return -1.2;
    default: return 0;
  }
}

template <class T>
T at_instant(const Expression& expression, const std::function<T(std::string_view)>& of) {
  std::vector<T> variables;
  for (const std::string& name : expression.variables()) variables.push_back(of(name));
  T out{};
  const auto fault = expression.evaluate<T>(std::span<const T>(variables), out);
  INFO(expression.text(), ": ", fault ? fault->sentence : "");
  REQUIRE(!fault);
  return out;
}

double number(const Expression& expression) {
  return at_instant<double>(expression, [](std::string_view name) {
    return name == "t" ? kTime : position(name == "a.x" ? 0 : name == "a.vx" ? 1 : name == "a.ax" ? 2 : 3);
  });
}

// The same as a series in time.
Series<3> series(const Expression& expression) {
  return at_instant<Series<3>>(expression, [](std::string_view name) {
    if (name == "t") return Series<3>::time(kTime);
    const int first = name == "a.x" ? 0 : name == "a.vx" ? 1 : 2;
    return Series<3>{position(first), position(first + 1), position(first + 2) / 2, position(first + 3) / 6};
  });
}

}  // namespace

TEST_CASE("names with dots and dashes are variables, in the order they are met") {
  Fake names;
  CHECK(good("t + a.vx*a.x - a.vx", names).variables() == std::vector<std::string>{"t", "a.vx", "a.x"});
  CHECK(good("2*b-1.phi", names).variables() == std::vector<std::string>{"t", "b-1.phi"});
  CHECK(good("c-1", names).is_constant());  // no such name: a difference
}

TEST_CASE("a name may stand for a text, which may name others; blow-ups are refused") {
  Fake names;
  CHECK(number(good("3*twice", names)) == doctest::Approx(6 * position(0)).epsilon(1e-15));
  CHECK(number(good("more^2", names)) == doctest::Approx(std::pow(2 * position(0) + kTime, 2)).epsilon(1e-15));
  CHECK(number(good("distance(a, a)", names)) == 0);
  CHECK(wrong("doubled").find("names stand for each other more than 64 deep") != std::string::npos);
}

TEST_CASE("rate(x) is what the series of x says, for every function and twice") {
  Fake names;
  for (const std::string text :
       {"a.x", "-a.x", "sin(a.x)", "cos(2*a.x)", "tan(a.x)", "asin(a.x/2)", "acos(a.x/2)", "atan(a.x)", "sinh(a.x)", "cosh(a.x)", "tanh(a.x)",
        "exp(a.x)", "log(a.x)", "sqrt(a.x)", "abs(-a.x)", "sign(a.x) + a.x", "a.x + t", "t - a.x", "a.x*t*a.x", "t/a.x", "a.x/t", "a.x^3", "a.x^0.5", "a.x^t", "2^a.x",
        "atan2(a.x, t)", "min(a.x, 2*t)", "max(a.x, 2*t)", "step(a.x, 0.5, 1.7)", "step(a.x, -1.5, 1.2)", "lookup('cos', a.x)", "lookup('cos', 9*a.x, 2*pi)",
        "magnitude(a.x, t, 2)", "more*twice", "rate(a.x*t)"}) {
    CAPTURE(text);
    const Series<3> expected = series(good(text, names));
    CHECK(number(good("rate(" + text + ")", names)) == doctest::Approx(expected.derivative(1)).epsilon(1e-13).scale(1));
    CHECK(number(good("rate(rate(" + text + "))", names)) == doctest::Approx(expected.derivative(2)).epsilon(1e-12).scale(1));
  }
}

TEST_CASE("a table with a period is as smooth across its ends as the cosine that it was made of") {
  Fake names;
  const Expression table = good("lookup('cos', t, 2*pi)", names);
  for (double t = -9; t < 20; t += 0.173) {
    const Series<4> found = at(table, Series<4>::time(t)), exact = cos(Series<4>::time(t));
    constexpr std::array<double, 5> kError{1e-9, 1e-8, 1e-6, 1e-4, 5e-3};  // h^6 … h^2 with h = 0.0785, times what six derivatives of a cosine make of it
    for (int k = 0; k <= 4; ++k) CHECK(std::abs(found.derivative(k) - exact.derivative(k)) < kError[static_cast<std::size_t>(k)]);
  }
  for (const double end : {0.0, 2 * kPi, 4 * kPi}) {  // value and four derivatives on both sides
    const Series<4> before = at(table, Series<4>::time(end - 1e-9)), behind = at(table, Series<4>::time(end + 1e-9));
    for (int k = 0; k <= 4; ++k) CHECK(std::abs(before.derivative(k) - behind.derivative(k)) < 1e-5);
  }
}

TEST_CASE("a table without a period ends where it ends") {
  Fake names;
  const Expression table = good("lookup('cos', t)", names);
  double out = 0;
  const double t = 7;
  const auto fault = table.evaluate<double>(std::span<const double>(&t, 1), out);
  REQUIRE(fault);
  CHECK(fault->sentence == "lookup('cos', 7) is outside of the table, which goes from 0 to 6.283185307179586");
}

TEST_CASE("the unit of an expression follows from those of its variables, and sums that cannot be meant are refused") {
  Fake names;
  names.units = true;
  CHECK(good("a.x", names).unit() == "m");
  CHECK(good("a.x + 1", names).unit() == "m");
  CHECK(good("a.x*a.x", names).unit() == "m²");
  CHECK(good("a.x/a.vx", names).unit() == "s");
  CHECK(good("sqrt(a.x*a.x + a.x^2)", names).unit() == "m");
  CHECK(good("2*a.x", names).unit() == "");  // 2 may have a unit of its own
  CHECK(good("a.vx*t", names).unit() == "");  // t is a number to most
  CHECK(good("a.vx*(a.x/a.vx) + a.x", names).unit() == "m");
  CHECK(good("sin(b-1.phi)", names).unit() == "");
  CHECK(wrong("a.x + b-1.phi") == "1:5: error: rad cannot be added to m");
  CHECK(wrong("a.x - a.vx") == "1:5: error: m/s cannot be subtracted from m");
  CHECK(wrong("sin(a.x)") == "1:1: error: 'sin' is of an angle or a plain number, found m");
  CHECK(wrong("2^a.x") == "1:2: error: a power must be a plain number, found m");
}

TEST_CASE("what is wrong with names is said where they stand") {
  CHECK(wrong("1 + a.y") == "1:5: error: unknown name 'a.y'");
  CHECK(wrong("twise") == "1:1: error: unknown name 'twise' (did you mean 'twice'?)");
  CHECK(wrong("told*2").find("(reported elsewhere)") != std::string::npos);
  CHECK(wrong("rate(b-1.phi)") == "1:1: error: 'b-1.phi' has no rate");
  CHECK(wrong("lookup('sin', t)") == "1:1: error: 'sin': is not there");
  CHECK(wrong("lookup(sin, t)") == "1:8: error: expected the file of a table in single quotes, found 'sin'");
  CHECK(wrong("lookup('cos', t, 0)") == "1:18: error: the period of a table must be a constant greater than 0");
  CHECK(wrong("magnitude(a.x)") == "1:1: error: 'magnitude' takes 2 or more arguments, found 1");
  CHECK(wrong("a.x = 0") == "1:5: error: expected an operator or the end, found '='\n  hint: what is to be 0 is written without it: a = b as a - (b)");
}

TEST_CASE("units that a parameter of the same name hides") {
  Fake names;
  CHECK(number(good("3*kN + 2*bar + 1*MPa + 4*um + 5*ms + 2*km + 7*kW", names)) == doctest::Approx(3e3 + 2e5 + 1e6 + 4e-6 + 5e-3 + 2e3 + 7e3).epsilon(1e-15));
  const auto own = Expression::parse("bar", {{{"bar", 2.5}}, {"t"}});
  REQUIRE(own.ok());
  CHECK(at(*own, 0.0) == 2.5);
}
