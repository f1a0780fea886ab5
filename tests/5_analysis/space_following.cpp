// Driven loops of space: the motion stays on its branch, and ends where it ends, however many rows are asked for.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/analysis/check/space_mobility.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/io/read_model.hpp"
#include "places.hpp"

namespace space_following_test {

namespace {

using namespace jounce;

// Positions are solved to rounding; a dead point is flat in time, so its time is, too.
constexpr double kSolved = 1e-13, kTime = 1e-9;

// A four-bar in a plane that is turned out of all axes: ground 1, and the crank's angle prescribed.
std::string four_bar(double crank, double coupler, double rocker, const std::string& motion, double q_coupler, double q_rocker) {
  const auto number = [](double x) { return std::to_string(x); };
  return "jounce = 1\nname = \"four-bar\"\nspace = \"3d\"\n[bodies.crank]\n[bodies.coupler]\npoints = { B = [" + number(coupler) +
         ", 0, 0] }\n[bodies.rocker]\npoints = { B = [" + number(rocker) +
         ", 0, 0] }\n[joints.O]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"crank\"\norigin = { rpy = [0.3, 0.5, -0.8] }\ndofs = [ { "
         "motion = \"" + motion + "\" } ]\n[joints.A]\ntype = \"revolute\"\nparent = \"crank\"\nchild = \"coupler\"\norigin = { xyz = [" +
         number(crank) + ", 0, 0] }\nq = [" + number(q_coupler) +
         "]\n[joints.D]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"rocker\"\norigin = { xyz = [0.6114176588750967, "
         "-0.6295391960392663, -0.479425538604203], rpy = [0.3, 0.5, -0.8] }\nq = [" + number(q_rocker) +
         "]\n[loops.B]\ntype = \"revolute\"\ni = \"coupler.B\"\nj = \"rocker.B\"\n";
}

SpaceMechanism built(const std::string& text) {
  auto mechanism = build_space(parse_model(text, "four-bar.toml").model);
  REQUIRE_MESSAGE(mechanism.ok(), jounce::text(mechanism.problems()));
  return *std::move(mechanism);
}

std::string data(const std::string& name) {
  std::ifstream in(places::source() + "/tests/data/" + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a four-bar next to a parallelogram stays on its branch, whatever the number of rows") {
  // oracle: the loop closure in 40 digits
  const SpaceMechanism mechanism = built(data("near-parallelogram-space.toml"));
  for (const int steps : {1, 20, 97, 1000}) {
    CAPTURE(steps);
    const KinematicsRun run = kinematics(mechanism, {.to = 1, .steps = steps, .columns = {"D.q1"}});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    CHECK(std::abs(*run.results.at(z(steps), "D.q1") - 1.0000642057133229) < kSolved);
  }
}

TEST_CASE("a driven loop of space turns back at a dead point, which is found and named") {
  // oracle: coupler and rocker in line, (0.6 + 0.5)² = 1 + 0.8² − 2 · 0.8 cos(0.5 + t)
  const SpaceMechanism mechanism = built(four_bar(0.8, 0.6, 0.5, "0.5+t", 0.3, 1));
  const double t = std::acos((1.64 - 1.21) / 1.6) - 0.5;
  for (const int steps : {1, 7, 100}) {
    CAPTURE(steps);
    const KinematicsRun run = kinematics(mechanism, {.to = 2, .steps = steps});
    CHECK(run.outcome.kind == Outcome::Kind::dead_point);
    CHECK(std::abs(run.outcome.t - t) < kTime);
    CHECK(run.outcome.elements == std::vector<std::string>{"B", "O"});
    CHECK(run.results.rows() == z(1 + static_cast<int>(t / 2 * steps)));
  }
}

TEST_CASE("a driven parallelogram of space ends at its change point") {
  // oracle: all links in line, 1 + 2π t = π
  const SpaceMechanism mechanism = built(four_bar(0.5, 1, 0.5, "1+2*pi*t", -1, 1));
  for (const int steps : {1, 7, 100}) {
    CAPTURE(steps);
    const KinematicsRun run = kinematics(mechanism, {.to = 1, .steps = steps});
    CHECK(run.outcome.kind == Outcome::Kind::change_point);
    CHECK(std::abs(run.outcome.t - (std::numbers::pi - 1) / (2 * std::numbers::pi)) < kTime);
  }
}

TEST_CASE("a linkage that is not driven leaves one free motion, and only the dofs that take part are named") {
  // oracle: the link turns about its own axis, the x axis of its ball joint, which is idle; everything else follows the crank, or is free with it. A second
  // hinge that is driven takes no part
  const auto linkage = [](const std::string& motion) {
    return built("jounce = 1\nname = \"RSSR\"\nspace = \"3d\"\n[bodies.crank]\n[bodies.link]\npoints = { B = [1.2, 0, 0] }\n[bodies.rocker]\npoints = { B = "
                 "[0.6, 0, 0] }\n[bodies.aside]\n[joints.O]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"crank\"\n" + motion +
                 "[joints.A]\ntype = \"spherical\"\nparent = \"crank\"\nchild = \"link\"\norigin = { xyz = [0.3, 0, 0] }\n[joints.D]\ntype = "
                 "\"revolute\"\nparent = \"ground\"\nchild = \"rocker\"\norigin = { xyz = [1.2, 0.2, 0.1], rpy = [1.2, 0, 0] }\nq = "
                 "[1.5]\n[joints.E]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"aside\"\ndofs = [ { motion = \"t\" } ]\n"
                 "[loops.B]\ntype = \"spherical\"\ni = \"link.B\"\nj = \"rocker.B\"\n");
  };
  const SpaceMechanism open = linkage("");
  const KinematicsRun run = kinematics(open, {.to = 1, .steps = 2});
  CHECK(run.outcome.kind == Outcome::Kind::not_driven);
  CHECK(run.outcome.sentence.starts_with("not every motion is prescribed: 1 free motion is left, of joint 'O', "));
  CHECK(run.outcome.sentence.ends_with("joint 'D'"));
  CHECK(mobility(open, assemble(open)).undriven == 2);  // what `check` says
  const SpaceMechanism driven = linkage("dofs = [ { motion = \"t\" } ]\n");
  CHECK(kinematics(driven, {.to = 1, .steps = 2}).outcome.done());
  CHECK(mobility(driven, assemble(driven)).undriven == 1);
}

}  // namespace space_following_test
