// A mechanism in a hand: pulled by its joints, and held by a spring while it moves.
#include "jounce/api/pull.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jounce/api/hand.hpp"
#include "jounce/api/simulation.hpp"

namespace pulling {

using namespace jounce;

constexpr double kGround = 0.2, kCrank = 0.06, kCoupler = 0.2, kRocker = 0.12;

// A crank-rocker with pins O, A, B, Q; a motor turns the crank.
Mechanism four_bar() {
  Model model;
  model.name = "four-bar";
  model.ground.point("O", 0.0, 0.0).point("Q", kGround, 0.0);
  model.body("crank").point("O", 0.0, 0.0).point("A", kCrank, 0.0).angle = Text("60*deg");
  Body& coupler = model.body("coupler").point("A", 0.0, 0.0).point("B", kCoupler, 0.0);
  coupler.position = {{0.03, 0.05}};
  coupler.angle = Text("20*deg");
  Body& rocker = model.body("rocker").point("Q", 0.0, 0.0).point("B", kRocker, 0.0);
  rocker.position = {{kGround, 0.0}};
  rocker.angle = Text("80*deg");
  const auto pin = [&](const char* name, const char* i, const char* j) { model.joint(name, "revolute").set("i", i).set("j", j); };
  pin("O", "ground.O", "crank.O"), pin("A", "crank.A", "coupler.A"), pin("B", "coupler.B", "rocker.B"), pin("Q", "ground.Q", "rocker.Q");
  model.driver("motor", "angle").set("i", "ground").set("j", "crank").set("motion", "t");
  auto made = Mechanism::build(std::move(model));
  REQUIRE_MESSAGE(made.ok(), text(made.problems()));
  return *std::move(made);
}

// The angle at Q between the ground and the rocker where O and B are d apart.
double rocker_angle(double d) { return std::numbers::pi - std::acos((kGround * kGround + kRocker * kRocker - d * d) / (2 * kGround * kRocker)); }

double angle_of(const Mechanism& mechanism, const Pulled& pulled, std::size_t body) { return origins(mechanism, pulled.q)[body][2]; }

TEST_CASE("a pin on a crank comes as near to the hand as its circle does, and the joints that hold it are named") {
  // oracle: the nearest point of a circle
  const Mechanism mechanism = four_bar();
  const auto pulled = pull(mechanism, {"crank", {kCrank, 0}, {0.3, 0.4}});
  REQUIRE(pulled.ok());
  CHECK(angle_of(mechanism, *pulled, 1) == doctest::Approx(std::atan2(0.4, 0.3)).epsilon(1e-9));
  CHECK(pulled->short_by == doctest::Approx(0.5 - kCrank).epsilon(1e-9));
  CHECK(std::ranges::find(pulled->held, "O") != pulled->held.end());
}

TEST_CASE("a rocker within its reach goes where the hand goes, and by many small pulls beyond it to its limit on the same branch") {
  // oracle: the triangle of ground, rocker and the distance from O to B, which is at most crank + coupler
  const Mechanism mechanism = four_bar();
  const auto place = [](double phi) { return std::array{kGround + kRocker * std::cos(phi), kRocker * std::sin(phi)}; };
  const double within = rocker_angle(0.22), limit = rocker_angle(kCrank + kCoupler);
  REQUIRE(limit < within);
  auto pulled = pull(mechanism, {"rocker", {kRocker, 0}, place(within)});
  REQUIRE(pulled.ok());
  CHECK(pulled->short_by < 1e-9);
  CHECK(pulled->held.empty());
  CHECK(angle_of(mechanism, *pulled, 3) == doctest::Approx(within).epsilon(1e-9));
  for (double phi = within; phi > limit - 0.3; phi -= 0.02) {
    pulled = pull(mechanism, {"rocker", {kRocker, 0}, place(phi)}, std::vector(pulled->q));
    REQUIRE(pulled.ok());
    CHECK(angle_of(mechanism, *pulled, 3) > limit - 1e-6);
  }
  CHECK(angle_of(mechanism, *pulled, 3) == doctest::Approx(limit).epsilon(1e-4));
  CHECK(pulled->short_by > 0.01);
  CHECK_FALSE(pulled->held.empty());
}

TEST_CASE("what was pulled to a dead point comes back, where every way is nearer and none is at first sight") {
  // oracle: the triangle of ground, rocker and the distance from O to B, which is the crank and the coupler in one line
  const Mechanism mechanism = four_bar();
  const auto place = [](double phi) { return std::array{kGround + kRocker * std::cos(phi), kRocker * std::sin(phi)}; };
  const double limit = rocker_angle(kCrank + kCoupler), within = rocker_angle(0.22);
  const double at_O = std::atan2(place(limit)[1], place(limit)[0]);
  for (const double off : {0.0, 1e-9, -1e-5}) {  // from the line itself, and from beside it by what is left of coming there
    std::vector<std::array<double, 3>> stretched{{}, {0, 0, at_O + off}, {kCrank * std::cos(at_O), kCrank * std::sin(at_O), at_O}, {kGround, 0, limit}};
    auto pulled = pull(mechanism, {"rocker", {kRocker, 0}, place(limit)}, at_origins(mechanism, stretched));
    REQUIRE(pulled.ok());
    CHECK(pulled->short_by < 1e-9);
    pulled = pull(mechanism, {"rocker", {kRocker, 0}, place(within)}, std::vector(pulled->q));
    REQUIRE(pulled.ok());
    CHECK(pulled->short_by < 1e-9);
    CHECK(angle_of(mechanism, *pulled, 3) == doctest::Approx(within).epsilon(1e-9));
  }
}

TEST_CASE("origins and coordinates are each other's inverse") {
  // oracle: identity
  const Mechanism mechanism = four_bar();
  const auto pulled = pull(mechanism, {"crank", {kCrank, 0}, {0, 0.06}});
  REQUIRE(pulled.ok());
  const std::vector<double> again = at_origins(mechanism, origins(mechanism, pulled->q));
  REQUIRE(again.size() == pulled->q.size());
  for (std::size_t k = 0; k < again.size(); ++k) CHECK(again[k] == doctest::Approx(pulled->q[k]).epsilon(1e-14));
}

TEST_CASE("what cannot be pulled is refused with the reason") {
  const Mechanism mechanism = four_bar();
  CHECK(text(pull(mechanism, {"arm", {}, {}}).problems()).find("there is no body 'arm'") != std::string::npos);
  CHECK(text(pull(mechanism, {"crank", {}, {NAN, 0}}).problems()).find("expected finite numbers") != std::string::npos);
  CHECK(text(pull(mechanism, {"crank", {}, {}}, std::vector<double>(2)).problems()).find("expected 9 coordinates, found 2") != std::string::npos);
}

// A disc that floats, away from the origin of its body, and moves.
Mechanism puck(double mass) {
  Model model;
  model.name = "puck";
  Body& body = model.body("puck").point("rim", 0.1, 0.0);
  body.mass = Text(mass);
  body.inertia = Text(0.01);
  body.velocity = {{0.4, 0.0}};
  auto made = Mechanism::build(std::move(model));
  REQUIRE_MESSAGE(made.ok(), text(made.problems()));
  return *std::move(made);
}

TEST_CASE("a body in a hand swings about it as a mass on a spring and a damper does") {
  // oracle: x = X + exp(-d t) (a cos(w t) + b sin(w t)), a mass on a spring to X with x = 0 and its velocity at the start
  constexpr double kMass = 2, kStiffness = 50, kDamping = 4, kPlace = 0.3, kSpeed = 0.4;
  const auto mechanism = in_hand(puck(kMass), {"puck", {}, kStiffness, kDamping});
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  const auto there = mechanism->mechanism.with({{mechanism->x, kPlace}, {mechanism->y, 0.0}});
  REQUIRE(there.ok());
  Simulation simulation(*there, {.tolerance = 1e-11});
  const double d = kDamping / (2 * kMass), w = std::sqrt(kStiffness / kMass - d * d), a = -kPlace, b = (kSpeed + d * a) / w;
  for (int k = 1; k <= 8; ++k) {
    REQUIRE(simulation.advance(0.1));
    const double t = 0.1 * k, x = kPlace + std::exp(-d * t) * (a * std::cos(w * t) + b * std::sin(w * t));
    CHECK(*simulation.value("puck.x") == doctest::Approx(x).epsilon(1e-8));
    CHECK(std::abs(*simulation.value("puck.phi")) < 1e-12);
  }
}

TEST_CASE("a hand that takes a body as it moves takes over its state, and one without numbers suits the masses") {
  // oracle: a hand far away pulls with stiffness times distance: the acceleration of the first instant
  const Mechanism mechanism = puck(3);
  Simulation free(mechanism);
  REQUIRE(free.advance(0.5));
  const auto taken = in_hand(mechanism, {"puck", {0.0, 0.0}});
  REQUIRE(taken.ok());
  const double swings = 2 * std::numbers::pi * 2;  // a second, as api/hand.cpp says
  const auto there = taken->mechanism.with({{taken->x, 0.2}, {taken->y, 1.0}});
  REQUIRE(there.ok());
  Simulation simulation(*there, {.start = free.state()});
  REQUIRE(simulation.ready());
  CHECK(simulation.t() == 0.5);
  CHECK(*simulation.value("puck.x") == doctest::Approx(0.2).epsilon(1e-12));
  CHECK(*simulation.value("puck.ay") == doctest::Approx(swings * swings).epsilon(1e-9));
}

TEST_CASE("what cannot be held is refused with the reason") {
  CHECK(text(in_hand(four_bar(), {"crank", {}}).problems()).find("where nothing has a mass") != std::string::npos);
  CHECK(text(in_hand(puck(1), {"ground", {}}).problems()).find("there is no body 'ground' that could be held") != std::string::npos);
}

}  // namespace pulling
