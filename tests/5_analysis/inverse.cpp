// Oracles: statics and dynamics on paper (pendulum, slider-crank, hoist, a block on two sliders), Newton's third law, and
// identities of the shortest multipliers.
#include "jounce/analysis/inverse.hpp"

#include <set>

#include "analysis_test.hpp"
#include "jounce/plane/rows/dynamic_rows.hpp"
#include "jounce/plane/motion/multipliers.hpp"
#include "jounce/base/index.hpp"
#include "jounce/io/load.hpp"
#include "jounce/plane/equations/linearisation.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"
#include "places.hpp"

namespace inverse_test {

using namespace jounce;
using namespace jounce::test;

namespace {

constexpr double kGravity = 9.81;

void weigh(Body& body, double mass, double inertia) { body.mass = Text(mass), body.inertia = Text(inertia); }

// A bar of mass m and inertia J about its middle on a pin at the ground's origin, drawn level.
Model pendulum(double length, double mass, double inertia, const std::string& motion) {
  Model m;
  m.gravity = {0.0, -kGravity};
  m.ground.point("O", 0.0, 0.0);
  Body& arm = bar(m, "arm", length, 0, 0, 0);
  arm.com = std::vector<Text>{length / 2, 0.0};
  weigh(arm, mass, inertia);
  pin(m, "pO", "ground.O", "arm.A");
  motor(m, "motor", "ground", "arm", motion);
  return m;
}

// A block that can only rise and sink along the y axis, drawn 1 m above the ground's origin.
Model lift(double mass) {
  Model m;
  m.gravity = {0.0, -kGravity};
  m.ground.point("O", 0.0, 0.0).point("Y", 0.0, 1.0);
  Body& block = m.body("block");
  block.point("P", 0.0, 0.0).point("Q", 0.0, 0.5);
  draw(block, 0, 1, 0);
  weigh(block, mass, 0.2);
  m.joint("guide", "translational")
      .set("slot", std::vector<Text>{"ground.O", "ground.Y"})
      .set("slider", std::vector<Text>{"block.P", "block.Q"});
  return m;
}

KinematicsRun done(const PlaneMechanism& mechanism, const KinematicsOptions& options) {
  KinematicsRun run = inverse(mechanism, options);
  REQUIRE_MESSAGE(run.outcome.done(), text(run.problems));
  return run;
}

}  // namespace

TEST_CASE("a driven pendulum: pin force, torque, energy and momentum on paper") {
  // oracle: theta = w t + a t²/2; the middle moves on a circle of radius c = length / 2
  const double length = 0.8, mass = 1.7, J = 0.13, w = 3, a = 1.4, c = length / 2;
  const auto m = built(pendulum(length, mass, J, "3*t + 0.7*t^2"));
  const auto run = done(m, {.to = 1.3, .steps = 13});
  const double size = mass * (kGravity + c * 30);
  for (std::size_t i = 0; i < run.results.rows(); ++i) {
    const double t = value(run, i, "t"), theta = w * t + a * t * t / 2, rate = w + a * t;
    const double ax = -c * (rate * rate * std::cos(theta) + a * std::sin(theta));
    const double ay = -c * (rate * rate * std::sin(theta) - a * std::cos(theta));
    const auto check = [&](const std::string& column, double expected) {
      CAPTURE(column);
      CHECK(std::abs(value(run, i, column) - expected) <= kSolved * size);
    };
    check("pO.fx", mass * ax);
    check("pO.fy", mass * (ay + kGravity));
    check("pO.torque", 0);
    check("motor.fx", 0);
    check("motor.torque", (J + mass * c * c) * a + mass * kGravity * c * std::cos(theta));
    CHECK(value(run, i, "motor.effort") == value(run, i, "motor.torque"));
    check("motor.lambda1", -value(run, i, "motor.torque"));
    check("pO.lambda1", -value(run, i, "pO.fx"));
    check("energy.kinetic", 0.5 * (J + mass * c * c) * rate * rate);
    check("energy.potential", mass * kGravity * c * std::sin(theta));
    check("energy.total", value(run, i, "energy.kinetic") + value(run, i, "energy.potential"));
    check("momentum.px", -mass * c * rate * std::sin(theta));
    check("momentum.py", mass * c * rate * std::cos(theta));
    check("momentum.lz", (J + mass * c * c) * rate);
    check("momentum.lgz", J * rate);
    check("com.x", c * std::cos(theta));
    check("com.y", c * std::sin(theta));
    check("constraint.error", 0);
  }
}

TEST_CASE("a pin carries no torque, to the last bit") {
  // oracle: what a pin is
  Model model = four_bar(0.3, 0.1, 0.25, 0.3, 0.7, 1);
  model.gravity = {0.0, -kGravity};
  for (Body& body : model.bodies) body.com = std::vector<Text>{0.07, 0.013}, weigh(body, 1.3, 0.02);
  motor(model, "drive", "ground", model.bodies[0].name, "3*t");
  const KinematicsRun run = done(built(model), {.to = 2, .steps = 200});
  int pins = 0;
  for (const Element& joint : model.joints) {
    pins += joint.type == "revolute";
    for (std::size_t i = 0; i < run.results.rows() && joint.type == "revolute"; ++i) CHECK(value(run, i, joint.name + ".torque") == 0);
  }
  CHECK(pins == 4);
}

TEST_CASE("the columns come in the order of the interface") {
  // oracle: section 4 of the interface, written out, and the loads that it leaves open, each in its place among the forces
  Model model = pendulum(0.8, 1, 0.1, "t");
  force(model, "pull", "force").set("on", Text("arm.B")).set("value", std::vector<Text>{1.0, "t"});
  force(model, "coil", "spring").set("i", Text("ground.O")).set("j", Text("arm.B")).set("damping", Text(2.0));
  force(model, "spiral", "torsion-spring").set("i", Text("ground")).set("j", Text("arm")).set("stiffness", Text(2.0));
  force(model, "turn", "moment").set("on", Text("arm")).set("value", Text("t"));
  const auto mechanism = built(model);
  const auto after = [&](bool rates) {
    const auto all = names_of(dynamic_columns(mechanism, rates));
    const std::size_t kinematic = kinematic_columns(mechanism).size();
    return std::vector<std::string>(all.begin() + static_cast<std::ptrdiff_t>(kinematic), all.end());
  };
  const std::vector<std::string> rest{"pull.fx",      "pull.fy",       "coil.l",          "coil.v",
                                      "coil.f",       "spiral.theta",  "spiral.omega",    "spiral.torque",
                                      "turn.torque",  "energy.kinetic", "energy.potential",
                                      "energy.total", "energy.work",   "energy.balance",  "momentum.px",   "momentum.py",     "momentum.lz", "momentum.lgz",
                                      "com.x",        "com.y",         "constraint.error"};
  std::vector<std::string> expected{"pO.fx",    "pO.fy",    "pO.torque",    "pO.f",    "pO.lambda1",   "pO.lambda2",
                                    "motor.fx", "motor.fy", "motor.torque", "motor.f", "motor.effort", "motor.lambda1"};
  expected.insert(expected.end(), rest.begin(), rest.end());
  CHECK(after(false) == expected);
  expected = {"pO.fx",    "pO.fy",    "pO.torque",    "pO.f",    "pO.lambda1",   "pO.lambda2",    "pO.lambda1_rate",   "pO.lambda2_rate",
              "motor.fx", "motor.fy", "motor.torque", "motor.f", "motor.effort", "motor.lambda1", "motor.lambda1_rate"};
  expected.insert(expected.end(), rest.begin(), rest.end());
  CHECK(after(true) == expected);
}

TEST_CASE("loads that the model gives are shown in ground axes at every time") {
  // oracle: the functions themselves; a force that turns with the arm is turned by the arm's angle
  Model model = pendulum(0.8, 1, 0.1, "2*t");
  force(model, "pull", "force").set("on", Text("arm.B")).set("value", std::vector<Text>{"3 + t", "t^2"});
  force(model, "jet", "force").set("on", Text("arm.B")).set("value", std::vector<Text>{5.0, "t"}).set("frame", std::string("body"));
  force(model, "turn", "moment").set("on", Text("arm")).set("value", Text("7*t"));
  const auto run = done(built(model), {.to = 1, .steps = 4});
  for (std::size_t i = 0; i < run.results.rows(); ++i) {
    const double t = value(run, i, "t"), c = std::cos(2 * t), s = std::sin(2 * t);
    CHECK(value(run, i, "pull.fx") == doctest::Approx(3 + t).epsilon(kSolved));
    CHECK(value(run, i, "pull.fy") == doctest::Approx(t * t).epsilon(kSolved));
    CHECK(value(run, i, "jet.fx") == doctest::Approx(5 * c - t * s).epsilon(kSolved));
    CHECK(value(run, i, "jet.fy") == doctest::Approx(5 * s + t * c).epsilon(kSolved));
    CHECK(value(run, i, "turn.torque") == doctest::Approx(7 * t).epsilon(kSolved));
  }
}

TEST_CASE("a slider-crank with a massless crank and rod: forces by the virtual work of the piston") {
  // oracle: x(theta) = r cos theta + l cos beta, sin beta = −(r/l) sin theta; the rod carries N_x = m x'' − F along itself
  const double r = 0.05, l = 0.2, mass = 0.6, w = 20, theta_0 = 0.7, load = -150;
  Model model = slider_crank(r, l, theta_0);
  weigh(model.body("crank"), 0, 0);
  weigh(model.body("rod"), 0, 0);
  weigh(model.body("block"), mass, 0.001);
  motor(model, "motor", "ground", "crank", "20*t");
  force(model, "load", "force").set("on", Text("block.P")).set("value", std::vector<Text>{load, 0.0});
  const auto run = done(built(model), {.to = 0.314, .steps = 20});
  for (std::size_t i = 0; i < run.results.rows(); ++i) {
    const double theta = theta_0 + w * value(run, i, "t"), s = std::sin(theta), c = std::cos(theta);
    const double sb = -r / l * s, cb = std::sqrt(1 - sb * sb), beta_1 = -r / l * c / cb;  // d beta / d theta
    const double dx = -r * s - l * sb * beta_1;
    const double beta_2 = (r / l * s + sb * beta_1 * beta_1) / cb;
    const double ddx = -r * c - l * (cb * beta_1 * beta_1 + sb * beta_2);
    const double N_x = mass * w * w * ddx - load, N_y = N_x * sb / cb;
    const auto check = [&](const std::string& column, double expected) {
      CAPTURE(column);
      CHECK(std::abs(value(run, i, column) - expected) <= kSolved * 300);
    };
    check("pB.fx", N_x);
    check("pB.fy", N_y);
    check("guide.fx", 0);
    check("guide.fy", -N_y);
    check("guide.torque", 0);
    check("pA.fx", N_x);  // on the rod, which passes it on
    check("pO.fx", N_x);
    check("pO.fy", N_y);
    check("motor.effort", N_x * dx);
    CHECK(value(run, i, "energy.potential") == 0);
  }
}

TEST_CASE("every kind of linear driver lifts a weight with the same effort") {
  // oracle: m (g + f''), upwards; a distance counts as pushing the points apart, whichever of them is i
  const double mass = 3;
  const std::string motion = "1 + 0.2*sin(3*t)";
  const auto effort = [&](const std::function<Element&(Model&)>& add) {
    Model model = lift(mass);
    add(model).set("motion", Text(motion));
    return done(built(model), {.to = 1, .steps = 7});
  };
  const std::vector<KinematicsRun> runs = [&] {
    std::vector<KinematicsRun> out;
    out.push_back(effort(
        [](Model& m) -> Element& { return m.driver("d", "distance").set("i", Text("ground.O")).set("j", Text("block.P")); }));
    out.push_back(effort(
        [](Model& m) -> Element& { return m.driver("d", "distance").set("i", Text("block.P")).set("j", Text("ground.O")); }));
    out.push_back(effort([](Model& m) -> Element& {
      return m.driver("d", "slot-distance")
          .set("line", std::vector<Text>{"ground.O", "ground.Y"})
          .set("point", Text("block.P"));
    }));
    out.push_back(effort([](Model& m) -> Element& { return m.driver("d", "coordinate").set("j", Text("block.y")); }));
    return out;
  }();
  for (std::size_t k = 0; k < runs.size(); ++k) {
    CAPTURE(k);
    const bool on_ground = k == 1;  // j is the ground: the reaction reported is the one on it
    for (std::size_t i = 0; i < runs[k].results.rows(); ++i) {
      const double expected = mass * (kGravity - 1.8 * std::sin(3 * value(runs[k], i, "t")));
      CHECK(std::abs(value(runs[k], i, "d.effort") - expected) <= kSolved * 40);
      CHECK(std::abs(value(runs[k], i, "d.fy") - (on_ground ? -expected : expected)) <= kSolved * 40);
      CHECK(std::abs(value(runs[k], i, "d.fx")) <= kSolved * 40);
    }
  }
}

TEST_CASE("springs, exact friction and laws with a kink are part of the effort") {
  // oracle: m (g + f'') + c f' + F sign(f') + 5 |f'|, with f = 1 + 0.2 sin 3t, which stops and turns at 3t = pi/2; the length
  // of the spring is the block's height; at t = 0 nothing is special, at the turning point |v| has its kink
  const double mass = 3, damping = 4, friction = 7;
  Model model = lift(mass);
  model.driver("d", "coordinate").set("j", Text("block.y")).set("motion", Text("1 + 0.2*sin(3*t)"));
  force(model, "damper", "spring")
      .set("i", Text("ground.O"))
      .set("j", Text("block.P"))
      .set("damping", Text(damping))
      .set("actuator", Text("5*abs(v)"));
  force(model, "brake", "spring")
      .set("i", Text("ground.O"))
      .set("j", Text("block.P"))
      .set("friction", Text(friction))
      .set("friction_speed", Text(0.0));
  const auto run = done(built(model), {.to = 2, .steps = 9});
  for (std::size_t i = 0; i < run.results.rows(); ++i) {
    const double t = value(run, i, "t"), rate = 0.6 * std::cos(3 * t), tension = damping * rate + 5 * std::abs(rate);
    const double brake = friction * (rate > 0 ? 1 : -1);
    CHECK(std::abs(value(run, i, "damper.l") - (1 + 0.2 * std::sin(3 * t))) <= kSolved);
    CHECK(std::abs(value(run, i, "damper.v") - rate) <= kSolved);
    CHECK(std::abs(value(run, i, "damper.f") - tension) <= kSolved * 10);
    CHECK(std::abs(value(run, i, "brake.f") - brake) <= kSolved * 10);
    const double expected = mass * (kGravity - 1.8 * std::sin(3 * t)) + tension + brake;
    CHECK(std::abs(value(run, i, "d.effort") - expected) <= kSolved * 100);
  }
  // at rest: a motion that does not move
  Model still = lift(mass);
  still.driver("d", "coordinate").set("j", Text("block.y")).set("motion", Text("0"));
  force(still, "damper", "spring")
      .set("i", Text("ground.O"))
      .set("j", Text("block.P"))
      .set("actuator", Text("5*abs(v) + abs(l - 1)"));
  CHECK(std::abs(value(done(built(still), {.to = 1, .steps = 1}), 0, "d.effort") - mass * kGravity) <= kSolved * 40);
}

TEST_CASE("a reaction acts on body j at its point, and its opposite on the others") {
  // oracle: Newton's third law for every joint and driver that moves with the bodies: force and moment of all its bodies are
  // zero. The forces on moving bodies come from the linearisation, that on body j from the reported reaction, moved to the
  // ground's origin
  std::set<std::string> types;
  for (const char* name : {"drafting-machine", "excavator-boom", "peaucellier", "planetary", "quick-return", "rack-and-wheel",
                           "scotch-yoke", "toggle-press", "redundant-parallelogram", "tusi-couple"}) {
    CAPTURE(name);
    const auto mechanism = load_plane(std::string(places::source() + "/models/") + name + "/model.toml");
    REQUIRE(mechanism.ok());
    const PlanarSystem& system = mechanism->system;
    const auto run = done(*mechanism, {.to = 0.31 * mechanism->run.to, .steps = 1});
    const std::span<const double> q(run.q);
    std::vector<planar::FrameRecord> frames(z(system.bodies() + 1));
    frames[0].c = 1;
    for (std::size_t b = 1; b < frames.size(); ++b) {
      const double phi = q[3 * b - 1];
      static_cast<planar::Frame<double>&>(frames[b]) = {q[3 * b - 3], q[3 * b - 2], std::cos(phi), std::sin(phi), phi};
    }
    system.impl().each([&]<template <class> class E>(const Batch<E>& batch) {
      if (E<double>::invariance != planar::Invariance::rigid_motion) return;
      for (int e = 0; e < batch.size(); ++e) {
        const Constraint& c = system.constraints()[z(batch.constraint[z(e)])];
        CAPTURE(c.name);
        types.insert(std::string(planar::word(c.group)) + " " + std::string(c.type));
        std::vector<double> lambda(z(system.equations()));
        for (int r = 0; r < c.rows; ++r) lambda[z(c.first_row + r)] = value(run, 1, c.name + ".lambda" + std::to_string(r + 1));
        const Reaction reported = reactions(system, 0.31 * mechanism->run.to, frames, lambda)[z(batch.constraint[z(e)])];
        CHECK(std::abs(reported.fx - value(run, 1, c.name + ".fx")) <= kSolved * (1 + std::abs(reported.fx)));
        CHECK(std::abs(reported.torque - value(run, 1, c.name + ".torque")) <= kSolved * (1 + std::abs(reported.fx)));
        const auto at = batch.elements[z(e)].reported_at();
        Vec2<double> point{frames[z(at.body)].x, frames[z(at.body)].y};
        if constexpr (requires { at.p; })
          point = planar::World<double>{std::vector<planar::Frame<double>>(frames.begin(), frames.end()), {}}.point(at);
        const double about_origin = reported.torque + cross(point, Vec2<double>{reported.fx, reported.fy});
        double fx = reported.fx, fy = reported.fy, moment = about_origin;
        const double size = 1 + std::abs(fx) + std::abs(fy) + std::abs(moment);
        Linearisation forces(system);
        forces.constraint_forces(0.31 * mechanism->run.to, q, lambda);
        for (int b = 1; b <= system.bodies(); ++b) {
          const double* f = forces.constraint_force().data() + 3 * (b - 1);
          const double there = f[2] + frames[z(b)].x * f[1] - frames[z(b)].y * f[0];
          if (b == at.body) {  // the two must agree there
            CHECK(std::abs(reported.fx + f[0]) <= kSolved * size);
            CHECK(std::abs(about_origin + there) <= kSolved * size);
          } else {
            fx -= f[0], fy -= f[1], moment -= there;
          }
        }
        if (std::ranges::find(c.bodies, 0) != c.bodies.end() && at.body != 0) continue;  // the rest is on the ground
        CHECK(std::abs(fx) <= kSolved * size);
        CHECK(std::abs(fy) <= kSolved * size);
        CHECK(std::abs(moment) <= kSolved * size);
      }
    });
  }
  CHECK(types.size() >= 8);
}

TEST_CASE("two pins at the same place share the load equally, and only they are not unique") {
  // oracle: the shortest of all pairs with a given sum is half and half
  Model model = pendulum(0.8, 1.7, 0.13, "3*t");
  pin(model, "second", "ground.O", "arm.A");
  const auto twice = done(built(model), {.to = 1, .steps = 4}),
             once = done(built(pendulum(0.8, 1.7, 0.13, "3*t")), {.to = 1, .steps = 4});
  CHECK(twice.not_unique == std::vector<std::string>{"pO", "second"});
  CHECK(once.not_unique.empty());
  REQUIRE(twice.problems.size() == 1);
  CHECK(twice.problems[0].sentence.starts_with("reactions not unique: pO, second"));
  for (std::size_t i = 0; i < twice.results.rows(); ++i) {
    for (const char* column : {".fx", ".fy"}) {
      CHECK(std::abs(value(twice, i, std::string("pO") + column) - value(once, i, std::string("pO") + column) / 2) <=
            kSolved * 30);
      CHECK(std::abs(value(twice, i, std::string("second") + column) - value(once, i, std::string("pO") + column) / 2) <=
            kSolved * 30);
    }
    CHECK(std::abs(value(twice, i, "motor.effort") - value(once, i, "motor.effort")) <= kSolved * 30);
  }
}

TEST_CASE("a block on two sliders of one guide takes its load with the smallest forces and moments over the length scale") {
  // oracle: forces f1, f2 at 0 and a, moments m each: the least f1² + f2² + 2 (m/L)² with f1 + f2 = F and f2 a + 2 m = M is
  // f1 = α, f2 = α + β a, m = β L² with 2α + β a = F, a α + β a² + 2 β L² = M
  Model model;
  model.ground.point("O", 0.0, 0.0).point("X", 0.3, 0.0);
  Body& block = model.body("block");
  block.point("P", 0.0, 0.0).point("Q", 0.4, 0.0).point("R", 0.9, 0.0);
  block.com = std::vector<Text>{0.5, 0.1};
  draw(block, 0, 0, 0);
  weigh(block, 2, 0.1);
  const auto guide = [&](const char* name, const char* from) {
    model.joint(name, "translational")
        .set("slot", std::vector<Text>{"ground.O", "ground.X"})
        .set("slider", std::vector<Text>{from, "block.R"});
  };
  guide("near", "block.P");
  guide("far", "block.Q");
  model.driver("push", "coordinate").set("j", Text("block.x")).set("motion", Text("0.1*t"));
  model.gravity = {0.0, -kGravity};
  force(model, "twist", "moment").set("on", Text("block")).set("value", Text(5.0));
  const auto mechanism = built(model);
  const auto run = done(mechanism, {.to = 1, .steps = 1});
  const double a = 0.4, L = mechanism.system.length_scale(), F = 2 * kGravity, M = 0.5 * F - 5;
  // α = (F − β a) / 2 in the second: a F / 2 + β (a² / 2 + 2 L²) = M
  const double beta = (M - a * F / 2) / (a * a / 2 + 2 * L * L), alpha = (F - beta * a) / 2;
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(std::abs(value(run, i, "near.fy") - alpha) <= kSolved * 40);
    CHECK(std::abs(value(run, i, "far.fy") - (alpha + beta * a)) <= kSolved * 40);
    CHECK(std::abs(value(run, i, "near.torque") - beta * L * L) <= kSolved * 40);
    CHECK(std::abs(value(run, i, "far.torque") - beta * L * L) <= kSolved * 40);
  }
  CHECK(run.not_unique == std::vector<std::string>{"near", "far"});
}

TEST_CASE("dense and sparse factors leave the same multipliers open") {
  // oracle: two routes to the null space of the Jacobian, one with columns that find no pivot (undriven)
  const auto mechanism = load_plane(places::source() + "/models/redundant-parallelogram/model.toml");
  REQUIRE(mechanism.ok());
  const PlanarSystem& system = mechanism->system;
  const Assembly start = assemble(*mechanism);
  const Indeterminacy dense = indeterminacy(system, 0, start.q);
  Evaluation evaluation(system, 0);
  REQUIRE(!evaluation.set_time(0));
  (void)evaluation.set_position(start.q);
  SparseLu lu(system.pattern());
  lu.factor(evaluation.jacobian());
  const Indeterminacy sparse = indeterminacy(system, evaluation, lu);
  REQUIRE(dense.null_space.size() == 1);
  REQUIRE(sparse.null_space.size() == 1);
  CHECK(dense.unique == sparse.unique);
  std::vector<double> a, b;
  for (int r = 0; r < system.equations(); ++r) a.push_back(std::sin(3.0 * r + 1));
  b = a;
  shorten(dense, a);
  shorten(sparse, b);
  for (std::size_t r = 0; r < a.size(); ++r) CHECK(std::abs(a[r] - b[r]) <= kSolved);
}

TEST_CASE("many pendulums, some on two pins: the null space of a large model, driven or not") {
  // oracle: every tenth pendulum has two pins, whose two equations repeat; multipliers of 1 and 0 on them become a half each
  for (const bool driven : {true, false}) {
    CAPTURE(driven);
    Model model;
    model.ground.point("O", 0.0, 0.0);
    constexpr int kCopies = 310;  // 930 coordinates: beyond the dense decomposition
    for (int i = 0; i < kCopies; ++i) {
      const std::string n = std::to_string(i);
      weigh(bar(model, "arm" + n, 0.8, 0, 0, 0.01 * i), 1, 0.1);
      pin(model, "first" + n, "ground.O", "arm" + n + ".A");
      if (i % 10 == 0) pin(model, "second" + n, "ground.O", "arm" + n + ".A");
      if (driven) motor(model, "motor" + n, "ground", "arm" + n, "t");
    }
    const auto mechanism = built(model);
    const Indeterminacy open = indeterminacy(mechanism.system, 0, mechanism.drawn);
    CHECK(open.null_space.size() == 2 * kCopies / 10);
    const auto names = not_unique(mechanism.system, open);
    CHECK(names.size() == 2 * kCopies / 10);
    std::vector<double> lambda(z(mechanism.system.equations()));
    for (const Constraint& c : mechanism.system.constraints())
      for (int r = 0; r < c.rows; ++r) lambda[z(c.first_row + r)] = c.name.starts_with("second") ? 0 : 1;
    shorten(open, lambda);
    for (const Constraint& c : mechanism.system.constraints())
      for (int r = 0; r < c.rows; ++r) {
        const bool shared = test::names(names, c.name);
        CHECK(std::abs(lambda[z(c.first_row + r)] - (shared ? 0.5 : 1.0)) <= kSolved);
      }
  }
}

TEST_CASE("a body without a mass or an inertia is an error before the run, 0 is not") {
  // oracle: the interface: masses are needed for reactions; the sentence and the place are part of it
  Model model = slider_crank(0.05, 0.2, 0.7);
  model.file = "engine.toml";
  motor(model, "motor", "ground", "crank", "t");
  model.body("crank").mass = Text(0.0);
  model.body("crank").inertia = Text(0.0);
  model.body("rod").mass = Text(0.5);
  model.body("rod").where = {14, 2};
  model.body("block").where = {20, 2};
  const auto run = inverse(built(model), {.to = 1, .steps = 1});
  CHECK(run.outcome.kind == Outcome::Kind::not_run);
  CHECK(run.results.rows() == 0);
  REQUIRE(run.problems.size() == 2);
  CHECK(run.problems[0].text().starts_with(
      "engine.toml:14:2: error: body 'rod': 'inertia' is missing: inverse dynamics needs it (0 for a body without mass)"));
  CHECK(run.problems[1].text() ==
        "engine.toml:20:2: error: body 'block': 'mass' is missing: inverse dynamics needs it (0 for a body without mass)");
}

TEST_CASE("a force that stops having a value ends the run there, and what was computed is kept") {
  // oracle: sqrt(0.55 − t) has no value at 0.6; six of the times i/10 lie before it
  Model model = pendulum(0.8, 1.7, 0.13, "3*t");
  force(model, "load", "force")
      .set("on", Text("arm.B"))
      .set("value", std::vector<Text>{0.0, Text("sqrt(0.55 - t)", {7, 11}, true)});
  const auto run = inverse(built(model), {.to = 1, .steps = 10});
  CHECK(run.outcome.kind == Outcome::Kind::undefined);
  CHECK(std::abs(run.outcome.t - 0.6) <= kSolved);
  CHECK(run.results.rows() == 6);
  CHECK(run.outcome.elements == std::vector<std::string>{"load"});
  REQUIRE(run.problems.size() == 1);
  CHECK(run.problems[0].sentence.starts_with("force 'load': "));
  CHECK(run.problems[0].sentence.ends_with(", at t = 0.6 s"));
  CHECK(run.problems[0].where == Where{7, 11});
}

TEST_CASE("forces beyond the numbers end the run instead of filling it with infinities") {
  // oracle: 1e308 kg times 9.81 m/s² is no double
  const auto run = inverse(built(pendulum(0.8, 1e308, 0.13, "3*t")), {.to = 1, .steps = 10});
  CHECK(run.outcome.kind == Outcome::Kind::undefined);
  CHECK(run.results.rows() == 0);
  CHECK(run.outcome.elements.empty());
  REQUIRE(run.problems.size() == 1);
  CHECK(run.problems[0].sentence == "the forces are too large: not every reaction is a finite number, at t = 0 s");
}

TEST_CASE("no column of inverse dynamics is ever minus zero") {
  // oracle: the sign bit; turning either way without gravity, at angles where sines and cosines are zero, gives zeros of both
  // signs
  for (const char* motion : {"0*t", "-t", "t"}) {
    Model model = pendulum(0.8, 1.7, 0.13, motion);
    model.gravity = {};
    pin(model, "second", "ground.O", "arm.A");
    const auto run = done(built(model), {.to = 1, .steps = 1});
    for (std::size_t i = 0; i < 2; ++i)
      for (const double x : run.results.row(i)) CHECK(!(x == 0 && std::signbit(x)));
  }
  // and when multipliers, energies and residuals come as minus zero
  const auto mechanism = built(pendulum(0.8, 1.7, 0.13, "0*t"));
  Evaluation at(mechanism.system, 4);
  REQUIRE(!at.set_time(0));
  (void)at.set_position(mechanism.drawn);
  const std::vector<double> zeros(3, -0.0);
  DynamicSample sample{
      .frames = {}, .lambda = zeros, .lambda_rate = zeros, .readings = {}, .potential = -0.0, .constraint_error = -0.0};
  for (int k = 0; k <= 4; ++k) sample.frames[z(k)] = at.frames(0);
  std::vector<double> row(dynamic_columns(mechanism, true).size());
  fill_dynamic_row(mechanism, sample, row);
  for (const double x : row) CHECK(!(x == 0 && std::signbit(x)));
}

}  // namespace inverse_test
