// jounce dynamics: rows, methods and formulations, the summary with its events, and runs that end early.
#include "jounce/analysis/dynamics.hpp"

#include <cmath>
#include <numbers>

#include "cli_test.hpp"
#include "jounce/io/load.hpp"
#include "places.hpp"

using namespace jounce;

namespace {

// 4 kg on 100 N/m, let go 0.1 m beyond the free length of 1 m: l = 1 + 0.1 cos(5 t), energy 0.5 J.
const char* const kBlock = R"(
jounce = 1
name = "Block"
[parameters]
stiffness = 100
[ground]
points = { O = [0, 0], X = [1, 0] }
[bodies.block]
mass = 4
inertia = 1
position = [1.1, 0]
points = { C = [0, 0], F = [0.1, 0] }
[joints.track]
type = "translational"
slot = ["ground.O", "ground.X"]
slider = ["block.C", "block.F"]
[forces.coil]
type = "spring"
i = "ground.O"
j = "block.C"
stiffness = "stiffness"
free_length = 1
[run]
analysis = "dynamics"
to = 2
steps = 8
)";

// The local error allowed is 1e-8 a step unless the command says otherwise; a few hundred steps add up to no more than this.
constexpr double kGlobal = 1e-6;

// The same block pulled towards O with 2/l² instead: a mass on a line falls into the centre.
std::string falling() {
  std::string text = kBlock;
  const std::string spring = "stiffness = \"stiffness\"\nfree_length = 1\n";
  text.replace(text.find(spring), spring.size(), "actuator = \"2/l^2\"\n");
  return text.replace(text.find("[1.1, 0]"), 8, "[1, 0]");
}

std::string without_mass() {
  std::string text = kBlock;
  return text.replace(text.find("mass = 4\n"), 9, "");
}

std::string with_force(const std::string& value) {
  return kBlock + ("[forces.load]\ntype = \"force\"\non = \"block.C\"\nvalue = [\"" + value + "\", 0]\n");
}

}  // namespace

TEST_CASE("dynamics gives the motion with reactions, rates of the multipliers and totals behind it") {
  // oracle: l = 1 + 0.1 cos(5 t), its derivatives, energy 0.5 J
  const Folder here;
  here.write("m.toml", kBlock);
  const Ran ran = here.jounce("dynamics m.toml");
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  const CsvTable table = ran.csv();
  REQUIRE(table.rows == 9);
  for (std::size_t r = 0; r < 9; ++r) {
    const double t = double(r) / 4, c = std::cos(5 * t), s = std::sin(5 * t);
    CHECK(table.at(r, 0) == t);
    CHECK(std::abs(column(table, "block.x")[r] - (1 + 0.1 * c)) < kGlobal);
    CHECK(std::abs(column(table, "block.vx")[r] + 0.5 * s) < kGlobal);
    CHECK(std::abs(column(table, "block.sx")[r] - 62.5 * c) < 625 * kGlobal);
    CHECK(std::abs(column(table, "coil.f")[r] - 10 * c) < 100 * kGlobal);
    CHECK(std::abs(column(table, "energy.total")[r] - 0.5) < 10 * kGlobal);
    CHECK(column(table, "track.lambda2_rate")[r] == doctest::Approx(0));
  }
}

TEST_CASE("the program and the library give the same bits") {
  // oracle: the library called directly, with options that are not the defaults
  const auto mechanism = load_plane(model("andrews-squeezer"));
  REQUIRE(mechanism.ok());
  const auto run = dynamics(*mechanism, {.to = 0.01, .steps = 7, .tolerance = 1e-10, .method = Method::taylor, .order = 20});
  const Ran ran = Folder().jounce("dynamics " + model("andrews-squeezer") +
                                  " --to 0.01 --steps 7 --tol 1e-10 --method taylor --order 20 --columns \"*\"");
  CHECK(ran.code == 0);
  const CsvTable table = ran.csv();
  REQUIRE(table.rows == run.results.rows());
  REQUIRE(table.names == run.results.names());
  bool same = true;
  for (std::size_t r = 0; r < table.rows; ++r)
    for (std::size_t c = 0; c < table.names.size(); ++c) same = same && table.at(r, c) == run.results.column(c)[r];
  CHECK(same);
}

TEST_CASE("every method and every formulation follows the pendulum, and the summary says which") {
  // oracle: IFToMM benchmark A01, the elliptic functions of the model's card
  const Folder here;
  const std::string command = "dynamics " + model("simple-pendulum") + " --to 1 --steps 4";
  const auto expect = [&](const std::string& options, const std::string& key, const std::string& used) {
    CAPTURE(options);
    const CsvTable table = here.jounce(command + options + " --columns bob.x").csv();
    CHECK(std::abs(table.at(4, 1) + 0.98629175113) < kGlobal);
    const Json json = here.jounce(command + options + " --json").json();
    CHECK(json["statistics"][key] == used);
    CHECK(json[key] == (options.empty() ? "auto" : options.substr(options.rfind(' ') + 1)));
  };
  expect("", "method", "taylor");
  expect(" --method auto", "method", "taylor");
  expect(" --method taylor", "method", "taylor");
  expect(" --method radau", "method", "radau");
  expect(" --method dop853", "method", "dop853");
  expect("", "formulation", "lagrange");
  expect(" --formulation auto", "formulation", "lagrange");
  expect(" --formulation lagrange", "formulation", "lagrange");
  expect(" --formulation nullspace", "formulation", "nullspace");
  expect(" --formulation kkt", "formulation", "kkt");
  expect(" --formulation kane", "formulation", "kane");
  expect(" --formulation crba", "formulation", "crba");
  expect(" --formulation aba", "formulation", "aba");
}

TEST_CASE("a tighter tolerance comes nearer, and the order of the series is the one asked for") {
  // oracle: IFToMM benchmark A01 at 10 s; what is asked for
  const Folder here;
  const std::string command = "dynamics " + model("simple-pendulum") + " --to 10 --steps 1";
  const auto off = [&](const std::string& options) {
    return std::abs(here.jounce(command + options + " --columns bob.y").csv().at(1, 1) + 0.96141920510);
  };
  CHECK(off(" --tol 1e-12") < 5e-11);  // the digits of the card
  CHECK(off(" --tol 1e-4 --order 6") > off(" --tol 1e-8 --order 6"));
  const Json json = here.jounce(command + " --order 6 --tol 1e-6 --json").json();
  CHECK(json["order"] == 6);
  CHECK(json["statistics"]["order"] == 6);
  CHECK(json["tol"] == 1e-6);
  CHECK(here.jounce(command + " --json").json()["order"].is_null());
  CHECK(off(" --order 6") < kGlobal);
  CHECK(off(" --order 40") < kGlobal);
}

TEST_CASE("wrong options are refused with what would be right, and nothing is written") {
  // oracle: exit code 2, the words of the interface
  const Folder here;
  here.write("m.toml", kBlock);
  const auto expect = [&](const std::string& options, const std::string& part) {
    CAPTURE(options);
    const Ran ran = here.jounce("dynamics m.toml -o x.csv " + options);
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK_MESSAGE(contains(ran.err, part), ran.err);
    CHECK(here.files() == 1);
  };
  expect("--method tailor", "--method 'tailor': expected one of auto, taylor, radau, dop853 (did you mean 'taylor'?)");
  expect("--method ''", "expected one of auto, taylor, radau, dop853\n");
  expect("--method rk4", "expected one of auto, taylor, radau, dop853\n");
  expect("--formulation lagrang", "expected one of auto, lagrange, kkt, nullspace, kane, crba, aba (did you mean 'lagrange'?)");
  expect("--order 5", "--order 5: must be a whole number from 6 to 40");
  expect("--order 41", "--order 41: must be");
  expect("--order 7.5", "--order 7.5: must be");
  expect("--tol 0", "--tol 0: must be greater than 0");
  expect("--tol tiny", "unknown name 'tiny'");
  expect("--to 0", "--to 0: must be a time greater than 0");
  expect("--steps 0", "--steps 0: must be");
  expect("--columns block.lambda", "'block' has");
  expect("--report x.csv", "--report x.csv: a report is written as .html");
  expect("--methd radau", "did you mean '--method'?");
  const Ran two = here.jounce("dynamics m.toml --method a --formulation b --order 1");
  CHECK(two.code == 2);
  CHECK(lines(two.err) == 3);
  CHECK(here.jounce("dynamics m.toml --method a --json").json()["problems"].size() == 1);
  CHECK(contains(here.jounce("kinematics m.toml --method radau").err, "'--method' is not an option"));
}

TEST_CASE("options that change nothing are noted, unless it is to be quiet") {
  // oracle: only the Taylor series has an order; only dynamics has a method
  const Folder here;
  here.write("m.toml", kBlock);
  const Ran ran = here.jounce("dynamics m.toml --method radau --order 8");
  CHECK(ran.code == 0);
  CHECK(ran.err == "jounce: note: --order has no effect with --method radau\n");
  CHECK(here.jounce("dynamics m.toml --method radau --order 8 --quiet").err.empty());
  CHECK(contains(here.jounce("run " + model("four-bar") + " --method radau").err, "--method has no effect on kinematics"));
  CHECK(here.jounce("run m.toml --method radau").err.empty());
}

TEST_CASE("a tolerance below rounding is met as far as possible, with a warning") {
  // oracle: exit code 0 of the interface; l = 1 + 0.1 cos(10) at the end
  const Folder here;
  here.write("m.toml", kBlock);
  const Ran ran = here.jounce("dynamics m.toml --tol 1e-40 --columns block.x");
  CHECK(ran.code == 0);
  CHECK(contains(ran.err, "warning: tol = 1e-40 is below what rounding allows"));
  CHECK(std::abs(ran.csv().at(8, 1) - (1 + 0.1 * std::cos(10.0))) < 1e-12);
}

TEST_CASE("a tolerance that saves nothing is not taken, with a warning") {
  // oracle: the same numbers as with the largest that is taken, in plane and space, by dynamics and run
  const Folder here;
  for (const char* name : {"double-pendulum", "space-double-pendulum"}) {
    const std::string which = model(name) + " --to 1 --steps 2 ";
    const Ran loose = here.jounce("dynamics " + which + "--tol 1"), largest = here.jounce("dynamics " + which + "--tol 1e-4");
    CHECK(loose.code == 0);
    CHECK_MESSAGE(contains(loose.err, "warning: tol = 1 is more than saves anything: 0.0001 is used"), loose.err);
    CHECK(loose.out == largest.out);
    CHECK(largest.err.empty());
    CHECK(contains(here.jounce("run " + which + "--tol 1").err, "tol = 1 is more than saves anything"));
  }
}

TEST_CASE("into a file it prints a summary, and --json says the same with every statistic") {
  // oracle: energy 0.5 J and constant; the track carries nothing; the counts of the other output
  const Folder here;
  here.write("m.toml", kBlock);
  const Ran ran = here.jounce("dynamics m.toml -o x.csv");
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  const Json json = here.jounce("dynamics m.toml --json -o y.csv").json();
  const Json& s = json["statistics"];
  for (const std::string& part : std::vector<std::string>{
           "Block  (m.toml)", "dynamics from 0 to 2 s in 8 steps", "outcome   done", "samples   9",
           "taylor; series of order " + s["order"].dump() + "; formulation lagrange", "of what the tolerance allows",
           "energy    0.5 J, drift ", s["steps"].dump() + " steps, " + s["rejected"].dump() + " rejected, ",
           "(m or rad) at worst", "largest load     track: ", "x.csv (9 rows"})
    CHECK_MESSAGE(contains(ran.out, part), part);
  for (const char* key : {"analysis", "model", "to", "steps", "tol", "method", "formulation", "order", "samples", "outcome",
                          "events", "statistics", "not_unique", "columns", "output", "loads", "energy", "problems"})
    CHECK_MESSAGE(json.contains(key), key);
  for (const char* key : {"samples", "steps", "rejected", "factorisations", "worst_defect", "worst_residual",
                          "largest_projection", "conservative", "energy_drift", "method", "formulation", "order"})
    CHECK_MESSAGE(s.contains(key), key);
  CHECK(json["analysis"] == "dynamics");
  CHECK(json["outcome"]["kind"] == "done");
  CHECK(json["samples"] == 9);
  CHECK(json["output"] == "y.csv");
  CHECK(s["conservative"] == true);
  CHECK(s["energy_drift"].get<double>() < 10 * kGlobal);
  CHECK(std::abs(json["energy"]["start"].get<double>() - 0.5) < round_off(10));
  CHECK(here.read("x.csv") == here.read("y.csv"));
  CHECK(here.read("x.csv") == here.jounce("dynamics m.toml").out);
  CHECK(here.jounce("dynamics m.toml -o x.csv --quiet").out.empty());
  CHECK(here.jounce("dynamics m.toml --json").json()["output"].is_null());
  CHECK(here.jounce("dynamics m.toml --json -o -").code == 2);
}

TEST_CASE("a parameter set on the command line changes the motion") {
  // oracle: four times the stiffness is twice the frequency
  const Folder here;
  here.write("m.toml", kBlock);
  const CsvTable table = here.jounce("dynamics m.toml --set stiffness=400 --columns block.x --to 0.5 --steps 1").csv();
  CHECK(std::abs(table.at(1, 1) - (1 + 0.1 * std::cos(5.0))) < kGlobal);
}

TEST_CASE("passages through singular positions are events: counted for a person, listed for a program") {
  // oracle: the linkage is the same after a turn, so passages go on; ten are shown, the number is that of --json
  const Folder here;
  const Json json = here.jounce("dynamics " + model("four-bars-2") + " --to 20 --steps 20 --json").json();
  CHECK(json["outcome"]["kind"] == "done");
  REQUIRE(json["events"].size() > 10);
  for (const Json& event : json["events"]) {
    CHECK(event["kind"] == "singular-position");
    CHECK(event["elements"].size() > 0);
  }
  const Ran ran = here.jounce("dynamics " + model("four-bars-2") + " --to 20 --steps 20 -o x.csv");
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  CHECK(contains(ran.out, "singular-position: passed a singular position"));
  CHECK(contains(ran.out, "... and " + std::to_string(json["events"].size() - 10) + " more events\n"));
}

TEST_CASE("a change of method is told as an event; a method that is asked for is kept") {
  // oracle: the model's card: a stiff bushing
  const Folder here;
  const std::string command = "dynamics " + model("bushing-bars") + " --to 0.1 --steps 10";
  const Ran ran = here.jounce(command + " -o x.csv");
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "method    taylor, then radau; "));
  CHECK(contains(ran.out, "method: changed to radau: "));
  const Json json = here.jounce(command + " --json").json();
  CHECK(json["method"] == "auto");
  CHECK(json["statistics"]["method"] == "taylor, then radau");
  CHECK(json["statistics"]["conservative"] == false);
  CHECK(json["statistics"]["energy_drift"].is_null());
  REQUIRE(json["events"].size() == 1);
  CHECK(json["events"][0]["kind"] == "method");
  CHECK(here.jounce(command + " --method radau --json").json()["events"].empty());
  CHECK(contains(ran.out, " J at the start, "));
}

TEST_CASE("the models for dynamics run as they are written") {
  // oracle: exit code 0 and the rows that [run] asks for
  const Folder here;
  for (const std::string name : {"stick-slip", "andrews-squeezer", "double-pendulum", "rolling-disc", "torsion-pendulum"}) {
    CAPTURE(name);
    const Ran ran = here.jounce("run " + model(name) + " --json");
    CHECK(ran.code == 0);
    CHECK_MESSAGE(ran.err.empty(), ran.err);
    const Json json = ran.json();
    CHECK(json["analysis"] == "dynamics");
    CHECK(json["samples"] == json["steps"].get<int>() + 1);
  }
}

TEST_CASE("run does forward dynamics when [run] says so") {
  // oracle: the same table as the command itself; the block's speed is 0.5 |sin(5 t)|, at these times largest at t = 1
  const Folder here;
  here.write("m.toml", kBlock);
  const Ran ran = here.jounce("run m.toml");
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "dynamics from 0 to 2 s in 8 steps"));
  CHECK(contains(ran.out, "fastest points"));
  CHECK(contains(ran.out, "block.C"));
  CHECK(contains(ran.out, "  0.479462 m/s  1 s  "));
  CHECK(contains(ran.out, "block.csv (9 rows"));
  CHECK(here.read("block.csv") == here.jounce("dynamics m.toml").out);
  CHECK(here.jounce("run m.toml --json").json().contains("extremes"));
}

TEST_CASE("efforts of drivers are told in dynamics too") {
  // oracle: inverse dynamics of the same driven mechanism: the motion is the same, so are its forces
  const Folder here;
  const std::string tail = model("four-bar") + " --to 1 --steps 40 --quiet --json";
  const Json forward = here.jounce("dynamics " + tail).json()["loads"];
  const Json inverse = here.jounce("inverse " + tail).json()["loads"];
  const double expected = inverse["efforts"][0]["peak"].get<double>();
  CHECK(std::abs(forward["efforts"][0]["peak"].get<double>() - expected) < 100 * kGlobal * std::abs(expected));
  CHECK(forward["largest"] == inverse["largest"]);
}

TEST_CASE("columns of dynamics are chosen like any other") {
  // oracle: the patterns, read by eye
  const Folder here;
  here.write("m.toml", kBlock);
  CHECK(here.jounce("dynamics m.toml --columns 'track.*,energy.total'").csv().names ==
        std::vector<std::string>{"t", "track.fx", "track.fy", "track.torque", "track.f", "track.lambda1", "track.lambda2",
                                 "track.lambda1_rate", "track.lambda2_rate", "energy.total"});
  CHECK(contains(here.jounce("dynamics m.toml --columns trak.lambda1_rate").err, "did you mean 'track.lambda1_rate'?"));
}

TEST_CASE("a body without mass is refused where it is written, before anything is written") {
  // oracle: the interface: exit code 2, file, line and column; an earlier file is left alone
  const Folder here;
  here.write("m.toml", without_mass());
  here.write("x.csv", "t\n1\n");
  const Ran ran = here.jounce("dynamics m.toml -o x.csv");
  CHECK(ran.code == 2);
  CHECK(ran.out.empty());
  CHECK(contains(ran.err, "m.toml:8:9: error: body 'block': 'mass' is missing: dynamics needs it"));
  CHECK(here.read("x.csv") == "t\n1\n");
  CHECK(here.jounce("run m.toml").code == 2);
  const Ran json = here.jounce("dynamics m.toml --json");
  CHECK(json.code == 2);
  CHECK(json.json()["outcome"]["kind"] == "not-run");
  CHECK(json.json()["problems"][0]["line"] == 8);
}

TEST_CASE("a fall into a centre of attraction ends there with exit code 1 and keeps the rows before") {
  // oracle: free fall with the acceleration (2/4)/l² from l = 1 ends at t = (pi/2) / sqrt(2 * 2/4) = pi/2; the rows are those
  // at i/4 before it
  const Folder here;
  here.write("m.toml", falling());
  for (const std::string method : {"taylor", "radau", "dop853"}) {
    CAPTURE(method);
    const Ran ran = here.jounce("dynamics m.toml -o x.csv --method " + method);
    CHECK(ran.code == 1);
    CHECK(contains(ran.err, "m.toml"));
    CHECK(contains(ran.err, "error: "));
    CHECK(contains(ran.out, " at t = "));
    CHECK(lines(here.read("x.csv")) == int(std::floor(std::numbers::pi / 2 * 4)) + 2);
  }
  const Json json = here.jounce("dynamics m.toml --json").json();
  CHECK(json["outcome"]["kind"] == "undefined");  // the spring has lost its line of action
  CHECK(std::abs(json["outcome"]["t"].get<double>() - std::numbers::pi / 2) < kGlobal);
  CHECK(here.jounce("run m.toml").code == 1);
  CHECK(here.has("block.csv"));
}

TEST_CASE("a force without a value ends the run there with exit code 1 and keeps the rows before") {
  // oracle: log(0.55 - t) ends at 0.55; three of the times i/4 lie before it
  const Folder here;
  here.write("m.toml", with_force("log(0.55 - t)"));
  const Ran ran = here.jounce("dynamics m.toml");
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "force 'load'"));
  CHECK(ran.csv().rows == 3);
}

TEST_CASE("a mechanism that does not assemble leaves a table without rows and exits with 1") {
  // oracle: a rod of 0.5 m cannot span 1 m
  const Folder here;
  std::string text = kTooShort;
  text.insert(text.find("points = { A"), "mass = 1\ninertia = 1\n");
  here.write("m.toml", text);
  const Ran ran = here.jounce("dynamics m.toml -o x.csv");
  CHECK(ran.code == 1);
  CHECK(contains(ran.out, "not-assembled"));
  CHECK(contains(ran.out, "x.csv (0 rows"));
  CHECK(lines(here.read("x.csv")) == 1);
}

TEST_CASE("a reader that closes the pipe ends dynamics quietly, and a full disk loudly") {
  // oracle: head has its line; /dev/full refuses every byte
  const Folder here;
  here.write("m.toml", kBlock);
  const std::string program = "\"" + places::program() + "\" ";
  const Ran ran = here.shell("( " + program + "dynamics m.toml --steps 20000; echo $? >code ) | head -n 1");
  CHECK(ran.out.starts_with("t,"));
  CHECK(ran.err.empty());
  CHECK(here.read("code") == "0\n");
  if (!std::filesystem::exists("/dev/full")) return;
  const Ran full = here.jounce("dynamics m.toml -o /dev/full");
  CHECK(full.code == 1);
  CHECK(contains(full.err, "No space left on device"));
}
