// What rods and bodies between two pins are pulled and pressed with.
#include <cmath>
#include <numbers>

#include "cli_test.hpp"

using namespace jounce;

namespace {

constexpr double kDigits = 1e-9;

// A bracket: two bars from the wall meet at a pin, which carries a load. `strut` is a body or a rod.
std::string bracket(bool rod, const std::string& more = "") {
  std::string out = "jounce = 1\nname = \"Bracket\"\n[ground]\npoints = { U = [0, 0.3], D = [0, 0] }\n"
                    "[bodies.tie]\nmass = 0\ninertia = 0\nposition = [0, 0.3]\npoints = { U = [0, 0], T = [0.4, 0], M = [0.2, 0] }\n";
  if (!rod) out += "[bodies.strut]\nmass = 0\ninertia = 0\nangle = \"atan2(3, 4)\"\npoints = { D = [0, 0], T = [0.5, 0] }\n";
  out += "[joints]\nup = { type = \"revolute\", i = \"ground.U\", j = \"tie.U\" }\n";
  if (rod) out += "strut = { type = \"rod\", i = \"ground.D\", j = \"tie.T\" }\n";
  else out += "down = { type = \"revolute\", i = \"ground.D\", j = \"strut.D\" }\ntop = { type = \"revolute\", i = \"strut.T\", j = \"tie.T\" }\n";
  return out + "[forces]\nload = { type = \"force\", on = \"tie.T\", value = [0, -300] }\n[run]\nanalysis = \"equilibrium\"\n" + more;
}

double value(const Ran& ran, const std::string& name) { return ran.csv().column(*ran.csv().find(name))[0]; }

}  // namespace

TEST_CASE("the tie of a bracket is pulled and its strut pressed, as a body and as a rod") {
  // oracle: the pin at the tip in balance: the strut leans 3 to 4, so it is pressed with 300 * 5/3 and the tie pulled with 300 * 4/3
  for (const bool rod : {false, true}) {
    CAPTURE(rod);
    const Folder here;
    here.write("m.toml", bracket(rod));
    const Ran ran = here.jounce("equilibrium m.toml --columns '*.tension' --quiet");
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    CHECK(std::abs(value(ran, "tie.tension") - 400) < 400 * kDigits);
    CHECK(std::abs(value(ran, "strut.tension") + 500) < 500 * kDigits);
    const Ran summary = here.jounce("equilibrium m.toml -o x.csv");
    CHECK(contains(summary.out, "  tie      400 N      tension\n"));
    CHECK(contains(summary.out, "  strut    500 N  compression\n"));
    const Json members = here.jounce("equilibrium m.toml --json").json()["loads"]["members"];
    CHECK(members.size() == 2);
  }
}

TEST_CASE("what is loaded between its ends, driven or sprung is no member; a load at its end is part of what pulls there") {
  // oracle: where the forces act
  const auto columns = [](const std::string& more) {
    const Folder here;
    here.write("m.toml", bracket(false, more));
    const Ran ran = here.jounce("equilibrium m.toml --columns '*.tension' --quiet");
    return ran.code == 0 ? ran.csv().names : std::vector<std::string>{ran.err};
  };
  using Names = std::vector<std::string>;
  CHECK(columns("") == Names{"t", "tie.tension", "strut.tension"});
  CHECK(columns("[forces.side]\ntype = \"force\"\non = \"tie.M\"\nvalue = [0, -10]\n") == Names{"t", "strut.tension"});
  CHECK(columns("[forces.twist]\ntype = \"moment\"\non = \"tie\"\nvalue = 2\n") == Names{"t", "strut.tension"});
  CHECK(columns("[forces.pull]\ntype = \"spring\"\ni = \"ground.D\"\nj = \"strut.T\"\nstiffness = 10\nfree_length = 0.4\n") == Names{"t", "tie.tension", "strut.tension"});
  CHECK(columns("[stops]\nwall = { of = \"tie.phi\", min = -1 }\n") == Names{"t", "strut.tension"});
  CHECK(columns("[forces.pull]\ntype = \"spring\"\ni = \"ground.D\"\nj = \"tie.M\"\nstiffness = 10\nfree_length = 0.4\n") == Names{"t", "strut.tension"});
}

TEST_CASE("a bar on a roller, on an equation of one point, on a spring or on a cylinder is a member like others") {
  // oracle: the two bars of a roof lean 3 to 4, and the pin at the ridge is loaded with 600 N: each is pressed with 300 * 5/3. What holds the foot of the right
  // one in x balances 300 * 4/3, and holds it in y wherever that comes from
  const std::string head = "jounce = 1\nname = \"Roof\"\n[ground]\npoints = { A = [0, 0], X = [1, 0], B = [0.8, 0] }\n"
                           "[bodies.left]\nmass = 0\ninertia = 0\nangle = \"atan2(3, 4)\"\npoints = { A = [0, 0], C = [0.5, 0] }\n"
                           "[bodies.right]\nmass = 0\ninertia = 0\nposition = [0.8, 0]\nangle = \"pi - atan2(3, 4)\"\npoints = { B = [0, 0], C = [0.5, 0] }\n"
                           "[joints]\na = { type = \"revolute\", i = \"ground.A\", j = \"left.A\" }\nc = { type = \"revolute\", i = \"left.C\", j = \"right.C\" }\n";
  const std::string tail = "load = { type = \"force\", on = \"left.C\", value = [0, -600] }\n[run]\nanalysis = \"equilibrium\"\n";
  const std::string tie = "tie = { type = \"rod\", i = \"ground.A\", j = \"right.B\" }\n";
  const auto members = [&](const std::string& held) {
    const Folder here;
    here.write("m.toml", head + held + tail);
    const Ran ran = here.jounce("equilibrium m.toml --columns '*.tension' --quiet");
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    std::vector<double> out;
    for (const char* name : {"left.tension", "right.tension"})
      if (ran.csv().find(name)) out.push_back(value(ran, name));
    return out;
  };
  const std::string forces = "[forces]\n";
  for (const std::string& held : {tie + "roller = { type = \"pin-in-slot\", slot = [\"ground.A\", \"ground.X\"], pin = \"right.B\" }\n" + forces,
                                  tie + "roller = { type = \"equation\", of = \"right.B.y\" }\n" + forces,
                                  tie + "roller = { type = \"coordinate\", j = \"right.y\", offset = 0 }\n" + forces,
                                  "roller = { type = \"equation\", of = \"right.B.y\" }\n[drivers]\nram = { type = \"distance\", i = \"ground.A\", j = \"right.B\", motion = \"0.8\" }\n" + forces,
                                  "roller = { type = \"equation\", of = \"right.B.y\" }\n[drivers]\nram = { type = \"slot-distance\", line = [\"ground.A\", \"ground.X\"], "
                                  "point = \"right.B\", motion = \"0.8\" }\n" + forces,
                                  // stretched by what it has to hold
                                  "roller = { type = \"equation\", of = \"right.B.y\" }\n" + forces +
                                      "tie = { type = \"spring\", i = \"ground.A\", j = \"right.B\", stiffness = 1000, free_length = 0.4 }\n"}) {
    CAPTURE(held);
    const auto pulled = members(held);
    REQUIRE(pulled.size() == 2);
    for (const double t : pulled) CHECK(std::abs(t + 500) < 500 * 1e-7);
  }
  // an equation of an angle is a moment, and one of two points of a bar is held at both
  CHECK(members(tie + "roller = { type = \"equation\", of = \"right.phi - pi + atan2(3, 4)\" }\n" + forces).size() == 1);
  CHECK(members(tie + "roller = { type = \"equation\", of = \"right.B.y + 0*right.C.x\" }\n" + forces).size() == 1);
}

TEST_CASE("a strut that a spring holds up carries what its load and the spring leave it") {
  // oracle: the summary of forces at its end, by the columns of the spring and the angle
  const Folder here;
  here.write("m.toml", "jounce = 1\n[ground]\npoints = { A = [0, 0], S = [2, 0.5] }\n[bodies.strut]\nmass = 0\ninertia = 0\nangle = \"45*deg\"\npoints = { A = [0, 0], B = [1, 0] }\n"
                       "[joints]\na = { type = \"revolute\", i = \"ground.A\", j = \"strut.A\" }\n[forces]\n"
                       "wire = { type = \"spring\", i = \"ground.S\", j = \"strut.B\", stiffness = 1000, free_length = 0.5 }\n"
                       "load = { type = \"force\", on = \"strut.B\", value = [0, -500] }\n[run]\nanalysis = \"equilibrium\"\n");
  const Ran ran = here.jounce("equilibrium m.toml --columns '*' --quiet");
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const double phi = value(ran, "strut.phi"), bx = std::cos(phi), by = std::sin(phi), f = value(ran, "wire.f"), l = std::hypot(2 - bx, 0.5 - by);
  const double pulled = ((f * (2 - bx) / l) * bx + (f * (0.5 - by) / l - 500) * by);
  CHECK(std::abs(value(ran, "strut.tension") - pulled) < 500 * 1e-7);
}

TEST_CASE("a rod that swings is pulled by its weight and by its turning: tension along a motion, in the plane and in space") {
  // oracle: a mass m on a massless rod of length l that is held at an angle a from the vertical and let go: m g cos a at the start; the rod as a joint of
  // the plane, and as a loop of space
  const double g = 9.81, angle = 0.5, expected = 2 * g * std::cos(angle);
  const Folder here;
  const std::string at = "[" + std::to_string(0.4 * std::sin(angle)) + ", ";
  here.write("plane.toml", "jounce = 1\ngravity = [0, -9.81]\n[ground]\npoints = { O = [0, 0] }\n[bodies.bob]\nmass = 2\ninertia = 0.01\nposition = [\"0.4*sin(0.5)\", "
                           "\"-0.4*cos(0.5)\"]\npoints = { C = [0, 0] }\n[joints]\nrod = { type = \"distance\", i = \"ground.O\", j = \"bob.C\" }\n");
  const Ran plane = here.jounce("dynamics plane.toml --to 0.2 --steps 2 --columns 'rod.*,bob.v*,bob.x,bob.y'");
  REQUIRE(plane.code == 0);
  const CsvTable table = plane.csv();
  CHECK(std::abs(column(table, "rod.tension")[0] - expected) < expected * kDigits);
  for (std::size_t r = 0; r < table.rows; ++r) {
    const double x = column(table, "bob.x")[r], y = column(table, "bob.y")[r], v = std::hypot(column(table, "bob.vx")[r], column(table, "bob.vy")[r]);
    const double pulled = 2 * (g * -y / 0.4 + v * v / 0.4);
    CAPTURE(x);
    CHECK(std::abs(column(table, "rod.tension")[r] - pulled) < pulled * 1e-6);
    CHECK(std::abs(column(table, "rod.f")[r] - pulled) < pulled * 1e-6);
    CHECK(std::abs(column(table, "rod.f")[r] - std::hypot(column(table, "rod.fx")[r], column(table, "rod.fy")[r])) < pulled * 1e-14);
  }
  here.write("space.toml", "jounce = 1\nspace = \"3d\"\ngravity = [0, 0, -9.81]\n[ground]\npoints = { O = [0, 0, 0] }\n[bodies.bob]\nmass = 2\ninertia = [0.01, 0.01, 0.01, 0, 0, 0]\n"
                           "points = { C = [0, 0, 0] }\n[joints.free]\ntype = \"free\"\ni = \"ground\"\nj = \"bob\"\nq = [1, 0, 0, 0, \"0.4*sin(0.5)\", 0, \"-0.4*cos(0.5)\"]\n"
                           "[loops]\nrod = { type = \"rod\", i = \"ground.O\", j = \"bob.C\" }\n");
  const Ran space = here.jounce("dynamics space.toml --to 0.2 --steps 2 --columns 'rod.*'");
  INFO(space.err);
  REQUIRE(space.code == 0);
  for (std::size_t r = 0; r < table.rows; ++r)
    CHECK(std::abs(column(space.csv(), "rod.tension")[r] - column(table, "rod.tension")[r]) < expected * 1e-6);
}

TEST_CASE("the size of a force can stand in expressions and goals") {
  // oracle: the components
  const Folder here;
  here.write("m.toml", bracket(false, "[measures]\nbearing = \"up.f - magnitude(up.fx, up.fy)\"\nties = \"2*tie.tension\"\n"));
  const Ran ran = here.jounce("equilibrium m.toml --columns bearing,ties --quiet");
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  CHECK(std::abs(value(ran, "bearing")) < 400 * kDigits);
  CHECK(std::abs(value(ran, "ties") - 800) < 800 * kDigits);
}
