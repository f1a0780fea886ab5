// One word for one thing: those of the plane are understood in space, and those of space in the plane. And models of one name, whose
// results do not replace each other.
#include "cli_test.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/io/write_model.hpp"

using namespace jounce;

namespace {

std::string replaced(std::string text, const std::vector<std::pair<std::string, std::string>>& words) {
  for (const auto& [from, to] : words)
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
  return text;
}

constexpr const char* kPlane = R"(
jounce = 1
name = "Words"
[ground]
points = { O = [0, 0], X = [1, 0] }
[bodies.crank]
points = { O = [0, 0], A = [0.05, 0] }
shape = { type = "bar", from = "O", to = "A" }
[bodies.tip]
position = [0.05, 0]
points = { A = [0, 0], B = [0.01, 0] }
[bodies.piston]
position = [0.25, 0]
points = { C = [0, 0], F = [0.03, 0] }
[joints]
bearing = { type = "revolute", i = "ground.O", j = "crank.O" }
clamp = { type = "weld", i = "crank.A", j = "tip.A" }
rod = { type = "distance", i = "tip.A", j = "piston.C", length = 0.2 }
guide = { type = "translational", slot = ["ground.O", "ground.X"], slider = ["piston.C", "piston.F"] }
[drivers]
motor = { type = "angle", i = "ground", j = "crank", motion = "t" }
)";

constexpr const char* kSpace = R"(
jounce = 1
name = "Words in space"
space = "3d"
[ground]
points = { P = [0, 0, 0] }
[bodies.cart]
mass = 2
points = { P = [0, 0, 0] }
shape = { type = "cylinder", centre = [0, 0, 0.1], length = 0.2, radius = 0.05 }
[bodies.mast]
mass = 1
points = { Q = [0, 0, 0], R = [0, 0, 0.5] }
shape = { type = "rod", from = "Q", to = "R" }
[joints]
rail = { type = "prismatic", parent = "ground", child = "cart", axis = [1, 0, 0], dofs = [ { motion = "0.1*t" } ] }
foot = { type = "fixed", parent = "cart", child = "mast" }
)";

}  // namespace

TEST_CASE("a model with the words of the other space is the same model, and is written back with its own") {
  // oracle: the same model in the usual words
  const std::string plane = replaced(kPlane, {{"\"bar\"", "\"rod\""}, {"\"weld\"", "\"fixed\""}, {"\"distance\"", "\"rod\""}, {"\"translational\"", "\"prismatic\""},
                                              {" i = ", " parent = "}, {" j = ", " child = "}});
  const std::string space = replaced(kSpace, {{"\"rod\"", "\"bar\""}, {"\"fixed\"", "\"weld\""}, {"\"prismatic\"", "\"translational\""}, {"parent = ", "i = "}, {"child = ", "j = "}});
  for (const auto& [usual, other] : {std::pair(std::string(kPlane), plane), std::pair(std::string(kSpace), space)}) {
    const ReadModel one = parse_model(usual, "a.toml"), two = parse_model(other, "b.toml");
    CHECK_MESSAGE(one.problems.empty(), text(one.problems));
    CHECK_MESSAGE(two.problems.empty(), text(two.problems));
    CHECK(usual != other);
    CHECK(one.model == two.model);
    CHECK(write_model(two.model) == write_model(one.model));
    const Folder here;
    here.write("a.toml", usual);
    here.write("b.toml", other);
    const Ran a = here.jounce("kinematics a.toml --steps 3"), b = here.jounce("kinematics b.toml --steps 3");
    CHECK_MESSAGE(a.code == 0, a.err);
    CHECK(a.out == b.out);
  }
}

TEST_CASE("both words of one key, and misspelt ones, are told") {
  // oracle: the file
  const Folder here;
  here.write("m.toml", replaced(kPlane, {{"i = \"ground.O\", j = \"crank.O\"", "i = \"ground.O\", parent = \"ground.O\", j = \"crank.O\""}, {"\"weld\"", "\"fxed\""}}));
  const Ran ran = here.jounce("check m.toml");
  CHECK(ran.code == 2);
  CHECK_MESSAGE(contains(ran.err, "joint 'bearing': 'parent' is another word for 'i', which is there already"), ran.err);
  CHECK_MESSAGE(contains(ran.err, "unknown joint type 'fxed' (did you mean 'fixed'?)"), ran.err);
  const Ran types = here.jounce("types prismatic");
  CHECK(contains(types.out, "translational  joint in the plane"));
  CHECK(contains(types.out, "also: prismatic"));
  CHECK(contains(types.out, "prismatic  joint in space"));
  CHECK(contains(here.jounce("types revolute").out, "i or parent"));
}

TEST_CASE("a cylinder from a point to another is one around its middle") {
  // oracle: the same cylinder by its centre, length and axis
  const Folder here;
  here.write("a.toml", kSpace);
  here.write("b.toml", replaced(kSpace, {{"centre = [0, 0, 0.1], length = 0.2", "from = \"P\", to = [0, 0, 0.2]"}}));
  const Ran a = here.jounce("inverse a.toml --steps 3 --columns 'rail.*,energy.*,com.*'"), b = here.jounce("inverse b.toml --steps 3 --columns 'rail.*,energy.*,com.*'");
  CHECK_MESSAGE(b.code == 0, b.err);
  CHECK(a.out == b.out);
  for (const auto& [shape, part] : std::vector<std::pair<std::string, std::string>>{
           {"radius = 0.05, from = \"P\"", "'to' is missing: expected the middle of the other face"},
           {"radius = 0.05, from = \"P\", to = \"P\"", "the two ends of the cylinder coincide"},
           {"radius = 0.05, from = \"P\", to = [0, 0, 1], length = 1", "length: a cylinder that is given by `from` and `to` has none"},
           {"radius = 0.05", "expected `from` and `to`, or `centre` and `length`"},
           {"radius = 0.05, centre = \"P\"", "'length' is missing"}}) {
    here.write("c.toml", replaced(kSpace, {{"centre = [0, 0, 0.1], length = 0.2, radius = 0.05", shape}}));
    const Ran ran = here.jounce("check c.toml");
    CHECK(ran.code == 2);
    CHECK_MESSAGE(contains(ran.err, part), ran.err);
  }
}

TEST_CASE("results of another model of the same name stay, and a model that is run again replaces its own") {
  // oracle: the files
  const Folder here;
  const std::string run = "[run]\nto = 0.1\nsteps = 2\n";
  here.write("a.toml", kPlane + run);
  here.write("b.toml", replaced(kPlane, {{"0.05", "0.06"}}) + run);
  CHECK(here.jounce("run a.toml").err.empty());
  const std::string first = here.read("words.csv");
  CHECK(here.jounce("run a.toml").err.empty());
  CHECK(here.files() == 4);
  const Ran other = here.jounce("run b.toml");
  CHECK(other.code == 0);
  CHECK(contains(other.err, "note: 'words.html' here is of another model of this name; results of this one are in 'words-2'"));
  CHECK(contains(other.out, "words-2.csv (3 rows"));
  CHECK(here.read("words.csv") == first);
  CHECK(here.jounce("run b.toml --quiet").err.empty());
  CHECK(here.files() == 6);
  CHECK(here.jounce("run a.toml").err.empty());
  CHECK(here.read("words.csv") == first);
  // the note says what is in the other place, and nothing else
  const Ran named = here.jounce("run b.toml -o b.csv");
  CHECK(contains(named.err, "note: 'words.html' here is of another model of this name; the page of this one is 'words-2.html'\n"));
  CHECK(contains(here.jounce("run b.toml --report b.html").err, "of this name; the table of this one is 'words-2.csv'\n"));
  // what is named is replaced, and pages say nothing of where a model lies
  CHECK(here.jounce("run b.toml -o words.csv --report words.html").err.empty());
  CHECK(here.read("words.csv") == here.read("words-2.csv"));
  CHECK_FALSE(contains(here.read("words-2.html"), "b.toml -->"));
}
