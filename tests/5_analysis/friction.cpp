// Oracle: motions in closed form (piecewise constant friction), models/stick-slip/expected.json, and the limit of smooth friction.
#include <fstream>
#include <nlohmann/json.hpp>

#include "analysis_test.hpp"
#include "jounce/analysis/dynamics.hpp"
#include "jounce/io/load.hpp"
#include "places.hpp"

namespace friction_test {

using namespace jounce;
using namespace jounce::test;

namespace {

// What the records of the model promise, and a run at kTight keeps.
constexpr double kPromised = 1e-9;
constexpr double kTight = 1e-13;

DynamicsRun done(const PlaneMechanism& mechanism, double to, int steps, Method method = Method::automatic, double tolerance = kTight) {
  DynamicsOptions options;
  options.to = to, options.steps = steps, options.tolerance = tolerance, options.method = method;
  DynamicsRun run = dynamics(mechanism, options);
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  REQUIRE(run.results.rows() == static_cast<std::size_t>(steps) + 1);
  return run;
}

std::vector<Event> friction_events(const DynamicsRun& run) {
  std::vector<Event> out;
  for (const Event& event : run.events)
    if (event.kind == "stick" || event.kind == "slip" || event.kind == "friction-reversal") out.push_back(event);
  return out;
}

void check_event(const Event& event, const std::string& kind, const std::string& force, double t, double within = kPromised) {
  CHECK(event.kind == kind);
  CHECK(event.elements == std::vector<std::string>{force});
  CHECK_MESSAGE(std::abs(event.t - t) <= within, event.t, " and not ", t);
}

// A block that slides along the x axis; its length from ground.O is its x.
Body& block(Model& m, const std::string& name, double x, double mass, double v = 0) {
  Body& body = m.body(name);
  body.mass = Text(mass);
  body.inertia = Text(1.0);
  body.point("C", 0.0, 0.0);
  draw(body, x, 0, 0);
  body.velocity = std::vector<Text>{v, 0.0};
  m.joint(name + "-level", "coordinate").set("j", Text(name + ".y"));
  m.joint(name + "-upright", "coordinate").set("j", Text(name + ".phi"));
  return body;
}
Element& strut(Model& m, std::string name, std::string i, std::string j, double friction) {
  return force(m, std::move(name), "spring")
      .set("i", Text(std::move(i)))
      .set("j", Text(std::move(j)))
      .set("friction", Text(friction))
      .set("friction_speed", Text(0.0));
}
// Friction in the bearing of a body on the ground.
void brake(Model& m, std::string name, std::string body, double friction) {
  force(m, std::move(name), "torsion-spring")
      .set("i", Text("ground"))
      .set("j", Text(std::move(body)))
      .set("friction", Text(friction))
      .set("friction_speed", Text(0.0));
}
void push(Model& m, const std::string& on, const std::string& fx) {
  force(m, "load", "force").set("on", Text(on)).set("value", std::vector<Text>{Text(fx), Text(0.0)});
}
Model plane() {
  Model m;
  m.ground.point("O", 0.0, 0.0);
  return m;
}

// A block on a spring with friction, drawn out: the closed form of its half-cycles.
struct Swing {
  double mass = 1, stiffness = 100, free_length = 0.5, friction = 3, start = 0.2;

  [[nodiscard]] Model model() const {
    Model m = plane();
    block(m, "block", free_length + start, mass);
    strut(m, "coil", "ground.O", "block.C", friction).set("stiffness", Text(stiffness)).set("free_length", Text(free_length));
    return m;
  }
  [[nodiscard]] double omega() const { return std::sqrt(stiffness / mass); }
  // Stretch, its rate, and whether it has stopped for good.
  void at(double t, double& x, double& v, bool& stuck) const {
    double amplitude = start, side = 1, begin = 0;
    const double shift = friction / stiffness, half = kPi / omega();
    for (;; begin += half, amplitude -= 2 * shift, side = -side) {
      stuck = amplitude <= shift;
      x = side * amplitude, v = 0;
      if (stuck) return;
      if (t < begin + half) break;
    }
    x = side * (shift + (amplitude - shift) * std::cos(omega() * (t - begin)));
    v = -side * (amplitude - shift) * omega() * std::sin(omega() * (t - begin));
  }
};

}  // namespace

TEST_CASE("a block with friction swings in half-cycles about plus or minus F/k, and sticks") {
  const Swing swing;
  const PlaneMechanism mechanism = built(swing.model());
  for (const Method method : {Method::automatic, Method::taylor, Method::radau, Method::dop853}) {
    const double tolerance = method == Method::radau ? 1e-11 : kTight;
    CAPTURE(word(method));
    const auto run = done(mechanism, 1.5, 60, method, tolerance);
    for (std::size_t i = 0; i < run.results.rows(); ++i) {
      double x = 0, v = 0;
      bool stuck = false;
      swing.at(value(run, i, "t"), x, v, stuck);
      CHECK(std::abs(value(run, i, "block.x") - (swing.free_length + x)) <= kPromised);
      CHECK(std::abs(value(run, i, "block.vx") - v) <= 10 * kPromised);
      if (!stuck) continue;
      CHECK(value(run, i, "coil.v") == 0);
      CHECK(std::abs(value(run, i, "block.ax")) <= kSolved);
      // the strut as a whole carries nothing: friction balances the spring
      CHECK(std::abs(value(run, i, "coil.f")) <= kPromised * swing.stiffness);
    }
    const auto events = friction_events(run);
    REQUIRE(events.size() == 3);
    const double half = kPi / swing.omega();
    check_event(events[0], "friction-reversal", "coil", half);
    check_event(events[1], "friction-reversal", "coil", 2 * half);
    check_event(events[2], "stick", "coil", 3 * half);
  }
}

TEST_CASE("the stick-slip of the library keeps its record") {
  const std::string folder = places::source() + "/models/stick-slip/";
  const auto mechanism = load_plane(folder + "model.toml");
  REQUIRE(mechanism.ok());
  const auto run = done(*mechanism, 1.5, 15);
  std::ifstream file(folder + "expected.json");
  const nlohmann::json expected = nlohmann::json::parse(file);
  REQUIRE(expected.at("dynamics").at("end").size() >= 5);
  for (const auto& check : expected.at("dynamics").at("end")) {
    const auto row = static_cast<std::size_t>(std::lround(check.at("t").get<double>() * 10));
    const double allowed = check.at("tolerance").get<double>() * check.at("scale").get<double>();
    CHECK(std::abs(value(run, row, check.at("column")) - check.at("value").get<double>()) <= allowed);
  }
}

TEST_CASE("a hundred half-cycles: no reversal is missed, and energy never grows") {
  Swing swing;
  swing.friction = 0.1;
  swing.start = 200.5 * swing.friction / swing.stiffness;  // half a unit is left after a hundred
  const auto run = done(built(swing.model()), 102 * kPi / swing.omega(), 1000);
  const auto events = friction_events(run);
  REQUIRE(events.size() == 100);
  for (std::size_t i = 0; i < 100; ++i)
    check_event(events[i], i == 99 ? "stick" : "friction-reversal", "coil", static_cast<double>(i + 1) * kPi / swing.omega());
  CHECK(std::abs(value(run, 1000, "block.x") - (swing.free_length + 0.5 * swing.friction / swing.stiffness)) <= kPromised);
  for (std::size_t i = 1; i <= 1000; ++i) CHECK(value(run, i, "energy.total") <= value(run, i - 1, "energy.total") + 1e-13);
}

TEST_CASE("a block gives way when the load reaches its friction") {
  // load r t: stuck until F/r, then m x'' = r t − F
  const double mass = 2, friction = 6, rate = 4, x0 = 1.25;
  Model m = plane();
  block(m, "block", x0, mass);
  strut(m, "floor", "ground.O", "block.C", friction);
  push(m, "block.C", "4*t");
  const PlaneMechanism mechanism = built(m);
  for (const Method method : {Method::taylor, Method::radau, Method::dop853}) {
    CAPTURE(word(method));
    const auto run = done(mechanism, 3, 30, method, method == Method::radau ? 1e-11 : kTight);
    for (std::size_t i = 0; i < run.results.rows(); ++i) {
      const double t = value(run, i, "t"), since = std::max(0.0, t - friction / rate);
      CHECK(std::abs(value(run, i, "block.x") - (x0 + rate * since * since * since / (6 * mass))) <= kPromised);
      CHECK(std::abs(value(run, i, "floor.f") - std::min(rate * t, friction)) <= kPromised);
      CHECK(std::abs(value(run, i, "block.ax") - rate * since / mass) <= 10 * kPromised);
    }
    const auto events = friction_events(run);
    REQUIRE(events.size() == 1);
    check_event(events[0], "slip", "floor", friction / rate);
  }
}

TEST_CASE("a load that is too much for a moment only is seen within a long step") {
  // load F (0.5 + 0.5001 sin t): more than F for 0.04 s once in a period, while a step at rest is 3 s long
  Model m = plane();
  block(m, "block", 1, 2);
  strut(m, "floor", "ground.O", "block.C", 6);
  push(m, "block.C", "6*(0.5 + 0.5001*sin(t))");
  const auto run = done(built(m), 190, 10);
  const auto events = friction_events(run);
  REQUIRE(events.size() == 60);  // 30 crests of sin t before t = 190
  for (std::size_t i = 0; i < 30; ++i) {
    const double excess = std::asin(0.5 / 0.5001) + 2 * kPi * static_cast<double>(i);
    check_event(events[2 * i], "slip", "floor", excess, 1e-8);
    CHECK(events[2 * i + 1].kind == "stick");
    CHECK(events[2 * i + 1].t - excess < 0.1);
  }
}

TEST_CASE("the direction of the load is the direction of sliding") {
  // as above, to the other side
  Model m = plane();
  block(m, "block", 1.25, 2);
  strut(m, "floor", "ground.O", "block.C", 6);
  push(m, "block.C", "-8*t");
  const auto run = done(built(m), 1, 10);
  const auto events = friction_events(run);
  REQUIRE(events.size() == 1);
  check_event(events[0], "slip", "floor", 0.75);
  CHECK(std::abs(value(run, 10, "block.x") - (1.25 - 8 * 0.25 * 0.25 * 0.25 / 12)) <= kPromised);
  CHECK(std::abs(value(run, 10, "floor.f") + 6) <= kPromised);
}

TEST_CASE("a wheel with friction in its bearing runs down, sticks and is torn loose") {
  // J w' = r t − T while it turns; stuck until r t = T
  const double inertia = 0.5, torque = 2, rate = 0.5, spin = 3;
  Model m = plane();
  Body& wheel = m.body("wheel");
  wheel.mass = Text(1.0), wheel.inertia = Text(inertia), wheel.spin = Text(spin);
  wheel.point("C", 0.0, 0.0);
  pin(m, "axle", "ground.O", "wheel.C");
  brake(m, "bearing", "wheel", torque);
  force(m, "motor", "moment").set("on", Text("wheel")).set("value", Text("0.5*t"));
  const auto run = done(built(m), 6, 60);
  const double stop = (torque - std::sqrt(torque * torque - 2 * rate * inertia * spin)) / rate, loose = torque / rate;
  const auto angle = [&](double t) { return spin * t + (rate * t * t * t / 6 - torque * t * t / 2) / inertia; };
  const auto events = friction_events(run);
  REQUIRE(events.size() == 2);
  check_event(events[0], "stick", "bearing", stop);
  check_event(events[1], "slip", "bearing", loose);
  for (std::size_t i = 0; i < run.results.rows(); ++i) {
    const double t = value(run, i, "t"), since = std::max(0.0, t - loose);
    const double turned = angle(std::min(t, stop)) + rate * since * since * since / (6 * inertia);
    CHECK(std::abs(value(run, i, "wheel.phi") - turned) <= kPromised);
    CHECK(std::abs(value(run, i, "bearing.torque") - (t < stop || t > loose ? torque : rate * t)) <= kPromised);
  }
}

TEST_CASE("a belt drags a block along against its spring") {
  // The belt runs at V. Dragged by F the block swings about F/k until it is as fast as the belt, rides on it until k x = F, and from
  // there swings about F/k with amplitude V/w, touching the belt's speed once in a period without being held again
  const double mass = 1, stiffness = 100, friction = 5, speed = 0.3, omega = 10, free_length = 2, reach = 10;
  Model m = plane();
  block(m, "block", free_length, mass);
  block(m, "belt", -reach, 1);
  m.driver("drum", "coordinate").set("j", Text("belt.x")).set("motion", Text("-10 + 0.3*t")).set("offset", Text(0.0));
  force(m, "coil", "spring")
      .set("i", Text("ground.O"))
      .set("j", Text("block.C"))
      .set("stiffness", Text(stiffness))
      .set("free_length", Text(free_length));
  strut(m, "contact", "belt.C", "block.C", friction);
  const auto run = done(built(m), 3, 300);
  const double shift = friction / stiffness, stick = std::asin(speed / (shift * omega)) / omega;
  const double held_at = shift * (1 - std::cos(omega * stick)), slip = stick + (shift - held_at) / speed;
  for (std::size_t i = 0; i < run.results.rows(); ++i) {
    const double t = value(run, i, "t");
    const double x = t < stick  ? shift * (1 - std::cos(omega * t))
                     : t < slip ? held_at + speed * (t - stick)
                                : shift + speed / omega * std::sin(omega * (t - slip));
    CHECK(std::abs(value(run, i, "block.x") - (free_length + x)) <= (t < slip + 0.6 ? kPromised : 1e-7));
    if (t > stick && t < slip) {
      CHECK(value(run, i, "contact.v") == 0);
      CHECK(std::abs(value(run, i, "contact.f") + stiffness * x) <= 100 * kPromised);  // pulled along: the strut is pushed
    }
  }
  const auto events = friction_events(run);
  REQUIRE(events.size() >= 2);
  check_event(events[0], "stick", "contact", stick);
  check_event(events[1], "slip", "contact", slip);
}

TEST_CASE("two blocks, one on the other: each gives way in its turn") {
  // load r t on B, which lies on A: A gives way at F1/r and takes B with it, until B's friction F2 is needed in full
  const double a = 3, b = 2, below = 4, between = 5, rate = 2;
  Model m = plane();
  m.ground.point("P", -3.0, 0.0);
  block(m, "A", 1, a);
  block(m, "B", 4, b);
  strut(m, "floor", "ground.P", "A.C", below);
  strut(m, "contact", "A.C", "B.C", between);
  push(m, "B.C", "2*t");
  const double first = below / rate, second = (between * (a + b) - b * below) / (rate * a);
  const auto run = done(built(m), 4, 80);
  const auto events = friction_events(run);
  REQUIRE(events.size() == 2);
  check_event(events[0], "slip", "floor", first);
  check_event(events[1], "slip", "contact", second);
  for (std::size_t i = 0; i < run.results.rows(); ++i) {
    const double t = value(run, i, "t"), together = std::min(t, second);
    const double acceleration = t < first ? 0 : (rate * together - below) / (a + b);
    CHECK(std::abs(value(run, i, "A.ax") - (t < second ? acceleration : (between - below) / a)) <= kPromised);
    CHECK(std::abs(value(run, i, "B.ax") - (t < second ? acceleration : (rate * t - between) / b)) <= kPromised);
    CHECK(std::abs(value(run, i, "contact.f") - (t < second ? rate * t - b * acceleration : between)) <= kPromised);
  }
}

TEST_CASE("two brakes on one block hold together what neither holds alone") {
  Model m = plane();
  block(m, "block", 1, 2);
  strut(m, "front", "ground.O", "block.C", 3);
  strut(m, "rear", "ground.O", "block.C", 4);
  push(m, "block.C", "2*t");
  const auto run = done(built(m), 5, 50);
  for (std::size_t i = 0; i < run.results.rows(); ++i) {
    const double t = value(run, i, "t"), since = std::max(0.0, t - 3.5);
    CHECK(std::abs(value(run, i, "block.x") - (1 + 2 * since * since * since / 12)) <= kPromised);
    CHECK(std::abs(value(run, i, "front.f") + value(run, i, "rear.f") - std::min(2 * t, 7.0)) <= kPromised);
    CHECK(value(run, i, "front.f") <= 3 * (1 + kPromised));
    CHECK(value(run, i, "rear.f") <= 4 * (1 + kPromised));
  }
  const auto events = friction_events(run);
  REQUIRE(events.size() == 2);
  check_event(events[0], "slip", "front", 3.5);
  check_event(events[1], "slip", "rear", 3.5);
}

TEST_CASE("friction under a driver: it acts when the driver moves") {
  // x = 1 + 0.5 step(t, 1, 2): what the driver exerts is m x'' + F while it moves, and at rest nothing says who holds whom
  Model m = plane();
  block(m, "block", 1, 2);
  strut(m, "floor", "ground.O", "block.C", 6);
  m.driver("ram", "coordinate").set("j", Text("block.x")).set("motion", Text("1 + 0.5*step(t, 1, 2)")).set("offset", Text(0.0));
  const auto run = done(built(m), 3, 60);
  for (std::size_t i = 0; i < run.results.rows(); ++i) {
    const double t = value(run, i, "t");
    if (t < 1.0 || t > 2.1) CHECK(value(run, i, "floor.v") == 0);
    if (t > 1.1 && t < 1.9) CHECK(std::abs(value(run, i, "ram.effort") - (2 * value(run, i, "block.ax") + 6)) <= kPromised);
  }
  const auto events = friction_events(run);
  REQUIRE(events.size() == 2);
  check_event(events[0], "slip", "floor", 1, 0.05);  // a polynomial of degree 9 begins slowly
  check_event(events[1], "stick", "floor", 2, 2 * 3.0 / 64);  // seen at the end of a step at rest, of a 64th of the run at most
}

TEST_CASE("a pendulum with friction in its pin sticks off the vertical") {
  // identity: m g l sin(angle) is what friction carries where it sticks, and no more than T; energy lost = T times the angle turned
  Model m = plane();
  m.gravity = {0.0, -9.81};
  Body& bob = bar(m, "bob", 1, 0, 0, 0.0);
  bob.mass = Text(1.0), bob.inertia = Text(0.1), bob.com = std::vector<Text>{0.5, 0.0};
  pin(m, "pivot", "ground.O", "bob.A");
  brake(m, "brake", "bob", 0.7);
  const auto run = done(built(m), 12, 1200);
  const auto events = friction_events(run);
  REQUIRE(events.size() > 3);
  CHECK(events.back().kind == "stick");
  const double phi = value(run, 1200, "bob.phi"), carried = value(run, 1200, "brake.torque");
  CHECK(std::abs(carried + 9.81 * 0.5 * std::cos(phi)) <= kPromised);
  CHECK(std::abs(carried) <= 0.7);
  double turned = 0, last = 0;
  for (const Event& event : events) {  // the turning points: what lies between two is turned in one direction
    DynamicsOptions options;
    options.to = event.t, options.steps = 1, options.tolerance = kTight;
    const auto until = dynamics(built(m), options);
    const double angle = value(until, 1, "bob.phi");
    turned += std::abs(angle - last), last = angle;
  }
  CHECK(std::abs(value(run, 0, "energy.total") - value(run, 1200, "energy.total") - 0.7 * turned) <= 10 * kPromised);
}

TEST_CASE("smooth friction converges to the exact one") {
  const Swing swing;
  double x = 0, v = 0;
  bool stuck = false;
  swing.at(0.7, x, v, stuck);
  double last = 1;
  for (const double speed : {1e-2, 1e-3, 1e-4}) {
    Model m = swing.model();
    m.forces[0].set("friction_speed", Text(speed));
    const auto run = done(built(m), 0.7, 1, Method::automatic, 1e-10);
    const double error = std::abs(value(run, 1, "block.x") - (swing.free_length + x));
    CHECK(error < 0.3 * last);
    CHECK(error < speed);
    last = error;
  }
}

TEST_CASE("at the start friction decides like anywhere else") {
  // 3 N of spring force against friction: less, it stays; more, it moves off at once with the difference
  for (const double friction : {3.5, 2.0}) {
    Swing swing;
    swing.start = 0.03, swing.friction = friction;
    const auto run = done(built(swing.model()), 0.1, 4);
    CHECK(std::abs(value(run, 0, "block.ax") - (friction > 3 ? 0.0 : -(3 - friction))) <= kPromised);
    CHECK(std::abs(value(run, 0, "coil.f") - (friction > 3 ? 0.0 : 3 - friction)) <= kPromised);
    CHECK(friction_events(run).size() == 0);
  }
}

TEST_CASE("redundant joints and every formulation: friction sticks the same") {
  // the guide says twice what the two coordinates say: closed form as for the block alone
  const Swing swing;
  Model m = swing.model();
  m.ground.point("X", 1.0, 0.0);
  m.bodies[0].point("X", 1.0, 0.0);
  m.joint("guide", "translational")
      .set("slot", std::vector<Text>{"ground.O", "ground.X"})
      .set("slider", std::vector<Text>{"block.C", "block.X"});
  const PlaneMechanism mechanism = built(m);
  for (const Formulation formulation : kFormulations) {
    CAPTURE(word(formulation));
    DynamicsOptions options;
    options.to = 1.5, options.steps = 3, options.tolerance = kTight, options.formulation = formulation;
    const auto run = dynamics(mechanism, options);
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    REQUIRE(friction_events(run).size() == 3);
    CHECK(std::abs(value(run, 3, "block.x") - 0.48) <= kPromised);
    CHECK(std::abs(value(run, 3, "coil.f")) <= kPromised * swing.stiffness);
  }
}

}  // namespace friction_test
