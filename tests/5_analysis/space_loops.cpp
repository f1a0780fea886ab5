// Loops of space that move on their own: equations that follow from others, whatever the instant makes them look like.
// Oracle: maximal-coordinate code written apart from the engine, and the energy.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/io/read_model.hpp"
#include "places.hpp"

namespace {

using namespace jounce;

SpaceMechanism loop(const std::string& name) {
  std::ifstream in(places::source() + "/tests/data/" + name + ".toml");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  auto mechanism = build_space(parse_model(text, name + ".toml").model);
  REQUIRE_MESSAGE(mechanism.ok(), jounce::text(mechanism.problems()));
  return *std::move(mechanism);
}

double last(const DynamicsRun& run, const std::string& column) {
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  return *run.results.at(run.results.rows() - 1, column);
}

}  // namespace

TEST_CASE("Bennett's loop keeps its energy through a position in which equations of the loop vanish") {
  // three of its five equations follow from the others; near 0.618 s two pass through zero, and the mechanism is as regular as ever
  const SpaceMechanism mechanism = loop("bennett");
  for (const Formulation formulation : {Formulation::aba, Formulation::crba})
    for (const int steps : {2, 150})
      for (const double tolerance : {1e-8, 1e-12}) {
        CAPTURE(steps);
        CAPTURE(tolerance);
        const DynamicsRun run = dynamics(mechanism, {.to = 1.5, .steps = steps, .tolerance = tolerance, .formulation = formulation});
        REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
        CHECK(run.statistics.energy_drift < 2e-10);
      }
}

TEST_CASE("a damped Bennett loop is right by every formulation of joint coordinates") {
  const SpaceMechanism mechanism = loop("bennett-damped");
  for (const Formulation formulation : {Formulation::aba, Formulation::crba})
    CHECK(std::abs(last(dynamics(mechanism, {.to = 1.5, .steps = 3, .formulation = formulation}), "J1.v1") + 1.89162) < 1e-5);
}

TEST_CASE("a threefold-symmetric Bricard loop has one motion between the steps, too") {
  const DynamicsRun run = dynamics(loop("bricard-threefold"), {.to = 2, .steps = 4});
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  CHECK(run.statistics.energy_drift < 1e-10);
}

TEST_CASE("axes of a four-bar that are 2e-10 rad from parallel close no loop by force") {
  CHECK(std::abs(last(dynamics(loop("misaligned-four-bar-space"), {.to = 2, .steps = 4}), "O.q1") - 0.198064) < 1e-6);
}

TEST_CASE("a four-bar of micrometres moves like one of metres") {
  for (const char* name : {"four-bar-3um-space", "four-bar-1um-space"})
    CHECK(std::abs(last(dynamics(loop(name), {.to = 1, .steps = 4}), "O.q1") + 0.43270991) < 1e-8);
}
