// Loads in space that depend on the state, from the text of a model to columns.
// Oracles: the built-in springs, dampers and weight, of which the same is written as expressions; columns that a load is made
// of; differences of the equations as computed, for Jacobians, and of rows over a finely sampled motion, for rates; the energy
// balance; other methods and formulations.
#include <doctest/doctest.h>

#include <cmath>

#include "jounce/io/read_model.hpp"
#include "jounce/jounce.hpp"
#include "jounce/math/dense.hpp"
#include "jounce/space/equations/derivatives.hpp"
#include "jounce/space/loads/load_rates.hpp"
#include "jounce/space/motion/space_ode.hpp"
#include "written_models.hpp"

using namespace jounce;

namespace {

constexpr double kSameInstant = 2e-13;  // relative to the largest number of a group: the same sums in another order

const std::string kSpaceHead = "jounce = 1\nspace = \"3d\"\n", kSpaceWeight = "gravity = [0, 0, -9.81]\n";

// A ball, a hinge and a slide, one on the other.
std::string tree_model(const std::string& elbow_dof) {
  return R"toml(
[ground]
points = { G = [0.3, -0.4, 0.5] }
[bodies.arm]
mass = 1.2
com = [0.1, 0.02, -0.2]
inertia = [0.02, 0.03, 0.015, 0.001, 0, 0.002]
[bodies.fore]
mass = 0.7
com = [0, 0.05, -0.15]
inertia = [0.01, 0.012, 0.004, 0, 0.001, 0]
points = { tip = [0.02, 0.03, -0.3] }
[bodies.sled]
mass = 0.3
com = [0.01, 0, 0]
inertia = [0.001, 0.002, 0.0015, 0, 0, 0]
[joints]
shoulder = { type = "spherical", parent = "ground", child = "arm", q = [0.8, 0.6, 0, 0], v = [0.3, -0.5, 0.8] }
slide = { type = "prismatic", parent = "fore", child = "sled", axis = [0, 0.6, -0.8], origin = { xyz = [0.02, 0, -0.1] }, q = [0.04], v = [0.2], dofs = [{ stiffness = 80, damping = 1.5 }] }
[joints.elbow]
type = "revolute"
parent = "arm"
child = "fore"
axis = [1, 0, 0]
origin = { xyz = [0.02, 0, -0.4] }
q = [0.5]
v = [-0.7]
dofs = [{ )toml" +
         elbow_dof + " }]\n";
}

const std::string kTreeSpring =
    "[forces]\nspring = { type = \"spring\", i = \"ground.G\", j = \"fore.tip\", stiffness = 60, free_length = 0.5, damping = "
    "2 }\n";
const std::string kTreeBuiltIn = kSpaceHead + kSpaceWeight + tree_model("stiffness = 3, damping = 0.2") + kTreeSpring;
const std::string kTreeWritten = kSpaceHead + tree_model("torque = \"-3*elbow.q1 - 0.2*elbow.v1\"") + R"toml(
[measures]
l = "distance(ground.G, fore.tip)"
pull = "60*(l - 0.5) + 2*rate(l)"
[forces]
spring = { type = "force", on = "fore.tip", value = ["-pull*(fore.tip.x - ground.G.x)/l", "-pull*(fore.tip.y - ground.G.y)/l", "-pull*(fore.tip.z - ground.G.z)/l"] }
weight-1 = { type = "force", on = "arm.com", value = [0, 0, "-1.2*9.81"] }
weight-2 = { type = "force", on = "fore.com", value = [0, 0, "-0.7*9.81 + 0*fore.vx"] }
weight-3 = { type = "wrench", on = "sled", value = ["-0.3*9.81*sled.com.y", "0.3*9.81*sled.com.x", 0, 0, 0, "-0.3*9.81"] }
)toml";
const std::vector<std::string> kTreeColumns{"arm.x",       "arm.wx",      "arm.aly",     "arm.ajz",  "arm.asx",  "fore.tip.ax",
                                            "fore.tip.jy", "fore.tip.sz", "elbow.q1",    "elbow.v1", "elbow.a1", "elbow.j1",
                                            "elbow.s1",    "slide.q1",    "slide.a1",    "slide.s1", "elbow.fx", "elbow.mz",
                                            "slide.mx",    "shoulder.fz", "shoulder.j2", "sled.az",  "sled.sx"};

// A crank and a rocker about crossed axes and a rod between them, on a universal joint and a ball: one free motion, and a loop.
std::string loop_model(const std::string& shaft_dof) {
  return R"toml(
[ground]
points = { G = [-0.1, 0.05, 0.3] }
[bodies.crank]
mass = 0.5
com = [0.04, 0, 0]
inertia = [5.0e-5, 3.0e-4, 3.0e-4, 0, 0, 0]
[bodies.coupler]
mass = 0.6
com = [0, 0, 0.15]
inertia = [0.0045, 0.0045, 1.0e-4, 0, 0, 0]
points = { B = [0, 0, 0.3], M = [0.02, 0.01, 0.12] }
[bodies.rocker]
mass = 0.8
com = [0, 0.1, 0]
inertia = [2.7e-3, 1.0e-4, 2.7e-3, 0, 0, 0]
points = { B = [0, 0.2, 0] }
[joints.pivot]
type = "revolute"
parent = "ground"
child = "rocker"
origin = { xyz = [0.18, 0.2, 0] }
axis = [1, 0, 0]
q = ["90*deg"]
[joints.fork]
type = "universal"
parent = "crank"
child = "coupler"
origin = { xyz = [0.08, 0, 0], rpy = [0, "atan2(sqrt(5), 2)", "atan2(2, 1)"] }
[loops.far-ball]
type = "spherical"
i = "coupler.B"
j = "rocker.B"
[joints.shaft]
type = "revolute"
parent = "ground"
child = "crank"
dofs = [{ )toml" +
         shaft_dof + " }]\n";
}
const std::string kLoopDrive = "motion = \"3*t + 0.2*sin(7*t)\"";
const std::string kLoopSpring =
    "[forces]\nspring = { type = \"spring\", i = \"ground.G\", j = \"coupler.M\", stiffness = 200, free_length = 0.25, damping "
    "= 3 }\n";
const std::string kLoopWritten = R"toml(
[measures]
l = "distance(coupler.M, ground.G)"
pull = "200*(l - 0.25) + 3*l.rate"
[forces]
spring = { type = "force", on = "coupler.M", value = ["-pull*(coupler.M.x + 0.1)/l", "-pull*(coupler.M.y - 0.05)/l", "-pull*(coupler.M.z - 0.3)/l"] }
weight-1 = { type = "force", on = "crank.com", value = [0, 0, "-0.5*9.81"] }
weight-2 = { type = "force", on = "coupler.com", value = [0, 0, "-0.6*9.81"] }
weight-3 = { type = "force", on = "rocker.com", value = [0, 0, "-0.8*9.81 + 0*rocker.wx"] }
)toml";
const std::vector<std::string> kLoopColumns{"shaft.q1",    "shaft.v1",         "shaft.a1",         "shaft.j1",
                                            "shaft.s1",    "pivot.a1",         "pivot.s1",         "coupler.M.jx",
                                            "coupler.asz", "far-ball.lambda1", "far-ball.lambda2", "far-ball.lambda3_rate",
                                            "far-ball.fx", "pivot.fz"};

struct SpacePair {
  Mechanism built_in, written;
};

double largest_difference(const Run& a, const Run& b, const std::vector<std::string>& columns) {
  double out = 0;
  for (const std::string& name : columns) {
    CAPTURE(name);
    const auto x = a.results.column(name), y = b.results.column(name);
    REQUIRE(x.size() == y.size());
    REQUIRE(!x.empty());
    const double size = std::max(1.0, largest(x));
    for (std::size_t i = 0; i < x.size(); ++i) out = std::max(out, std::abs(x[i] - y[i]) / size);
  }
  return out;
}

void same_motion(const SpacePair& pair, const std::vector<std::string>& columns) {
  for (const Method method : {Method::dop853, Method::radau})
    for (const Formulation formulation : {Formulation::aba, Formulation::crba, Formulation::lagrange}) {
      CAPTURE(word(method));
      CAPTURE(word(formulation));
      // at one instant there is nothing to integrate
      const Options instant{.to = 1e-9, .steps = 1, .method = method, .formulation = formulation};
      const Run first = dynamics(pair.built_in, instant), second = dynamics(pair.written, instant);
      REQUIRE_MESSAGE(second.outcome.done(), second.outcome.sentence);
      for (const std::string& name : columns) {
        CAPTURE(name);
        const double wanted = *first.results.at(0, name);
        CHECK(std::abs(*second.results.at(0, name) - wanted) <= kSameInstant * std::max(1.0, std::abs(wanted)));
      }
      if (formulation != Formulation::aba) continue;
      const Options options{.to = 0.5, .steps = 25, .tolerance = 1e-10, .method = method};
      const Run x = dynamics(pair.built_in, options), y = dynamics(pair.written, options);
      REQUIRE(x.outcome.done());
      REQUIRE(y.outcome.done());
      CHECK(largest_difference(x, y, columns) < 1e-7);  // both integrate to 1e-10 a step, and snap is the fourth derivative
      CHECK(y.statistics.energy_balance < 1e-8);
    }
  const Options stiff{.to = 0.5, .steps = 1, .method = Method::radau};
  const Run x = dynamics(pair.built_in, stiff), y = dynamics(pair.written, stiff);
  CHECK(y.statistics.steps <= x.statistics.steps + 2);  // Newton has exact Jacobians: it needs no more steps
  CHECK(y.statistics.factorisations <= x.statistics.factorisations + 4);
}

void same_rest(const SpacePair& pair, const std::vector<std::string>& coordinates) {
  const Run a = equilibrium(pair.built_in), b = equilibrium(pair.written);
  REQUIRE(a.outcome.done());
  REQUIRE_MESSAGE(b.outcome.done(), b.outcome.sentence);
  for (const std::string& name : coordinates)
    CHECK(*b.results.at(0, name) == doctest::Approx(*a.results.at(0, name)).epsilon(1e-9));
  REQUIRE(!a.rest->modes.empty());
  REQUIRE(b.rest->modes.size() == a.rest->modes.size());
  for (std::size_t k = 0; k < a.rest->modes.size(); ++k)
    CHECK(std::abs(b.rest->modes[k].frequency - a.rest->modes[k].frequency) <= 1e-8 * (1 + a.rest->modes[k].frequency));
  REQUIRE(b.rest->eigenvalues.size() == a.rest->eigenvalues.size());
  for (std::size_t k = 0; k < a.rest->eigenvalues.size(); ++k)
    CHECK(std::abs(b.rest->eigenvalues[k] - a.rest->eigenvalues[k]) <= 1e-7 * (1 + std::abs(a.rest->eigenvalues[k])));
}

SpaceMechanism built_in_space(const std::string& toml) {
  const auto model = parse_model(toml, "m.toml");
  REQUIRE_MESSAGE(model.problems.empty(), text(model.problems));
  auto mechanism = build_space(model.model);
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  return *std::move(mechanism);
}

}  // namespace

TEST_CASE("in space a spring, a damper, a torque and weight written as expressions move a tree like the built-in ones") {
  same_motion({mechanism_of(kTreeBuiltIn), mechanism_of(kTreeWritten)}, kTreeColumns);
}

TEST_CASE("in space loads written as expressions move a loop like the built-in ones, multipliers and their rates included") {
  const std::string shaft = "torque = \"-1.5*shaft.q1 - 0.05*shaft.v1\"";
  const SpacePair free{mechanism_of(kSpaceHead + kSpaceWeight + loop_model("stiffness = 1.5, damping = 0.05") + kLoopSpring),
                       mechanism_of(kSpaceHead + loop_model(shaft) + kLoopWritten)};
  same_motion(free, kLoopColumns);
  same_rest(free, {"shaft.q1", "pivot.q1", "fork.q1", "far-ball.lambda1"});
  // the motor has to give the same against both
  const SpacePair driven{mechanism_of(kSpaceHead + kSpaceWeight + loop_model(kLoopDrive) + kLoopSpring),
                         mechanism_of(kSpaceHead + loop_model(kLoopDrive) + kLoopWritten)};
  const Run x = inverse(driven.built_in, {.to = 0.5, .steps = 25}), y = inverse(driven.written, {.to = 0.5, .steps = 25});
  REQUIRE(x.outcome.done());
  REQUIRE(y.outcome.done());
  CHECK(largest_difference(x, y, {"shaft.tau1", "far-ball.lambda1", "far-ball.lambda1_rate", "far-ball.fz", "pivot.fx"}) <
        1e-11);
}

TEST_CASE("in space a torque of joint coordinates alone needs no force: tree, rest, jerk and snap") {
  // a ball without weight would have no place to rest: the arm hangs, and its hinge has a spring
  const std::string elbow = "torque = \"-3*elbow.q1 - 0.2*elbow.v1 + 0*arm.z\"";
  const SpacePair pair{mechanism_of(kSpaceHead + kSpaceWeight + tree_model("stiffness = 3, damping = 0.2")),
                       mechanism_of(kSpaceHead + kSpaceWeight + tree_model(elbow))};
  same_motion(pair, kTreeColumns);
  const std::string hanging = R"toml(
[bodies.bob]
mass = 2
com = [0.1, 0, -0.5]
inertia = [0.1, 0.1, 0.02, 0, 0, 0]
[joints.hinge]
type = "universal"
parent = "ground"
child = "bob"
q = [0.1, 0.1]
)toml";
  same_rest({mechanism_of(kSpaceHead + kSpaceWeight + hanging +
                     "dofs = [{ stiffness = 5, damping = 1 }, { stiffness = 2, rest = 0.3 }]\n"),
             mechanism_of(kSpaceHead + kSpaceWeight + hanging +
                     "dofs = [{ torque = \"-5*hinge.q1 - hinge.v1\" }, { torque = \"-2*(hinge.q2 - 0.3)\" }]\n")},
            {"hinge.q1", "hinge.q2"});
}

TEST_CASE("in space a torque of places and spins, without any force, is the weight of a pendulum") {
  // about x: the moment of the weight m g at the centre of mass is −m g y
  const std::string pendulum = R"toml(
[bodies.bob]
mass = 2
com = [0.1, 0.3, -0.5]
inertia = [0.1, 0.1, 0.02, 0, 0, 0]
[joints.hinge]
type = "revolute"
parent = "ground"
child = "bob"
axis = [1, 0, 0]
q = [0.4]
v = [2]
dofs = [{ )toml";
  const SpacePair pair{mechanism_of(kSpaceHead + kSpaceWeight + pendulum + "damping = 0.3 }]\n"),
                       mechanism_of(kSpaceHead + pendulum + "torque = \"-2*9.81*bob.com.y - 0.3*bob.wx\" }]\n")};
  same_motion(pair, {"hinge.q1", "hinge.v1", "hinge.a1", "hinge.j1", "hinge.s1", "bob.asx", "bob.ajx"});
  same_rest(pair, {"hinge.q1"});
}

TEST_CASE("in space the Jacobian with loads of places, velocities, spins and coordinates is that of differences") {
  const SpaceMechanism m = built_in_space(kSpaceHead + kSpaceWeight +
                                          tree_model("torque = \"3*sin(elbow.q1)*fore.tip.x - 2*arm.wz*elbow.v1\"") + R"toml(
[measures]
reach = "distance(arm.com, sled.com)"
[forces]
push = { type = "force", on = "fore.tip", frame = "body", value = ["3*sled.vz^2", "2*reach*elbow.q1", "shoulder.q2*t"] }
twist = { type = "moment", on = "arm", value = ["fore.wx*fore.wy", "exp(-2*reach)", "rate(reach)"] }
both = { type = "wrench", on = "sled", frame = "body", value = ["slide.v1", 0, "fore.tip.vy", "arm.com.vx", "shoulder.v3", 1] }
strut = { type = "spring", i = "ground.G", j = "sled.com", actuator = "4*l*v + elbow.q1*l^2" }
)toml");
  CHECK(m.quantities.size() > 20);
  SpaceOde ode(m);
  const auto n = static_cast<std::size_t>(ode.size());
  std::vector<double> y(n), f(n), jacobian(n * n);
  ode.gather(m.q, m.v, y);
  REQUIRE(ode.rate(0.3, y, f));
  SpaceDerivatives derivatives(m);
  REQUIRE(!derivatives.of_rates(ode.equations(), {0.3, y, ode.q(), ode.v(), ode.a()}, jacobian));
  constexpr double kStep = 1e-3;  // of differences of fourth order
  const double size = largest(jacobian);
  for (std::size_t c = 0; c < n; ++c) {
    std::vector<double> slope(n), out(n);
    for (const auto& [at, weight] : {std::pair{2.0, -1.0}, {1.0, 8.0}, {-1.0, -8.0}, {-2.0, 1.0}}) {
      std::vector<double> moved = y;
      moved[c] += at * kStep;
      REQUIRE(ode.rate(0.3, moved, out));
      for (std::size_t r = 0; r < n; ++r) slope[r] += weight * out[r] / (12 * kStep);
    }
    for (std::size_t r = 0; r < n; ++r) CHECK(std::abs(jacobian[r * n + c] - slope[r]) <= 1e-8 * size);
  }
}

TEST_CASE("in space columns of loads are what their expressions say, and their rates those of differences") {
  constexpr double kStep = 2e-4;  // of differences of fourth order
  const Mechanism m = mechanism_of(kSpaceHead + kSpaceWeight + tree_model("torque = \"-elbow.q1^3\"") + R"toml(
[measures]
speed = "magnitude(fore.tip.vx, fore.tip.vy, fore.tip.vz)"
[forces]
drag = { type = "force", on = "fore.tip", value = ["-2*speed*fore.tip.vx", "-2*speed*fore.tip.vy", "-2*speed*fore.tip.vz"] }
)toml");
  const Run r = dynamics(
      m, {.to = 40 * kStep, .steps = 40, .columns = {"*", "drag.fy_rate"}, .tolerance = 1e-13, .method = Method::dop853});
  REQUIRE(r.outcome.done());
  for (std::size_t i = 0; i < r.results.rows(); ++i) {
    const auto at = [&](const char* name) { return *r.results.at(i, name); };
    CHECK(at("drag.fx") == doctest::Approx(-2 * at("speed") * at("fore.tip.vx")).epsilon(1e-14));
    CHECK(at("elbow.tau1") == doctest::Approx(-std::pow(at("elbow.q1"), 3)).epsilon(1e-14));
  }
  const auto jerk = r.results.column("elbow.j1"), a = r.results.column("elbow.a1"), f = r.results.column("drag.fy"),
             rate = r.results.column("drag.fy_rate");
  REQUIRE(rate.size() == a.size());
  for (std::size_t i = 2; i + 2 < a.size(); ++i) {
    const auto slope = [&](const auto& x) { return (x[i - 2] - 8 * x[i - 1] + 8 * x[i + 1] - x[i + 2]) / (12 * kStep); };
    CHECK(jerk[i] == doctest::Approx(slope(a)).epsilon(1e-7));
    CHECK(rate[i] == doctest::Approx(slope(f)).epsilon(1e-7));
  }
}

TEST_CASE("in space what a load cannot depend on is refused with the reason, and misspelt names are told") {
  const std::string tree = kSpaceHead + tree_model("damping = 1");
  const auto force = [&](const std::string& value) {
    return problems_of(tree + "[forces]\nf = { type = \"moment\", on = \"fore\", value = [0, \"" + value + "\", 0] }\n");
  };
  const std::string decided =
      "cannot stand in a load, which decides it: expected positions, velocities, t and measures of these";
  const auto line = [](const std::string& said) { return said.substr(0, said.find('\n')); };
  CHECK(line(force("arm.alx")) == "m.toml:32:50: error: force 'f': value: 'arm.alx' " + decided);
  CHECK(line(force("elbow.tau1")) == "m.toml:32:50: error: force 'f': value: 'elbow.tau1' " + decided);
  CHECK(line(force("2*slide.fx")) == "m.toml:32:52: error: force 'f': value: 'slide.fx' " + decided);
  CHECK(line(force("energy.kinetic")) == "m.toml:32:50: error: force 'f': value: 'energy.kinetic' " + decided);
  CHECK(line(force("rate(arm.wx)")) == "m.toml:32:50: error: force 'f': value: 'arm.alx' " + decided);
  CHECK(line(force("arm.qw")) ==
        "m.toml:32:50: error: force 'f': value: 'arm.qw' cannot stand in a load: a quaternion and its negative are one "
        "rotation. Expected coordinates of points or joints");
  CHECK(line(force("elbow.q2")) == "m.toml:32:50: error: force 'f': value: unknown name 'elbow.q2' (did you mean 'elbow.q1'?)");
  CHECK(line(force("fore.tip.x + elbow.q1")) == "m.toml:32:61: error: force 'f': value: rad cannot be added to m");
  CHECK(line(problems_of(kSpaceHead + tree_model("torque = \"elbow.a1\""))) ==
        "m.toml:30:21: error: joint 'elbow': dof 1: torque: 'elbow.a1' " + decided);
  const std::string pushed = problems_of(
      tree + "[measures]\nm = \"2*elbow.a1\"\n[forces]\nf = { type = \"moment\", on = \"fore\", value = [0, \"m\", 0] }\n");
  CHECK(line(pushed) == "m.toml:34:50: error: force 'f': value: measure 'm': 'elbow.a1' " + decided);
  // a joint that could not be read is told once
  std::string broken = kSpaceHead + tree_model("torque = \"2*slide.q1\"");
  broken.replace(broken.find("axis = [0, 0.6, -0.8]"), 21, "axis = [0, 0, 0]");
  CHECK(problems_of(broken).find("torque") == std::string::npos);
}
