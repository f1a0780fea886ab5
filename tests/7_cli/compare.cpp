// jounce compare: every formulation on one state, as text and as JSON, and the exit code that says whether they agree.
#include <cmath>
#include <numbers>

#include "cli_test.hpp"

using namespace jounce;

namespace {

// A bar of 2 kg let go from a slope: phi'' = -(3 g / 2 l) cos phi, and the pin carries what is left of its weight.
const char* const kBar = R"(
jounce = 1
name = "Bar"
gravity = [0, -10]
[parameters]
l = 0.5
start = 0
wait = 0.25
[ground]
points = { O = [0, 0] }
[bodies.bar]
mass = 2
angle = "start"
points = { O = [0, 0], tip = ["l", 0] }
shape = { type = "bar", from = "O", to = "tip" }
[joints.pin]
type = "revolute"
i = "ground.O"
j = "bar.O"
)";

// The same, turned once in a second by a motor.
const std::string kDrivenBar = std::string(kBar) + R"([drivers.motor]
type = "angle"
i = "ground"
j = "bar"
motion = "2*pi*t"
)";

// Two equal cranks of 1 kg carry a platform of 3 kg that stays level: a closed loop with one free motion.
const char* const kParallelogram = R"toml(
jounce = 1
name = "Swing"
gravity = [0, -10]
[parameters]
angle = "-60*deg"
[ground]
points = { O = [0, 0], Q = [0.4, 0] }
[bodies.left]
mass = 1
angle = "angle"
points = { O = [0, 0], A = [0.2, 0] }
shape = { type = "bar", from = "O", to = "A" }
[bodies.right]
mass = 1
position = [0.4, 0]
angle = "angle"
points = { Q = [0, 0], B = [0.2, 0] }
shape = { type = "bar", from = "Q", to = "B" }
[bodies.platform]
mass = 3
inertia = 0.1
com = [0.2, 0]
position = ["0.2*cos(angle)", "0.2*sin(angle)"]
points = { A = [0, 0], B = [0.4, 0] }
[joints]
O = { type = "revolute", i = "ground.O", j = "left.O" }
Q = { type = "revolute", i = "ground.Q", j = "right.Q" }
A = { type = "revolute", i = "left.A", j = "platform.A" }
B = { type = "revolute", i = "right.B", j = "platform.B" }
)toml";

// A bob on a rod without mass: phi'' = -(g / l) cos phi.
const char* const kMassless = R"(
jounce = 1
name = "Bob"
gravity = [0, -10]
[ground]
points = { O = [0, 0] }
[bodies.rod]
mass = 0
inertia = 0
points = { O = [0, 0], B = [0.5, 0] }
[bodies.bob]
mass = 2
inertia = 0.01
position = [0.5, 0]
[joints]
O = { type = "revolute", i = "ground.O", j = "rod.O" }
B = { type = "revolute", i = "rod.B", j = "bob.origin" }
)";

// A pendulum about y in space: 2 kg at 0.4 m below the bearing, 0.34 kg m² about it (0.02 + 2 · 0.4²), let go at 0.3 rad.
const char* const kSpatialArm = R"(
jounce = 1
name = "Arm in space"
space = "3d"
gravity = [0, 0, -10]
[bodies.arm]
mass = 2
com = [0, 0, -0.4]
inertia = [0.015, 0.02, 0.01, 0, 0, 0]
[joints.shoulder]
type = "revolute"
parent = "ground"
child = "arm"
axis = [0, 1, 0]
q = [0.3]
)";

constexpr double kTolerance = 1e-11;  // relative; a little more than what well-conditioned formulations may be apart

std::string replaced(std::string text, const std::string& old, const std::string& fresh) {
  REQUIRE(text.find(old) != text.npos);
  return text.replace(text.find(old), old.size(), fresh);
}

const Json& formulations(const Json& comparison) {
  INFO(comparison.dump());
  REQUIRE(comparison.contains("formulations"));
  return comparison["formulations"];
}

const Json& named(const Json& comparison, const std::string& name) {
  for (const Json& f : formulations(comparison))
    if (f["name"] == name) return f;
  FAIL("no formulation " << name);
  return comparison;
}

/// Every formulation that applies gives this value; how many there were.
int expect(const Json& comparison, const std::string& kind, const std::string& column, double value) {
  int count = 0;
  for (const Json& f : formulations(comparison)) {
    if (f["applies"] == false) continue;
    CAPTURE(f["name"].get<std::string>());
    CAPTURE(column);
    REQUIRE(f[kind].contains(column));
    CHECK(std::abs(f[kind][column].get<double>() - value) <= kTolerance * std::max(1.0, std::abs(value)));
    ++count;
  }
  return count;
}

void expect_agreement(const Json& comparison) {
  CHECK(comparison["agree"] == true);
  CHECK(comparison["disagreement"].get<double>() <= comparison["allowed"].get<double>());
  CHECK(comparison["condition"].get<double>() >= 1);
  CHECK(comparison["outcome"]["kind"] == "done");
}

}  // namespace

TEST_CASE("compare shows a tree by all six formulations, with their time, and says that they agree") {
  // oracle: phi'' = -(3 g / 2 l) cos phi; at rest and level the pin pushes up with m g / 4; the words are ours
  const Folder here;
  here.write("m.toml", kBar);
  const Ran ran = here.jounce("compare m.toml");
  REQUIRE_MESSAGE(ran.code == 0, ran.out, ran.err);
  CHECK(ran.err.empty());
  CHECK(ran.out.starts_with("Bar  (m.toml)\n  at t = 0 s, the start\n\n  formulation   unknowns    one evaluation"));
  for (const char* part : {"\n  lagrange ", "\n  kkt ", "\n  nullspace ", "\n  kane ", "\n  crba ", "\n  aba ", "\n  accelerations ",
                           "\n  bar.ax ", "\n  bar.aphi ", "-30 ", "\n  reactions ", "\n  pin.fy ", "\n  energy ", "\n  energy.kinetic ",
                           ": they agree\n"})
    CHECK_MESSAGE(contains(ran.out, part), part, ran.out);
  CHECK(!contains(ran.out, "does not apply"));
  CHECK(!contains(ran.out, "not unique"));

  const Json json = here.jounce("compare m.toml --json").json();
  CHECK(json["at"] == 0.0);
  REQUIRE(json["formulations"].size() == 6);
  std::vector<std::string> names;
  for (const Json& f : json["formulations"]) names.push_back(f["name"]);
  CHECK(names == std::vector<std::string>{"lagrange", "kkt", "nullspace", "kane", "crba", "aba"});
  CHECK(expect(json, "accelerations", "bar.aphi", -30) == 6);
  expect(json, "accelerations", "bar.ax", 0);  // of the origin, which is the pin
  expect(json, "reactions", "pin.fy", 5);
  expect(json, "energy", "kinetic", 0);
  for (const Json& f : json["formulations"]) {
    CHECK(f["seconds"].get<double>() > 0);
    CHECK(f["seconds"].get<double>() < 1);
    CHECK(f["unknowns"].get<int>() >= 1);
  }
  expect_agreement(json);
  for (const char* what : {"accelerations", "reactions", "energy"}) {
    const Json& apart = json["disagreements"][what];
    CHECK(apart["relative"].get<double>() <= json["disagreement"].get<double>());
    CHECK(apart["between"].size() == (apart["relative"] == 0.0 ? 0u : 2u));
    CHECK(apart["column"].is_null() == (apart["relative"] == 0.0));
  }
  CHECK(json["not_unique"].empty());
  CHECK(json["problems"].empty());
}

TEST_CASE("compare --set changes a parameter, and --at may be an expression of parameters") {
  // oracle: phi'' = -(3 g / 2 l) cos phi; where dynamics itself has brought it; energy is kept
  const Folder here;
  here.write("m.toml", kBar);
  const Json other = here.jounce("compare m.toml --json --set l=0.25 --set 'start=60*deg'").json();
  CHECK(expect(other, "accelerations", "bar.aphi", -60 * 0.5) == 6);

  const Json later = here.jounce("compare m.toml --json --at '2*wait'").json();
  CHECK(later["at"] == 0.5);
  const CsvTable table = here.jounce("dynamics m.toml --to 0.5 --steps 1").csv();
  const double angle = column(table, "bar.phi")[1];
  expect(later, "accelerations", "bar.aphi", -30 * std::cos(angle));
  const Json& energy = named(later, "aba")["energy"];
  CHECK(std::abs(energy["kinetic"].get<double>() + energy["potential"].get<double>()) < 1e-6);  // the tolerance of the run
  CHECK(energy["kinetic"].get<double>() > 1);
  CHECK(contains(here.jounce("compare m.toml --at wait").out, "  at t = 0.25 s, where forward dynamics has brought it\n"));
}

TEST_CASE("compare takes closed loops through the trees as well") {
  // oracle: the platform only translates: phi'' = -(m_crank + m_platform) g cos phi / ((2/3 m_crank + m_platform) l); all of its points
  // move on circles of the cranks' length
  const Folder here;
  here.write("m.toml", kParallelogram);
  const double acceleration = -4 * 10 * 0.5 / ((2.0 / 3 + 3) * 0.2);
  const Json json = here.jounce("compare m.toml --json").json();
  CHECK(expect(json, "accelerations", "left.aphi", acceleration) == 6);
  expect(json, "accelerations", "right.aphi", acceleration);
  expect(json, "accelerations", "platform.aphi", 0);
  expect(json, "accelerations", "platform.ax", acceleration * 0.2 * std::sin(std::numbers::pi / 3));
  expect(json, "accelerations", "platform.ay", acceleration * 0.2 * 0.5);
  expect_agreement(json);
  const Ran ran = here.jounce("compare m.toml --at 0.2");
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, ": they agree\n"));
  CHECK(here.jounce("compare m.toml --quiet").out.empty());
}

TEST_CASE("compare says where agreement tells little, and refuses a state from which motion can go two ways") {
  // oracle: with both cranks on the line of the platform it could leave as an antiparallelogram as well; the condition grows like
  // one over the square of the angle
  const Folder here;
  here.write("m.toml", kParallelogram);
  const Ran ran = here.jounce("compare m.toml --set 'angle=1e-4*deg'");
  CHECK_MESSAGE(ran.code == 0, ran.err);
  CHECK_MESSAGE(contains(ran.out, ": they agree, as far as that can tell: the equations are close to singular\n"), ran.out);
  const auto condition = [&](const std::string& angle) {
    return here.jounce("compare m.toml --json --set 'angle=" + angle + "*deg'").json()["condition"].get<double>();
  };
  const double growth = condition("0.01") / condition("0.1");
  CHECK(growth > 99);
  CHECK(growth < 101);
  const Ran flat = here.jounce("compare m.toml --set angle=0");
  CHECK(flat.code == 1);
  CHECK(flat.out.empty());
  CHECK(contains(flat.err, "singular position"));
}

TEST_CASE("compare of a driven mechanism is where its drivers have brought it") {
  // oracle: a steady turn; the motor holds up m g c cos(2 pi t)
  const Folder here;
  here.write("m.toml", kDrivenBar);
  const Json json = here.jounce("compare m.toml --json --at 0.125").json();
  CHECK(expect(json, "accelerations", "bar.aphi", 0) == 6);
  expect(json, "reactions", "motor.effort", 2 * 10 * 0.25 * std::sqrt(0.5));
  const double speed = 2 * std::numbers::pi;
  expect(json, "energy", "kinetic", 0.5 * (2 * 0.5 * 0.5 / 3) * speed * speed);
  expect_agreement(json);
  CHECK(contains(here.jounce("compare m.toml --at 0.125").out, "  at t = 0.125 s, where its drivers have brought it\n"));
}

TEST_CASE("compare names reactions that are not unique, and compares the smallest") {
  // oracle: the motor's second derivative, -unevenness speed² sin(speed t) on all three cranks; the model has one equation too many
  const Folder here;
  const Ran ran = here.jounce("compare --at 0.3 " + model("redundant-parallelogram"));
  CHECK_MESSAGE(ran.code == 0, ran.out, ran.err);
  CHECK(contains(ran.out, "\n  reactions not unique: first-bearing, "));
  CHECK(contains(ran.out, "; the smallest are compared\n"));
  CHECK(contains(ran.out, "\n  … and "));
  CHECK(contains(ran.out, " more: --json shows all\n"));
  const Json json = here.jounce("compare --json --at 0.3 " + model("redundant-parallelogram")).json();
  CHECK(json["not_unique"].size() == 6);
  const double speed = std::numbers::pi;
  for (const char* crank : {"first-crank.aphi", "second-crank.aphi", "third-crank.aphi"})
    CHECK(expect(json, "accelerations", crank, -0.25 * speed * speed * std::sin(0.3 * speed)) >= 2);
  expect_agreement(json);
  // smallest at the same time as inverse dynamics, which finds them in its own way
  const CsvTable table = here.jounce("inverse --quiet --to 0.3 --steps 1 " + model("redundant-parallelogram")).csv();
  for (const char* reaction : {"first-pin.fx", "second-bearing.fy", "motor.effort"})
    expect(json, "reactions", reaction, column(table, reaction)[1]);
}

TEST_CASE("compare says which formulations a body without mass excludes, and why") {
  // oracle: phi'' = -(g / l) cos phi; lagrange needs the inverse of M
  const Folder here;
  here.write("m.toml", kMassless);
  const Json json = here.jounce("compare m.toml --json").json();
  CHECK(expect(json, "accelerations", "rod.aphi", -20) >= 1);
  expect(json, "accelerations", "bob.ay", -10);
  CHECK(named(json, "kkt")["applies"] == true);
  const Json& lagrange = named(json, "lagrange");
  CHECK(lagrange["applies"] == false);
  CHECK(!lagrange.contains("accelerations"));
  CHECK_MESSAGE(contains(lagrange["reason"], "'rod'"), lagrange["reason"].get<std::string>());
  const Ran ran = here.jounce("compare m.toml");
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "\n  lagrange      does not apply: " + lagrange["reason"].get<std::string>() + "\n"));
}

TEST_CASE("compare takes models in space, by all formulations but kane") {
  // oracle: q'' = -m g l sin q / I; the bearing carries the weight less what falls
  const Folder here;
  here.write("m.toml", kSpatialArm);
  const double acceleration = -2 * 10 * 0.4 * std::sin(0.3) / 0.34;
  const Ran ran = here.jounce("compare m.toml");
  REQUIRE_MESSAGE(ran.code == 0, ran.out, ran.err);
  CHECK(contains(ran.out, "\n  kane          does not apply: in space Kane's equations are those of 'crba'; 'explain --formulation kane' shows their arrays"));
  CHECK(contains(ran.out, ": they agree\n"));
  const Json json = here.jounce("compare m.toml --json").json();
  CHECK(named(json, "kane")["applies"] == false);
  CHECK(expect(json, "accelerations", "shoulder.a1", acceleration) == 5);
  // the centre of mass is at -0.4 (sin q, 0, cos q) and falls with 0.4 sin q q''
  expect(json, "reactions", "shoulder.fz", 2 * (10 + 0.4 * std::sin(0.3) * acceleration));
  expect(json, "reactions", "shoulder.fx", -2 * 0.4 * std::cos(0.3) * acceleration);
  expect_agreement(json);
}

TEST_CASE("compare has to have masses, a time that is one, and a model that gets there") {
  // oracle: the exit codes of the interface; the dead centre at t = 2
  const Folder here;
  here.write("light.toml", kUndriven);
  const Ran light = here.jounce("compare light.toml");
  CHECK(light.code == 2);
  CHECK(light.out.empty());
  CHECK_MESSAGE(contains(light.err, "body 'arm': 'mass' is missing"), light.err);
  const Json refused = here.jounce("compare light.toml --json").json();
  CHECK(refused["problems"].size() >= 1);
  CHECK(!refused.contains("formulations"));

  here.write("m.toml", kBar);
  const auto wrong = [&](const std::string& options, const std::string& part) {
    CAPTURE(options);
    const Ran ran = here.jounce("compare m.toml " + options);
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK_MESSAGE(contains(ran.err, part), ran.err);
  };
  wrong("--at=-1", "--at -1: must be 0 or a later time");
  wrong("--at=-wait", "--at -wait: must be 0 or a later time");
  wrong("--at 1/0", "--at '1/0': division by zero");
  wrong("--at 1e999", "outside the range");
  wrong("--at ''", "--at '': expected a number");
  wrong("--at never", "unknown name 'never'");
  wrong("--set weight=1", "weight");
  wrong("--formulation kkt", "'--formulation' is not an option");

  std::string piston = kDeadCentre;
  for (const char* body : {"crank", "rod", "piston"}) {
    const std::string head = std::string("[bodies.") + body + "]\n";
    piston = replaced(piston, head, head + "mass = 1\ninertia = 0.001\n");
  }
  here.write("piston.toml", piston);
  CHECK(here.jounce("compare piston.toml --at 1.5").code == 0);
  const Ran beyond = here.jounce("compare piston.toml --at 2.5");
  CHECK(beyond.code == 1);
  CHECK(beyond.out.empty());
  CHECK(contains(beyond.err, "dead point"));
  const Json json = here.jounce("compare piston.toml --at 2.5 --json").json();
  CHECK(json["outcome"]["kind"] == "dead-point");
  CHECK(!json.contains("formulations"));
}
