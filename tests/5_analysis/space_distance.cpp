// Loops of type distance in space.
// Oracles: the plane's distance joint on the same linkage; the force that a rod carries is along it; tests/data/space-snap.json has RSSR linkages
// with such a rod (space_snap.cpp).
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>

#include "driven_test.hpp"
#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/inverse.hpp"

namespace space_distance_test {

namespace {

using namespace jounce;
using namespace jounce::test;

// A crank of 0.3, a rocker of 0.5, pivots 0.8 apart, and a rod of 0.7 between their ends.
std::string in_plane(bool length) {
  return std::string("jounce = 1\nname = \"flat\"\ngravity = [0, -9.81]\n[ground]\npoints = { O = [0, 0], Q = [0.8, 0] }\n") +
         "[bodies.crank]\nmass = 2\ninertia = 0.03\ncom = [0.1, 0.02]\nangle = 1.0\npoints = { O = [0, 0], A = [0.3, 0] }\n"
         "[bodies.rocker]\nmass = 3\ninertia = 0.07\ncom = [0.2, 0.01]\nposition = [0.8, 0]\nangle = 1.6\npoints = { Q = [0, 0], B = [0.5, 0] }\n"
         "[joints]\nO = { type = \"revolute\", i = \"ground.O\", j = \"crank.O\" }\nQ = { type = \"revolute\", i = \"ground.Q\", j = \"rocker.Q\" }\n"
         "rod = { type = \"distance\", i = \"crank.A\", j = \"rocker.B\"" + (length ? ", length = 0.7" : "") + " }\n" +
         "[drivers.motor]\ntype = \"angle\"\ni = \"ground\"\nj = \"crank\"\noffset = 0\nmotion = \"1 + 2*t + 0.3*sin(5*t)\"\n";
}

// The same in the plane z = 0 of space.
std::string in_space(bool length) {
  return std::string("gravity = [0, -9.81, 0]\n[bodies.crank]\nmass = 2\ninertia = [0.01, 0.03, 0.03, 0, 0, 0]\ncom = [0.1, 0.02, 0]\npoints = { A = [0.3, 0, 0] }\n") +
         "[bodies.rocker]\nmass = 3\ninertia = [0.02, 0.06, 0.07, 0, 0, 0]\ncom = [0.2, 0.01, 0]\npoints = { B = [0.5, 0, 0] }\n"
         "[joints.O]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"crank\"\nq = [1.0]\ndofs = [ { motion = \"1 + 2*t + 0.3*sin(5*t)\" } ]\n"
         "[joints.Q]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"rocker\"\norigin = { xyz = [0.8, 0, 0] }\nq = [1.6]\n"
         "[loops.rod]\ntype = \"distance\"\ni = \"crank.A\"\nj = \"rocker.B\"\n" + (length ? "length = 0.7\n" : "");
}

}  // namespace

TEST_CASE("a distance loop is the plane's distance joint: position to snap, efforts and reactions") {
  // oracle: the plane. The rod turns all the way round: the crank makes two turns
  const PlaneMechanism flat = built(parse_model(in_plane(true), "flat.toml").model);
  const SpaceMechanism space = driven(in_space(true));
  const KinematicsRun plane = inverse(flat, {.to = 6, .steps = 60}), ours = inverse(space, {.to = 6, .steps = 60});
  REQUIRE(plane.outcome.done());
  REQUIRE_MESSAGE(ours.outcome.done(), ours.outcome.sentence);
  for (std::size_t row = 0; row <= 60; ++row) {
    for (const auto& columns : {std::pair{"rocker.phi", "Q.q1"}, {"rocker.vphi", "Q.v1"}, {"rocker.aphi", "Q.a1"}, {"rocker.jphi", "Q.j1"}, {"rocker.sphi", "Q.s1"},
                                      {"rocker.B.sx", "rocker.B.sx"}, {"motor.effort", "O.tau1"}, {"rod.fx", "rod.fx"}, {"rod.fy", "rod.fy"}, {"Q.fx", "Q.fx"}, {"Q.fy", "Q.fy"}}) {
      const std::string theirs = columns.first, own = columns.second;
      CAPTURE(own);
      const double exact = value(plane, row, theirs);
      CHECK(std::abs(value(ours, row, own) - exact) <= 1e-11 * std::max(10.0, std::abs(exact)));
    }
    CHECK(std::abs(value(ours, row, "rod.fz")) < 1e-12);
  }
}

TEST_CASE("a distance loop without a length keeps the distance that is written") {
  // oracle: the plane, drawn alike, and the distance itself
  const PlaneMechanism flat = built(parse_model(in_plane(false), "flat.toml").model);
  const KinematicsRun plane = kinematics(flat, {.to = 1, .steps = 4}), ours = kinematics(driven(in_space(false)), {.to = 1, .steps = 4});
  REQUIRE(ours.outcome.done());
  const double drawn = std::hypot(0.8 + 0.5 * std::cos(1.6) - 0.3 * std::cos(1.0), 0.5 * std::sin(1.6) - 0.3 * std::sin(1.0));
  for (std::size_t row = 0; row <= 4; ++row) {
    CHECK(std::abs(value(ours, row, "Q.q1") - value(plane, row, "rocker.phi")) < 1e-13);
    CHECK(std::abs(std::hypot(value(ours, row, "rocker.B.x") - value(ours, row, "crank.A.x"), value(ours, row, "rocker.B.y") - value(ours, row, "crank.A.y")) - drawn) < 1e-14);
  }
}

TEST_CASE("the multiplier of a distance loop is what its rod pushes with, whichever way it points") {
  // oracle: the force on j along the rod; a mass that is whirled on a rod passes every direction of a circle that lies askew. At rest below it, it pulls by its weight
  const std::string mass = "gravity = [0, 0, -9.81]\n[bodies.mass]\nmass = 2\n[joints.j]\ntype = \"translation\"\nparent = \"ground\"\nchild = \"mass\"\n";
  const std::string rod = "[loops.rod]\ntype = \"distance\"\ni = \"ground.origin\"\nj = \"mass.origin\"\n";
  const DynamicsRun whirled = dynamics(driven(mass + "q = [0.3, 0.4, 0]\nv = [-2.4, 1.8, 4]\n" + rod), {.to = 2, .steps = 200, .tolerance = 1e-12});
  REQUIRE_MESSAGE(whirled.outcome.done(), whirled.outcome.sentence);
  const Trajectory& r = whirled.results;
  double before = *r.at(0, "rod.lambda1");
  for (std::size_t row = 0; row < r.rows(); ++row) {
    double along = 0, distance = 0;
    for (const char axis : {'x', 'y', 'z'}) {
      along += *r.at(row, std::string("rod.f") + axis) * *r.at(row, std::string("mass.") + axis);
      distance += std::pow(*r.at(row, std::string("mass.") + axis), 2);
    }
    const double lambda = *r.at(row, "rod.lambda1");
    CHECK(std::abs(lambda - along / std::sqrt(distance)) <= 1e-10 * std::abs(lambda));
    CHECK(std::abs(std::sqrt(distance) - 0.5) < 1e-12);
    CHECK(std::abs(lambda - before) < 20);  // of 50 to 150 N: it does not change its sign
    before = lambda;
    CHECK(std::abs(*r.at(row, "energy.total") - *r.at(0, "energy.total")) < 1e-9);
  }
  const DynamicsRun hangs = dynamics(driven(mass + "q = [0, 0, -0.5]\n" + rod), {.to = 0.1, .steps = 1});
  CHECK(std::abs(*hangs.results.at(1, "rod.lambda1") + 2 * 9.81) < 1e-12);
}

TEST_CASE("a distance loop finds its rod when it has been written the wrong way round") {
  // oracle: the distance. A new rod points along z; here it must point along −z, which no small turn of it improves
  const SpaceMechanism mechanism = driven("[bodies.mass]\n[joints.j]\ntype = \"prismatic\"\nparent = \"ground\"\nchild = \"mass\"\nq = [-0.4]\n"
                                          "[loops.rod]\ntype = \"distance\"\ni = \"ground.origin\"\nj = \"mass.origin\"\nlength = 0.5\n");
  const Assembly at = assemble(mechanism);
  REQUIRE(at.assembled);
  CHECK(std::abs(at.q[0] + 0.5) < 1e-14);
}

}  // namespace space_distance_test
