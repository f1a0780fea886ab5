// Where driven motions end, and that they do not leave their branch before: drivers that ask for what cannot be, that have no value, that
// contradict each other or leave something free. Every test runs in the plane and on the same mechanism in space, by the same assertions;
// so do those of singular_positions.cpp and of runs.cpp.
// Oracles: closed forms, and functions whose domain ends at a known time.
#include <filesystem>
#include <fstream>

#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/inverse.hpp"
#include "plane_and_space.hpp"

namespace space_branches_test {

using namespace jounce;
using namespace jounce::test;

namespace {

namespace fs = std::filesystem;

Model crank(const std::string& motion) {
  Model m;
  m.ground.point("O", 0.0, 0.0);
  bar(m, "crank", 0.5, 0, 0, 0.3);
  pin(m, "pO", "ground.O", "crank.A");
  motor(m, "motor", "ground", "crank", motion);
  return m;
}

Model double_rocker(const std::string& motion) {
  Model m = four_bar(1, 0.8, 0.5, 0.6, 0.6, 1);
  motor(m, "motor", "ground", "crank", motion);
  return m;
}
// Its limit: coupler and rocker in line.
const double kReach = std::acos((0.64 + 1 - 1.21) / 1.6) - 0.6;

Model pendulum() {
  Model m;
  m.ground.point("O", 0.0, 0.0);
  bar(m, "arm", 1, 0, 0, 0.4);
  pin(m, "pO", "ground.O", "arm.A");
  return m;
}

// One motor for two free motions.
Model five_bar() {
  Model m;
  m.ground.point("O", 0.0, 0.0).point("Q", 1.0, 0.0);
  const std::vector<Vec2<double>> nodes{{0, 0}, {-0.2, 0.7}, {0.4, 1.3}, {1.1, 0.8}, {1, 0}};
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec2<double> from = nodes[k], way = nodes[k + 1] - from;
    bar(m, "bar" + std::to_string(k), std::hypot(way.x, way.y), from.x, from.y, std::atan2(way.y, way.x));
    pin(m, "p" + std::to_string(k), k == 0 ? "ground.O" : "bar" + std::to_string(k - 1) + ".B", "bar" + std::to_string(k) + ".A");
  }
  pin(m, "p4", "bar3.B", "ground.Q");
  motor(m, "motor", "ground", "bar0", "t");
  return m;
}

Body& heavy_rod(Model& m, const std::string& name, double x, double y, double phi) {
  Body& body = bar(m, name, 0.5, x, y, phi);
  body.mass = Text(1), body.inertia = Text(1.0 / 12), body.com = std::vector<Text>{0.25, 0.0};
  return body;
}

// A double pendulum with two motors on its first pin.
Model two_motors(const std::string& first, const std::string& second) {
  Model m;
  m.gravity = std::vector<Text>{0.0, -10.0};
  m.ground.point("O", 0.0, 0.0);
  heavy_rod(m, "a", 0, 0, 0.7);
  heavy_rod(m, "b", 0.5 * std::cos(0.7), 0.5 * std::sin(0.7), 0.2);
  pin(m, "O", "ground.O", "a.A");
  pin(m, "hold", "a.B", "b.A");
  motor(m, "first", "ground", "a", first);
  motor(m, "second", "ground", "a", second);
  return m;
}

}  // namespace

// ---- beyond what the links allow -------------------------------------------------------------------------------------

TEST_CASE_TEMPLATE("a driver that would break the mechanism between two output times is not overlooked", Where, InPlane, InSpace) {
  // oracle: the pulse asks for an angle beyond the double rocker's limit (cos θ = 0.26875) around t = 0.5
  const Where at(double_rocker("2*exp(-((t - 0.5)/0.05)^2)"));
  const double t = 0.5 - 0.05 * std::sqrt(std::log(2 / kReach));
  for (const int steps : {100, 10, 2, 1}) {
    CAPTURE(steps);
    const KinematicsRun run = kinematics(at.mechanism, {1, steps, {}});
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::dead_point));
    CHECK(std::abs(run.outcome.t - t) < kLocated);
  }
}

TEST_CASE_TEMPLATE("a mechanism that breaks before its motion ends is reported to break", Where, InPlane, InSpace) {
  // oracle: dead point where 0.7 t reaches the limit of the double rocker, t = 0.998...; the logarithm ends later, at t = 1.5
  const Where at(double_rocker("0.7*t + 0*log(1.5 - t)"));
  for (const int steps : {1, 3, 50}) {
    CAPTURE(steps);
    const KinematicsRun run = kinematics(at.mechanism, {2, steps, {}});
    CAPTURE(run.outcome.sentence);
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::dead_point));
    CHECK(std::abs(run.outcome.t - kReach / 0.7) < kLocated);
  }
}

TEST_CASE_TEMPLATE("a cylinder driven to no length stops there", Where, InPlane, InSpace) {
  // oracle: 0.5 − 0.25 t is zero at t = 2
  Model m = slider_crank(0.15, 0.30, 1);
  m.joints.erase(m.joints.begin(), m.joints.begin() + 3);  // the block and its guide are left
  m.bodies.erase(m.bodies.begin(), m.bodies.begin() + 2);
  draw(m.body("block"), 0.5, 0, 0);
  m.driver("cylinder", "distance").set("i", Text("ground.O")).set("j", Text("block.P")).set("motion", Text("0.5 - 0.25*t"));
  const Where at(m);
  for (const int steps : {1, 6, 7, 300}) {
    CAPTURE(steps);
    const KinematicsRun run = kinematics(at.mechanism, {3, steps, {}});
    CAPTURE(run.outcome.sentence);
    CHECK(!run.outcome.done());
    CHECK(std::abs(run.outcome.t - 2) < kLocated);
    // In space it is a slide between two hinges, whose axes fall together: what the guide asks of them then depends on itself.
    CHECK(names(run.outcome.elements, std::is_same_v<Where, InSpace> ? "guide" : "cylinder"));
    for (std::size_t i = 0; i < run.results.rows(); ++i)
      CHECK(std::abs(at.place(run, i, "block").x - (0.5 - 0.25 * value(run, i, "t"))) <= kSolved);
  }
}

// ---- motions without a value -----------------------------------------------------------------------------------------

TEST_CASE_TEMPLATE("a motion that has no value from some time on ends the run there and keeps what came before", Where, InPlane, InSpace) {
  // oracle: log and sqrt of 3.2 − t end at 3.2
  for (const std::string f : {"0.1*log(3.2 - t)", "sqrt(3.2 - t)", "0.2*t + 0*log(3.2 - t)"}) {
    const Where at(crank(f));
    for (const int steps : {1, 4, 10, 40, 1000}) {
      CAPTURE(f);
      CAPTURE(steps);
      const KinematicsRun run = kinematics(at.mechanism, {4, steps, {}});
      CAPTURE(run.outcome.sentence);
      CHECK(word(run.outcome.kind) == word(Outcome::Kind::undefined));
      CHECK(std::abs(run.outcome.t - 3.2) < kLocated);
      CHECK(names(run.outcome.elements, at.name("motor")));
      std::size_t before = 0;
      for (int i = 0; i <= steps; ++i) before += 4.0 * i / steps < 3.2 - 1e-6;
      CHECK(run.results.rows() >= before);
      CHECK(run.results.rows() <= before + 1);
    }
  }
}

TEST_CASE_TEMPLATE("a motion without a value in a loop, and in forward dynamics, ends the run at its driver too", Where, InPlane, InSpace) {
  // oracle: the logarithm of 0.5 − t ends at 0.5, long before the double rocker's limit
  const Where loop(double_rocker("0.2*t + 0*log(0.5 - t)"));
  for (const int steps : {1, 4, 10, 1000}) {
    CAPTURE(steps);
    const KinematicsRun run = kinematics(loop.mechanism, {2, steps, {}});
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::undefined));
    CHECK(std::abs(run.outcome.t - 0.5) < kLocated);
    CHECK(run.outcome.elements == std::vector{loop.name("motor")});
  }
  Model m = crank("0.2*t + 0*log(0.5 - t)");
  m.body("crank").mass = Text(1.0), m.body("crank").inertia = Text(1.0);
  const Where heavy(m);
  DynamicsOptions options;
  options.to = 1, options.steps = 10;
  const DynamicsRun run = dynamics(heavy.mechanism, options);
  CHECK(word(run.outcome.kind) == word(Outcome::Kind::undefined));
  CHECK(run.outcome.elements == std::vector{heavy.name("motor")});
  CHECK(run.results.rows() == 5);
}

TEST_CASE_TEMPLATE("a force without a value ends inverse and forward dynamics with its plain name", Where, InPlane, InSpace) {
  // oracle: the square root of 0.55 − t ends at 0.55, after the sixth of the rows a tenth of a second apart
  Model m = crank("0.2*t");
  m.body("crank").mass = Text(1.0), m.body("crank").inertia = Text(1.0);
  force(m, "push", "moment").set("on", Text("crank")).set("value", Text("sqrt(0.55 - t)"));
  const Where at(m);
  const KinematicsRun inverted = inverse(at.mechanism, {1, 10, {}});
  CHECK(word(inverted.outcome.kind) == word(Outcome::Kind::undefined));
  CHECK(inverted.outcome.elements == std::vector<std::string>{"push"});
  CHECK(inverted.results.rows() == 6);
  DynamicsOptions options;
  options.to = 1, options.steps = 10;
  const DynamicsRun run = dynamics(at.mechanism, options);
  CHECK(word(run.outcome.kind) == word(Outcome::Kind::undefined));
  CHECK(run.outcome.elements == std::vector<std::string>{"push"});
  CHECK(run.results.rows() == 6);
}

TEST_CASE("a table ends the run where it ends, in the plane and in space") {
  // oracle: the last time in the table, 2.5
  const fs::path folder = fs::temp_directory_path() / "jounce_test_table";
  fs::create_directories(folder);
  {
    std::ofstream file(folder / "f.csv");
    file << "t,f\n";
    for (int i = 0; i <= 5; ++i) file << 0.5 * i << "," << 0.1 * i * i << "\n";
  }
  const auto check = [](const auto& mechanism, const std::string& angle, double start) {
    const KinematicsRun all = kinematics(mechanism, {2.5, 5, {}});
    CHECK_MESSAGE(all.outcome.done(), all.outcome.sentence);
    CHECK(value(all, 5, angle) == doctest::Approx(start + 2.5).epsilon(kSolved));
    for (const int steps : {1, 4, 30}) {
      const KinematicsRun run = kinematics(mechanism, {4, steps, {}});
      CHECK(word(run.outcome.kind) == word(Outcome::Kind::undefined));
      CHECK(std::abs(run.outcome.t - 2.5) < kLocated);
    }
  };
  Model m = crank("0");
  m.file = (folder / "model.toml").string();
  // A joint of space is where its table says; a driver of the plane goes on from the drawing.
  Model in_space = InSpace(m).both.rebuilt.model;
  in_space.joints[0].set("dofs", std::vector<Table>{Table().set("motion", TableFile{"f.csv"})});
  m.drivers[0].set("motion", TableFile{"f.csv"});
  check(built(m), "crank.phi", 0.3);
  check(parity::built_in_space(in_space), "pO.q1", 0);
  fs::remove_all(folder);
}

// ---- drivers that contradict each other, and too few of them ---------------------------------------------------------

TEST_CASE_TEMPLATE("two motors on one shaft move it if they run alike, and are named if they do not", Where, InPlane, InSpace) {
  // oracle: 2 t and 3 t differ, 2 t and 2 t do not
  for (const bool alike : {true, false}) {
    CAPTURE(alike);
    Model m = pendulum();
    motor(m, "one", "ground", "arm", "2*t");
    motor(m, "two", "ground", "arm", alike ? "2*t" : "3*t");
    const Where at(m);
    const KinematicsRun run = kinematics(at.mechanism, {1, 10, {}});
    CAPTURE(run.outcome.sentence);
    CHECK(run.outcome.done() == alike);
    if (!alike) {
      // the message must name both, and must not speak of step sizes
      CHECK(word(run.outcome.kind) == word(Outcome::Kind::conflicting));
      CHECK(run.outcome.t == 0);
      CHECK(names(run.outcome.elements, at.name("one")));
      CHECK(names(run.outcome.elements, at.name("two")));
      if (std::is_same_v<Where, InSpace>) continue;  // there the sentence says how fast the loop between them would come apart
      CHECK(run.outcome.sentence.find("one") != std::string::npos);
      CHECK(run.outcome.sentence.find("two") != std::string::npos);
    }
  }
}

TEST_CASE_TEMPLATE("motors that agree in position and speed but not in acceleration contradict each other too", Where, InPlane, InSpace) {
  // oracle: 2 t and 2 t + 0.1 t² part at once
  Model m = pendulum();
  motor(m, "one", "ground", "arm", "2*t");
  motor(m, "two", "ground", "arm", "2*t + 0.1*t^2");
  const Where at(m);
  const KinematicsRun run = kinematics(at.mechanism, {1, 10, {}});
  CAPTURE(run.outcome.sentence);
  CHECK(!run.outcome.done());
  CHECK(word(run.outcome.kind) == word(Outcome::Kind::conflicting));
  CHECK(run.outcome.t <= 1e-3);
}

TEST_CASE_TEMPLATE("motors that part by the third power of time are said to contradict each other where they do", Where, InPlane, InSpace) {
  // oracle: t and t + t³ differ by 1e-8 rad, the most that is rounding, at 2.2e-3 s
  Model m = pendulum();
  motor(m, "one", "ground", "arm", "t");
  motor(m, "two", "ground", "arm", "t + t^3");
  const Where at(m);
  const KinematicsRun run = kinematics(at.mechanism, {1, 10, {}});
  CHECK(word(run.outcome.kind) == word(Outcome::Kind::conflicting));
  CHECK(run.outcome.t > 1e-3);
  CHECK(run.outcome.t < 5e-3);
  CHECK(run.results.rows() == 1);
}

TEST_CASE_TEMPLATE("drivers that contradict each other are found at every size of the mechanism", Where, InPlane, InSpace) {
  // oracle: two cylinders between the same points, at different speeds
  for (const double size : {1.0, 1e-3, 1e-7}) {
    CAPTURE(size);
    Model m;
    m.ground.point("O", 0.0, 0.0).point("P", 2 * size, 0.0);
    bar(m, "arm", size, 0, 0, 1.2);
    pin(m, "o", "ground.O", "arm.A");
    const std::string reach = text_of(size) + "*(1.8 + 0.3*t)", other = text_of(size) + "*(1.8 + 0.301*t)";
    m.driver("one", "distance").set("i", "ground.P").set("j", "arm.B").set("motion", Text(reach));
    m.driver("two", "distance").set("i", "ground.P").set("j", "arm.B").set("motion", Text(other));
    const Where at(m);
    const KinematicsRun run = kinematics(at.mechanism, {1, 10, {}});
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::conflicting));
    CHECK(names(run.outcome.elements, at.name("one")));
    CHECK(names(run.outcome.elements, at.name("two")));
  }
}

TEST_CASE_TEMPLATE("drivers that part by the third power of time are found where they do, at every size of the mechanism", Where, InPlane, InSpace) {
  // oracle: the two lengths differ by 1e-8 of the mechanism's size at 4.6e-3 s
  for (const double size : {1.0, 1e-3, 1e-7, 1e3}) {
    CAPTURE(size);
    Model m;
    m.ground.point("O", 0.0, 0.0).point("P", 2 * size, 0.0);
    bar(m, "arm", size, 0, 0, 1.2);
    pin(m, "o", "ground.O", "arm.A");
    const double drawn = std::sqrt(5 - 4 * std::cos(1.2));
    const std::string reach = text_of(size) + "*(" + text_of(drawn) + " + 0.3*t";
    m.driver("one", "distance").set("i", "ground.P").set("j", "arm.B").set("motion", Text(reach + ")"));
    m.driver("two", "distance").set("i", "ground.P").set("j", "arm.B").set("motion", Text(reach + " + 0.1*t^3)"));
    const Where at(m);
    const KinematicsRun run = kinematics(at.mechanism, {1, 10, {}});
    CAPTURE(run.outcome.sentence);
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::conflicting));
    CHECK(run.outcome.t > 2e-3);
    CHECK(run.outcome.t < 1e-2);
    CHECK(run.results.rows() == 1);
    CHECK(names(run.outcome.elements, at.name("one")));
    CHECK(names(run.outcome.elements, at.name("two")));
  }
}

TEST_CASE_TEMPLATE("only those that contradict each other are named", Where, InPlane, InSpace) {
  // oracle: the four-bar beside the two motors has nothing to do with them
  Model m = four_bar(0.35, 0.10, 0.25, 0.30, 0.3, 1);
  motor(m, "motor", "ground", "crank", "t");
  m.ground.point("P", 2.0, 0.0);
  bar(m, "arm", 1, 2, 0, 0.4);
  pin(m, "pP", "ground.P", "arm.A");
  motor(m, "one", "ground", "arm", "t");
  for (const std::string f : {"2*t", "t + t^2", "t + t^3"}) {
    CAPTURE(f);
    Model with = m;
    motor(with, "two", "ground", "arm", f);
    const Where at(with);
    const KinematicsRun run = kinematics(at.mechanism, {1, 10, {}});
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::conflicting));
    CHECK(names(run.outcome.elements, at.name("one")));
    CHECK(names(run.outcome.elements, at.name("two")));
    for (const char* other : {"motor", "pA", "pB", "pQ"}) CHECK(!names(run.outcome.elements, at.name(other)));
  }
}

TEST_CASE_TEMPLATE("motors that the links between them do not follow end a forward run where they part, at every size", Where, InPlane, InSpace) {
  // oracle: crank and rocker of a four-bar turn at other rates: they part by a hundred-millionth of its size at 5 ms (0.3 · 0.005³ rad is 4e-8), long
  // before the first row; kinematics ends there, too
  for (const double size : {1.0, 1e-3}) {
    CAPTURE(size);
    Model m = four_bar(size, 0.8 * size, 0.5 * size, 0.6 * size, 0.6, 1);
    for (Body& b : m.bodies) b.mass = Text(1.0), b.inertia = Text(0.1 * size * size);
    motor(m, "one", "ground", "crank", "0.3*t^3");
    motor(m, "two", "ground", "rocker", "0.3*t^3");
    const Where at(m);
    DynamicsOptions options;
    options.to = 2, options.steps = 20;
    const DynamicsRun run = dynamics(at.mechanism, options);
    CAPTURE(run.outcome.sentence);
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::conflicting));
    CHECK(run.outcome.t > 0.004);
    CHECK(run.outcome.t < 0.006);
    CHECK(run.results.rows() == 1);
    const KinematicsRun driven = kinematics(at.mechanism, {2, 20, {}});
    CHECK(word(driven.outcome.kind) == word(Outcome::Kind::conflicting));
    // the plane tells a gap by other equations, left over in another order: a factor in the gap is its cube root in time
    CHECK(run.outcome.t == doctest::Approx(driven.outcome.t).epsilon(std::is_same_v<Where, InSpace> ? 1e-6 : 0.2));
    options.steps = 3;
    CHECK(dynamics(at.mechanism, options).outcome.t == doctest::Approx(run.outcome.t).epsilon(1e-9));
    CHECK(run.outcome.sentence.find("they are off by") != std::string::npos);  // found by the gap, whatever the accelerations say
  }
}

TEST_CASE_TEMPLATE("two drivers that part on the way end the run where they do, in any formulation", Where, InPlane, InSpace) {
  // oracle: t and t + t³ agree at the start, with their rates, and differ by 1 mm per metre at 0.1 s
  const Where at(two_motors("t", "t + t^3"));
  for (const Formulation formulation : kFormulations) {
    if (std::is_same_v<Where, InSpace> && formulation == Formulation::kane) continue;  // of the plane
    CAPTURE(word(formulation));
    DynamicsOptions options;
    options.to = 1, options.steps = 10, options.formulation = formulation;
    const DynamicsRun run = dynamics(at.mechanism, options);
    CAPTURE(run.outcome.sentence);
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::conflicting));
    CHECK(run.outcome.t <= 0.1);
    CHECK(run.results.rows() >= 1);
    if (std::is_same_v<Where, InSpace>) CHECK(run.outcome.elements == std::vector<std::string>{"bond3", at.name("first"), at.name("second")});
  }
}

TEST_CASE_TEMPLATE("two drivers that contradict each other from the start end a forward run there", Where, InPlane, InSpace) {
  // oracle: the rates 2 and 3 differ
  const Where at(two_motors("2*t", "3*t"));
  DynamicsOptions options;
  options.to = 1, options.steps = 10;
  const DynamicsRun run = dynamics(at.mechanism, options);
  CAPTURE(run.outcome.sentence);
  CHECK(word(run.outcome.kind) == word(Outcome::Kind::conflicting));
  CHECK(run.outcome.t == 0);
}

TEST_CASE_TEMPLATE("a mechanism with a free motion left is not driven", Where, InPlane, InSpace) {
  // oracle: five-bar with one motor
  Model m = five_bar();
  const Where once(m);
  const KinematicsRun run = kinematics(once.mechanism, {1, 10, {}});
  CHECK(word(run.outcome.kind) == word(Outcome::Kind::not_driven));
  CHECK(run.outcome.sentence.find("1 free motion ") != std::string::npos);
  CHECK(run.results.rows() == 0);
  // driven twice at one place, and not at all at another
  motor(m, "again", "ground", "bar0", "t");
  const Where again(m);
  const KinematicsRun twice = kinematics(again.mechanism, {1, 10, {}});
  CHECK(word(twice.outcome.kind) == word(Outcome::Kind::not_driven));
}

}  // namespace space_branches_test
