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
  CHECK(columns("[forces.pull]\ntype = \"spring\"\ni = \"ground.D\"\nj = \"strut.T\"\nstiffness = 10\nfree_length = 0.4\n") == Names{"t", "tie.tension"});
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
