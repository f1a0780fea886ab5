// jounce run and jounce new: from nothing to results.
#include <cmath>

#include "cli_test.hpp"

using namespace jounce;

TEST_CASE("every template runs as it is written") {
  // oracle: exit code 0, the rows its [run] asks for, its name in the summary
  const Folder here;
  const Ran list = here.jounce("new --templates");
  CHECK(list.code == 0);
  CHECK(lines(list.out) >= 5);
  std::istringstream rows(list.out);
  for (std::string row; std::getline(rows, row);) {
    const std::string name = row.substr(0, row.find(' '));
    CAPTURE(name);
    const Ran made = here.jounce("new My_" + name + " --template " + name);
    CHECK(made.code == 0);
    CHECK(made.err.empty());
    CHECK(here.jounce("check My_" + name + ".toml").code == 0);
    const Ran ran = here.jounce("run My_" + name + ".toml");
    CHECK(ran.code == 0);
    CHECK_MESSAGE(ran.err.empty(), ran.err);
    CHECK(ran.out.starts_with("My_" + name + "  ("));
    const auto table = read_csv((here / ("my_" + name + ".csv")).string());
    REQUIRE(table.ok());
    CHECK(table->rows == (name == "blank" ? 101U : 201U));
  }
}

TEST_CASE("new takes the four-bar when nothing is said, and never overwrites") {
  // oracle: the file that was there
  const Folder here;
  CHECK(here.jounce("new a").code == 0);
  CHECK(contains(here.read("a.toml"), "[bodies.coupler]"));
  const std::string before = here.read("a.toml");
  const Ran again = here.jounce("new a.toml --template blank");
  CHECK(again.code == 2);
  CHECK(contains(again.err, "exists already"));
  CHECK(here.read("a.toml") == before);
  CHECK(here.jounce("new").code == 2);
  CHECK(here.jounce("new missing/b").code == 2);
  CHECK(here.jounce("new 'a\"b'").code == 2);
  const Ran typo = here.jounce("new c --template fourbar");
  CHECK(typo.code == 2);
  CHECK(contains(typo.err, "did you mean 'four-bar'?"));
  CHECK(here.files() == 1);
}

TEST_CASE("run writes NAME.csv from the model's name and says so") {
  // oracle: "Offset slider-crank" is offset-slider-crank.csv; the table is the one of kinematics
  const Folder here;
  const Ran ran = here.jounce("run " + model("offset-slider-crank"));
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  CHECK(here.files() == 2);  // and its report
  CHECK(here.read("offset-slider-crank.csv") == here.jounce("kinematics " + model("offset-slider-crank")).out);
  for (const char* part : {"Offset slider-crank", "kinematics from 0 to 0.6 s in 300 steps", "301", "(0 to 360 deg)",
                           "10.472 rad/s (600 deg/s)\n", "crank.A", "0.523599 m/s", "5.48311 m/s²",
                           "offset-slider-crank.csv (301 rows"})
    CHECK_MESSAGE(contains(ran.out, part), part);
}

TEST_CASE("run -o chooses the file, and standard output pushes the summary aside") {
  // oracle: where the interface sends results and messages
  const Folder here;
  CHECK(here.jounce("run " + model("four-bar") + " -o x.csv --quiet").out.empty());
  CHECK(here.has("x.csv"));
  const Ran ran = here.jounce("run " + model("four-bar") + " -o -");
  CHECK(ran.out == here.read("x.csv"));
  CHECK(contains(ran.err, "Four-bar linkage"));
  CHECK(here.files() == 2);  // and the report, both times
}

TEST_CASE("points that are equally fast are all among the fastest, two points of one pin are one") {
  // oracle: the ends of a bar that turns about its middle, and a slower point; the cap sits on one end and is one motion with it
  const Folder here;
  here.write("m.toml", R"(
jounce = 1
name = "Rotor"
[ground]
points = { O = [0, 0] }
[bodies.rotor]
points = { O = [0, 0], left = [-0.5, 0], right = [0.5, 0], up = [0, 0.5], down = [0, -0.5], inner = [0.1, 0] }
[bodies.cap]
position = [0.5, 0]
points = { right = [0, 0] }
[joints]
o   = { type = "revolute", i = "ground.O", j = "rotor.O" }
pin = { type = "weld", i = "rotor.right", j = "cap.right" }
[drivers]
motor = { type = "angle", i = "ground", j = "rotor", motion = "2*t" }
[run]
to = "pi"
)");
  std::vector<std::string> names;
  const Json fastest = here.jounce("run m.toml --json").json()["extremes"]["fastest"];
  REQUIRE(fastest.size() == 2);
  CHECK(fastest[1]["point"] == "rotor.inner");
  CHECK(fastest[1]["also"].empty());
  names.push_back(fastest[0]["point"]);
  for (const Json& point : fastest[0]["also"]) names.push_back(point);
  // which of the two points of the pin is the faster one, rounding decides
  std::ranges::replace(names, std::string("cap.right"), std::string("rotor.right"));
  std::ranges::sort(names);
  CHECK(names == std::vector<std::string>{"rotor.down", "rotor.left", "rotor.right", "rotor.up"});
}

TEST_CASE("run summarises a run that stops early, keeps its rows and exits with 1") {
  // oracle: the dead centre at t = 2 after 21 samples
  const Folder here;
  here.write("m.toml", kDeadCentre);
  const Ran ran = here.jounce("run m.toml");
  CHECK(ran.code == 1);
  CHECK(contains(ran.out, "dead-point at t = 2 s"));
  CHECK(contains(ran.out, "piston-drives-the-crank.csv (21 rows"));
  CHECK(contains(ran.err, "error: dead point"));
  CHECK(lines(here.read("piston-drives-the-crank.csv")) == 22);
}

TEST_CASE("run needs a [run] section with an analysis") {
  // oracle: exit code 2, and what to write
  const Folder here;
  here.write("m.toml", kTooShort);
  const Ran none = here.jounce("run m.toml");
  CHECK(none.code == 2);
  CHECK(contains(none.err, "no [run] section"));
  CHECK(contains(none.err, "analysis = \"kinematics\""));
  std::string text = kUndriven;
  here.write("m.toml", text.replace(text.find("kinematics"), 10, "dynamcs"));
  const Ran typo = here.jounce("run m.toml");
  CHECK(typo.code == 2);
  CHECK(contains(typo.err, "expected \"kinematics\", \"inverse\", \"dynamics\" or \"equilibrium\", found 'dynamcs'"));
  CHECK(here.files() == 1);
}

TEST_CASE("the summaries for programs have their keys") {
  // oracle: the keys of the interface; extremes of a motor at 60 rpm over one turn
  const Folder here;
  const Ran ran = here.jounce("kinematics " + model("four-bar") + " --json -o x.csv");
  CHECK(ran.code == 0);
  const Json json = ran.json();
  for (const char* key :
       {"analysis", "model", "to", "steps", "samples", "outcome", "events", "statistics", "columns", "output", "problems"})
    CHECK_MESSAGE(json.contains(key), key);
  CHECK(json["outcome"]["kind"] == "done");
  CHECK(json["samples"] == 201);
  CHECK(json["output"] == "x.csv");
  const auto table = read_csv((here / "x.csv").string());
  REQUIRE(table.ok());
  CHECK(json["columns"] == table->names.size());
  CHECK(here.jounce("kinematics " + model("four-bar") + " --json").json()["output"].is_null());
  CHECK(here.jounce("kinematics " + model("four-bar") + " --json -o -").code == 2);

  const Json run = here.jounce("run " + model("four-bar") + " --json").json();
  CHECK(run["output"] == "four-bar-linkage.csv");
  const Json driven = run["extremes"]["driven"][0];
  CHECK(driven["driver"] == "motor");
  CHECK(driven["unit"] == "rad");
  CHECK(std::abs(driven["motion"][1].get<double>() - 6.283185307179586) < round_off(8));
}

TEST_CASE("an event that ends a run is told in the summary, in JSON and in the table") {
  // oracle: free fall from 1.2 m, t = √(2 h / g); the exit code of a run that is done
  const Folder here;
  here.write("ball.toml", "jounce = 1\ngravity = [0, -9.81]\n[bodies.ball]\nmass = 1\ninertia = 1\nposition = [0, 1.2]\n[events.half]\nwhen = \"ball.y - 0.6\"\n"
                          "[events.down]\nwhen = \"ball.y\"\nstop = true\n[run]\nanalysis = \"dynamics\"\nto = 1\nsteps = 10\n");
  const Ran ran = here.jounce("run ball.toml");
  CHECK(ran.code == 0);
  CHECK_MESSAGE(ran.err.empty(), ran.err);
  for (const char* part : {"done, ended by event 'down' at ", "t = 0.349749 s  event: 'half' falls through zero\n",
                           "t = 0.494619 s  event: 'down' falls through zero and ends the run\n"})
    CHECK_MESSAGE(contains(ran.out, part), part << " in " << ran.out);
  const auto table = read_csv((here / "ball.csv").string());
  REQUIRE(table.ok());
  CHECK(table->rows == 6);
  const Json summary = here.jounce("dynamics ball.toml --json -o b.csv").json();
  CHECK(summary["outcome"]["kind"] == "done");
  CHECK(summary["outcome"]["elements"] == Json::array({"down"}));
  REQUIRE(summary["events"].size() == 2);
  CHECK(summary["events"][1]["kind"] == "event");
  CHECK(summary["events"][1]["direction"] == "falling");
  CHECK(summary["events"][1]["t"].get<double>() == doctest::Approx(std::sqrt(2.4 / 9.81)).epsilon(1e-12));
  CHECK(contains(here.read("ball.html"), "\"direction\":\"falling\""));
}
