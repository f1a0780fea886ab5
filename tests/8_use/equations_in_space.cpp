// Equations that users write themselves, in space.
// Oracles: the built-in loops, couplings and prescribed dofs that say the same; the same equations in the plane; closed forms (Atwood's machine, the spherical
// pendulum, a great circle); Clairaut's relation and the books of energy.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "jounce/jounce.hpp"
#include "written_models.hpp"

using namespace jounce;

namespace {

constexpr double kSameEquations = 1e-12;  // one instant, the same sums in another order
constexpr double kIntegratedTo = 1e-7;    // both integrate to 1e-10 a step

const std::string kHead = "jounce = 1\nspace = \"3d\"\ngravity = [0, 0, -9.81]\n";

// A crank on a skew hinge, and a slider that turns about its guide; the points are 0.5 m apart.
std::string skew_crank(const std::string& rod, const std::string& dof = "") {
  return kHead + R"toml(
[bodies.crank]
mass = 1.3
com = [0.05, 0.01, 0.02]
inertia = [0.01, 0.012, 0.013, 0.001, 0, 0.002]
points = { A = [0.1, 0, 0.05] }
[bodies.slider]
mass = 0.7
com = [0, 0.01, 0]
inertia = [0.001, 0.002, 0.0015, 0, 0, 0]
points = { C = [0, 0.02, 0.05] }
[joints.hinge]
type = "revolute"
parent = "ground"
child = "crank"
axis = [0, 1, 0.4]
v = [2]
dofs = [{ )toml" +
         dof + R"toml( }]
[joints.guide]
type = "cylindrical"
parent = "ground"
child = "slider"
axis = [1, 0, 0]
origin = { xyz = [0.4, 0.38, 0] }
v = [0.5, 0]
dofs = [{ damping = 0.1 }, { stiffness = 3 }]
)toml" + rod;
}
const std::string kLoop = "[loops.rod]\ntype = \"distance\"\ni = \"crank.A\"\nj = \"slider.C\"\n";
const std::string kEquation = "[joints.rod]\ntype = \"equation\"\nof = \"distance(crank.A, slider.C) - 0.5\"\n";
const std::string kSquared =
    "[joints.rod]\ntype = \"equation\"\nof = \"1e6*((slider.C.x - crank.A.x)^2 + (slider.C.y - crank.A.y)^2 + (slider.C.z - crank.A.z)^2 - 0.25)\"\n";

std::vector<std::string> all_columns(const Run& run) {
  std::vector<std::string> out;
  for (const Column& column : run.results.columns()) {
    const bool books = column.name.starts_with("energy.") || column.name.starts_with("constraint.");
    const bool of_rods = column.name.ends_with(".tension");  // an equation has none
    if (!books && !of_rods && column.name.find("lambda") == std::string::npos) out.push_back(column.name);
  }
  return out;
}

// Every column against the largest of its unit: what vanishes is compared with what does not.
void same_rows(const Run& a, const Run& b, double allowed, double sign_of_lambda, double scale = 1) {
  REQUIRE_MESSAGE(a.outcome.done(), a.outcome.sentence << text(a.problems));
  REQUIRE_MESSAGE(b.outcome.done(), b.outcome.sentence << text(b.problems));
  std::map<std::string, double> largest;
  for (const Column& column : a.results.columns())
    for (const double x : a.results.column(column.name)) largest[column.unit] = std::max(largest[column.unit], std::abs(x));
  for (const std::string& name : all_columns(a)) {
    CAPTURE(name);
    const auto x = a.results.column(name), y = b.results.column(name);
    REQUIRE(x.size() == y.size());
    const auto own = std::ranges::find(a.results.columns(), name, &Column::name);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(x[i] - y[i]) <= allowed * std::max(1.0, largest[own->unit]));
  }
  for (const char* name : {"rod.lambda1", "rod.lambda1_rate"}) {
    CAPTURE(name);
    if (std::ranges::find(a.results.columns(), name, &Column::name) == a.results.columns().end()) continue;
    const auto x = a.results.column(name), y = b.results.column(name);
    double size = 1;
    for (const double number : x) size = std::max(size, std::abs(number));
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(x[i] - sign_of_lambda * scale * y[i]) <= allowed * size);
  }
}

}  // namespace

TEST_CASE("a rod as an equation is the loop that keeps a distance, to snap, with its reaction and the rate of its multiplier") {
  // the multiplier of an equation is that of the plane: a tension pulls with −λ ∂phi/∂u, that of a loop pushes
  const Mechanism loop = mechanism_of(skew_crank(kLoop)), own = mechanism_of(skew_crank(kEquation)), squared = mechanism_of(skew_crank(kSquared));
  for (const Method method : {Method::dop853, Method::radau})
    for (const Formulation formulation : {Formulation::aba, Formulation::crba, Formulation::lagrange, Formulation::kkt, Formulation::nullspace}) {
      CAPTURE(word(method));
      CAPTURE(word(formulation));
      const Options instant{.to = 1e-9, .steps = 1, .method = method, .formulation = formulation};
      const Run built_in = dynamics(loop, instant);
      same_rows(built_in, dynamics(own, instant), kSameEquations, -1);
      if (method == Method::dop853) same_rows(built_in, dynamics(squared, instant), kSameEquations, -1, 1e6 * 2 * 0.5);  // ∂/∂l of l² is 2 l
      if (formulation != Formulation::aba) continue;
      const Options options{.to = 0.8, .steps = 8, .tolerance = 1e-10, .method = method};
      const Run x = dynamics(loop, options), y = dynamics(own, options);
      CHECK(gap_of(x, y, {"hinge.q1", "hinge.v1", "hinge.a1", "hinge.j1", "hinge.s1", "guide.q2", "hinge.fx", "rod.fx", "rod.fz"}) < kIntegratedTo);
      CHECK(std::abs(y.results.column("energy.balance").back()) < 1e-9);
    }
}

TEST_CASE("driven, a rod as an equation moves and carries as the loop does") {
  // one dof is prescribed and one has a spring about the guide: with the guide's turn prescribed, too, everything is
  const std::string turn = "[joints.level]\ntype = \"equation\"\nof = \"guide.q1 - 0.3*sin(4*t)\"\n";
  const std::string driven = "motion = \"0.4*sin(5*t) + 0.2*t\"";
  const Mechanism loop = mechanism_of(skew_crank(kLoop + turn, driven)), own = mechanism_of(skew_crank(kEquation + turn, driven));
  const Options options{.to = 1, .steps = 25};
  same_rows(kinematics(loop, options), kinematics(own, options), 1e-11, -1);
  same_rows(inverse(loop, options), inverse(own, options), 1e-11, -1);
}

TEST_CASE("an equation of a coordinate and t is a prescribed dof: its multiplier is the effort, and its work counts") {
  const std::string slide = kHead + R"toml(
[bodies.sled]
mass = 2
com = [0.1, 0, 0]
inertia = [0.01, 0.02, 0.02, 0, 0, 0]
[bodies.arm]
mass = 0.5
com = [0, 0, -0.2]
inertia = [0.004, 0.004, 0.001, 0, 0, 0]
[joints.swing]
type = "universal"
parent = "sled"
child = "arm"
q = [0.4, 0.1]
v = [0.2, -0.3]
[joints.slide]
type = "prismatic"
parent = "ground"
child = "sled"
axis = [1, 0, 0.5]
)toml";
  const Mechanism prescribed = mechanism_of(slide + "dofs = [{ motion = \"0.1*sin(6*t) + 0.02*t^2\" }]\n");
  const Mechanism own = mechanism_of(slide + "[joints.shake]\ntype = \"equation\"\nof = \"3*(slide.q1 - 0.1*sin(6*t) - 0.02*t^2)\"\n");
  for (const Method method : {Method::dop853, Method::radau}) {
    CAPTURE(word(method));
    const Options options{.to = 1, .steps = 10, .tolerance = 1e-10, .method = method};
    const Run x = dynamics(prescribed, options), y = dynamics(own, options);
    CHECK(gap_of(x, y, {"slide.q1", "slide.v1", "slide.a1", "slide.j1", "slide.s1", "swing.q1", "swing.q2", "swing.v1", "swing.a2", "swing.j1", "swing.s2", "slide.fy", "slide.mz"}) <
          kIntegratedTo);
    const auto effort = x.results.column("slide.tau1"), lambda = y.results.column("shake.lambda1");
    for (std::size_t i = 0; i < effort.size(); ++i) CHECK(-3 * lambda[i] == doctest::Approx(effort[i]).epsilon(1e-7));
    CHECK(gap_of(x, y, {"energy.work"}) < 1e-6);
    CHECK(std::abs(y.results.column("energy.balance").back()) < 1e-8);
  }
  const ComparisonResult c = compare(own, 0.3);
  REQUIRE(c.comparison.has_value());
  CHECK(c.comparison->disagreement() < 1e-11);
}

TEST_CASE("a rope over two pulleys in space is Atwood's machine, and swings with all energy kept") {
  const auto rope = [](const std::string& right) {
    return kHead + R"toml(
[ground]
points = { A = [0.1, 0.2, 1], B = [0.6, -0.3, 1.5] }
[bodies.left]
mass = 3
inertia = [0.01, 0.01, 0.01, 0, 0, 0]
[bodies.right]
mass = 2
inertia = [0.01, 0.01, 0.01, 0, 0, 0]
[joints.down]
type = "prismatic"
parent = "ground"
child = "left"
origin = { xyz = [0.1, 0.2, 0] }
)toml" + right + "[joints.rope]\ntype = \"equation\"\nof = \"distance(left.origin, ground.A) + distance(right.origin, ground.B) - 2\"\n";
  };
  const Mechanism straight = mechanism_of(rope("[joints.up]\ntype = \"prismatic\"\nparent = \"ground\"\nchild = \"right\"\norigin = { xyz = [0.6, -0.3, 0.5] }\n"));
  // a = (m1 − m2) g / (m1 + m2), tension 2 m1 m2 g / (m1 + m2)
  const Run fall = dynamics(straight, {.to = 0.3, .steps = 3, .tolerance = 1e-11});
  REQUIRE_MESSAGE(fall.outcome.done(), fall.outcome.sentence);
  for (int i = 0; i < 4; ++i) {
    const double t = *fall.results.at(static_cast<std::size_t>(i), "t");
    CHECK(*fall.results.at(static_cast<std::size_t>(i), "left.az") == doctest::Approx(-9.81 / 5).epsilon(1e-11));
    CHECK(*fall.results.at(static_cast<std::size_t>(i), "rope.lambda1") == doctest::Approx(12 * 9.81 / 5).epsilon(1e-11));
    CHECK(*fall.results.at(static_cast<std::size_t>(i), "right.z") == doctest::Approx(0.5 + 9.81 / 10 * t * t).epsilon(1e-9));
    CHECK(std::abs(*fall.results.at(static_cast<std::size_t>(i), "left.jz")) < 1e-9);
  }
  const Mechanism swinging = mechanism_of(
      rope("[joints.up]\ntype = \"translation\"\nparent = \"ground\"\nchild = \"right\"\norigin = { xyz = [0.6, -0.3, 0.5] }\nv = [0.4, 0.3, 0]\n"));
  const Run swing = dynamics(swinging, {.to = 1, .steps = 10, .tolerance = 1e-11});
  REQUIRE_MESSAGE(swing.outcome.done(), swing.outcome.sentence);
  const auto energy = swing.results.column("energy.total");
  for (const double e : energy) CHECK(e == doctest::Approx(energy.front()).epsilon(1e-9));
  const ComparisonResult c = compare(swinging, 0.5);
  REQUIRE(c.comparison.has_value());
  CHECK(c.comparison->disagreement() < 1e-11);
  // mobility: four dofs less one equation
  const Check found = check(swinging);
  CHECK(found.mobility.mobility == 3);
  CHECK(found.mobility.redundant == 0);
}

TEST_CASE("a point on an ellipsoid keeps its energy and Clairaut's constant; on a sphere it goes along a great circle") {
  const auto on = [](double a, double c) {
    return "jounce = 1\nspace = \"3d\"\n[parameters]\na = " + std::to_string(a) + "\nc = " + std::to_string(c) + R"toml(
[bodies.bead]
mass = 1.5
inertia = [0.01, 0.01, 0.01, 0, 0, 0]
[joints.free]
type = "translation"
parent = "ground"
child = "bead"
q = ["a*0.8", "a*0.6", 0]
v = [-0.6, 0.8, 0.7]
[joints.surface]
type = "equation"
of = "(bead.x/a)^2 + (bead.y/a)^2 + (bead.z/c)^2 - 1"
)toml";
  };
  const Run flat = dynamics(mechanism_of(on(0.5, 0.3)), {.to = 2, .steps = 20, .tolerance = 1e-11});
  REQUIRE_MESSAGE(flat.outcome.done(), flat.outcome.sentence);
  for (std::size_t i = 0; i < 21; ++i) {
    const auto at = [&](const char* name) { return *flat.results.at(i, name); };
    CHECK(at("energy.kinetic") == doctest::Approx(0.75 * 1.49).epsilon(1e-9));
    CHECK(at("bead.x") * at("bead.vy") - at("bead.y") * at("bead.vx") == doctest::Approx(0.5).epsilon(1e-9));
    // without load the force is along the normal: λ times the gradient
    CHECK(at("surface.fx") == doctest::Approx(-at("surface.lambda1") * 2 * at("bead.x") / 0.25).epsilon(1e-11));
    CHECK(at("surface.fz") == doctest::Approx(-at("surface.lambda1") * 2 * at("bead.z") / 0.09).epsilon(1e-11));
  }
  const Run round = dynamics(mechanism_of(on(0.5, 0.5)), {.to = 1, .steps = 10, .tolerance = 1e-12});
  REQUIRE_MESSAGE(round.outcome.done(), round.outcome.sentence);
  const double v = std::sqrt(1.49), w = v / 0.5;  // x = n r cos wt + e r sin wt
  for (std::size_t i = 0; i < 11; ++i) {
    const double t = 0.1 * static_cast<double>(i);
    CHECK(*round.results.at(i, "bead.z") == doctest::Approx(0.5 * 0.7 / v * std::sin(w * t)).epsilon(1e-9));
    CHECK(*round.results.at(i, "bead.jz") == doctest::Approx(-0.5 * 0.7 / v * w * w * w * std::cos(w * t)).epsilon(1e-8));
    CHECK(*round.results.at(i, "bead.sz") == doctest::Approx(0.5 * 0.7 / v * w * w * w * w * std::sin(w * t)).epsilon(1e-8));
  }
}

TEST_CASE("a cam with a table of its lift follows the spline through it, to snap") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "jounce-cam-in-space";
  std::filesystem::create_directories(folder);
  {
    std::ofstream table(folder / "lift.csv");
    for (int i = 0; i <= 24; ++i) table << 0.25 * i << ", " << 0.02 * (1 - std::cos(0.25 * i)) + 0.003 * std::sin(0.5 * i) << "\n";
  }
  const auto cam = [](const std::string& follower, const std::string& lift) {
    return kHead + R"toml(
[bodies.cam]
mass = 1
inertia = [0.01, 0.01, 0.01, 0, 0, 0]
[bodies.follower]
mass = 0.4
inertia = [0.001, 0.001, 0.001, 0, 0, 0]
[joints.shaft]
type = "revolute"
parent = "ground"
child = "cam"
axis = [1, 1, 0]
dofs = [{ motion = "1.5*t + 0.2*t^2" }]
[joints.guide]
type = "prismatic"
parent = "ground"
child = "follower"
axis = [0, 0, 1]
)toml" + follower + lift;
  };
  // the table over the angle, and the angle over time: the motion of the follower as one table over time where the angle is the time
  const Mechanism equation = mechanism_of(cam("", "[joints.lift]\ntype = \"equation\"\nof = \"guide.q1 - lookup('lift.csv', shaft.q1)\"\n"), (folder / "m.toml").string());
  const Run run = inverse(equation, {.to = 2.4, .steps = 24});
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence << text(run.problems));
  Run exact;
  {
    std::string text = cam("dofs = [{ motion = { table = \"lift.csv\" } }]\n", "");
    text.replace(text.find("1.5*t + 0.2*t^2"), 15, "t");
    exact = inverse(mechanism_of(text, (folder / "m.toml").string()), {.to = 5.9, .steps = 590});
    std::string same = cam("", "[joints.lift]\ntype = \"equation\"\nof = \"guide.q1 - lookup('lift.csv', shaft.q1)\"\n");
    same.replace(same.find("1.5*t + 0.2*t^2"), 15, "t");
    const Run own = inverse(mechanism_of(same, (folder / "m.toml").string()), {.to = 5.9, .steps = 590});
    CHECK(gap_of(exact, own, {"guide.q1", "guide.v1", "guide.a1", "guide.j1", "guide.s1", "guide.fx"}) < 1e-11);
    const auto effort = exact.results.column("guide.tau1"), lambda = own.results.column("lift.lambda1");
    for (std::size_t i = 0; i < effort.size(); ++i) CHECK(-lambda[i] == doctest::Approx(effort[i]).epsilon(1e-11));
  }
  // where the shaft is not the time: the torque that turns it is what the follower needs, by the slope of the cam
  for (std::size_t i = 0; i < 25; ++i) {
    const auto at = [&](const char* name) { return *run.results.at(i, name); };
    const double slope = at("guide.v1") / at("shaft.v1");
    CHECK(at("shaft.tau1") == doctest::Approx(0.01 * 0.4 + slope * 0.4 * (at("guide.a1") + 9.81)).epsilon(1e-10));
  }
  // and where the table ends, the run does, with the line of the equation
  const Run over = kinematics(equation, {.to = 4, .steps = 40});
  CHECK(over.outcome.kind == Outcome::Kind::undefined);
  CHECK(1.5 * over.outcome.t + 0.2 * over.outcome.t * over.outcome.t == doctest::Approx(6).epsilon(1e-9));
  CHECK(over.outcome.elements == std::vector<std::string>{"lift"});
  CHECK(over.outcome.sentence.find("joint 'lift': of: lookup('lift.csv', 6") != std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a slider-crank with equations is the same in the plane and in space") {
  const std::string equations =
      "rod = { type = \"equation\", of = \"(piston.C.x - crank.A.x)^2 + (piston.C.y - crank.A.y)^2 - 0.25\" }\nheight = { type = \"equation\", of = \"piston.C.y - 0.3 - 0.02*sin(2*t)\" }\n";
  // the crank starts at 0 with 3 rad/s, and the piston 0.4 along and 0.3 up from its pin: 0.4 vx + 0.3 (0.04 − 0.3) = 0
  const std::string in_plane = "jounce = 1\ngravity = [0, -9.81]\n[bodies.crank]\nmass = 1.5\ninertia = 0.01\ncom = [0.02, 0.01]\nspin = 3\npoints = { A = [0.1, 0] }\n"
                               "[bodies.piston]\nmass = 0.4\ninertia = 0.001\ncom = [0.01, 0.02]\nposition = [0.5, 0.3]\nvelocity = [0.195, 0.04]\nspin = 0.1\npoints = { C = [0, 0] }\n"
                               "[joints]\nbearing = { type = \"revolute\", i = \"ground.origin\", j = \"crank.origin\" }\nlevel = { type = \"equation\", of = \"piston.phi - 0.1*t\" }\n" +
                               equations;
  const std::string in_space = "jounce = 1\nspace = \"3d\"\ngravity = [0, -9.81, 0]\n[bodies.crank]\nmass = 1.5\ninertia = [0.01, 0.01, 0.01, 0, 0, 0]\ncom = [0.02, 0.01, 0]\n"
                               "points = { A = [0.1, 0, 0] }\n[bodies.piston]\nmass = 0.4\ninertia = [0.001, 0.001, 0.001, 0, 0, 0]\ncom = [0.01, 0.02, 0]\npoints = { C = [0, 0, 0] }\n"
                               "[joints]\nbearing = { type = \"revolute\", parent = \"ground\", child = \"crank\", v = [3] }\n"
                               "table = { type = \"planar\", parent = \"ground\", child = \"piston\", q = [0, 0.5, 0.3], v = [0.1, 0.195, 0.04] }\nlevel = { type = \"equation\", of = \"table.q1 - 0.1*t\" }\n" +
                               equations;
  const Mechanism a = mechanism_of(in_plane), b = mechanism_of(in_space);
  const std::vector<std::pair<std::string, std::string>> same{
      {"crank.phi", "bearing.q1"}, {"crank.vphi", "bearing.v1"}, {"crank.aphi", "bearing.a1"}, {"crank.jphi", "bearing.j1"}, {"crank.sphi", "bearing.s1"},
      {"piston.x", "piston.x"}, {"piston.jx", "piston.jx"}, {"piston.sx", "piston.sx"}, {"bearing.fx", "bearing.fx"}, {"bearing.fy", "bearing.fy"},
      {"rod.fx", "rod.fx"}, {"rod.fy", "rod.fy"}, {"height.fy", "height.fy"}, {"rod.lambda1", "rod.lambda1"}, {"rod.lambda1_rate", "rod.lambda1_rate"},
      {"height.lambda1", "height.lambda1"}, {"height.lambda1_rate", "height.lambda1_rate"}, {"level.lambda1", "level.lambda1"}};
  const auto compared = [&](const Run& x, const Run& y, double allowed) {
    REQUIRE_MESSAGE(x.outcome.done(), x.outcome.sentence << text(x.problems));
    REQUIRE_MESSAGE(y.outcome.done(), y.outcome.sentence << text(y.problems));
    for (const auto& pair : same) {
      CAPTURE(pair.first);
      const auto u = x.results.column(pair.first), w = y.results.column(pair.second);
      REQUIRE(u.size() == w.size());
      double size = 1;
      for (const double number : u) size = std::max(size, std::abs(number));
      for (std::size_t i = 0; i < u.size(); ++i) CHECK(std::abs(u[i] - w[i]) <= allowed * size);
    }
  };
  compared(dynamics(a, {.to = 1e-9, .steps = 1}), dynamics(b, {.to = 1e-9, .steps = 1}), kSameEquations);
  compared(dynamics(a, {.to = 1, .steps = 10, .tolerance = 1e-11}), dynamics(b, {.to = 1, .steps = 10, .tolerance = 1e-11}), 1e-7);
}

TEST_CASE("a spherical pendulum as an equation hangs straight down and swings with g over l, both ways") {
  const std::string pendulum = kHead + R"toml(
[bodies.bob]
mass = 1.5
inertia = [0.01, 0.01, 0.01, 0, 0, 0]
[joints.free]
type = "translation"
parent = "ground"
child = "bob"
q = [0.1, 0.2, -0.4]
[joints.string]
type = "equation"
of = "bob.x^2 + bob.y^2 + bob.z^2 - 0.25"
)toml";
  const Run run = equilibrium(mechanism_of(pendulum));
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  REQUIRE(run.rest->modes.size() == 2);
  for (const NaturalMode& mode : run.rest->modes) CHECK(mode.omega == doctest::Approx(std::sqrt(9.81 / 0.5)).epsilon(1e-9));
}
