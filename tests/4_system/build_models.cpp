// Oracle: what a drawing, a shape or a name means, in closed form or by writing the same thing in another way.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "jounce/analysis/kinematics.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/plane/mechanism.hpp"

namespace build_models_test {

using namespace jounce;

namespace {

constexpr double kPi = std::numbers::pi;
// A handful of operations on numbers of size 1.
constexpr double kRoundOff = 1e-14;
// Two runs of one motion, both solved to rounding.
constexpr double kSameRun = 1e-12;

PlaneMechanism built(const Model& model) {
  auto result = build_plane(model);
  REQUIRE_MESSAGE(result.ok(), text(result.problems()));
  return *std::move(result);
}
PlaneMechanism built(const std::string& toml) {
  const ReadModel read = parse_model(toml, "test.toml");
  REQUIRE_MESSAGE(read.problems.empty(), text(read.problems));
  return built(read.model);
}

// Largest residual at the drawing and t = 0, in metres or radians.
double misfit(const PlaneMechanism& m) {
  Evaluation evaluation(m.system, 0);
  REQUIRE(!evaluation.set_time(0));
  (void)evaluation.set_position(m.drawn);
  return evaluation.worst_residual();
}

const std::string two_bodies = R"toml(
jounce = 1
[ground]
points = { O = [0, 0], X = [1, 0], H = [0.2, 0.9] }
[bodies.a]
position = [0.3, -0.2]
angle = 0.4
com = [0.2, 0.1]
points = { P = [0.1, 0.2], Q = [0.7, 0.3] }
[bodies.b]
position = [1.3, 0.6]
angle = -0.9
com = [-0.1, 0.3]
points = { P = [0.2, -0.1], Q = [0.5, 0.4] }
)toml";

}  // namespace

TEST_CASE("a constant that is left out makes its equation hold as drawn, also when the motion does not start at zero") {
  // oracle: the residual at the drawing and t = 0 is zero
  for (const std::string element : {
           "[joints.c]\ntype = \"distance\"\ni = \"a.P\"\nj = \"b.Q\"\n",
           "[joints.c]\ntype = \"gear\"\ni = \"a\"\nj = \"b\"\nratio = -2.5\n",
           "[joints.c]\ntype = \"gear\"\ni = \"a\"\nj = \"b\"\nradii = [2, 3]\nmesh = \"belt\"\n",
           "[joints.c]\ntype = \"gear-on-arm\"\ni = \"a\"\nj = \"b\"\narm = \"ground\"\nratio = 0.3\n",
           "[joints.c]\ntype = \"coordinate\"\ni = \"a.x\"\nj = \"b.phi\"\nratio = 0.7\n",
           "[joints.c]\ntype = \"coordinate\"\nj = \"b.y\"\n",
           "[joints.c]\ntype = \"rolling\"\nline = [\"a.P\", \"a.Q\"]\nwheel = \"b.P\"\nradius = -0.4\n",
           "[drivers.c]\ntype = \"angle\"\ni = \"a\"\nj = \"b\"\nmotion = \"1.7 + t\"\n",
           "[drivers.c]\ntype = \"coordinate\"\nj = \"a.x\"\nmotion = \"cos(t)\"\n",
           "[drivers.c]\ntype = \"coordinate\"\ni = \"b.y\"\nj = \"a.y\"\nratio = 2\nmotion = \"0.3 + cos(t)\"\n"}) {
    CAPTURE(element);
    CHECK(misfit(built(two_bodies + element)) <= kRoundOff * 10);
  }
  // a weld keeps the drawn angle but pulls the points together
  const PlaneMechanism weld = built(two_bodies + "[joints.c]\ntype = \"weld\"\ni = \"a.P\"\nj = \"b.P\"\n");
  Evaluation evaluation(weld.system, 0);
  CHECK(std::abs(evaluation.set_position(weld.drawn)[2]) <= kRoundOff);
  CHECK(std::abs(evaluation.set_position(weld.drawn)[0]) > 0.1);
}

TEST_CASE("a constant that is written is kept whatever the drawing says") {
  // oracle: phi_b − phi_a − C = −1.3 − C, and |d|² − L²
  const PlaneMechanism angle = built(two_bodies + "[drivers.c]\ntype = \"angle\"\ni = \"a\"\nj = \"b\"\noffset = 0.25\nmotion = \"0.5\"\n");
  Evaluation evaluation(angle.system, 0);
  REQUIRE(!evaluation.set_time(0));
  CHECK(evaluation.set_position(angle.drawn)[0] == doctest::Approx(-1.3 - 0.25 - 0.5).epsilon(kRoundOff));
}

TEST_CASE("positions, points and coordinates are those of the user's origin, wherever the centre of mass is") {
  // oracle: the same mechanism with other centres of mass gives the same columns
  const auto model = [](const std::string& com_a, const std::string& com_b) {
    return built(R"toml(
jounce = 1
[ground]
points = { O = [0, 0], X = [1, 0], Q = [0.35, 0] }
[bodies.crank]
angle = 0.5
com = )toml" + com_a + R"toml(
points = { O = [0, 0], A = [0.1, 0] }
[bodies.coupler]
position = [0.09, 0.05]
angle = 0.9
com = )toml" + com_b + R"toml(
points = { A = [0, 0], B = [0.25, 0], P = [0.15, 0.12] }
[bodies.rocker]
position = [0.35, 0]
angle = 2
points = { Q = [0, 0], B = [0.3, 0] }
[bodies.slide]
position = [0.2, 0.3]
points = { S = [0, 0], T = [1, 0] }
com = )toml" + com_a + R"toml(
[joints]
o = { type = "revolute", i = "ground.O", j = "crank.O" }
a = { type = "revolute", i = "crank.A", j = "coupler.A" }
b = { type = "revolute", i = "coupler.B", j = "rocker.B" }
q = { type = "revolute", i = "ground.Q", j = "rocker.Q" }
y = { type = "coordinate", j = "slide.y", i = "coupler.y", ratio = 2 }
f = { type = "coordinate", j = "slide.phi", i = "rocker.phi", ratio = -0.5 }
[drivers]
m = { type = "angle", i = "ground", j = "crank", motion = "2*t + 0.3*t^2" }
x = { type = "coordinate", j = "slide.x", i = "crank.x", motion = "sin(t)" }
)toml");
  };
  const KinematicsRun plain = kinematics(model("[0, 0]", "[0, 0]"), {5, 50, {}});
  REQUIRE_MESSAGE(plain.outcome.done(), plain.outcome.sentence);
  for (const auto& [a, b] : {std::pair{"[0.05, 0.02]", "[0.1, -0.3]"}, std::pair{"[-0.4, 0.5]", "[0.7, 0.1]"}}) {
    const KinematicsRun moved = kinematics(model(a, b), {5, 50, {}});
    REQUIRE(moved.outcome.done());
    REQUIRE(moved.results.columns() == plain.results.columns());
    for (std::size_t c = 0; c < plain.results.columns().size(); ++c) {
      double worst = 0, scale = 1;
      for (std::size_t i = 0; i < plain.results.rows(); ++i) {
        worst = std::max(worst, std::abs(plain.results.column(c)[i] - moved.results.column(c)[i]));
        scale = std::max(scale, std::abs(plain.results.column(c)[i]));
      }
      CAPTURE(plain.results.columns()[c].name);
      CHECK(worst <= kSameRun * scale * 10);
    }
  }
}

TEST_CASE("bars, discs and boxes bring their centre of mass and their inertia") {
  // oracle: m l²/12, m r²/2, m (a² + b²)/12, and Steiner where the user moved the centre of mass
  const auto body = [](const std::string& lines) {
    const PlaneMechanism m = built("jounce = 1\n[bodies.a]\nmass = 3\npoints = { P = [0.2, 0.1], Q = [0.6, 0.4] }\n" + lines);
    return m.bodies[1];
  };
  const BodyData bar = body("shape = { type = \"bar\", from = \"P\", to = \"Q\" }\n");
  CHECK(bar.com.x == doctest::Approx(0.4).epsilon(kRoundOff));
  CHECK(bar.com.y == doctest::Approx(0.25).epsilon(kRoundOff));
  CHECK(*bar.inertia == doctest::Approx(3 * 0.25 / 12).epsilon(kRoundOff));
  CHECK(bar.origin_com.x == doctest::Approx(-0.4).epsilon(kRoundOff));
  CHECK(bar.points[1].p_com.x == doctest::Approx(0.2).epsilon(kRoundOff));

  const BodyData disc = body("shape = { type = \"disc\", centre = \"Q\", radius = 0.5 }\n");
  CHECK(disc.com.x == doctest::Approx(0.6).epsilon(kRoundOff));
  CHECK(*disc.inertia == doctest::Approx(3 * 0.125).epsilon(kRoundOff));

  const BodyData box = body("shape = { type = \"box\", centre = [0.1, -0.2], size = [0.3, 0.5], angle = 0.3 }\n");
  CHECK(box.com.y == doctest::Approx(-0.2).epsilon(kRoundOff));
  CHECK(*box.inertia == doctest::Approx(3 * (0.09 + 0.25) / 12).epsilon(kRoundOff));

  const BodyData moved = body("com = [0, 0]\nshape = { type = \"disc\", centre = \"Q\", radius = 0.5 }\n");
  CHECK(moved.com.x == 0);
  CHECK(*moved.inertia == doctest::Approx(3 * (0.125 + 0.52)).epsilon(kRoundOff));
  const BodyData written = body("inertia = 7\nshape = { type = \"disc\", centre = \"Q\", radius = 0.5 }\n");
  CHECK(*written.inertia == 7);
  CHECK(written.com.x == doctest::Approx(0.6).epsilon(kRoundOff));
}

TEST_CASE("bodies keep the order in which they are written") {
  // oracle: the file
  const PlaneMechanism m = built("jounce = 1\n[bodies.zebra]\n[bodies.ant]\n[bodies.mole]\n");
  REQUIRE(m.bodies.size() == 4);
  CHECK(m.bodies[0].name == "ground");
  CHECK(m.bodies[1].name == "zebra");
  CHECK(m.bodies[2].name == "ant");
  CHECK(m.bodies[3].name == "mole");
  const auto columns = kinematic_columns(m);
  CHECK(columns[0].name == "t");
  CHECK(columns[1].name == "zebra.x");
}

TEST_CASE("a model made in code is the model read from a file") {
  // oracle: each other
  Model code;
  code.ground.point("O", 0.0, 0.0);
  code.parameter("length", 0.5);
  Body& arm = code.body("arm");
  arm.point("A", 0.0, 0.0).point("B", "length", 0.0);
  arm.angle = Text("30*deg");
  arm.mass = Text(2.0);
  arm.shape = Element{"", "bar", {}, {}, {}};
  arm.shape->set("from", Text("A")).set("to", Text("B"));
  code.joint("pin", "revolute").set("i", Text("ground.O")).set("j", Text("arm.A"));
  code.driver("motor", "angle").set("i", Text("ground")).set("j", Text("arm")).set("motion", Text("2*t"));
  const ReadModel file = parse_model(R"toml(
jounce = 1
[parameters]
length = 0.5
[ground]
points = { O = [0, 0] }
[bodies.arm]
mass = 2
angle = "30*deg"
points = { A = [0, 0], B = ["length", 0] }
shape = { type = "bar", from = "A", to = "B" }
[joints.pin]
type = "revolute"
i = "ground.O"
j = "arm.A"
[drivers.motor]
type = "angle"
i = "ground"
j = "arm"
motion = "2*t"
)toml", "test.toml");
  REQUIRE(file.problems.empty());
  const KinematicsRun a = kinematics(built(code), {2, 9, {}}), b = kinematics(built(file.model), {2, 9, {}});
  REQUIRE(a.outcome.done());
  REQUIRE(a.results.columns() == b.results.columns());
  for (std::size_t i = 0; i < a.results.rows(); ++i) CHECK(a.results.row(i) == b.results.row(i));
  CHECK(*a.results.at(9, "arm.B.x") == doctest::Approx(0.5 * std::cos(kPi / 6 + 4)).epsilon(kRoundOff * 10));
  CHECK(*a.results.at(9, "arm.B.sx") == doctest::Approx(8 * std::cos(kPi / 6 + 4)).epsilon(kRoundOff * 100));
}

TEST_CASE("a wrong reference is told with what there is") {
  // oracle: the sentence of the interface: who, key, what was found, what exists
  const auto sentence = [](const std::string& lines) {
    const ReadModel read = parse_model(two_bodies + lines, "test.toml");
    REQUIRE_MESSAGE(read.problems.empty(), text(read.problems));
    const auto result = build_plane(read.model);
    REQUIRE(!result.ok());
    REQUIRE(result.problems().size() == 1);
    return result.problems()[0].sentence;
  };
  CHECK(sentence("[joints.c]\ntype = \"revolute\"\ni = \"a.Z\"\nj = \"b.P\"\n") == "joint 'c': i: 'a' has no point 'Z' (it has P, Q)");
  CHECK(sentence("[joints.c]\ntype = \"revolute\"\ni = \"groud.O\"\nj = \"b.P\"\n") == "joint 'c': i: unknown body 'groud' (did you mean 'ground'?)");
  CHECK(sentence("[joints.c]\ntype = \"revolute\"\ni = \"b.Q\"\nj = \"b.P\"\n") == "joint 'c': both sides are on the same body, 'b'");
  CHECK(sentence("[joints.c]\ntype = \"gear\"\ni = \"a\"\nj = \"b\"\nratio = 0\n") == "joint 'c': ratio: must be a number other than 0, found 0");
  CHECK(sentence("[drivers.c]\ntype = \"angle\"\ni = \"a\"\nj = \"b\"\nmotion = \"log(t)\"\n").find("t = 0") != std::string::npos);
}

TEST_CASE("points named twice, lines across bodies and distances of no length are refused") {
  // oracle: the specification's refusals (2.6, 3.2)
  const auto refused = [](const std::string& lines) {
    const ReadModel read = parse_model(two_bodies + lines, "test.toml");
    REQUIRE_MESSAGE(read.problems.empty(), text(read.problems));
    return !build_plane(read.model).ok();
  };
  CHECK(refused("[joints.c]\ntype = \"pin-in-slot\"\nslot = [\"a.P\", \"b.Q\"]\npin = \"b.P\"\n"));
  CHECK(refused("[joints.c]\ntype = \"pin-in-slot\"\nslot = [\"a.P\", \"a.P\"]\npin = \"b.P\"\n"));
  CHECK(refused("[joints.c]\ntype = \"distance\"\ni = \"a.P\"\nj = \"b.P\"\nlength = 0\n"));
  CHECK(refused("[joints.c]\ntype = \"distance\"\ni = \"a.P\"\nj = \"b.P\"\nlength = -1\n"));
  CHECK(refused("[joints.c]\ntype = \"rolling\"\nline = [\"a.P\", \"a.Q\"]\nwheel = \"b.P\"\nradius = 0\n"));
  CHECK(refused("[joints.c]\ntype = \"revolute\"\ni = \"ground.O\"\nj = \"ground.X\"\n"));
  CHECK(refused("[joints.c]\ntype = \"coordinate\"\ni = \"a.x\"\nj = \"a.x\"\n"));
}

}  // namespace build_models_test
