// Driven mechanisms of space against closed forms: what the tests of them share.
#pragma once

#include <algorithm>
#include <array>
#include <functional>

#include "analysis_test.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/io/read_model.hpp"

namespace jounce::test {

/// A number of time, with its first two derivatives.
struct Course {
  double q, v, a;
};

inline SpaceMechanism driven(const std::string& bodies_and_joints) {
  auto mechanism = build_space(parse_model("jounce = 1\nname = \"driven\"\nspace = \"3d\"\n" + bodies_and_joints, "driven.toml").model);
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  return *std::move(mechanism);
}

/// Relative, or absolute below 1.
inline void check_near(double ours, double exact) { CHECK(std::abs(ours - exact) <= kSolved * std::max(1.0, std::abs(exact))); }

/// Runs with few and with many rows: each is done, is what `check` wants, and ends where the others do, turns and all.
inline void at_any_number_of_rows(const SpaceMechanism& mechanism, double to, const std::function<void(const KinematicsRun&)>& check) {
  std::vector<double> first;
  for (const int steps : {1, 7, 97, 1000}) {
    CAPTURE(steps);
    const KinematicsRun run = kinematics(mechanism, {.to = to, .steps = steps, .columns = {}});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    check(run);
    const auto last = run.results.row(run.results.rows() - 1);
    if (first.empty()) first.assign(last.begin(), last.end());
    double size = 1;
    for (const double x : first) size = std::max(size, std::abs(x));
    for (std::size_t k = 0; k < first.size(); ++k) CHECK(std::abs(last[k] - first[k]) <= kSolved * size);
  }
}

}  // namespace jounce::test
