// Equations that users write themselves: joints of type "equation".
// Oracles: the built-in joints that say the same; closed forms (Atwood's machine, an ellipse, a cam, non-circular gears); the books of energy.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "jounce/jounce.hpp"
#include "jounce/math/dense.hpp"
#include "written_models.hpp"

using namespace jounce;

namespace {

std::string slider_crank(const std::string& rod, const std::string& cylinder) {
  return R"toml(
jounce = 1
gravity = [0, -9.81]
[ground]
points = { O = [0, 0], X = [1, 0] }
[bodies.crank]
mass = 1.5
inertia = 0.01
com = [0.02, 0.01]
angle = "60*deg"
spin = 12
points = { O = [0, 0], A = [0.05, 0] }
[bodies.piston]
mass = 0.4
inertia = 0.001
com = [0.01, 0.02]
position = [0.22026, 0]
points = { C = [0, 0], F = [0.03, 0] }
[joints]
bearing = { type = "revolute", i = "ground.O", j = "crank.O" }
)toml" + rod + cylinder;
}
const std::string kRod = "rod = { type = \"distance\", i = \"crank.A\", j = \"piston.C\", length = 0.2 }\n";
const std::string kOwnRod = "rod = { type = \"equation\", of = \"(piston.C.x - crank.A.x)^2 + (piston.C.y - crank.A.y)^2 - 0.2^2\" }\n";
const std::string kCylinder = "cylinder = { type = \"translational\", slot = [\"ground.O\", \"ground.X\"], slider = [\"piston.C\", \"piston.F\"] }\n";
const std::string kOwnCylinder = "height = { type = \"equation\", of = \"piston.C.y\" }\nlevel = { type = \"equation\", of = \"piston.phi\" }\n";
const std::string kOwnMotor = "[drivers]\nmotor = { type = \"angle\", i = \"ground\", j = \"crank\", motion = \"9*t + 0.1*sin(7*t)\" }\n";
const std::vector<std::string> kMoved{"crank.phi", "crank.vphi", "crank.aphi", "crank.jphi", "crank.sphi", "piston.x", "piston.sx", "bearing.fx", "bearing.fy"};

}  // namespace

TEST_CASE("a rod and a cylinder as equations are the built-in joints, to snap and to the rates of multipliers") {
  const Mechanism a = mechanism_of(slider_crank(kRod, kCylinder)), b = mechanism_of(slider_crank(kOwnRod, kOwnCylinder));
  for (const Method method : {Method::taylor, Method::dop853, Method::radau}) {
    CAPTURE(word(method));
    const Options options{.to = 0.6, .steps = 12, .tolerance = 1e-10, .method = method};
    CHECK(gap_of(dynamics(a, options), dynamics(b, options), kMoved) < 1e-7);  // both integrate to 1e-10 a step
    const Options instant{.to = 1e-9, .steps = 1, .method = method};
    CHECK(gap_of(dynamics(a, instant), dynamics(b, instant), kMoved) < 1e-12);
    CHECK(gap_of(dynamics(a, instant), dynamics(b, instant), {"rod.lambda1", "rod.lambda1_rate"}) < 1e-12);  // the residual is the same
  }
  const Mechanism driven_a = mechanism_of(slider_crank(kRod, kCylinder) + kOwnMotor), driven_b = mechanism_of(slider_crank(kOwnRod, kOwnCylinder) + kOwnMotor);
  const Run x = inverse(driven_a, {.to = 0.7, .steps = 20}), y = inverse(driven_b, {.to = 0.7, .steps = 20});
  CHECK(gap_of(x, y, kMoved) < 1e-11);
  CHECK(gap_of(x, y, {"motor.effort", "rod.lambda1", "rod.lambda1_rate"}) < 1e-11);
}

TEST_CASE("every formulation takes equations") {
  const Mechanism m = mechanism_of(slider_crank(kOwnRod, kOwnCylinder));
  const ComparisonResult c = compare(m, 0);
  REQUIRE(c.comparison.has_value());
  CHECK(c.comparison->disagreement() < 1e-11);
  int applied = 0;
  for (const auto& f : c.comparison->formulations) applied += f.applies() ? 1 : 0;
  CHECK(applied >= 5);
}

TEST_CASE("a point on an ellipse is the elliptic trammel") {
  // oracle: a bar of length a + b whose ends slide on two axes; the point at distance b from the end on x describes x²/a² + y²/b² = 1
  const std::string body = R"toml(
jounce = 1
gravity = [0, -9.81]
[ground]
points = { O = [0, 0], X = [1, 0], Y = [0, 1] }
[bodies.bar]
mass = 2
inertia = 0.05
com = [0.15, 0.02]
angle = "150*deg"
position = [0.4330127018922193, 0]
spin = 3
points = { P = [0, 0], Q = [0.5, 0], M = [0.2, 0] }
[joints]
on-x = { type = "pin-in-slot", slot = ["ground.O", "ground.X"], pin = "bar.P" }
)toml";
  const Mechanism slides = mechanism_of(body + "on-y = { type = \"pin-in-slot\", slot = [\"ground.O\", \"ground.Y\"], pin = \"bar.Q\" }\n");
  const Mechanism ellipse = mechanism_of(body + "on-ellipse = { type = \"equation\", of = \"(bar.M.x/0.3)^2 + (bar.M.y/0.2)^2 - 1\" }\n");
  for (const Method method : {Method::taylor, Method::radau}) {
    const Options options{.to = 0.4, .steps = 8, .tolerance = 1e-11, .method = method};
    CHECK(gap_of(dynamics(slides, options), dynamics(ellipse, options), {"bar.phi", "bar.vphi", "bar.aphi", "bar.jphi", "bar.sphi", "bar.x", "bar.sx"}) < 1e-7);
  }
}

TEST_CASE("Atwood's machine, a cam, gears that are not round, and a motion written as an equation, in closed form") {
  const Run rope = dynamics(mechanism_of(R"toml(
jounce = 1
gravity = [0, -9.81]
[bodies.a]
mass = 3
inertia = 0.1
[bodies.b]
mass = 2
inertia = 0.1
position = [1, 0]
[joints]
ax = { type = "coordinate", j = "a.x", offset = 0 }
ap = { type = "coordinate", j = "a.phi", offset = 0 }
bx = { type = "coordinate", j = "b.x", offset = 1 }
bp = { type = "coordinate", j = "b.phi", offset = 0 }
rope = { type = "equation", of = "distance(a.origin, ground.A) + distance(b.origin, ground.B) - 10" }
[ground]
points = { A = [0, 5], B = [1, 5] }
)toml"), {.to = 0.5, .steps = 5});
  REQUIRE(rope.outcome.done());
  CHECK(*rope.results.at(5, "a.ay") == doctest::Approx(-9.81 / 5).epsilon(1e-12));
  CHECK(std::abs(*rope.results.at(5, "rope.lambda1")) == doctest::Approx(2 * 3 * 2 * 9.81 / 5).epsilon(1e-12));

  const Run cam = inverse(mechanism_of(R"toml(
jounce = 1
gravity = [0, -9.81]
[bodies.cam]
mass = 1
inertia = 0.01
[bodies.follower]
mass = 0.5
inertia = 0.1
position = [0, 0.1]
[joints]
shaft = { type = "revolute", i = "ground.origin", j = "cam.origin" }
guide-x = { type = "coordinate", j = "follower.x", offset = 0 }
guide-p = { type = "coordinate", j = "follower.phi", offset = 0 }
lift = { type = "equation", of = "follower.y - 0.1 - 0.02*(1 - cos(3*cam.phi))" }
[drivers]
motor = { type = "angle", i = "ground", j = "cam", motion = "10*t" }
)toml"), {.to = 0.5, .steps = 10});
  REQUIRE(cam.outcome.done());
  for (std::size_t i = 0; i < 11; ++i) {
    const double t = *cam.results.at(i, "t"), w = 30, s = std::sin(w * t), c = std::cos(w * t);
    const double v = 0.02 * w * s, a = 0.02 * w * w * c;
    CHECK(std::abs(*cam.results.at(i, "follower.vy") - v) < 1e-12);
    CHECK(std::abs(*cam.results.at(i, "follower.ay") - a) < 1e-11);
    CHECK(std::abs(*cam.results.at(i, "follower.jy") + 0.02 * w * w * w * s) < 1e-9);
    CHECK(std::abs(*cam.results.at(i, "follower.sy") + 0.02 * w * w * w * w * c) < 1e-8);
    CHECK(std::abs(*cam.results.at(i, "motor.effort") - 0.5 * (a + 9.81) * v / 10) < 1e-12);  // power in is power out
    CHECK(std::abs(*cam.results.at(i, "lift.fy")) < 1e3);
  }
  CHECK(cam.statistics.energy_balance < 1e-10);

  const std::string gears = R"toml(
jounce = 1
[bodies.a]
mass = 1
inertia = 0.02
spin = 2
[bodies.b]
mass = 1
inertia = 0.03
[joints]
ja = { type = "revolute", i = "ground.A", j = "a.origin" }
jb = { type = "revolute", i = "ground.B", j = "b.origin" }
mesh = { type = "equation", of = "b.phi + a.phi + 0.3*sin(a.phi)" }
[ground]
points = { A = [0, 0], B = [1, 0] }
)toml";
  std::string placed = gears;
  placed.replace(placed.find("[bodies.b]\n"), 11, "[bodies.b]\nposition = [1, 0]\n");
  const Run mesh = dynamics(mechanism_of(placed), {.to = 2, .steps = 10, .tolerance = 1e-12});
  REQUIRE(mesh.outcome.done());
  const auto energy = [](double phi, double rate) { return 0.5 * (0.02 + 0.03 * std::pow(1 + 0.3 * std::cos(phi), 2)) * rate * rate; };
  for (std::size_t i = 0; i < 11; ++i) {
    const double phi = *mesh.results.at(i, "a.phi");
    CHECK(*mesh.results.at(i, "b.phi") == doctest::Approx(-phi - 0.3 * std::sin(phi)).epsilon(1e-12));
    CHECK(energy(phi, *mesh.results.at(i, "a.vphi")) == doctest::Approx(energy(0, *mesh.results.at(0, "a.vphi"))).epsilon(1e-10));
  }

  const std::string arm = R"toml(
jounce = 1
gravity = [0, -9.81]
[bodies.arm]
mass = 2
inertia = 0.1
com = [0.3, 0]
[joints]
pin = { type = "revolute", i = "ground.origin", j = "arm.origin" }
)toml";
  const Mechanism driver = mechanism_of(arm + "[drivers]\nmotor = { type = \"angle\", i = \"ground\", j = \"arm\", motion = \"0.4*sin(3*t)\", offset = 0 }\n");
  const Mechanism written = mechanism_of(arm + "motor = { type = \"equation\", of = \"arm.phi - 0.4*sin(3*t)\" }\n");
  const std::vector<std::string> columns{"arm.phi", "arm.vphi", "arm.aphi", "arm.jphi", "arm.sphi", "pin.fx", "motor.torque", "energy.work"};
  CHECK(gap_of(inverse(driver, {.to = 1, .steps = 10}), inverse(written, {.to = 1, .steps = 10}), columns) < 1e-9);
  for (const Method method : {Method::taylor, Method::dop853})
    CHECK(gap_of(dynamics(driver, {.to = 1, .steps = 10, .method = method}), dynamics(written, {.to = 1, .steps = 10, .method = method}), columns) < 1e-6);
}

TEST_CASE("an equation is of positions and t, and holds something") {
  const auto problem = [](const std::string& of) {
    const auto m = Mechanism::from_text("jounce = 1\n[bodies.a]\n[joints]\ne = { type = \"equation\", of = \"" + of + "\" }\n", "m.toml");
    REQUIRE(!m.ok());
    return text(m.problems());
  };
  CHECK(problem("a.vx") == "m.toml:4:32: error: joint 'e': of: 'a.vx' cannot stand in an equation: expected positions, t and measures of these\n");
  CHECK(problem("sin(t)") == "m.toml:4:32: error: joint 'e': of: holds nothing: expected positions of bodies, such as 'crank.phi' or 'crank.A.x'\n");
  CHECK(problem("a.x + a.phi") == "m.toml:4:36: error: joint 'e': of: rad cannot be added to m\n");
}
