// Stops: impacts, contact and release along forward motions, by every method.
// Oracles: closed forms (free fall and its bounces, the pendulum's elliptic integral, constant friction, a shaken table), Newton's rule, and the balances of
// momentum and energy through a blow.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jounce/io/read_model.hpp"
#include "jounce/io/write_model.hpp"
#include "jounce/jounce.hpp"

using namespace jounce;

namespace {

constexpr double kFalls = 9.81;
constexpr double kImpactLocated = 1e-10;  // of a time of the order of a second
constexpr std::array kEveryMethod{Method::taylor, Method::dop853, Method::radau};

Mechanism stopped(const std::string& toml) {
  auto mechanism = Mechanism::from_text(toml, "m.toml");
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  return *std::move(mechanism);
}

std::vector<Event> of_kind(const Run& run, std::string_view kind) {
  std::vector<Event> out;
  std::ranges::copy_if(run.events, std::back_inserter(out), [&](const Event& event) { return event.kind == kind; });
  return out;
}

Run followed(const std::string& toml, double to, int steps, Method method = Method::automatic, double tolerance = 1e-12) {
  Run run = dynamics(stopped(toml), {.to = to, .steps = steps, .tolerance = tolerance, .method = method});
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence << text(run.problems));
  return run;
}

double value(const Run& run, std::string_view column, std::size_t row) { return run.results.column(column)[row]; }
double last(const Run& run, std::string_view column) { return value(run, column, run.results.rows() - 1); }

// π / 2 over the arithmetic-geometric mean of 1 and k'.
double elliptic(double k) {
  double a = 1, b = std::sqrt(1 - k * k);
  for (int i = 0; i < 8; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b), a = mean;
  }
  return std::numbers::pi / (2 * a);
}

std::string bouncing(double restitution, const std::string& bound = "0") {
  return "jounce = 1\ngravity = [0, -9.81]\n[bodies.ball]\nmass = 2\ninertia = 0.01\nposition = [0, 1.2]\n[stops.floor]\nof = \"ball.y\"\nmin = \"" + bound +
         "\"\nrestitution = " + std::to_string(restitution) + "\n";
}

const std::string kCrankAgainstWall = R"toml(
jounce = 1
[ground]
points = { O = [0, 0] }
[bodies.crank]
mass = 1
inertia = 0.1
points = { O = [0, 0] }
[joints]
pin = { type = "revolute", i = "ground.O", j = "crank.O" }
[drivers]
motor = { type = "angle", i = "ground", j = "crank", motion = "2*t" }
[stops]
wall = { of = "crank.phi", max = 1 }
)toml";

}  // namespace

TEST_CASE("a ball bounces at the times of the closed form and comes to rest where they end") {
  constexpr double e = 0.8, h = 1.2, m = 2;
  const double fall = std::sqrt(2 * h / kFalls), speed = std::sqrt(2 * kFalls * h), rest = fall * (1 + e) / (1 - e);
  for (const Method method : kEveryMethod) {
    CAPTURE(static_cast<int>(method));
    const Run run = followed(bouncing(e), 5, 50, method);
    const std::vector<Event> impacts = of_kind(run, "impact");
    REQUIRE(impacts.size() > 40);
    double t = fall, u = speed;
    for (const Event& impact : impacts) {
      CHECK(std::abs(impact.t - t) <= kImpactLocated);
      CHECK(std::abs(impact.impulse - m * (1 + e) * u) <= 1e-9 * m * speed);
      u *= e;
      t += 2 * u / kFalls;
    }
    const std::vector<Event> contacts = of_kind(run, "contact");
    REQUIRE(contacts.size() == 1);
    CHECK(std::abs(contacts[0].t - rest) <= kImpactLocated);
    CHECK(last(run, "floor.force") == doctest::Approx(m * kFalls).epsilon(1e-12));
    CHECK(std::abs(last(run, "floor.gap")) <= 1e-13);
    CHECK(std::abs(last(run, "ball.vy")) <= 1e-13);
    CHECK(std::abs(last(run, "energy.balance")) <= 1e-9 * m * kFalls * h);
    CHECK(value(run, "floor.force", 1) == 0);
  }
}

TEST_CASE("a ball that loses nothing bounces on and on") {
  const double fall = std::sqrt(2 * 1.2 / kFalls);
  const Run run = followed(bouncing(1), 20, 10);
  const std::vector<Event> impacts = of_kind(run, "impact");
  REQUIRE(impacts.size() == static_cast<std::size_t>((20 / fall + 1) / 2));
  for (std::size_t n = 0; n < impacts.size(); ++n) CHECK(std::abs(impacts[n].t - (2 * static_cast<double>(n) + 1) * fall) <= kImpactLocated);
  CHECK(std::abs(last(run, "energy.total") - 2 * kFalls * 1.2) <= 1e-10);
}

TEST_CASE("a table that is shaken hard enough lets go of what stands on it") {
  // y = A sin(ωt); it pushes while g − A ω² sin(ωt) > 0
  constexpr double amplitude = 0.05, omega = 20;
  const std::string toml =
      "jounce = 1\ngravity = [0, -9.81]\n[bodies.box]\nmass = 3\ninertia = 0.01\nvelocity = [0, 1]\n[stops.table]\nof = \"box.y\"\nmin = \"0.05*sin(20*t)\"\n";
  const double leaves = std::asin(kFalls / (amplitude * omega * omega)) / omega;
  for (const Method method : kEveryMethod) {
    CAPTURE(static_cast<int>(method));
    const Run run = followed(toml, 0.06, 60, method);
    const std::vector<Event> releases = of_kind(run, "release");
    REQUIRE(releases.size() == 1);
    CHECK(std::abs(releases[0].t - leaves) <= kImpactLocated);
    for (std::size_t row = 0; row < run.results.rows(); ++row) {
      const double t = value(run, "t", row);
      const double pushed = t < leaves ? 3 * (kFalls - amplitude * omega * omega * std::sin(omega * t)) : 0;
      CHECK(std::abs(value(run, "table.force", row) - pushed) <= 1e-9);
      CHECK(value(run, "table.gap", row) >= -1e-13);
    }
    CHECK(std::abs(last(run, "energy.balance")) <= 1e-10);
  }
}

TEST_CASE("what falls flat on two stops is thrown back by both") {
  const std::string toml = R"toml(
jounce = 1
gravity = [0, -9.81]
[bodies.plank]
mass = 2
inertia = 0.5
position = [0, 0.3]
points = { A = [-0.5, 0], B = [0.5, 0] }
[stops]
left = { of = "plank.A.y", min = 0, restitution = 0.5 }
right = { of = "plank.B.y", min = 0, restitution = 0.5 }
)toml";
  const double speed = std::sqrt(2 * kFalls * 0.3);
  const Run run = followed(toml, 2, 20);
  const std::vector<Event> impacts = of_kind(run, "impact");
  REQUIRE(impacts.size() >= 4);
  for (const std::size_t i : {0u, 1u}) {
    CHECK(std::abs(impacts[i].t - speed / kFalls) <= kImpactLocated);
    CHECK(impacts[i].impulse == doctest::Approx(1.5 * speed).epsilon(1e-12));  // half of m (1 + e) u each
  }
  CHECK(std::abs(last(run, "plank.phi")) <= 1e-12);
  CHECK(last(run, "left.force") == doctest::Approx(kFalls).epsilon(1e-11));
  CHECK(last(run, "right.force") == doctest::Approx(kFalls).epsilon(1e-11));
}

TEST_CASE("a cradle hands the blow on to its last ball, and keeps momentum and energy") {
  constexpr double length = 0.5, r = 0.02, mass = 0.1, from = 0.6;
  std::string toml = "jounce = 1\ngravity = [0, -9.81]\n[ground.points]\n";
  for (int i = 1; i <= 5; ++i) toml += "P" + std::to_string(i) + " = [" + std::to_string(2 * r * i) + ", 0]\n";
  for (int i = 1; i <= 5; ++i) {
    const std::string n = std::to_string(i);
    toml += "[bodies.ball" + n + "]\nmass = 0.1\ninertia = 1.6e-5\ncom = [0, -0.5]\npoints = { top = [0, 0], centre = [0, -0.5] }\nposition = [" + std::to_string(2 * r * i) +
            ", 0]\nangle = " + (i == 1 ? "-0.6" : "0") + "\n[joints.thread" + n + "]\ntype = \"revolute\"\ni = \"ground.P" + n + "\"\nj = \"ball" + n + ".top\"\n";
  }
  for (int i = 1; i < 5; ++i) {
    const std::string a = "ball" + std::to_string(i), b = "ball" + std::to_string(i + 1);
    toml += "[stops.hit" + std::to_string(i) + "]\nof = \"distance(" + a + ".centre, " + b + ".centre)\"\nmin = 0.04\nrestitution = 1\n";
  }
  const double inertia = 1.6e-5 + mass * length * length;
  const double quarter = elliptic(std::sin(from / 2)) / std::sqrt(mass * kFalls * length / inertia);
  const double fastest = std::sqrt(2 * mass * kFalls * length * (1 - std::cos(from)) / inertia);
  for (const Method method : kEveryMethod) {
    CAPTURE(static_cast<int>(method));
    const Run run = followed(toml, 6.5 * quarter, 260, method, method == Method::radau ? 1e-11 : 1e-12);
    const std::vector<Event> impacts = of_kind(run, "impact");
    REQUIRE(impacts.size() == 12);
    for (std::size_t i = 0; i < impacts.size(); ++i) {
      CHECK(std::abs(impacts[i].t - quarter * (1 + 2 * static_cast<double>(i / 4))) <= 2 * kImpactLocated);
      // rates of gaps are length times those of angles, and so the impulse is that of the angular momentum over the length
      CHECK(impacts[i].impulse == doctest::Approx(inertia * fastest / length).epsilon(1e-9));
    }
    const double energy = mass * kFalls * length * (1 - std::cos(from)) - 5 * mass * kFalls * length;
    for (std::size_t row = 0; row < run.results.rows(); ++row) CHECK(std::abs(value(run, "energy.total", row) - energy) <= 1e-9 * std::abs(energy));
    // at the first turn of the last ball all others hang still
    const std::size_t turn = 80;
    CHECK(std::abs(value(run, "ball5.phi", turn) - from) <= 1e-8);
    for (const char* still : {"ball1.phi", "ball2.phi", "ball3.phi", "ball4.phi"}) CHECK(std::abs(value(run, still, turn)) <= 1e-10);
  }
}

TEST_CASE("friction and a stop in one run: it slides, is thrown back and sticks") {
  // friction F decelerates by F/m all the way
  constexpr double f = 3, m = 2, v0 = 2, way = 0.5, e = 0.6;
  const std::string toml = R"toml(
jounce = 1
[ground]
points = { far = [-1, 0], o = [0, 0], x = [1, 0] }
[bodies.slide]
mass = 2
inertia = 0.1
velocity = [2, 0]
points = { o = [0, 0], x = [1, 0] }
[joints.guide]
type = "translational"
slot = ["ground.o", "ground.x"]
slider = ["slide.o", "slide.x"]
[forces.brake]
type = "spring"
i = "ground.far"
j = "slide.o"
free_length = 1
stiffness = 0
friction = 3
friction_speed = 0
[stops.buffer]
of = "slide.x"
max = 0.5
restitution = 0.6
)toml";
  const double a = f / m, v1 = std::sqrt(v0 * v0 - 2 * a * way), t1 = (v0 - v1) / a, t2 = t1 + e * v1 / a;
  for (const Method method : kEveryMethod) {
    CAPTURE(static_cast<int>(method));
    const Run run = followed(toml, 2, 20, method);
    const std::vector<Event> impacts = of_kind(run, "impact"), sticks = of_kind(run, "stick");
    REQUIRE(impacts.size() == 1);
    REQUIRE(sticks.size() == 1);
    CHECK(std::abs(impacts[0].t - t1) <= kImpactLocated);
    CHECK(impacts[0].impulse == doctest::Approx(m * (1 + e) * v1).epsilon(1e-10));
    CHECK(std::abs(sticks[0].t - t2) <= kImpactLocated);
    CHECK(std::abs(last(run, "slide.x") - (way - e * e * v1 * v1 / (2 * a))) <= 1e-10);
    CHECK(last(run, "slide.vx") == 0);
  }
}

TEST_CASE("a pendulum between two bounds of its angle") {
  const std::string toml = R"toml(
jounce = 1
gravity = [0, -9.81]
[ground]
points = { O = [0, 0] }
[bodies.rod]
mass = 1.5
inertia = 0.08
com = [0, -0.4]
angle = 0.3
points = { O = [0, 0] }
[joints]
pin = { type = "revolute", i = "ground.O", j = "rod.O" }
[stops.pegs]
of = "rod.phi"
min = "-10*deg"
max = 0.31
restitution = 0.7
)toml";
  const double inertia = 0.08 + 1.5 * 0.16, weight = 1.5 * kFalls * 0.4, peg = 10 * std::numbers::pi / 180;
  const double omega = std::sqrt(2 * weight * (std::cos(peg) - std::cos(0.3)) / inertia);
  const Run run = followed(toml, 1, 200);
  const std::vector<Event> impacts = of_kind(run, "impact");
  REQUIRE(impacts.size() >= 1);
  CHECK(impacts[0].impulse == doctest::Approx(inertia * 1.7 * omega).epsilon(1e-10));
  CHECK(impacts[0].sentence.find("N m s") != std::string::npos);
  for (std::size_t row = 0; row < run.results.rows(); ++row) {
    const double phi = value(run, "rod.phi", row);
    CHECK(value(run, "pegs.gap", row) == doctest::Approx(std::min(phi + peg, 0.31 - phi)).epsilon(1e-14));
    CHECK(value(run, "pegs.gap", row) >= -1e-13);
  }
  for (const Column& column : run.results.columns()) {
    if (column.name == "pegs.force") CHECK(column.unit == "N m");
    if (column.name == "pegs.gap") CHECK(column.unit == "rad");
  }
}

TEST_CASE("a stop that is passed at the start, and one that a driver runs into, end a run with their names") {
  const Run passed = dynamics(stopped(bouncing(0.5, "1.3")), {.to = 1, .steps = 10});
  CHECK(passed.outcome.kind == Outcome::Kind::conflicting);
  CHECK(text(passed.problems).find("m.toml:7:8: error: stop 'floor' is passed by 0.1 m at t = 0 s") != std::string::npos);

  const Run jammed = dynamics(stopped(kCrankAgainstWall), {.to = 1, .steps = 10});
  CHECK(jammed.outcome.kind == Outcome::Kind::conflicting);
  CHECK(jammed.outcome.t == doctest::Approx(0.5).epsilon(1e-12));
  CHECK(text(jammed.problems).find("stop 'wall' is hit by what is prescribed, and nothing can give way at t = 0.5 s") != std::string::npos);
  CHECK(jammed.results.rows() == 6);
}

TEST_CASE("stops are written as they were read, and their columns can be named") {
  const std::string toml = bouncing(0.8) + "[measures]\nshare = \"floor.force / (2*9.81)\"\nroom = \"floor.gap\"\n[events.low]\nwhen = \"floor.gap - 0.6\"\n";
  const Model model = stopped(toml).model();
  CHECK(stopped(write_model(model)).model() == model);
  const Run run = followed(toml, 5, 50);
  CHECK(last(run, "share") == doctest::Approx(1).epsilon(1e-12));
  CHECK(value(run, "room", 0) == doctest::Approx(1.2));
  CHECK(std::abs(of_kind(run, "event")[0].t - std::sqrt(2 * 0.6 / kFalls)) <= 1e-12);
}

TEST_CASE("a ball bounces in space as it does in the plane: free, on a slide, and on a slide with limits") {
  constexpr double e = 0.8, h = 1.2, m = 2;
  const std::string head = "jounce = 1\nspace = \"3d\"\ngravity = [0, -9.81, 0]\n[bodies.ball]\nmass = 2\ninertia = [0.01, 0.02, 0.03, 0, 0, 0]\n[joints.air]\nparent = \"ground\"\nchild = \"ball\"\n";
  const std::string free = head + "type = \"free\"\nq = [1, 0, 0, 0, 0, 1.2, 0]\n[stops.floor]\nof = \"ball.y\"\nmin = 0\nrestitution = 0.8\n";
  const std::string slide = head + "type = \"prismatic\"\naxis = [0, 1, 0]\nq = [1.2]\n[stops.floor]\nof = \"air.q1\"\nmin = 0\nrestitution = 0.8\n";
  const double fall = std::sqrt(2 * h / kFalls), speed = std::sqrt(2 * kFalls * h), rest = fall * (1 + e) / (1 - e);
  for (const std::string& toml : {free, slide})
    for (const Method method : {Method::dop853, Method::radau}) {
      CAPTURE(toml);
      CAPTURE(static_cast<int>(method));
      const Run run = followed(toml, 5, 50, method);
      const std::vector<Event> impacts = of_kind(run, "impact"), contacts = of_kind(run, "contact");
      REQUIRE(impacts.size() > 40);
      double t = fall, u = speed;
      for (const Event& impact : impacts) {
        CHECK(std::abs(impact.t - t) <= kImpactLocated);
        CHECK(std::abs(impact.impulse - m * (1 + e) * u) <= 1e-9 * m * speed);
        u *= e;
        t += 2 * u / kFalls;
      }
      REQUIRE(contacts.size() == 1);
      CHECK(std::abs(contacts[0].t - rest) <= kImpactLocated);
      CHECK(last(run, "floor.force") == doctest::Approx(m * kFalls).epsilon(1e-12));
      CHECK(std::abs(last(run, "floor.gap")) <= 1e-13);
      CHECK(std::abs(last(run, "energy.balance")) <= 1e-9 * m * kFalls * h);
    }
  // limits of a dof are a stop without restitution
  const Run limited = followed(head + "type = \"prismatic\"\naxis = [0, 1, 0]\nq = [1.2]\ndofs = [{ limits = [0.2, 2] }]\n", 1, 10);
  const std::vector<Event> hits = of_kind(limited, "impact");
  REQUIRE(hits.size() == 1);
  CHECK(std::abs(hits[0].t - std::sqrt(2 / kFalls)) <= kImpactLocated);
  CHECK(last(limited, "air-limit.force") == doctest::Approx(m * kFalls).epsilon(1e-12));
  CHECK(std::abs(last(limited, "air.q1") - 0.2) <= 1e-13);
}

TEST_CASE("a pendulum on its peg, plane and space, in a loop and by itself, gives the same push") {
  // oracle: the plane; statics, weight times arm; the impulse I (1 + e) w
  const std::string plane = R"toml(
jounce = 1
gravity = [0, -9.81]
[ground]
points = { O = [0, 0] }
[bodies.rod]
mass = 1.5
inertia = 0.08
com = [0.4, 0]
angle = 0.5
points = { O = [0, 0], tip = [0.8, 0] }
[joints]
pin = { type = "revolute", i = "ground.O", j = "rod.O" }
[stops.peg]
of = "rod.tip.y"
min = -0.1
restitution = 0.3
)toml";
  const std::string space = R"toml(
jounce = 1
space = "3d"
gravity = [0, -9.81, 0]
[ground]
points = { far = [0, -1, 0] }
[bodies.rod]
mass = 1.5
inertia = [0.01, 0.08, 0.08, 0, 0, 0]
com = [0.4, 0, 0]
points = { tip = [0.8, 0, 0] }
[joints.pin]
type = "revolute"
parent = "ground"
child = "rod"
axis = [0, 0, 1]
q = [0.5]
[stops.peg]
of = "rod.tip.y"
min = -0.1
restitution = 0.3
)toml";
  const double phi = std::asin(-0.1 / 0.8), inertia = 0.08 + 1.5 * 0.16;
  const double omega = std::sqrt(2 * 1.5 * kFalls * 0.4 * (std::sin(0.5) - std::sin(phi)) / inertia);
  const Run in_plane = followed(plane, 2, 40), in_space = followed(space, 2, 40);
  for (const Run* run : {&in_plane, &in_space}) {
    const std::vector<Event> impacts = of_kind(*run, "impact");
    REQUIRE(impacts.size() > 5);
    CHECK(impacts[0].impulse == doctest::Approx(inertia * 1.3 * omega / (0.8 * std::cos(phi))).epsilon(1e-9));
    CHECK(last(*run, "peg.force") == doctest::Approx(1.5 * kFalls * 0.4 / 0.8).epsilon(1e-9));
  }
  for (std::size_t row = 0; row < in_plane.results.rows(); ++row) {
    CHECK(std::abs(value(in_plane, "rod.tip.y", row) - value(in_space, "rod.tip.y", row)) <= 1e-8);
    CHECK(std::abs(value(in_plane, "peg.force", row) - value(in_space, "peg.force", row)) <= 1e-7);
  }
}

TEST_CASE("a block slides down a rough guide, strikes a stop and leans on it: friction of the joint and a stop together") {
  // a = g (sin α − μ cos α); at rest friction gives all that it can, and the stop carries the rest
  constexpr double alpha = 0.6, mu = 0.25, way = 0.8, m = 3;
  const std::string plane = R"toml(
jounce = 1
gravity = [0, -9.81]
[ground]
points = { o = [0, 0], x = ["cos(-0.6)", "sin(-0.6)"] }
[bodies.block]
mass = 3
inertia = 0.1
angle = -0.6
points = { o = [0, 0], x = [1, 0] }
[joints.guide]
type = "translational"
slot = ["ground.o", "ground.x"]
slider = ["block.o", "block.x"]
friction = { coefficient = 0.25, speed = 0 }
[stops.end]
of = "block.x*cos(0.6) - block.y*sin(0.6)"
max = 0.8
)toml";
  const std::string space = R"toml(
jounce = 1
space = "3d"
gravity = [0, -9.81, 0]
[bodies.block]
mass = 3
inertia = [0.1, 0.1, 0.1, 0, 0, 0]
[joints.guide]
type = "prismatic"
parent = "ground"
child = "block"
axis = ["cos(-0.6)", "sin(-0.6)", 0]
friction = { coefficient = 0.25, speed = 0 }
[stops.end]
of = "guide.q1"
max = 0.8
)toml";
  const double a = kFalls * (std::sin(alpha) - mu * std::cos(alpha)), t = std::sqrt(2 * way / a);
  for (const std::string& toml : {plane, space})
    for (const Method method : {Method::dop853, Method::radau}) {
      CAPTURE(toml);
      CAPTURE(static_cast<int>(method));
      const Run run = followed(toml, 2, 20, method, 1e-11);
      const std::vector<Event> impacts = of_kind(run, "impact");
      REQUIRE(impacts.size() == 1);
      CHECK(std::abs(impacts[0].t - t) <= kImpactLocated);
      CHECK(impacts[0].impulse == doctest::Approx(m * a * t).epsilon(1e-9));
      CHECK(last(run, "end.force") == doctest::Approx(m * a).epsilon(1e-9));
      CHECK(std::abs(last(run, "guide.friction")) == doctest::Approx(mu * m * kFalls * std::cos(alpha)).epsilon(1e-9));
      CHECK(std::abs(last(run, "energy.balance")) <= 1e-9);
    }
}

TEST_CASE("what a stop has brought to rest rubs no more: it leans on the stop with what friction leaves") {
  // 5 N push it; friction can hold 0.3 m g of them, and the stop carries the rest, from the contact on
  constexpr double held = 0.3 * kFalls;
  const std::string toml = R"toml(
jounce = 1
gravity = [0, -9.81]
[ground]
points = { O = [0, 0], X = [1, 0] }
[bodies.s]
mass = 1
inertia = 0.01
velocity = [1, 0]
points = { P = [0, 0], Q = [0.1, 0] }
[joints.g]
type = "translational"
slot = ["ground.O", "ground.X"]
slider = ["s.P", "s.Q"]
friction = { coefficient = 0.3, speed = 0 }
[forces.f]
type = "force"
on = "s.P"
value = [5, 0]
[stops.w]
of = "s.x"
max = 0.5
restitution = 0.5
)toml";
  for (const Method method : kEveryMethod) {
    CAPTURE(static_cast<int>(method));
    const Run run = followed(toml, 2, 200, method, 1e-10);
    const std::vector<Event> contacts = of_kind(run, "contact");
    REQUIRE(contacts.size() == 1);
    for (std::size_t row = 0; row < run.results.rows(); ++row) {
      if (value(run, "t", row) <= contacts[0].t) continue;
      CHECK(value(run, "w.force", row) == doctest::Approx(5 - held).epsilon(1e-9));
      CHECK(value(run, "g.friction", row) == doctest::Approx(-held).epsilon(1e-9));
    }
  }
}

TEST_CASE("analyses that do not hold stops say that they are passed") {
  for (const Analysis analysis : {Analysis::kinematics, Analysis::inverse}) {
    const Run run = jounce::run(stopped(kCrankAgainstWall), analysis, {.to = 1, .steps = 10});
    CHECK(run.outcome.done());
    CHECK(text(run.problems).find("warning: stop 'wall' is passed at t = 0.6 s: ") != std::string::npos);
    CHECK(last(run, "wall.gap") == doctest::Approx(-1));
  }
  CHECK(text(kinematics(stopped(kCrankAgainstWall), {.to = 0.5, .steps = 10}).problems).empty());
}
