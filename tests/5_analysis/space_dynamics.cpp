// Forward dynamics of spatial mechanisms against closed forms, conservation laws and the planar engine.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "jounce/analysis/space_run.hpp"
#include "jounce/io/read_model.hpp"
#include "places.hpp"

namespace space_dynamics_test {

namespace {

using namespace jounce;

SpaceMechanism space(const std::string& body) {
  const ReadModel file = parse_model("jounce = 1\nspace = \"3d\"\n" + body, "inline.toml");
  REQUIRE_MESSAGE(!any_error(file.problems), text(file.problems));
  auto built = build_space(file.model);
  REQUIRE_MESSAGE(built.ok(), text(built.problems()));
  return *std::move(built);
}

PlaneMechanism plane(const std::string& body) {
  const ReadModel file = parse_model("jounce = 1\n" + body, "inline.toml");
  REQUIRE_MESSAGE(!any_error(file.problems), text(file.problems));
  auto built = build_plane(file.model);
  REQUIRE_MESSAGE(built.ok(), text(built.problems()));
  return *std::move(built);
}

DynamicsRun done(const SpaceMechanism& mechanism, const DynamicsOptions& options) {
  DynamicsRun run = dynamics(mechanism, options);
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence << text(run.problems));
  return run;
}

double at(const DynamicsRun& run, std::size_t row, const std::string& column) {
  const auto value = run.results.at(row, column);
  REQUIRE_MESSAGE(value.has_value(), column);
  return *value;
}
double last(const DynamicsRun& run, const std::string& column) { return at(run, run.results.rows() - 1, column); }

double spread(const DynamicsRun& run, const std::string& column) {
  const auto values = run.results.column(column);
  REQUIRE_MESSAGE(!values.empty(), column);
  double off = 0;
  for (const double x : values) off = std::max(off, std::abs(x - values.front()));
  return off;
}

nlohmann::json reference(const std::string& name) {
  std::ifstream file(places::source() + "/tests/data/spatial-cases.json");
  return nlohmann::json::parse(file)[name];
}

// A free trunk with an active universal joint, a passive ball with unequal springs and a passive screw.
const char* const kSwimmer = R"toml(
[bodies.trunk]
mass = 1.5
com = [0.05, -0.02, 0.1]
inertia = [0.05, 0.06, 0.03, 0.002, -0.001, 0.003]
[bodies.head]
mass = 0.6
com = [0, 0.1, 0.05]
inertia = [0.01, 0.008, 0.012, 0.001, 0, 0]
[bodies.tail]
mass = 0.4
com = [0.1, 0, 0]
inertia = [0.004, 0.006, 0.005, 0, 0, 0]
[bodies.fin]
mass = 0.2
com = [0.02, 0.03, 0.05]
inertia = [0.002, 0.002, 0.001, 0, 0, 0]
[joints.base]
type = "free"
parent = "ground"
child = "trunk"
q = [1, 0, 0, 0, 0.3, -0.2, 0.1]
v = [0.2, -0.1, 0.3, 0.05, 0.1, -0.2]
[joints.neck]
type = "universal"
parent = "trunk"
child = "head"
origin = { xyz = [0, 0, 0.2], rpy = [0.2, 0.1, 0] }
dofs = [ { motion = "0.8*sin(3*t)" }, { motion = "0.5*cos(2*t)" } ]
[joints.hip]
type = "spherical"
parent = "trunk"
child = "tail"
origin = { xyz = [0, 0, -0.2] }
q = [1, 0, 0, 0]
v = [0.5, -1, 0.7]
dofs = [ { stiffness = 0.5 }, { stiffness = 0.9, damping = 0.01 }, { stiffness = 0.2 } ]
[joints.screw]
type = "helical"
parent = "tail"
child = "fin"
origin = { xyz = [0.2, 0, 0] }
axis = [1, 0, 0]
pitch = 0.05
dofs = [ { stiffness = 0.3, rest = 0.2 } ]
)toml";

}  // namespace

TEST_CASE("a free system keeps its momentum while its joints move") {
  // oracle: the law of momentum; the centre of mass goes straight
  const DynamicsRun run = done(space(kSwimmer), {.to = 3, .steps = 60, .tolerance = 1e-14});
  for (const char* column : {"momentum.px", "momentum.py", "momentum.pz", "momentum.lx", "momentum.ly", "momentum.lz", "momentum.lgx", "momentum.lgy",
                             "momentum.lgz"})
    CHECK(spread(run, column) < 1e-11);
  // oracle: about the centre of mass G it is that about the origin less G x P
  for (std::size_t row = 0; row < run.results.rows(); ++row) {
    const auto of = [&](const std::string& stem) {
      return Vec3<double>{at(run, row, stem + "x"), at(run, row, stem + "y"), at(run, row, stem + "z")};
    };
    const Vec3<double> apart = of("momentum.l") - cross(of("com."), of("momentum.p")) - of("momentum.lg");
    CHECK(std::abs(apart.x) + std::abs(apart.y) + std::abs(apart.z) < 1e-13);
  }
  const double mass = 2.7;
  for (const std::string axis : {"x", "y", "z"})
    CHECK(std::abs(last(run, "com." + axis) - at(run, 0, "com." + axis) - 3 * at(run, 0, "momentum.p" + axis) / mass) < 1e-11);
  // and quaternions are unit ones to rounding
  for (std::size_t row = 0; row < run.results.rows(); ++row) {
    double square = 0;
    for (const char* part : {"hip.q1", "hip.q2", "hip.q3", "hip.q4"}) square += at(run, row, part) * at(run, row, part);
    CHECK(std::abs(square - 1) < 4e-16);
  }
}

TEST_CASE("the two starts without momentum") {
  // oracle: zero: the total momentum is zero and the other rates are as written; impulsive: no passive rate as written survives
  const DynamicsRun zero = done(space(std::string(kSwimmer) + "[base]\nstart_momentum = \"zero\"\n"), {.to = 0.1, .steps = 1});
  CHECK(std::abs(at(zero, 0, "momentum.px")) < 1e-13);
  CHECK(std::abs(at(zero, 0, "momentum.ly")) < 1e-13);
  CHECK(at(zero, 0, "hip.v2") == doctest::Approx(-1));
  const DynamicsRun impulsive = done(space(std::string(kSwimmer) + "[base]\nstart_momentum = \"impulsive\"\n"), {.to = 0.1, .steps = 1});
  CHECK(std::abs(at(impulsive, 0, "momentum.px")) < 1e-13);
  CHECK(std::abs(at(impulsive, 0, "momentum.ly")) < 1e-13);
  CHECK(std::abs(at(impulsive, 0, "hip.v2") + 1) > 0.1);
}

TEST_CASE("springs of unequal stiffness on a ball keep the energy") {
  // oracle: conservation; the torque −K θ without the Jacobian of the rotation vector would not
  const DynamicsRun run = done(space(R"toml(
[bodies.top]
mass = 1
com = [0.1, 0.05, 0.2]
inertia = [0.02, 0.03, 0.04, 0.001, 0.002, 0]
[joints.ball]
type = "spherical"
parent = "ground"
child = "top"
q = [0.8, 0.6, 0, 0]
v = [1, 2, -1]
dofs = [ { stiffness = 3, rest = 0.3 }, { stiffness = 1, rest = -0.2 }, { stiffness = 0.4 } ]
)toml"), {.to = 3, .steps = 100, .tolerance = 1e-13});
  CHECK(run.statistics.conservative);
  CHECK(spread(run, "energy.total") < 1e-11);
  CHECK(spread(run, "energy.kinetic") > 0.1);  // it does move
}

TEST_CASE("quaternions keep their length to rounding for as long as a top tumbles") {
  // oracle: a unit quaternion has length 1
  const SpaceMechanism top = space(R"toml(
[bodies.top]
mass = 1
inertia = [0.02, 0.03, 0.05, 0, 0, 0]
[joints.flight]
type = "free"
parent = "ground"
child = "top"
v = [1, 3, -0.2, 0, 0, 0]
)toml");
  const DynamicsRun run = done(top, {.to = 1e5, .steps = 10, .tolerance = 1e-4});
  for (std::size_t row = 0; row < run.results.rows(); ++row) {
    double square = 0;
    for (const char* part : {"top.qw", "top.qx", "top.qy", "top.qz"}) square += at(run, row, part) * at(run, row, part);
    CHECK(std::abs(square - 1) <= 1e-15);
  }
}

TEST_CASE("a pendulum on a shaken pivot") {
  // oracle: spatial-cases.json, kapitza (closed form)
  const auto ref = reference("kapitza");
  const DynamicsRun run = done(space(R"toml(
gravity = [0, -9.81, 0]
[bodies.pivot]
mass = 0.2
inertia = [1, 1, 1, 0, 0, 0]
[bodies.bob]
mass = 0.9
com = [0, -0.5, 0]
inertia = [0, 0, 0, 0, 0, 0]
[joints.shaker]
type = "prismatic"
parent = "ground"
child = "pivot"
axis = [0, 1, 0]
dofs = [ { motion = "0.05*cos(30*(t + 0.13))" } ]
[joints.pin]
type = "revolute"
parent = "pivot"
child = "bob"
q = [0.6]
v = [1.3]
)toml"), {.to = 0.01, .steps = 1});
  CHECK(at(run, 0, "pin.a1") == doctest::Approx(ref["thdd"].get<double>()).epsilon(1e-12));
  CHECK(at(run, 0, "shaker.tau1") == doctest::Approx(ref["pivot_force"].get<double>()).epsilon(1e-12));
  CHECK(at(run, 0, "shaker.fy") == doctest::Approx(ref["pivot_force"].get<double>()).epsilon(1e-12));
}

TEST_CASE("a four-bar written in space gives the numbers of the planar engine") {
  // oracle: the planar engine, whose equations are Cartesian and whose integrator is another
  const PlaneMechanism flat = plane(R"toml(
gravity = [0, -9.81]
[ground]
points = { O = [0, 0], P = [1, 0] }
[bodies.crank]
mass = 0.3
inertia = 0.00225
com = [0.15, 0]
angle = "60*deg"
spin = 2
points = { A = [0, 0], B = [0.3, 0] }
[bodies.coupler]
mass = 0.9
inertia = 0.06075
com = [0.45, 0]
position = [0.15, 0.2598]
angle = 0.5074
points = { B = [0, 0], C = [0.9, 0] }
[bodies.rocker]
mass = 0.7
inertia = 0.0285833333333333333
com = [0.35, 0]
position = [1, 0]
angle = 1.66
points = { D = [0, 0], C = [0.7, 0] }
[joints.O]
type = "revolute"
i = "ground.O"
j = "crank.A"
[joints.B]
type = "revolute"
i = "crank.B"
j = "coupler.B"
[joints.C]
type = "revolute"
i = "coupler.C"
j = "rocker.C"
[joints.P]
type = "revolute"
i = "ground.P"
j = "rocker.D"
)toml");
  const DynamicsOptions options{.to = 1.5, .steps = 30, .tolerance = 1e-12};
  const DynamicsRun expected = dynamics(flat, options);
  REQUIRE(expected.outcome.done());
  const double crank = expected.results.at(0, "crank.phi").value(), coupler = expected.results.at(0, "coupler.phi").value(),
               rocker = expected.results.at(0, "rocker.phi").value(), spin = expected.results.at(0, "crank.vphi").value();
  const auto rod = [](const std::string& name, double length, double mass, double inertia) {
    return "[bodies." + name + "]\nmass = " + std::to_string(mass) + "\ncom = [" + std::to_string(length / 2) +
           ", 0, 0]\ninertia = [0.001, " + std::to_string(inertia) + ", " + std::to_string(inertia) + ", 0, 0, 0]\n";
  };
  const auto number = [](double x) {
    std::string out(32, ' ');
    out.resize(static_cast<std::size_t>(std::snprintf(out.data(), out.size(), "%.17g", x)));
    return out;
  };
  const SpaceMechanism deep = space("gravity = [0, -9.81, 0]\n[ground]\npoints = { P = [1, 0, 0] }\n" + rod("crank", 0.3, 0.3, 0.00225) +
                                   rod("coupler", 0.9, 0.9, 0.06075) + "points = { C = [0.9, 0, 0] }\n" +
                                   "[bodies.rocker]\nmass = 0.7\ncom = [0.35, 0, 0]\ninertia = [0.001, 0.0285833333333333333, "
                                   "0.0285833333333333333, 0, 0, 0]\npoints = { C = [0.7, 0, 0] }\n" +
                                   "[joints.O]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"crank\"\nq = [" + number(crank) +
                                   "]\nv = [" + number(spin) + "]\n[joints.B]\ntype = \"revolute\"\nparent = \"crank\"\nchild = \"coupler\"\n" +
                                   "origin = { xyz = [0.3, 0, 0] }\nq = [" + number(coupler - crank) +
                                   "]\n[joints.P]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"rocker\"\norigin = { xyz = [1, 0, 0] }\nq = [" +
                                   number(rocker) + "]\n[loops.C]\ntype = \"revolute\"\ni = \"coupler.C\"\nj = \"rocker.C\"\n");
  const DynamicsRun found = done(deep, options);
  for (std::size_t row = 0; row < found.results.rows(); ++row) {
    CAPTURE(row);
    const auto flat_value = [&](const char* column) { return expected.results.at(row, column).value(); };
    CHECK(at(found, row, "O.q1") == doctest::Approx(flat_value("crank.phi")).epsilon(1e-8));
    CHECK(at(found, row, "O.v1") == doctest::Approx(flat_value("crank.vphi")).epsilon(1e-7).scale(1));
    CHECK(at(found, row, "O.a1") == doctest::Approx(flat_value("crank.aphi")).epsilon(1e-7).scale(10));
    CHECK(at(found, row, "rocker.wz") == doctest::Approx(flat_value("rocker.vphi")).epsilon(1e-7).scale(1));
    CHECK(at(found, row, "O.fx") == doctest::Approx(flat_value("O.fx")).epsilon(1e-7).scale(10));
    CHECK(at(found, row, "O.fy") == doctest::Approx(flat_value("O.fy")).epsilon(1e-7).scale(10));
    CHECK(at(found, row, "C.fx") == doctest::Approx(flat_value("C.fx")).epsilon(1e-7).scale(10));
    CHECK(at(found, row, "C.fy") == doctest::Approx(flat_value("C.fy")).epsilon(1e-7).scale(10));
    CHECK(at(found, row, "energy.total") == doctest::Approx(flat_value("energy.total")).epsilon(1e-8));
    CHECK(at(found, row, "constraint.error") < 1e-12);
  }
}

TEST_CASE("a coupling makes two joints turn as one") {
  // oracle: two flywheels joined by a gear of ratio r: (J1 + r² J2) a = torque, and the effort that the coupling passes on
  const DynamicsRun run = done(space(R"toml(
[bodies.one]
mass = 1
inertia = [1, 1, 0.5, 0, 0, 0]
[bodies.two]
mass = 1
inertia = [1, 1, 0.2, 0, 0, 0]
[joints.first]
type = "revolute"
parent = "ground"
child = "one"
dofs = [ { torque = "3" } ]
[joints.second]
type = "revolute"
parent = "ground"
child = "two"
origin = { xyz = [1, 0, 0] }
q = [0.25]
[couplings.gear]
i = "first"
j = "second"
ratio = -2
offset = 0.25
)toml"), {.to = 2, .steps = 4, .tolerance = 1e-12});
  const double acceleration = 3 / (0.5 + 4 * 0.2);
  CHECK(at(run, 0, "first.a1") == doctest::Approx(acceleration).epsilon(1e-13));
  CHECK(at(run, 0, "second.a1") == doctest::Approx(-2 * acceleration).epsilon(1e-13));
  CHECK(last(run, "first.q1") == doctest::Approx(2 * acceleration).epsilon(1e-10));
  CHECK(last(run, "second.q1") == doctest::Approx(-4 * acceleration + 0.25).epsilon(1e-10));
  CHECK(last(run, "second.mz") == doctest::Approx(0.2 * -2 * acceleration).epsilon(1e-10));
  CHECK(last(run, "first.tau1") == doctest::Approx(3));  // its own torque; what the coupling passes on is in the wrench
  CHECK(last(run, "second.tau1") == 0);
}

TEST_CASE("forces of all three forms, and a spring between points") {
  // oracle: Newton's law of a free body, ω = 0 and ω × terms absent at rest
  const auto accelerations = [](const std::string& forces) {
    return done(space("[ground]\npoints = { Z = [2, 0, 0] }\n" R"toml(
[bodies.block]
mass = 2
com = [0, 0, 0]
inertia = [0.1, 0.2, 0.3, 0, 0, 0]
points = { P = [0, 0.5, 0] }
[joints.base]
type = "free"
parent = "ground"
child = "block"
q = [0.70710678118654752, 0, 0, 0.70710678118654752, 1, 0, 0]
)toml" + forces), {.to = 0.01, .steps = 1});
  };
  // the body stands a quarter turn about z: its y axis is the ground's −x, so P is at (0.5, 0, 0)
  const DynamicsRun push = accelerations("[forces.f]\ntype = \"force\"\non = \"block.P\"\nvalue = [0, 4, 0]\n");
  CHECK(at(push, 0, "block.ay") == doctest::Approx(2));
  CHECK(at(push, 0, "block.alz") == doctest::Approx(-0.5 * 4 / 0.3));
  CHECK(at(push, 0, "f.fy") == 4);
  const DynamicsRun follower = accelerations("[forces.f]\ntype = \"force\"\non = \"block.P\"\nvalue = [0, 4, 0]\nframe = \"body\"\n");
  CHECK(at(follower, 0, "block.ax") == doctest::Approx(-2));
  CHECK(std::abs(at(follower, 0, "block.alz")) < 1e-14);
  CHECK(at(follower, 0, "f.fx") == doctest::Approx(-4));
  CHECK(std::abs(at(follower, 0, "f.fy")) < 1e-14);
  const DynamicsRun moment = accelerations("[forces.f]\ntype = \"moment\"\non = \"block\"\nvalue = [0.6, 0, 0]\n");
  CHECK(at(moment, 0, "block.alx") == doctest::Approx(0.6 / 0.2));  // the ground's x is the body's −y
  CHECK(at(moment, 0, "f.mx") == 0.6);
  // a force of 4 along y through the ground's origin has no moment there: 4 · 1 about the body's centre
  const DynamicsRun wrench = accelerations("[forces.f]\ntype = \"wrench\"\non = \"block\"\nvalue = [0, 0, 0, 0, 4, 0]\n");
  CHECK(at(wrench, 0, "block.ay") == doctest::Approx(2));
  CHECK(at(wrench, 0, "block.alz") == doctest::Approx(-4 * 1 / 0.3));
  const DynamicsRun own = accelerations("[forces.f]\ntype = \"wrench\"\non = \"block\"\nvalue = [0, 0, 0.9, 0, 4, 0]\nframe = \"body\"\n");
  CHECK(at(own, 0, "block.ax") == doctest::Approx(-2));
  CHECK(at(own, 0, "block.alz") == doctest::Approx(3));
  CHECK(at(own, 0, "f.fx") == doctest::Approx(-4));
  CHECK(at(own, 0, "f.mz") == doctest::Approx(0.9));
  const DynamicsRun spring = accelerations(
      "[forces.f]\ntype = \"spring\"\ni = \"ground.Z\"\nj = \"block.P\"\nstiffness = 10\nfree_length = 1\nactuator = \"2*l\"\n");
  CHECK(at(spring, 0, "f.l") == doctest::Approx(1.5));
  CHECK(at(spring, 0, "f.f") == doctest::Approx(10 * 0.5 + 3));
  CHECK(at(spring, 0, "block.ax") == doctest::Approx(8 / 2.0));
  CHECK(at(spring, 0, "energy.potential") == doctest::Approx(0.5 * 10 * 0.25));
}

TEST_CASE("a prescribed motion whose rate jumps strikes what hangs on it") {
  // oracle: the impulse by hand. A rail that starts at 0.1 m/s under a bob that hangs on a pin: m l² Δω = −m l Δv cos θ, then the same
  // pendulum in a frame that moves evenly.
  const std::string head = R"toml(
gravity = [0, -9.81, 0]
[bodies.slide]
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[bodies.bob]
mass = 0.5
com = [0, -0.4, 0]
inertia = [0, 0, 0, 0, 0, 0]
[joints.pin]
type = "revolute"
parent = "slide"
child = "bob"
q = [)toml";
  const std::string tail = R"toml(]
[joints.rail]
type = "prismatic"
parent = "ground"
child = "slide"
axis = [1, 0, 0]
dofs = [ { motion = ")toml";
  const DynamicsOptions tight{.to = 0.3, .steps = 3, .tolerance = 1e-12};
  const auto model = [&](const std::string& angle, const std::string& rate, const std::string& motion) {
    return space(head + angle + "]\nv = [" + rate + tail + motion + "\" } ]\n");
  };
  const DynamicsRun still = done(model("0.5", "0", "0"), tight);
  const DynamicsRun struck = done(model("0.5", "0", "0.1*max(0, t - 0.1)"), tight);
  CHECK(at(struck, 1, "pin.q1") == doctest::Approx(at(still, 1, "pin.q1")).epsilon(1e-9));
  REQUIRE(struck.events.size() == 1);
  CHECK(struck.events[0].t == doctest::Approx(0.1));
  const double angle = at(still, 1, "pin.q1"), rate = at(still, 1, "pin.v1") - 0.1 * std::cos(angle) / 0.4;
  const auto number = [](double x) {
    std::string out(32, ' ');
    out.resize(static_cast<std::size_t>(std::snprintf(out.data(), out.size(), "%.17g", x)));
    return out;
  };
  const DynamicsRun after = done(model(number(angle), number(rate), "0"), {.to = 0.2, .steps = 2, .tolerance = 1e-12});
  CHECK(last(struck, "pin.q1") == doctest::Approx(last(after, "pin.q1")).epsilon(1e-9));
  CHECK(last(struck, "pin.v1") == doctest::Approx(last(after, "pin.v1")).epsilon(1e-9));
  // a place that jumps is refused
  const DynamicsRun torn = dynamics(model("0.5", "0", "0.1*sign(t - 0.1)"), tight);
  CHECK(torn.outcome.kind == Outcome::Kind::undefined);
  CHECK(text(torn.problems).find("jumps by 0.2") != std::string::npos);
}

TEST_CASE("laws with a kink at the start, or on the way, are followed") {
  // oracle: closed form, J q'' = torque of |sin|, integrated twice
  const DynamicsRun run = done(space("[bodies.a]\nmass = 1\ninertia = [1,1,2,0,0,0]\n[joints.j]\ntype = \"revolute\"\nparent = \"ground\"\n"
                                 "child = \"a\"\ndofs = [ { torque = \"abs(sin(t))\" } ]\n"),
                           {.to = 4, .steps = 4, .tolerance = 1e-12});
  const auto rate = [](double t) { return (t < std::acos(-1.0) ? 1 - std::cos(t) : 3 + std::cos(t)) / 2; };
  for (std::size_t row = 0; row < 5; ++row) CHECK(at(run, row, "j.v1") == doctest::Approx(rate(static_cast<double>(row))).epsilon(1e-11));
}

TEST_CASE("what cannot be run says why") {
  const auto refused = [](const std::string& body) {
    const DynamicsRun run = dynamics(space(body), {.to = 1, .steps = 10});
    CHECK_FALSE(run.outcome.done());
    return text(run.problems);
  };
  CHECK(refused("[bodies.a]\n[joints.j]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"a\"\n").find("mass") != std::string::npos);
  CHECK(refused("[bodies.a]\nmass = 0\ninertia = [0,0,0,0,0,0]\n[joints.j]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"a\"\n")
            .find("no inertia is moved by") != std::string::npos);
  // a torque that has no value from t = 0.5 on: what was computed is kept
  const DynamicsRun run = dynamics(space("[bodies.a]\nmass = 1\ninertia = [1,1,1,0,0,0]\n[joints.j]\ntype = \"revolute\"\nparent = \"ground\"\n"
                                     "child = \"a\"\ndofs = [ { torque = \"sqrt(0.5 - t)\" } ]\n"),
                               {.to = 1, .steps = 10});
  CHECK(run.outcome.kind == Outcome::Kind::undefined);
  CHECK(run.results.rows() >= 5);
  CHECK(text(run.problems).find("joint 'j'") != std::string::npos);
}

TEST_CASE("a spring on a ball that passes half a turn goes over to the other way round, exactly there") {
  // oracle: about one axis θ'' = −(k/I) θ from −π to π: from rest rotation with ω₀ half a turn takes T = asin(π ω/ω₀)/ω, ω² = k/I, and the second half
  // is the first one backwards: after n full turns the rate is ω₀ again, at t = 2 n T, whatever the method, the rest rotation and the rows asked for
  const double omega = 2, start = 7, half = std::asin(std::acos(-1.0) * omega / start) / omega;
  const auto ball = [](const std::string& rest, const std::string& q) {
    return space("[bodies.b]\nmass = 1\ninertia = [0.5, 0.5, 0.5, 0, 0, 0]\n[joints.j]\ntype = \"spherical\"\nparent = \"ground\"\nchild = \"b\"\nq = " + q +
                 "\nv = [0, 0, 7]\ndofs = [ { stiffness = 2 }, { stiffness = 2 }, { stiffness = 2, rest = " + rest + " } ]\n");
  };
  const auto check = [&](const SpaceMechanism& mechanism, DynamicsOptions options, double tolerance) {
    options.to = 2 * 5 * half;
    const DynamicsRun run = done(mechanism, options);
    CHECK(std::abs(last(run, "j.v3") - start) < tolerance);
    CHECK(std::abs(std::abs(last(run, "j.q1")) - std::abs(at(run, 0, "j.q1"))) < tolerance);
    CHECK(spread(run, "energy.total") < tolerance);
    std::size_t n = 0;
    for (const Event& event : run.events) {
      if (event.kind != "half-turn") continue;
      CHECK(std::abs(event.t - (2 * double(n++) + 1) * half) < tolerance);
      CHECK(event.elements == std::vector<std::string>{"j"});
    }
    CHECK(n == 5);
  };
  const SpaceMechanism plain = ball("0", "[1, 0, 0, 0]");
  for (const int steps : {1, 7, 500}) check(plain, {.steps = steps, .tolerance = 1e-11}, 1e-9);
  check(plain, {.steps = 3, .tolerance = 1e-10, .method = Method::radau}, 1e-6);
  check(ball("0", "[-1, 0, 0, 0]"), {.steps = 3, .tolerance = 1e-11}, 1e-9);  // the same rotation
  check(ball("0.7", "[\"cos(0.35)\", 0, 0, \"sin(0.35)\"]"), {.steps = 3, .tolerance = 1e-11}, 1e-9);

  // three stiffnesses and three axes: the energy has a ridge and no step
  const SpaceMechanism tumbling = space(
      "[bodies.b]\nmass = 1\ninertia = [0.5, 0.7, 0.9, 0, 0, 0]\n[joints.j]\ntype = \"spherical\"\nparent = \"ground\"\nchild = \"b\"\nv = [5, 3, 7]\n"
      "dofs = [ { stiffness = 2 }, { stiffness = 1, rest = 0.3 }, { stiffness = 3 } ]\n");
  const DynamicsRun run = done(tumbling, {.to = 10, .steps = 100, .tolerance = 1e-11});
  CHECK(spread(run, "energy.total") < 1e-8);
  CHECK(std::ranges::count(run.events, std::string("half-turn"), &Event::kind) > 2);
}

}  // namespace space_dynamics_test
