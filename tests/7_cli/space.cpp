// Models in space on the command line: what each command says about them, and what it refuses.
#include <cmath>

#include "cli_test.hpp"
#include "places.hpp"

using namespace jounce;

namespace {

// A pendulum about y: 2 kg at 0.4 m below the bearing, 0.34 kg m² about it (0.02 + 2 · 0.4²), let go at 0.3 rad.
const char* const kPendulum = R"(
jounce = 1
name = "Swing"
space = "3d"
gravity = [0, 0, -9.81]
[parameters]
start = 0.3
[bodies.arm]
mass = 2
com = [0, 0, -0.4]
inertia = [0.015, 0.02, 0.01, 0, 0, 0]
points = { tip = [0, 0, -0.5] }
[joints.pin]
type = "revolute"
parent = "ground"
child = "arm"
axis = [0, 1, 0]
q = ["start"]
[run]
analysis = "dynamics"
to = 1
steps = 10
)";
constexpr double kInertia = 0.34, kWeight = 2 * 9.81 * 0.4;  // about the bearing; moment of the weight at 90 degrees

std::string replaced(std::string text, const std::string& old, const std::string& fresh) {
  REQUIRE(text.find(old) != text.npos);
  return text.replace(text.find(old), old.size(), fresh);
}

// The same with the angle prescribed: 0.3 + t²/2, so its acceleration is 1.
std::string driven() { return replaced(kPendulum, "q = [\"start\"]", "dofs = [ { motion = \"start + t^2/2\" } ]"); }

// Two arms in a row, the second coupled to the first; a loop holds the end of the second at a point of the ground.
std::string pair(const std::string& more) {
  return replaced(kPendulum, "[run]", R"([bodies.second]
mass = 1
com = [0, 0, -0.2]
inertia = [0.01, 0.01, 0.01, 0, 0, 0]
points = { end = [0, 0, -0.4] }
[joints.elbow]
type = "revolute"
parent = "arm"
child = "second"
origin = { xyz = [0, 0, -0.5] }
axis = [0, 1, 0]
)" + more + "[run]");
}

bool near(const Json& value, double expected, double tolerance = 1e-12) {
  return std::abs(value.get<double>() - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

}  // namespace

TEST_CASE("check says what a spatial pendulum is") {
  // oracle: counted by hand: one body, one dof, no loop
  const Folder here;
  here.write("m.toml", kPendulum);
  const Ran ran = here.jounce("check m.toml");
  CHECK(ran.code == 0);
  CHECK_MESSAGE(ran.err.empty(), ran.err);
  for (const char* part : {"Swing  (m.toml)", "1: arm", "1: 1 revolute (1 dof)", "1, none prescribed", "1 counted (1 - 0), 1 by rank",
                           "1 free motion left to dynamics", "as written", "assembles"})
    CHECK_MESSAGE(contains(ran.out, part), part, ran.out);
  CHECK(here.jounce("check m.toml --quiet").out.empty());

  here.write("d.toml", driven());
  const Ran all = here.jounce("check d.toml");
  CHECK(contains(all.out, "1: 1 prescribed (joint 'pin'), 0 passive"));
  CHECK(contains(all.out, "every motion is prescribed"));
  const Json json = here.jounce("check --json d.toml").json();
  for (const char* key : {"name", "model", "space", "bodies", "dofs", "prescribed", "passive", "equations", "joints", "loops",
                          "couplings", "mobility", "redundant", "dependent", "start", "assembled", "worst_residual", "moved", "gaps",
                          "problems"})
    CHECK_MESSAGE(json.contains(key), key);
  CHECK(json["space"] == "3d");
  CHECK(json["mobility"]["rank"] == 1);
  CHECK(json["mobility"]["undriven"] == 0);
  CHECK(json["joints"][0]["prescribed"] == Json::array({true}));
}

TEST_CASE("check names the redundant equations of a loop") {
  // oracle: three parallel hinges closed by a fourth: 3 dofs, 5 equations, of which only two planar ones matter
  const Folder here;
  const Ran ran = here.jounce("check " + model("space-four-bar"));
  CHECK(ran.code == 0);
  for (const char* part : {"1: 1 revolute (5 equations)", "-2 counted (3 - 5), 1 by rank", "3 redundant equations", "closure"})
    CHECK_MESSAGE(contains(ran.out, part), part, ran.out);
  const Json json = here.jounce("check --json " + model("space-four-bar")).json();
  CHECK(json["loops"][0] == Json{{"name", "closure"}, {"type", "revolute"}, {"equations", 5}});
  CHECK(json["redundant"] == 3);
}

TEST_CASE("check names idle turns, in words and in JSON, and what runs needs no motion for them") {
  // oracle: a rod between two balls; the six legs of a platform, of two bodies each
  const Folder here;
  const Ran ran = here.jounce("check " + model("rssr"));
  CHECK(ran.code == 0);
  for (const char* part : {"2 counted (5 - 3), 2 by rank", "every motion is prescribed, but for 1 idle", "coupler turns about the line from 'near-ball' to 'far-ball'"})
    CHECK_MESSAGE(contains(ran.out, part), part, ran.out);
  const Json json = here.jounce("check --json " + model("rssr")).json();
  CHECK(json["idle"] == Json::array({{{"bodies", {"coupler"}}, {"from", "near-ball"}, {"to", "far-ball"}, {"sentence", "coupler turns about the line from 'near-ball' to 'far-ball'"}}}));
  CHECK(here.jounce("check --json " + model("stewart")).json()["idle"].size() == 6);
  CHECK(here.jounce("check --json " + model("space-four-bar")).json()["idle"] == Json::array());
  CHECK(here.jounce("inverse --json " + model("rssr")).json()["outcome"]["kind"] == "done");
}

TEST_CASE("check exits with 1 when a loop cannot be closed, and says by how much it misses") {
  // oracle: 0.5 m and 0.4 m in a row reach 0.9 m, the loop ends 1.5 m away: 0.6 m are left
  const Folder here;
  here.write("m.toml", pair("[ground]\npoints = { P = [0, 0, -1.5] }\n[loops.hook]\ntype = \"spherical\"\ni = \"ground.P\"\n"
                            "j = \"second.end\"\n"));
  const Ran ran = here.jounce("check m.toml");
  CHECK(ran.code == 1);
  CHECK(contains(ran.out, "does not assemble"));
  CHECK(contains(ran.out, "hook"));
  CHECK(contains(ran.err, "error: "));
  const Json json = here.jounce("check --json m.toml").json();
  CHECK(json["assembled"] == false);
  REQUIRE(json["gaps"].size() == 1);
  CHECK(std::abs(json["gaps"][0]["metres"].get<double>() - 0.6) < 1e-3);
  CHECK(here.jounce("dynamics m.toml").code == 1);
}

TEST_CASE("a dof that moves no inertia is a warning of check and an error of dynamics") {
  // oracle: a mass on its own axis of turning, without inertia about it
  const Folder here;
  here.write("m.toml", replaced(replaced(kPendulum, "axis = [0, 1, 0]", "axis = [0, 0, 1]"), "0.015, 0.02, 0.01", "0.01, 0.01, 0"));
  const Ran ran = here.jounce("check m.toml");
  CHECK(ran.code == 0);
  CHECK_MESSAGE(contains(ran.err, "warning: "), ran.err);
  CHECK(contains(ran.err, "no inertia is moved by dof 1 of joint 'pin'"));
  CHECK(here.jounce("dynamics m.toml").code == 2);
}

TEST_CASE("dynamics of a spatial pendulum begins with the numbers of the textbook") {
  // oracle: q'' = -m g l sin q / I; m (a - g) of the centre of mass at the bearing; energy -m g l cos q
  const Folder here;
  here.write("m.toml", kPendulum);
  const Ran ran = here.jounce("dynamics m.toml --to 1 --steps 4");
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  CHECK(ran.err.empty());
  const CsvTable table = ran.csv();
  CHECK(table.rows == 5);
  CHECK(table.names.front() == "t");
  for (const char* name : {"arm.x", "arm.qw", "arm.wz", "arm.aly", "arm.tip.az", "pin.q1", "pin.v1", "pin.a1", "pin.tau1", "pin.fx",
                           "pin.mz", "energy.total", "momentum.lz", "com.z", "constraint.error"})
    CHECK_MESSAGE(table.find(name).has_value(), name);
  const double turn = -kWeight * std::sin(0.3) / kInertia;
  CHECK(std::abs(column(table, "pin.a1")[0] - turn) < 1e-12);
  CHECK(std::abs(column(table, "pin.fx")[0] - 2 * turn * -0.4 * std::cos(0.3)) < 1e-12);
  CHECK(std::abs(column(table, "pin.fz")[0] - 2 * (turn * 0.4 * std::sin(0.3) + 9.81)) < 1e-12);
  CHECK(std::abs(column(table, "arm.tip.x")[0] + 0.5 * std::sin(0.3)) < 1e-14);
  for (const double e : column(table, "energy.total")) CHECK(std::abs(e + kWeight * std::cos(0.3)) < 1e-7);
}

TEST_CASE("a run of a spatial model writes its table and tells what it came to") {
  // oracle: the file named after the model; energy -m g l cos q, which nothing changes
  const Folder here;
  here.write("m.toml", kPendulum);
  const Ran ran = here.jounce("run m.toml");
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  for (const char* part : {"Swing  (m.toml)", "dynamics from 0 to 1 s in 10 steps", "dop853", "J, drift ", "largest load     pin: ",
                           "fastest points", "arm.tip", "swing.csv (11 rows"})
    CHECK_MESSAGE(contains(ran.out, part), part, ran.out);
  CHECK(lines(here.read("swing.csv")) == 12);
  CHECK(here.jounce("dynamics m.toml -o x.csv --quiet --tol 1e-10 --method dop853 --formulation auto").out.empty());
  CHECK(lines(here.read("x.csv")) == 12);

  const Json json = here.jounce("run m.toml --json --set start=0.5 --to \"2*start\"").json();
  for (const char* key : {"analysis", "model", "to", "steps", "tol", "method", "samples", "outcome", "events", "statistics", "columns",
                          "output", "not_unique", "extremes", "loads", "energy", "problems"})
    CHECK_MESSAGE(json.contains(key), key);
  CHECK(json["to"] == 1.0);
  CHECK(near(json["energy"]["start"], -kWeight * std::cos(0.5)));
  CHECK(json["statistics"]["conservative"] == true);
  CHECK(json["loads"]["joints"][0]["joint"] == "pin");
  CHECK(!json.contains("momentum"));
}

TEST_CASE("inverse and kinematics of a prescribed joint") {
  // oracle: I q'' + m g l sin q with q = 0.3 + t²/2; the tip is 0.5 m from the bearing
  const Folder here;
  here.write("m.toml", driven());
  const Ran ran = here.jounce("inverse m.toml --to 2 --steps 4 --columns \"pin.*\"");
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  const CsvTable table = ran.csv();
  const std::vector<double> t = column(table, "t"), tau = column(table, "pin.tau1");
  for (std::size_t i = 0; i < t.size(); ++i)
    CHECK(std::abs(tau[i] - (kInertia + kWeight * std::sin(0.3 + t[i] * t[i] / 2))) < 1e-12);
  const Json json = here.jounce("inverse m.toml --to 2 --steps 4 --json").json();
  CHECK(json["loads"]["efforts"][0]["driver"] == "pin");
  CHECK(json["loads"]["efforts"][0]["unit"] == "N m");
  double force = 0, effort = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const auto at = [&](const char* name) { return column(table, name)[i]; };
    force = std::max(force, std::hypot(at("pin.fx"), at("pin.fy"), at("pin.fz")));
    effort = std::max(effort, std::abs(tau[i]));
  }
  CHECK(near(json["loads"]["joints"][0]["force"], force));
  CHECK(near(json["loads"]["efforts"][0]["peak"], effort));
  CHECK(contains(here.jounce("inverse m.toml -o x.csv").out, "efforts"));

  // masses are not needed for kinematics, and are for the rest
  here.write("light.toml", replaced(driven(), "mass = 2\ncom = [0, 0, -0.4]\ninertia = [0.015, 0.02, 0.01, 0, 0, 0]\n", ""));
  const Ran moved = here.jounce("kinematics light.toml --to 2 --steps 4");
  REQUIRE_MESSAGE(moved.code == 0, moved.err);
  CHECK(std::abs(column(moved.csv(), "arm.tip.x")[4] + 0.5 * std::sin(2.3)) < 1e-14);
  CHECK(!moved.csv().find("pin.tau1").has_value());
  const Ran refused = here.jounce("inverse light.toml");
  CHECK(refused.code == 2);
  CHECK(refused.out.empty());
  CHECK(contains(refused.err, "body 'arm': 'mass' is missing"));
}

TEST_CASE("what is not prescribed is refused by kinematics with its name") {
  // oracle: exit code 2 of the interface
  const Folder here;
  here.write("m.toml", kPendulum);
  for (const char* command : {"kinematics", "inverse"}) {
    const Ran ran = here.jounce(command + std::string(" m.toml"));
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK(contains(ran.err, "joint 'pin'"));
    CHECK(here.jounce(command + std::string(" m.toml --json")).json()["outcome"]["kind"] == "not-driven");
  }
}

TEST_CASE("options of the plane are refused in space, each with what there is") {
  // oracle: the methods and formulations that spatial models have
  const Folder here;
  here.write("m.toml", kPendulum);
  const auto expect = [&](const std::string& arguments, const std::string& part) {
    CAPTURE(arguments);
    const Ran ran = here.jounce(arguments);
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK_MESSAGE(contains(ran.err, part), ran.err);
  };
  expect("dynamics m.toml --formulation kane",
         "--formulation kane: is for models of the plane; a spatial model has auto, lagrange, kkt, nullspace, crba and aba");
  expect("dynamics m.toml --method taylor", "--method taylor: is for models of the plane; a spatial model has auto, dop853 and radau");
  expect("dynamics m.toml --order 12", "--order 12: is of the Taylor series");
  expect("dynamics m.toml --method euler", "expected one of auto, taylor, radau, dop853");
  expect("explain m.toml --lambda 1", "--lambda");
  expect("explain m.toml --at -1", "must be 0 or a later time");
  expect("dynamics m.toml --to 0", "must be a time greater than 0");
  expect("dynamics m.toml --columns pin.q2", "did you mean 'pin.q1'?");
  expect("dynamics m.toml --columns arm.phi", "no column matches 'arm.phi'");
  expect("dynamics m.toml --set length=1", "length");
  expect("dynamics m.toml -o m.toml", "this is the model; results would be written over it");
}

TEST_CASE("a spatial pendulum comes to rest hanging, and swings there with the frequency of the textbook") {
  // oracle: omega² = m g l / I; energy -m g l and a bearing that carries the weight
  const Folder here;
  here.write("m.toml", kPendulum);
  const Ran ran = here.jounce("equilibrium m.toml");
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  CHECK(std::abs(column(ran.csv(), "pin.q1")[0]) < 1e-9);
  CHECK(std::abs(column(ran.csv(), "pin.fz")[0] - 2 * 9.81) < 1e-9);
  CHECK(contains(ran.err, "stable (1 free motion)"));
  CHECK(contains(ran.err, "pin 1\n"));
  const Json json = here.jounce("equilibrium m.toml --json").json();
  CHECK(json["stable"] == true);
  REQUIRE(json["modes"].size() == 1);
  CHECK(near(json["modes"][0]["omega"], std::sqrt(kWeight / kInertia), 1e-9));
  CHECK(json["modes"][0]["shape"]["pin"] == 1.0);
  CHECK(near(json["row"]["energy.potential"], -kWeight, 1e-9));
}

TEST_CASE("couplings have their multiplier, which is no column of kinematics, and the message says whose it would be") {
  // oracle: the columns of the interface: loops have a wrench, couplings only their multiplier and its rate
  const Folder here;
  here.write("m.toml", pair("[couplings.gear]\ni = \"pin\"\nj = \"elbow\"\nratio = -1\n"));
  CHECK(here.jounce("dynamics m.toml --steps 1 --columns \"t,gear.*\" --quiet").csv().names == std::vector<std::string>{"t", "gear.lambda1", "gear.lambda1_rate"});
  const Ran ran = here.jounce("kinematics m.toml --columns \"gear.*\"");
  CHECK(ran.code == 2);
  CHECK(contains(ran.err, "coupling 'gear' has no columns in kinematics"));
  // the elbow starts at minus the angle of the pin, though 0 is written, and stays there
  const CsvTable table = here.jounce("dynamics m.toml --steps 4 --quiet").csv();
  const std::vector<double> pin = column(table, "pin.q1"), elbow = column(table, "elbow.q1");
  for (std::size_t i = 0; i < pin.size(); ++i) CHECK(std::abs(pin[i] + elbow[i]) < 1e-12);
  CHECK(contains(here.jounce("check m.toml --quiet; \"" + places::program() + "\" check m.toml").out, "1: gear (1 equation)"));
}

TEST_CASE("explain lays a spatial pendulum open") {
  // oracle: H = I, C = m g l sin q, q'' = -C / H
  const Folder here;
  here.write("m.toml", kPendulum);
  const Ran ran = here.jounce("explain m.toml");
  CHECK(ran.code == 0);
  for (const char* part : {"Swing at t = 0 s", "joint 'pin'  revolute, ground to arm: passive", "body 'arm'", "H ", "C ", "turned"})
    CHECK_MESSAGE(contains(ran.out, part), part, ran.out);
  const Json json = here.jounce("explain m.toml --json").json();
  CHECK(near(json["H"][0][0], kInertia));
  CHECK(near(json["C"][0], kWeight * std::sin(0.3)));
  CHECK(near(json["joints"][0]["a"][0], -kWeight * std::sin(0.3) / kInertia));
  CHECK(near(json["bodies"][0]["quaternion"][2], std::sin(0.15)));
  CHECK(json["analysis"] == "dynamics");
  // later, it is where dynamics has brought it
  const double there = column(here.jounce("dynamics m.toml --to 0.5 --steps 1").csv(), "pin.q1")[1];
  CHECK(near(here.jounce("explain m.toml --at 0.5 --json").json()["joints"][0]["q"][0], there, 1e-7));

  here.write("d.toml", driven());
  const Json moved = here.jounce("explain d.toml --at 2 --json").json();
  CHECK(moved["analysis"] == "inverse");
  CHECK(near(moved["joints"][0]["tau"][0], kInertia + kWeight * std::sin(2.3)));
  const Json loop = here.jounce("explain " + model("space-four-bar") + " --json").json()["closures"][0];
  CHECK(loop["name"] == "loop 'closure'");
  CHECK(loop["phi"].size() == 5);
  CHECK(loop["K"].size() == 5);
  CHECK(loop["K"][0].size() == 3);
}

TEST_CASE("a free swimmer keeps its momentum, and the summary shows it") {
  // oracle: nothing acts from outside; momentum zero at the start because the model says so; a full period returns the shape
  const Folder here;
  REQUIRE(here.jounce("new s --template swimmer").code == 0);
  const Ran ran = here.jounce("run s.toml");
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "\n  momentum  "));
  const Json json = here.jounce("run s.toml --json").json();
  for (const char* key : {"linear", "angular", "linear_drift", "angular_drift"})
    CHECK(std::abs(json["momentum"][key].get<double>()) < 1e-9);
  CHECK(json["loads"]["efforts"].size() == 2);
  // seen along the hinges it stays in its plane, and it has turned
  const CsvTable table = *read_csv((here / "s.csv").string());
  CHECK(std::abs(column(table, "head.z").back()) < 1e-12);
  CHECK(std::abs(column(table, "head.qz").back()) > 0.01);
  CHECK(std::abs(column(table, "hinge1.q1").back() - column(table, "hinge1.q1").front()) < 1e-12);
}

TEST_CASE("a custom joint that slides is told of in metres and newtons") {
  // oracle: 2 kg lifted by 0.1 t² m with g = 10: the effort is 2 (10 + 0.2) = 20.4 N, along a way of 0.1 m
  const Folder here;
  here.write("m.toml", R"(
jounce = 1
space = "3d"
gravity = [0, 0, -10]
[bodies.load]
mass = 2
inertia = [0.1, 0.1, 0.1, 0, 0, 0]
[joints.lift]
type = "custom"
parent = "ground"
child = "load"
screws = [[0, 0, 0, 0, 0, 1]]
dofs = [ { motion = "0.1*t^2" } ]
[run]
analysis = "inverse"
to = 1
steps = 4
)");
  const Ran ran = here.jounce("run m.toml");
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "0 to 0.1 m"));
  CHECK(contains(ran.out, "0 to 0.2 m/s\n"));
  CHECK(contains(ran.out, "20.4 N "));
  for (const char* wrong : {"rad/s", "deg", "N m"}) CHECK_MESSAGE(!contains(ran.out, wrong), ran.out);
  const Json json = here.jounce("run m.toml --json").json();
  CHECK(json["extremes"]["driven"][0]["unit"] == "m");
  CHECK(json["loads"]["efforts"][0]["unit"] == "N");
}

TEST_CASE("a rigid structure is called one, in space as in the plane") {
  // oracle: two bars of length 1 over a base of length 1 are a triangle: nothing moves
  const Folder here;
  here.write("triangle.toml", R"(jounce = 1
space = "3d"
[bodies.a]
mass = 1
com = [0.5, 0, 0]
inertia = [0.01, 0.1, 0.1, 0, 0, 0]
points = { P = { xyz = [1, 0, 0], rpy = ["pi/2", 0, 0] } }
[bodies.b]
mass = 1
com = [0.5, 0, 0]
inertia = [0.01, 0.1, 0.1, 0, 0, 0]
points = { P = { xyz = [1, 0, 0], rpy = ["pi/2", 0, 0] } }
[joints]
A = { type = "revolute", parent = "ground", child = "a", axis = [0, 1, 0], q = [-1] }
B = { type = "revolute", parent = "ground", child = "b", axis = [0, 1, 0], origin = { xyz = [1, 0, 0] }, q = [-2] }
[loops.C]
type = "revolute"
i = "a.P"
j = "b.P"
)");
  for (const std::string& which : {std::string("triangle.toml"), model("truss")}) {
    const Ran check = here.jounce("check " + which);
    CHECK(check.code == 0);
    CHECK_MESSAGE(contains(check.out, "nothing can move: a rigid structure"), check.out);
    CHECK(!contains(check.out, "movable"));
    CHECK(!contains(check.out, "every motion"));
    for (const std::string analysis : {"kinematics", "inverse", "dynamics"}) {
      const Ran ran = here.jounce(analysis + " " + which + " --to 1 --steps 1 -o x.csv");
      CHECK(ran.code == 0);
      CHECK_MESSAGE(contains(ran.err, "note: nothing can move: "), ran.err);
    }
  }
  CHECK(!contains(here.jounce("kinematics " + model("space-four-bar") + " --steps 1").err, "nothing can move"));
  CHECK(contains(here.jounce("check " + model("space-four-bar")).out, "overconstrained but movable"));
}

TEST_CASE("forces that are rounding beside the couples of a mechanism are none") {
  // oracle: a couple drives the Hooke joint and another brakes it, nothing has a weight: its joints carry moments alone
  const Folder here;
  const Ran ran = here.jounce("run " + model("hooke-joint") + " -o h.csv --report h.html");
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "efforts"));
  CHECK_FALSE(contains(ran.out, "largest load"));
  CHECK_FALSE(contains(here.read("h.html"), "e-16 N"));
}

TEST_CASE("the sign of a body's quaternion does not depend on the rows that are asked for, and never jumps") {
  // oracle: a spinning body turns by less than half a turn between fine rows, where the nearer of e and -e is the one that goes on
  const Folder here;
  for (const char* name : {"thrown-top", "seven-joint-arm", "hooke-joint", "three-link-cat", "asymmetric-top"}) {
    CAPTURE(name);
    const std::string analysis = name == std::string("seven-joint-arm") || name == std::string("hooke-joint") ? "inverse " : "dynamics ";
    const std::string command = analysis + model(name) + " --columns \"t,*.qw,*.qx,*.qy,*.qz\" ";
    const CsvTable fine = here.jounce(command + "--to 20 --steps 2000").csv();
    for (std::size_t c = 1; c + 3 < fine.names.size(); c += 4)
      for (std::size_t i = 1; i < fine.rows; ++i) {
        double with_before = 0;
        for (std::size_t k = 0; k < 4; ++k) with_before += fine.at(i, c + k) * fine.at(i - 1, c + k);
        REQUIRE(with_before > 0);
      }
    for (const int steps : {1, 4, 25}) {
      const CsvTable coarse = here.jounce(command + "--to 20 --steps " + std::to_string(steps)).csv();
      const std::size_t every = 2000 / static_cast<std::size_t>(steps);
      for (std::size_t i = 0; i < coarse.rows; ++i)
        for (std::size_t c = 0; c < coarse.names.size(); ++c)
          REQUIRE(std::abs(coarse.at(i, c) - fine.at(i * every, c)) < 1e-3);
    }
  }
}

TEST_CASE("each mistake in the motion of a ball is told of, and told of once") {
  // oracle: by hand; "zx" has two axes, and two angles are one too few
  const std::string ball = replaced(replaced(kPendulum, "type = \"revolute\"", "type = \"spherical\""), "axis = [0, 1, 0]\nq = [\"start\"]", "motion = MOTION");
  const Folder here;
  const auto said = [&](const std::string& motion) { return here.write("m.toml", replaced(ball, "MOTION", motion)), here.jounce("check m.toml").err; };
  CHECK(said("{ euler = \"zx\", angles = [0, \"t\"] }") ==
        "m.toml:17:21: error: joint 'pin': motion: euler: expected three axes of which no two neighbours are the same, such as \"zyx\" or \"zxz\", found 'zx'\n"
        "m.toml:17:35: error: joint 'pin': motion: angles: expected three functions of time, one for each axis of 'euler' in that order, found an array of 2\n");
  CHECK(said("{ rpi = [0, 0, \"t\"] }") ==
        "m.toml:17:12: error: joint 'pin': motion: unknown key 'rpi' (did you mean 'rpy'?)\n"
        "  hint: the motion of such a joint has the keys rotation_vector, rpy, euler, angles, position\n");
}
