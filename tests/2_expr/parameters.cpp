#include "jounce/expr/parameters.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "expr_test.hpp"

using namespace jounce;

TEST_CASE("parameters may refer to each other in any order") {
  // oracle: arithmetic
  const std::vector<WrittenParameter> written{
      {"rod", "4*crank", {3, 9}}, {"crank", "radius/2", {4, 9}}, {"radius", "100*mm", {5, 10}}, {"e", "rod - crank", {6, 5}}};
  const auto values = evaluate_parameters(written);
  REQUIRE(values.ok());
  CHECK(values.problems().empty());
  CHECK(values->at("radius") == 0.1);
  CHECK(values->at("crank") == 0.05);
  CHECK(values->at("rod") == 0.2);
  CHECK(values->at("e") == 0.2 - 0.05);
  CHECK(evaluate_parameters({})->empty());
}

TEST_CASE("a long chain of parameters, last first, is no trouble") {
  // oracle: p_k = p_{k+1} + 1
  std::vector<WrittenParameter> written;
  const int n = 20000;
  for (int k = 0; k < n; ++k) written.push_back({"p" + std::to_string(k), "p" + std::to_string(k + 1) + " + 1", {k + 1, 5}});
  written.push_back({"p" + std::to_string(n), "0", {n + 1, 5}});
  const auto values = evaluate_parameters(written);
  REQUIRE(values.ok());
  CHECK(values->at("p0") == n);
  written.back().text = "p0";
  CHECK(evaluate_parameters(written).problems().at(0).sentence ==
        "parameters refer to each other in a circle: p0 -> p1 -> p2 -> p3 -> p4 -> p5 -> p6 -> p7 -> ... -> p0");
}

TEST_CASE("every error in the parameters is reported once, where it was written") {
  // oracle: the list below, line by line
  const std::vector<WrittenParameter> written{{"crank", "0.05", {2, 9}},
                                              {"rod", "4*crnak", {3, 8}},  // misspelt
                                              {"half", "rod/2", {4, 9}},   // follows from rod: silent
                                              {"a", "b + 1", {5, 6}},      // circle of three
                                              {"b", "2*c", {6, 6}},
                                              {"c", "a", {7, 6}},
                                              {"after", "a + 1", {8, 10}},     // follows from the circle: silent
                                              {"both", "a + nought", {9, 9}},  // an error of its own besides
                                              {"self", "self/2", {10, 9}},
                                              {"pi", "3", {11, 7}},  // reserved
                                              {"t", "1", {12, 6}},
                                              {"sin", "1", {13, 8}},
                                              {"root", "1 + sqrt(-crank)", {14, 9}},
                                              {"big", "10^400", {15, 8}},
                                              {"late", "2*t", {16, 9}},
                                              {"cut", "(1 + 2", {17, 8}},
                                              {"odd", "2 # 3", {18, 8}},
                                              {"area", "2*pi*crank", {19, 9}},  // the constant, not the failed redefinition
                                              {"ring", "ring2", {20, 9}},       // a second circle
                                              {"ring2", "ring + a", {21, 10}}};
  const Problems expected{error({3, 10}, "unknown name 'crnak' (did you mean 'crank'?)"),
                          error({5, 6}, "parameters refer to each other in a circle: a -> b -> c -> a"),
                          error({9, 13}, "unknown name 'nought'"),
                          error({10, 9}, "parameter 'self' refers to itself"),
                          error({11, 7}, "'pi' cannot be redefined: it is a constant", "choose another name"),
                          error({12, 6}, "'t' cannot be redefined: it is the name of time", "choose another name"),
                          error({13, 8}, "'sin' cannot be redefined: it is a function", "choose another name"),
                          error({14, 13}, "sqrt of a negative number: sqrt(-0.05)"),
                          error({15, 10}, "10^400 is not a finite number"),
                          error({16, 11}, "'t' cannot be used in a constant"),
                          error({17, 14}, "expected an operator or ')', found the end"),
                          error({18, 10}, "unexpected character '#'"),
                          error({20, 9}, "parameters refer to each other in a circle: ring -> ring2 -> ring")};
  const auto values = evaluate_parameters(written);
  REQUIRE(!values);
  CHECK(text(values.problems()) == text(expected));
  CHECK(values.problems() == expected);
}

TEST_CASE("circles that share a parameter are reported once") {
  // oracle: the rule that each parameter is blamed once
  const std::vector<WrittenParameter> written{{"a", "b + c", {1, 5}}, {"b", "a", {2, 5}}, {"c", "a", {3, 5}}};
  CHECK(evaluate_parameters(written).problems() ==
        Problems{error({1, 5}, "parameters refer to each other in a circle: a -> b -> a")});
}

TEST_CASE("names that no expression can spell, and names given twice, are noticed") {
  // oracle: the rule for names
  const std::vector<WrittenParameter> written{{"my-crank", "2", {1, 12}}, {"a", "1", {2, 5}}};
  const auto values = evaluate_parameters(written);
  REQUIRE(values.ok());
  CHECK(values->at("my-crank") == 2);
  REQUIRE(values.problems().size() == 1);
  CHECK(values.problems()[0].severity == Severity::warning);
  CHECK(values.problems()[0].sentence == "parameter 'my-crank' cannot be used in expressions");
  const std::vector<WrittenParameter> twice{{"a", "1", {1, 5}}, {"a", "2", {2, 5}}, {"b", "a", {}}};
  CHECK(evaluate_parameters(twice).problems() == Problems{error({2, 5}, "parameter 'a' is defined twice")});
}
