#include "expr_test.hpp"
#include "jounce/scalar/dual.hpp"
#include "jounce/scalar/series.hpp"

using namespace jounce;

TEST_CASE("a wrong text gets a located sentence") {
  // oracle: the messages as a user should read them, exactly
  const Scope scope = of_time({{"crank", 0.05}, {"rod", 0.2}});
  const struct {
    const char* text;
    int column;
    const char* sentence;
    const char* hint = "";
  } cases[] = {{"", 1, "expected a number, a name or '(', found the end"},
               {"1 +", 4, "expected a number, a name or '(', found the end"},
               {"()", 2, "expected a number, a name or '(', found ')'"},
               {"2*)", 3, "expected a number, a name or '(', found ')'"},
               {"(1", 3, "expected an operator or ')', found the end"},
               {"1)", 2, "expected an operator or the end, found ')'"},
               {"sin(1", 6, "expected an operator, ',' or ')', found the end"},
               {"min(1,)", 7, "expected a number, a name or '(', found ')'"},
               {"(1, 2)", 3, "expected an operator or ')', found ','"},
               {"2 t", 3, "expected an operator or the end, found 't'", "a product is written with '*'"},
               {"2(t)", 2, "expected an operator or the end, found '('", "a product is written with '*'"},
               {"2t", 1, "'2t' is not a number", "a product is written with '*'"},
               {"2**3", 3, "expected a number, a name or '(', found '*'", "a power is written with '^'"},
               {"crank*crnak", 7, "unknown name 'crnak' (did you mean 'crank'?)"},
               {"zzz", 1, "unknown name 'zzz'"},
               {"2*kg", 3, "unknown name 'kg'", "numbers are SI; factors to write after one are deg, rpm, mm, cm, inch, km, um, ms, kN, MPa, bar, kW"},
               {"hypotenuse(3, 4)", 1, "unknown function 'hypotenuse'",
                "the functions are sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, exp, log, sqrt, pow, abs, sign, min, max, step, magnitude"},
               {"60*degree", 4, "unknown name 'degree' (did you mean 'deg'?)"},
               {"60*dge", 4, "unknown name 'dge' (did you mean 'deg'?)"},
               {"sine(t)", 1, "unknown function 'sine' (did you mean 'sin'?)"},
               {"sqr(t)", 1, "unknown function 'sqr' (did you mean 'sqrt'?)"},
               {"rod(2)", 1, "'rod' is not a function", "a product is written with '*'"},
               {"sin + 1", 1, "'sin' is a function: expected '(' after it, found '+'"},
               {"atan2(1)", 1, "'atan2' takes 2 arguments, found 1"},
               {"1 + sin()", 5, "'sin' takes 1 argument, found 0"},
               {"sin(1, 2)", 1, "'sin' takes 1 argument, found 2"},
               {"max(1)", 1, "'max' takes 2 or more arguments, found 1"},
               {"step(t, 1, 2, 3, 4)", 1, "'step' takes 3 arguments, found 5"},
               {"1.2.3", 1, "'1.2.3' is not a number"},
               {"1e", 1, "'1e' is not a number", "a product is written with '*'"},
               {"0x10", 1, "'0x10' is not a number"},
               {".", 1, "'.' is not a number"},
               {"1 + 1e999", 5, "the number 1e999 is outside the range of double precision"},
               {"1e-999", 1, "the number 1e-999 is outside the range of double precision"},
               {"3 $ 4", 3, "unexpected character '$'"},
               {"2\xC2\xB7t", 2, "unexpected character '\xC2\xB7'"},
               {"2\xFF", 2, "unexpected character the byte 0xff"},
               {"1 = 1", 3, "unexpected character '='"},
               {"1/0", 2, "division by zero: 1/0"},
               {"t + log(2 - 3)", 5, "log of a negative number: log(-1)"},
               {"t*sqrt(-rod)", 3, "sqrt of a negative number: sqrt(-0.2)"},
               {"step(t, 2, 1)*step(1, 2, 2)", 15, "step(x, a, b) needs a < b: step(1, 2, 2)"},
               {"1e200*1e200", 6, "1e+200*1e+200 is not a finite number"}};
  for (const auto& c : cases) {
    const auto expression = Expression::parse(c.text, scope);
    CHECK(c.text + (": " + text(expression.problems())) ==
          c.text + (": " + error({1, c.column}, c.sentence, c.hint).text() + '\n'));
  }
}

TEST_CASE("time has no place in a constant") {
  // oracle: the interface
  CHECK(Expression::parse("2*t", {}).problems().at(0) == error({1, 3}, "'t' cannot be used in a constant"));
}

TEST_CASE("all unknown names of a text are reported at once") {
  // oracle: the text
  const auto wrong = Expression::parse("aaa*(1 + bbb) + log(-1) + sin(ccc, 2)", {});
  REQUIRE(wrong.problems().size() == 5);
  const int columns[] = {1, 10, 17, 27, 31};
  for (std::size_t k = 0; k < 5; ++k) CHECK(wrong.problems()[k].where == Where{1, columns[k]});
}

namespace {

template <class T>
std::string fault(const char* text, const T& t) {
  const Expression f = parsed(text);
  T out = 123.0;
  const auto found = f.evaluate<T>(std::span<const T>(&t, 1), out);
  CHECK(value_of(out) == 123.0);  // left alone
  return found ? std::to_string(found->column) + ": " + found->sentence : "none";
}

}  // namespace

TEST_CASE("a function left without a value says which, where, and what it was given") {
  // oracle: the domains of the functions, and the words as a user should read them
  const struct {
    const char* text;
    double t;
    const char* fault;
  } cases[] = {{"1 + log(t)", -0.2, "5: log of a negative number: log(-0.2)"},
               {"log(t)", 0, "1: log of zero: log(0)"},
               {"sqrt(t)", -1, "1: sqrt of a negative number: sqrt(-1)"},
               {"3/t", 0, "2: division by zero: 3/0"},
               {"t/(t - 1)", 1, "2: division by zero: 1/0"},
               {"-3/t", -0.0, "3: division by zero: (-3)/0"},
               {"asin(t)", 2, "1: asin of a number outside [-1, 1]: asin(2)"},
               {"acos(t)", -1.5, "1: acos of a number outside [-1, 1]: acos(-1.5)"},
               {"t^0.5", -2, "2: a negative number to a fractional power: (-2)^0.5"},
               {"pow(t, t)", -2.5, "1: a negative number to a fractional power: (-2.5)^(-2.5)"},
               {"t^-1", 0, "2: zero to a negative power: 0^(-1)"},
               {"atan2(t, 0)", 0, "1: atan2 of two zeros has no angle: atan2(0, 0)"},
               {"step(1, t, 2)", 3, "1: step(x, a, b) needs a < b: step(1, 3, 2)"},
               {"exp(t)", 1000, "1: exp(1000) is not a finite number"},
               {"2 + t*t", 1e200, "6: 1e+200*1e+200 is not a finite number"},
               {"t", NAN, "1: the value of 't' is not a finite number"},
               {"min(t, 1)", NAN, "1: the value of 't' is not a finite number"}};
  for (const auto& c : cases) {
    CHECK(fault<double>(c.text, c.t) == c.fault);
    CHECK(fault<Series<4>>(c.text, Series<4>::time(c.t)) == c.fault);
  }
}

TEST_CASE("where a derivative is missing, a series is refused and a number is not") {
  // oracle: the kinks and vertical tangents of the functions
  const struct {
    const char* text;
    double t;
    const char* fault;
  } cases[] = {{"2*abs(t)", 0, "3: abs has a kink at 0: no derivative there"},
               {"sign(t)", 0, "1: sign has a jump at 0: no derivative there"},
               {"sqrt(t)", 0, "1: sqrt has no derivative at 0: sqrt(0)"},
               {"asin(t)", 1, "1: asin has no derivative at -1 and 1: asin(1)"},
               {"acos(t)", -1, "1: acos has no derivative at -1 and 1: acos(-1)"},
               {"min(t, 2)", 2, "1: min has a kink where its arguments are equal, min(2, 2): no derivative there"},
               {"max(t, -t, -5)", 0, "1: max has a kink where its arguments are equal, max(0, 0): no derivative there"},
               {"t^1.5", 0, "2: a fractional power has no derivative at 0: 0^1.5"},
               {"(-2)^t", 2, "5: a negative number to a varying power: (-2)^2"},
               {"t^t", 0, "2: zero to a varying power has no derivative: 0^0"}};
  for (const auto& c : cases) {
    CHECK(fault<Series<4>>(c.text, Series<4>::time(c.t)) == c.fault);
    CHECK(fault<AnySeries>(c.text, AnySeries::time(c.t, 3)) == c.fault);
    Dual<3> t = c.t;
    t.d[2] = 1;
    CHECK(fault<Dual<3>>(c.text, t) == c.fault);
    double out = 0;
    CHECK(!parsed(c.text).evaluate<double>(std::span<const double>(&c.t, 1), out));
  }
  CHECK(fault<Series<4>>("sqrt(t)", Series<4>::time(1e-300)) == "1: a derivative of 'sqrt(t)' is not a finite number");
  CHECK(at(parsed("0^t"), Series<4>::time(2)).c == std::array<double, 5>{});
}
