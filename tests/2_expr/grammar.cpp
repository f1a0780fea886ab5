#include "expr_test.hpp"

using namespace jounce;

TEST_CASE("operators bind and group as in mathematics") {
  // oracle: arithmetic by hand, exact in doubles
  const struct {
    const char* text;
    double value;
  } cases[] = {{"1 + 2*3", 7},      {"(1 + 2)*3", 9},    {"10 - 4 - 3", 3},
               {"64/4/2", 8},       {"64/4*2", 32},      {"-2^2", -4},
               {"(-2)^2", 4},       {"2^-1", 0.5},       {"2^3^2", 512},
               {"(2^3)^2", 64},     {"-2^-2", -0.25},    {"2^-2^2", 0.0625},
               {"2*-3", -6},        {"2 - -3", 5},       {"2 + - - -3", -1},
               {"--3", 3},          {"+3", 3},           {"-+-3", 3},
               {"2*3^2", 18},       {"-3*-3", 9},        {"4^.5", 2},
               {"2^2*3", 12},       {"8/2^2", 2},        {"1 - 2^2", -3},
               {"2^+3", 8},         {"1e3", 1000},       {"1.5E-1*20", 3},
               {".5 + 1.", 1.5},    {"007", 7},          {"((((1))))", 1},
               {" \t1\n+\r1 ", 2},  {"min(3, 1, 2)", 1}, {"max(3, 1, 4, 2)", 4},
               {"pow(2, 3)^2", 64}, {"-abs(-2)^2", -4},  {"0^0", 1},
               {"0/5", 0},          {"(-2)^3", -8},      {"(-2)^-1", -0.5}};
  for (const auto& c : cases) {
    CHECK_MESSAGE(value(c.text) == c.value, c.text);
    // the same with a variable in place of a constant, so that nothing is folded
    CHECK_MESSAGE(value(std::string(c.text) + " + t", 1) == c.value + 1, c.text);
  }
}

TEST_CASE("operators group the same way when nothing can be folded") {
  // oracle: the same expression written in C++
  const double t = 1.7;
  CHECK(value("t - t*t - t", t) == t - t * t - t);
  CHECK(value("t/(t + 1)/(t + 2)", t) == t / (t + 1) / (t + 2));
  CHECK(value("-t^2", t) == -std::pow(t, 2));
  CHECK(value("t^-t^2", t) == std::pow(t, -std::pow(t, 2)));
  CHECK(value("2 - t", t) == 2 - t);
  CHECK(value("2/t", t) == 2 / t);
  CHECK(value("t/3", t) == t / 3);
  CHECK(value("2^t", t) == std::pow(2, t));
  CHECK(value("t*t - t*(t - t*(t - t*(t - 1)))", t) == t * t - t * (t - t * (t - t * (t - 1))));
  CHECK(value("(t - 1)*((t + 2)*(t - 3) - (t + 4)/(t - 5))", t) == (t - 1) * ((t + 2) * (t - 3) - (t + 4) / (t - 5)));
}

TEST_CASE("constants and names mean what the interface says") {
  // oracle: their definitions
  CHECK(value("pi") == std::acos(-1.0));
  CHECK(value("180*deg") == doctest::Approx(std::acos(-1.0)).epsilon(1e-15));
  CHECK(value("60*rpm") == doctest::Approx(2 * std::acos(-1.0)).epsilon(1e-15));
  CHECK(value("mm") == 1e-3);
  CHECK(value("cm") == 1e-2);
  CHECK(value("inch") == 0.0254);
  CHECK(at(parsed("e + g*u - L", of_time({{"e", 1}, {"g", 2}, {"u", 3}, {"L", 4}})), 0.0) == 3);
  for (const char* name : {"pi", "deg", "mm", "cm", "inch", "rpm", "t", "sin", "atan2", "step", "pow", "sign"})
    CHECK_MESSAGE(is_reserved_name(name), name);
  for (const char* name : {"e", "g", "u", "L", "l", "v", "theta", "omega", "Pi", "T", ""})
    CHECK_MESSAGE(!is_reserved_name(name), name);
}

TEST_CASE("an expression knows its text, its variables and whether it is a constant") {
  // oracle: the text
  const Scope law{{{"k", 100.0}}, {"l", "v", "t"}};
  const Expression force = parsed("-k*(l - 0.3) - 5*v", law);
  CHECK(force.text() == "-k*(l - 0.3) - 5*v");
  CHECK(force.uses("l"));
  CHECK(force.uses("v"));
  CHECK(!force.uses("t"));
  CHECK(!force.uses("k"));
  CHECK(!force.is_constant());
  double out = 0;
  const double variables[] = {0.5, 2, 9};
  CHECK(!force.evaluate<double>(variables, out));
  CHECK(out == -100 * (0.5 - 0.3) - 5 * 2.0);
  CHECK(parsed("2*k", law).is_constant());
  CHECK(!parsed("0*t", law).is_constant());
  const Expression seven = Expression::constant(7);
  CHECK(seven.is_constant());
  CHECK(seven.text() == "7");
  CHECK(!seven.evaluate<double>({}, out));
  CHECK(out == 7);
}

TEST_CASE("a variable hides a parameter of the same name, with a warning") {
  // oracle: the rule in Scope
  const auto law = Expression::parse("l + l", {{{"l", 5.0}}, {"l"}});
  REQUIRE(law.ok());
  REQUIRE(law.problems().size() == 1);
  CHECK(law.problems()[0] == warning({1, 1}, "'l' means the variable here, not the parameter"));
  double out = 0;
  const double l[] = {2};
  CHECK(!law->evaluate<double>(l, out));
  CHECK(out == 4);
}

TEST_CASE("names_in lists what a text refers to, once, in order") {
  // oracle: the texts
  CHECK(*names_in("2*b + sin(a*pi) - b*t/c_2") == std::vector<std::string>{"b", "a", "t", "c_2"});
  CHECK(*names_in("") == std::vector<std::string>{});
  CHECK(*names_in("1e3 + 2.") == std::vector<std::string>{});
  CHECK(names_in("a + $").problems().at(0) == error({1, 5}, "unexpected character '$'"));
}

TEST_CASE("long and deep texts are read without harm, or refused") {
  // oracle: closed forms of the chains
  const auto repeated = [](std::string_view piece, std::size_t times) {
    std::string out;
    for (std::size_t k = 0; k < times; ++k) out += piece;
    return out;
  };
  CHECK(value(repeated("- ", 500'001) + "t", 2) == -2);
  CHECK(value("t" + repeated("+t", 400'000), 1) == 400'001);
  CHECK(value("t" + repeated("^t", 400'000), 1) == 1);
  CHECK(value("1" + repeated("^-1", 300'000)) == 1);
  CHECK(value("min(1" + repeated(",t", 300'000) + ")", 0.5) == 0.5);
  CHECK(value(repeated("(", 256) + "t" + repeated(")", 256), 3) == 3);
  CHECK(value(repeated("abs(", 256) + "t" + repeated(")", 256), -3) == 3);
  CHECK(value(repeated("t+t*t^(", 255) + "t" + repeated(")", 255), 1) > 0);
  for (const char* open : {"(", "sin(", "-(", "2^(", "min(t,"}) {
    const std::string text = repeated(open, 200'000 / 5) + "t" + repeated(")", 200'000 / 5);
    const auto refused = Expression::parse(text, of_time());
    REQUIRE(!refused);
    CHECK(refused.problems()[0].sentence == "parentheses are nested more than 256 deep");
    CHECK(refused.problems()[0].where.column ==
          257 * int(std::string_view(open).size()) - (std::string_view(open).back() == ',' ? 2 : 0));
  }
  const auto huge = Expression::parse(std::string(2'000'000, '1'), of_time());
  REQUIRE(!huge);
  CHECK(huge.problems()[0].sentence == "an expression has at most 1048576 characters, found 2000000");
}

TEST_CASE("registers grow with the logarithm of a text") {
  // oracle: a balanced tree of depth d over distinct operands sums to a closed form
  std::string text = "(t*t+t)";  // not a leaf
  double expected = 2;
  for (int depth = 0; depth < 15; ++depth) text = "(" + text + "*1+" + text + ")", expected *= 2;
  CHECK(value(text, 1) == expected);
  // each level holds the result of t*t while the rest is computed, unless the rest comes first
  std::string nested = "t*t";
  for (int depth = 0; depth < 250; ++depth) nested = "t*t-(" + nested + ")";
  CHECK(value(nested, 3) == 9);
  std::string ternary = "step(t*t,t-2,t+2)";
  for (int depth = 0; depth < 8; ++depth) ternary = "step(" + ternary + "," + ternary + "-2," + ternary + "+2)";
  const double u = value(ternary, 0);
  CHECK(u == 0.5);
}
