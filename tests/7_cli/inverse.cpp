// jounce inverse: rows, the summary of efforts and loads, and what the model must have.
#include "jounce/analysis/inverse.hpp"

#include <cmath>
#include <numbers>

#include "cli_test.hpp"
#include "jounce/io/load.hpp"

using namespace jounce;

namespace {

// A bar of 2 kg, 1 m long, that a motor turns once in a second, from level; the motor has to hold up m g c cos(2 pi t).
const char* const kArm = R"(
jounce = 1
name = "Arm"
gravity = [0, -10]
[ground]
points = { O = [0, 0] }
[bodies.arm]
mass = 2
points = { O = [0, 0], tip = [1, 0] }
shape = { type = "bar", from = "O", to = "tip" }
[joints.pin]
type = "revolute"
i = "ground.O"
j = "arm.O"
[drivers.motor]
type = "angle"
i = "ground"
j = "arm"
motion = "2*pi*t"
[run]
analysis = "inverse"
to = 1
steps = 8
)";

constexpr double kRelative = 1e-12;

}  // namespace

TEST_CASE("inverse gives the rows of kinematics with reactions and totals behind them") {
  // oracle: kinematics itself for the first columns; m g c cos(2 pi t) for the effort, c = 0.5
  const Folder here;
  here.write("m.toml", kArm);
  const Ran ran = here.jounce("inverse m.toml"), kinematics = here.jounce("kinematics m.toml");
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  const CsvTable table = ran.csv(), first = kinematics.csv();
  REQUIRE(table.rows == 9);
  REQUIRE(table.names.size() > first.names.size());
  for (std::size_t c = 0; c < first.names.size(); ++c) {
    CHECK(table.names[c] == first.names[c]);
    for (std::size_t r = 0; r < table.rows; ++r) CHECK(table.at(r, c) == first.at(r, c));
  }
  const std::vector<double> effort = column(table, "motor.effort");
  for (std::size_t r = 0; r < 9; ++r)
    CHECK(std::abs(effort[r] - 10 * std::cos(2 * std::numbers::pi * double(r) / 8)) < 10 * kRelative);
}

TEST_CASE("the program and the library give the same bits") {
  // oracle: the library called directly
  const auto mechanism = load_plane(model("quick-return"));
  REQUIRE(mechanism.ok());
  const auto run = inverse(*mechanism, {.to = 2.1, .steps = 21});
  const CsvTable table = Folder().jounce("inverse " + model("quick-return") + " --to 2.1 --steps 21 --columns \"*\"").csv();
  REQUIRE(table.rows == run.results.rows());
  REQUIRE(table.names == run.results.names());
  bool same = true;
  for (std::size_t r = 0; r < table.rows; ++r)
    for (std::size_t c = 0; c < table.names.size(); ++c) same = same && table.at(r, c) == run.results.column(c)[r];
  CHECK(same);
}

TEST_CASE("into a file it prints efforts and the largest load, and --json says the same") {
  // oracle: effort 10 cos(2 pi t): peak 10, mean square over a turn 50 (the trapezoidal rule is exact for it); the pin carries
  // most when the arm hangs: m (g + c w²)
  const double load = 2 * (10 + 0.5 * 4 * std::numbers::pi * std::numbers::pi);
  const Folder here;
  here.write("m.toml", kArm);
  const Ran ran = here.jounce("inverse m.toml -o x.csv");
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "inverse from 0 to 1 s in 8 steps"));
  CHECK(contains(ran.out, "motor"));
  CHECK(contains(ran.out, "7.07107 N m"));
  CHECK(contains(ran.out, "largest load     pin: 59.4784 N at 0.75 s"));
  CHECK(contains(ran.out, "x.csv (9 rows"));
  CHECK(here.jounce("inverse m.toml -o x.csv --quiet").out.empty());

  const Json json = here.jounce("inverse m.toml --json").json();
  CHECK(json["analysis"] == "inverse");
  CHECK(json["not_unique"].empty());
  const Json& effort = json["loads"]["efforts"][0];
  CHECK(effort["driver"] == "motor");
  CHECK(effort["unit"] == "N m");
  CHECK(std::abs(std::abs(effort["peak"].get<double>()) - 10) < 10 * kRelative);
  CHECK(std::abs(effort["rms"].get<double>() - std::sqrt(50.0)) < 10 * kRelative);
  CHECK(json["loads"]["largest"] == "pin");
  CHECK(std::abs(json["loads"]["joints"][0]["force"].get<double>() - load) < load * kRelative);
  CHECK(json["loads"]["joints"][0]["force_t"] == 0.75);
}

TEST_CASE("run does inverse dynamics when [run] says so") {
  // oracle: the same numbers as the command itself
  const Folder here;
  here.write("m.toml", kArm);
  const Ran ran = here.jounce("run m.toml");
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "inverse from 0 to 1 s in 8 steps"));
  CHECK(contains(ran.out, "fastest points"));
  CHECK(contains(ran.out, "7.07107 N m"));
  CHECK(here.read("arm.csv") == here.jounce("inverse m.toml").out);
  const Json json = here.jounce("run m.toml --json").json();
  CHECK(json["analysis"] == "inverse");
  CHECK(json["loads"] == here.jounce("inverse m.toml --json").json()["loads"]);
}

TEST_CASE("columns of reactions are chosen like any other, and kinematics says that it has none") {
  // oracle: the patterns, read by eye
  const Folder here;
  here.write("m.toml", kArm);
  CHECK(here.jounce("inverse m.toml --columns 'motor.*,energy.total'").csv().names ==
        std::vector<std::string>{"t", "motor.fx", "motor.fy", "motor.torque", "motor.f", "motor.effort", "motor.lambda1", "motor.lambda1_rate", "energy.total"});
  CHECK(contains(here.jounce("inverse m.toml --columns motor.efort").err, "did you mean 'motor.effort'?"));
  CHECK(contains(here.jounce("kinematics m.toml --columns motor.effort").err, "driver 'motor' has no columns in kinematics"));
}

TEST_CASE("a body without mass is refused where it is written, before anything is written") {
  // oracle: the interface: exit code 2, file, line and column; an earlier file is left alone
  const Folder here;
  std::string text = kArm;
  text.replace(text.find("mass = 2\n"), 9, "");
  here.write("m.toml", text);
  here.write("x.csv", "t\n1\n");
  const Ran ran = here.jounce("inverse m.toml -o x.csv");
  CHECK(ran.code == 2);
  CHECK(ran.out.empty());
  CHECK(ran.err == "m.toml:7:9: error: body 'arm': 'mass' is missing: inverse dynamics needs it (0 for a body without mass)\n");
  CHECK(here.read("x.csv") == "t\n1\n");
  CHECK(here.jounce("run m.toml").code == 2);
  const Ran json = here.jounce("inverse m.toml --json");
  CHECK(json.code == 2);
  CHECK(json.json()["outcome"]["kind"] == "not-run");
  CHECK(json.json()["problems"][0]["line"] == 7);
}

TEST_CASE("reactions that are not unique are named by check, by inverse and in both summaries for programs") {
  // oracle: the card of the model: the six pins share one surplus equation, the motor has no part in it
  const Folder here;
  const std::vector<std::string> pins{"first-bearing", "second-bearing", "third-bearing",
                                      "first-pin",     "second-pin",     "third-pin"};
  const std::string file = model("redundant-parallelogram");
  const std::string list = "first-bearing, second-bearing, third-bearing, first-pin, second-pin, third-pin";
  CHECK(contains(here.jounce("check " + file).out, "not unique: " + list));
  CHECK(here.jounce("check " + file + " --json").json()["not_unique"] == pins);
  const Ran ran = here.jounce("inverse " + file + " -o x.csv");
  CHECK(ran.code == 0);
  CHECK(contains(ran.err, "warning: reactions not unique: " + list));
  CHECK(contains(ran.out, "not unique: " + list));
  CHECK(here.jounce("inverse " + file + " -o x.csv --quiet").err.empty());
  CHECK(here.jounce("inverse " + file + " --json").json()["not_unique"] == pins);
  CHECK(here.jounce("check " + model("four-bar") + " --json").json()["not_unique"].empty());
  CHECK(!contains(here.jounce("check " + model("four-bar")).out, "not unique"));
}

TEST_CASE("in space, too, all joints that share a load are named, not the loops alone") {
  // oracle: the same mechanism in the plane
  const Folder here;
  const std::string file = places::source() + "/tests/data/redundant-parallelogram-space.toml";
  const std::string list = "not unique: first-bearing, second-bearing, third-bearing, first-pin, second-pin, third-pin";
  CHECK(contains(here.jounce("check " + file).out, "  reactions    " + list + "\n"));
  CHECK(here.jounce("check " + file + " --json").json()["not_unique"].size() == 6);
  const Ran ran = here.jounce("inverse " + file + " --to 0.1 --steps 1 -o x.csv");
  CHECK(ran.code == 0);
  CHECK(contains(ran.err, "warning: reactions " + list));
  CHECK(contains(ran.out, list));
  CHECK(contains(here.jounce("dynamics " + file + " --to 0.1 --steps 1 -o x.csv").out, list));
  CHECK(contains(here.jounce("compare " + file).out, list));
  CHECK(here.jounce("check " + model("seven-joint-arm") + " --json").json()["not_unique"].empty());
}

TEST_CASE("a force without a value ends the run there with exit code 1 and keeps the rows before") {
  // oracle: log(0.55 - t) ends at 0.55; five of the times i/8 lie before it
  const Folder here;
  std::string text = kArm;
  text += "[forces.load]\ntype = \"moment\"\non = \"arm\"\nvalue = \"log(0.55 - t)\"\n";
  here.write("m.toml", text);
  const Ran ran = here.jounce("inverse m.toml");
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "m.toml:27:10: error: force 'load': "));
  CHECK(contains(ran.err, ", at t = 0.625 s"));
  CHECK(ran.csv().rows == 5);
  CHECK(here.jounce("inverse m.toml --json").json()["outcome"]["kind"] == "undefined");
}
