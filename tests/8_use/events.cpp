// Events of a model: located along driven and forward motions, in the plane and in space, by every method.
// Oracles: closed forms (free fall, the pendulum's elliptic integral, prescribed angles); for efforts a bisection over runs
// that have a row at the time asked for; what a run without events does.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jounce/io/read_model.hpp"
#include "jounce/io/write_model.hpp"
#include "jounce/jounce.hpp"
#include "written_models.hpp"

using namespace jounce;

namespace {

constexpr double kHalfTurn = std::numbers::pi;
constexpr double kEventLocated = 1e-12;  // of a time of the order of a second

std::vector<Event> events_named(const Run& run, const std::string& name) {
  std::vector<Event> out;
  for (const Event& event : run.events)
    if (event.kind == "event" && event.elements == std::vector<std::string>{name}) out.push_back(event);
  return out;
}

void check_times(const Run& run, const std::string& name, const std::vector<double>& exact, double allowed = kEventLocated) {
  CAPTURE(name);
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence << text(run.problems));
  const std::vector<Event> found = events_named(run, name);
  REQUIRE(found.size() == exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(found[i].t - exact[i]) <= allowed);
  }
}

// π / 2 over the arithmetic-geometric mean of 1 and k'.
double elliptic_k(double k) {
  double a = 1, b = std::sqrt(1 - k * k);
  for (int i = 0; i < 8; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b), a = mean;
  }
  return kHalfTurn / (2 * a);
}

const std::string kPlaneBall =
    "jounce = 1\ngravity = [0, -9.81]\n[bodies.ball]\nmass = 2\ninertia = 0.01\nposition = [0, 1.2]\n";
const std::string kSpaceBall = R"toml(
jounce = 1
space = "3d"
gravity = [0, -9.81, 0]
[bodies.ball]
mass = 2
inertia = [0.01, 0.01, 0.01, 0, 0, 0]
[joints.air]
type = "free"
parent = "ground"
child = "ball"
q = [1, 0, 0, 0, 0, 1.2, 0]
)toml";

// 0.4 m from the pin to the centre of mass, released at rest 1.1 rad from hanging straight down.
const std::string kPlanePendulum = R"toml(
jounce = 1
gravity = [0, -9.81]
[ground]
points = { O = [0, 0] }
[bodies.rod]
mass = 1.5
inertia = 0.08
com = [0.4, 0]
angle = "1.1 - pi/2"
points = { O = [0, 0] }
[joints]
pin = { type = "revolute", i = "ground.O", j = "rod.O" }
)toml";
const std::string kSpacePendulum = R"toml(
jounce = 1
space = "3d"
gravity = [0, -9.81, 0]
[bodies.rod]
mass = 1.5
inertia = [0.01, 0.08, 0.08, 0, 0, 0]
com = [0.4, 0, 0]
[joints.pin]
type = "revolute"
parent = "ground"
child = "rod"
axis = [0, 0, 1]
q = ["1.1 - pi/2"]
)toml";
const double kQuarter = elliptic_k(std::sin(0.55)) / std::sqrt(1.5 * 9.81 * 0.4 / (0.08 + 1.5 * 0.4 * 0.4));

const std::string kDrivenCrank = R"toml(
jounce = 1
gravity = [0, -9.81]
[ground]
points = { O = [0, 0], X = [1, 0] }
[bodies.crank]
mass = 1.5
inertia = 0.01
com = [0.02, 0.01]
points = { O = [0, 0], A = [0.05, 0] }
[bodies.rod]
mass = 0.7
inertia = 0.004
com = [0.1, 0]
position = [0.05, 0]
points = { A = [0, 0], C = [0.2, 0] }
[bodies.piston]
mass = 0.4
inertia = 0.001
position = [0.25, 0]
points = { C = [0, 0], F = [0.03, 0] }
[joints]
bearing = { type = "revolute", i = "ground.O", j = "crank.O" }
crank-pin = { type = "revolute", i = "crank.A", j = "rod.A" }
piston-pin = { type = "revolute", i = "rod.C", j = "piston.C" }
cylinder = { type = "translational", slot = ["ground.O", "ground.X"], slider = ["piston.C", "piston.F"] }
[drivers]
motor = { type = "angle", i = "ground", j = "crank", motion = "2*pi*t" }
)toml";
const std::string kSpaceCrank = R"toml(
jounce = 1
space = "3d"
gravity = [0, -9.81, 0]
[bodies.crank]
mass = 1.5
inertia = [0.01, 0.02, 0.02, 0, 0, 0]
com = [0.2, 0, 0]
points = { A = [0.5, 0, 0] }
[joints.bearing]
type = "revolute"
parent = "ground"
child = "crank"
axis = [0, 0, 1]
dofs = [{ motion = "2*pi*t" }]
)toml";

struct BothWays {
  const std::string& model;
  std::vector<Method> methods;
};
const std::vector<Method> kPlaneMethods{Method::taylor, Method::dop853, Method::radau},
    kSpaceMethods{Method::dop853, Method::radau};

}  // namespace

TEST_CASE("a falling ball reaches a height at the time of free fall, by every method") {
  // oracle: t = √(2 h / g), and v = g t
  for (const auto& [model, methods] : {BothWays{kPlaneBall, kPlaneMethods}, BothWays{kSpaceBall, kSpaceMethods}}) {
    const Mechanism m = mechanism_of(
        model +
        "[events.lower]\nwhen = \"ball.y - 0.3\"\n[events.down]\nwhen = \"ball.y\"\n[events.fast]\nwhen = \"ball.vy + 3\"\n"
        "[events.late]\nwhen = \"t - 0.123\"\n[events.never]\nwhen = \"ball.y - 1.2\"\n");
    for (const Method method : methods) {
      CAPTURE(word(method));
      const Run run = dynamics(m, {.to = 1, .steps = 3, .tolerance = 1e-13, .method = method});
      check_times(run, "lower", {std::sqrt(2 * 0.9 / 9.81)});
      check_times(run, "down", {std::sqrt(2 * 1.2 / 9.81)});
      check_times(run, "fast", {3 / 9.81});
      check_times(run, "late", {0.123});
      check_times(run, "never", {});  // it starts there
      CHECK(std::ranges::is_sorted(run.events, {}, &Event::t));
      CHECK(events_named(run, "down")[0].direction == "falling");
      CHECK(events_named(run, "late")[0].direction == "rising");
      CHECK(events_named(run, "down")[0].sentence == "'down' falls through zero");
      CHECK(run.results.rows() == 4);  // events are no rows
    }
  }
}

TEST_CASE("a pendulum passes the vertical at odd quarters of its period, and turns back at even ones") {
  // oracle: K(sin(θ/2)) √(I/(m g l)) by the arithmetic-geometric mean
  for (const auto& [model, methods] : {BothWays{kPlanePendulum, kPlaneMethods}, BothWays{kSpacePendulum, kSpaceMethods}}) {
    const bool plane = methods.size() == 3;
    const std::string angle = plane ? "rod.phi" : "pin.q1", rate = plane ? "rod.vphi" : "pin.v1",
                      turn = plane ? "rod.aphi" : "pin.a1";
    const Mechanism m = mechanism_of(model + "[events.vertical]\nwhen = \"" + angle + " + pi/2\"\n[events.turns]\nwhen = \"" +
                                     rate + "\"\n[events.back]\ndirection = \"rising\"\nwhen = \"" + angle +
                                     " + pi/2\"\n[events.forth]\ndirection = \"falling\"\nwhen = \"" + angle +
                                     " + pi/2\"\n[events.acceleration]\nwhen = \"" + turn + "\"\n");
    for (const Method method : methods) {
      CAPTURE(word(method));
      const Run run = dynamics(m, {.to = 6.5 * kQuarter, .steps = 7, .tolerance = 1e-14, .method = method});
      check_times(run, "vertical", {kQuarter, 3 * kQuarter, 5 * kQuarter});
      check_times(run, "acceleration", {kQuarter, 3 * kQuarter, 5 * kQuarter});
      check_times(run, "turns", {2 * kQuarter, 4 * kQuarter, 6 * kQuarter});  // not at the start, where it is at rest
      check_times(run, "forth", {kQuarter, 5 * kQuarter});
      check_times(run, "back", {3 * kQuarter});
    }
  }
}

TEST_CASE("a driven crank passes an angle at the time of its motion, between rows and on them") {
  // oracle: φ = 2 π t
  for (const bool space : {false, true}) {
    CAPTURE(space);
    const std::string angle = space ? "bearing.q1" : "crank.phi";
    const Mechanism m = mechanism_of((space ? kSpaceCrank : kDrivenCrank) + "[events.one]\nwhen = \"" + angle +
                                     " - 1\"\n[events.upright]\nwhen = \"crank.A.x\"\n"
                                     "[events.touch]\nwhen = \"1 - sin(" +
                                     angle + ")\"\n[events.start]\nwhen = \"crank.A.y\"\n");
    for (const int steps : {1, 4, 37}) {  // a row at a quarter of a turn: upright, and where the sine touches one
      CAPTURE(steps);
      for (const Analysis analysis : {Analysis::kinematics, Analysis::inverse, Analysis::dynamics}) {
        if (analysis == Analysis::dynamics && !space) continue;  // the same motion, but integrated
        CAPTURE(word(analysis));
        const Run found = run(m, analysis, {.to = 1.2, .steps = steps});
        check_times(found, "one", {1 / (2 * kHalfTurn)});
        check_times(found, "upright", {0.25, 0.75});
        check_times(found, "touch", {});
        check_times(found, "start", {0.5, 1.0});
        CHECK(found.results.rows() == static_cast<std::size_t>(steps) + 1);
      }
      const Run at_rows = kinematics(m, {.to = 1, .steps = 4});
      check_times(at_rows, "upright", {0.25, 0.75});
      check_times(at_rows, "start", {0.5});
    }
  }
}

TEST_CASE("the effort of a driven slider-crank passes zero where runs with a row there say so") {
  // oracle: sign changes over fine rows, then bisection; each value is the row of a run of its own
  const Mechanism bare = mechanism_of(kDrivenCrank),
                  m = mechanism_of(kDrivenCrank +
                                   "[events.idle]\nwhen = \"motor.effort\"\n[events.push]\nwhen = \"bearing.fx\"\n");
  for (const auto& [name, column] : {std::pair{"idle", "motor.effort"}, std::pair{"push", "bearing.fx"}}) {
    const Run fine = inverse(bare, {.to = 1.1, .steps = 500});
    const std::vector<double> t(fine.results.column("t").begin(), fine.results.column("t").end()),
        x(fine.results.column(column).begin(), fine.results.column(column).end());
    std::vector<double> exact;
    for (std::size_t i = 1; i < x.size(); ++i) {
      if (!(x[i - 1] * x[i] < 0)) continue;
      double a = t[i - 1], b = t[i];
      while (b - a > 1e-14) {
        const double middle = 0.5 * (a + b);
        const Run one = inverse(bare, {.times = {middle}});
        (*one.results.at(0, column) * x[i] > 0 ? b : a) = middle;
      }
      exact.push_back(b);
    }
    REQUIRE(exact.size() >= 2);
    check_times(inverse(m, {.to = 1.1, .steps = 9}), name, exact);
  }
}

TEST_CASE("an event that stops a run ends it with a row at its time") {
  // oracle: the closed forms above
  const auto ends = [](const Run& found, double exact, std::size_t rows) {
    REQUIRE_MESSAGE(found.outcome.done(), found.outcome.sentence);
    REQUIRE(found.results.rows() == rows);
    const double t = *found.results.at(rows - 1, "t");
    CHECK(std::abs(t - exact) <= kEventLocated);
    CHECK(found.outcome.t == t);
    CHECK(found.state.t == t);
    CHECK(found.outcome.elements == std::vector<std::string>{"end"});
    CHECK(found.outcome.sentence.starts_with("ended by event 'end' at "));
    REQUIRE(!found.events.empty());
    CHECK(found.events.back().t == t);
    CHECK(found.events.back().sentence.ends_with(" through zero and ends the run"));
    CHECK(found.problems.empty());
  };
  const std::string down = "[events.end]\nwhen = \"ball.y\"\nstop = true\n",
                    turned = "[events.end]\nstop = true\ndirection = \"falling\"\nwhen = ";
  for (const auto& [model, methods] : {BothWays{kPlaneBall, kPlaneMethods}, BothWays{kSpaceBall, kSpaceMethods}})
    for (const Method method : methods) {
      CAPTURE(word(method));
      const Run found = dynamics(mechanism_of(model + down), {.to = 1, .steps = 10, .tolerance = 1e-13, .method = method});
      ends(found, std::sqrt(2.4 / 9.81), 6);  // 0, 0.1 … 0.4, and the last
      CHECK(std::abs(*found.results.at(5, "ball.y")) < 1e-14);
      CHECK(std::abs(*found.results.at(5, "energy.balance")) < 1e-11);
    }
  for (const bool space : {false, true}) {
    CAPTURE(space);
    const Mechanism m = mechanism_of((space ? kSpaceCrank : kDrivenCrank) + turned + "\"crank.A.x\"\n");
    for (const Analysis analysis : {Analysis::kinematics, Analysis::inverse}) {
      ends(run(m, analysis, {.to = 1, .steps = 10}), 0.25, 4);  // 0, 0.1, 0.2, and the last
      ends(run(m, analysis, {.to = 1, .steps = 1}), 0.25, 2);
      ends(run(m, analysis, {.to = 1, .steps = 4}), 0.25, 2);  // a row is there already
    }
  }
}

TEST_CASE("several crossings in one step are found in order") {
  // oracle: zeros of sin(1000 t), kπ/1000; heights of a free fall
  const Mechanism m = mechanism_of(kPlaneBall +
                                   "[events.often]\nwhen = \"sin(1000*t)\"\n[events.second]\nwhen = \"ball.y - "
                                   "1.1999\"\n[events.first]\nwhen = \"ball.y - 1.19995\"\n");
  const Run run = dynamics(m, {.to = 1, .steps = 1, .tolerance = 1e-10, .method = Method::taylor});
  std::vector<double> exact;
  for (int k = 1; k * kHalfTurn / 1000 < 1; ++k) exact.push_back(k * kHalfTurn / 1000);
  check_times(run, "often", exact);
  check_times(run, "first", {std::sqrt(2 * 5e-5 / 9.81)});
  check_times(run, "second", {std::sqrt(2 * 1e-4 / 9.81)});
  CHECK(run.statistics.steps < 70);
  CHECK(std::ranges::is_sorted(run.events, {}, &Event::t));
}

TEST_CASE("what rests at zero does not cross it, and a jump across zero is an event") {
  // oracle: a crank that rests from 0.3 s to 0.6 s and goes on the other way; a force that changes its sign at 0.4 s
  const Mechanism dwell =
      mechanism_of(std::string(kDrivenCrank).replace(kDrivenCrank.find("2*pi*t"), 6, "step(t, 0, 0.3) - 2*step(t, 0.6, 1)") +
                   "[events.moves]\nwhen = \"crank.vphi\"\n[events.beside]\nwhen = \"piston.y\"\n");
  const Run found = kinematics(dwell, {.to = 1.2, .steps = 240});
  check_times(found, "beside", {});
  REQUIRE(events_named(found, "moves").size() == 1);
  CHECK(std::abs(events_named(found, "moves")[0].t - 0.6) < 1e-3);  // it leaves zero like the fourth power of the time
  const Mechanism pushed = mechanism_of(kPlaneBall +
                                        "[forces.push]\ntype = \"force\"\non = \"ball.com\"\nvalue = [\"sign(0.4 - t)\", "
                                        "0]\n[events.turn]\nwhen = \"ball.ax\"\n");
  check_times(dynamics(pushed, {.to = 1, .steps = 7}), "turn", {0.4});
}

TEST_CASE("an event of what an analysis does not have is not watched there, and that is said once") {
  // oracle: kinematics has no efforts
  const Mechanism m = mechanism_of(
      kDrivenCrank + "[events.idle]\nwhen = \"motor.effort\"\nstop = true\n[events.one]\nwhen = \"crank.phi - 1\"\n");
  const Run found = kinematics(m, {.to = 1, .steps = 10});
  REQUIRE(found.outcome.done());
  CHECK(found.outcome.t == 1);
  CHECK(events_named(found, "idle").empty());
  CHECK(events_named(found, "one").size() == 1);
  REQUIRE(found.problems.size() == 1);
  CHECK(found.problems[0].text().find("warning: event 'idle' is not watched for: kinematics has no column 'motor.effort'") !=
        std::string::npos);
  CHECK(found.problems[0].where.line == std::ranges::count(kDrivenCrank, '\n') + 2);
}

TEST_CASE("an event that has no value ends the run there") {
  // oracle: √(0.5 − t)
  for (const std::string& model : {kDrivenCrank, kPlaneBall}) {
    const Mechanism m = mechanism_of(model + "[events.root]\nwhen = \"sqrt(0.5 - t) - 0.1\"\n");
    const Run found = run(m, &model == &kPlaneBall || model == kPlaneBall ? Analysis::dynamics : Analysis::kinematics,
                          {.to = 1, .steps = 10});
    CHECK(found.outcome.kind == Outcome::Kind::undefined);
    CHECK(found.outcome.t > 0.5);
    CHECK(found.outcome.t < 0.6);
    CHECK(events_named(found, "root").size() == 1);
    REQUIRE(found.problems.size() == 1);
    CHECK(found.problems[0].where.line > 0);
  }
}

TEST_CASE("an event from C++ is written and read back, and states and simulations go past one that stops") {
  // oracle: the model that was written; φ = 2 π t
  Model model = parse_model(kDrivenCrank, "m.toml").model;
  EventSection& event = model.event("half", "crank.phi - pi");
  event.stop = true;
  event.direction = "rising";
  const std::string written = write_model(model);
  CHECK(written.find("[events.half]\nwhen      = \"crank.phi - pi\"\ndirection = \"rising\"\nstop      = true\n") !=
        std::string::npos);
  CHECK(parse_model(written, "m.toml").model == model);
  const Mechanism m = mechanism_of(written);
  CHECK(kinematics(m, {.to = 1, .steps = 10}).outcome.t == doctest::Approx(0.5).epsilon(1e-13));
  const Run whole = kinematics(m, {.to = 1, .steps = 10, .events = false});
  CHECK(whole.outcome.t == 1);
  CHECK(whole.events.empty());
  const StateResult later = state_at(m, 0.8);
  REQUIRE(later.state.has_value());
  CHECK(later.state->q[2] == doctest::Approx(1.6 * kHalfTurn).epsilon(1e-13));
  CHECK(model.remove("half"));
  CHECK(!mechanism_of(write_model(model)).model().events.size());

  Simulation simulation(mechanism_of(kPlaneBall + "[events.end]\nwhen = \"ball.y\"\nstop = true\n"));
  CHECK(simulation.advance(1));
  CHECK(simulation.t() == doctest::Approx(std::sqrt(2.4 / 9.81)).epsilon(1e-12));
  CHECK(simulation.advance(0.25));
  CHECK(simulation.t() == doctest::Approx(std::sqrt(2.4 / 9.81) + 0.25).epsilon(1e-12));
  CHECK(simulation.events().size() == 1);
}
