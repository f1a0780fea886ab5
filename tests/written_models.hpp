// What tests of models that are written as text have in common.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "jounce/jounce.hpp"

namespace jounce {

[[nodiscard]] inline Mechanism mechanism_of(const std::string& toml, const std::string& file = "m.toml") {
  auto mechanism = Mechanism::from_text(toml, file);
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  return *std::move(mechanism);
}

/// What is said of a text that is no model.
[[nodiscard]] inline std::string problems_of(const std::string& toml) {
  const auto mechanism = Mechanism::from_text(toml, "m.toml");
  REQUIRE(!mechanism.ok());
  return text(mechanism.problems());
}

/// How far two runs are apart, of the largest number of each column.
[[nodiscard]] inline double gap_of(const Run& a, const Run& b, const std::vector<std::string>& columns) {
  REQUIRE_MESSAGE(a.outcome.done(), a.outcome.sentence << text(a.problems));
  REQUIRE_MESSAGE(b.outcome.done(), b.outcome.sentence << text(b.problems));
  double out = 0;
  for (const std::string& name : columns) {
    CAPTURE(name);
    const auto x = a.results.column(name), y = b.results.column(name);
    REQUIRE(x.size() == y.size());
    double size = 1e-300;
    for (const double number : x) size = std::max(size, std::abs(number));
    for (std::size_t i = 0; i < x.size(); ++i) out = std::max(out, std::abs(x[i] - y[i]) / size);
  }
  return out;
}

}  // namespace jounce
