// Oracle: the guide's own claims. The programs of docs/guide/from-cpp.md.
#include "from_cpp.hpp"

#include <doctest/doctest.h>

TEST_CASE("the slider-crank of the guide moves as its loop closure says, and a longer crank takes more effort") {
  // oracle: x = r cos φ + √(l² − r² sin² φ)
  const auto mechanism = jounce::Mechanism::build(slider_crank());
  REQUIRE_MESSAGE(mechanism.ok(), jounce::text(mechanism.problems()));
  const jounce::Run run = jounce::kinematics(*mechanism, {.to = 0.3, .steps = 3});
  REQUIRE(run.outcome.done());
  for (std::size_t i = 0; i < 4; ++i) {
    const double phi = std::acos(-1.0) / 3 + 10 * run.results.column("t")[i], r = 0.05, l = 0.2;
    CHECK(*run.results.at(i, "piston.x") == doctest::Approx(r * std::cos(phi) + std::sqrt(l * l - r * r * std::sin(phi) * std::sin(phi))).epsilon(1e-12));
  }
  const double shorter = largest_effort(*mechanism, 0.05), longer = largest_effort(*mechanism, 0.06);
  CHECK(shorter > 0);
  CHECK(longer > shorter);
  CHECK(largest_effort(*mechanism, 0.3) == 0);  // the rod does not reach
}

TEST_CASE("the controller of the guide holds its pendulum up") {
  // oracle: with gains above m g l = 9.81 N m/rad the upright position attracts
  jounce::Model model;
  model.name = "pendulum";
  model.gravity = {0.0, -9.81};
  model.ground.point("O", 0.0, 0.0);
  jounce::Body& bob = model.body("bob");
  bob.mass = 1.0, bob.inertia = 0.1, bob.angle = 0.2;
  bob.position = std::vector<jounce::Text>{"-sin(0.2)", "cos(0.2)"};
  bob.point("O", 0.0, -1.0);
  model.joint("pin", "revolute").set("i", "ground.O").set("j", "bob.O");
  model.force("motor", "moment").set("on", "bob").set("value", 0.0);
  const auto mechanism = jounce::Mechanism::build(model);
  REQUIRE_MESSAGE(mechanism.ok(), jounce::text(mechanism.problems()));
  CHECK(std::abs(held_up(*mechanism, 3)) < 1e-3);
}
