// Equilibria over a coordinate: static curves.
// Oracles: virtual work and sums of moments in closed form, beside each test.
#include "jounce/api/over.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "jounce/api/report.hpp"
#include "jounce/api/run.hpp"
#include "places.hpp"
#include "written_models.hpp"

namespace {

using namespace jounce;

constexpr double kHalfTurn = std::numbers::pi, kWeight = 9.81;
// Assembly closes positions to 1e-12 and the search balances forces to 1e-13 of those at work.
constexpr double kBalance = 1e-9;

Run over(const Mechanism& mechanism, const std::string& what) {
  auto read = read_over(mechanism, what);
  REQUIRE_MESSAGE(read.ok(), what);
  Run out = equilibrium(mechanism, {.over = *std::move(read)});
  REQUIRE_MESSAGE(out.outcome.done(), out.outcome.sentence);
  REQUIRE(out.over.has_value());
  return out;
}

// A column of the rows is a function of another one.
void follows(const Run& run, const std::string& column, const std::string& of, const auto& law, double scale) {
  const auto x = run.results.column(of), y = run.results.column(column);
  REQUIRE(x.size() == run.results.rows());
  REQUIRE(y.size() == run.results.rows());
  REQUIRE(!y.empty());
  for (std::size_t k = 0; k < x.size(); ++k) {
    CAPTURE(x[k]);
    CHECK(std::abs(y[k] - law(x[k])) < kBalance * scale);
  }
}

const std::string kArm = R"toml(jounce = 1
gravity = [0, -9.81]
[ground]
points = { O = [0, 0] }
[bodies.arm]
mass = 2
inertia = 0.1
com = [0.3, 0]
angle = "-50*deg"
points = { A = [0, 0] }
[joints.pin]
type = "revolute"
i = "ground.O"
j = "arm.A"
)toml";

// A centric slider-crank without masses, and a constant force on its piston.
const std::string kPress = R"toml(jounce = 1
[ground]
points = { O = [0, 0], X = [1, 0] }
[bodies.crank]
angle = "60*deg"
points = { O = [0, 0], A = [0.05, 0] }
[bodies.rod]
position = [0.025, 0.0433]
angle = "-12*deg"
points = { A = [0, 0], C = [0.2, 0] }
[bodies.piston]
position = [0.22, 0]
points = { C = [0, 0], F = [0.03, 0] }
[joints]
O = { type = "revolute", i = "ground.O", j = "crank.O" }
A = { type = "revolute", i = "crank.A", j = "rod.A" }
C = { type = "revolute", i = "rod.C", j = "piston.C" }
guide = { type = "translational", slot = ["ground.O", "ground.X"], slider = ["piston.C", "piston.F"] }
[drivers.motor]
type = "angle"
i = "ground"
j = "crank"
motion = "2*t"
[forces.gas]
type = "force"
on = "piston.C"
value = [-1000, 0]
)toml";

double travel_rate(double phi) {  // dx/dphi of x = r cos phi + sqrt(l² - r² sin² phi)
  const double r = 0.05, l = 0.2, s = std::sin(phi), c = std::cos(phi);
  return -r * s - r * r * s * c / std::sqrt(l * l - r * r * s * s);
}

}  // namespace

TEST_CASE("what holds a pendulum is m g a cos(phi), and its bearing carries the weight") {
  const Run run = over(mechanism_of(kArm), "arm.phi=-pi:pi:41");
  CHECK(run.results.rows() == 41);
  CHECK(run.over->effort == "hold.effort");
  CHECK(run.over->effort_unit == "N m");
  CHECK(run.over->set_aside.empty());
  follows(run, "hold.effort", "arm.phi", [](double phi) { return 2 * kWeight * 0.3 * std::cos(phi); }, 6);
  follows(run, "pin.fy", "arm.phi", [](double) { return 2 * kWeight; }, 20);
  CHECK(run.results.at(0, "t") == 0.0);
  CHECK(run.results.at(40, "arm.phi") == kHalfTurn);
}

TEST_CASE("the torque of a crank under a constant force is F dx/dphi, with the motor set aside") {
  // virtual work: torque dphi - F dx = 0 for the force -F on the piston
  const Mechanism press = mechanism_of(kPress);
  const Run run = over(press, "crank.phi=0:360*deg:73");
  CHECK(run.over->set_aside == std::vector<std::string>{"motor"});
  CHECK(run.over->found == 73);
  follows(run, "hold.effort", "crank.phi", [](double phi) { return 1000 * travel_rate(phi); }, 60);
  CHECK(!run.results.find("motor.effort"));
  // over the travel the same work is a force, and the branch is the drawn one
  const Run along = over(press, "piston.x=0.16:0.24:9");
  CHECK(along.over->effort_unit == "N");
  follows(along, "hold.effort", "piston.x", [](double) { return 1000.0; }, 1000);
  for (const double phi : along.results.column("crank.phi")) CHECK((phi > 0 && phi < kHalfTurn));
}

TEST_CASE("a value that cannot be reached is a row without numbers, with the reason, and the others are found") {
  // the piston comes from l - r = 0.15 to l + r = 0.25
  const Run run = over(mechanism_of(kPress), "piston.x=0.14:0.26:7");
  REQUIRE(run.results.rows() == 7);
  for (std::size_t k = 0; k < 7; ++k) {
    const bool reached = k > 0 && k < 6;
    CHECK(std::isnan(*run.results.at(k, "hold.effort")) == !reached);
    CHECK(std::isnan(*run.results.at(k, "crank.phi")) == !reached);
    CHECK(*run.results.at(k, "piston.x") == doctest::Approx(0.14 + 0.02 * static_cast<double>(k)));
  }
  REQUIRE(run.over->missing.size() == 2);
  CHECK(run.over->found == 5);
  CHECK(run.over->missing[0].kind == Outcome::Kind::not_assembled);
  CHECK(run.over->missing[1].from == doctest::Approx(0.26));
  CHECK(std::ranges::count_if(run.problems, [](const Problem& p) { return p.sentence.starts_with("no equilibrium at piston.x = 0.14 m: "); }) == 1);
  const auto page = report_html(mechanism_of(kPress), run);
  REQUIRE(page.ok());
  CHECK(page->find("\"samples\":5") != std::string::npos);
  CHECK(page->find("\"over\":\"piston.x\"") != std::string::npos);
  // nothing at all is no success
  const Run none = equilibrium(mechanism_of(kPress), {.over = Over{"piston.x", {0.5, 0.6}}});
  CHECK(none.outcome.kind == Outcome::Kind::not_assembled);
  CHECK(none.results.rows() == 2);
}

TEST_CASE("over the angle of the lever of a spring balance the moment is that of the spring and of the weights") {
  auto loaded = Mechanism::load(places::source() + "/models/spring-balance/model.toml");
  REQUIRE(loaded.ok());
  const Run run = over(*loaded, "lever.phi=-30*deg:30*deg:13");
  // about the pivot: weights of lever (at 0.25) and load (at 0.5, hanging straight down), spring from (0, 0.4) to 0.3 along the lever
  follows(run, "hold.effort", "lever.phi", [](double phi) {
    const double x = 0.3 * std::cos(phi), y = 0.3 * std::sin(phi), length = std::hypot(x, y - 0.4);
    const double pull = 200 * (length - 0.25);
    const double moment = pull / length * (x * (0.4 - y) - y * (0 - x));  // r × F, F towards (0, 0.4)
    return (0.8 * 0.25 + 2.0 * 0.5) * kWeight * std::cos(phi) - moment;
  }, 20);
  follows(run, "load.phi", "lever.phi", [](double) { return 0.0; }, 1);
}

TEST_CASE("over the crank of a parallelogram the moment is that of three weights") {
  const std::string text = R"toml(jounce = 1
gravity = [0, -9.81]
[ground]
points = { O = [0, 0], Q = [0.4, 0] }
[bodies.crank]
mass = 1
inertia = 0.01
com = [0.1, 0]
angle = "50*deg"
points = { O = [0, 0], A = [0.2, 0] }
[bodies.follower]
mass = 2
inertia = 0.01
com = [0.1, 0]
position = [0.4, 0]
angle = "50*deg"
points = { Q = [0, 0], B = [0.2, 0] }
[bodies.table]
mass = 5
inertia = 0.1
com = [0.3, 0.1]
position = ["0.2*cos(50*deg)", "0.2*sin(50*deg)"]
points = { A = [0, 0], B = [0.4, 0] }
[joints]
O = { type = "revolute", i = "ground.O", j = "crank.O" }
Q = { type = "revolute", i = "ground.Q", j = "follower.Q" }
A = { type = "revolute", i = "crank.A", j = "table.A" }
B = { type = "revolute", i = "follower.B", j = "table.B" }
)toml";
  // every point of the table moves as A does: torque = (1*0.1 + 2*0.1 + 5*0.2) g cos(phi)
  const Run run = over(mechanism_of(text), "crank.phi=20*deg:160*deg:29");
  CHECK(run.over->found == 29);
  follows(run, "hold.effort", "crank.phi", [](double phi) { return (0.1 + 0.2 + 1.0) * kWeight * std::cos(phi); }, 13);
  // and over a measure of positions: the height of the table, where the work is the weight of what rises with it
  const Run lift = over(mechanism_of(text + "[measures]\nheight = \"table.A.y\"\n"), "height=0.12:0.18:7");
  follows(lift, "hold.effort", "height", [](double) { return (0.1 + 0.2 + 1.0) * kWeight / 0.2; }, 65);
}

TEST_CASE("an arm of two links in space over its shoulder: the sum of moments, with the elbow driven") {
  const std::string text = R"toml(jounce = 1
space = "3d"
gravity = [0, 0, -9.81]
[bodies.upper]
mass = 3
com = [0.2, 0, 0]
inertia = [0.01, 0.05, 0.05, 0, 0, 0]
points = { E = [0.5, 0, 0] }
[bodies.fore]
mass = 2
com = [0.15, 0, 0]
inertia = [0.01, 0.03, 0.03, 0, 0, 0]
[joints.shoulder]
type = "revolute"
parent = "ground"
child = "upper"
axis = [0, -1, 0]
dofs = [ { motion = "0.3*t" } ]
[joints.elbow]
type = "revolute"
parent = "upper"
child = "fore"
origin = { xyz = [0.5, 0, 0] }
axis = [0, -1, 0]
dofs = [ { motion = "40*deg + t" } ]
)toml";
  // angles count upwards from the horizontal: moments of the weights about shoulder and elbow
  const double bend = 40 * kHalfTurn / 180;
  const auto fore = [&](double q) { return 2 * kWeight * 0.15 * std::cos(q + bend); };
  const Run run = over(mechanism_of(text), "shoulder=-90*deg:90*deg:37");
  CHECK(run.over->coordinate == "shoulder.q1");
  CHECK(run.over->set_aside == std::vector<std::string>{"shoulder"});
  follows(run, "hold.effort", "shoulder.q1", [&](double q) { return 3 * kWeight * 0.2 * std::cos(q) + 2 * kWeight * 0.5 * std::cos(q) + fore(q); }, 20);
  follows(run, "elbow.tau1", "shoulder.q1", fore, 5);
  // with a passive elbow that has a spring the forearm balances at every value: its spring carries what its weight asks for
  std::string sprung = text;
  sprung.replace(sprung.find("{ motion = \"40*deg + t\" }"), 25, "{ stiffness = 30, rest = 0.2 }");
  const Run soft = over(mechanism_of(sprung), "shoulder=-90*deg:90*deg:19");
  for (std::size_t k = 0; k < soft.results.rows(); ++k) {
    const double q = *soft.results.at(k, "shoulder.q1"), e = *soft.results.at(k, "elbow.q1");
    CHECK(std::abs(30 * (e - 0.2) + 2 * kWeight * 0.15 * std::cos(q + e)) < kBalance * 3);
    CHECK(std::abs(*soft.results.at(k, "hold.effort") - (16 * std::cos(q) * kWeight / 10 + 2 * kWeight * 0.15 * std::cos(q + e))) < kBalance * 20);
  }
}

TEST_CASE("what cannot be asked is refused with what was expected and found") {
  const Mechanism press = mechanism_of(kPress), arm = mechanism_of(kArm);
  const auto refusal = [](const Mechanism& m, const Over& asked) {
    const Run run = equilibrium(m, {.over = asked});
    CHECK(run.outcome.kind == Outcome::Kind::not_run);
    REQUIRE(!run.problems.empty());
    return run.problems.front().text();
  };
  CHECK(refusal(arm, {"arm.fi", {0}}).find("over 'arm.fi': expected a coordinate of the mechanism") != std::string::npos);
  CHECK(refusal(arm, {"arm.phi", {}}).find("expected values, found none") != std::string::npos);
  CHECK(refusal(arm, {"arm.phi", {0, std::nan("")}}).find("expected finite values") != std::string::npos);
  CHECK(refusal(arm, {"arm.A.x", {0.1}}).find("it cannot be moved") != std::string::npos);
  CHECK(run(arm, Analysis::dynamics, {.over = Over{"arm.phi", {0}}}).problems.front().text().find("over: is of an equilibrium, found dynamics") != std::string::npos);
  CHECK(equilibrium(arm, {.over = Over{"arm.phi", {0}}, .goals = {{"most", "max(hold.effort)"}}}).problems.front().text().find("goals") != std::string::npos);
  for (const auto& [text, said] : {std::pair{"crank.phi", "expected COORDINATE=FROM:TO:NUMBER"}, {"crank.phi=1:2:3:4", "found 4 parts"},
                                   {"crank.phi=0:1:1", "expected a whole number of values from 2 to 1e6, found 1"}, {"crank.phi=0:nothing", "nothing"},
                                   {"crank.phi=", "found nothing"}}) {
    const auto read = read_over(press, text);
    REQUIRE(!read.ok());
    CHECK_MESSAGE(read.problems().front().text().find(said) != std::string::npos, read.problems().front().text());
  }
  CHECK(read_over(press, "crank.phi=0:1")->values.size() == 101);
  CHECK(read_over(press, "crank.phi=atan2(0, 1), 2")->values == std::vector<double>{0, 2});
}

TEST_CASE("an equilibrium can be searched for from a place of one's own") {
  // a pendulum that stands exactly upright stays there; from the drawing it falls
  const Mechanism arm = mechanism_of(kArm);
  const Run upright = equilibrium(arm, {.start = MotionState{0, {0, 0.3, kHalfTurn / 2}, {}}});
  REQUIRE(upright.outcome.done());
  CHECK(*upright.results.at(0, "arm.phi") == doctest::Approx(kHalfTurn / 2));
  CHECK(*equilibrium(arm).results.at(0, "arm.phi") == doctest::Approx(-kHalfTurn / 2));
  CHECK(equilibrium(arm, {.start = MotionState{0, {0, 0.3}, {}}}).problems.front().text().find("expected 3 coordinates, found 2") != std::string::npos);
}
