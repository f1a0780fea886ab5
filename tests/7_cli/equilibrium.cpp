// jounce equilibrium: the row at rest, stability, natural frequencies and modes.
#include "jounce/analysis/equilibrium/equilibrium.hpp"

#include <cmath>
#include <numbers>

#include "cli_test.hpp"
#include "places.hpp"

using namespace jounce;

namespace {

constexpr double kPi = std::numbers::pi;
// Newton's method ends at rounding; the digits of the models' cards end here.
constexpr double kDigits = 1e-9;

// A bar of 1 m and 3 kg on a pin, J + m a² = 1 about it, drawn hanging down, upright, or on its side.
std::string bar(const std::string& angle, const std::string& forces = "") {
  return R"(
jounce = 1
name = "Bar"
gravity = [0, -10]
[ground]
points = { O = [0, 0] }
[bodies.bar]
mass = 3
angle = ")" + angle + R"("
points = { O = [0, 0], tip = [1, 0] }
shape = { type = "bar", from = "O", to = "tip" }
[joints.pin]
type = "revolute"
i = "ground.O"
j = "bar.O"
[run]
analysis = "equilibrium"
)" + forces;
}

// Nothing holds it.
const char* const kFalls = R"(
jounce = 1
name = "Falls"
gravity = [0, -10]
[bodies.stone]
mass = 1
inertia = 1
points = { C = [0, 0] }
[run]
analysis = "equilibrium"
)";

double number(const Json& json) { return json.get<double>(); }

}  // namespace

TEST_CASE("the spring balance rests and swings as its card says") {
  // oracle: the card of the model: moments about the pivot, and the roots of a quadratic equation
  const Folder here;
  const Ran ran = here.jounce("equilibrium " + model("spring-balance"));
  CHECK(ran.code == 0);
  const CsvTable table = ran.csv();
  REQUIRE(table.rows == 1);
  CHECK(table.at(0, 0) == 0);
  CHECK(std::abs(column(table, "lever.phi")[0] - 0.038492628823) < kDigits);
  CHECK(std::abs(column(table, "coil.l")[0] - 0.49067713445) < kDigits);
  CHECK(std::abs(column(table, "pivot.fy")[0] + 10.639441664) < 10 * kDigits);
  for (const char* still : {"lever.vx", "lever.aphi", "load.hook.jy", "load.sphi", "coil.v", "energy.kinetic", "momentum.lz"})
    CHECK(column(table, still)[0] == 0);
  CHECK(column(table, "constraint.error")[0] < kDigits);
  CHECK(!table.find("pivot.lambda1_rate"));
  CHECK(contains(ran.err, "Spring balance  ("));
  CHECK(contains(ran.err, "stable (2 free motions)"));
  CHECK(contains(ran.err, "0.521511 Hz"));
  CHECK(contains(ran.err, "1.34932 Hz"));
  CHECK(contains(ran.err, "load.phi 1, "));

  const Json json = here.jounce("equilibrium " + model("spring-balance") + " --json").json();
  CHECK(json["analysis"] == "equilibrium");
  CHECK(json["outcome"]["kind"] == "done");
  CHECK(json["stable"] == true);
  CHECK(json["free_motions"] == 2);
  REQUIRE(json["frequencies_hz"].size() == 2);
  CHECK(std::abs(number(json["frequencies_hz"][0]) - 0.52151064138) < kDigits);
  CHECK(std::abs(number(json["frequencies_hz"][1]) - 1.3493246156) < kDigits);
  CHECK(json["modes"][1]["shape"]["load.phi"] == 1.0);
  CHECK(number(json["modes"][0]["omega"]) == doctest::Approx(2 * kPi * 0.52151064138));
  CHECK(json["eigenvalues"].empty());
  REQUIRE(json["row"].size() == table.names.size());
  for (std::size_t c = 0; c < table.names.size(); ++c) CHECK(number(json["row"][table.names[c]]) == table.at(0, c));
}

TEST_CASE("the bars of a truss carry what statics says") {
  // oracle: moments about P0: the roller pushes R = (2 * 10000 + 3 * 4000 + 1.5 * 3000) / 4; the last diagonal leans 1 to 1.5
  const double roller = (2 * 10000.0 + 3 * 4000.0 + 1.5 * 3000.0) / 4, diagonal = roller * std::hypot(1.0, 1.5) / 1.5;
  const Folder here;
  const Ran ran = here.jounce("equilibrium " + model("truss") + " -o x.csv");
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  CHECK(contains(ran.out, "stable: nothing can move"));
  CHECK(contains(ran.out, "largest load     diagonal-4: 10966.9 N"));
  CHECK(contains(ran.out, "x.csv (1 row, "));
  const auto table = read_csv((here / "x.csv").string());
  REQUIRE(table.ok());
  CHECK(std::abs(column(*table, "roller.fy")[0] - roller) < roller * kDigits);
  const double found = std::hypot(column(*table, "diagonal-4.fx")[0], column(*table, "diagonal-4.fy")[0]);
  CHECK(std::abs(found - diagonal) < diagonal * kDigits);
  const Json json = here.jounce("equilibrium " + model("truss") + " --json").json();
  CHECK(json["modes"].empty());
  CHECK(json["free_motions"] == 0);
  CHECK(json["not_unique"].empty());
}

TEST_CASE("hanging down is stable, upright is not, and from the side it finds its way down") {
  // oracle: m g a / (J + m a²) = 3 * 10 * 0.5 / 1 = 15 1/s², with either sign
  const Folder here;
  here.write("m.toml", bar("-90*deg"));
  const Json down = here.jounce("equilibrium m.toml --json").json();
  CHECK(down["stable"] == true);
  CHECK(std::abs(number(down["modes"][0]["omega"]) - std::sqrt(15.0)) < kDigits);
  CHECK(std::abs(number(down["row"]["energy.potential"]) + 3 * 10 * 0.5) < 15 * kDigits);
  here.write("m.toml", bar("-20*deg"));
  const Ran side = here.jounce("equilibrium m.toml --columns bar.phi");
  CHECK(side.code == 0);
  CHECK(std::abs(side.csv().at(0, 1) + kPi / 2) < kDigits);
  here.write("m.toml", bar("90*deg"));
  const Ran up = here.jounce("equilibrium m.toml -o x.csv");
  CHECK(up.code == 0);
  CHECK(contains(up.out, "unstable in 1 of 1 free motions"));
  CHECK(contains(up.out, "leaves with exp(3.87298 t)"));
  CHECK(contains(up.err, "warning: the equilibrium is unstable"));
  const Json json = here.jounce("equilibrium m.toml --json").json();
  CHECK(json["stable"] == false);
  CHECK(json["unstable"] == 1);
  CHECK(std::abs(number(json["modes"][0]["growth"]) - std::sqrt(15.0)) < kDigits);
  CHECK(json["frequencies_hz"][0] == 0.0);
  CHECK(json["problems"][0]["severity"] == "warning");
}

TEST_CASE("a motion that nothing resists is neutral") {
  // oracle: the pendulum's bob turns freely about its centre; it swings with sqrt(g / length)
  const Folder here;
  const Ran ran = here.jounce("equilibrium " + model("simple-pendulum") + " -o x.csv");
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "neutral in 1 of 2 free motions"));
  CHECK(contains(ran.out, "does not swing   bob.phi 1"));
  const Json json = here.jounce("equilibrium " + model("simple-pendulum") + " --json").json();
  CHECK(json["neutral"] == 1);
  CHECK(std::abs(number(json["modes"][1]["omega"]) - std::sqrt(9.81)) < kDigits);
}

TEST_CASE("with a damper the roots are told beside the natural frequencies") {
  // oracle: s² + 2 s + 15 = 0: s = -1 ± i sqrt(14)
  const Folder here;
  const std::string damper = "[forces.damper]\ntype = \"torsion-spring\"\ni = \"ground\"\nj = \"bar\"\ndamping = 2\n";
  here.write("m.toml", bar("-90*deg", damper));
  const Json json = here.jounce("equilibrium m.toml --json").json();
  REQUIRE(json["eigenvalues"].size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(std::abs(number(json["eigenvalues"][i][0]) + 1) < kDigits);
    CHECK(std::abs(std::abs(number(json["eigenvalues"][i][1])) - std::sqrt(14.0)) < kDigits);
  }
  CHECK(contains(here.jounce("equilibrium m.toml").err, "s = -1 +- 3.74166 i 1/s"));
}

TEST_CASE("without an equilibrium it says what is not balanced and exits with 1") {
  // oracle: the weight 10 N of the stone; a table without rows
  const Folder here;
  here.write("m.toml", kFalls);
  const Ran ran = here.jounce("equilibrium m.toml -o x.csv");
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "m.toml: error: body 'stone'"));
  CHECK(contains(ran.err, "10 N"));
  CHECK(contains(ran.out, "no-equilibrium"));
  CHECK(contains(ran.out, "x.csv (0 rows"));
  CHECK(lines(here.read("x.csv")) == 1);
  const Ran json = here.jounce("equilibrium m.toml --json");
  CHECK(json.code == 1);
  CHECK(json.json()["outcome"]["kind"] == "no-equilibrium");
  CHECK(json.json()["row"].is_null());
  CHECK(json.json()["stable"] == false);
  CHECK(here.jounce("run m.toml").code == 1);
}

TEST_CASE("what does not assemble has no equilibrium, and a force without a value none either") {
  // oracle: a rod of 0.5 m cannot span 1 m; log(-1) has no value
  const Folder here;
  here.write("m.toml", kTooShort);
  CHECK(here.jounce("equilibrium m.toml").code == 1);
  CHECK(here.jounce("equilibrium m.toml --json").json()["outcome"]["kind"] == "not-assembled");
  here.write("m.toml", bar("-90*deg", "[forces.load]\ntype = \"moment\"\non = \"bar\"\nvalue = \"log(t - 1)\"\n"));
  const Ran ran = here.jounce("equilibrium m.toml");
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "force 'load'"));
  CHECK(here.jounce("equilibrium m.toml --json").json()["outcome"]["kind"] == "undefined");
}

TEST_CASE("a body without mass is told of where gravity would act on it") {
  // oracle: the line of its section; without gravity there is nothing to tell
  const Folder here;
  std::string text = bar("-90*deg", "[forces.coil]\ntype = \"torsion-spring\"\ni = \"ground\"\nj = \"bar\"\nstiffness = 2\n");
  text.replace(text.find("mass = 3\n"), 9, "");
  here.write("m.toml", text);
  const Ran ran = here.jounce("equilibrium m.toml");
  CHECK(ran.code == 0);
  CHECK(contains(ran.err, "m.toml:7:9: warning: body 'bar': 'mass' is missing: it has no weight here"));
  CHECK(contains(ran.err, "frequencies are left out"));
  CHECK(here.jounce("equilibrium m.toml --quiet").err.empty());
  text.replace(text.find("gravity = [0, -10]\n"), 19, "");
  here.write("m.toml", text);
  CHECK(!contains(here.jounce("equilibrium m.toml").err, "warning"));
}

TEST_CASE("reactions that are not unique are named") {
  // oracle: the card of the model: the six pins share one surplus equation, the motor has no part in it
  const Folder here;
  const std::vector<std::string> pins{"first-bearing", "second-bearing", "third-bearing",
                                      "first-pin",     "second-pin",     "third-pin"};
  const Ran ran = here.jounce("equilibrium " + model("redundant-parallelogram") + " -o x.csv");
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "not unique: first-bearing, "));
  CHECK(contains(ran.err, "warning: reactions not unique: first-bearing, "));
  CHECK(here.jounce("equilibrium " + model("redundant-parallelogram") + " --json").json()["not_unique"] == pins);
}

TEST_CASE("a driver holds what it drives, and its effort is told") {
  // oracle: the motor holds the bar on its side: m g a = 15 N m
  const Folder here;
  here.write("m.toml", bar("0*deg", "[drivers.motor]\ntype = \"angle\"\ni = \"ground\"\nj = \"bar\"\nmotion = \"t\"\n"));
  const Ran ran = here.jounce("equilibrium m.toml -o x.csv");
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "\n  motor    15 N m\n"));
  CHECK(contains(ran.out, "largest load     pin: 30 N\n"));
  CHECK(std::abs(number(here.jounce("equilibrium m.toml --json").json()["row"]["motor.effort"]) - 15) < 15 * kDigits);
}

TEST_CASE("columns, files, quiet and wrong options are as with every analysis") {
  // oracle: the interface
  const Folder here;
  here.write("m.toml", bar("-90*deg"));
  const Ran some = here.jounce("equilibrium m.toml --columns 'bar.phi,pin.f*' --quiet");
  CHECK(some.err.empty());
  CHECK(some.csv().names == std::vector<std::string>{"t", "bar.phi", "pin.fx", "pin.fy", "pin.f"});
  CHECK(here.jounce("equilibrium m.toml --columns 'bar.phi' --json").json()["row"].size() == 2);
  CHECK(contains(here.jounce("equilibrium m.toml --columns bar.pi").err, "did you mean 'bar.phi'?"));
  CHECK(here.jounce("equilibrium m.toml --columns bar.pi").code == 2);
  CHECK(here.jounce("equilibrium m.toml -o x.csv --quiet").out.empty());
  CHECK(here.read("x.csv") == here.jounce("equilibrium m.toml").out);
  CHECK(here.jounce("equilibrium m.toml --json -o y.csv").json()["output"] == "y.csv");
  CHECK(here.read("y.csv") == here.read("x.csv"));
  for (const char* wrong : {"--to 1", "--tol 1e-9", "-o x.toml", "--json -o -", "--set a=1", "-o missing/x.csv"}) {
    CAPTURE(wrong);
    CHECK(here.jounce(std::string("equilibrium m.toml ") + wrong).code == 2);
  }
  const Ran gone = here.shell("( \"" + places::program() + "\" equilibrium m.toml --quiet; echo $? >code ) | true");
  CHECK(gone.err.empty());
  CHECK(here.read("code") == "0\n");
  if (std::filesystem::exists("/dev/full")) CHECK(here.jounce("equilibrium m.toml -o /dev/full").code == 1);
}

TEST_CASE("stability is told in words: what returns, what runs away and how fast, what nothing resists") {
  // oracles: ln 2 / sqrt(15) = 0.179 s, and the damper's 2 of the critical 2 sqrt(15 * 1)
  const Folder here;
  here.write("m.toml", bar("-90*deg"));
  CHECK(contains(here.jounce("equilibrium m.toml -o x.csv").out, "stable (1 free motion): it returns after any small push"));
  here.write("m.toml", bar("90*deg"));
  CHECK(contains(here.jounce("equilibrium m.toml -o x.csv").out, "unstable in 1 of 1 free motions: mode 1 runs away, doubling in 0.179 s"));
  CHECK(contains(here.jounce("equilibrium " + model("simple-pendulum") + " -o x.csv").out, "no force resists a push along bob.phi"));
  const std::string damper = "[forces.damper]\ntype = \"torsion-spring\"\ni = \"ground\"\nj = \"bar\"\ndamping = 2\n";
  here.write("m.toml", bar("-90*deg", damper));
  CHECK(contains(here.jounce("equilibrium m.toml -o x.csv").out, "(25.8 % of critical damping)"));
  CHECK(std::abs(number(here.jounce("equilibrium m.toml --json").json()["modes"][0]["damping"]) - 1 / std::sqrt(15.0)) < kDigits);
}

TEST_CASE("over a coordinate there is a row for each value, with what it takes to hold it") {
  // oracle: m g a cos(phi) = 15 cos(phi)
  const Folder here;
  here.write("m.toml", bar("-20*deg"));
  const Ran ran = here.jounce("equilibrium m.toml --over \"bar.phi=90*deg:0:4\" --columns bar.phi,hold.effort");
  CHECK(ran.code == 0);
  const CsvTable table = ran.csv();
  REQUIRE(table.rows == 4);
  CHECK(table.names == std::vector<std::string>{"t", "bar.phi", "hold.effort"});
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(std::abs(table.at(k, 1) - static_cast<double>(k) * kPi / 6) < kDigits);
    CHECK(std::abs(table.at(k, 2) - 15 * std::cos(table.at(k, 1))) < 15 * kDigits);
  }
  CHECK(contains(ran.err, "held      bar.phi at 4 values, the torque that it takes in column hold.effort"));
  const Json json = here.jounce("equilibrium m.toml --over bar.phi=0,1 --json -o x.csv --report x.html").json();
  CHECK(json["over"]["coordinate"] == "bar.phi");
  CHECK(json["over"]["found"] == 2);
  CHECK(json["report"] == "x.html");
  CHECK(json["loads"]["efforts"][0]["driver"] == "hold");
  CHECK(std::abs(number(json["loads"]["efforts"][0]["peak"]) - 15) < 15 * kDigits);
}

TEST_CASE("a value without an equilibrium is a row of nan with a warning; without any the code is 1") {
  // oracle: the offset slider-crank's piston comes to sqrt(0.25² - 0.01²) m
  const Folder here;
  const Ran some = here.jounce("equilibrium " + model("offset-slider-crank") + " --over piston.x=0.2,0.25 --columns hold.effort");
  CHECK(some.code == 0);
  CHECK(contains(some.out, "\n0,nan\n"));
  CHECK(contains(some.err, "warning: no equilibrium at piston.x = 0.25 m: the mechanism cannot be assembled"));
  CHECK(contains(some.err, "set aside motor"));
  const Ran none = here.jounce("equilibrium " + model("offset-slider-crank") + " --over piston.x=0.5,0.6 -o x.csv");
  CHECK(none.code == 1);
  CHECK(contains(none.out, "not-assembled"));
}

TEST_CASE("a range that means nothing is refused") {
  const Folder here;
  here.write("m.toml", bar("-20*deg"));
  for (const auto& [range, said] : {std::pair{"bar.phi", "--over 'bar.phi': expected COORDINATE=FROM:TO:NUMBER"}, {"bar.ph=0:1", "did you mean 'bar.phi'?"},
                                    {"bar.phi=0:1:0.5", "expected a whole number of values from 2 to 1e6, found 0.5"}, {"bar.phi=0:nobody", "unknown name 'nobody'"}}) {
    const Ran ran = here.jounce(std::string("equilibrium m.toml --over \"") + range + "\"");
    CHECK(ran.code == 2);
    CHECK_MESSAGE(contains(ran.err, said), ran.err);
  }
}

TEST_CASE("run finds the equilibrium when [run] says so, and a length of time has no effect on it") {
  // oracle: the same row as the command itself
  const Folder here;
  here.write("m.toml", bar("-90*deg"));
  const Ran ran = here.jounce("run m.toml --to 3");
  CHECK(ran.code == 0);
  CHECK(ran.err == "jounce: note: --to has no effect on equilibrium: nothing moves\n");
  CHECK(contains(ran.out, "equilibrium, at t = 0"));
  CHECK(contains(ran.out, "bar.csv (1 row, "));
  CHECK(!contains(ran.out, "fastest"));
  CHECK(here.read("bar.csv") == here.jounce("equilibrium m.toml").out);
  const Json json = here.jounce("run m.toml --json").json();
  CHECK(json["analysis"] == "equilibrium");
  CHECK(!json.contains("extremes"));
}
