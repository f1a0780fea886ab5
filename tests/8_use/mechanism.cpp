// One Mechanism, one Run, one set of analyses for plane and space.
#include "jounce/api/mechanism.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "jounce/api/draw.hpp"
#include "jounce/api/run.hpp"
#include "jounce/api/simulation.hpp"
#include "jounce/api/version.hpp"
#include "jounce/base/files.hpp"
#include "places.hpp"

namespace {

using namespace jounce;

Mechanism loaded(const std::string& name) {
  auto mechanism = Mechanism::load(places::source() + "/models/" + name + "/model.toml");
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  return *std::move(mechanism);
}

bool same_bits(const Run& a, const Run& b) {
  if (a.results.rows() != b.results.rows() || a.results.rows() == 0) return false;
  for (std::size_t i = 0; i < a.results.rows(); ++i) {
    const auto x = a.results.row(i), y = b.results.row(i);
    if (!std::equal(x.begin(), x.end(), y.begin(), y.end())) return false;
  }
  return true;
}

// A pendulum of 1 kg on a rod of 1 m without mass, with a moment that can be set; in the plane and in space.
Model pendulum(Space space) {
  Model model;
  model.name = "pendulum";
  model.space = space;
  const bool plane = space == Space::plane;
  model.gravity = plane ? std::vector<Text>{0.0, -9.81} : std::vector<Text>{0.0, -9.81, 0.0};
  Body& bob = model.body("bob");
  bob.mass = "m";
  model.parameter("m", 1.0);
  if (plane) {
    model.ground.point("O", 0.0, 0.0);
    bob.inertia = 0.0;
    bob.position = std::vector<Text>{1.0, 0.0};
    bob.point("O", -1.0, 0.0);
    model.joint("pin", "revolute").set("i", "ground.O").set("j", "bob.O");
    model.force("motor", "moment").set("on", "bob").set("value", 0.0);
  } else {
    bob.com = std::vector<Text>{1.0, 0.0, 0.0};
    bob.inertia_matrix = std::vector<Text>{0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    Table dof;
    dof.set("torque", 0.0);
    model.joint("pin", "revolute").set("parent", "ground").set("child", "bob").set("dofs", std::vector<Table>{dof});
  }
  return model;
}

}  // namespace

TEST_CASE("plane and space are loaded, run and asked by the same calls") {
  // oracle: what [run] of each model says, and the units of the interface
  for (const char* name : {"quick-return", "hooke-joint", "double-pendulum", "space-double-pendulum", "truss", "spring-balance"}) {
    CAPTURE(name);
    const Mechanism mechanism = loaded(name);
    const Run own = run(mechanism);
    CHECK_MESSAGE(own.outcome.done(), own.outcome.sentence);
    CHECK(word(own.analysis) == mechanism.run().analysis);
    CHECK(own.results.rows() == (own.analysis == Analysis::equilibrium ? 1 : static_cast<std::size_t>(mechanism.run().steps) + 1));
    CHECK(own.results.columns().size() == result_columns(mechanism, own.analysis).size());
    if (own.analysis != Analysis::equilibrium) CHECK(own.statistics.samples == static_cast<int>(own.results.rows()));
    else CHECK(own.rest.has_value());
  }
}

TEST_CASE("a mechanism with other parameters is the one that the file with those parameters gives") {
  // oracle: --set through the reader
  const std::string path = places::source() + "/models/slider-crank-engine/model.toml";
  const Mechanism first = loaded("slider-crank-engine");
  REQUIRE(!first.parameters().empty());
  const auto [name, value] = *first.parameters().begin();
  const auto other = first.with({{name, 1.01 * value}});
  REQUIRE_MESSAGE(other.ok(), text(other.problems()));
  const auto read = Mechanism::load(path, std::vector<Override>{{name, Text(1.01 * value).text}});
  REQUIRE(read.ok());
  CHECK(same_bits(run(*other), run(*read)));
  CHECK(first.parameters().at(name) == value);  // the first is as it was
  CHECK_FALSE(first.with({{"no-such-parameter", 1.0}}).ok());
}

TEST_CASE("other parameters and inputs read nothing again, not even tables, and a mechanism goes where its files are not") {
  // oracle: a provider that has been emptied; the table is the line 2 t, so the arm turns by 2 rad/s, times the parameter
  const std::string model = R"(jounce = 1
[parameters]
arm = 1.0
[ground]
points = { O = [0, 0] }
[bodies.arm]
mass = 1
inertia = 1
points = { O = [0, 0], tip = ["arm", 0] }
[joints.O]
type = "revolute"
i = "ground.O"
j = "arm.O"
[drivers.motor]
type = "angle"
i = "ground"
j = "arm"
motion = { table = "lift.csv" }
[forces.push]
type = "force"
on = "arm.tip"
value = [0, 0]
)";
  set_file_provider([&](const std::string& path, std::size_t) -> Result<std::string> {
    if (path == "model.toml") return model;
    return std::string("0,0\n1,2\n2,4\n3,6\n4,8\n5,10\n6,12");
  });
  const auto mechanism = load("model.toml");
  set_file_provider([](const std::string&, std::size_t) -> Result<std::string> { return error({}, "gone"); });
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  const auto longer = mechanism->with({{"arm", 3.0}});
  Simulation simulation(*mechanism);
  const bool set = simulation.set("push.fy", 1.0), moved = simulation.advance(0.5);
  const auto elsewhere = Mechanism::from_text(longer->source(), longer->file(), std::vector<Override>{{"arm", "3"}}, longer->files());
  set_file_provider({});
  REQUIRE_MESSAGE(longer.ok(), text(longer.problems()));
  REQUIRE_MESSAGE(elsewhere.ok(), text(elsewhere.problems()));
  CHECK(elsewhere->model() == longer->model());
  CHECK(same_bits(kinematics(*elsewhere), kinematics(*longer)));
  CHECK(longer->tables() == std::vector<std::string>{"lift.csv"});
  CHECK(*kinematics(*longer, {.to = 1, .steps = 1}).results.at(0, "arm.tip.vy") == doctest::Approx(6).epsilon(1e-12));
  CHECK(set);
  CHECK_MESSAGE(moved, simulation.outcome().sentence);
  CHECK(*simulation.value("arm.phi") == doctest::Approx(1).epsilon(1e-9));
}

TEST_CASE("output times and a start state are taken by every analysis, in the plane and in space") {
  // oracle: the run over the same times from the beginning
  for (const char* name : {"quick-return", "hooke-joint"}) {
    CAPTURE(name);
    const Mechanism mechanism = loaded(name);
    const Run whole = kinematics(mechanism, {.to = 0.4, .steps = 4});
    const Run part = kinematics(mechanism, {.times = {0.1, 0.3, 0.4}});
    REQUIRE(part.results.rows() == 3);
    const auto column = whole.results.columns().size() - 1;
    CHECK(std::abs(part.results.row(1)[column] - whole.results.row(3)[column]) < 1e-9 * (1 + std::abs(whole.results.row(3)[column])));
  }
  for (const char* name : {"double-pendulum", "space-double-pendulum"}) {
    CAPTURE(name);
    const Mechanism mechanism = loaded(name);
    const Run whole = dynamics(mechanism, {.to = 0.5, .steps = 2, .tolerance = 1e-11});
    const Run half = dynamics(mechanism, {.to = 0.25, .steps = 1, .tolerance = 1e-11});
    const Run rest = dynamics(mechanism, {.times = {0.5}, .start = half.state, .tolerance = 1e-11});
    REQUIRE(rest.results.rows() == 1);
    for (std::size_t c = 0; c < rest.state.q.size(); ++c) CHECK(std::abs(rest.state.q[c] - whole.state.q[c]) < 1e-8);
  }
}

TEST_CASE("a run can be stopped, and tells how far it is") {
  // oracle: the calls are counted
  for (const char* name : {"quick-return", "hooke-joint", "double-pendulum", "space-double-pendulum"}) {
    CAPTURE(name);
    const Mechanism mechanism = loaded(name);
    int asked = 0;
    double told = -1;
    const Analysis analysis = *analysis_of(mechanism.run().analysis);
    const Run stopped = run(mechanism, analysis, {.to = 1, .steps = 50, .stop = [&] { return ++asked == 3; }, .progress = [&](double t) { told = t; }});
    CHECK(stopped.outcome.kind == Outcome::Kind::stopped);
    CHECK(stopped.results.rows() >= 1);
    CHECK(told >= 0);
  }
}

TEST_CASE("what was compiled for this machine misses nothing on it") {
  // oracle: this test runs
  CHECK(missing_instructions().empty());
}

TEST_CASE("two runs on one mechanism at once give the bits of one after the other") {
  // oracle: the runs in sequence
  for (const char* name : {"quick-return", "andrews-squeezer", "hooke-joint", "seven-joint-arm", "space-double-pendulum", "stick-slip"}) {
    CAPTURE(name);
    const Mechanism mechanism = loaded(name);
    const Analysis analysis = *analysis_of(mechanism.run().analysis);
    const Options options{.to = 0.02, .steps = 20};
    const Run before = run(mechanism, analysis, options);
    std::vector<Run> found(4);
    {
      std::vector<std::jthread> threads;
      for (Run& one : found) threads.emplace_back([&] { one = run(mechanism, analysis, options); });
    }
    for (const Run& one : found) CHECK(same_bits(before, one));
  }
}

TEST_CASE("a simulation in steps arrives where a run arrives") {
  // oracle: one run over the whole time
  for (const char* name : {"double-pendulum", "space-double-pendulum"}) {
    CAPTURE(name);
    const Mechanism mechanism = loaded(name);
    Simulation simulation(mechanism, {.tolerance = 1e-11});
    REQUIRE(simulation.ready());
    for (int i = 0; i < 20; ++i) REQUIRE_MESSAGE(simulation.advance(0.025), simulation.outcome().sentence << text(simulation.problems()));
    const Run whole = dynamics(mechanism, {.to = 0.5, .steps = 1, .tolerance = 1e-11});
    CHECK(std::abs(simulation.t() - 0.5) < 1e-12);
    for (std::size_t c = 0; c < whole.state.q.size(); ++c) CHECK(std::abs(simulation.state().q[c] - whole.state.q[c]) < 1e-7);
    const MotionState there = simulation.state();
    REQUIRE(simulation.advance(0.1));
    REQUIRE(simulation.restart(there));
    CHECK(simulation.t() == there.t);
    CHECK_FALSE(simulation.advance(-1));
  }
}

TEST_CASE("an input that is set acts from then on: a pendulum is held by the moment of its weight") {
  // oracle: m g l = 9.81 N m balances it; half a second after it is taken away the pendulum has fallen, energy kept
  for (const Space space : {Space::plane, Space::three}) {
    const bool plane = space == Space::plane;
    CAPTURE(plane);
    const auto mechanism = Mechanism::build(pendulum(space));
    REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
    Simulation simulation(*mechanism, {.tolerance = 1e-10});
    REQUIRE_MESSAGE(simulation.ready(), simulation.outcome().sentence);
    const std::string input = plane ? "motor.torque" : "pin.tau1", height = plane ? "bob.y" : "com.y";
    REQUIRE(std::ranges::find(simulation.inputs(), input) != simulation.inputs().end());
    REQUIRE(simulation.set(input, 9.81));
    REQUIRE(simulation.advance(0.5));
    CHECK(std::abs(*simulation.value(height)) < 1e-9);
    REQUIRE(simulation.set(input, 0));
    REQUIRE(simulation.advance(0.5));
    const double y = *simulation.value(height);
    CHECK(y < -0.5);
    CHECK(std::abs(*simulation.value("energy.kinetic") + 9.81 * y) < 1e-7);
    CHECK_FALSE(simulation.set("no.such", 1));
  }
}

TEST_CASE("every passive dof in space can be driven, whether or not the model says something of it") {
  // oracle: a wheel of inertia 2 turned by 3 N m about its axis and pushed by 4 N along it with mass 8: rates 1.5 and 0.5 after a second
  auto mechanism = Mechanism::from_text(R"(jounce = 1
space = "3d"
gravity = [0, 0, 0]
[bodies.wheel]
mass = 8
inertia = [1, 1, 2, 0, 0, 0]
[bodies.led]
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[joints.shaft]
type = "cylindrical"
parent = "ground"
child = "wheel"
[joints.hinge]
type = "revolute"
parent = "ground"
child = "led"
dofs = [{ motion = "t" }]
)", "wheel.toml");
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  Simulation simulation(*mechanism, {.tolerance = 1e-10});
  REQUIRE_MESSAGE(simulation.ready(), simulation.outcome().sentence);
  CHECK(simulation.inputs() == std::vector<std::string>{"shaft.tau1", "shaft.tau2"});
  REQUIRE(simulation.set("shaft.tau1", 3));
  REQUIRE(simulation.set("shaft.tau2", 4));
  REQUIRE(simulation.advance(1));
  CHECK(*simulation.value("shaft.v1") == doctest::Approx(1.5).epsilon(1e-9));
  CHECK(*simulation.value("shaft.v2") == doctest::Approx(0.5).epsilon(1e-9));
}

TEST_CASE("output times that begin late are reached by following the motion from its start") {
  // oracle: the run over all times; a drag link whose drawing, assembled 0.2 s later, closes the other way round and loses turns
  for (const Analysis analysis : {Analysis::kinematics, Analysis::inverse}) {
    const auto drag = loaded("four-bar").with({{"ground_length", 0.08}, {"crank_length", 0.2}});
    REQUIRE_MESSAGE(drag.ok(), text(drag.problems()));
    const Run whole = run(*drag, analysis, {.to = 1.4, .steps = 14}), late = run(*drag, analysis, {.times = {0.2, 1.4}});
    REQUIRE(whole.outcome.done());
    REQUIRE(late.results.rows() == 2);
    for (const char* column : {"coupler.phi", "rocker.phi"}) {
      CHECK(*late.results.at(0, column) == doctest::Approx(*whole.results.at(2, column)).epsilon(1e-10));
      CHECK(*late.results.at(1, column) == doctest::Approx(*whole.results.at(14, column)).epsilon(1e-10));
    }
    CHECK(late.state.t == 1.4);
  }
}

TEST_CASE("a driven run goes on from the state of another one, at its time") {
  // oracle: the run over all times
  for (const char* name : {"quick-return", "hooke-joint"}) {
    CAPTURE(name);
    const Mechanism mechanism = loaded(name);
    const Run whole = kinematics(mechanism, {.to = 0.8, .steps = 2}), half = kinematics(mechanism, {.to = 0.4, .steps = 1});
    const Run rest = kinematics(mechanism, {.to = 0.8, .steps = 1, .start = half.state});
    REQUIRE_MESSAGE(rest.outcome.done(), rest.outcome.sentence);
    REQUIRE(rest.results.rows() == 2);
    CHECK(rest.results.column(0)[0] == 0.4);
    for (std::size_t c = 0; c < rest.results.columns().size(); ++c)
      CHECK(std::abs(rest.results.row(1)[c] - whole.results.row(2)[c]) < 1e-9 * (1 + std::abs(whole.results.row(2)[c])));
  }
}

TEST_CASE("the state of a run that ended early is that of its last row") {
  // oracle: the definition; the crank meets a dead point between two rows
  auto shorter = loaded("four-bar").with({{"coupler_length", 0.1}});
  REQUIRE(shorter.ok());
  const Run run = kinematics(*shorter, {.to = 2, .steps = 4});
  REQUIRE(!run.outcome.done());
  REQUIRE(run.results.rows() > 0);
  CHECK(run.outcome.t > run.results.column(0).back());
  CHECK(run.state.t == run.results.column(0).back());
  CHECK(run.state.q.size() == shorter->coordinates());
}

TEST_CASE("what cannot be run is refused in words, whatever the analysis") {
  // oracle: by eye
  const Mechanism plane = loaded("four-bar"), space = loaded("hooke-joint");
  for (const Mechanism* mechanism : {&plane, &space})
    for (const Analysis analysis : {Analysis::kinematics, Analysis::inverse, Analysis::dynamics}) {
      CAPTURE(mechanism->name());
      CAPTURE(word(analysis));
      const auto said = [&](const Options& options) { return text(run(*mechanism, analysis, options).problems); };
      CHECK(said({.start = MotionState{0, {1}, {}}}).find("start: expected") != std::string::npos);
      CHECK(said({.start = MotionState{0, std::vector<double>(mechanism->coordinates(), NAN), std::vector<double>(mechanism->rates())}}).find("finite") !=
            std::string::npos);
      CHECK(said({.steps = 0}).find("steps") != std::string::npos);
      CHECK(said({.steps = 2147483647}).find("steps") != std::string::npos);
      CHECK(said({.to = NAN}).find("finite time") != std::string::npos);
      CHECK(said({.times = {0.2, 0.1}}).find("ascending") != std::string::npos);
      CHECK(said({.times = {-1.0, 0.1}}).find("0 s or later") != std::string::npos);
    }
}

TEST_CASE("a run of many rows that ends at once does not ask for the memory of all") {
  // oracle: 1e9 rows of a four-bar are a terabyte, more than any machine of ours has
  int rows = 0;
  const Run run = kinematics(loaded("four-bar"), {.to = 1, .steps = 1'000'000'000, .stop = [&] { return ++rows > 3; }});
  CHECK(run.outcome.kind == Outcome::Kind::stopped);
  CHECK(run.results.rows() == 4);
}

TEST_CASE("a run begins at an equilibrium, and stays there") {
  // oracle: a mechanism at rest under balanced forces does not move
  for (const char* name : {"spring-balance", "space-double-pendulum"}) {
    CAPTURE(name);
    const Mechanism mechanism = loaded(name);
    const Run rest = equilibrium(mechanism);
    REQUIRE_MESSAGE(rest.outcome.done(), rest.outcome.sentence);
    const Run after = dynamics(mechanism, {.to = 1e-3, .steps = 1, .start = rest.state});
    REQUIRE_MESSAGE(after.outcome.done(), text(after.problems));
    for (std::size_t i = 0; i < rest.state.q.size(); ++i) CHECK(after.state.q[i] == doctest::Approx(rest.state.q[i]).epsilon(1e-6).scale(1));
  }
  CHECK(equilibrium(loaded("spring-balance"), {.stop = [] { return true; }}).outcome.kind == Outcome::Kind::stopped);
}

TEST_CASE("a tolerance that is not used is told, and the one that is used stands in the run") {
  // oracle: the limits of the guide: 1e-14 and 1e-4
  for (const auto asked : {1e-16, 0.1, 1e-7}) {
    const Run run = dynamics(loaded("simple-pendulum"), {.to = 0.1, .steps = 1, .tolerance = asked});
    CHECK(run.tolerance == std::clamp(asked, 1e-14, 1e-4));
    CHECK((text(run.problems).find("is used") != std::string::npos) == (run.tolerance != asked));
  }
}

TEST_CASE("a drawing that cannot be made is refused in words") {
  // oracle: by eye
  const Mechanism mechanism = loaded("four-bar");
  for (const double at : {-1.0, static_cast<double>(NAN)}) CHECK(text(draw(mechanism, at).problems).find("0 or later") != std::string::npos);
  CHECK(text(draw(mechanism, 0.0, {{"nobody", 99, {}}}).problems).find("found number 99") != std::string::npos);
  CHECK(draw(mechanism).outcome.sentence.empty());
}
