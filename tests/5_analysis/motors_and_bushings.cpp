// Motors and bushings, in the plane and in space: closed forms, conservation laws, and the two engines against each other.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "jounce/analysis/compare/compare.hpp"
#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/equilibrium/equilibrium.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/plane/rows/dynamic_rows.hpp"

namespace motors_and_bushings_test {

namespace {

using namespace jounce;

// The integrator's tolerance is 1e-11, and the motions are of the order of 1 to 100: relative to the largest value.
constexpr double kIntegrated = 1e-9;
constexpr double kTolerance = 1e-11;
// Two runs of one motion: what both integrators leave.
constexpr double kTwoRuns = 1e-8;
// Newton stops at a step of 1e-12.
constexpr double kAtRest = 1e-10;

template <class M>
M take(Result<M> built) {
  REQUIRE_MESSAGE(built.ok(), text(built.problems()));
  return *std::move(built);
}
Model read(const std::string& body, const std::string& file = "inline.toml") {
  const ReadModel out = parse_model("jounce = 1\n" + body, file);
  REQUIRE_MESSAGE(!any_error(out.problems), text(out.problems));
  return out.model;
}
PlaneMechanism plane(const std::string& body, const std::string& file = "inline.toml") { return take(build_plane(read(body, file))); }
SpaceMechanism space(const std::string& body, const std::string& file = "inline.toml") {
  return take(build_space(read("space = \"3d\"\n" + body, file)));
}

DynamicsRun run(const auto& mechanism, double to, Method method = Method::automatic) {
  DynamicsOptions options;
  options.to = to, options.steps = 40, options.tolerance = kTolerance;
  options.method = method;
  DynamicsRun out = dynamics(mechanism, options);
  REQUIRE_MESSAGE(out.outcome.done(), out.outcome.sentence << text(out.problems));
  return out;
}
double at(const DynamicsRun& run, std::size_t row, const std::string& column) {
  const auto value = run.results.at(row, column);
  REQUIRE_MESSAGE(value.has_value(), column);
  return *value;
}
double largest_gap(const DynamicsRun& a, const std::string& column, const DynamicsRun& b, const std::string& other) {
  double out = 0;
  for (std::size_t r = 0; r < a.results.rows(); ++r) out = std::max(out, std::abs(at(a, r, column) - at(b, r, other)));
  return out;
}
double spread(const DynamicsRun& run, const std::string& column) {
  double out = 0;
  for (std::size_t r = 0; r < run.results.rows(); ++r) out = std::max(out, std::abs(at(run, r, column) - at(run, 0, column)));
  return out;
}

// A flywheel of 0.4 kg m² on a pin, and a motor of 2 N m and 150 rad/s.
const std::string kWheel = R"toml(
[ground]
points = { O = [0, 0] }
[bodies.wheel]
mass = 3
inertia = 0.4
points = { C = [0, 0] }
[joints.pin]
type = "revolute"
i = "ground.O"
j = "wheel.C"
)toml";
const std::string kSpaceWheel = R"toml(
[bodies.wheel]
mass = 3
inertia = [0.3, 0.3, 0.4, 0, 0, 0]
[joints.pin]
type = "revolute"
parent = "ground"
child = "wheel"
)toml";
const std::string kMotor = "[forces.motor]\ntype = \"motor\"\nj = \"wheel\"\n";
const std::string kLine = kMotor + "stall_torque = 2\nno_load_speed = 150\n";

constexpr double kInertia = 0.4, kStall = 2, kNoLoad = 150;

/// J ω' = g T_s (1 − g ω/ω_0) from rest.
double speed(double t, double gear) { return kNoLoad / gear * (1 - std::exp(-t * gear * gear * kStall / (kInertia * kNoLoad))); }

void check_start(const DynamicsRun& run, double gear, double direction, const std::string& omega) {
  for (std::size_t r = 0; r < run.results.rows(); ++r) {
    const double t = at(run, r, "t"), w = direction * speed(t, gear), torque = direction * gear * kStall * (1 - gear * std::abs(w) / kNoLoad);
    CHECK(std::abs(at(run, r, omega) - w) <= kIntegrated * kNoLoad);
    CHECK(std::abs(at(run, r, "motor.omega") - w) <= kIntegrated * kNoLoad);
    CHECK(std::abs(at(run, r, "motor.torque") - torque) <= kIntegrated * gear * kStall * 10);
    CHECK(std::abs(at(run, r, "motor.power") - torque * w) <= kIntegrated * kStall * kNoLoad);
    // what the motor has given is what the wheel has
    CHECK(std::abs(at(run, r, "energy.work") - 0.5 * kInertia * w * w) <= kIntegrated * 0.5 * kInertia * kNoLoad * kNoLoad);
    CHECK(std::abs(at(run, r, "energy.balance")) <= kIntegrated * 0.5 * kInertia * kNoLoad * kNoLoad);
  }
}

// A body on a bushing at a point off its centre of mass.
std::string plate(bool in_space, const std::string& bushing) {
  const std::string third = in_space ? ", 0]" : "]";
  std::string out = "gravity = [0, -9.81" + third + "\n[ground]\npoints = { O = [0.1, 0.2" + third + " }\n[bodies.plate]\nmass = 2\ninertia = ";
  out += in_space ? "[0.05, 0.05, 0.06, 0, 0, 0]\n" : "0.06\n";
  out += "com = [0.05, 0.02" + third + "\npoints = { P = [0.1, -0.03" + third + " }\n";
  if (in_space) out += "[joints.base]\ntype = \"free\"\nparent = \"ground\"\nchild = \"plate\"\nq = [1, 0, 0, 0, 0, 0.2, 0]\nv = [0, 0, 1.5, 0, 0, 0]\n";
  else out += "position = [0, 0.2]\nspin = 1.5\n";
  return out + "[forces.mount]\ntype = \"bushing\"\ni = \"ground.O\"\nj = \"plate.P\"\n" + bushing;
}

}  // namespace

TEST_CASE("a motor with a straight line brings a flywheel up to speed as the exponential does, in the plane and in space") {
  // oracle: ω(t) = ω_0/g (1 − exp(−t g² T_s/(J ω_0))); energy is the work done
  for (const double gear : {1.0, 3.0})
    for (const double direction : {1.0, -1.0}) {
      const std::string more = "gear = " + std::to_string(gear) + "\ndirection = " + std::to_string(direction) + "\n";
      CAPTURE(more);
      const PlaneMechanism flat = plane(kWheel + kLine + more);
      for (const Method method : {Method::taylor, Method::radau, Method::dop853}) check_start(run(flat, 60, method), gear, direction, "wheel.vphi");
      const SpaceMechanism deep = space(kSpaceWheel + kLine + more);
      for (const Method method : {Method::radau, Method::dop853}) check_start(run(deep, 60, method), gear, direction, "wheel.wz");
    }
}

TEST_CASE("a motor with a load settles where its line meets the load, and brakes beyond its speed without load") {
  // oracle: g T_s (1 − g ω/ω_0) = T_L; and the same exponential from a start above
  const DynamicsRun loaded = run(plane(kWheel + kLine + "gear = 2\n[forces.load]\ntype = \"moment\"\non = \"wheel\"\nvalue = -3\n"), 400);
  const std::size_t end = loaded.results.rows() - 1;
  CHECK(std::abs(at(loaded, end, "wheel.vphi") - kNoLoad / 2 * (1 - 3 / (2 * kStall))) <= kIntegrated * kNoLoad);
  CHECK(std::abs(at(loaded, end, "motor.torque") - 3) <= kIntegrated * 10);
  // too heavy: it turns the motor backwards, whose torque goes on growing along the line
  const DynamicsRun beaten = run(plane(kWheel + kLine + "[forces.load]\ntype = \"moment\"\non = \"wheel\"\nvalue = -3\n"), 1200);
  CHECK(std::abs(at(beaten, end, "wheel.vphi") + kNoLoad / 2) <= kIntegrated * kNoLoad);
  std::string fast = kWheel;
  fast.insert(fast.find("[joints"), "spin = 200\n");
  const DynamicsRun slowed = run(plane(fast + kLine), 60);
  for (std::size_t r = 0; r < slowed.results.rows(); ++r)
    CHECK(std::abs(at(slowed, r, "wheel.vphi") - (kNoLoad + 50 * std::exp(-at(slowed, r, "t") * kStall / (kInertia * kNoLoad)))) <= kIntegrated * 200);
}

TEST_CASE("a motor between two bodies turns both and keeps their momentum") {
  // oracle: no moment from outside: J_1 ω_1 + J_2 ω_2 = 0, and ω_2 − ω_1 follows the exponential of the reduced inertia
  const DynamicsRun out = run(plane("[bodies.stator]\nmass = 1\ninertia = 0.8\npoints = { C = [0, 0] }\n[bodies.wheel]\nmass = 1\ninertia = 0.8\n"
                                    "points = { C = [0, 0] }\n[joints.pin]\ntype = \"revolute\"\ni = \"stator.C\"\nj = \"wheel.C\"\n" + kLine + "i = \"stator\"\n"), 60);
  CHECK(spread(out, "momentum.lz") <= kIntegrated * 0.8 * kNoLoad);
  for (std::size_t r = 0; r < out.results.rows(); ++r)  // 1/J = 1/0.8 + 1/0.8
    CHECK(std::abs(at(out, r, "wheel.vphi") - at(out, r, "stator.vphi") - speed(at(out, r, "t"), 1)) <= kIntegrated * kNoLoad);
}

TEST_CASE("a table of torque over speed that lies on a line is that line, and outside of it there is no torque") {
  // oracle: the straight line; a spline through points of a line is the line
  const auto folder = std::filesystem::temp_directory_path() / "jounce-motor-curve";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "motor.csv") << "omega,torque\n0,2\n50,1.3333333333333333\n100,0.6666666666666667\n150,0\n";
  const std::string file = (folder / "model.toml").string(), curve = kMotor + "curve = { table = \"motor.csv\" }\ngear = 3\ndirection = -1\n";
  check_start(run(plane(kWheel + curve, file), 60), 3, -1, "wheel.vphi");
  check_start(run(space(kSpaceWheel + curve, file), 60), 3, -1, "wheel.wz");
  const auto ends = [](const auto& mechanism) {
    DynamicsOptions options;
    options.to = 60;
    return dynamics(mechanism, options).outcome.sentence;
  };
  const std::string push = "[forces.push]\ntype = \"moment\"\non = \"wheel\"\nvalue = ";
  CHECK(ends(plane(kWheel + curve + push + "9\n", file)).find("motor.csv") != std::string::npos);
  CHECK(ends(space(kSpaceWheel + curve + push + "[0, 0, 9]\n", file)).find("motor.csv") != std::string::npos);
}

TEST_CASE("the control of a motor scales its torque") {
  // oracle: J ω' = u(t) T_s (1 − ω/ω_0) has ω = ω_0 (1 − exp(−∫u T_s/(J ω_0))), ∫ sin² = t/2 − sin(2t)/4
  const std::string more = "control = \"sin(t)^2\"\n";
  const DynamicsRun flat = run(plane(kWheel + kLine + more), 20), deep = run(space(kSpaceWheel + kLine + more), 20);
  for (std::size_t r = 0; r < flat.results.rows(); ++r) {
    const double t = at(flat, r, "t"), w = speed(t / 2 - std::sin(2 * t) / 4, 1);
    CHECK(std::abs(at(flat, r, "wheel.vphi") - w) <= kIntegrated * kNoLoad);
    CHECK(std::abs(at(deep, r, "wheel.wz") - w) <= kIntegrated * kNoLoad);
  }
  // of the state: a motor that is switched by the angle of the wheel itself is a torsion spring's actuator
  const DynamicsRun own = run(plane(kWheel + kLine + "control = \"1 + 0.5*sin(wheel.phi)\"\n"), 3),
                    second = run(plane(kWheel + "[forces.motor]\ntype = \"torsion-spring\"\ni = \"ground\"\nj = \"wheel\"\n"
                                                "actuator = \"-(1 + 0.5*sin(theta))*(2 - 2*omega/150)\"\n"), 3);
  CHECK(largest_gap(own, "wheel.phi", second, "wheel.phi") <= kTwoRuns * 50);
}

TEST_CASE("a body on a bushing rests where its weight is carried, and swings with the roots of k/m and k/J") {
  // oracle: m g/k below; at the centre of mass the three motions of the plane, and the six of space, do not know each other
  const std::string body = "gravity = [0, -9.81]\n[ground]\npoints = { O = [0, 0] }\n[bodies.b]\nmass = 2\ninertia = 0.03\npoints = { P = [0, 0] }\n"
                           "[forces.mount]\ntype = \"bushing\"\ni = \"ground.O\"\nj = \"b.P\"\nstiffness = [800, 1800, 12]\n";
  const PlaneMechanism mounted = plane(body);
  const Equilibrium flat = equilibrium(mounted);
  REQUIRE(flat.outcome.done());
  std::vector<double> found, wanted{std::sqrt(800 / 2.0), std::sqrt(1800 / 2.0), std::sqrt(12 / 0.03)};
  for (const NaturalMode& mode : flat.modes) found.push_back(mode.omega);
  std::ranges::sort(found), std::ranges::sort(wanted);
  REQUIRE(found.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(found[k] - wanted[k]) <= kAtRest * wanted[k] * 10);
  CHECK(std::abs(flat.q[1] + 2 * 9.81 / 1800) <= kAtRest);
  const auto columns = dynamic_columns(mounted, false);
  const auto fy = std::ranges::find(columns, "mount.fy", &Column::name);
  REQUIRE(fy != columns.end());
  CHECK(std::abs(flat.row[static_cast<std::size_t>(fy - columns.begin())] - 2 * 9.81) <= kAtRest * 2 * 9.81);

  const Equilibrium deep = equilibrium(space("gravity = [0, -9.81, 0]\n[ground]\npoints = { O = [0, 0, 0] }\n[bodies.b]\nmass = 2\n"
                                             "inertia = [0.01, 0.02, 0.03, 0, 0, 0]\npoints = { P = [0, 0, 0] }\n[joints.base]\ntype = \"free\"\n"
                                             "parent = \"ground\"\nchild = \"b\"\n[forces.mount]\ntype = \"bushing\"\ni = \"ground.O\"\nj = \"b.P\"\n"
                                             "stiffness = [800, 1800, 5000, 7, 9, 12]\n"));
  REQUIRE(deep.outcome.done());
  found.clear(), wanted = {std::sqrt(800 / 2.0), std::sqrt(1800 / 2.0), std::sqrt(5000 / 2.0), std::sqrt(7 / 0.01), std::sqrt(9 / 0.02), std::sqrt(12 / 0.03)};
  for (const NaturalMode& mode : deep.modes) found.push_back(mode.omega);
  std::ranges::sort(found), std::ranges::sort(wanted);
  REQUIRE(found.size() == 6);
  for (std::size_t k = 0; k < 6; ++k) CHECK(std::abs(found[k] - wanted[k]) <= kAtRest * wanted[k] * 10);
  CHECK(std::abs(deep.q[5] + 2 * 9.81 / 1800) <= kAtRest);  // after the quaternion and x
}

TEST_CASE("a bushing of the plane is the same one in space") {
  // oracle: the other engine; the plate turns far, so that nothing is small
  const DynamicsRun flat = run(plane(plate(false, "stiffness = [300, 700, 5]\ndamping = [3, 2, 0.05]\n")), 1),
                    deep = run(space(plate(true, "stiffness = [300, 700, 900, 8, 9, 5]\ndamping = [3, 2, 1, 0.1, 0.2, 0.05]\n")), 1);
  CHECK(largest_gap(flat, "plate.x", deep, "plate.x") <= kTwoRuns);
  CHECK(largest_gap(flat, "plate.y", deep, "plate.y") <= kTwoRuns);
  CHECK(largest_gap(flat, "plate.vphi", deep, "plate.wz") <= kTwoRuns * 10);
  CHECK(largest_gap(flat, "mount.fx", deep, "mount.fx") <= kTwoRuns * 100);
  CHECK(largest_gap(flat, "mount.fy", deep, "mount.fy") <= kTwoRuns * 100);
  CHECK(largest_gap(flat, "mount.torque", deep, "mount.mz") <= kTwoRuns * 10);
  CHECK(spread(deep, "plate.z") == 0);
  for (const DynamicsRun* out : {&flat, &deep})
    for (std::size_t r = 0; r < out->results.rows(); ++r) CHECK(std::abs(at(*out, r, "energy.balance")) <= kIntegrated * 10);
}

TEST_CASE("a bushing of the plane is two springs from far away and a torsion spring") {
  // oracle: springs with a length of 1e6 m, whose direction turns by 1e-7 at most, and whose length changes by d²/2L ~ 1e-8
  const std::string far = R"toml(
[forces.x]
type = "spring"
i = "ground.X"
j = "plate.P"
stiffness = 300
free_length = "1e6 + 0.1"
[forces.y]
type = "spring"
i = "ground.Y"
j = "plate.P"
stiffness = 700
free_length = "1e6 + 0.2"
[forces.turn]
type = "torsion-spring"
i = "ground"
j = "plate"
stiffness = 5
)toml";
  std::string springs = plate(false, "");
  springs.erase(springs.find("[forces.mount]"));
  springs.replace(springs.find("O = [0.1, 0.2]"), 14, "X = [-1e6, 0.2], Y = [0.1, -1e6]");
  const DynamicsRun one = run(plane(plate(false, "stiffness = [300, 700, 5]\n")), 0.5), other = run(plane(springs + far), 0.5);
  constexpr double kFar = 1e-5;  // 1e-7 of a force that moves the plate by 0.1, for some swings; and lengths of 1e6 have 1e-10
  CHECK(largest_gap(one, "plate.x", other, "plate.x") <= kFar);
  CHECK(largest_gap(one, "plate.y", other, "plate.y") <= kFar);
  CHECK(largest_gap(one, "plate.phi", other, "plate.phi") <= kFar);
  CHECK(spread(one, "plate.phi") > 0.1);
}

TEST_CASE("two bodies on a bushing keep momentum and energy, and lose to dampers what the balance says") {
  // oracle: action is reaction, moments and all; a bushing without dampers keeps what it is given
  const std::string flat = "[bodies.a]\nmass = 1\ninertia = 0.1\npoints = { P = [0.2, 0.1] }\nspin = 2\nvelocity = [0.3, -0.2]\n"
                           "[bodies.b]\nmass = 2\ninertia = 0.3\npoints = { P = [-0.1, 0.3] }\nposition = [0.5, 0]\nspin = -1\n"
                           "[forces.mount]\ntype = \"bushing\"\ni = \"a.P\"\nj = \"b.P\"\nstiffness = [30, 70, 2]\nfree_angle = 0.4\n";
  const std::string deep = "[bodies.a]\nmass = 1\ninertia = [0.1, 0.2, 0.25, 0.01, 0, 0]\npoints = { P = { xyz = [0.2, 0.1, 0.3], rpy = [0.3, -0.5, 0.8] } }\n"
                           "[bodies.b]\nmass = 2\ninertia = [0.3, 0.2, 0.4, 0, 0.02, 0]\npoints = { P = { xyz = [-0.1, 0.3, 0], rpy = [0.1, 0.2, -0.4] } }\n"
                           "[joints.fa]\ntype = \"free\"\nparent = \"ground\"\nchild = \"a\"\nv = [1, 2, -0.5, 0.3, -0.2, 0.1]\n"
                           "[joints.fb]\ntype = \"free\"\nparent = \"ground\"\nchild = \"b\"\nq = [1, 0, 0, 0, 0.5, 0, 0.1]\nv = [-0.4, 0.3, 1, 0, 0, 0.2]\n"
                           "[forces.mount]\ntype = \"bushing\"\ni = \"a.P\"\nj = \"b.P\"\nstiffness = [30, 70, 50, 2, 3, 4]\n";
  const auto check = [](const DynamicsRun& out, bool damped, const std::vector<std::string>& kept) {
    for (const std::string& column : kept) CHECK_MESSAGE(spread(out, column) <= kIntegrated * 10, column);
    for (std::size_t r = 0; r < out.results.rows(); ++r) CHECK(std::abs(at(out, r, "energy.balance")) <= kIntegrated * 100);
    if (damped) CHECK(at(out, out.results.rows() - 1, "energy.total") < at(out, 0, "energy.total") - 0.01);
    else CHECK(spread(out, "energy.total") <= kIntegrated * 100);
    CHECK(spread(out, "energy.potential") > 0.1);
  };
  const std::vector<std::string> plane_kept{"momentum.px", "momentum.py", "momentum.lz"},
      space_kept{"momentum.px", "momentum.py", "momentum.pz", "momentum.lx", "momentum.ly", "momentum.lz"};
  check(run(plane(flat), 2), false, plane_kept);
  check(run(plane(flat + "damping = [0.5, 0.3, 0.02]\n"), 2, Method::taylor), true, plane_kept);
  check(run(plane(flat + "damping = [0.5, 0.3, 0.02]\n"), 2, Method::radau), true, plane_kept);
  check(run(space(deep), 2), false, space_kept);
  check(run(space(deep + "damping = [0.5, 0.3, 0.4, 0.02, 0.03, 0.04]\n"), 2), true, space_kept);
}

TEST_CASE("compare finds one motion of motors and bushings, however it is computed") {
  // oracle: the other formulations
  const auto agrees = [](const auto& mechanism) {
    const ComparisonResult out = compare(mechanism, 0.3);
    REQUIRE_MESSAGE(out.comparison.has_value(), out.outcome.sentence);
    CHECK(out.comparison->agree());
  };
  agrees(plane(plate(false, "stiffness = [300, 700, 5]\ndamping = [3, 2, 0.05]\n") + "[forces.motor]\ntype = \"motor\"\nj = \"plate\"\nstall_torque = 0.5\nno_load_speed = 20\n[run]\nto = 0.5\n"));
  agrees(space(plate(true, "stiffness = [300, 700, 900, 8, 9, 5]\n") + "[forces.motor]\ntype = \"motor\"\nj = \"plate\"\naxis = [1, 2, 2]\nstall_torque = 0.5\nno_load_speed = 20\n[run]\nto = 0.5\n"));
}

}  // namespace motors_and_bushings_test
