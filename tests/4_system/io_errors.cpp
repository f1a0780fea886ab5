// The reader's messages, word for word.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "jounce/io/read_model.hpp"

using namespace jounce;

namespace {

struct Wrong {
  std::string model, messages;
};

const std::vector<Wrong> kWrong{
    // clang-format off
    {"",
     "m.toml:1:1: error: jounce: the format version is missing\n"
     "  hint: begin the file with: jounce = 1\n"},
    {"jounce = 2\nbodys = 1\n",
     "m.toml:1:10: error: jounce: this version reads format 1, found 2\n"},
    {"jounce = \"1\"\n",
     "m.toml:1:10: error: jounce: expected the number 1, found a string\n"},
    {"jounce = 1\nspace = \"3d\"\n[couplings.x]\n",
     "m.toml:2:10: error: space: spatial models are not supported by this version\n"},
    {"jounce = 1\nspace = \"plain\"\n",
     "m.toml:2:10: error: space: expected \"plane\", found 'plain'\n"},
    {"jounce = 1\nname = 5\n",
     "m.toml:2:8: error: name: expected a string, found an integer\n"},
    {"jounce = 1\nname = \"\"\n",
     "m.toml:2:8: error: name: expected a string, found an empty string\n"},
    {"jounce = 1\nbodys = 1\n",
     "m.toml:2:1: error: unknown key 'bodys' (did you mean 'bodies'?)\n"
     "  hint: a model has the keys jounce, name, space, gravity, parameters, ground, bodies, joints, drivers, forces, run\n"},
    {"jounce = 1\ngravity = [0, 0, -9.81]\n",
     "m.toml:2:11: error: gravity: expected two numbers [x, y], found an array of 3\n"},
    {"jounce = 1\ngravity = -9.81\n",
     "m.toml:2:11: error: gravity: expected two numbers [x, y], found a number\n"},
    {"jounce = 1\ngravity = [true, nan]\n",
     "m.toml:2:12: error: gravity: expected a number, or an expression in quotes, found a boolean\n"
     "m.toml:2:18: error: gravity: a number must be finite, found nan\n"},
    {"jounce = 1\nbodies = 1\n",
     "m.toml:2:10: error: bodies: expected sections such as [bodies.NAME], found an integer\n"},
    {"jounce = 1\n[[joints]]\ntype = \"revolute\"\n",
     "m.toml:2:1: error: joints: expected sections such as [joints.NAME], found an array of 1\n"},
    {"jounce = 1\n[joints]\nB = \"revolute\"\n",
     "m.toml:3:5: error: joint 'B': expected a section such as [joints.NAME], found a string\n"},
    {"jounce = 1\n[parameters]\na = true\nb = inf\nc = 1e-400\nd = \"\"\n",
     "m.toml:3:5: error: parameter 'a': expected a number, or an expression in quotes, found a boolean\n"
     "m.toml:4:5: error: parameter 'b': a number must be finite, found inf\n"
     "m.toml:5:5: error: parameter 'c': the number is too small for double precision\n"
     "m.toml:6:5: error: parameter 'd': expected a number, or an expression in quotes, found an empty string\n"},
    {"jounce = 1\n[parameters]\n\"a b\" = 1\n",
     "m.toml:3:1: error: parameter 'a b': a name has only letters, digits, '_' and '-'\n"},
    {"jounce = 1\nparameters = 3\n",
     "m.toml:2:14: error: parameters: expected a section [parameters], found an integer\n"},
    {"jounce = 1\n[ground]\nmass = 1\n",
     "m.toml:3:1: error: ground: unknown key 'mass'\n"
     "  hint: the ground is fixed and has only the key points\n"},
    {"jounce = 1\n[ground]\npoints = [0, 0]\n",
     "m.toml:3:10: error: ground: points: expected a table such as { A = [0, 0] }, found an array of 2\n"},
    {"jounce = 1\n[bodies.crank]\nlenght = 1\n",
     "m.toml:3:1: error: body 'crank': unknown key 'lenght'\n"
     "  hint: a body has the keys mass, inertia, com, position, angle, velocity, spin, points, shape\n"},
    {"jounce = 1\n[bodies.crank]\nmas = 1\n",
     "m.toml:3:1: error: body 'crank': unknown key 'mas' (did you mean 'mass'?)\n"
     "  hint: a body has the keys mass, inertia, com, position, angle, velocity, spin, points, shape\n"},
    {"jounce = 1\n[bodies.crank]\nmass = [1]\ncom = 1\nangle = false\nposition = [\"a\", 1979-05-27]\n",
     "m.toml:3:8: error: body 'crank': mass: expected a number, or an expression in quotes, found an array of 1\n"
     "m.toml:4:7: error: body 'crank': com: expected two numbers [x, y], found an integer\n"
     "m.toml:5:9: error: body 'crank': angle: expected a number, or an expression in quotes, found a boolean\n"
     "m.toml:6:18: error: body 'crank': position: expected a number, or an expression in quotes, found a date or time\n"},
    {"jounce = 1\n[bodies.crank]\npoints = { A = [0], com = [0, 0], \"p q\" = [0, 0], B = [0, {}] }\n",
     "m.toml:3:16: error: body 'crank': point 'A': expected two numbers [x, y], found an array of 1\n"
     "m.toml:3:21: error: body 'crank': point 'com': this name is taken: every body has it already\n"
     "m.toml:3:35: error: body 'crank': point 'p q': a name has only letters, digits, '_' and '-'\n"
     "m.toml:3:59: error: body 'crank': point 'B': expected a number, or an expression in quotes, found a table\n"},
    {"jounce = 1\n[bodies.crank]\nshape = \"bar\"\n",
     "m.toml:3:9: error: body 'crank': shape: expected a table such as { type = \"bar\", from = \"A\", to = \"B\" }, found a string\n"},
    {"jounce = 1\n[bodies.crank]\nshape = { type = \"rod\" }\n",
     "m.toml:3:19: error: body 'crank': shape: type: unknown shape type 'rod'\n"
     "  hint: the shape types are bar, disc, box\n"},
    {"jounce = 1\n[bodies.crank]\nshape = { type = \"disc\", center = \"A\", centre = 5, radius = [] }\n",
     "m.toml:3:26: error: body 'crank': shape: unknown key 'center' (did you mean 'centre'?)\n"
     "  hint: a 'disc' shape has the keys type, centre, radius\n"
     "m.toml:3:49: error: body 'crank': shape: centre: expected a point of this body such as \"A\", or [x, y], found an integer\n"
     "m.toml:3:61: error: body 'crank': shape: radius: expected a number, or an expression in quotes, found an empty array\n"},
    {"jounce = 1\n[bodies.crank]\nshape = { type = \"box\", centre = [0], size = 0.1 }\n",
     "m.toml:3:34: error: body 'crank': shape: centre: expected two numbers [x, y], found an array of 1\n"
     "m.toml:3:46: error: body 'crank': shape: size: expected a pair of numbers [a, b], found a number\n"},
    {"jounce = 1\n[bodies.ground]\n[joints.t]\ntype = \"weld\"\n",
     "m.toml:2:9: error: body 'ground': this name is taken\n"
     "  hint: these are not free: ground, origin, com, energy, momentum, constraint, t\n"
     "m.toml:3:9: error: joint 't': this name is taken\n"
     "  hint: these are not free: ground, origin, com, energy, momentum, constraint, t\n"},
    {"jounce = 1\n[bodies.\"a.b\"]\n",
     "m.toml:2:9: error: body 'a.b': a name has only letters, digits, '_' and '-'\n"},
    {"jounce = 1\n[joints.crank]\ntype = \"weld\"\n[bodies.crank]\n[forces.crank]\ntype = \"force\"\n",
     "m.toml:4:9: error: body 'crank': this name is already used by joint 'crank' at line 2, column 9\n"
     "  hint: the names of bodies, joints, drivers and forces are unique over the whole file\n"
     "m.toml:5:9: error: force 'crank': this name is already used by joint 'crank' at line 2, column 9\n"
     "  hint: the names of bodies, joints, drivers and forces are unique over the whole file\n"},
    {"jounce = 1\n[joints.B]\ni = \"crank.A\"\n",
     "m.toml:2:9: error: joint 'B': the type is missing\n"
     "  hint: the joint types are revolute, distance, parallel, pin-in-slot, translational, weld, gear, gear-on-arm, coordinate, rolling\n"},
    {"jounce = 1\n[joints.B]\ntype = \"revolut\"\n",
     "m.toml:3:9: error: joint 'B': type: unknown joint type 'revolut' (did you mean 'revolute'?)\n"
     "  hint: the joint types are revolute, distance, parallel, pin-in-slot, translational, weld, gear, gear-on-arm, coordinate, rolling\n"},
    {"jounce = 1\n[drivers.motor]\ntype = 1\n",
     "m.toml:3:8: error: driver 'motor': type: expected the name of a type in quotes, found an integer\n"},
    {"jounce = 1\n[joints.B]\ntype = \"revolute\"\n  i = 5\n",
     "m.toml:4:7: error: joint 'B': i: expected a point such as \"crank.A\", found an integer\n"},
    {"jounce = 1\n[joints.B]\ntype = \"distance\"\nlenght = 5\n",
     "m.toml:4:1: error: joint 'B': unknown key 'lenght' (did you mean 'length'?)\n"
     "  hint: a 'distance' joint has the keys type, i, j, length\n"},
    {"jounce = 1\n[joints.B]\ntype = \"pin-in-slot\"\nslot = \"a.P\"\npin = [\"a.P\", \"a.Q\"]\n",
     "m.toml:4:8: error: joint 'B': slot: expected a line such as [\"crank.A\", \"crank.B\"], found a string\n"
     "m.toml:5:7: error: joint 'B': pin: expected a point such as \"crank.A\", found an array of 2\n"},
    {"jounce = 1\n[joints.B]\ntype = \"parallel\"\ni = [\"a.P\", 5]\nj = [\"a.P\", \"a.Q\", \"a.R\"]\n",
     "m.toml:4:13: error: joint 'B': i: expected a point such as \"crank.A\", found an integer\n"
     "m.toml:5:5: error: joint 'B': j: expected a line such as [\"crank.A\", \"crank.B\"], found an array of 3\n"},
    {"jounce = 1\n[joints.B]\ntype = \"gear\"\ni = 1\nratio = true\nradii = [1]\nmesh = 2\n",
     "m.toml:4:5: error: joint 'B': i: expected the name of a body, or \"ground\", found an integer\n"
     "m.toml:5:9: error: joint 'B': ratio: expected a number, or an expression in quotes, found a boolean\n"
     "m.toml:6:9: error: joint 'B': radii: expected a pair of numbers [a, b], found an array of 1\n"
     "m.toml:7:8: error: joint 'B': mesh: expected \"external\", \"internal\", \"belt\" or \"crossed-belt\", found an integer\n"},
    {"jounce = 1\n[drivers.motor]\ntype = \"angle\"\nmotion = true\n",
     "m.toml:4:10: error: driver 'motor': motion: expected a function of time such as \"100*rpm*t\", or { table = \"file.csv\" }, found a boolean\n"},
    {"jounce = 1\n[drivers.motor]\ntype = \"angle\"\nmotion = { file = \"a.csv\" }\n",
     "m.toml:4:12: error: driver 'motor': motion: unknown key 'file'\n"
     "  hint: a tabulated motion has only the key table\n"},
    {"jounce = 1\n[drivers.motor]\ntype = \"angle\"\nmotion = { table = 5 }\n",
     "m.toml:4:20: error: driver 'motor': motion: table: expected the name of a file such as \"motion.csv\", found an integer\n"},
    {"jounce = 1\n[drivers.motor]\ntype = \"angle\"\nmotion = {}\n",
     "m.toml:4:10: error: driver 'motor': motion: expected a function of time such as \"100*rpm*t\", or { table = \"file.csv\" }, found a table\n"},
    {"jounce = 1\n[drivers.motor]\ntype = \"coordinate\"\nj = 1.5\n",
     "m.toml:4:5: error: driver 'motor': j: expected a coordinate: \"body.x\", \"body.y\" or \"body.phi\", found a number\n"},
    {"jounce = 1\n[forces.load]\ntype = \"force\"\non = {}\nvalue = 5\nframe = 1\n",
     "m.toml:4:6: error: force 'load': on: expected a point such as \"crank.A\", found a table\n"
     "m.toml:5:9: error: force 'load': value: expected two functions of time [fx, fy], found an integer\n"
     "m.toml:6:9: error: force 'load': frame: expected \"ground\" or \"body\", found an integer\n"},
    {"jounce = 1\n[forces.s]\ntype = \"spring\"\nstiffness = []\nactuator = true\n",
     "m.toml:4:13: error: force 's': stiffness: expected a number, or an expression in quotes, found an empty array\n"
     "m.toml:5:12: error: force 's': actuator: expected an expression of the element's own length or angle, its rate and t, found a boolean\n"},
    {"jounce = 1\n[run]\nanalysis = 1\nto = []\nstep = 300\n",
     "m.toml:3:12: error: [run]: analysis: expected \"kinematics\", \"inverse\", \"dynamics\" or \"equilibrium\", found an integer\n"
     "m.toml:4:6: error: [run]: to: expected a number, or an expression in quotes, found an empty array\n"
     "m.toml:5:1: error: [run]: unknown key 'step' (did you mean 'steps'?)\n"
     "  hint: [run] has the keys analysis, to, steps\n"},
    {"jounce = 1\nrun = 1\n",
     "m.toml:2:7: error: run: expected a section [run], found an integer\n"},
    {"jounce = 1\n[bodies.crank]\nangle = 60*deg\n",
     "m.toml:3:11: error: not valid TOML: expected decimal digit, saw '*' (in a number)\n"
     "  hint: an expression is written in quotes, such as \"60*deg\"\n"},
    {"jounce = 1\n[bodies.crank]\n[bodies.crank]\n",
     "m.toml:3:1: error: 'bodies.crank' is already defined above\n"},
    {"jounce = 1\nname = \"\xFF\"\n",
     "m.toml:2:8: error: the text is not valid UTF-8 from here on\n"},
    {"jounce = 1\nname = \"a\n",
     "m.toml:2:10: error: not valid TOML: a control character, or no closing quote on this line (in a string)\n"},
    // clang-format on
};

}  // namespace

TEST_CASE("every wrong model gets its message, at its place") {
  // oracle: the sentences a user should read, lines and columns counted by hand
  for (const Wrong& wrong : kWrong) {
    CAPTURE(wrong.model);
    CHECK(text(parse_model(wrong.model, "m.toml").problems) == wrong.messages);
  }
}

TEST_CASE("all errors of a file are reported in the order of the file") {
  // oracle: by hand; the name claimed twice is found last and reported first
  const std::string model =
      "jounce = 1\n"
      "[forces.crank]\n"
      "type = \"force\"\n"
      "[bodies.crank]\n"
      "mass = true\n"
      "[run]\n"
      "stepps = 3\n"
      "[joints.B]\n"
      "type = \"revolute\"\n"
      "i = 5\n"
      "[parameters]\n"
      "a = []\n";
  CHECK(text(parse_model(model, "m.toml").problems) ==
        "m.toml:4:9: error: body 'crank': this name is already used by force 'crank' at line 2, column 9\n"
        "  hint: the names of bodies, joints, drivers and forces are unique over the whole file\n"
        "m.toml:5:8: error: body 'crank': mass: expected a number, or an expression in quotes, found a boolean\n"
        "m.toml:7:1: error: [run]: unknown key 'stepps' (did you mean 'steps'?)\n"
        "  hint: [run] has the keys analysis, to, steps\n"
        "m.toml:10:5: error: joint 'B': i: expected a point such as \"crank.A\", found an integer\n"
        "m.toml:12:5: error: parameter 'a': expected a number, or an expression in quotes, found an empty array\n");
}

TEST_CASE("the first of two equal names is the one that stands first, whatever the order of the sections") {
  // oracle: by hand
  const std::string model =
      "jounce = 1\n[joints.A]\ntype = \"weld\"\n[bodies.crank]\n[bodies.rod]\n[joints.crank]\ntype = \"weld\"\n";
  const Problems problems = parse_model(model, "m.toml").problems;
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].sentence == "joint 'crank': this name is already used by body 'crank' at line 4, column 9");
  CHECK(problems[0].where == Where{6, 9});
}

TEST_CASE("a parameter may have the name of a body, and bodies may share names of points") {
  // oracle: the example of the interface does both
  const char* model =
      "jounce = 1\n[parameters]\ncrank = 1\n[bodies.crank]\npoints = { A = [0, 0] }\n"
      "[bodies.rod]\npoints = { A = [0, 0], crank = [0, 0] }\n";
  CHECK(parse_model(model, "m.toml").problems.empty());
}

TEST_CASE("a model without a name is called like its file") {
  // oracle: by hand
  CHECK(parse_model("jounce = 1\n", "some/where/four-bar.toml").model.name == "four-bar");
  CHECK(parse_model("jounce = 1\nname = \"Four-bar\"\n", "x.toml").model.name == "Four-bar");
  CHECK(parse_model("jounce = 1\n", "some/where/four-bar.toml").model.file == "some/where/four-bar.toml");
}

TEST_CASE("a file that cannot be read is an error without a place") {
  // oracle: the system's own words
  CHECK(text(parse_model_file("no/such/model.toml").problems) ==
        "no/such/model.toml: error: cannot read the file: No such file or directory\n");
  const std::string folder = std::filesystem::temp_directory_path().string();
  CHECK(text(parse_model_file(folder).problems) == folder + ": error: cannot read the file: Is a directory\n");
}
