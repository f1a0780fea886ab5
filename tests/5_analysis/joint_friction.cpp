// Friction of joints that grows with their reactions. Oracle: closed forms (wheels, inclines, wedges), an equation of motion written here for a pendulum and integrated by a
// method of its own, and three ways to the same numbers: every formulation, every method, inverse against forward dynamics.
#include <array>

#include "analysis_test.hpp"
#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/inverse.hpp"
#include "jounce/mechanism/friction_balance.hpp"

namespace joint_friction_test {

using namespace jounce;
using namespace jounce::test;

namespace {

constexpr double kGravity = 9.81;
constexpr double kTight = 1e-13;
// Closed forms after some hundred steps of rounding.
constexpr double kClosed = 1e-11;
// Events, in seconds.
constexpr double kTime = 1e-10;

Value rubbing(double coefficient, double speed) { return Table{}.set("coefficient", Text(coefficient)).set("speed", Text(speed)); }
Value rubbing(double coefficient, double radius, double speed) {
  return Table{}.set("coefficient", Text(coefficient)).set("radius", Text(radius)).set("speed", Text(speed));
}

DynamicsRun run_of(const PlaneMechanism& mechanism, double to, int steps, Method method = Method::automatic, Formulation formulation = Formulation::automatic,
                   double tolerance = kTight) {
  DynamicsOptions options;
  options.to = to, options.steps = steps, options.tolerance = tolerance, options.method = method, options.formulation = formulation;
  return dynamics(mechanism, options);
}
DynamicsRun done(const PlaneMechanism& mechanism, double to, int steps, Method method = Method::automatic, Formulation formulation = Formulation::automatic,
                 double tolerance = kTight) {
  DynamicsRun run = run_of(mechanism, to, steps, method, formulation, tolerance);
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  return run;
}

Model plane() {
  Model m;
  m.gravity = {0.0, -kGravity};
  m.ground.point("O", 0.0, 0.0).point("X", 1.0, 0.0);
  return m;
}
Body& heavy(Body& body, double mass, double inertia) {
  body.mass = Text(mass), body.inertia = Text(inertia);
  return body;
}

// A block on a guide that rises by `slope`.
struct Incline {
  double slope = 0.5, mu = 0.3, speed = 0, mass = 2;

  [[nodiscard]] Model model() const {
    Model m = plane();
    m.ground.point("Q", std::cos(slope), std::sin(slope));
    Body& block = heavy(m.body("block"), mass, 0.01);
    block.point("C", 0.0, 0.0).point("F", 0.1, 0.0);
    draw(block, 0, 0, slope);
    m.joint("guide", "translational").set("slot", std::vector<Text>{"ground.O", "ground.Q"}).set("slider", std::vector<Text>{"block.C", "block.F"}).set("friction", rubbing(mu, speed));
    return m;
  }
};

// A bar on a pin whose bearing rubs, as mechanics writes it: I θ'' = −m g c cos θ − μ r |R| tanh(θ'/s), R = m (a − g) of the centre of mass. R holds θ'', so the acceleration is the
// root of one scalar equation.
struct Pendulum {
  double mass = 1.5, inertia = 0.02, centre = 0.3, mu = 0.2, radius = 0.03, speed = 1e-2;

  [[nodiscard]] Model model() const {
    Model m = plane();
    Body& bar = heavy(m.body("bar"), mass, inertia);
    bar.com = std::vector<Text>{centre, 0.0};
    bar.point("A", 0.0, 0.0);
    pin(m, "bearing", "ground.O", "bar.A").set("friction", rubbing(mu, radius, speed));
    return m;
  }
  [[nodiscard]] double load(double theta, double omega, double alpha) const {
    const double ax = -centre * (alpha * std::sin(theta) + omega * omega * std::cos(theta)), ay = centre * (alpha * std::cos(theta) - omega * omega * std::sin(theta));
    return mass * std::hypot(ax, ay + kGravity);
  }
  [[nodiscard]] double acceleration(double theta, double omega) const {
    double alpha = 0;
    for (int i = 0; i < 200; ++i)  // a contraction: μ r m c / I is small
      alpha = (-mass * kGravity * centre * std::cos(theta) - mu * radius * load(theta, omega, alpha) * std::tanh(omega / speed)) / (inertia + mass * centre * centre);
    return alpha;
  }
  // The classical method of Runge and Kutta.
  void advance(double& theta, double& omega, double time, int steps) const {
    const double h = time / steps;
    for (int i = 0; i < steps; ++i) {
      const double a1 = acceleration(theta, omega), a2 = acceleration(theta + h / 2 * omega, omega + h / 2 * a1);
      const double a3 = acceleration(theta + h / 2 * (omega + h / 2 * a1), omega + h / 2 * a2), a4 = acceleration(theta + h * (omega + h / 2 * a2), omega + h * a3);
      theta += h * omega + h * h / 6 * (a1 + a2 + a3);
      omega += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
  }
};

// A crank, a rod and a slider in which everything rubs.
Model rubbing_slider_crank(double speed) {
  Model m = slider_crank(0.1, 0.35, 0.7);
  m.gravity = {0.0, -kGravity};
  for (Body& body : m.bodies) heavy(body, 1.1, 0.01);
  for (Element& joint : m.joints) joint.set("friction", joint.type == "revolute" ? rubbing(0.1, 0.012, speed) : rubbing(0.15, speed));
  return m;
}

constexpr std::array kEveryFormulation{Formulation::lagrange, Formulation::kkt, Formulation::nullspace, Formulation::kane, Formulation::crba, Formulation::aba};

}  // namespace

TEST_CASE("a wheel in a bearing that rubs slows down evenly, stops when it should, and stays") {
  // closed form: I ω' = −μ r m g
  const double mu = 0.15, r = 0.02, mass = 4, inertia = 0.08, start = 20;
  Model m = plane();
  Body& wheel = heavy(m.body("wheel"), mass, inertia);
  wheel.point("C", 0.0, 0.0);
  wheel.spin = Text(start);
  pin(m, "bearing", "ground.O", "wheel.C").set("friction", rubbing(mu, r, 0));
  const double slows = mu * r * mass * kGravity / inertia, stop = start / slows;
  const PlaneMechanism mechanism = built(m);
  for (const Method method : {Method::taylor, Method::radau, Method::dop853}) {
    CAPTURE(word(method));
    const DynamicsRun run = done(mechanism, 16, 32, method, Formulation::automatic, 1e-12);
    for (std::size_t i = 0; i < run.results.rows(); ++i) {
      const double t = value(run, i, "t"), omega = t < stop ? start - slows * t : 0;
      CHECK(std::abs(value(run, i, "wheel.vphi") - omega) <= kClosed * start);
      CHECK(std::abs(value(run, i, "bearing.friction") - (t < stop ? -mu * r * mass * kGravity : 0)) <= kClosed);
      CHECK(value(run, i, "bearing.torque") == value(run, i, "bearing.friction"));
      CHECK(std::abs(value(run, i, "energy.balance")) <= 1e-9);
    }
    REQUIRE(run.events.size() == 1);
    CHECK(run.events[0].kind == "stick");
    CHECK(run.events[0].elements == std::vector<std::string>{"bearing"});
    CHECK(std::abs(run.events[0].t - stop) <= kTime);
  }
}

TEST_CASE("a block on an incline slides with g (sin a - mu cos a), or not at all where mu is larger than tan a") {
  for (const double mu : {0.1, 0.3, 0.54, 0.55, 0.9}) {
    CAPTURE(mu);
    const Incline incline{.mu = mu};
    const DynamicsRun run = done(built(incline.model()), 1, 4);
    const bool holds = mu > std::tan(incline.slope);  // 0.546
    const double g = kGravity, a = holds ? 0 : g * (std::sin(incline.slope) - mu * std::cos(incline.slope));
    for (std::size_t i = 0; i < run.results.rows(); ++i) {
      const double t = value(run, i, "t");
      CHECK(std::abs(std::hypot(value(run, i, "block.vx"), value(run, i, "block.vy")) - a * t) <= kClosed);
      const double carried = incline.mass * g * (holds ? std::sin(incline.slope) : mu * std::cos(incline.slope));
      CHECK(std::abs(value(run, i, "guide.friction") - carried) <= kClosed * incline.mass * g);
    }
    CHECK(run.events.empty());
  }
  // smooth friction comes to the same but for the start: while the speed is below the one that it is smoothed over, it is less
  const Incline smooth{.speed = 1e-6};
  const DynamicsRun run = done(built(smooth.model()), 1, 4, Method::automatic, Formulation::automatic, 1e-11);
  CHECK(std::abs(value(run, 4, "block.vx") + kGravity * (std::sin(0.5) - 0.3 * std::cos(0.5)) * std::cos(0.5)) <= 1e-5);
}

TEST_CASE("a guide gives way when the load along it passes mu N, and N is the one of that moment") {
  // closed form: a force at 60° to the guide, growing in time, pulls along it and lifts the block: F cos = μ (m g − F sin)
  Incline flat{.slope = 0, .mu = 0.4};
  Model m = flat.model();
  const double c = std::cos(kPi / 3), s = std::sin(kPi / 3), rate = 5;
  force(m, "pull", "force").set("on", Text("block.C")).set("value", std::vector<Text>{text_of(rate * c) + "*t", text_of(rate * s) + "*t"});
  const double slips = flat.mu * flat.mass * kGravity / (rate * (c + flat.mu * s));
  const DynamicsRun run = done(built(m), 3, 6);
  REQUIRE(run.events.size() == 1);
  CHECK(run.events[0].kind == "slip");
  CHECK(std::abs(run.events[0].t - slips) <= kTime);
  // then m v' = F cos − μ (m g − F sin)
  const double after = 3 - slips, v = rate * (c + flat.mu * s) * after * after / 2 / flat.mass;
  CHECK(std::abs(value(run, 6, "block.vx") - v) <= 1e-10);
}

TEST_CASE("a pendulum whose bearing rubs moves as its own equation says, by every method") {
  const Pendulum pendulum;
  const PlaneMechanism mechanism = built(pendulum.model());
  double theta = 0, omega = 0;
  pendulum.advance(theta, omega, 0.9, 20000);
  for (const Method method : {Method::taylor, Method::radau, Method::dop853}) {
    CAPTURE(word(method));
    const DynamicsRun run = done(mechanism, 0.9, 3, method, Formulation::automatic, 1e-12);
    CHECK(std::abs(value(run, 3, "bar.phi") - theta) <= 1e-10);
    CHECK(std::abs(value(run, 3, "bar.vphi") - omega) <= 1e-9);
    CHECK(std::abs(value(run, 3, "bar.aphi") - pendulum.acceleration(theta, omega)) <= 1e-7);
    // jerk is the rate of the acceleration along the motion: central differences of the equation above
    const double h = 1e-5;
    double before_theta = theta, before_omega = omega, after_theta = theta, after_omega = omega;
    pendulum.advance(before_theta, before_omega, -h, 4), pendulum.advance(after_theta, after_omega, h, 4);
    const double here = pendulum.acceleration(theta, omega), after = pendulum.acceleration(after_theta, after_omega), before = pendulum.acceleration(before_theta, before_omega);
    CHECK(value(run, 3, "bar.jphi") == doctest::Approx((after - before) / (2 * h)).epsilon(1e-5));
    CHECK(value(run, 3, "bar.sphi") == doctest::Approx((after - 2 * here + before) / (h * h)).epsilon(1e-3));
    CHECK(std::abs(value(run, 3, "energy.balance")) <= 1e-9);
  }
}

TEST_CASE("every formulation finds the same friction, from acceleration to snap") {
  for (const double speed : {1e-3, 0.0}) {
    const PlaneMechanism mechanism = built(rubbing_slider_crank(speed));
    const DynamicsRun first = done(mechanism, 0.1, 4, Method::taylor, Formulation::lagrange, 1e-11);
    CHECK(std::abs(value(first, 2, "pA.friction")) > 1e-4);
    for (const Formulation formulation : kEveryFormulation) {
      CAPTURE(word(formulation));
      const DynamicsRun run = done(mechanism, 0.1, 4, Method::taylor, formulation, 1e-11);
      for (const Column& column : first.results.columns())
        for (std::size_t i = 0; i < run.results.rows(); ++i) {
          CAPTURE(column.name);
          double scale = 1;
          for (std::size_t k = 0; k < run.results.rows(); ++k) scale = std::max(scale, std::abs(value(first, k, column.name)));
          if (column.name == "energy.balance") continue;
          CHECK(std::abs(value(run, i, column.name) - value(first, i, column.name)) <= 1e-8 * scale);
        }
    }
  }
}

TEST_CASE("inverse dynamics of the motion that forward dynamics found asks for no torque beyond the friction") {
  // forward: the crank is driven, so both find efforts, reactions and their rates, by roads that share nothing but the law
  for (const double speed : {1e-2, 0.0}) {
    Model m = rubbing_slider_crank(speed);
    motor(m, "motor", "ground", "crank", "6*t + sin(7*t)");
    const PlaneMechanism mechanism = built(m);
    const KinematicsRun by_motion = inverse(mechanism, {.to = 0.5, .steps = 5});
    REQUIRE_MESSAGE(by_motion.outcome.done(), by_motion.outcome.sentence);
    const DynamicsRun by_forces = done(mechanism, 0.5, 5, Method::automatic, Formulation::automatic, 1e-12);
    for (const std::string column : {"motor.effort", "pA.fx", "pA.friction", "pO.fy", "pO.torque", "pB.friction", "pA.lambda1_rate", "pB.lambda2_rate", "motor.lambda1_rate"})
      for (std::size_t i = 1; i < by_forces.results.rows(); ++i) {
        CAPTURE(column);
        CHECK(value(by_motion, i, column) == doctest::Approx(value(by_forces, i, column)).epsilon(1e-7));
      }
    for (std::size_t i = 0; i < by_motion.results.rows(); ++i) CHECK(std::abs(value(by_motion, i, "energy.balance")) <= 1e-8);
    CHECK(by_motion.problems.empty());
  }
}

TEST_CASE("a joint whose friction grows with itself as fast as its reaction ends the run by name") {
  // closed form: a plunger drives a wedge out from under itself. The wedge takes N (sin a − μ cos a) − μ N (cos a + μ sin a) from it, which is nothing at a = 2 atan μ: below, no force
  // moves it.
  const double mu = 0.3, bound = 2 * std::atan(mu);
  for (const double slope : {bound - 1e-6, bound + 1e-6, 1.2}) {
    CAPTURE(slope);
    Model m = plane();
    m.ground.point("Y", 0.0, 1.0);
    Body& wedge = heavy(m.body("wedge"), 1, 0.01);
    wedge.point("C", 0.0, 0.0).point("F", 1.0, 0.0).point("T", std::cos(slope), std::sin(slope));
    Body& plunger = heavy(m.body("plunger"), 1, 0.01);
    plunger.point("D", 0.0, 0.0).point("E", 0.1, 0.0);
    draw(plunger, 0, 0, kPi / 2);
    m.joint("floor", "translational").set("slot", std::vector<Text>{"ground.O", "ground.X"}).set("slider", std::vector<Text>{"wedge.C", "wedge.F"}).set("friction", rubbing(mu, 0));
    m.joint("shaft", "translational").set("slot", std::vector<Text>{"ground.O", "ground.Y"}).set("slider", std::vector<Text>{"plunger.D", "plunger.E"});
    m.joint("face", "pin-in-slot").set("slot", std::vector<Text>{"wedge.C", "wedge.T"}).set("pin", Text("plunger.D")).set("friction", rubbing(mu, 0));
    m.driver("push", "slot-distance").set("line", std::vector<Text>{"ground.O", "ground.Y"}).set("point", Text("plunger.D")).set("motion", Text("-0.1*t"));
    const KinematicsRun run = inverse(built(m), {.to = 0.2, .steps = 2});
    if (slope > bound) {
      REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
      continue;
    }
    CHECK(run.outcome.kind == Outcome::Kind::undefined);
    CHECK(run.outcome.sentence.find("its friction jams") != std::string::npos);
    CHECK(run.outcome.elements.size() == 1);
    const DynamicsRun forward = run_of(built(m), 0.2, 2);
    CHECK(forward.outcome.kind == Outcome::Kind::undefined);
    CHECK(forward.outcome.sentence.find("its friction jams") != std::string::npos);
  }
}

TEST_CASE("friction that would grow with a reaction which is not unique is refused by name") {
  Model m = plane();
  Body& block = heavy(m.body("block"), 1, 0.1);
  block.point("C", 0.0, 0.0).point("F", 0.1, 0.0);
  block.velocity = std::vector<Text>{1.0, 0.0};
  for (const char* name : {"left", "right"})
    m.joint(name, "translational").set("slot", std::vector<Text>{"ground.O", "ground.X"}).set("slider", std::vector<Text>{"block.C", "block.F"}).set("friction", rubbing(0.1, 0.01));
  const DynamicsRun run = run_of(built(m), 1, 2);
  CHECK(run.outcome.kind == Outcome::Kind::undefined);
  CHECK(run.outcome.sentence.find("joint 'left': its friction grows with a reaction that redundant equations leave open") != std::string::npos);
}

TEST_CASE("a load that vanishes and comes back within a step is not passed over") {
  // closed form: on a level guide without weight, N = F(t) goes through zero twice; m v' = −μ |F|. A cubic motion in F lets a Taylor step reach far.
  Incline flat{.slope = 0, .mu = 0.5, .mass = 1};
  Model m = flat.model();
  m.gravity.clear();
  m.bodies[0].velocity = std::vector<Text>{10.0, 0.0};
  force(m, "press", "force").set("on", Text("block.C")).set("value", std::vector<Text>{Text(0.0), Text("(t - 1)*(t - 1.3)")});
  const DynamicsRun run = done(built(m), 3, 3);
  // ∫|(t − 1)(t − 1.3)| from 0 to 3: the integral of the product less twice that of its negative part, −0.3³/6
  const double whole = 9.0 - 2.3 * 4.5 + 1.3 * 3, negative = -0.3 * 0.3 * 0.3 / 6;
  CHECK(std::abs(value(run, 3, "block.vx") - (10 - 0.5 * (whole - 2 * negative))) <= 1e-9);
}

TEST_CASE("the balance of friction and reactions: closed forms of one joint, and of loads that begin at zero") {
  FrictionBalance balance(1, 3);
  balance.response(0, 0) = {0.5, 0, 0};
  const std::array<double, 1> factor{0.8}, none{0.0};
  // x = 0.8 |3 + 0.5 x|: x = 2.4 / (1 − 0.4)
  REQUIRE(balance.solve(0, factor, std::array<JointLoad, 1>{{{3, 0, 0}}}, 3) == FrictionBalance::Status::found);
  CHECK(balance.effort(0, 0) == doctest::Approx(4.0).epsilon(1e-15));
  // and with R along the other side: x = 0.8 (3 − 0.5 x)
  REQUIRE(balance.solve(0, factor, std::array<JointLoad, 1>{{{-3, 0, 0}}}, 3) == FrictionBalance::Status::found);
  CHECK(balance.effort(0, 0) == doctest::Approx(2.4 / 1.4).epsilon(1e-15));
  // R = (0, t, 2 t²) up to rounding: |R| = t √(1 + 4 t²) = t + 2 t³ …
  balance.response(0, 0) = {};
  const std::array<JointLoad, 4> free{{{1e-15, 0, 0}, {0, 1, 0}, {0, 0, 2}, {0, 0, 0}}};
  const std::array<double, 4> size{0, 1, 0, 2};
  for (int k = 0; k <= 3; ++k) {
    REQUIRE(balance.solve(k, k == 0 ? factor : none, std::span(free).subspan(static_cast<std::size_t>(k), 1), 3) == FrictionBalance::Status::found);
    CHECK(balance.size(k, 0) == doctest::Approx(size[static_cast<std::size_t>(k)]));
    CHECK(balance.effort(k, 0) == doctest::Approx(0.8 * size[static_cast<std::size_t>(k)]));
  }
  // |c L| ≥ 1: none or two
  balance.response(0, 0) = {0, 1.25, 0};
  CHECK(balance.solve(0, factor, std::array<JointLoad, 1>{{{3, 0, 0}}}, 3) == FrictionBalance::Status::open);
}

}  // namespace joint_friction_test
