// The reader against thousands of damaged models.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "jounce/io/read_model.hpp"
#include "jounce/io/write_model.hpp"

namespace io_fuzz_test {

using namespace jounce;

namespace {

const std::string kGood = R"toml(jounce  = 1
name    = "Fuzz Grün"
space   = "plane"
gravity = [0, -9.81]
[parameters]
crank = 0.05
rod   = "4*crank"
[ground]
points = { O = [0, 0], P = [0, 0.01], Q = [1, "rod/2"] }
[bodies.crank]
mass     = 0.4
com      = ["crank/2", 0]
angle    = "60*deg"
points   = { A = [0, 0], B = ["crank", 0] }
shape    = { type = "box", centre = [0, 1e-3], size = [0.1, 0.2], angle = 0x10 }
[bodies.rod.points]
A = [0, 0]
B = ['rod', 0]
[joints.O]
type = "revolute"
i = "ground.O"
j = "crank.A"
[joints.S]
type = "pin-in-slot"
slot = ["ground.P", "ground.Q"]
pin = "rod.B"
[joints.G]
type = "gear"
i = "crank"
j = "rod"
radii = [1, 2]
mesh = "internal"
[drivers.motor]
type   = "angle"
i      = "ground"
j      = "crank"
motion = { table = "cam.csv" }
[forces.load]
type  = "force"
on    = "rod.B"
value = ["-200*step(t, 0.1, 0.2)", 0]
[forces.s]
type = "spring"
i = "rod.A"
j = """ground.O"""
stiffness = 1_000.5
actuator = "l - v"
[run]
analysis = "kinematics"
to       = 0.6
steps    = 300
)toml";

const std::string kGoodInSpace = R"toml(jounce  = 1
name    = "Fuzz in space"
space   = "3d"
gravity = [0, 0, -9.81]
[parameters]
reach = 0.4
[ground]
points = { O = [0, 0, 0], P = { xyz = [0, "reach", 1], rpy = [0, "pi/2", 0] } }
[bodies.arm]
mass    = 2
inertia = [0.03, 0.03, 1e-3, 0, 0, 0]
com     = [0, 0, "reach/2"]
points  = { P = [0, 0, "reach"] }
[bodies.hand]
shape = { type = "box", centre = [0, 0, 1e-3], size = [0.1, 0.2, 0.3], rpy = [0, 0, 1] }
[bodies.hand.points]
A = { rpy = [1, 2, 3] }
[joints.shoulder]
type = "revolute"
parent = "ground"
child = "arm"
origin = { xyz = [0, 0, 1], rpy = [0, 0, 0] }
child_origin = { rpy = [0, 0, 'pi'] }
axis = [0, 1, 0]
q = [0.3]
v = [0]
dofs = [ { stiffness = 3, damping = 0.1, rest = 0, torque = "sin(t)" } ]
[joints.wrist]
type = "custom"
parent = "arm"
child = "hand"
screws = [[0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0.1, 0]]
dofs = [ {}, { motion = { table = "wrist.csv" } } ]
[couplings.finger]
i = "shoulder"
j = "wrist.2"
ratio = 0.7
[loops.closure]
type = "helical"
i = "arm.P"
j = "ground.P"
pitch = 0.1
[base]
start_momentum = "impulsive"
[forces.push]
type = "wrench"
on = "arm"
value = [0, 0, 0, "10*t", 0, 0]
frame = "body"
[forces.s]
type = "spring"
i = "hand.A"
j = "ground.O"
stiffness = 1_000.5
actuator = "l - v"
[run]
analysis = "dynamics"
to = 3
)toml";

class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed) {}

  std::string operator()(std::string text) {
    for (std::size_t i = below(3) + 1; i-- > 0 && !text.empty();) text = once(std::move(text));
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  std::string once(std::string text) {
    const std::size_t at = below(text.size());
    switch (below(7)) {
      case 0: text[at] = static_cast<char>(random_() & 0xFF); return text;
      case 1: text[at] = "\"'[]{}=.,#\\\n0-x_"[below(16)]; return text;
      case 2: return text.erase(at, 1 + below(12));
      case 3: return text.insert(at, kWords[below(kWords.size())]);
      case 4: return text.substr(0, at);
      default: return lines(std::move(text));
    }
  }

  // Doubles a line, swaps two, or gives one the value of another.
  std::string lines(std::string text) {
    std::vector<std::string> all;
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
      all.push_back(text.substr(start, end - start));
      start = end;
    }
    std::string& a = all[below(all.size())];
    std::string& b = all[below(all.size())];
    const std::size_t in_a = a.find('='), in_b = b.find('=');
    if (const std::size_t what = below(4); what == 0) a += a;
    else if (what == 1 || in_a == a.npos || in_b == b.npos) a.swap(b);
    else a = a.substr(0, in_a) + b.substr(in_b);
    text.clear();
    for (const std::string& line : all) text += line;
    return text;
  }

  static constexpr std::array kWords{
      "nan", "-inf", "1e400", "1979-05-27", "true", "[[x]]\n", "[a.b]\n", "\"\"\"", "'''", "{}", "[]", "\r\n", "\xEF\xBB\xBF",
      "\xFF", "\\u0000", "1e-400", "\"\"", "9999999999999999999", "type = \"bar\"\n", "\"a b\" = 1\n", "t", ".5", "-0.0",
      "12345678901234567890.0", "a.b.c.d.e.f.g.h.i.j.k = 1\n"};
  std::mt19937 random_;
};

}  // namespace

TEST_CASE("the reader survives damaged models, and what it accepts can be written and read again") {
  // oracle: no crash; the accepted model equals its own round trip; a rejected one has a message with a place
  for (const std::string& good : {kGood, kGoodInSpace}) {
    const ReadModel whole = parse_model(good, "good.toml");
    REQUIRE_MESSAGE(whole.problems.empty(), jounce::text(whole.problems));
    Damage damage(7);
    int accepted = 0, lost = 0, unplaced = 0;
    for (int i = 0; i < 3000; ++i) {
      const std::string text = damage(good);
      const ReadModel read = parse_model(text, "fuzz.toml");
      for (const Problem& problem : read.problems) unplaced += problem.where.line < 1 || problem.where.column < 1;
      const ReadModel again = parse_model(write_model(read.model), "fuzz.toml");
      if (!read.problems.empty()) continue;
      ++accepted;
      if (!again.problems.empty() || !(again.model == read.model)) {
        ++lost;
        CAPTURE(text);
        CHECK_MESSAGE(again.problems.empty(), jounce::text(again.problems));
        CHECK(again.model == read.model);
      }
    }
    CHECK(lost == 0);
    CHECK(unplaced == 0);
    CHECK(accepted > 100);
    CHECK(accepted < 2900);
  }
}

TEST_CASE("files made to exhaust a reader are refused quickly") {
  // oracle: each ends with one error; without limits they end the program
  const auto repeated = [](const char* part, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += part;
    return out;
  };
  const auto first = [](const std::string& text) {
    const Problems problems = parse_model("jounce = 1\n" + text, "x.toml").problems;
    return problems.empty() ? std::string() : problems.front().text();
  };
  CHECK(first("x = " + repeated("[", 300000)) == "x.toml:2:37: error: values are nested more than 32 deep");
  CHECK(first("x = " + repeated("{a=", 300000)) == "x.toml:2:101: error: values are nested more than 32 deep");
  CHECK(first("a" + repeated(".a", 300000) + " = 1") == "x.toml:2:18: error: a key of more than 9 parts");
  CHECK(first("[a" + repeated(".\"a\"", 300000) + "]") == "x.toml:2:35: error: a key of more than 9 parts");
  CHECK(first("x = [\"\"\"a\"\"\"\", {a" + repeated(".'a'", 300000) + " = 1}]") ==
        "x.toml:2:50: error: a key of more than 9 parts");
  CHECK(first("gravity = [" + repeated("1,", 300000) + "]") ==
        "x.toml:2:11: error: gravity: expected two numbers [x, y], found an array of 300000");
  // where toml++ 3.3 stops the program, or does anything
  CHECK(first("[.a]") == "x.toml:2:2: error: not valid TOML: expected a name (in a key)");
  CHECK(first("x = \xC3\xBC") == "x.toml:2:5: error: not valid TOML: '\xC3\xBC' can stand only in quotes or in a comment");
  CHECK(first("x = \"\"\"\\\n \xEF\xBB\xBD\"\"\"") ==
        "x.toml:3:2: error: not valid TOML: '\xEF\xBB\xBD' cannot follow a backslash");
  for (const char* within : {"x = 0\"\xEF\xBB\xB5\"", "x = [1, 0.\"\xEF\xBB\xB5\"]", "x = {a = 0'\xEF\xBB\xB5'}", "x = 1e5.'\xEF\xBB\xB5'"})
    CHECK(first(within).ends_with("error: not valid TOML: '\xEF\xBB\xB5' can stand only in quotes or in a comment"));
  CHECK(first("x = \xFF") == "x.toml:2:5: error: the text is not valid UTF-8 from here on");
  CHECK(first("[bodies.x] # \xC3\xBC\n[parameters]\na = '''\xC3\xBC''''' # \xC3\xBC") == "");
  // strings wherever TOML has them: only the names are unknown
  for (const char* quoted : {"\"\xC3\xBC\" = 1", "a.\"\xC3\xBC\" = {\"\xC3\xBC\"=[[1,\"\xC3\xBC\"], {b.'\xC3\xBC'=2, '\xC3\xBC'='\xC3\xBC'}]}", "[\"\xC3\xBC\".'\xC3\xBC']"})
    CHECK(first(quoted).find("not valid TOML") == std::string::npos);
  // an expression may have as many points as it likes
  CHECK(first("[parameters]\na = \"" + repeated("0.5+", 1000) + "1\"") == "");

  // in space
  const auto in_space = [&](const std::string& text) { return first("space = \"3d\"\n[joints.a]\ntype = \"custom\"\n" + text); };
  CHECK(in_space("q = [" + repeated("1,", 300000) + "]") ==
        "x.toml:5:5: error: joint 'a': q: expected at most 64 numbers, found an array of 300000");
  CHECK(in_space("dofs = [" + repeated("{},", 300000) + "]") ==
        "x.toml:5:8: error: joint 'a': dofs: expected at most 64 dofs, found an array of 300000");
  CHECK(in_space("screws = [" + repeated("[1,2,3,4,5,6],", 65) + "]") ==
        "x.toml:5:10: error: joint 'a': screws: expected at most 64 screws, found an array of 65");
  CHECK(in_space("screws = [" + repeated("[1,2,3,4,5,6],", 64) + "]") == "");

  std::string unknown = "jounce = 1\n";
  for (int i = 0; i < 1000; ++i) unknown += "k" + std::to_string(i) + " = 1\n";
  const Problems many = parse_model(unknown, "x.toml").problems;
  CHECK(many.size() == 201);
  CHECK(many.back().text() == "x.toml:201:1: note: 800 further errors are not shown");
}

}  // namespace io_fuzz_test
