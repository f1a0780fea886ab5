// Oracle: closed forms: a mass under a force of time that has a kink or a jump, integrated by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "analysis_test.hpp"
#include "jounce/analysis/dynamics.hpp"
#include "jounce/io/read_model.hpp"

namespace kinks_test {

using namespace jounce;

namespace {

// 1 kg, free, under a force along x.
PlaneMechanism pushed(const std::string& text) {
  const std::string toml = "jounce = 1\nname = \"push\"\n[bodies.b]\nmass = 1\ninertia = 1\n[forces.p]\ntype = \"force\"\non = \"b.com\"\nvalue = [\"" +
                           text + "\", 0]\n";
  auto parsed = parse_model(toml, "push.toml");
  auto mechanism = build_plane(parsed.model);
  REQUIRE(mechanism.ok());
  return *std::move(mechanism);
}

double speed_at_end(const std::string& text, int steps, Method method) {
  const DynamicsRun run = dynamics(pushed(text), {.to = 1, .steps = steps, .tolerance = 1e-10, .method = method});
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  return *run.results.at(run.results.rows() - 1, "b.vx");
}

}  // namespace

TEST_CASE("kinks and jumps of a force in time are stepped up to, also where rows are written and at the start") {
  for (const Method method : {Method::taylor, Method::radau, Method::dop853})
    for (const int steps : {1, 2, 3, 10}) {
      CAPTURE(word(method));
      CAPTURE(steps);
      CHECK(std::abs(speed_at_end("max(0, t - 0.5)", steps, method) - 0.125) <= 1e-9);
      CHECK(std::abs(speed_at_end("abs(t - 0.5)", steps, method) - 0.25) <= 1e-9);
      CHECK(std::abs(speed_at_end("sign(t - 0.5)", steps, method)) <= 1e-9);
      CHECK(std::abs(speed_at_end("max(0, sin(2*pi*t))", steps, method) - 1 / std::numbers::pi) <= 1e-9);
    }
}

TEST_CASE("a pulse much shorter than a step is not stepped over") {
  // the blend of a step is symmetric: the pulse has the area of the rectangle between the middles of its edges
  for (const double width : {1e-2, 1e-4}) {
    CAPTURE(width);
    const auto edge = [&](double at) {
      return "step(t, " + std::to_string(0.5 + at * width) + ", " + std::to_string(0.5 + (at + 1) * width) + ")";
    };
    CHECK(std::abs(speed_at_end(edge(0) + " - " + edge(2), 1, Method::taylor) - 2 * width) <= 1e-9);
  }
}

TEST_CASE("a law that jumps back and forth at rest ends with a message instead of going on without end") {
  // oracle: 1 m/s against 2 N stops at t = 0.5 s at x = 0.25 m
  const std::string toml = R"toml(
jounce = 1
name = "brake"
[ground]
points = { O = [-1, 0] }
[bodies.b]
mass = 1
inertia = 1
velocity = [1, 0]
[forces.w]
type = "spring"
i = "ground.O"
j = "b.origin"
actuator = "2*sign(v)"
)toml";
  const auto mechanism = build_plane(parse_model(toml, "brake.toml").model);
  REQUIRE(mechanism.ok());
  const DynamicsRun run = dynamics(*mechanism, {.to = 1, .steps = 4});
  if (run.outcome.done()) {
    CHECK(std::abs(*run.results.at(run.results.rows() - 1, "b.x") - 0.25) <= 1e-6);
  } else {
    CHECK(run.outcome.kind == Outcome::Kind::step_too_small);
    CHECK(std::abs(run.outcome.t - 0.5) <= 1e-6);
  }
  CHECK(run.results.rows() >= 2);
}

}  // namespace kinks_test
