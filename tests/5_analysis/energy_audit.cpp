// The books of a run: energy.work and energy.balance.
// Oracles: closed forms of dissipated and driven work, the same mechanism in the plane and in space, runs with few rows and with many.
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>

#include "analysis_test.hpp"
#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/inverse.hpp"
#include "jounce/analysis/run/energy_audit.hpp"
#include "jounce/analysis/run/work_quadrature.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/io/read_model.hpp"
#include "places.hpp"

namespace energy_audit_test {

using namespace jounce;

namespace {

// Some hundred steps of 1e-10 each, in energies of about 1 J.
constexpr double kIntegrated = 1e-8;
// What the rows of a driven run are promised to agree to, whatever their number.
constexpr double kAnyRows = 1e-8;

PlaneMechanism plane(const std::string& text) {
  auto built = build_plane(parse_model("jounce = 1\nname = \"books\"\n" + text, "books.toml").model);
  REQUIRE_MESSAGE(built.ok(), jounce::text(built.problems()));
  return *std::move(built);
}
SpaceMechanism space(const std::string& text) {
  auto built = build_space(parse_model("jounce = 1\nname = \"books\"\nspace = \"3d\"\n" + text, "books.toml").model);
  REQUIRE_MESSAGE(built.ok(), jounce::text(built.problems()));
  return *std::move(built);
}

template <class Run>
double last(const Run& run, const char* column) {
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence << text(run.problems));
  return *run.results.at(run.results.rows() - 1, column);
}

double worst_balance(const auto& run) {
  double worst = 0;
  for (std::size_t i = 0; i < run.results.rows(); ++i) worst = std::max(worst, std::abs(*run.results.at(i, "energy.balance")));
  return worst;
}

// A wheel of 0.5 kg m² on a spring of 8 N m/rad and a damper of 0.6 N m s/rad, let go at 0.7 rad.
constexpr double kWheel = 0.5, kSpring = 8, kDamper = 0.6, kTurned = 0.7;
const std::string kWheelInPlane =
    "[ground]\npoints = { O = [0, 0] }\n[bodies.wheel]\nmass = 1\ninertia = 0.5\nangle = 0.7\npoints = { O = [0, 0] }\n"
    "[joints.pin]\ntype = \"revolute\"\ni = \"ground.O\"\nj = \"wheel.O\"\n"
    "[forces.coil]\ntype = \"torsion-spring\"\ni = \"ground\"\nj = \"wheel\"\nstiffness = 8\ndamping = 0.6\n";
const std::string kWheelInSpace =
    "[bodies.wheel]\nmass = 1\ninertia = [0.5, 0.5, 0.5, 0, 0, 0]\n"
    "[joints.pin]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"wheel\"\nq = [0.7]\ndofs = [{ stiffness = 8, damping = 0.6 }]\n";

// What is left of its energy: x = exp(−d t) (a cos w t + b sin w t).
double left_of_wheel(double t) {
  const double d = kDamper / (2 * kWheel), w = std::sqrt(kSpring / kWheel - d * d), b = d * kTurned / w;
  const double c = std::cos(w * t), s = std::sin(w * t), decay = std::exp(-d * t);
  const double x = decay * (kTurned * c + b * s), v = decay * ((w * b - d * kTurned) * c - (w * kTurned + d * b) * s);
  return 0.5 * kWheel * v * v + 0.5 * kSpring * x * x;
}

// A crank of 0.1 m at 10 rad/s, a rod of 0.3 m without mass to speak of, and a piston of 2 kg on a damper.
std::string slider_crank(const std::string& motion) {
  return "[ground]\npoints = { O = [0, 0], X = [1, 0] }\n"
         "[bodies.crank]\nmass = 1\ninertia = 0.02\nangle = 0.3\npoints = { O = [0, 0], A = [0.1, 0] }\n"
         "[bodies.rod]\nmass = 0\ninertia = 0\nposition = [0.0955, 0.0296]\nangle = -0.1\npoints = { A = [0, 0], B = [0.3, 0] }\n"
         "[bodies.piston]\nmass = 2\ninertia = 1\nposition = [0.394, 0]\npoints = { B = [0, 0], C = [0.1, 0] }\n"
         "[joints]\nbearing = { type = \"revolute\", i = \"ground.O\", j = \"crank.O\" }\n"
         "pin = { type = \"revolute\", i = \"crank.A\", j = \"rod.A\" }\nwrist = { type = \"revolute\", i = \"rod.B\", j = \"piston.B\" }\n"
         "bore = { type = \"translational\", slot = [\"ground.O\", \"ground.X\"], slider = [\"piston.B\", \"piston.C\"] }\n"
         "[drivers.motor]\ntype = \"angle\"\ni = \"ground\"\nj = \"crank\"\nmotion = \"" + motion + "\"\n"
         "[forces.dashpot]\ntype = \"spring\"\ni = \"ground.X\"\nj = \"piston.B\"\ndamping = 30\n";
}
// Of its piston, at an angle and a speed of the crank.
double kinetic_of_slider_crank(double angle, double speed) {
  const double r = 0.1, l = 0.3, s = std::sin(angle), c = std::cos(angle), root = std::sqrt(l * l - r * r * s * s);
  const double v = -speed * (r * s + r * r * s * c / root);
  return 0.5 * 2 * v * v + 0.5 * 0.02 * speed * speed;
}

}  // namespace

TEST_CASE("what a damper takes is the closed form, in plane and space, by every method, with one row or with many") {
  // oracle: the energy of a damped oscillator
  for (const double to : {0.4, 3.0})
    for (const int steps : {1, 100}) {
      CAPTURE(to);
      const double taken = left_of_wheel(to) - left_of_wheel(0);
      for (const Method method : {Method::taylor, Method::dop853, Method::radau}) {
        CAPTURE(word(method));
        const DynamicsRun run = dynamics(plane(kWheelInPlane), {.to = to, .steps = steps, .tolerance = 1e-10, .method = method});
        CHECK(std::abs(last(run, "energy.work") - taken) <= kIntegrated);
        CHECK(worst_balance(run) <= kIntegrated);
        CHECK(run.statistics.energy_balance == worst_balance(run));
        if (method == Method::taylor) continue;  // of the plane
        const DynamicsRun other = dynamics(space(kWheelInSpace), {.to = to, .steps = steps, .tolerance = 1e-10, .method = method});
        CHECK(std::abs(last(other, "energy.work") - taken) <= kIntegrated);
        CHECK(worst_balance(other) <= kIntegrated);
      }
    }
}

TEST_CASE("a driver and a damper together do what the kinetic energy grows by, forward and driven, with ten rows as with a thousand") {
  // oracle: kinetic energy of a slider-crank in closed form; the motor speeds up, the dashpot takes its part
  const std::string motion = "10*t + 5*t^2";
  const PlaneMechanism mechanism = plane(slider_crank(motion));
  const double to = 0.7, start = 0.3, gained = kinetic_of_slider_crank(start + 10 * to + 5 * to * to, 10 + 10 * to) - kinetic_of_slider_crank(start, 10);
  double first = 0;
  for (const int steps : {1, 10, 1000}) {
    CAPTURE(steps);
    const KinematicsRun run = inverse(mechanism, {.to = to, .steps = steps});
    const double work = last(run, "energy.work");
    CHECK(std::abs(work - gained) <= kAnyRows * gained);
    CHECK(worst_balance(run) <= kAnyRows * gained);
    if (steps == 1) first = work;
    CHECK(std::abs(work - first) <= kAnyRows * gained);
  }
  for (const Method method : {Method::taylor, Method::dop853}) {
    CAPTURE(word(method));
    const DynamicsRun run = dynamics(mechanism, {.to = to, .steps = 10, .tolerance = 1e-10, .method = method});
    CHECK(std::abs(last(run, "energy.work") - gained) <= kIntegrated * gained);
    CHECK(worst_balance(run) <= kIntegrated * gained);
  }
}

TEST_CASE("a driven length does work, too, and its equation is not linear in it") {
  // oracle: a mass of 3 kg pushed along a line, x = 1 + t² / 2: half the mass times the speed squared
  const PlaneMechanism mechanism = plane(
      "[ground]\npoints = { O = [0, 0], X = [1, 0] }\n[bodies.b]\nmass = 3\ninertia = 1\nposition = [1, 0]\npoints = { B = [0, 0], C = [1, 0] }\n"
      "[joints.rail]\ntype = \"translational\"\nslot = [\"ground.O\", \"ground.X\"]\nslider = [\"b.B\", \"b.C\"]\n"
      "[drivers.ram]\ntype = \"distance\"\ni = \"ground.O\"\nj = \"b.B\"\nmotion = \"1 + t^2/2\"\n");
  for (const Method method : {Method::taylor, Method::dop853})
    CHECK(std::abs(last(dynamics(mechanism, {.to = 2, .steps = 3, .tolerance = 1e-10, .method = method}), "energy.work") - 6) <= kIntegrated);
  CHECK(std::abs(last(inverse(mechanism, {.to = 2, .steps = 1}), "energy.work") - 6) <= kAnyRows);
}

TEST_CASE("dry friction takes force times way until the block stands") {
  // oracle: 2 kg at 3 m/s against 4 N: it stops after 1.5 s and 2.25 m, with 9 J taken; at 1 s it has gone 2 m
  const PlaneMechanism mechanism = plane(
      "[ground]\npoints = { O = [0, 0], X = [1, 0] }\n[bodies.b]\nmass = 2\ninertia = 1\nposition = [1, 0]\nvelocity = [3, 0]\n"
      "points = { B = [0, 0], C = [1, 0] }\n"
      "[joints.rail]\ntype = \"translational\"\nslot = [\"ground.O\", \"ground.X\"]\nslider = [\"b.B\", \"b.C\"]\n"
      "[forces.rub]\ntype = \"spring\"\ni = \"ground.O\"\nj = \"b.B\"\nfriction = 4\nfriction_speed = 0\n");
  for (const Method method : {Method::taylor, Method::dop853, Method::radau}) {
    CAPTURE(word(method));
    const DynamicsRun run = dynamics(mechanism, {.to = 2, .steps = 2, .tolerance = 1e-10, .method = method});
    CHECK(std::abs(last(run, "energy.work") + 9) <= kIntegrated);
    CHECK(std::abs(*run.results.at(1, "energy.work") + 8) <= kIntegrated);
    CHECK(worst_balance(run) <= kIntegrated);
  }
}

TEST_CASE("loads, torques and motions do the same work in the plane and in space") {
  // oracle: one mechanism written twice: a driven arm, a passive one on it with spring and damper, a load and a moment
  const PlaneMechanism flat = plane(
      "gravity = [0, -9.81]\n[ground]\npoints = { O = [0, 0] }\n"
      "[bodies.a]\nmass = 1\ninertia = 0.1\ncom = [0.4, 0]\npoints = { O = [0, 0], B = [0.8, 0] }\n"
      "[bodies.b]\nmass = 0.7\ninertia = 0.05\ncom = [0.3, 0.1]\nposition = [0.8, 0]\nangle = 0.4\npoints = { B = [0, 0], C = [0.6, 0] }\n"
      "[joints]\nA = { type = \"revolute\", i = \"ground.O\", j = \"a.O\" }\nB = { type = \"revolute\", i = \"a.B\", j = \"b.B\" }\n"
      "[drivers.m]\ntype = \"angle\"\ni = \"ground\"\nj = \"a\"\nmotion = \"0.5*sin(3*t)\"\n"
      "[forces.s]\ntype = \"torsion-spring\"\ni = \"a\"\nj = \"b\"\nstiffness = 4\ndamping = 0.1\n"
      "[forces.f]\ntype = \"force\"\non = \"b.C\"\nvalue = [\"2*cos(t)\", 1]\nframe = \"body\"\n"
      "[forces.n]\ntype = \"moment\"\non = \"b\"\nvalue = \"0.3*t\"\n");
  const SpaceMechanism deep = space(
      "gravity = [0, -9.81, 0]\n"
      "[bodies.a]\nmass = 1\ninertia = [0.1, 0.1, 0.1, 0, 0, 0]\ncom = [0.4, 0, 0]\n"
      "[bodies.b]\nmass = 0.7\ninertia = [0.05, 0.05, 0.05, 0, 0, 0]\ncom = [0.3, 0.1, 0]\npoints = { C = [0.6, 0, 0] }\n"
      "[joints.A]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"a\"\ndofs = [{ motion = \"0.5*sin(3*t)\" }]\n"
      "[joints.B]\ntype = \"revolute\"\nparent = \"a\"\nchild = \"b\"\norigin = { xyz = [0.8, 0, 0] }\nq = [0.4]\nv = [-1.5]\n"
      "dofs = [{ stiffness = 4, damping = 0.1 }]\n"
      "[forces.f]\ntype = \"force\"\non = \"b.C\"\nvalue = [\"2*cos(t)\", 1, 0]\nframe = \"body\"\n"
      "[forces.n]\ntype = \"moment\"\non = \"b\"\nvalue = [0, 0, \"0.3*t\"]\n");
  // the plane starts from rest but for the driver: the arm turns at 1.5 rad/s, and the other body as after the blow of the projection
  const DynamicsRun one = dynamics(flat, {.to = 2, .steps = 5, .tolerance = 1e-11});
  REQUIRE(one.outcome.done());
  DynamicsOptions options{.to = 2, .steps = 5, .tolerance = 1e-11};
  const double arm = *one.results.at(0, "a.vphi"), other = *one.results.at(0, "b.vphi");
  options.start = MotionState{0, {0, 0.4}, {arm, other - arm}};
  const DynamicsRun two = dynamics(deep, options);
  REQUIRE_MESSAGE(two.outcome.done(), two.outcome.sentence);
  for (std::size_t i = 0; i <= 5; ++i) {
    CHECK(std::abs(*one.results.at(i, "energy.work") - *two.results.at(i, "energy.work")) <= kIntegrated);
    CHECK(std::abs(*two.results.at(i, "energy.balance")) <= kIntegrated);
  }
  CHECK(std::abs(last(one, "energy.work")) > 0.1);
}

TEST_CASE("the books come out even across singular positions under a load") {
  // oracle: on a parallelogram that turns about fixed points a load that turns along is a moment of 0.1 · 6 − 0.2 · 6 N m on 0.45 kg m²; it lies flat three times
  std::ifstream file(places::source() + "/tests/data/spinning-parallelogram-space.toml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text.insert(text.find("[bodies.crank]") + 15, "points = { T = [0.1, 0.2, 0] }\n");
  text += "[forces.load]\ntype = \"force\"\non = \"crank.T\"\nvalue = [6, 6, -3]\nframe = \"body\"\n";
  const auto built = build_space(parse_model(text, "books.toml").model);
  REQUIRE_MESSAGE(built.ok(), jounce::text(built.problems()));
  for (const Method method : {Method::dop853, Method::radau}) {
    const DynamicsRun run = dynamics(*built, {.to = 1, .steps = 3, .method = method});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    CHECK(std::ranges::count(run.events, "singular-position", &Event::kind) >= 3);
    const double rate = 10 - 0.6 / 0.45;
    CHECK(std::abs(last(run, "energy.work") - 0.5 * 0.45 * (rate * rate - 100)) < kIntegrated);
    CHECK(worst_balance(run) < kIntegrated);
  }
}

TEST_CASE("where everything is prescribed, dynamics and inverse do the work that the energy grows by, whatever the rows") {
  // oracle: an arm of 2 kg m² with sin(t²): half the inertia times the rate squared
  const SpaceMechanism arm = space(
      "[bodies.a]\nmass = 1\ninertia = [2, 2, 2, 0, 0, 0]\n"
      "[joints.A]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"a\"\ndofs = [{ motion = \"sin(t^2)\", damping = 0.3 }]\n");
  const double to = 3, rate = 2 * to * std::cos(to * to), gained = rate * rate;
  for (const int steps : {1, 10, 1000}) {
    CAPTURE(steps);
    CHECK(std::abs(last(dynamics(arm, {.to = to, .steps = steps}), "energy.work") - gained) <= kAnyRows * gained);
    CHECK(std::abs(last(inverse(arm, {.to = to, .steps = steps}), "energy.work") - gained) <= kAnyRows * gained);
  }
}

TEST_CASE("a jump of a driver's rate is a blow: its work counts, and it is an event") {
  // oracle: 0.5 kg m² from 1 to 3 rad/s: 2 J; nothing before and nothing after
  const std::string motion = "t + 2*max(0, t - 0.43217)";
  const PlaneMechanism flat = plane("[ground]\npoints = { O = [0, 0] }\n[bodies.w]\nmass = 1\ninertia = 0.5\npoints = { O = [0, 0] }\n"
                                    "[joints.pin]\ntype = \"revolute\"\ni = \"ground.O\"\nj = \"w.O\"\n"
                                    "[drivers.m]\ntype = \"angle\"\ni = \"ground\"\nj = \"w\"\nmotion = \"" + motion + "\"\n");
  const SpaceMechanism deep = space("[bodies.w]\nmass = 1\ninertia = [0.5, 0.5, 0.5, 0, 0, 0]\n"
                                    "[joints.pin]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"w\"\ndofs = [{ motion = \"" + motion + "\" }]\n");
  const auto blown = [&](const auto& run) {
    CHECK(std::abs(last(run, "energy.work") - 2) <= kIntegrated);
    CHECK(worst_balance(run) <= kIntegrated);
    for (std::size_t i = 0; i < run.results.rows(); ++i)
      if (const double t = *run.results.at(i, "t"); t < 0.43217) CHECK(std::abs(*run.results.at(i, "energy.work")) <= kIntegrated);
  };
  const auto told = [](const DynamicsRun& run) {
    REQUIRE(run.events.size() == 1);
    CHECK(run.events.front().kind == "impulse");
    CHECK(std::abs(run.events.front().t - 0.43217) <= 1e-15);
  };
  for (const int steps : {1, 7, 10}) {
    CAPTURE(steps);
    for (const Method method : {Method::taylor, Method::dop853, Method::radau}) {
      CAPTURE(word(method));
      const DynamicsRun run = dynamics(flat, {.to = 1, .steps = steps, .method = method});
      blown(run);
      told(run);
    }
    const DynamicsRun run = dynamics(deep, {.to = 1, .steps = steps});
    blown(run);
    told(run);
    blown(inverse(flat, {.to = 1, .steps = steps}));
    blown(inverse(deep, {.to = 1, .steps = steps}));
  }
}

TEST_CASE("without anything that takes or gives energy the work is 0, and not nearly 0") {
  // oracle: nothing is added up
  Model m = test::four_bar(1, 0.3, 0.9, 0.7, 1, 1);
  m.gravity = {0.0, -9.81};
  for (Body& body : m.bodies) body.mass = Text(1.0), body.inertia = Text(0.1);
  const DynamicsRun run = dynamics(test::built(m), {.to = 1, .steps = 20});
  REQUIRE(run.outcome.done());
  for (std::size_t i = 0; i < run.results.rows(); ++i) CHECK(*run.results.at(i, "energy.work") == 0);
  CHECK(worst_balance(run) > 0);
}

TEST_CASE("the integral of a power does not depend on where it is known") {
  // oracle: closed forms; a smooth power, one with a jump that is known of, and one with a kink that is not
  const auto integral = [](const auto& power, const std::vector<double>& breaks, double to, int rows, long* asked = nullptr) {
    long count = 0;
    WorkQuadrature work([&](double t) { return ++count, std::optional(power(t)); }, breaks);
    work.begin(0, power(0.0));
    for (int i = 1; i <= rows; ++i) work.advance(to * i / rows, power(to * i / rows), 1e-15);
    if (asked != nullptr) *asked = count;
    return work.work();
  };
  const auto smooth = [](double t) { return std::exp(-t) * std::cos(9 * t) + 0.2; };
  const auto exact = [](double t) { return (1 + std::exp(-t) * (9 * std::sin(9 * t) - std::cos(9 * t))) / 82 + 0.2 * t; };
  const auto jump = [](double t) { return t < 0.37 ? 1.0 + t : 3.0 - t; };
  const auto kink = [](double t) { return std::abs(t - 0.37); };
  for (const int rows : {1, 2, 10, 100, 1000}) {
    CAPTURE(rows);
    long asked = 0;
    CHECK(std::abs(integral(smooth, {}, 2, rows, &asked) - exact(2)) <= 1e-10);
    if (rows == 1000) CHECK(asked <= 20);  // rows that lie close together are enough
    CHECK(std::abs(integral(jump, {0.37}, 1, rows) - (0.37 + 0.37 * 0.37 / 2 + 3 * 0.63 - (1 - 0.37 * 0.37) / 2)) <= 1e-12);
    CHECK(std::abs(integral(kink, {}, 1, rows) - (0.37 * 0.37 + 0.63 * 0.63) / 2) <= 1e-9);
  }
}

TEST_CASE("where it is known how a power goes on it is asked for less often, and the integral is the same") {
  // oracle: the closed form of the case above
  for (const int rows : {12, 40, 200}) {
    CAPTURE(rows);
    std::array<long, 2> asked{};
    for (const int known : {1, 3}) {
      long& count = asked[known == 1 ? 0 : 1];
      const auto power = [&](double t) {  // exp(−t) cos 9 t + 0.2, its slope, and half its second derivative
        const double e = std::exp(-t), c = std::cos(9 * t), s = std::sin(9 * t);
        PowerAt at = e * c + 0.2;
        at.coefficient[1] = -e * (c + 9 * s), at.coefficient[2] = e * (18 * s - 80 * c) / 2;
        at.known = known;
        return at;
      };
      WorkQuadrature work([&](double t) { return ++count, std::optional(power(t)); }, {});
      work.begin(0, power(0));
      for (int i = 1; i <= rows; ++i) work.advance(2.0 * i / rows, power(2.0 * i / rows), 1e-15);
      CHECK(std::abs(work.work() - ((1 + std::exp(-2.0) * (9 * std::sin(18.0) - std::cos(18.0))) / 82 + 0.4)) <= 1e-10);
    }
    CHECK(asked[1] < asked[0]);
    if (rows == 40) CHECK(asked[1] <= 20);
  }
}

TEST_CASE("power that changes too fast between rows to be integrated is said to be unchecked, and does not end the run") {
  // oracle: a wheel of 0.5 kg m² that turns to and fro 16,000 times a second: its motor has done what is kinetic energy at a row, and nobody can integrate
  // that from one row to the next
  const KinematicsRun run = inverse(space("[bodies.wheel]\nmass = 1\ninertia = [0.5, 0.5, 0.5, 0, 0, 0]\n"
                                          "[joints.pin]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"wheel\"\ndofs = [{ motion = \"1e-5*sin(1e5*t)\" }]\n"),
                                    {.to = 2, .steps = 3});
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  for (std::size_t i = 0; i < 4; ++i) {
    const double rate = std::cos(1e5 * *run.results.at(i, "t"));
    CHECK(std::abs(*run.results.at(i, "energy.work") - 0.25 * (rate * rate - 1)) <= 1e-9);
  }
  CHECK(text(run.problems).find("energy.work is taken from the energies") != std::string::npos);
}

TEST_CASE("a balance that the tolerance explains passes, one beyond is named, one far beyond ends the run") {
  // oracle: 1 kg that moves with 2 J for 90 steps of 1e-8: ten tolerances for each of 100 steps, of 2 J and of 2 N s times a metre per second
  const double explained = 10 * 1e-8 * 100 * (2 + 2);
  const auto judged = [&](double missing, Problems& problems) {
    EnergyAudit audit(1e-8, {.mass = 1, .length = 1});
    std::array<double, 2> columns{};
    CHECK_FALSE(audit.take({.t = 0, .kinetic = 2}, columns).has_value());
    const auto ending = audit.take({.t = 1, .kinetic = 1.5 - missing, .potential = 0.7, .work = 0.2, .steps = 90}, columns);
    CHECK(columns[0] == 0.2);
    CHECK(std::abs(columns[1] + missing) <= 1e-15);
    CHECK(std::abs(audit.worst() - missing) <= 1e-15);
    audit.warn(problems);
    return ending;
  };
  Problems problems;
  CHECK_FALSE(judged(0.9 * explained, problems).has_value());
  CHECK(problems.empty());
  CHECK_FALSE(judged(1.1 * explained, problems).has_value());
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].sentence.find("does not come out even: from t = 1 s on") != std::string::npos);
  const auto ending = judged(0.03, problems);
  REQUIRE(ending.has_value());
  CHECK(ending->kind == Outcome::Kind::unbalanced);
  CHECK(ending->sentence.find("0.03 J are gone") != std::string::npos);
}

}  // namespace energy_audit_test
