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

TEST_CASE("the flywheel of the guide loads its axle with the gyroscopic moment") {
  // oracle: the moment is the rate of the angular momentum, Omega x (I spin) = 2 * 0.01 * 300 N m across the axle, level; nothing else asks for one
  const auto mechanism = jounce::Mechanism::build(turntable());
  REQUIRE_MESSAGE(mechanism.ok(), jounce::text(mechanism.problems()));
  const jounce::Run run = jounce::run(*mechanism);
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  for (std::size_t i = 0; i < run.results.rows(); i += 20) {
    const double turned = 2 * run.results.column("t")[i];
    CHECK(*run.results.at(i, "axle.mx") == doctest::Approx(-6 * std::sin(turned)).epsilon(1e-12).scale(6));
    CHECK(*run.results.at(i, "axle.my") == doctest::Approx(6 * std::cos(turned)).epsilon(1e-12).scale(6));
  }
}

TEST_CASE("the guide looks at its mechanisms of the plane and of space in the same way") {
  // oracle: counted by eye; a slider-crank has mobility 1, two hinges one after the other 2
  const auto space = jounce::Mechanism::build(turntable()), plane = jounce::Mechanism::build(slider_crank());
  REQUIRE((space.ok() && plane.ok()));
  const std::string about_space = looked_at(*space), about_plane = looked_at(*plane);
  CHECK(about_space.starts_with("2 bodies, mobility 2\ncolumn: at most "));
  CHECK(about_plane.starts_with("3 bodies, mobility 1\n"));
  CHECK(about_space.find("bytes of report") != std::string::npos);
  CHECK(about_plane.find("bytes of report") != std::string::npos);
}
