// jounce kinematics: rows, columns, parameters, and how a run ends.
#include <cmath>
#include <numbers>

#include "cli_test.hpp"
#include "jounce/jounce.hpp"

using namespace jounce;

namespace {

constexpr double kPosition = 1e-12;  // the last correction of a position is below 1e-13 of the mechanism's size

}  // namespace

TEST_CASE("N steps give N + 1 rows with both ends on standard output, and nothing on standard error") {
  // oracle: the interface; t = i T / N
  const Ran ran = Folder().jounce("kinematics " + model("four-bar") + " --to 0.5 --steps 10");
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  const CsvTable table = ran.csv();
  REQUIRE(table.rows == 11);
  for (std::size_t i = 0; i < table.rows; ++i) CHECK(table.at(i, 0) == 0.5 * static_cast<double>(i) / 10);
}

TEST_CASE("without options the run is the one of [run], and without [run] one second in a hundred steps") {
  // oracle: the model file; the defaults of the interface
  const Folder here;
  CHECK(here.jounce("kinematics " + model("offset-slider-crank")).csv().rows == 301);
  CHECK(here.jounce("new plain --template blank").code == 0);
  const std::string whole = here.read("plain.toml");
  here.write("plain.toml", whole.substr(0, whole.find("[run]")));
  const CsvTable table = here.jounce("kinematics plain.toml").csv();
  CHECK(table.rows == 101);
  CHECK(table.at(100, 0) == 1);
}

TEST_CASE("the columns come in the order of the interface") {
  // oracle: section 4 of the interface, written out
  const Folder here;
  CHECK(here.jounce("new m --template blank").code == 0);
  const std::string ground = "ground.O.x,ground.O.y,ground.O.vx,ground.O.vy,ground.O.ax,ground.O.ay,ground.O.jx,ground.O.jy,ground.O.sx,ground.O.sy,";
  const std::string header = "arm.x,arm.y,arm.phi,arm.vx,arm.vy,arm.vphi,arm.ax,arm.ay,arm.aphi,"
                             "arm.jx,arm.jy,arm.jphi,arm.sx,arm.sy,arm.sphi,arm.O.x,arm.O.y,arm.O.vx,arm.O.vy,arm.O.ax,"
                             "arm.O.ay,arm.O.jx,arm.O.jy,arm.O.sx,arm.O.sy,arm.tip.x,arm.tip.y,arm.tip.vx,arm.tip.vy,"
                             "arm.tip.ax,arm.tip.ay,arm.tip.jx,arm.tip.jy,arm.tip.sx,arm.tip.sy";
  const Ran ran = here.jounce("kinematics m.toml --steps 1");
  CHECK(ran.out.substr(0, ran.out.find('\n')) == "t," + header);
  // what stands still is there when it is asked for
  const Ran all = here.jounce("kinematics m.toml --steps 1 --columns '*'");
  CHECK(all.out.substr(0, all.out.find('\n')) == "t," + ground + header);
}

TEST_CASE("the program and the library give the same bits") {
  // oracle: the library called directly
  const auto mechanism = load(model("quick-return"));
  REQUIRE(mechanism.ok());
  const auto run = kinematics(*mechanism, {.to = 2.1, .steps = 21});
  const CsvTable table = Folder().jounce("kinematics " + model("quick-return") + " --to 2.1 --steps 21 --columns \"*\"").csv();
  REQUIRE(table.rows == run.results.rows());
  REQUIRE(table.names == run.results.names());
  bool same = true;
  for (std::size_t r = 0; r < table.rows; ++r)
    for (std::size_t c = 0; c < table.names.size(); ++c) same = same && table.at(r, c) == run.results.column(c)[r];
  CHECK(same);
}

TEST_CASE("--columns keeps the order of the results, and t") {
  // oracle: the patterns, read by eye
  const Folder here;
  const auto names = [&](const std::string& list) {
    return here.jounce("kinematics " + model("four-bar") + " --steps 1 --columns '" + list + "'").csv().names;
  };
  CHECK(names("rocker.phi") == std::vector<std::string>{"t", "rocker.phi"});
  CHECK(names(" rocker.*phi , crank.phi") == std::vector<std::string>{"t", "crank.phi", "rocker.phi", "rocker.vphi",
                                                                      "rocker.aphi", "rocker.jphi", "rocker.sphi"});
  CHECK(names("*.P.sx,t") == std::vector<std::string>{"t", "coupler.P.sx"});
}

TEST_CASE("a pattern that matches nothing is refused, with what is near") {
  // oracle: exit code 2, the nearest name
  const Folder here;
  const auto expect = [&](const std::string& list, const std::string& part) {
    const Ran ran = here.jounce("kinematics " + model("four-bar") + " -o x.csv --columns '" + list + "'");
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK_MESSAGE(contains(ran.err, part), ran.err);
    CHECK(!here.has("x.csv"));
  };
  expect("rocker.phy", "no column matches 'rocker.phy' (did you mean 'rocker.phi'?)");
  expect("crank.*,rokcer.*", "no column matches 'rokcer.*' (did you mean 'rocker.*'?)");
  expect("motor.effort", "driver 'motor' has no columns in kinematics");
  expect("coupler.P.z*", "'coupler.P' has x, y, vx");
  expect(" , ", "expected names");
}

TEST_CASE("--set changes the stroke of a slider-crank to twice the new crank") {
  // oracle: a centric slider-crank's stroke is 2 r; from 60 degrees the dead centres are at 1/3 and 5/6 of a turn of 0.6 s
  const Folder here;
  const Ran ran = here.jounce("kinematics " + model("offset-slider-crank") +
                              " --set crank_length=0.06 --set eccentricity=0 --to 0.6 --steps 6 --columns piston.x");
  CHECK(ran.code == 0);
  const std::vector<double> x = column(ran.csv(), "piston.x");
  CHECK(std::abs(x[2] - 0.14) < kPosition);
  CHECK(std::abs(x[5] - 0.26) < kPosition);
  CHECK(std::abs(*std::ranges::max_element(x) - *std::ranges::min_element(x) - 0.12) < kPosition);
}

TEST_CASE("--set takes expressions of other parameters") {
  // oracle: x = r cos a + sqrt(l^2 - (r sin a - e)^2), a = 60 deg + w t
  const double r = 0.05, l = 4 * r, e = 0.01, w = 200 * 2 * std::numbers::pi / 60;
  const Ran ran = Folder().jounce("kinematics " + model("offset-slider-crank") + " --set 'speed=200*rpm'" +
                                  " --set 'rod_length=4*crank_length' --to 0.3 --steps 30 --columns piston.x");
  const CsvTable table = ran.csv();
  for (std::size_t i = 0; i < table.rows; ++i) {
    const double a = std::numbers::pi / 3 + w * table.at(i, 0);
    const double x = r * std::cos(a) + std::sqrt(l * l - std::pow(r * std::sin(a) - e, 2));
    CHECK(std::abs(table.at(i, 1) - x) < kPosition);
  }
}

TEST_CASE("wrong values of options are refused before anything is written") {
  // oracle: exit code 2 of the interface
  const Folder here;
  for (const char* options :
       {"--to 0", "--to -1", "--to=-1", "--to nan", "--to inf", "--to 1/0", "--to ''", "--to 2*fnord", "--to 1e999",
        "--steps 0",
        "--steps -3", "--steps 1.5", "--steps 1e10", "--steps ten", "--steps ''", "--tol 0", "--tol -1e-6", "--tol x",
        "--set a=1", "--set crank_length", "--set crank_length=", "--set =1", "--set 'crank_length= '", "--set crank_length=1+",
        "--set crank_length=rod_length --set rod_length=crank_length", "--set pi=3", "--report r.csv", "--columns ''",
        "--to 1 --to 2"}) {
    CAPTURE(options);
    const Ran ran = here.jounce("kinematics " + model("offset-slider-crank") + " -o out.csv " + options);
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK(!ran.err.empty());
    CHECK(here.files() == 0);
  }
  for (const char* output : {"-o x.toml", "-o x.html", "-o ''"})
    CHECK(here.jounce("kinematics " + model("offset-slider-crank") + " " + output).code == 2);
  CHECK(here.files() == 0);
}

TEST_CASE("times may be expressions of the model's parameters") {
  // oracle: 60 rpm: one turn takes 1 s
  const Ran ran = Folder().jounce("kinematics " + model("four-bar") + " --to '2*pi/speed' --steps 2*2 --columns crank.phi");
  CHECK(ran.code == 0);
  const CsvTable table = ran.csv();
  CHECK(table.rows == 5);
  CHECK(std::abs(table.at(4, 0) - 1) < round_off(2));
}

TEST_CASE("--tol is taken with a note that --quiet leaves out") {
  // oracle: kinematics has no step error to allow
  const Folder here;
  const std::string command = "kinematics " + model("four-bar") + " --steps 3 --tol 1e-6";
  const Ran loud = here.jounce(command), quiet = here.jounce(command + " --quiet");
  const Ran without = here.jounce("kinematics " + model("four-bar") + " --steps 3");
  CHECK(loud.code == 0);
  CHECK(contains(loud.err, "no effect on kinematics"));
  CHECK(quiet.err.empty());
  CHECK(loud.out == without.out);
  CHECK(quiet.out == without.out);
}

TEST_CASE("a run into a dead point keeps the rows before it, says when, and exits with 1") {
  // oracle: the piston at 0.25 + 0.05 t reaches crank + rod = 0.35 at t = 2; 21 of the times 3 i / 31 lie before it
  constexpr double kSingularTime = 1e-6;  // a square-root branch: the time is found to about the square root of rounding
  const Folder here;
  here.write("m.toml", kDeadCentre);
  const Ran ran = here.jounce("kinematics m.toml -o x.csv");
  CHECK(ran.code == 1);
  CHECK(ran.out.empty());
  CHECK(contains(ran.err, "m.toml: error: dead point at t = "));
  CHECK(contains(ran.err, "push"));
  const auto table = read_csv((here / "x.csv").string());
  REQUIRE(table.ok());
  REQUIRE(table->rows == 21);
  const std::vector<double> x = column(*table, "piston.x");
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(x[i] - (0.25 + 0.05 * table->at(i, 0))) < kPosition);

  const Ran summary = here.jounce("kinematics m.toml --json");
  CHECK(summary.code == 1);
  const Json json = summary.json();
  CHECK(json["outcome"]["kind"] == "dead-point");
  CHECK(std::abs(json["outcome"]["t"].get<double>() - 2) < kSingularTime);
  CHECK(json["samples"] == 21);
  REQUIRE(json["events"].size() == 1);
  CHECK(json["events"][0]["kind"] == "dead-point");
  CHECK(json["output"].is_null());
}

TEST_CASE("a mechanism that does not assemble leaves a table without rows and exits with 1") {
  // oracle: a rod of 0.5 m cannot span 1 m
  const Folder here;
  here.write("m.toml", kTooShort);
  here.write("x.csv", "t\n1\n2\n");
  const Ran ran = here.jounce("kinematics m.toml -o x.csv");
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "error: "));
  CHECK(lines(here.read("x.csv")) == 1);
}

TEST_CASE("a mechanism that is not driven is the wrong model for kinematics") {
  // oracle: exit code 2; a file of an earlier run is left alone
  const Folder here;
  here.write("m.toml", kUndriven);
  here.write("x.csv", "t\n1\n2\n");
  const Ran ran = here.jounce("kinematics m.toml -o x.csv");
  CHECK(ran.code == 2);
  CHECK(contains(ran.err, "1 free motion"));
  CHECK(here.read("x.csv") == "t\n1\n2\n");
  CHECK(here.jounce("kinematics m.toml --json").json()["outcome"]["kind"] == "not-driven");
}

TEST_CASE("a motion that stops having a value ends the run there") {
  // oracle: sqrt(0.5 - t) ends at t = 0.5; the snap needs the value inside, so the rows are those before 0.5
  const Folder here;
  CHECK(here.jounce("new m --template blank").code == 0);
  std::string text = here.read("m.toml");
  text.replace(text.find("2*pi*t"), 6, "sqrt(0.5 - t)");
  here.write("m.toml", text);
  const Ran ran = here.jounce("kinematics m.toml --to 1 --steps 8");
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "driver 'motor': motion: "));
  CHECK(ran.csv().rows == 4);
}
