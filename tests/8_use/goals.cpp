// Goals: numbers of a whole run, of every analysis, in the plane and in space.
// Oracles: closed forms (slider-crank, pendulum, free fall, a mass on a crank), identities, runs that have a row at the time asked for, and what runs
// without goals do.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "jounce/jounce.hpp"
#include "written_models.hpp"

using namespace jounce;

namespace {

constexpr double kGoalsPi = std::numbers::pi;
constexpr double kGoalRounded = 1e-13;       // of a value, or of the largest of its kind
constexpr double kGoalIntegrated = 1e-11;    // of an integral: what an interval may be off by is 1e-12 of it
constexpr double kGoalWhen = 1e-8;           // of a run: half of the digits of a value
constexpr double kGoalFollowed = 1e-10;      // of a forward run with a tolerance of 1e-13

constexpr double kCrankLength = 0.05, kRodLength = 0.2, kCrankSpeed = 10.0 * kGoalsPi / 3, kCrankStart = 0.3;
const std::string kGoalsCrank = R"toml(
jounce = 1
gravity = [0, -9.81]
[parameters]
crank = 0.05
rod = 0.2
[ground]
points = { O = [0, 0], X = [1, 0] }
[bodies.crank]
mass = 1.5
inertia = 0.01
com = [0.02, 0.01]
angle = 0.3
points = { O = [0, 0], A = ["crank", 0] }
[bodies.rod]
mass = 0.7
inertia = 0.004
com = [0.1, 0]
position = [0.048, 0.015]
angle = -0.07
points = { A = [0, 0], C = ["rod", 0] }
[bodies.piston]
mass = 0.4
inertia = 0.001
position = [0.24, 0]
points = { C = [0, 0], F = [0.03, 0] }
[joints]
bearing = { type = "revolute", i = "ground.O", j = "crank.O" }
crank-pin = { type = "revolute", i = "crank.A", j = "rod.A" }
piston-pin = { type = "revolute", i = "rod.C", j = "piston.C" }
cylinder = { type = "translational", slot = ["ground.O", "ground.X"], slider = ["piston.C", "piston.F"] }
[drivers]
motor = { type = "angle", i = "ground", j = "crank", motion = "100*rpm*t" }
[measures]
power = "motor.effort * crank.vphi"
opening = "distance(piston.C, ground.X)"
)toml";
constexpr double kGoalsTurn = 0.6;  // seconds

// A mass on a crank, 0.1 m from its bearing: the motor carries its weight.
const std::string kWeightOnCrank = R"toml(
jounce = 1
gravity = [0, -10]
[ground]
points = { O = [0, 0] }
[bodies.crank]
mass = 2
inertia = 0.01
com = [0.1, 0]
angle = 0.4
points = { O = [0, 0] }
[joints]
bearing = { type = "revolute", i = "ground.O", j = "crank.O" }
[drivers]
motor = { type = "angle", i = "ground", j = "crank", motion = "2*pi*t" }
)toml";

// Position of the piston over the angle, and its first two derivatives.
struct Piston {
  double x, v, a;
};
Piston piston(double phi) {
  const double s = std::sin(phi), c = std::cos(phi), root = std::sqrt(kRodLength * kRodLength - kCrankLength * kCrankLength * s * s), u = kCrankLength * kCrankLength * s * c;
  return {kCrankLength * c + root, -kCrankLength * s - u / root, -kCrankLength * c - kCrankLength * kCrankLength * std::cos(2 * phi) / root - u * u / (root * root * root)};
}

// Where a closed form is highest between two places with one peak between them: by thirds, of long doubles.
double highest_of(const std::function<double(double)>& f, double from, double to) {
  for (int i = 0; i < 120; ++i) {
    const double third = (to - from) / 3;
    (f(from + third) < f(to - third) ? from : to) += f(from + third) < f(to - third) ? third : -third;
  }
  return f(0.5 * (from + to));
}

std::map<std::string, double> goal_numbers(const Run& run) {
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence << text(run.problems));
  std::map<std::string, double> out;
  for (const GoalValue& goal : run.goals) {
    CAPTURE(goal.name);
    REQUIRE_MESSAGE(goal.value.has_value(), text(run.problems));
    out[goal.name] = *goal.value;
  }
  return out;
}

// Goals that are called as they are written.
std::vector<Goal> as_written(const std::vector<std::string>& texts) {
  std::vector<Goal> out;
  for (const std::string& text : texts) out.push_back({text, text});
  return out;
}

void check_goal(double found, double exact, double allowed) {
  CAPTURE(found);
  CAPTURE(exact);
  CHECK(std::abs(found - exact) <= allowed);
}

std::string said_of_goal(const std::string& goal, Analysis analysis = Analysis::kinematics) {
  static const Mechanism m = mechanism_of(kGoalsCrank);
  const std::vector<Goal> goals{{"g", goal}};
  return text(check_goals(m, analysis, goals));
}

}  // namespace

TEST_CASE("stroke, speed and acceleration of a piston are those of the motion, however few rows there are") {
  // oracle: the closed form of the slider-crank; its extremes by a search of its own
  const Mechanism m = mechanism_of(kGoalsCrank);
  const double fastest = highest_of([](double phi) { return piston(phi).v; }, kGoalsPi, 2 * kGoalsPi);
  const double sharpest = highest_of([](double phi) { return piston(phi).a; }, kGoalsPi, 1.5 * kGoalsPi);
  for (const int steps : {7, 50, 333}) {
    CAPTURE(steps);
    const auto found = goal_numbers(kinematics(m, {.to = kGoalsTurn, .steps = steps, .goals = as_written({
        "range(piston.x)", "range(piston.x)/crank", "max(piston.x) - min(piston.x)", "max(abs(piston.vx))", "min(piston.vx)", "max(piston.ax)", "min(piston.ax)",
        "time_of_max(piston.x)", "time_of_min(piston.x)", "time_of_min(piston.ax)", "max(opening)", "max(max(piston.x), 1)", "range(crank.vphi)"})}));
    check_goal(found.at("range(piston.x)"), 2 * kCrankLength, kGoalRounded * kRodLength);
    check_goal(found.at("range(piston.x)/crank"), 2, kGoalRounded * kRodLength / kCrankLength);
    check_goal(found.at("max(piston.x) - min(piston.x)"), 2 * kCrankLength, kGoalRounded * kRodLength);
    check_goal(found.at("max(abs(piston.vx))"), kCrankSpeed * fastest, kGoalRounded);
    check_goal(found.at("min(piston.vx)"), -kCrankSpeed * fastest, kGoalRounded);
    check_goal(found.at("max(piston.ax)"), kCrankSpeed * kCrankSpeed * sharpest, 10 * kGoalRounded);
    check_goal(found.at("min(piston.ax)"), -kCrankSpeed * kCrankSpeed * kCrankLength * (1 + kCrankLength / kRodLength), 10 * kGoalRounded);
    check_goal(found.at("time_of_max(piston.x)"), (2 * kGoalsPi - kCrankStart) / kCrankSpeed, kGoalWhen * kGoalsTurn);
    check_goal(found.at("time_of_min(piston.x)"), (kGoalsPi - kCrankStart) / kCrankSpeed, kGoalWhen * kGoalsTurn);
    check_goal(found.at("time_of_min(piston.ax)"), (2 * kGoalsPi - kCrankStart) / kCrankSpeed, kGoalWhen * kGoalsTurn);
    check_goal(found.at("max(opening)"), 1 - kRodLength + kCrankLength, kGoalRounded);
    CHECK(found.at("max(max(piston.x), 1)") == 1);
    check_goal(found.at("range(crank.vphi)"), 0, kGoalRounded * kCrankSpeed);
  }
}

TEST_CASE("what an effort is at its highest, and over time, does not depend on the rows") {
  // oracle: m g d cos of the angle, of a mass on a crank that turns evenly; one turn
  const Mechanism m = mechanism_of(kWeightOnCrank);
  for (const int steps : {7, 50, 333}) {
    CAPTURE(steps);
    const auto found = goal_numbers(inverse(m, {.to = 1, .steps = steps, .goals = as_written({
        "max(abs(motor.effort))", "rms(motor.effort)", "mean(motor.effort)", "mean(abs(motor.effort))", "time_of_max(motor.effort)", "max(motor.effort*crank.vphi)",
        "integral(motor.effort*crank.vphi)", "max(magnitude(bearing.fx, bearing.fy))", "last(energy.work)", "first(energy.work)"})}));
    check_goal(found.at("max(abs(motor.effort))"), 2, 10 * kGoalRounded);
    check_goal(found.at("rms(motor.effort)"), std::numbers::sqrt2, kGoalIntegrated);
    check_goal(found.at("mean(motor.effort)"), 0, kGoalIntegrated);
    check_goal(found.at("mean(abs(motor.effort))"), 4 / kGoalsPi, kGoalIntegrated);
    check_goal(found.at("time_of_max(motor.effort)"), 1 - 0.4 / (2 * kGoalsPi), kGoalWhen);
    check_goal(found.at("max(motor.effort*crank.vphi)"), 4 * kGoalsPi, 100 * kGoalRounded);
    check_goal(found.at("integral(motor.effort*crank.vphi)"), 0, kGoalIntegrated);
    check_goal(found.at("max(magnitude(bearing.fx, bearing.fy))"), 20 + 2 * 4 * kGoalsPi * kGoalsPi * 0.1, 100 * kGoalRounded);
    check_goal(found.at("last(energy.work)"), 0, 1e-9);
    CHECK(found.at("first(energy.work)") == 0);
  }
}

TEST_CASE("integrals and means of a driven motion are those of its closed forms") {
  // oracle: ∫v dt is a difference of positions, whatever the part of a turn; ∫x dt of the crank pin; means over the same time
  const Mechanism m = mechanism_of(kGoalsCrank);
  for (const double to : {0.05, 0.31, 2.7})
    for (const int steps : {1, 7, 100}) {
      CAPTURE(to);
      CAPTURE(steps);
      const auto found = goal_numbers(kinematics(m, {.to = to, .steps = steps, .goals = as_written({
          "integral(piston.vx)", "last(piston.x) - first(piston.x)", "integral(crank.A.x)", "mean(crank.A.x)", "rms(crank.A.y)", "integral(t)", "mean(3)", "last(t)"})}));
      const double end = kCrankStart + kCrankSpeed * to;
      check_goal(found.at("integral(piston.vx)"), piston(end).x - piston(kCrankStart).x, kGoalIntegrated);
      check_goal(found.at("last(piston.x) - first(piston.x)"), piston(end).x - piston(kCrankStart).x, kGoalRounded);
      const double area = kCrankLength * (std::sin(end) - std::sin(kCrankStart)) / kCrankSpeed;
      check_goal(found.at("integral(crank.A.x)"), area, kGoalIntegrated);
      check_goal(found.at("mean(crank.A.x)"), area / to, kGoalIntegrated);
      const double squares = kCrankLength * kCrankLength * (0.5 * to - (std::sin(2 * end) - std::sin(2 * kCrankStart)) / (4 * kCrankSpeed));
      check_goal(found.at("rms(crank.A.y)"), std::sqrt(squares / to), kGoalIntegrated);
      check_goal(found.at("integral(t)"), 0.5 * to * to, kGoalIntegrated);
      check_goal(found.at("mean(3)"), 3, kGoalRounded);
      CHECK(found.at("last(t)") == to);
    }
}

TEST_CASE("a value at a time is that of a row there") {
  // oracle: a run that has its last row at that time
  const Mechanism m = mechanism_of(kGoalsCrank);
  for (const double t : {0.0, 0.1237, 0.3, 0.6}) {
    CAPTURE(t);
    const Run there = inverse(m, {.to = 0.6, .times = {t}});
    for (const char* column : {"piston.x", "rod.sphi", "motor.effort", "crank-pin.fx", "opening"}) {
      CAPTURE(column);
      const auto found = goal_numbers(inverse(m, {.to = 0.6, .steps = 10, .goals = {{"there", "at(" + std::string(column) + ", " + Text(t).text + ")"}}}));
      const double exact = *there.results.at(0, column);
      check_goal(found.at("there"), exact, 1e-12 * std::max(std::abs(exact), 1.0));
    }
  }
}

TEST_CASE("a driver whose rate jumps is not smoothed over") {
  // oracle: the slopes on both sides, and the distance; kinks of abs and min within a goal
  const Mechanism m = mechanism_of(R"toml(
jounce = 1
[ground]
points = { O = [0, 0], X = [1, 0] }
[bodies.slide]
position = [0.37, 0]
points = { A = [0, 0], B = [1, 0] }
[joints]
guide = { type = "translational", slot = ["ground.O", "ground.X"], slider = ["slide.A", "slide.B"] }
[drivers]
push = { type = "coordinate", j = "slide.x", motion = "abs(t - 0.37) + 0.3*t" }
)toml");
  for (const int steps : {7, 50, 333}) {
    CAPTURE(steps);
    const auto found = goal_numbers(kinematics(m, {.to = 1, .steps = steps, .goals = as_written({
        "max(slide.vx)", "min(slide.vx)", "min(slide.x)", "time_of_min(slide.x)", "integral(slide.vx)", "rms(slide.vx)", "min(abs(slide.x - 0.2))",
        "max(0.2 - abs(t - 0.61))", "time_of_max(0.2 - abs(t - 0.61))", "integral(abs(t - 0.61))"})}));
    check_goal(found.at("max(slide.vx)"), 1.3, kGoalRounded);
    check_goal(found.at("min(slide.vx)"), -0.7, kGoalRounded);
    check_goal(found.at("min(slide.x)"), 0.3 * 0.37, kGoalRounded);
    check_goal(found.at("time_of_min(slide.x)"), 0.37, kGoalRounded);
    check_goal(found.at("integral(slide.vx)"), 0.63 + 0.3 - 0.37, kGoalRounded);
    check_goal(found.at("rms(slide.vx)"), std::sqrt(0.37 * 0.49 + 0.63 * 1.69), kGoalRounded);
    check_goal(found.at("min(abs(slide.x - 0.2))"), 0, kGoalRounded);
    check_goal(found.at("max(0.2 - abs(t - 0.61))"), 0.2, kGoalRounded);
    check_goal(found.at("time_of_max(0.2 - abs(t - 0.61))"), 0.61, kGoalRounded);
    check_goal(found.at("integral(abs(t - 0.61))"), 0.5 * (0.61 * 0.61 + 0.39 * 0.39), kGoalIntegrated);
  }
}

TEST_CASE("the speed and the pin force of a pendulum are highest at the bottom, by every method") {
  // oracle: energy, and the quarter of the period as an elliptic integral
  const double inertia = 0.08 + 1.5 * 0.16, moment = 1.5 * 9.81 * 0.4, height = 1 - std::cos(1.1), speed = std::sqrt(2 * moment * height / inertia);
  double a = 1, b = std::cos(0.55);
  for (int i = 0; i < 8; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b), a = mean;
  }
  const double quarter = kGoalsPi / (2 * a) / std::sqrt(moment / inertia);
  const std::string plane = R"toml(
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
)toml",
                    space = R"toml(
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
  for (const Method method : {Method::taylor, Method::dop853, Method::radau})
    for (const int steps : {7, 100}) {
      CAPTURE(static_cast<int>(method));
      CAPTURE(steps);
      const auto found = goal_numbers(dynamics(mechanism_of(plane), {.to = 1.5, .steps = steps, .goals = as_written({
          "max(abs(rod.vphi))", "max(magnitude(pin.fx, pin.fy))", "range(rod.phi)", "time_of_min(rod.vphi)", "range(energy.total)", "integral(rod.vphi)",
          "last(rod.phi) - first(rod.phi)"}), .tolerance = 1e-13, .method = method}));
      check_goal(found.at("max(abs(rod.vphi))"), speed, kGoalFollowed);
      check_goal(found.at("max(magnitude(pin.fx, pin.fy))"), 1.5 * (9.81 + speed * speed * 0.4), 100 * kGoalFollowed);
      check_goal(found.at("range(rod.phi)"), 2.2, kGoalFollowed);
      check_goal(found.at("time_of_min(rod.vphi)"), quarter, kGoalWhen * 1.5);
      check_goal(found.at("range(energy.total)"), 0, kGoalFollowed);
      check_goal(found.at("integral(rod.vphi)"), found.at("last(rod.phi) - first(rod.phi)"), kGoalFollowed);
      if (method == Method::taylor) continue;
      const auto in_space = goal_numbers(dynamics(mechanism_of(space), {.to = 1.5, .steps = steps, .goals = as_written({
          "max(abs(pin.v1))", "range(pin.q1)", "time_of_min(pin.v1)"}), .tolerance = 1e-13, .method = method}));
      check_goal(in_space.at("max(abs(pin.v1))"), speed, kGoalFollowed);
      check_goal(in_space.at("range(pin.q1)"), 2.2, kGoalFollowed);
      check_goal(in_space.at("time_of_min(pin.v1)"), quarter, kGoalWhen * 1.5);
    }
}

TEST_CASE("what jumps in a blow counts on both of its sides") {
  // oracle: free fall from 1.2 m, and Newton's rule
  const Mechanism m = mechanism_of(
      "jounce = 1\ngravity = [0, -9.81]\n[bodies.ball]\nmass = 2\ninertia = 0.01\nposition = [0, 1.2]\n[stops.floor]\nof = \"ball.y\"\nmin = 0\nrestitution = 0.5\n");
  const double down = std::sqrt(2 * 9.81 * 1.2), up = 0.5 * down;
  for (const int steps : {7, 100}) {
    const auto found = goal_numbers(dynamics(m, {.to = 0.8, .steps = steps, .goals = as_written({
        "min(ball.vy)", "max(ball.vy)", "min(ball.y)", "integral(ball.vy)", "last(ball.y) - first(ball.y)", "min(floor.gap)", "time_of_max(ball.vy)"}), .tolerance = 1e-12}));
    check_goal(found.at("min(ball.vy)"), -down, kGoalFollowed);
    check_goal(found.at("max(ball.vy)"), up, kGoalFollowed);
    check_goal(found.at("min(ball.y)"), 0, kGoalFollowed);
    check_goal(found.at("min(floor.gap)"), 0, kGoalFollowed);
    check_goal(found.at("time_of_max(ball.vy)"), down / 9.81, kGoalFollowed);
    check_goal(found.at("integral(ball.vy)"), found.at("last(ball.y) - first(ball.y)"), kGoalFollowed);
  }
}

TEST_CASE("goals in space: a joint that is given outright, a loop, a flight") {
  // oracle: the prescribed motion; a four-bar in space against itself with many rows; free flight
  const Mechanism arm = mechanism_of(R"toml(
jounce = 1
space = "3d"
gravity = [0, 0, -10]
[bodies.arm]
mass = 2
com = [0.5, 0, 0]
inertia = [0.01, 0.02, 0.03, 0, 0, 0]
points = { tip = [1, 0, 0] }
[joints.hinge]
type = "revolute"
parent = "ground"
child = "arm"
axis = [0, 1, 0]
dofs = [ { motion = "0.7*sin(5*t)" } ]
)toml");
  for (const int steps : {1, 50}) {
    const auto found = goal_numbers(inverse(arm, {.to = 2, .steps = steps, .goals = as_written({"max(hinge.v1)", "range(hinge.q1)", "max(arm.tip.z)", "mean(hinge.q1)", "max(hinge.a1)"})}));
    check_goal(found.at("max(hinge.v1)"), 3.5, kGoalRounded);
    check_goal(found.at("range(hinge.q1)"), 1.4, kGoalRounded);
    check_goal(found.at("max(arm.tip.z)"), std::sin(0.7), kGoalRounded);
    check_goal(found.at("mean(hinge.q1)"), 0.7 * (1 - std::cos(10.0)) / 10, kGoalIntegrated);
    check_goal(found.at("max(hinge.a1)"), 17.5, 100 * kGoalRounded);
  }
  const Mechanism thrown = mechanism_of(R"toml(
jounce = 1
space = "3d"
gravity = [0, -9.81, 0]
[bodies.ball]
mass = 2
inertia = [0.01, 0.02, 0.03, 0, 0, 0]
[joints.air]
type = "free"
parent = "ground"
child = "ball"
v = [0, 0, 0, 1, 3, 0]
)toml");
  const auto flight = goal_numbers(dynamics(thrown, {.to = 0.5, .steps = 3, .goals = as_written({"max(ball.y)", "time_of_max(ball.y)", "last(ball.x)"}), .tolerance = 1e-12}));
  check_goal(flight.at("max(ball.y)"), 9 / (2 * 9.81), kGoalFollowed);
  check_goal(flight.at("time_of_max(ball.y)"), 3 / 9.81, kGoalWhen);
  check_goal(flight.at("last(ball.x)"), 0.5, kGoalFollowed);
}

TEST_CASE("goals of an equilibrium are those of its one row") {
  // oracle: the row
  const Mechanism m = mechanism_of(R"toml(
jounce = 1
gravity = [0, -10]
[ground]
points = { O = [0, 0] }
[bodies.rod]
mass = 2
inertia = 0.1
com = [0.4, 0]
angle = -1.2
points = { O = [0, 0] }
[joints]
pin = { type = "revolute", i = "ground.O", j = "rod.O" }
)toml");
  const auto found = goal_numbers(equilibrium(m, {.goals = as_written({"max(pin.fy)", "mean(pin.fy)", "rms(pin.fy)", "range(pin.fy)", "integral(pin.fy)", "at(pin.fy, 0)", "time_of_max(pin.fy)"})}));
  for (const char* name : {"max(pin.fy)", "mean(pin.fy)", "rms(pin.fy)", "at(pin.fy, 0)"}) check_goal(found.at(name), 20, 100 * kGoalRounded);
  for (const char* name : {"range(pin.fy)", "integral(pin.fy)", "time_of_max(pin.fy)"}) CHECK(found.at(name) == 0);
}

TEST_CASE("goals are of the rows, from the first to the last, and change none of them") {
  // oracle: the prescribed angle; a run without goals, bit for bit; an event that ends a run
  const Mechanism m = mechanism_of(kGoalsCrank);
  const auto late = goal_numbers(kinematics(m, {.times = {0.2, 0.3}, .goals = as_written({"min(crank.phi)", "max(crank.phi)", "first(t)", "mean(crank.phi)", "time_of_min(crank.phi)"})}));
  check_goal(late.at("min(crank.phi)"), kCrankStart + 0.2 * kCrankSpeed, kGoalRounded);
  check_goal(late.at("max(crank.phi)"), kCrankStart + 0.3 * kCrankSpeed, kGoalRounded);
  check_goal(late.at("mean(crank.phi)"), kCrankStart + 0.25 * kCrankSpeed, kGoalIntegrated);
  CHECK(late.at("first(t)") == 0.2);
  CHECK(late.at("time_of_min(crank.phi)") == 0.2);
  for (const Analysis analysis : {Analysis::kinematics, Analysis::inverse, Analysis::dynamics}) {
    const Run plain = run(m, analysis, {.to = 0.6, .steps = 20});
    const Run with = run(m, analysis, {.to = 0.6, .steps = 20, .goals = as_written({"max(piston.x)", "mean(piston.x)", "max(abs(piston.vx))"})});
    REQUIRE(plain.outcome.done());
    REQUIRE(with.outcome.done());
    CHECK(plain.goals.empty());
    for (std::size_t c = 0; c < plain.results.columns().size(); ++c)
      CHECK_MESSAGE(std::ranges::equal(plain.results.column(c), with.results.column(c)), plain.results.columns()[c].name);
  }
  const Mechanism ending = mechanism_of(kGoalsCrank + "[events.half]\nwhen = \"crank.phi - 3\"\nstop = true\n");
  const Run stopped = kinematics(ending, {.to = 0.6, .steps = 7, .goals = as_written({"max(crank.phi)", "last(t)"})});
  check_goal(goal_numbers(stopped).at("max(crank.phi)"), 3, kGoalRounded);
  CHECK(goal_numbers(stopped).at("last(t)") == stopped.outcome.t);
}

TEST_CASE("a run that does not come to its end has no goals, and says why itself") {
  // oracle: a rod that is too short for the crank to turn, and a caller who stops
  const auto short_rod = mechanism_of(kGoalsCrank).with({{"rod", 0.04}});
  REQUIRE(short_rod.ok());
  const Run dead = kinematics(*short_rod, {.to = 0.6, .steps = 20, .goals = {{"stroke", "range(piston.x)"}, {"speed", "max(piston.vx)"}}});
  CHECK(dead.outcome.kind == Outcome::Kind::dead_point);
  REQUIRE(dead.goals.size() == 2);
  CHECK(dead.goals[0].name == "stroke");
  CHECK(dead.goals[0].unit == "m");
  CHECK(!dead.goals[0].value);
  CHECK(!dead.goals[1].value);
  int asked = 0;
  const Run stopped = kinematics(mechanism_of(kGoalsCrank), {.to = 0.6, .steps = 20, .stop = [&] { return ++asked > 5; }, .goals = {{"stroke", "range(piston.x)"}}});
  CHECK(stopped.outcome.kind == Outcome::Kind::stopped);
  CHECK(!stopped.goals[0].value);
}

TEST_CASE("a goal that has no value somewhere is told, and the others are there") {
  // oracle: a logarithm of what changes its sign; a quotient by a range that is 0
  const Run r = kinematics(mechanism_of(kGoalsCrank), {.to = 0.6, .steps = 20, .goals = {{"a", "max(log(sin(crank.phi)))"}, {"b", "1/first(t)"}, {"c", "range(piston.x)"}}});
  CHECK(r.outcome.done());
  CHECK(!r.goals[0].value);
  CHECK(!r.goals[1].value);
  REQUIRE(r.goals[2].value);
  REQUIRE(r.problems.size() == 2);
  CHECK(r.problems[0].text().starts_with("1:1: warning: goal 'a': max(log(sin(crank.phi))) has no value: at t = "));
  CHECK(r.problems[1].text() == "1:2: warning: goal 'b': division by zero: 1/0");
}

TEST_CASE("goals have units where columns say them") {
  // oracle: by hand
  const Mechanism m = mechanism_of(kGoalsCrank);
  const std::map<std::string, std::string> units{{"max(piston.vx)", "m/s"}, {"integral(power)", "J"}, {"integral(piston.vx)", "m"}, {"time_of_max(piston.x)", "s"},
                                                 {"range(piston.x)/crank", ""}, {"rms(motor.effort)", "N m"}, {"max(piston.vx)/range(piston.x)", "1/s"}};
  std::vector<Goal> goals;
  for (const auto& unit : units) goals.push_back({unit.first, unit.first});
  for (const GoalValue& goal : inverse(m, {.to = 0.1, .steps = 2, .goals = goals}).goals) CHECK_MESSAGE(goal.unit == units.at(goal.name), goal.name);
}

TEST_CASE("what is wrong with a goal is told at its column, with what was expected") {
  // oracle: by hand
  CHECK(said_of_goal("range(piston.x)") == "");
  CHECK(said_of_goal("max(piston.z)").starts_with("1:5: error: goal 'g': unknown name 'piston.z' (did you mean 'piston.x'?)\n  hint: 'piston' has "));
  CHECK(said_of_goal("2*max(pistn.x)") == "1:7: error: goal 'g': unknown name 'pistn.x' (did you mean 'piston.x'?)\n");
  CHECK(said_of_goal("range(piston.x)/cranc") == "1:17: error: goal 'g': unknown name 'cranc' (did you mean 'crank'?)\n");
  CHECK(said_of_goal("rnge(piston.x)") ==
        "1:1: error: goal 'g': unknown function 'rnge' (did you mean 'range'?)\n"
        "  hint: one number of a whole run is max, min, mean, rms, range, first, last, integral, at, time_of_max, time_of_min\n");
  CHECK(said_of_goal("max(motor.effort)") ==
        "1:5: error: goal 'g': 'motor.effort' is not among the results of kinematics: expected one of its columns (it is among those of inverse, dynamics, equilibrium)\n");
  CHECK(said_of_goal("mean(power)") == "1:6: error: goal 'g': measure 'power': 'motor.effort' is not among the results of kinematics: expected one of its columns (it is "
                               "among those of inverse, dynamics, equilibrium)\n");
  CHECK(said_of_goal("mean(power)", Analysis::inverse) == "");
  CHECK(said_of_goal("max(bearing.lambda1_rate)", Analysis::equilibrium) ==
        "1:5: error: goal 'g': 'bearing.lambda1_rate' is not among the results of equilibrium: expected one of its columns (it is among those of inverse, dynamics)\n");
  CHECK(said_of_goal("piston.x") == "1:1: error: goal 'g': 'piston.x' changes along the run: expected one number of it, such as max(piston.x)\n");
  CHECK(said_of_goal("2*opening") == "1:3: error: goal 'g': 'opening' changes along the run: expected one number of it, such as max(opening)\n");
  CHECK(said_of_goal("max(piston.x)*t") == "1:15: error: goal 'g': 't' changes along the run: expected one number of it, such as max(t)\n");
  CHECK(said_of_goal("distance(piston.C, ground.O)") == "1:1: error: goal 'g': 'distance' changes along the run: expected one number of it, such as max(distance(…))\n");
  CHECK(said_of_goal("rate(max(piston.x))") == "1:1: error: goal 'g': 'rate': max(piston.x) is one number of the whole run and has no rate\n");
  CHECK(said_of_goal("max(2*mean(piston.x))") == "1:7: error: goal 'g': 'mean' is one number of the whole run and cannot stand in 'max', which is of what changes\n");
  CHECK(said_of_goal("max(piston.x) - min(crank.phi)") == "1:15: error: goal 'g': rad cannot be subtracted from m\n");
  CHECK(said_of_goal("max(piston.x - crank.phi)") == "1:14: error: goal 'g': rad cannot be subtracted from m\n");
  CHECK(said_of_goal("at(piston.x)") == "1:1: error: goal 'g': 'at' takes 2 arguments, found 1\n  hint: at(piston.x, 0.25) is the value at t = 0.25 s\n");
  CHECK(said_of_goal("at(piston.x, t)") == "1:14: error: goal 'g': 't' cannot be used in a constant\n");
  CHECK(said_of_goal("mean(piston.x, 2)") == "1:1: error: goal 'g': 'mean' takes 1 argument, found 2\n");
  CHECK(said_of_goal("max(piston.x") == "1:13: error: goal 'g': expected ',' or ')', found the end\n");
  CHECK(said_of_goal("max()") == "1:1: error: goal 'g': 'max' takes 2 or more arguments, found 0\n");
  CHECK(said_of_goal("") == "1:1: error: goal 'g': expected a number, a name or '(', found the end\n");
  CHECK(said_of_goal("max(energy.work)", Analysis::inverse) ==
        "1:1: error: goal 'g': 'energy.work' is known at the rows of a run alone: expected its 'first' or 'last', found 'max'\n");
  CHECK(said_of_goal("max(lookup('none.csv', piston.x))").starts_with("1:5: error: goal 'g': 'none.csv': cannot read the table"));
  const std::vector<Goal> names{{"a", "max(t)"}, {"a", "min(t)"}, {"", "max(t)"}};
  CHECK(text(check_goals(mechanism_of(kGoalsCrank), Analysis::kinematics, names)) ==
        "error: goal 'a': there is another of this name\nerror: a goal has no name: expected one for \"max(t)\"\n");
}

TEST_CASE("with a goal that cannot be read nothing is run") {
  // oracle: the outcome, and the rows that did not come
  const Mechanism m = mechanism_of(kGoalsCrank);
  for (const char* wrong : {"max(piston.z)", "at(piston.x, 0.7)"}) {
    const Run r = kinematics(m, {.to = 0.6, .steps = 20, .goals = {{"good", "max(piston.x)"}, {"bad", wrong}}});
    CHECK(r.outcome.kind == Outcome::Kind::not_run);
    CHECK(r.results.rows() == 0);
    CHECK(any_error(r.problems));
    REQUIRE(r.goals.size() == 2);
    CHECK(!r.goals[0].value);
  }
  const Run late = kinematics(m, {.to = 0.6, .steps = 20, .goals = {{"bad", "1 + at(piston.x, 0.7)"}}});
  CHECK(text(late.problems) == "1:5: error: goal 'bad': expected a time from 0 to 0.6 s, which the rows of the run cover, found 0.7 s\n");
}
