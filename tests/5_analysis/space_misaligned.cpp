// Loops of space that stay open because their axes are not exactly parallel: told which, and by how much.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/base/text.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/space/mechanism.hpp"

namespace space_misaligned_test {

namespace {

using namespace jounce;

std::string number(double x) { return Text(x).text; }

Assembly assembled(const std::string& body) {
  const ReadModel file = parse_model("jounce = 1\nspace = \"3d\"\n" + body, "inline.toml");
  REQUIRE_MESSAGE(!any_error(file.problems), text(file.problems));
  const auto built = build_space(file.model);
  REQUIRE_MESSAGE(built.ok(), text(built.problems()));
  return assemble(*built);
}

std::string hint(const Assembly& found) { return found.problems.empty() ? "" : found.problems.back().hint; }
bool contains(const std::string& whole, const std::string& part) { return whole.find(part) != std::string::npos; }

// Ground 1, crank 0.3, coupler 0.9, rocker 0.7, in the plane of x and z; the rocker's bearing has a roll, its pin a turn of its own.
std::string four_bar(const std::string& roll, const std::string& pin = "[0, 0, 0]", double rocker = 0.7) {
  return "[bodies]\ncrank = {}\ncoupler = { points = { B = [0.9, 0, 0] } }\nrocker = { points = { B = { xyz = [" + number(rocker) +
         ", 0, 0], rpy = " + pin + " } } }\n[joints]\n"
         "O = { type = \"revolute\", parent = \"ground\", child = \"crank\", origin = { rpy = [\"pi/2\", 0, 0] }, q = [0.5] }\n"
         "A = { type = \"revolute\", parent = \"crank\", child = \"coupler\", origin = { xyz = [0.3, 0, 0] }, q = [0.165] }\n"
         "Q = { type = \"revolute\", parent = \"ground\", child = \"rocker\", origin = { xyz = [1, 0, 0], rpy = [" + roll +
         ", 0, 0] }, q = [1.61] }\n[loops.B]\ntype = \"revolute\"\ni = \"coupler.B\"\nj = \"rocker.B\"\n";
}

}  // namespace

TEST_CASE("a bearing with too few digits in a loop of hinges is found, with the angle") {
  // oracle: π/2 with fewer digits: the difference is the angle between the two bearings on the ground
  const double half = std::acos(-1.0) / 2;
  CHECK(assembled(four_bar("\"pi/2\"")).assembled);
  for (const char* roll : {"1.5708", "1.571", "1.57", "1.56"}) {
    CAPTURE(roll);
    const Assembly found = assembled(four_bar(roll));
    REQUIRE(!found.assembled);
    const double off = std::abs(std::stod(roll) - half);
    CHECK_MESSAGE(contains(hint(found), "loop 'B' is redundant (overconstrained)"), hint(found));
    CHECK_MESSAGE(contains(hint(found), "on 'ground' the axes of joint 'O' and joint 'Q' are " + short_number(off) + " rad from parallel"), hint(found));
    CHECK(contains(hint(found), "'axis'"));
  }
  for (const double off : {1e-6, 1e-5, 1e-4, 1e-3}) {
    const Assembly found = assembled(four_bar("\"pi/2\"", "[0, " + number(off) + ", 0]"));
    REQUIRE(!found.assembled);
    CHECK_MESSAGE(contains(hint(found), "on 'rocker' the axes of joint 'Q' and loop 'B' are " + short_number(off) + " rad from parallel"), hint(found));
    CHECK(!contains(hint(found), "'ground'"));
  }
}

TEST_CASE("what cannot close for other reasons is not blamed on its axes") {
  // oracle: a rocker that is too long for any position; axes that were never parallel
  CHECK(hint(assembled(four_bar("\"pi/2\"", "[0, 0, 0]", 3))).empty());
  CHECK(hint(assembled(four_bar("1.5708", "[0, 0, 0]", 3))).empty());
  CHECK(hint(assembled(four_bar("1.2"))).empty());
}

TEST_CASE("parallelograms with three cranks and slider-cranks are understood, too") {
  // oracle: one axis is written off by a known angle, everything else is exact
  const double off = 2e-5;
  const auto crank = [](int k, const std::string& tilt) {
    const std::string n = std::to_string(k);
    return "C" + n + " = { type = \"revolute\", parent = \"ground\", child = \"c" + n + "\", origin = { xyz = [" + n + ", 0, 0], rpy = [" + tilt +
           ", 0, 0] }, axis = [0, 1, 0], q = [-1] }\n";
  };
  const std::string pin = "{ xyz = [0.5, 0, 0], rpy = [\"-pi/2\", 0, 0] }";
  const auto parallelogram = [&](double tilt) {
    return "[bodies]\nc0 = {}\nc1 = { points = { P = " + pin + " } }\nc2 = { points = { P = " + pin +
           " } }\ntable = { points = { P1 = { xyz = [1, 0, 0], rpy = [\"-pi/2\", 0, 0] }, P2 = { xyz = [2, 0, 0], rpy = [\"-pi/2\", 0, 0] } } }\n[joints]\n" +
           crank(0, "0") + crank(1, "0") + crank(2, number(tilt)) +
           "T = { type = \"revolute\", parent = \"c0\", child = \"table\", origin = { xyz = [0.5, 0, 0] }, axis = [0, 1, 0], q = [1] }\n"
           "[loops]\nL1 = { type = \"revolute\", i = \"table.P1\", j = \"c1.P\" }\nL2 = { type = \"revolute\", i = \"table.P2\", j = \"c2.P\" }\n";
  };
  CHECK(assembled(parallelogram(0)).assembled);
  const Assembly three = assembled(parallelogram(off));
  REQUIRE(!three.assembled);
  CHECK_MESSAGE(contains(hint(three), "loop 'L2' is redundant"), hint(three));
  CHECK_MESSAGE(contains(hint(three), "are 2e-05 rad from parallel"), hint(three));
  CHECK(!contains(hint(three), "'L1'"));

  // crank 0.2 and rod 0.5 in the plane of x and z; the piston slides along x, off by an angle towards y
  const auto slider = [&](double tilt) {
    return "[bodies]\ncrank = {}\nrod = { points = { C = { xyz = [0.5, 0, 0], rpy = [\"-pi/2\", 0, 0] } } }\npiston = { points = { C = { xyz = [0, 0, 0], rpy = "
           "[\"-pi/2\", 0, 0] } } }\n[joints]\nO = { type = \"revolute\", parent = \"ground\", child = \"crank\", axis = [0, 1, 0], q = [-0.5] }\n"
           "A = { type = \"revolute\", parent = \"crank\", child = \"rod\", origin = { xyz = [0.2, 0, 0] }, axis = [0, 1, 0], q = [0.7] }\n"
           "S = { type = \"prismatic\", parent = \"ground\", child = \"piston\", axis = [1, " + number(tilt) + ", 0], q = [0.66] }\n"
           "[loops.C]\ntype = \"revolute\"\ni = \"rod.C\"\nj = \"piston.C\"\n";
  };
  CHECK(assembled(slider(0)).assembled);
  const Assembly slides = assembled(slider(off));
  REQUIRE(!slides.assembled);
  CHECK_MESSAGE(contains(hint(slides), "joint 'S' are 2e-05 rad from square"), hint(slides));
}

TEST_CASE("hinges whose axes should meet in one point are understood, too") {
  // oracle: a spherical four-bar on a ball of 0.3 m, arcs of 90, 30, 80 and 70 degrees; x is square to both bearings, so that is how far they miss each other
  const double off = 2e-5;
  const auto at = [](double arc, bool from_centre, double x) {  // a hinge on the ball, from its centre or from the hinge before
    const double s = 0.3 * std::sin(arc), c = 0.3 * std::cos(arc);
    return "xyz = [" + number(x) + ", " + number(-s) + ", " + number(from_centre ? c : c - 0.3) + "], rpy = [" + number(arc) + ", 0, 0]";
  };
  const double deg = std::acos(-1.0) / 180;
  const auto spherical = [&](double x) {
    return "[bodies]\ncrank = {}\ncoupler = { points = { B = { " + at(80 * deg, false, 0) + " } } }\nrocker = { points = { B = { " + at(70 * deg, false, 0) +
           " } } }\n[joints]\nO = { type = \"revolute\", parent = \"ground\", child = \"crank\", origin = { xyz = [0, 0, 0.3] }, q = [0.4] }\n"
           "A = { type = \"revolute\", parent = \"crank\", child = \"coupler\", origin = { " + at(30 * deg, false, 0) + " }, q = [0.3] }\n"
           "Q = { type = \"revolute\", parent = \"ground\", child = \"rocker\", origin = { " + at(90 * deg, true, x) + " }, q = [1] }\n"
           "[loops.B]\ntype = \"revolute\"\ni = \"coupler.B\"\nj = \"rocker.B\"\n";
  };
  const Assembly exact = assembled(spherical(0));
  CHECK_MESSAGE(exact.assembled, text(exact.problems));
  const Assembly found = assembled(spherical(off));
  REQUIRE(!found.assembled);
  CHECK_MESSAGE(contains(hint(found), "meet exactly in one point, and here on 'ground' the axes of joint 'O' and joint 'Q' miss each other by 2e-05 m"), hint(found));
  CHECK(!contains(hint(found), "'rocker'"));
}

}  // namespace space_misaligned_test
