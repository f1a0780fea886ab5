// What the tests of expressions share.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "jounce/expr/expression.hpp"

namespace jounce {

/// n roundings of a number of this size.
inline double round_off(double n, double size = 1) {
  return n * std::numeric_limits<double>::epsilon() * std::max(1.0, std::abs(size));
}

inline Scope of_time(std::map<std::string, double, std::less<>> values = {}) { return {std::move(values), {"t"}}; }

inline Expression parsed(std::string_view text, const Scope& scope = of_time()) {
  auto expression = Expression::parse(text, scope);
  INFO(text, ": ", jounce::text(expression.problems()));
  REQUIRE(expression.ok());
  return *expression;
}

template <class T>
T at(const Expression& expression, const T& t) {
  T out{};
  const auto fault = expression.evaluate<T>(std::span<const T>(&t, 1), out);
  INFO(expression.text(), ": ", fault ? fault->sentence : "");
  REQUIRE(!fault);
  return out;
}

inline double value(std::string_view text, double t = 0) { return at(parsed(text), t); }

}  // namespace jounce
