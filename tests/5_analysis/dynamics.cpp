// Oracles: references.md (pendulum, N four-bars), one-angle equations of motion integrated on their own, conserved quantities,
// closed forms, and methods held against each other.
#include "jounce/analysis/dynamics.hpp"

#include <algorithm>
#include <array>

#include "analysis_test.hpp"
#include "jounce/analysis/integrators/dop853.hpp"
#include "jounce/io/load.hpp"
#include "places.hpp"

namespace dynamics_test {

using namespace jounce;
using namespace jounce::test;

namespace {

constexpr double kGravity = 9.81;
// The polynomial of the crossing, good to the tolerance, says when.
constexpr double kPassage = 1e-5;

DynamicsRun done(const PlaneMechanism& mechanism, const DynamicsOptions& options) {
  DynamicsRun run = dynamics(mechanism, options);
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  return run;
}

double at(const DynamicsRun& run, std::size_t row, const std::string& column) {
  const auto value = run.results.at(row, column);
  REQUIRE_MESSAGE(value.has_value(), column);
  return *value;
}

bool says(const Problems& problems, Severity severity, const std::string& part) {
  return std::ranges::any_of(problems, [&](const Problem& p) { return p.severity == severity && p.sentence.find(part) != std::string::npos; });
}

Model with_gravity() {
  Model m;
  m.gravity = {0.0, -kGravity};
  return m;
}

void heavy(Body& body, double mass, double inertia) { body.mass = Text(mass), body.inertia = Text(inertia); }

/// A uniform rod from A = (0, 0) to B = (length, 0).
Body& rod(Model& m, const std::string& name, double mass, double length, double x, double y, double phi) {
  Body& b = bar(m, name, length, x, y, phi);
  heavy(b, mass, mass * length * length / 12);
  b.com = std::vector<Text>{length / 2, 0.0};
  return b;
}

/// A point mass of 1 kg on a massless rod of 1 m, at rest at (1, 0).
Model pendulum() {
  Model m = with_gravity();
  m.ground.point("O", 0.0, 0.0);
  Body& bob = m.body("bob");
  draw(bob, 1, 0, 0);
  heavy(bob, 1, 0.01);
  bob.point("C", 0.0, 0.0);
  m.joint("rod", "distance").set("i", Text("ground.O")).set("j", Text("bob.C")).set("length", Text(1.0));
  return m;
}

/// A mass that slides along x, between an anchor at the origin and x = 1, where it starts at rest.
Model slider() {
  Model m;
  m.ground.point("O", 0.0, 0.0).point("X", 1.0, 0.0);
  Body& block = m.body("block");
  block.point("P", 0.0, 0.0).point("X", 1.0, 0.0);
  draw(block, 1, 0, 0);
  heavy(block, 1, 1);
  m.joint("guide", "translational").set("slot", std::vector<Text>{"ground.O", "ground.X"}).set("slider", std::vector<Text>{"block.P", "block.X"});
  return m;
}

// ---- N four-bars -----------------------------------------------------------------------------------------------------

/// N + 1 uprights of 1 m and 1 kg, N beams across their tops, moving at 1 m/s (references.md).
Model four_bars(int n) {
  Model m = with_gravity();
  const auto name = [](const char* what, int i) { return what + std::to_string(i); };
  for (int i = 0; i <= n; ++i) m.ground.point(name("P", i), double(i), 0.0);
  for (int i = 0; i <= n; ++i) rod(m, name("rod", i), 1, 1, i, 0, kPi / 2).spin = Text(-1.0);
  for (int i = 0; i < n; ++i) rod(m, name("beam", i), 1, 1, i, 1, 0).velocity = std::vector<Text>{1.0, 0.0};
  // the velocity of a rod's own origin, its foot, is 0
  for (int i = 0; i <= n; ++i) pin(m, name("foot", i), "ground." + name("P", i), name("rod", i) + ".A");
  for (int i = 0; i < n; ++i) {
    pin(m, name("left", i), name("rod", i) + ".B", name("beam", i) + ".A");
    pin(m, name("right", i), name("beam", i) + ".B", name("rod", i + 1) + ".B");
  }
  return m;
}

/// θ'' = −g cos θ ((N+1)/2 + N) / ((N+1)/3 + N), θ(0) = π/2, θ'(0) = −1, and when the rods lie flat: θ = 0, −π, …
struct OneAngle {
  double theta = 0, rate = 0;
  std::vector<double> flat;
};

OneAngle one_angle(int n, double to) {
  const double factor = -kGravity * ((n + 1) / 2.0 + n) / ((n + 1) / 3.0 + n);
  const auto f = [&](double, std::span<const double> y, std::span<double> dydt) {
    dydt[0] = y[1], dydt[1] = factor * std::cos(y[0]);
    return true;
  };
  Dop853 ode(2, {.tolerance = 1e-14, .largest_step = 0.05});
  const std::array start{kPi / 2, -1.0};
  REQUIRE(ode.start(0, start, f));
  OneAngle out;
  std::array<double, 2> y{};
  double next = 0;
  while (ode.t() < to) {
    REQUIRE(ode.step(f, to) == Dop853::Step::accepted);
    REQUIRE(ode.prepare_dense(f));
    if (ode.y()[0] > next) continue;
    double low = ode.previous_t(), high = ode.t();
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      ode.dense(middle, y);
      (y[0] > next ? low : high) = middle;
    }
    out.flat.push_back(low);
    next -= kPi;
  }
  out.theta = ode.y()[0], out.rate = ode.y()[1];
  return out;
}

/// Of the start, above the feet: m g h of uprights and beams, and what moves at 1 m/s.
double energy_of(int n) { return (n + 1) * (kGravity / 2 + 1.0 / 6) + n * (kGravity + 0.5); }

double tip_error(const DynamicsRun& run, const OneAngle& exact) {
  const std::size_t last = run.results.rows() - 1;
  return std::hypot(at(run, last, "rod0.B.x") - std::cos(exact.theta), at(run, last, "rod0.B.y") - std::sin(exact.theta));
}

}  // namespace

// ---- accuracy --------------------------------------------------------------------------------------------------------

TEST_CASE("the simple pendulum is where the reference says, after up to 2000 seconds") {
  // oracle: references.md, IFToMM A01
  struct Reference {
    double t, x, y, tolerance, error;
  };
  const PlaneMechanism mechanism = built(pendulum());
  for (const Reference& r : {Reference{1, -0.986291751131875319, -0.165010853125541169, 1e-12, 1e-11},
                             Reference{10, 0.275087462576116860, -0.961419205099125064, 1e-12, 1e-10},
                             Reference{100, 0.181513351427031385, -0.983388480334057505, 1e-12, 1e-9},
                             Reference{2000, -0.814603068589032152, -0.580018827836935462, 1e-13, 1e-9}}) {
    CAPTURE(r.t);
    const DynamicsRun run = done(mechanism, {.to = r.t, .steps = 1, .tolerance = r.tolerance});
    CHECK(std::hypot(at(run, 1, "bob.x") - r.x, at(run, 1, "bob.y") - r.y) <= r.error);
    CHECK(run.statistics.energy_drift <= 1e-11 * kGravity);
    CHECK(run.statistics.worst_residual <= 1e-12);
  }
}

TEST_CASE("tolerances do what they say on the pendulum, with every method") {
  // oracle: references.md; the error after four periods is within some hundred times the tolerance of a step
  const PlaneMechanism mechanism = built(pendulum());
  for (const Method method : {Method::taylor, Method::radau, Method::dop853})
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      CAPTURE(word(method));
      CAPTURE(tolerance);
      const DynamicsRun run = done(mechanism, {.to = 10, .steps = 1, .tolerance = tolerance, .method = method});
      CHECK(run.statistics.method == word(method));
      CHECK(std::hypot(at(run, 1, "bob.x") - 0.275087462576116860, at(run, 1, "bob.y") + 0.961419205099125064) <= 1000 * tolerance);
    }
}

TEST_CASE("a double pendulum keeps its energy for 1000 seconds") {
  // oracle: conservation; the scale is the energy it swings with, m g L
  Model m = with_gravity();
  m.ground.point("O", 0.0, 0.0);
  rod(m, "upper", 2, 0.6, 0, 0, 0);
  rod(m, "lower", 1, 0.4, 0.6, 0, -kPi / 6);
  pin(m, "shoulder", "ground.O", "upper.A");
  pin(m, "elbow", "upper.B", "lower.A");
  const DynamicsRun run = done(built(m), {.to = 1000, .steps = 1000, .tolerance = 1e-13, .columns = {"energy.total"}});
  CHECK(run.statistics.conservative);
  CHECK(run.statistics.energy_drift <= 1e-10 * (2 + 1) * kGravity * 0.6);
  CHECK(run.statistics.worst_residual <= 1e-12);
}

TEST_CASE("N four-bars go through every singular position with the exact motion") {
  // oracles: references.md, the one-angle equation of motion integrated on its own; the number for N = 2 checks that one
  const OneAngle two = one_angle(2, 10);
  CHECK(std::abs(std::cos(two.theta) - 0.328458111540815379) <= 1e-11);
  CHECK(std::abs(std::sin(two.theta) - 0.944518538178600962) <= 1e-11);
  for (const int n : {1, 2, 10, 40}) {
    CAPTURE(n);
    const OneAngle exact = one_angle(n, 10);
    const DynamicsRun run = done(built(four_bars(n)), {.to = 10, .steps = 100, .tolerance = 1e-10});
    CHECK(run.problems.empty());
    CHECK(tip_error(run, exact) <= 1e-7);
    CHECK(run.statistics.conservative);
    CHECK(at(run, 0, "energy.total") == doctest::Approx(energy_of(n)).epsilon(kSolved));
    CHECK(run.statistics.energy_drift <= 1e-6);
    std::vector<double> passages;
    for (const Event& e : run.events)
      if (e.kind == "singular-position") passages.push_back(e.t);
    REQUIRE(exact.flat.size() >= 8);
    REQUIRE(passages.size() == exact.flat.size());
    for (std::size_t i = 0; i < passages.size(); ++i) CHECK(std::abs(passages[i] - exact.flat[i]) <= kPassage);
  }
}

TEST_CASE("N four-bars stay on the exact motion whatever the tolerance") {
  // oracle: the one-angle equation of motion
  for (const int n : {1, 2, 10}) {
    const OneAngle exact = one_angle(n, 10);
    const PlaneMechanism mechanism = built(four_bars(n));
    for (int digits = 1; digits <= 14; ++digits) {
      CAPTURE(n);
      CAPTURE(digits);
      const DynamicsRun run = done(mechanism, {.to = 10, .steps = 1, .tolerance = std::pow(10.0, -digits)});
      CHECK(tip_error(run, exact) <= 1e-4);
    }
  }
}

TEST_CASE("N four-bars go through singular positions with series of every order") {
  // oracle: the one-angle equation of motion
  const OneAngle exact = one_angle(2, 10);
  for (const int order : {6, 8, 10, 16, 22, 24, 30, 40})
    for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
      CAPTURE(order);
      CAPTURE(tolerance);
      const DynamicsRun run = done(built(four_bars(2)), {.to = 10, .steps = 1, .tolerance = tolerance, .order = order});
      CHECK(tip_error(run, exact) <= 1e-4);
    }
}

TEST_CASE("N four-bars go through singular positions with every formulation") {
  // oracle: the one-angle equation of motion
  for (const int n : {1, 2})
    for (const Formulation formulation : kFormulations) {
      CAPTURE(n);
      CAPTURE(word(formulation));
      const DynamicsRun run = done(built(four_bars(n)), {.to = 10, .steps = 10, .tolerance = 1e-10, .formulation = formulation});
      CHECK(tip_error(run, one_angle(n, 10)) <= 1e-7);
    }
}

TEST_CASE("a light rod that carries a heavy one needs no more steps than two equal ones") {
  // oracle: without the light rod's mass the motion is nearly the same, and has no fast part
  const auto run_of = [](double ratio) {
    Model m = with_gravity();
    m.ground.point("O", 0.0, 0.0);
    rod(m, "upper", 1, 1, 0, 0, 0);
    rod(m, "lower", ratio, 1, 1, 0, 0.3);
    pin(m, "shoulder", "ground.O", "upper.A");
    pin(m, "elbow", "upper.B", "lower.A");
    return done(built(m), {.to = 5, .steps = 5, .tolerance = 1e-10});
  };
  const DynamicsRun equal = run_of(1), light = run_of(1e4);
  CHECK(light.statistics.steps <= 2 * equal.statistics.steps);
  CHECK(light.statistics.rejected <= light.statistics.steps / 10);
}

TEST_CASE("all methods agree on a driven, damped mechanism") {
  // oracle: each other; a slider-crank on a motor with a spring and a damper on the block, and a free pendulum on the rod
  Model m = slider_crank(0.1, 0.3, 0.4);
  m.gravity = {0.0, -kGravity};
  heavy(m.body("crank"), 1, 0.01), heavy(m.body("rod"), 0.5, 0.005), heavy(m.body("block"), 2, 0.01);
  rod(m, "hanging", 0.3, 0.2, 0.1 * std::cos(0.4), 0.1 * std::sin(0.4), -1.2);
  pin(m, "hook", "crank.B", "hanging.A");
  motor(m, "motor", "ground", "crank", "4*t + 0.3*sin(5*t)");
  force(m, "strut", "spring").set("i", Text("ground.O")).set("j", Text("block.P")).set("stiffness", Text(200.0)).set("free_length", Text(0.3))
      .set("damping", Text(8.0)).set("actuator", Text("2*sin(3*t)*l - 0.5*v")).set("friction", Text(1.0)).set("friction_speed", Text(0.2));
  const PlaneMechanism mechanism = built(m);
  const DynamicsRun reference = done(mechanism, {.to = 2, .steps = 4, .tolerance = 1e-13, .method = Method::taylor});
  CHECK_FALSE(reference.statistics.conservative);
  for (const Method method : {Method::automatic, Method::taylor, Method::radau, Method::dop853})
    for (const double tolerance : {1e-6, 1e-9}) {
      CAPTURE(word(method));
      CAPTURE(tolerance);
      const DynamicsRun run = done(mechanism, {.to = 2, .steps = 4, .tolerance = tolerance, .method = method});
      for (std::size_t row = 0; row <= 4; ++row)
        for (const char* column : {"hanging.phi", "hanging.vphi", "block.x", "block.vx"})
          CHECK(std::abs(at(run, row, column) - at(reference, row, column)) <= 300 * tolerance);
    }
}

TEST_CASE("a stiff model is handed over to the implicit method, and comes out right") {
  // oracle: the same model by Taylor steps alone, as short as stability asks
  const auto mechanism = load_plane(places::source() + "/models/bushing-bars/model.toml");
  REQUIRE(mechanism.ok());
  const DynamicsOptions options{.to = mechanism->run.to, .steps = 50, .tolerance = 1e-8};
  const DynamicsRun chosen = done(*mechanism, options);
  CHECK(chosen.statistics.method == "taylor, then radau");
  CHECK(std::ranges::any_of(chosen.events, [](const Event& e) { return e.kind == "method"; }));
  DynamicsOptions plain = options;
  plain.method = Method::taylor, plain.tolerance = 1e-11;
  const DynamicsRun taylor = done(*mechanism, plain);
  CHECK(taylor.statistics.method == "taylor");
  CHECK(chosen.statistics.steps < taylor.statistics.steps);
  for (std::size_t row = 0; row <= 50; ++row)
    for (const char* column : {"upper.phi", "lower.phi", "lower.x", "lower.y"})
      CHECK(std::abs(at(chosen, row, column) - at(taylor, row, column)) <= 1e-5);
}

TEST_CASE("output times do not change the steps") {
  // oracle: the same run with fewer rows, to the last bit
  const PlaneMechanism mechanism = built(pendulum());
  for (const Method method : {Method::taylor, Method::radau, Method::dop853}) {
    CAPTURE(word(method));
    const DynamicsRun few = done(mechanism, {.to = 3, .steps = 1, .method = method});
    const DynamicsRun many = done(mechanism, {.to = 3, .steps = 999, .method = method});
    CHECK(few.statistics.steps == many.statistics.steps);
    CHECK(few.q == many.q);
    CHECK(few.v == many.v);
    CHECK(many.results.rows() == 1000);
  }
}

TEST_CASE("two bodies in free space keep their momentum, and their centre of mass its course") {
  // oracle: Newton: no external force; gravity adds m g t
  Model m;
  rod(m, "one", 2, 1, 0, 0, 0.3).velocity = std::vector<Text>{0.4, -0.2};
  m.body("one").spin = Text(1.5);
  rod(m, "other", 1, 0.5, std::cos(0.3), std::sin(0.3), -0.8);
  pin(m, "hinge", "one.B", "other.A");
  force(m, "coil", "torsion-spring").set("i", Text("one")).set("j", Text("other")).set("stiffness", Text(4.0)).set("free_angle", Text(0.1))
      .set("damping", Text(0.05));
  for (const double g : {0.0, 3.0}) {
    CAPTURE(g);
    m.gravity = {0.0, -g};
    const DynamicsRun run = done(built(m), {.to = 2, .steps = 10, .tolerance = 1e-12});
    for (std::size_t row = 1; row <= 10; ++row) {
      const double t = at(run, row, "t"), px = at(run, 0, "momentum.px"), py = at(run, 0, "momentum.py");
      CHECK(std::abs(at(run, row, "momentum.px") - px) <= 1e-11);
      CHECK(std::abs(at(run, row, "momentum.py") - py + 3 * g * t) <= 1e-11 * (1 + 3 * g * t));
      CHECK(std::abs(at(run, row, "com.x") - at(run, 0, "com.x") - px * t / 3) <= 1e-11);
      CHECK(std::abs(at(run, row, "com.y") - at(run, 0, "com.y") - py * t / 3 + g * t * t / 2) <= 1e-11 * (1 + g * t * t));
      if (g == 0) CHECK(std::abs(at(run, row, "momentum.lz") - at(run, 0, "momentum.lz")) <= 1e-11);
      // about the centre of mass it stays in any case, and it is that about the origin less G x P
      CHECK(std::abs(at(run, row, "momentum.lgz") - at(run, 0, "momentum.lgz")) <= 1e-11);
      const double about = at(run, row, "momentum.lz") - at(run, row, "com.x") * at(run, row, "momentum.py") + at(run, row, "com.y") * at(run, row, "momentum.px");
      CHECK(std::abs(at(run, row, "momentum.lgz") - about) <= 1e-12 * (1 + 100 * g));
    }
    if (g == 0) CHECK(at(run, 10, "energy.total") < at(run, 0, "energy.total"));  // the damper
  }
}

// ---- how runs begin --------------------------------------------------------------------------------------------------

TEST_CASE("initial velocities are made to fit the joints, as little as possible, with a warning") {
  // oracle: the rod along x takes the x component; two masses on a rod share the change by their masses
  Model m = pendulum();
  m.body("bob").velocity = std::vector<Text>{1.0, 2.0};
  const DynamicsRun run = done(built(m), {.to = 0.01, .steps = 1});
  CHECK(std::abs(at(run, 0, "bob.vx")) <= 1e-14);
  CHECK(std::abs(at(run, 0, "bob.vy") - 2) <= 1e-14);
  CHECK(says(run.problems, Severity::warning, "the initial velocities do not fit"));
  CHECK(says(run.problems, Severity::warning, "'bob'"));
  Model fits = pendulum();
  fits.body("bob").velocity = std::vector<Text>{0.0, 2.0};
  CHECK(done(built(fits), {.to = 0.01, .steps = 1}).problems.empty());

  Model two;
  for (const auto& [name, x, mass] : {std::tuple{"light", 0.0, 1.0}, std::tuple{"heavy", 1.0, 3.0}}) {
    Body& b = two.body(name);
    draw(b, x, 0, 0);
    heavy(b, mass, 1);
    b.point("C", 0.0, 0.0);
  }
  two.body("light").velocity = std::vector<Text>{1.0, 0.0};
  two.joint("rod", "distance").set("i", Text("light.C")).set("j", Text("heavy.C")).set("length", Text(1.0));
  const DynamicsRun shared = done(built(two), {.to = 0.01, .steps = 1});
  CHECK(std::abs(at(shared, 0, "light.vx") - 0.25) <= 1e-14);  // momentum is kept: 1·1 = (1 + 3)·v
  CHECK(std::abs(at(shared, 0, "heavy.vx") - 0.25) <= 1e-14);
}

TEST_CASE("a mass or an inertia that is missing is asked for by name") {
  Model m = pendulum();
  m.body("bob").mass.reset();
  draw(m.body("wheel"), 2, 0, 0);
  m.body("wheel").mass = Text(1.0);
  const DynamicsRun run = dynamics(built(m), {});
  CHECK_FALSE(run.outcome.done());
  CHECK(says(run.problems, Severity::error, "body 'bob': 'mass' is missing"));
  CHECK(says(run.problems, Severity::error, "body 'wheel': 'inertia' is missing"));
  CHECK(run.results.rows() == 0);
}

TEST_CASE("a tolerance below rounding is raised, with a warning") {
  // oracle: references.md
  const DynamicsRun run = done(built(pendulum()), {.to = 1, .steps = 1, .tolerance = 1e-18});
  CHECK(says(run.problems, Severity::warning, "below what rounding allows"));
  CHECK(std::hypot(at(run, 1, "bob.x") + 0.986291751131875319, at(run, 1, "bob.y") + 0.165010853125541169) <= 1e-11);
  for (const DynamicsOptions& bad : {DynamicsOptions{.steps = 0}, DynamicsOptions{.to = -1}, DynamicsOptions{.tolerance = 0}}) {
    const DynamicsRun refused = dynamics(built(pendulum()), bad);
    CHECK(any_error(refused.problems));
    CHECK(refused.outcome.kind == Outcome::Kind::not_run);
  }
}

// ---- bodies without mass ---------------------------------------------------------------------------------------------

TEST_CASE("a coupler without mass is a distance joint") {
  // oracle: a body without mass or moment on it carries a force along its two pins only
  Model with = four_bar(0.4, 0.15, 0.35, 0.3, 1.0, 1);
  with.gravity = {0.0, -kGravity};
  heavy(with.body("crank"), 1, 0.01), heavy(with.body("rocker"), 0.7, 0.02), heavy(with.body("coupler"), 0, 0);
  Model without;
  without.gravity = with.gravity;
  without.ground = with.ground;
  without.bodies = {with.body("crank"), with.body("rocker")};
  pin(without, "pO", "ground.O", "crank.A");
  pin(without, "pQ", "ground.Q", "rocker.A");
  without.joint("link", "distance").set("i", Text("crank.B")).set("j", Text("rocker.B")).set("length", Text(0.35));
  const DynamicsOptions options{.to = 1, .steps = 10, .tolerance = 1e-12};
  const DynamicsRun a = done(built(with), options), b = done(built(without), options);
  CHECK(a.statistics.formulation == "kkt");
  CHECK(b.statistics.formulation == "lagrange");
  for (std::size_t row = 0; row <= 10; ++row) {
    for (const char* column : {"crank.phi", "rocker.phi", "crank.vphi", "rocker.vphi"})
      CHECK(std::abs(at(a, row, column) - at(b, row, column)) <= 1e-9);
    for (const char* column : {"crank.aphi", "rocker.aphi"}) CHECK(std::abs(at(a, row, column) - at(b, row, column)) <= 1e-7);
    for (const char* component : {".fx", ".fy"}) {
      CHECK(std::abs(at(a, row, std::string("pO") + component) - at(b, row, std::string("pO") + component)) <= 1e-7);
      CHECK(std::abs(at(a, row, std::string("pB") + component) - at(b, row, std::string("link") + component)) <= 1e-7);
    }
  }
  const DynamicsRun refused = dynamics(built(with), {.formulation = Formulation::lagrange});
  CHECK(says(refused.problems, Severity::error, "'kkt' does not"));
}

TEST_CASE("a motion that no mass decides is reported, not invented") {
  Model m = pendulum();
  m.ground.point("Q", 2.0, 0.0);
  heavy(bar(m, "loose", 0.5, 2, 0, 0.3), 0, 0);  // pinned to the ground, free to turn
  pin(m, "hinge", "ground.Q", "loose.A");
  const DynamicsRun run = dynamics(built(m), {});
  CHECK(run.outcome.kind == Outcome::Kind::undecided);
  CHECK(run.outcome.sentence.find("do not decide the motion") != std::string::npos);
  CHECK(run.outcome.elements == std::vector<std::string>{"loose"});
  CHECK(says(run.problems, Severity::error, "do not decide the motion"));
}

// ---- how runs end ----------------------------------------------------------------------------------------------------

TEST_CASE("a force that grows without bound ends the run near its time, and the rows before it stay") {
  // oracle: x'' = −1/(0.5 − t) along the guide: x' = ln(1 − 2t), without bound at 0.5, x = 1 − t − (0.5 − t) ln(1 − 2t)… is finite
  Model m = slider();
  force(m, "pull", "spring").set("i", Text("ground.O")).set("j", Text("block.P")).set("actuator", Text("1/(0.5 - t)"));
  for (const Method method : {Method::automatic, Method::dop853}) {
    CAPTURE(word(method));
    const DynamicsRun run = dynamics(built(m), {.to = 1, .steps = 100, .tolerance = 1e-10, .method = method});
    const bool kind = run.outcome.kind == Outcome::Kind::undefined || run.outcome.kind == Outcome::Kind::step_too_small;
    CHECK(kind);
    CHECK(std::abs(run.outcome.t - 0.5) <= 1e-3);
    CHECK(any_error(run.problems));
    REQUIRE(run.results.rows() >= 45);
    REQUIRE(run.results.rows() <= 51);
    for (std::size_t row = 0; row < 45; ++row) {
      const double t = at(run, row, "t");
      CHECK(std::abs(at(run, row, "block.vx") - std::log(1 - 2 * t)) <= 1e-8);
    }
  }
}

namespace {

// x'' = −k (x − l0) from x = 1: x = l0 + (1 − l0) cos(w t), zero where cos(w t) = −l0/(1 − l0).
void check_collapse(Method method) {
  constexpr double k = 30, free = 0.2;
  Model m = slider();
  force(m, "coil", "spring").set("i", Text("ground.O")).set("j", Text("block.P")).set("stiffness", Text(k)).set("free_length", Text(free));
  const double w = std::sqrt(k), expected = std::acos(-free / (1 - free)) / w;
  CAPTURE(word(method));
  const DynamicsRun run = dynamics(built(m), {.to = 1, .steps = 100, .tolerance = 1e-10, .method = method});
  CHECK_FALSE(run.outcome.done());
  CHECK(std::abs(run.outcome.t - expected) <= 0.02);
  CHECK(run.outcome.sentence.find("0.3") != std::string::npos);  // the time
  CHECK(any_error(run.problems));
  REQUIRE(run.results.rows() >= static_cast<std::size_t>(expected * 100) - 2);
  for (std::size_t row = 0; row < run.results.rows(); ++row) {
    const double t = at(run, row, "t");
    if (t < expected - 0.02) CHECK(std::abs(at(run, row, "block.x") - free - (1 - free) * std::cos(w * t)) <= 1e-8);
  }
}

}  // namespace

TEST_CASE("a spring that collapses ends the run at its time, and the rows before it stay") {
  // oracle: the closed form; spec 4.3: stop with a clear message
  for (const Method method : {Method::radau, Method::dop853}) check_collapse(method);
}

TEST_CASE("a spring that collapses ends a run of Taylor steps too") {
  for (const Method method : {Method::automatic, Method::taylor}) check_collapse(method);
}

TEST_CASE("a sink that has seen enough stops the run") {
  const PlaneMechanism mechanism = built(pendulum());
  int rows = 0;
  const DynamicsRun run = dynamics(mechanism, {.to = 1, .steps = 100}, [&](std::span<const double>) { return ++rows < 10; });
  CHECK(run.outcome.kind == Outcome::Kind::stopped);
  CHECK(run.outcome.t == doctest::Approx(0.09).epsilon(1e-12));
  CHECK(rows == 10);
  CHECK(run.results.rows() == 0);
}

TEST_CASE("next to a dead position what is locked stays, and what is free to move moves") {
  // oracle: b1 and b2 are held by as many equations as they have coordinates, hardly independent (regularity 2.7e-7); b0 is a pendulum with two springs to
  // points that do not move, integrated on its own; every formulation gives the same
  const auto mechanism = load_plane(places::source() + "/tests/data/nearly-dead.toml");
  REQUIRE(mechanism.ok());
  const DynamicsRun run = done(*mechanism, {.to = 1, .steps = 2, .tolerance = 1e-11});
  for (const std::string column : {"b1.phi", "b2.phi", "b1.x", "b2.x"})
    for (const std::size_t row : {std::size_t{1}, std::size_t{2}}) CHECK(std::abs(at(run, row, column) - at(run, 0, column)) < 1e-8);

  const BodyData& b0 = mechanism->bodies[1];
  const auto point = [](const BodyData& body, const std::string& name) {
    const auto it = std::ranges::find(body.points, name, &BodyPoint::name);
    REQUIRE(it != body.points.end());
    return it->p_com;
  };
  const Vec2<double> pin = point(b0, "p2"), O = point(mechanism->bodies[0], "p1");
  struct Spring {
    Vec2<double> to, on;
    double stiffness, length;
  };
  const std::array springs{Spring{{at(run, 0, "b2.p7.x"), at(run, 0, "b2.p7.y")}, point(b0, "p8"), 24.342116706613055, 0.6290163736579832},
                           Spring{{at(run, 0, "b2.p9.x"), at(run, 0, "b2.p9.y")}, point(b0, "p10"), 13.946770421074056, 0.7512780130876722}};
  const double inertia = *b0.inertia + *b0.mass * dot(pin, pin);
  const auto acceleration = [&](double phi) {
    const double s = std::sin(phi), c = std::cos(phi);
    const auto arm = [&](const Vec2<double>& p) { return Vec2<double>{c * (p.x - pin.x) - s * (p.y - pin.y), s * (p.x - pin.x) + c * (p.y - pin.y)}; };
    const Vec2<double> com = arm({0, 0});
    double torque = -*b0.mass * kGravity * com.x;
    for (const Spring& spring : springs) {
      const Vec2<double> a = arm(spring.on), d = spring.to - (O + a);
      const double pull = spring.stiffness * (length(d) - spring.length) / length(d);
      torque += a.x * d.y * pull - a.y * d.x * pull;
    }
    return torque / inertia;
  };
  double phi = at(run, 0, "b0.phi"), rate = at(run, 0, "b0.vphi");
  const int n = 2000;
  const double h = 1.0 / n;
  for (int i = 0; i < n; ++i) {
    const double a1 = acceleration(phi), a2 = acceleration(phi + h / 2 * rate), a3 = acceleration(phi + h / 2 * rate + h * h / 4 * a1),
                 a4 = acceleration(phi + h * rate + h * h / 2 * a2);
    phi += h * rate + h * h / 6 * (a1 + a2 + a3);
    rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  CHECK(std::abs(at(run, 2, "b0.phi") - phi) < 1e-8);
  CHECK(std::abs(at(run, 2, "b0.vphi") - rate) < 1e-8);
  for (const Formulation formulation : kFormulations) {
    const DynamicsRun other = done(*mechanism, {.to = 1, .steps = 2, .tolerance = 1e-11, .formulation = formulation});
    CHECK(std::abs(at(other, 2, "b0.phi") - phi) < 1e-8);
  }
}

}  // namespace dynamics_test
