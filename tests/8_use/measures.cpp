// Measures, and loads that depend on the state, from the text of a model to columns.
// Oracles: the columns that a measure is made of; closed forms; the built-in springs, torsion springs and weight, of which the same is written as an
// expression; differences over a finely sampled motion for rates; other formulations and integrators.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "jounce/jounce.hpp"
#include "jounce/math/dense.hpp"
#include "written_models.hpp"

using namespace jounce;

namespace {

constexpr double kSameNumber = 1e-14;  // relative to the largest number of a column

const std::string kSliderCrank = R"toml(
jounce = 1
gravity = [0, -9.81]
[ground]
points = { O = [0, 0], X = [1, 0] }
[bodies.crank]
mass = 1.5
inertia = 0.01
com = [0.02, 0.01]
angle = "60*deg"
points = { O = [0, 0], A = [0.05, 0] }
[bodies.rod]
mass = 0.7
inertia = 0.004
com = [0.1, 0]
position = [0.025, 0.043]
angle = "-12*deg"
points = { A = [0, 0], C = [0.2, 0] }
[bodies.piston]
mass = 0.4
inertia = 0.001
position = [0.22, 0]
points = { C = [0, 0], F = [0.03, 0] }
[joints]
bearing = { type = "revolute", i = "ground.O", j = "crank.O" }
crank-pin = { type = "revolute", i = "crank.A", j = "rod.A" }
piston-pin = { type = "revolute", i = "rod.C", j = "piston.C" }
cylinder = { type = "translational", slot = ["ground.O", "ground.X"], slider = ["piston.C", "piston.F"] }
)toml";
const std::string kMotorText = "[drivers]\nmotor = { type = \"angle\", i = \"ground\", j = \"crank\", motion = \"100*rpm*t + 0.1*sin(9*t)\" }\n";

const std::vector<std::string> kMotionColumns{"crank.phi", "crank.vphi", "crank.aphi", "crank.jphi", "crank.sphi", "rod.ax", "piston.sx",
                                              "bearing.fx", "bearing.fy", "cylinder.fy", "bearing.lambda1_rate"};

}  // namespace

TEST_CASE("a measure is what its columns say, in kinematics and with efforts in inverse dynamics") {
  const Mechanism m = mechanism_of(kSliderCrank + kMotorText + R"toml(
[measures]
opening = "distance(crank.A, ground.X)"
swing = "angle(crank, rod)"
power = "motor.effort * crank.vphi"
crank-load = "magnitude(crank-pin.fx, crank-pin.fy)"
squared = "opening^2"
centre = "distance(crank.com, ground.origin)"
)toml");
  const Run k = kinematics(m, {.to = 0.4, .steps = 40}), r = inverse(m, {.to = 0.4, .steps = 40});
  CHECK(k.results.find("opening").has_value());
  CHECK(k.results.find("opening.rate").has_value());
  CHECK(!k.results.find("power").has_value());  // there are no efforts in kinematics
  for (std::size_t i = 0; i < r.results.rows(); ++i) {
    const auto at = [&](const char* name) { return *r.results.at(i, name); };
    CHECK(at("opening") == doctest::Approx(std::hypot(at("crank.A.x") - 1, at("crank.A.y"))).epsilon(kSameNumber));
    CHECK(at("swing") == at("rod.phi") - at("crank.phi"));
    CHECK(at("swing.rate") == doctest::Approx(at("rod.vphi") - at("crank.vphi")).epsilon(kSameNumber));
    CHECK(at("power") == at("motor.effort") * at("crank.vphi"));
    CHECK(at("crank-load") == doctest::Approx(std::hypot(at("crank-pin.fx"), at("crank-pin.fy"))).epsilon(kSameNumber));
    CHECK(at("squared.rate") == doctest::Approx(2 * at("opening") * at("opening.rate")).epsilon(kSameNumber));
    CHECK(at("centre") == doctest::Approx(std::hypot(0.02, 0.01)).epsilon(kSameNumber));
    CHECK(std::abs(at("centre.rate")) < 1e-15);
  }
  const auto unit = [&](std::string_view name) { return std::ranges::find(r.results.columns(), name, &Column::name)->unit; };
  CHECK(unit("opening") == "m");
  CHECK(unit("opening.rate") == "m/s");
  CHECK(unit("power") == "W");
  CHECK(unit("crank-load") == "N");
}

TEST_CASE("a measure in space: distances, quaternions and their rates against differences") {
  const Mechanism m = mechanism_of(R"toml(
jounce = 1
space = "3d"
gravity = [0, 0, -9.81]
[bodies.top]
mass = 1
com = [0.1, 0.2, 0.5]
inertia = [0.02, 0.03, 0.04, 0, 0, 0]
points = { tip = [0.3, -0.1, 0.9] }
[ground]
points = { G = [1, 2, 3] }
[joints.ball]
type = "spherical"
parent = "ground"
child = "top"
q = [0.8, 0.6, 0, 0]
v = [1, 2, 7]
[measures]
reach = "distance(top.tip, ground.G)"
height = "distance(top.com, ground.G)"
turn = "2*atan2(magnitude(top.qx, top.qy, top.qz), top.qw)"
)toml");
  constexpr double kStep = 1e-4;
  const Run r = dynamics(m, {.to = 40 * kStep, .steps = 40, .tolerance = 1e-12});
  REQUIRE(r.outcome.done());
  for (const char* name : {"reach", "height", "turn"}) {
    CAPTURE(name);
    const auto x = r.results.column(name), rate = r.results.column(std::string(name) + ".rate");
    for (std::size_t i = 2; i + 2 < x.size(); ++i)
      CHECK(rate[i] == doctest::Approx((x[i - 2] - 8 * x[i - 1] + 8 * x[i + 1] - x[i + 2]) / (12 * kStep)).epsilon(1e-8));
  }
  CHECK(*r.results.at(7, "reach") == doctest::Approx(std::hypot(*r.results.at(7, "top.tip.x") - 1, *r.results.at(7, "top.tip.y") - 2, *r.results.at(7, "top.tip.z") - 3)).epsilon(kSameNumber));
}

TEST_CASE("a spring, a torsion spring and weight written as expressions move a mechanism like the built-in ones, by every method") {
  const std::string built_in = kSliderCrank + R"toml(
[forces]
spring = { type = "spring", i = "ground.X", j = "piston.F", stiffness = 300, free_length = 0.6, damping = 4 }
coil = { type = "torsion-spring", i = "ground", j = "crank", stiffness = 2, free_angle = 0.3, damping = 0.05 }
)toml";
  std::string written = kSliderCrank;
  written.replace(written.find("gravity = [0, -9.81]"), 20, "");
  written += R"toml(
[measures]
l = "distance(ground.X, piston.F)"
pull = "300*(l - 0.6) + 4*rate(l)"
[forces]
spring = { type = "force", on = "piston.F", value = ["-pull*(piston.F.x - ground.X.x)/l", "-pull*(piston.F.y - ground.X.y)/l"] }
coil = { type = "moment", on = "crank", value = "-2*(crank.phi - 0.3) - 0.05*crank.vphi" }
weight-1 = { type = "force", on = "crank.com", value = [0, "-1.5*9.81"] }
weight-2 = { type = "force", on = "rod.com", value = [0, "-0.7*9.81"] }
weight-3 = { type = "force", on = "piston.com", value = [0, "-0.4*9.81*(1 + 0*piston.x)"] }
)toml";
  const Mechanism a = mechanism_of(built_in), b = mechanism_of(written);
  for (const Method method : {Method::taylor, Method::dop853, Method::radau}) {
    CAPTURE(word(method));
    const Options options{.to = 0.5, .steps = 25, .tolerance = 1e-10, .method = method};
    const Run x = dynamics(a, options), y = dynamics(b, options);
    REQUIRE(x.outcome.done());
    REQUIRE(y.outcome.done());
    CHECK(gap_of(x, y, kMotionColumns) < (method == Method::radau ? 1e-7 : 1e-8));  // both integrate to 1e-10 a step
    // at one instant there is nothing to integrate
    const Run first = dynamics(a, {.to = 1e-9, .steps = 1, .method = method}), second = dynamics(b, {.to = 1e-9, .steps = 1, .method = method});
    for (const std::string& name : kMotionColumns) {
      CAPTURE(name);
      const double size = std::max(1.0, std::abs(*first.results.at(0, name)));
      CHECK(std::abs(*first.results.at(0, name) - *second.results.at(0, name)) <= 2e-13 * size);
    }
  }
  const Run steps_a = dynamics(a, {.to = 0.5, .steps = 1, .method = Method::radau}), steps_b = dynamics(b, {.to = 0.5, .steps = 1, .method = Method::radau});
  CHECK(steps_b.statistics.steps <= steps_a.statistics.steps + 2);  // Newton has exact Jacobians: it needs no more steps
  CHECK(steps_b.statistics.factorisations <= steps_a.statistics.factorisations + 4);
  // the motor has to give the same against both
  const Mechanism driven_a = mechanism_of(built_in + kMotorText), driven_b = mechanism_of(written + kMotorText);
  const Run x = inverse(driven_a, {.to = 0.5, .steps = 25}), y = inverse(driven_b, {.to = 0.5, .steps = 25});
  CHECK(gap_of(x, y, {"motor.effort", "bearing.fx", "bearing.fy", "bearing.lambda1_rate", "motor.lambda1_rate"}) < 1e-12);
  // they rest at the same place, and swing about it with the same frequency
  const Run rest_a = equilibrium(a), rest_b = equilibrium(b);
  REQUIRE(rest_a.outcome.done());
  REQUIRE(rest_b.outcome.done());
  CHECK(*rest_b.results.at(0, "crank.phi") == doctest::Approx(*rest_a.results.at(0, "crank.phi")).epsilon(1e-10));
}

TEST_CASE("an actuator and a table may use the rest of the mechanism, and the books of energy close") {
  // oracle: work and energy, which the engine keeps apart: what loads bring in is what the energy grows by
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "jounce-measures";
  std::filesystem::create_directories(folder);
  std::ofstream table(folder / "gas.csv");
  table.precision(17);
  for (int k = 0; k <= 48; ++k) {
    const double phi = k * 4 * std::numbers::pi / 48;
    table << phi << ", " << (k == 48 ? 1.0 : 1 + 0.5 * std::sin(phi / 2) + 0.2 * std::sin(phi)) << '\n';
  }
  table.close();
  const Mechanism m = mechanism_of(kSliderCrank + R"toml(
[measures]
speed = "crank.vphi^2 + 0.2"
gas = "lookup('gas.csv', crank.phi, 4*pi)"
[forces]
brake = { type = "spring", i = "ground.X", j = "piston.F", actuator = "3*v*speed + 2*sin(rod.phi)" }
gas-force = { type = "force", on = "piston.C", value = ["-40*gas", 0] }
)toml", (folder / "m.toml").string());
  CHECK(m.tables() == std::vector<std::string>{(folder / "gas.csv").string()});
  std::vector<double> end;
  for (const Method method : {Method::taylor, Method::dop853, Method::radau}) {
    CAPTURE(word(method));
    const Run r = dynamics(m, {.to = 0.6, .steps = 30, .tolerance = 1e-10, .method = method});
    REQUIRE(r.outcome.done());
    CHECK(r.statistics.energy_balance < 1e-8);
    for (std::size_t i = 0; i < r.results.rows(); ++i) CHECK(*r.results.at(i, "gas-force.fx") == -40 * *r.results.at(i, "gas"));
    end.push_back(*r.results.at(30, "crank.phi"));
  }
  CHECK(std::abs(end[1] - end[0]) < 1e-7);
  CHECK(std::abs(end[2] - end[0]) < 1e-7);
}

TEST_CASE("what a load cannot depend on is refused with the reason; measures that do so are named") {
  const std::string model = kSliderCrank + "[measures]\npush = \"2*crank.aphi\"\nlost = \"crank.pih\"\n";
  CHECK(problems_of(kSliderCrank + "[forces]\nf = { type = \"force\", on = \"piston.C\", value = [\"crank.aphi\", 0] }\n").find(
            "force 'f': value: 'crank.aphi' cannot stand in a load, which decides it: expected positions, velocities, t and measures of these") != std::string::npos);
  CHECK(problems_of(kSliderCrank + "[forces]\nf = { type = \"force\", on = \"piston.C\", value = [\"bearing.fx\", 0] }\n").find("'bearing.fx' cannot stand in a load") !=
        std::string::npos);
  CHECK(problems_of(model + "[forces]\nf = { type = \"force\", on = \"piston.C\", value = [\"push\", 0] }\n").find(
            "force 'f': value: measure 'push': 'crank.aphi' cannot stand in a load") != std::string::npos);
  const std::string told = problems_of(model + "[forces]\nf = { type = \"force\", on = \"piston.C\", value = [\"lost\", 0] }\n");
  CHECK(told.find("measure 'lost': unknown name 'crank.pih' (did you mean 'crank.phi'?)") != std::string::npos);
  CHECK(told.find("force 'f'") == std::string::npos);  // it only follows
}

TEST_CASE("a measure without a value ends the run at its time, with what was computed before") {
  const Mechanism m = mechanism_of(kSliderCrank + kMotorText + "[measures]\nroot = \"sqrt(0.2 - t)\"\n");
  const Run r = kinematics(m, {.to = 0.4, .steps = 40});
  CHECK(r.outcome.kind == Outcome::Kind::undefined);
  CHECK(r.outcome.sentence.starts_with("measure 'root' at t = 0.21 s: sqrt of a negative number: sqrt(-0.01"));
  CHECK(r.results.rows() == 21);
}
