// jounce check, in words and as JSON.
#include "cli_test.hpp"
#include "places.hpp"

using namespace jounce;

TEST_CASE("one mistake in every body is shown five times and counted, and told to programs each time") {
  // oracle: by hand: 40 bodies with the same misspelt key
  const Folder here;
  std::string text = "jounce = 1\n";
  for (int i = 0; i < 40; ++i) text += "[bodies.b" + std::to_string(i) + "]\nlenght = 3\n";
  here.write("m.toml", text);
  const Ran ran = here.jounce("check m.toml");
  CHECK(ran.code == 2);
  CHECK(contains(ran.err, "m.toml:11:1: error: body 'b4': unknown key 'lenght'"));
  CHECK(contains(ran.err, "\n  and 35 more like this, the last in line 81\n"));
  CHECK(!contains(ran.err, "'b5'"));
  CHECK(here.jounce("check m.toml --json").json()["problems"].size() == 40);
}

TEST_CASE("check says what a four-bar is, on one screen") {
  // oracle: Gruebler by hand: 3 bodies, 4 pins of 2 equations, 9 - 8 = 1, one motor
  const Ran ran = Folder().jounce("check " + model("four-bar"));
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  CHECK(lines(ran.out) < 24);
  for (const char* part :
       {"Four-bar linkage", "3: crank, coupler, rocker", "4: 4 revolute (8 equations)", "1: 1 angle (1 equation)",
        "1 counted (3 x 3 - 8), 1 by rank", "every motion is driven", "independent", "assembles"})
    CHECK_MESSAGE(contains(ran.out, part), part);
}

TEST_CASE("check --json holds the same facts for every model of the library") {
  // oracle: the mobility each model's card states; the keys of the interface
  const Folder here;
  for (const auto& entry : std::filesystem::directory_iterator(places::source() + "/models")) {
    if (!entry.is_directory()) continue;
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    const Ran ran = here.jounce("check --json " + model(name));
    CHECK(ran.code == 0);
    const Json json = ran.json();
    for (const char* key : {"name", "bodies", "equations", "mobility", "redundant", "dependent", "assembled", "worst_residual",
                            "moved", "gaps", "problems"})
      CHECK_MESSAGE(json.contains(key), key);
    const Json expected = Json::parse(std::ifstream(entry.path() / "expected.json"));
    CHECK(json["mobility"]["counted"] == expected["mobility"]["counted"]);
    CHECK(json["mobility"]["rank"] == expected["mobility"]["rank"]);
    CHECK(json["assembled"] == true);
    if (expected.value("space", "plane") == "3d") {
      CHECK(json["dofs"] == expected["mobility"]["dofs"]);
      CHECK(json["prescribed"] == expected["mobility"]["prescribed"]);
      continue;
    }
    for (const char* key : {"joint_equations", "driver_equations", "singular_position", "only_infinitesimal", "regularity"})
      CHECK_MESSAGE(json.contains(key), key);
    CHECK(json["equations"] == json["joint_equations"].get<int>() + json["driver_equations"].get<int>());
  }
}

TEST_CASE("check names the joints that repeat each other") {
  // oracle: three parallel cranks: one equation too many, and still movable
  const Folder here;
  CHECK(contains(here.jounce("check " + model("redundant-parallelogram")).out, "consistent: overconstrained but movable"));
  const Json json = here.jounce("check --json " + model("redundant-parallelogram")).json();
  CHECK(json["redundant"] == 1);
  REQUIRE(json["dependent"].size() == 1);
  CHECK(json["dependent"][0]["consistent"] == true);
  CHECK(json["dependent"][0]["names"].size() >= 4);
}

TEST_CASE("check exits with 1 when the mechanism does not assemble, and names the gap") {
  // oracle: a rod of 0.5 m between pins 1 m apart: it misses by 0.5 m altogether
  const Folder here;
  here.write("m.toml", kTooShort);
  const Ran ran = here.jounce("check m.toml");
  CHECK(ran.code == 1);
  CHECK(contains(ran.out, "does not assemble"));
  CHECK(contains(ran.err, "error: "));
  const Ran quiet = here.jounce("check --quiet m.toml");
  CHECK(quiet.code == 1);
  CHECK(quiet.out.empty());
  const Ran machine = here.jounce("check --json m.toml");
  CHECK(machine.code == 1);
  const Json json = machine.json();
  CHECK(json["assembled"] == false);
  REQUIRE(json["gaps"].size() >= 1);
  double sum = 0;
  for (const Json& gap : json["gaps"]) sum += gap["metres"].get<double>();
  CHECK(sum > 0.499);
}

TEST_CASE("all errors of a model come at once, as text and as JSON") {
  // oracle: the three mistakes made here, in the order of the file
  const Folder here;
  here.write("m.toml", "jounce = 1\n[bodies.crank]\nmas = 1\n[joints.O]\ntype = \"revolut\"\n[joints.P]\ntype = \"revolute\"\n"
                       "i = \"ground.O\"\nj = \"crank.A\"\n");
  const Ran ran = here.jounce("check --json m.toml");
  CHECK(ran.code == 2);
  CHECK(contains(ran.err, "m.toml:3:1: error: body 'crank': unknown key 'mas' (did you mean 'mass'?)"));
  const Json problems = ran.json()["problems"];
  REQUIRE(problems.size() >= 3);
  CHECK(problems[0]["file"] == "m.toml");
  CHECK(problems[0]["line"] == 3);
  CHECK(problems[0]["column"] == 1);
  CHECK(here.jounce("check m.toml").out.empty());
}

TEST_CASE("a mechanism of points and one rod is as large as the rod, be it a nanometre") {
  // oracle: drawn at 0.8 of its length, the rod is put right to the last digits, at every size
  const Folder here;
  for (const char* unit : {"1e-9", "1e-3", "1", "1e6"})
    for (const char* length : {", length = \"u\"", ", length = \"3*u\""}) {
      CAPTURE(unit);
      here.write("m.toml", std::string("jounce = 1\n[parameters]\nu = ") + unit +
                               "\n[ground]\npoints = { O = [0, 0] }\n[bodies.bob]\npoints = { P = [0, 0] }\nposition = [\"0.8*u\", 0]\n[joints]\n"
                               "rod = { type = \"distance\", i = \"ground.O\", j = \"bob.P\"" + length + " }\n");
      const Ran ran = here.jounce("check --json m.toml");
      CHECK_MESSAGE(ran.code == 0, ran.err);
      const double size = std::stod(unit), rod = std::string(length).find('3') == std::string::npos ? size : 3 * size;
      CHECK(std::abs(ran.json()["moved"]["metres"].get<double>() - (rod - 0.8 * size)) <= 1e-12 * rod);
    }
}
