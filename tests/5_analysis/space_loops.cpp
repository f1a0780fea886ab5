// Loops of space that move on their own: equations that follow from others, whatever the instant makes them look like.
// Oracle: maximal-coordinate code written apart from the engine, and the energy.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/io/read_model.hpp"
#include "places.hpp"

namespace space_loops_test {

namespace {

using namespace jounce;

constexpr std::array kAll{Formulation::aba, Formulation::crba, Formulation::lagrange, Formulation::kkt, Formulation::nullspace};

std::string read(const std::string& name) {
  std::ifstream in(places::source() + "/tests/data/" + name + ".toml");
  return {std::istreambuf_iterator<char>(in), {}};
}

SpaceMechanism built(const std::string& text, const std::string& file) {
  auto mechanism = build_space(parse_model(text, file).model);
  REQUIRE_MESSAGE(mechanism.ok(), jounce::text(mechanism.problems()));
  return *std::move(mechanism);
}

SpaceMechanism loop(const std::string& name) { return built(read(name), name + ".toml"); }

double last(const DynamicsRun& run, const std::string& column) {
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  return *run.results.at(run.results.rows() - 1, column);
}

}  // namespace

TEST_CASE("Bennett's loop keeps its energy through a position in which equations of the loop vanish") {
  // three of its five equations follow from the others; near 0.618 s two pass through zero, and the mechanism is as regular as ever
  const SpaceMechanism mechanism = loop("bennett");
  for (const Formulation formulation : kAll)
    for (const int steps : {2, 150})
      for (const double tolerance : {1e-8, 1e-12}) {
        CAPTURE(steps);
        CAPTURE(tolerance);
        const DynamicsRun run = dynamics(mechanism, {.to = 1.5, .steps = steps, .tolerance = tolerance, .formulation = formulation});
        REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
        CHECK(run.statistics.energy_drift < (uses_tree(formulation) ? 2e-10 : 5e-10));
      }
}

TEST_CASE("a damped Bennett loop is right by every formulation") {
  const SpaceMechanism mechanism = loop("bennett-damped");
  for (const Formulation formulation : kAll)
    CHECK(std::abs(last(dynamics(mechanism, {.to = 1.5, .steps = 3, .formulation = formulation}), "J1.v1") + 1.89162) < 1e-5);
}

TEST_CASE("a threefold-symmetric Bricard loop has one motion between the steps, too") {
  // in free coordinates too: the stages of a step lie off the loop by the tolerance, where one more equation seems to say something of its own
  for (const Formulation formulation : kAll) {
    const DynamicsRun run = dynamics(loop("bricard-threefold"), {.to = 2, .steps = 4, .formulation = formulation});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    CHECK(run.statistics.energy_drift < (uses_tree(formulation) ? 1e-10 : 1e-9));
  }
}

TEST_CASE("axes of a four-bar that are nearly parallel are taken as parallel, or refused by name, and close no loop by force") {
  // oracle: the same four-bar in the plane, 0.198064 at 2 s
  std::string text = read("misaligned-four-bar-space");
  const std::size_t at = text.find("1.570796327");
  REQUIRE(at != std::string::npos);
  for (const char* off : {"0", "1e-13", "1e-11", "1e-10", "2e-10", "1e-9", "5e-9", "1e-8", "2e-8", "1e-7", "1e-6", "1e-5"}) {
    CAPTURE(off);
    std::string written = text;
    written.replace(at, 11, "\"pi/2 + " + std::string(off) + "\"");
    const SpaceMechanism mechanism = built(written, "misaligned.toml");
    const DynamicsRun run = dynamics(mechanism, {.to = 2, .steps = 4});
    if (std::stod(off) <= 1e-9) {
      CHECK(std::abs(last(run, "O.q1") - 0.198064) < 1e-6);
    } else {
      CHECK(run.outcome.kind == Outcome::Kind::not_assembled);
      const std::string said = jounce::text(run.problems);
      CHECK_MESSAGE(said.find("the axes of joint 'O' and joint 'Q' are ") != std::string::npos, said);
    }
  }
}

TEST_CASE("a four-bar of micrometres moves like one of metres") {
  for (const char* name : {"four-bar-3um-space", "four-bar-1um-space"})
    CHECK(std::abs(last(dynamics(loop(name), {.to = 1, .steps = 4}), "O.q1") + 0.43270991) < 1e-8);
}

}  // namespace space_loops_test
