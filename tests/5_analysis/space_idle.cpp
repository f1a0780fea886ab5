// Idle freedoms in space: links that turn about themselves.
// Oracles: Euler's equations (a round link on which no moment acts about its line keeps its spin), the same mechanism with the turn prevented by a
// universal joint or left out by a massless rod, forward dynamics, and tests/data/space-snap.json (space_snap.cpp).
// Thin links in free motion: driven motions, which hold the same spin, links that are a little thicker, and loops of type distance.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>

#include "driven_test.hpp"
#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/analysis/check/check.hpp"
#include "jounce/analysis/check/space_mobility.hpp"
#include "jounce/analysis/compare/compare.hpp"
#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/inverse.hpp"
#include "jounce/analysis/space_run.hpp"

namespace space_idle_test {

namespace {

using namespace jounce;
using namespace jounce::test;

struct Linkage {
  double size = 1;
  std::string com = "[0.3, 0, 0]", inertia = "[0.001, 0.015, 0.015, 0, 0, 0]";
  std::string near = "type = \"spherical\"\nq = [0.9474713982152242, -0.12953947632557172, -0.2897382508982933, 0.039613376576383225]\n";
  std::string crank = "dofs = [ { motion = \"0.9 + 1.4*t + 0.2*sin(3*t)\" } ]\n", swing, more, top;
};

// RSSR: a crank, a rod between balls, a rocker about another axis.
SpaceMechanism rssr(const Linkage& l) {
  const std::string s = std::to_string(l.size);
  const auto scaled = [&](const std::string& list, const std::string& by) {
    std::string out = "[";
    for (std::size_t from = 1; from < list.size();) {
      const std::size_t to = list.find_first_of(",]", from);
      out += (out.size() > 1 ? ", " : "") + ("\"(" + list.substr(from, to - from)) + ")*" + by + "\"";
      from = to + 1;
    }
    return out + "]";
  };
  const std::string at = "s", square = "s^2";
  return driven(l.top + "gravity = [0.4, -0.3, -9.81]\n[parameters]\ns = " + s + "\n[bodies.arm]\nmass = 0.9\ncom = " + scaled("[0.1, 0.02, 0.01]", at) +
                "\ninertia = " + scaled("[0.031, 0.042, 0.055, 0.004, -0.006, 0.003]", square) + "\npoints = { A = " + scaled("[0.2, 0, 0]", at) +
                " }\n[bodies.rod]\nmass = 0.5\ncom = " + scaled(l.com, at) + "\ninertia = " + scaled(l.inertia, square) + "\npoints = { B = " + scaled("[0.6, 0, 0]", at) +
                ", C = " + scaled("[0.3, 0.1, 0]", at) + " }\n[bodies.rocker]\nmass = 0.8\ncom = " + scaled("[0.2, 0.02, 0]", at) +
                "\ninertia = " + scaled("[0.031, 0.042, 0.055, 0.004, -0.006, 0.003]", square) + "\npoints = { B = " + scaled("[0.4, 0, 0]", at) +
                " }\n[joints.crank]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"arm\"\n" + l.crank +
                "[joints.swing]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"rocker\"\norigin = { xyz = " + scaled("[0.5, 0.3, 0.1]", at) +
                ", rpy = [0.5, 0.4, 0.2] }\nq = [1.9696880414314795]\n" + l.swing + "[joints.near]\nparent = \"arm\"\nchild = \"rod\"\norigin = { xyz = " + scaled("[0.2, 0, 0]", at) +
                " }\n" + l.near + "[loops.far]\ntype = \"spherical\"\ni = \"rod.B\"\nj = \"rocker.B\"\n" + l.more);
}

Vec3<double> vector(const Trajectory& r, std::size_t row, const std::string& name, const std::array<const char*, 3>& letters = {"x", "y", "z"}) {
  return {*r.at(row, name + letters[0]), *r.at(row, name + letters[1]), *r.at(row, name + letters[2])};
}
// How fast the rod turns about the line through its balls.
double spin(const Trajectory& r, std::size_t row) {
  const Vec3<double> line = vector(r, row, "rocker.B.") - vector(r, row, "arm.A.");
  return dot(line, vector(r, row, "rod.w")) / length(line);
}

std::vector<std::string> idle_sentences(const SpaceMechanism& mechanism) {
  std::vector<std::string> out;
  for (const IdleTurn& turn : mobility(mechanism, assemble(mechanism)).idle) out.push_back(turn.sentence());
  return out;
}

bool warned_of_moment(const KinematicsRun& run) {
  return std::ranges::any_of(run.problems, [](const Problem& p) { return p.sentence.find("to keep its rate takes") != std::string::npos; });
}

const std::vector<std::string> kRod{"rod turns about the line from 'near' to 'far'"};

}  // namespace

TEST_CASE("a link between two balls is idle: it is named, and does not have to be driven") {
  // oracle: of five dofs, one of which is driven, three equations leave one: the turn of the rod about its line
  for (const double size : {1e-3, 1.0, 1e3}) {
    CAPTURE(size);
    const SpaceMechanism mechanism = rssr({.size = size});
    const Mobility m = mobility(mechanism, assemble(mechanism));
    CHECK(m.mobility == 2);
    CHECK(m.undriven == 1);
    REQUIRE(m.idle.size() == 1);
    CHECK(m.idle[0].bodies == std::vector<std::string>{"rod"});
    CHECK(m.idle[0].from == "near");
    CHECK(m.idle[0].to == "far");
    CHECK(idle_sentences(mechanism) == kRod);
    const KinematicsRun run = kinematics(mechanism, {.to = 6, .steps = 60});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    for (std::size_t row = 0; row <= 60; ++row) CHECK(std::abs(spin(run.results, row)) < 1e-13);
  }
}

TEST_CASE("how far an idle link has turned does not depend on how many rows are asked for") {
  // oracle: itself; the rod turns by more than a turn
  const SpaceMechanism mechanism = rssr({.near = Linkage{}.near + "v = [3, 0, 0]\n"});
  const KinematicsRun few = kinematics(mechanism, {.to = 6, .steps = 1}), many = kinematics(mechanism, {.to = 6, .steps = 1000});
  for (const char* column : {"near.q1", "near.q2", "near.q3", "near.q4", "rod.qw", "rod.C.x", "rod.C.sz"})
    CHECK(std::abs(*few.results.at(1, column) - *many.results.at(1000, column)) <= 1e-9 * std::max(1.0, std::abs(*many.results.at(1000, column))));
}

TEST_CASE("a round link keeps its spin: inverse and forward dynamics have the same motion, and reactions do not depend on the spin") {
  // oracle: Euler's equations, by forward dynamics from the same state
  for (const char* given : {"", "v = [4, 0, 0]\n"}) {
    const std::string near = Linkage{}.near + given;
    const KinematicsRun run = inverse(rssr({.near = near}), {.to = 1, .steps = 20});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    CHECK(!warned_of_moment(run));
    const auto number = [&](const std::string& column) { return text_of(*run.results.at(0, column)); };
    const DynamicsRun free = dynamics(rssr({.near = Linkage{}.near + "v = [" + number("near.v1") + ", " + number("near.v2") + ", " + number("near.v3") + "]\n",
                                            .swing = "v = [" + number("swing.v1") + "]\n"}),
                                      {.to = 1, .steps = 20, .tolerance = 1e-12});
    REQUIRE_MESSAGE(free.outcome.done(), free.outcome.sentence);
    for (std::size_t row = 0; row <= 20; ++row) {
      CHECK(std::abs(spin(run.results, row) - spin(run.results, 0)) < 1e-12);
      for (const char* column : {"rod.qw", "rod.qx", "rod.qy", "rod.qz", "rod.alx", "rod.ajy", "rod.asz", "near.s2", "crank.tau1", "near.fx", "far.fy", "far.fz"})
        CHECK_MESSAGE(std::abs(*run.results.at(row, column) - *free.results.at(row, column)) <= 1e-8 * std::max(1.0, std::abs(*run.results.at(row, column))), column);
    }
  }
  // a rod that is thin has no spin that could matter
  const KinematicsRun still = inverse(rssr({.inertia = "[0, 0.015, 0.015, 0, 0, 0]"}), {.to = 1, .steps = 5});
  const KinematicsRun spins = inverse(rssr({.inertia = "[0, 0.015, 0.015, 0, 0, 0]", .near = Linkage{}.near + "v = [40, 0, 0]\n"}), {.to = 1, .steps = 5});
  CHECK(spin(spins.results, 3) > 30);
  for (std::size_t row = 0; row <= 5; ++row)
    for (const char* column : {"swing.q1", "swing.s1", "crank.tau1", "near.fx", "near.fy", "far.fz", "swing.mx"})
      CHECK_MESSAGE(std::abs(*still.results.at(row, column) - *spins.results.at(row, column)) <= 1e-11 * std::max(10.0, std::abs(*still.results.at(row, column))), column);
}

TEST_CASE("rates that are given with the rest of a state give an idle link its own rate") {
  // oracle: the state itself. The rates of the ball are against the arm, which turns; the spin is against the ground
  const KinematicsRun first = kinematics(rssr({.near = Linkage{}.near + "v = [4, 0, 0]\n"}), {.to = 1, .steps = 10});
  REQUIRE(first.outcome.done());
  const SpaceMechanism mechanism = rssr({});
  const KinematicsRun again = kinematics(mechanism, {.to = 2, .steps = 10, .start = MotionState{first.t, first.q, first.v}});
  REQUIRE_MESSAGE(again.outcome.done(), again.outcome.sentence);
  CHECK(std::abs(spin(again.results, 10) - spin(first.results, 0)) < 1e-12);
  CHECK(spin(first.results, 0) > 3);
}

TEST_CASE("an idle link that does not keep its rate by itself is told, and the books come out even") {
  // oracle: a moment along the line takes as much to hold; the weight of a rod that hangs beside its line; forward dynamics has no such warning to give
  struct Case {
    std::string name;
    Linkage linkage;
    bool told;
  };
  const Case cases[] = {
      {"round", {}, false},
      {"weight beside the line", {.com = "[0.3, 0.05, 0]"}, true},
      {"not round, and turning", {.inertia = "[0.011, 0.012, 0.018, 0, 0, 0]", .near = Linkage{}.near + "v = [4, 0, 0]\n"}, true},
      {"moment", {.more = "[forces.m]\ntype = \"moment\"\non = \"rod\"\nvalue = [1, 0, 0]\n"}, true},
      {"force on the line", {.more = "[forces.f]\ntype = \"force\"\non = \"rod.B\"\nvalue = [10, \"3*t\", -20]\n"}, false},
      {"spring beside the line", {.more = "[forces.s]\ntype = \"spring\"\ni = \"ground.origin\"\nj = \"rod.C\"\nstiffness = 100\nfree_length = 0.1\n"}, true},
      {"damped ball", {.near = Linkage{}.near + "dofs = [ { damping = 0.1 }, { damping = 0.1 }, { damping = 0.1 } ]\n"}, true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const KinematicsRun run = inverse(rssr(c.linkage), {.to = 1, .steps = 50});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    CHECK(warned_of_moment(run) == c.told);
    for (std::size_t row = 0; row <= 50; ++row) CHECK(std::abs(*run.results.at(row, "energy.balance")) < 1e-10);
  }
}

TEST_CASE("rates of multipliers know the moment that holds an idle link") {
  // oracle: differences of the multipliers, of fourth order
  const int rows = 2000;
  const KinematicsRun run = inverse(rssr({.com = "[0.3, 0.05, 0]", .near = Linkage{}.near + "v = [3, 0, 0]\n"}), {.to = 1, .steps = rows});
  const auto at = [&](std::size_t row) { return *run.results.at(row, "far.lambda1"); };
  for (std::size_t row = 2; row + 2 <= static_cast<std::size_t>(rows); row += 100)
    CHECK(std::abs((at(row - 2) - 8 * at(row - 1) + 8 * at(row + 1) - at(row + 2)) * rows / 12 - *run.results.at(row, "far.lambda1_rate")) < 1e-8);
}

TEST_CASE("what is held beside its line, or driven, is not idle") {
  // oracle: a third place that is not on the line keeps a body from turning; a driven roll is no freedom; a body on one ball turns any way, and somebody notices
  CHECK(idle_sentences(rssr({})) == kRod);
  CHECK(idle_sentences(rssr({.more = "[loops.third]\ntype = \"distance\"\ni = \"rod.C\"\nj = \"ground.origin\"\n"})).empty());
  CHECK(idle_sentences(rssr({.near = "type = \"universal\"\n"})).empty());
  CHECK(idle_sentences(rssr({.near = "type = \"gimbal\"\n"})) == kRod);
  CHECK(idle_sentences(rssr({.near = "type = \"gimbal\"\ndofs = [ {}, {}, { motion = \"0.1*t\" } ]\n"})).empty());
  // held three times on its line it is idle all the same; two rods side by side are both
  CHECK(idle_sentences(rssr({.crank = "q = [0.9]\n", .more = "[loops.third]\ntype = \"distance\"\ni = \"rod.B\"\nj = \"ground.origin\"\n"})) == kRod);
  CHECK(idle_sentences(rssr({.more = "[bodies.second]\npoints = { B = [\"0.6*s\", 0, 0] }\n[joints.near2]\ntype = \"spherical\"\nparent = \"arm\"\nchild = \"second\"\n"
                                     "origin = { xyz = [\"0.2*s\", 0, 0] }\n[loops.far2]\ntype = \"spherical\"\ni = \"second.B\"\nj = \"rocker.B\"\n"})) ==
        std::vector<std::string>{kRod[0], "second turns about the line from 'near2' to 'far2'"});
  const SpaceMechanism loose = driven("[bodies.a]\n[bodies.b]\n[joints.one]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"a\"\ndofs = [ { motion = \"t\" } ]\n"
                                      "[joints.two]\ntype = \"spherical\"\nparent = \"a\"\nchild = \"b\"\norigin = { xyz = [1, 0, 0] }\n");
  CHECK(idle_sentences(loose).empty());
  CHECK(kinematics(loose, {.to = 1, .steps = 1}).outcome.kind == Outcome::Kind::not_driven);
}

TEST_CASE("a rod that floats is idle between the loops that hold it, wherever its own frame is") {
  // oracle: the crank alone, driven at 2 rad/s, and the length of the rod
  const auto linkage = [](double size) {
    return driven("[parameters]\ns = " + text_of(size) + "\n[bodies.crank]\npoints = { A = [\"0.1*s\", 0, 0] }\n[bodies.rod]\npoints = { A = [0, \"0.05*s\", 0], B = [\"0.3*s\", \"0.05*s\", 0] }\n"
                  "[bodies.slider]\n[joints.turn]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"crank\"\ndofs = [ { motion = \"2*t\" } ]\n"
                  "[joints.float]\ntype = \"free\"\nparent = \"ground\"\nchild = \"rod\"\nq = [1, 0, 0, 0, \"0.1*s\", \"-0.05*s\", 0]\n"
                  "[joints.slide]\ntype = \"prismatic\"\nparent = \"ground\"\nchild = \"slider\"\naxis = [1, 0, 0.3]\nq = [\"0.38*s\"]\n"
                  "[loops.a]\ntype = \"spherical\"\ni = \"crank.A\"\nj = \"rod.A\"\n[loops.b]\ntype = \"spherical\"\ni = \"rod.B\"\nj = \"slider.origin\"\n");
  };
  for (const double size : {1e-3, 1.0, 1e3}) {
    CAPTURE(size);
    CHECK(idle_sentences(linkage(size)) == std::vector<std::string>{"rod turns about the line from 'a' to 'b'"});
    const KinematicsRun run = kinematics(linkage(size), {.to = 3, .steps = 30});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    for (std::size_t row = 0; row <= 30; ++row) {
      const double t = value(run, row, "t"), x = 0.1 * std::cos(2 * t), y = 0.1 * std::sin(2 * t), along = 1 / std::sqrt(1.09);
      // s² − 2 s d·A + A² = 0.3²
      CHECK(std::abs(value(run, row, "slide.q1") / size - (x * along + std::sqrt(x * x * along * along - x * x - y * y + 0.09))) < 1e-13);
    }
  }
}

TEST_CASE("two links that a ball joins swing between their ends: each is idle, the swing is not") {
  // oracle: three dofs are left of six by three equations; two of them move no ball
  const SpaceMechanism mechanism = driven("[ground]\npoints = { P = [0.5, 0, 0] }\n[bodies.one]\n[bodies.two]\npoints = { E = [0.3, 0, 0] }\n[joints.s]\ntype = \"spherical\"\nparent = \"ground\"\n"
                                          "child = \"one\"\nq = [0.9, 0, -0.4358898943540674, 0]\n[joints.m]\ntype = \"spherical\"\nparent = \"one\"\nchild = \"two\"\norigin = { xyz = [0.3, 0, 0] }\n"
                                          "q = [0.9, 0, 0.4358898943540674, 0]\n[loops.e]\ntype = \"spherical\"\ni = \"two.E\"\nj = \"ground.P\"\n");
  CHECK(idle_sentences(mechanism) == std::vector<std::string>{"one turns about the line from 's' to 'm'", "two turns about the line from 'm' to 'e'"});
  CHECK(mobility(mechanism, assemble(mechanism)).undriven == 3);
  const KinematicsRun run = kinematics(mechanism, {.to = 1, .steps = 1});
  CHECK(run.outcome.kind == Outcome::Kind::not_driven);
  CHECK(run.outcome.sentence.starts_with("not every motion is prescribed: 1 free motion is left, of "));
}

TEST_CASE("a leg of two bodies between balls is idle as one piece, and one with a cylindrical joint twice") {
  // oracle: freedoms counted by hand
  const auto leg = [](const std::string& type) {
    return driven("[bodies.tube]\n[bodies.piston]\npoints = { E = [0, 0, 0.5] }\n[bodies.top]\n[joints.foot]\ntype = \"spherical\"\nparent = \"ground\"\nchild = \"tube\"\n"
                  "[joints.slide]\ntype = \"" + type + "\"\nparent = \"tube\"\nchild = \"piston\"\nq = [" + (type == "cylindrical" ? "0, " : "") + "0.5]\n"
                  "[joints.lift]\ntype = \"prismatic\"\nparent = \"ground\"\nchild = \"top\"\naxis = [0.3, 0.1, 1]\norigin = { xyz = [0.2, 0, 0.8] }\ndofs = [ { motion = \"0.2*t\" } ]\n"
                  "[loops.ball]\ntype = \"spherical\"\ni = \"piston.E\"\nj = \"top.origin\"\n");
  };
  CHECK(idle_sentences(leg("prismatic")) == std::vector<std::string>{"tube, piston turn about the line from 'foot' to 'ball'"});
  CHECK(idle_sentences(leg("cylindrical")).size() == 2);
  for (const char* type : {"prismatic", "cylindrical"}) {
    const KinematicsRun run = kinematics(leg(type), {.to = 1, .steps = 10});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    for (std::size_t row = 0; row <= 10; ++row) {
      const double up = value(run, row, "top.z"), along = value(run, row, "top.x"), aside = value(run, row, "top.y");
      CHECK(std::abs(value(run, row, type == std::string("cylindrical") ? "slide.q2" : "slide.q1") - (std::sqrt(up * up + along * along + aside * aside) - 0.5)) < 1e-13);
    }
  }
}

namespace {

constexpr Formulation kInSpace[] = {Formulation::aba, Formulation::crba, Formulation::lagrange, Formulation::kkt, Formulation::nullspace};
const std::string kThin = "[0, 0.015, 0.015, 0, 0, 0]", kNone = "[0, 0, 0, 0, 0, 0]";

// Integrated to a tolerance of 1e-12.
constexpr double kIntegrated = 1e-8;

std::string list(const KinematicsRun& run, const std::string& column, int count) {
  std::string out = "[";
  for (int k = 1; k <= count; ++k) out += (k > 1 ? ", " : "") + text_of(*run.results.at(0, column + std::to_string(k)));
  return out + "]";
}

void check_same(const Trajectory& ours, const Trajectory& exact, std::initializer_list<const char*> columns, double allowed) {
  REQUIRE(ours.rows() == exact.rows());
  for (std::size_t row = 0; row < exact.rows(); ++row)
    for (const char* column : columns) {
      CAPTURE(column);
      CAPTURE(row);
      CHECK(std::abs(*ours.at(row, column) - *exact.at(row, column)) <= allowed * std::max(1.0, std::abs(*exact.at(row, column))));
    }
}

// Legs of two rods each between balls, on springs, under a plate.
SpaceMechanism on_thin_legs(const std::string& type, const std::string& across_leg) {
  std::string points, bodies, joints, loops;
  const bool turns = type == "cylindrical";
  for (int k = 0; k < 6; ++k) {
    const std::string n = std::to_string(k);
    const double third = 2 * kPi / 3 * (k / 2), side = k % 2 == 0 ? 1 : -1;
    const Vec3<double> foot{std::cos(third + 0.15 * side), std::sin(third + 0.15 * side), 0}, top{0.6 * std::cos(third + 0.85 * side), 0.6 * std::sin(third + 0.85 * side), 0};
    const Vec3<double> way = top - foot + Vec3<double>{0, 0, 1.2}, along = way * (1 / length(way));
    const double w = std::sqrt((1 + along.z) / 2);  // the quaternion that turns z into the leg
    points += (k > 0 ? ", P" : "P") + n + " = [" + text_of(top.x) + ", " + text_of(top.y) + ", 0]";
    bodies += "[bodies.tube" + n + "]\nmass = 1\ncom = [0, 0, 0.4]\ninertia = [0.05, 0.05, " + across_leg + ", 0, 0, 0]\n[bodies.piston" + n +
              "]\nmass = 0.6\ncom = [0, 0, -0.4]\ninertia = [0.03, 0.03, " + across_leg + ", 0, 0, 0]\n";
    joints += "[joints.foot" + n + "]\ntype = \"spherical\"\nparent = \"ground\"\nchild = \"tube" + n + "\"\norigin = { xyz = [" + text_of(foot.x) + ", " + text_of(foot.y) +
              ", 0] }\nq = [" + text_of(w) + ", " + text_of(-along.y / (2 * w)) + ", " + text_of(along.x / (2 * w)) + ", 0]\n[joints.slide" + n + "]\ntype = \"" + type +
              "\"\nparent = \"tube" + n + "\"\nchild = \"piston" + n + "\"\nq = [" + (turns ? "0, " : "") + text_of(length(way)) + "]\ndofs = [ " + (turns ? "{}, " : "") +
              "{ stiffness = 2000, damping = 30, rest = " + text_of(length(way) + 0.01 * k) + " } ]\n";
    loops += "[loops.top" + n + "]\ntype = \"spherical\"\ni = \"piston" + n + ".origin\"\nj = \"plate.P" + n + "\"\n";
  }
  return driven("gravity = [0, 0, -9.81]\n" + bodies + "[bodies.plate]\nmass = 20\ninertia = [1, 1, 2, 0, 0, 0]\npoints = { " + points + " }\n" + joints +
                "[joints.float]\ntype = \"free\"\nparent = \"ground\"\nchild = \"plate\"\nq = [1, 0, 0, 0, 0, 0, 1.2]\n" + loops);
}

}  // namespace

TEST_CASE("a thin rod between balls runs free as it does driven, by every formulation, whatever its spin") {
  // oracle: inverse dynamics, which holds the spin by an equation of its own and balances without dividing by inertia
  for (const char* given : {"", "v = [4, 0, 0]\n"}) {
    const KinematicsRun run = inverse(rssr({.inertia = kThin, .near = Linkage{}.near + given}), {.to = 1, .steps = 10});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    const Linkage start{.inertia = kThin, .near = Linkage{}.near + "v = " + list(run, "near.v", 3) + "\n", .swing = "v = " + list(run, "swing.v", 1) + "\n"};
    for (const Formulation formulation : kInSpace) {
      CAPTURE(static_cast<int>(formulation));
      const DynamicsRun free = dynamics(rssr(start), {.to = 1, .steps = 10, .tolerance = 1e-12, .formulation = formulation});
      REQUIRE_MESSAGE(free.outcome.done(), (text(free.problems) + free.outcome.sentence));
      check_same(free.results, run.results,
                 {"rod.qw", "rod.qx", "rod.wx", "rod.alx", "rod.ajy", "rod.asz", "near.v1", "near.a1", "near.s2", "swing.s1", "crank.tau1", "near.fx", "far.fy", "far.fz", "far.lambda1_rate",
                  "energy.kinetic", "momentum.lx"},
                 kIntegrated);
    }
    const DynamicsRun stiff = dynamics(rssr(start), {.to = 1, .steps = 10, .tolerance = 1e-10, .method = Method::radau});
    REQUIRE_MESSAGE(stiff.outcome.done(), stiff.outcome.sentence);
    check_same(stiff.results, run.results, {"rod.qw", "rod.wx", "swing.a1", "crank.tau1"}, 1e-6);
  }
}

TEST_CASE("thin rods are no matter for a warning, and formulations agree on them") {
  // oracle: each other
  for (const std::string& inertia : {kThin, kNone}) {
    const Linkage linkage{.inertia = inertia, .near = Linkage{}.near + "v = [4, 0, 0]\n", .crank = "q = [0.9]\nv = [2]\n"};
    const SpaceMechanism mechanism = rssr(linkage);
    CHECK(check(mechanism).problems.empty());
    const ComparisonResult found = compare(mechanism, 0.1);
    REQUIRE(found.comparison);
    for (const ComparedFormulation& one : found.comparison->formulations) CHECK(one.applies() == (one.formulation != Formulation::kane && (one.formulation != Formulation::lagrange || inertia == kThin)));  // a point mass has none at all
    CHECK(found.comparison->agree());
  }
}

TEST_CASE("a rod without mass is a distance that is kept") {
  // oracle: the same with a loop of type distance; a rod that pushes along its line alone
  const auto tied = [](const std::string& rod) {
    return driven("gravity = [0.4, -0.3, -9.81]\n[bodies.arm]\nmass = 0.9\ncom = [0.1, 0.02, 0.01]\ninertia = [0.031, 0.042, 0.055, 0, 0, 0]\npoints = { A = [0.2, 0, 0] }\n"
                  "[bodies.rocker]\nmass = 0.8\ncom = [0.2, 0.02, 0]\ninertia = [0.031, 0.042, 0.055, 0, 0, 0]\npoints = { B = [0.4, 0, 0] }\n"
                  "[joints.crank]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"arm\"\nq = [0.9]\nv = [2]\n[joints.swing]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"rocker\"\n"
                  "origin = { xyz = [0.5, 0.3, 0.1], rpy = [0.5, 0.4, 0.2] }\nq = [1.9696880414314795]\n" + rod);
  };
  const DynamicsOptions options{.to = 1, .steps = 10, .tolerance = 1e-12};
  const DynamicsRun exact = dynamics(tied("[loops.far]\ntype = \"distance\"\ni = \"arm.A\"\nj = \"rocker.B\"\nlength = 0.6\n"), options);
  REQUIRE_MESSAGE(exact.outcome.done(), exact.outcome.sentence);
  for (const Formulation formulation : {Formulation::aba, Formulation::crba, Formulation::kkt, Formulation::nullspace}) {
    DynamicsOptions by = options;
    by.formulation = formulation;
    const DynamicsRun run = dynamics(tied("[bodies.rod]\nmass = 0\npoints = { B = [0.6, 0, 0] }\n[joints.near]\ntype = \"spherical\"\nparent = \"arm\"\nchild = \"rod\"\norigin = { xyz = [0.2, 0, 0] }\n"
                                          "q = [0.9474713982152242, -0.12953947632557172, -0.2897382508982933, 0.039613376576383225]\n"
                                          "[loops.far]\ntype = \"spherical\"\ni = \"rod.B\"\nj = \"rocker.B\"\n"),
                                     by);
    REQUIRE_MESSAGE(run.outcome.done(), (text(run.problems) + run.outcome.sentence));
    check_same(run.results, exact.results, {"crank.q1", "crank.s1", "swing.a1", "swing.fx", "swing.mz", "far.fx", "far.fz", "energy.kinetic"}, kIntegrated);
  }
}

TEST_CASE("a moment about the line of a thin rod is told, and ends the run") {
  // oracle: nothing resists it
  for (const char* more : {"[forces.m]\ntype = \"moment\"\non = \"rod\"\nvalue = [1, 0, 0]\n", "[forces.s]\ntype = \"spring\"\ni = \"ground.origin\"\nj = \"rod.C\"\nstiffness = 100\nfree_length = 0.1\n"}) {
    const DynamicsRun run = dynamics(rssr({.inertia = kThin, .more = more}), {.to = 1, .steps = 10});
    CHECK(run.outcome.kind == Outcome::Kind::undecided);
    CHECK(run.outcome.sentence.starts_with("rod turns about the line from 'near' to 'far', about which no inertia is moved: a moment of "));
  }
}

TEST_CASE("a plate on thin legs moves as on legs with a little inertia about themselves") {
  // oracle: legs with inertia about themselves; they do not spin, so that it does not matter
  const DynamicsOptions options{.to = 0.5, .steps = 5, .tolerance = 1e-12};
  const DynamicsRun thick = dynamics(on_thin_legs("prismatic", "1e-3"), options);
  REQUIRE_MESSAGE(thick.outcome.done(), thick.outcome.sentence);
  for (const Formulation formulation : kInSpace) {
    DynamicsOptions by = options;
    by.formulation = formulation;
    const DynamicsRun run = dynamics(on_thin_legs("prismatic", "0"), by);
    REQUIRE_MESSAGE(run.outcome.done(), (text(run.problems) + run.outcome.sentence));
    check_same(run.results, thick.results, {"plate.x", "plate.qz", "plate.az", "plate.alx", "top3.fx", "foot2.fz", "slide4.q1", "tube2.qw"}, 1e-7);
  }
}

TEST_CASE("an idle link begins without spin unless its rates are written, free as driven") {
  // oracle: the driven motion from the same numbers
  for (const char* given : {"", "v = [4, 0, 0]\n", "v = [4, 0, -1]\n"}) {
    CAPTURE(given);
    for (const std::string& inertia : {Linkage{}.inertia, kThin}) {
      const Linkage linkage{.inertia = inertia, .near = Linkage{}.near + given};
      const DynamicsRun free = dynamics(rssr(linkage), {.to = 1, .steps = 10, .tolerance = 1e-12});
      const KinematicsRun run = inverse(rssr(linkage), {.to = 1, .steps = 10});
      REQUIRE_MESSAGE(free.outcome.done(), free.outcome.sentence);
      check_same(free.results, run.results, {"near.v1", "near.v2", "rod.wx", "rod.qw", "crank.tau1", "near.fx"}, kIntegrated);
    }
  }
  const DynamicsRun loose = dynamics(rssr({.crank = "q = [0.9]\nv = [2]\n"}), {.to = 0.1, .steps = 1, .tolerance = 1e-12});
  CHECK(std::abs(spin(loose.results, 0)) < 1e-13);
}

TEST_CASE("an impulsive start leaves thin rods without spin") {
  // oracle: least kinetic energy is that of the same rod with a little inertia about itself
  const auto start = [](const std::string& inertia) {
    return dynamics(rssr({.inertia = inertia, .top = "start_momentum = \"impulsive\"\n"}), {.to = 0.1, .steps = 1, .tolerance = 1e-12});
  };
  const DynamicsRun thin = start(kThin), thick = start("[1e-6, 0.015, 0.015, 0, 0, 0]");
  REQUIRE_MESSAGE(thin.outcome.done(), (text(thin.problems) + thin.outcome.sentence));
  CHECK(std::abs(spin(thin.results, 0)) < 1e-12);
  check_same(thin.results, thick.results, {"swing.v1", "near.v2", "crank.tau1"}, 1e-5);
}

}  // namespace space_idle_test
