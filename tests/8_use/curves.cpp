// What touches curves: pins in curved slots, rollers and flat faces on cams.
// Oracles: the built-in joints that say the same (a circular slot is a rod, a straight one a pin in a slot); closed forms of
// the eccentric circle and of the support function of an ellipse; an equation that the user writes; the order of the spline.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>

#include "jounce/jounce.hpp"
#include "jounce/math/dense.hpp"

using namespace jounce;

namespace {

Mechanism with_curves(const std::string& toml) {
  auto mechanism = Mechanism::from_text(toml, "m.toml");
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  return *std::move(mechanism);
}

std::string points_around(int n, const std::function<std::array<double, 2>(double)>& at) {
  std::string out = "[";
  for (int k = 0; k < n; ++k) {
    const auto [x, y] = at(2 * std::numbers::pi * k / n);
    std::array<char, 80> one{};
    std::snprintf(one.data(), one.size(), "%s[%.17g, %.17g]", k > 0 ? ", " : "", x, y);
    out += one.data();
  }
  return out + "]";
}

// Of the largest number of each column, or of `least`.
double apart_of_largest(const Run& a, const Run& b, const std::vector<std::string>& columns, double least = 1e-2) {
  REQUIRE_MESSAGE(a.outcome.done(), a.outcome.sentence);
  REQUIRE_MESSAGE(b.outcome.done(), b.outcome.sentence);
  double out = 0;
  for (const std::string& name : columns) {
    CAPTURE(name);
    const auto x = a.results.column(name), y = b.results.column(name);
    REQUIRE(x.size() == y.size());
    const double size = std::max(least, largest(x));
    for (std::size_t i = 0; i < x.size(); ++i) out = std::max(out, std::abs(x[i] - y[i]) / size);
  }
  return out;
}

// A crank, a coupler whose end is held by `last`, and a link about C that some of them use, drawn so that its Q is 0.15 from P.
std::string curved_linkage(const std::string& last, bool driven = false, const std::string& link = "2.3331881722044985") {
  return R"toml(
jounce = 1
gravity = [0, -9.81]
[ground]
points = { O = [0, 0], C = [0.5, 0.05] }
[bodies.crank]
mass = 1
inertia = 0.01
com = [0.05, 0]
angle = 1
points = { O = [0, 0], A = [0.1, 0] }
[bodies.coupler]
mass = 2
inertia = 0.05
com = [0.2, 0.03]
position = [0.05403023058681398, 0.08414709848078966]
angle = 0.2
points = { A = [0, 0], P = [0.4, 0.1] }
[bodies.link]
mass = 1.5
inertia = 0.02
com = [0.1, 0.02]
position = [0.5, 0.05]
angle = )toml" +
         link + R"toml(
points = { C = [0, 0], Q = [0.25, 0.05], S = [0, 0.1], T = [0.5, 0.3] }
[joints]
O = { type = "revolute", i = "ground.O", j = "crank.O" }
A = { type = "revolute", i = "crank.A", j = "coupler.A" }
L = { type = "revolute", i = "ground.C", j = "link.C" }
)toml" + last +
         (driven ? "[drivers]\nm = { type = \"angle\", i = \"ground\", j = \"crank\", motion = \"1 + 6*t + 0.3*sin(t)\" }\n"
                   "n = { type = \"angle\", i = \"ground\", j = \"link\", motion = \"2 + 0.2*sin(3*t)\" }\n"
                 : "");
}
const std::vector<std::string> kCurveColumns{
    "crank.phi",      "crank.vphi",   "crank.aphi", "crank.jphi",     "crank.sphi", "coupler.x", "coupler.jy",
    "coupler.sy",     "coupler.sphi", "link.phi",   "link.aphi",      "link.sphi",  "O.fx",      "O.fy",
    "O.lambda1_rate", "A.fy",         "L.fx",       "L.lambda2_rate", "B.fx",       "B.fy",      "B.torque"};

// A cam about the ground's origin that turns by `motion`, and a follower that slides along y at x = `offset`.
std::string cam_model(const std::string& joint, const std::string& motion = "3*t", double offset = 0,
                      const std::string& more = "") {
  return R"toml(
jounce = 1
gravity = [0, -9.81]
[bodies.cam]
mass = 2
inertia = 0.01
com = [0.003, -0.002]
points = { E = [0.012, 0] }
[bodies.follower]
mass = 0.5
inertia = 0.001
position = [)toml" +
         std::to_string(offset) + R"toml(, 0.08]
points = { R = [0, 0], A = [-0.03, 0], B = [0.03, 0] }
[joints]
shaft = { type = "revolute", i = "ground.origin", j = "cam.origin" }
upright = { type = "coordinate", j = "follower.phi", offset = 0 }
guide = { type = "coordinate", j = "follower.x", offset = )toml" +
         std::to_string(offset) + " }\n" + joint + more +
         (motion.empty()
              ? ""
              : "[drivers]\nmotor = { type = \"angle\", i = \"ground\", j = \"cam\", motion = \"" + motion + "\" }\n");
}

double worst_over_turn(const Run& run, const std::string& column, const std::function<double(double)>& of_angle) {
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  const auto angle = run.results.column("cam.phi"), found = run.results.column(column);
  double out = 0;
  for (std::size_t k = 0; k < angle.size(); ++k) out = std::max(out, std::abs(found[k] - of_angle(angle[k])));
  return out;
}

}  // namespace

TEST_CASE(
    "a pin in a circular slot is a rod, to snap and to the rates of multipliers, on the ground and on a body that moves") {
  const std::string rod = "B = { type = \"distance\", i = \"link.Q\", j = \"coupler.P\", length = 0.15 }\n";
  const std::string slot =
      "B = { type = \"point-on-curve\", i = \"link\", pin = \"coupler.P\", centre = \"Q\", radius = 0.15 }\n";
  const Mechanism a = with_curves(curved_linkage(rod)), b = with_curves(curved_linkage(slot));
  for (const Method method : {Method::taylor, Method::dop853, Method::radau}) {
    CAPTURE(word(method));
    const Options options{.to = 0.5, .steps = 10, .tolerance = 1e-10, .method = method};
    CHECK(apart_of_largest(dynamics(a, options), dynamics(b, options), kCurveColumns) <
          1e-6);  // both integrate to 1e-10 a step
    const Options instant{.to = 1e-9, .steps = 1, .method = method};
    CHECK(apart_of_largest(dynamics(a, instant), dynamics(b, instant), kCurveColumns) < 1e-12);
  }
  // the multiplier of the rod is that of |d|² − L², of the slot that of a distance: 2 L between them
  const Run x = dynamics(a, {.to = 1e-9, .steps = 1}), y = dynamics(b, {.to = 1e-9, .steps = 1});
  CHECK(y.results.column("B.lambda1")[0] == doctest::Approx(0.3 * x.results.column("B.lambda1")[0]).epsilon(1e-12));
  CHECK(y.results.column("B.lambda1_rate")[0] == doctest::Approx(0.3 * x.results.column("B.lambda1_rate")[0]).epsilon(1e-12));
  const Run p = inverse(
      with_curves(curved_linkage("B = { type = \"distance\", i = \"ground.C\", j = \"coupler.P\", length = 0.3 }\n", true)),
      {.to = 1, .steps = 40});
  const Run q = inverse(
      with_curves(curved_linkage(
          "B = { type = \"point-on-curve\", i = \"ground\", pin = \"coupler.P\", centre = \"C\", radius = 0.3 }\n", true)),
      {.to = 1, .steps = 40});
  CHECK(apart_of_largest(p, q, kCurveColumns) < 1e-12);
  CHECK(apart_of_largest(p, q, {"m.effort", "n.effort"}) < 1e-12);
  // the pin on the ground, the curve on what moves: the reaction is that on the ground
  const Run r = inverse(
      with_curves(curved_linkage("B = { type = \"distance\", i = \"coupler.P\", j = \"ground.C\", length = 0.3 }\n", true)),
      {.to = 1, .steps = 40});
  const Run s = inverse(
      with_curves(curved_linkage(
          "B = { type = \"point-on-curve\", i = \"coupler\", pin = \"ground.C\", centre = \"P\", radius = 0.3 }\n", true)),
      {.to = 1, .steps = 40});
  CHECK(apart_of_largest(r, s, kCurveColumns) < 1e-12);
}

TEST_CASE("a slot through points of a straight line is a pin in a slot") {
  const std::string straight =
      "B = { type = \"point-on-curve\", i = \"link\", pin = \"coupler.P\", points = [[-1, -0.3], [0, 0.1], [0.5, 0.3], [1.5, "
      "0.7]] }\n";
  const std::string kOnLine = "1.098740917559763";  // of the link, with P on the line
  const std::string built_in = "B = { type = \"pin-in-slot\", slot = [\"link.S\", \"link.T\"], pin = \"coupler.P\" }\n";
  const Run a = dynamics(with_curves(curved_linkage(built_in, false, kOnLine)), {.to = 1e-9, .steps = 1}),
            b = dynamics(with_curves(curved_linkage(straight, false, kOnLine)), {.to = 1e-9, .steps = 1});
  CHECK(apart_of_largest(a, b, kCurveColumns) < 1e-11);
  CHECK(std::abs(b.results.column("B.curvature")[0]) < 1e-12);
  CHECK(b.results.column("B.curvature_radius")[0] == 0);
}

TEST_CASE("every formulation takes curves, and energy is kept along a spline") {
  const auto circle = [](double u) { return std::array{0.25 + 0.15 * std::cos(u), 0.05 + 0.15 * std::sin(u)}; };
  const std::string spline = "B = { type = \"point-on-curve\", i = \"link\", pin = \"coupler.P\", closed = true, points = " +
                             points_around(24, circle) + " }\n";
  const Mechanism m = with_curves(curved_linkage(spline));
  const ComparisonResult c = compare(m, 0);
  REQUIRE(c.comparison.has_value());
  CHECK(c.comparison->disagreement() < 1e-11);
  int applied = 0;
  for (const auto& f : c.comparison->formulations) applied += f.applies() ? 1 : 0;
  CHECK(applied == 6);
  for (const Method method : {Method::taylor, Method::radau}) {
    CAPTURE(word(method));
    const Run run = dynamics(m, {.to = 1, .steps = 20, .tolerance = 1e-9, .method = method});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    CHECK(largest(run.results.column("energy.balance")) < 1e-6);
  }
}

TEST_CASE("a spline follows an ellipse with an error of sixth order") {
  const auto ellipse = [](double u) { return std::array{0.3 * std::cos(u), 0.2 * std::sin(u)}; };
  const auto body = [](const std::string& joint) {
    return R"toml(
jounce = 1
[bodies.pin]
position = [0.29, 0.05]
[joints]
upright = { type = "coordinate", j = "pin.phi", offset = 0 }
)toml" + joint +
           "[drivers]\nx = { type = \"coordinate\", j = \"pin.x\", offset = 0, motion = \"0.29*cos(t)\" }\n";
  };
  const Options options{.to = 3, .steps = 60};
  const Run exact =
      kinematics(with_curves(body("on = { type = \"equation\", of = \"(pin.x/0.3)^2 + (pin.y/0.2)^2 - 1\" }\n")), options);
  std::vector<double> error;
  for (const int n : {24, 48}) {
    const Run found = kinematics(
        with_curves(body("on = { type = \"point-on-curve\", i = \"ground\", pin = \"pin.origin\", closed = true, points = " +
                         points_around(n, ellipse) + " }\n")),
        options);
    error.push_back(apart_of_largest(exact, found, {"pin.y"}));
    CHECK(apart_of_largest(exact, found, {"pin.ay"}) < 1e4 * error.back());
    // curvature of x = a cos u, y = b sin u: a b / (a² sin² u + b² cos² u)^(3/2)
    const auto x = found.results.column("pin.x"), bend = found.results.column("on.curvature");
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double cosine = x[k] / 0.3, speed = 0.09 * (1 - cosine * cosine) + 0.04 * cosine * cosine;
      CHECK(bend[k] == doctest::Approx(0.06 / (speed * std::sqrt(speed))).epsilon(n == 24 ? 2e-2 : 1e-3));
    }
  }
  CHECK(error[1] < 1e-6);
  CHECK(error[0] / error[1] > 30);  // 64 where the points are dense enough
  // its length, as the pin goes round: s of the half of it; Ramanujan's second formula is exact to 1e-9 here
  const double h = (0.1 * 0.1) / (0.5 * 0.5), round = std::numbers::pi * 0.5 * (1 + 3 * h / (10 + std::sqrt(4 - 3 * h)));
  const Run dense = kinematics(
      with_curves(body("on = { type = \"point-on-curve\", i = \"ground\", pin = \"pin.origin\", closed = true, points = " +
                       points_around(64, ellipse) + " }\n")),
      {.to = std::numbers::pi / 2, .steps = 1});
  REQUIRE_MESSAGE(dense.outcome.done(), dense.outcome.sentence);
  CHECK(dense.results.column("on.s").back() == doctest::Approx(round / 4).epsilon(1e-7));
}

TEST_CASE("an eccentric circle under a roller: lift, pressure angle and curvature in closed form") {
  const double e = 0.012, R = 0.03, r = 0.01;
  for (const double offset : {0.0, 0.006}) {
    CAPTURE(offset);
    const std::string keys = " roller = \"follower.R\", roller_radius = 0.01, travel = [0, 1], i = \"cam\"";
    const auto lift = [&](double a) {
      return e * std::sin(a) + std::sqrt((R + r) * (R + r) - (offset - e * std::cos(a)) * (offset - e * std::cos(a)));
    };
    const auto pressure = [&](double a) { return std::abs(std::asin((offset - e * std::cos(a)) / (R + r))); };
    const Run arc = inverse(
        with_curves(cam_model("lift = { type = \"cam-roller\", centre = \"E\", radius = 0.03," + keys + " }\n", "3*t", offset)),
        {.to = 2.1, .steps = 40});
    CHECK(worst_over_turn(arc, "follower.y", lift) < 1e-15);
    CHECK(worst_over_turn(arc, "lift.pressure_angle", pressure) < 1e-14);
    CHECK(worst_over_turn(arc, "lift.curvature_radius", [&](double) { return R; }) < 1e-16);
    // the force across the contact carries the follower along y: N cos(alpha) = m (g + a), along the normal
    const auto N = arc.results.column("lift.contact_force"), ay = arc.results.column("follower.ay"),
               alpha = arc.results.column("lift.pressure_angle");
    for (std::size_t k = 0; k < N.size(); ++k)
      CHECK(N[k] * std::cos(alpha[k]) == doctest::Approx(0.5 * (9.81 + ay[k])).epsilon(1e-12));
    // the same circle through points, which are given clockwise
    const std::string points = points_around(60, [&](double u) { return std::array{e + R * std::cos(-u), R * std::sin(-u)}; });
    const Run spline = inverse(
        with_curves(cam_model("lift = { type = \"cam-roller\", points = " + points + "," + keys + " }\n", "3*t", offset)),
        {.to = 2.1, .steps = 40});
    CHECK(worst_over_turn(spline, "follower.y", lift) < 1e-11);
    CHECK(worst_over_turn(spline, "lift.pressure_angle", pressure) < 1e-8);
    CHECK(apart_of_largest(arc, spline, {"follower.vy", "follower.ay", "motor.effort"}) < 2e-6);
    CHECK(apart_of_largest(arc, spline, {"follower.sy"}) < 1e-2);
  }
}

TEST_CASE("a ring that holds a roller inside, and a follower that turns about a pin") {
  // inside a circle of radius 0.1 about E a roller of radius 0.01 is at 0.09 from E
  const std::string ring =
      "lift = { type = \"cam-roller\", i = \"cam\", centre = \"E\", radius = 0.1, side = \"inside\", roller = \"follower.R\", "
      "roller_radius = 0.01 }\n";
  const Run inside = kinematics(with_curves(cam_model(ring)), {.to = 2.1, .steps = 20});
  CHECK(worst_over_turn(inside, "follower.y", [](double a) {
          return 0.012 * std::sin(a) + std::sqrt(0.09 * 0.09 - std::pow(0.012 * std::cos(a), 2));
        }) < 1e-15);
  CHECK(worst_over_turn(inside, "lift.curvature_radius", [](double) { return -0.1; }) < 1e-15);  // hollow
  // an arm from P to the roller: the cosine rule in the triangle of P, the roller and the centre of the circle
  const std::string arm = R"toml(
jounce = 1
[ground]
points = { P = [0.08, 0.05] }
[bodies.cam]
points = { E = [0.012, 0] }
[bodies.arm]
position = [0.08, 0.05]
angle = "180*deg"
points = { P = [0, 0], R = [0.07, 0] }
[joints]
shaft = { type = "revolute", i = "ground.origin", j = "cam.origin" }
pin = { type = "revolute", i = "ground.P", j = "arm.P" }
lift = { type = "cam-roller", i = "cam", centre = "E", radius = 0.03, roller = "arm.R", roller_radius = 0.01, pivot = "arm.P" }
[drivers]
motor = { type = "angle", i = "ground", j = "cam", motion = "2*t" }
)toml";
  const Run run = kinematics(with_curves(arm), {.to = 3, .steps = 30});
  const auto triangle = [](double a) {
    const double dx = 0.012 * std::cos(a) - 0.08, dy = 0.012 * std::sin(a) - 0.05, d = std::hypot(dx, dy);
    return std::array{
        std::atan2(dy, dx) - std::acos((0.07 * 0.07 + d * d - 0.04 * 0.04) / (2 * 0.07 * d)) + 2 * std::numbers::pi,
        std::acos((0.07 * 0.07 + 0.04 * 0.04 - d * d) / (2 * 0.07 * 0.04))};
  };
  CHECK(worst_over_turn(run, "arm.phi", [&](double a) { return triangle(a)[0]; }) < 1e-14);
  // between the normal and the arm stands the angle of the triangle at the roller; the way is square to the arm
  CHECK(worst_over_turn(run, "lift.pressure_angle", [&](double a) { return std::abs(std::numbers::pi / 2 - triangle(a)[1]); }) <
        1e-13);
}

TEST_CASE("a flat face on an eccentric circle and on an ellipse: the support function") {
  const std::string keys = " i = \"cam\", face = [\"follower.A\", \"follower.B\"], travel = [0, 1]";
  const Run circle =
      inverse(with_curves(cam_model("lift = { type = \"cam-flat\", centre = \"E\", radius = 0.03," + keys + " }\n")),
              {.to = 2.1, .steps = 40});
  CHECK(worst_over_turn(circle, "follower.y", [](double a) { return 0.012 * std::sin(a) + 0.03; }) < 1e-15);
  CHECK(worst_over_turn(circle, "lift.curvature_radius", [](double) { return 0.03; }) < 1e-16);
  CHECK(worst_over_turn(circle, "lift.pressure_angle", [](double) { return 0.0; }) < 1e-15);
  // y = R + e sin a moves as a sine does: snap e w^4 sin a at w = 3
  CHECK(worst_over_turn(circle, "follower.sy", [](double a) { return 0.012 * 81 * std::sin(a); }) < 1e-11);
  // the force acts at the centre line of the circle: moment e cos a about the middle of the face
  const auto N = circle.results.column("lift.contact_force"), M = circle.results.column("lift.torque"),
             phi = circle.results.column("cam.phi");
  for (std::size_t k = 0; k < N.size(); ++k)
    CHECK(M[k] == doctest::Approx(N[k] * (0.012 * std::cos(phi[k]) + 0.03)).epsilon(1e-12));  // about A, 0.03 to the left
  const double a = 0.04, b = 0.03;
  const std::string points = points_around(60, [&](double u) { return std::array{a * std::cos(u), b * std::sin(u)}; });
  const Run ellipse = inverse(with_curves(cam_model("lift = { type = \"cam-flat\", points = " + points + "," + keys + " }\n")),
                              {.to = 2.1, .steps = 40});
  const auto h = [&](double t) { return std::sqrt(std::pow(a * std::sin(t), 2) + std::pow(b * std::cos(t), 2)); };
  CHECK(worst_over_turn(ellipse, "follower.y", h) < 5e-10);
  // radius of curvature of a support function: h + h″ = a² b² / h³
  CHECK(worst_over_turn(ellipse, "lift.curvature_radius", [&](double t) { return a * a * b * b / std::pow(h(t), 3); }) < 2e-6);
}

TEST_CASE("a run ends where the pin leaves an open slot, at either end") {
  const auto slot = [](const std::string& curve, const std::string& motion) {
    return R"toml(
jounce = 1
[bodies.pin]
position = [0, 0.2]
[joints]
upright = { type = "coordinate", j = "pin.phi", offset = 0 }
on = { type = "point-on-curve", i = "ground", pin = "pin.origin", )toml" +
           curve + " }\n[drivers]\nx = { type = \"coordinate\", j = \"pin.x\", offset = 0, motion = \"" + motion + "\" }\n";
  };
  const std::string arc = "radius = 0.2, from = \"60*deg\", to = \"120*deg\"";
  // x = 0.05 t reaches 0.2 cos 60° = 0.1 at 2 s
  const Run first = kinematics(with_curves(slot(arc, "0.05*t")), {.to = 3, .steps = 7});
  CHECK(first.outcome.kind == Outcome::Kind::undefined);
  CHECK(first.outcome.t == doctest::Approx(2).epsilon(1e-10));
  CHECK(first.outcome.sentence ==
        "joint 'on': the pin is beyond the slot's first end, (0.1, 0.173205) on 'ground', at t = 2 s");
  const Run last = kinematics(with_curves(slot(arc, "-0.05*t")), {.to = 3, .steps = 7});
  CHECK(last.outcome.t == doctest::Approx(2).epsilon(1e-10));
  CHECK(last.outcome.sentence.find("the slot's last end") != std::string::npos);
  const Run there = kinematics(with_curves(slot(arc, "0.05*t")), {.to = 1.99, .steps = 7});
  CHECK(there.outcome.done());
  // assembled beyond it
  const Run never = kinematics(with_curves(slot(arc, "0.15 + 0*t")), {.to = 3, .steps = 7});
  CHECK(never.outcome.kind == Outcome::Kind::undefined);
  CHECK(never.outcome.t == 0);
  // a spline through three points is the parabola through them
  const Run parabola =
      kinematics(with_curves(slot("points = [[-0.1, 0.1], [0, 0.2], [0.1, 0.1]]", "0.05*t")), {.to = 3, .steps = 7});
  CHECK(parabola.outcome.t == doctest::Approx(2).epsilon(1e-10));
}

TEST_CASE("a lift gives its profile, and the profile gives back the lift") {
  // oracle: the lift itself; the pressure angle of a roller, tan = (s′ − e)/(y₀ + s); the radius of curvature under a face, r_b
  // + s + s″
  const auto s = [](double a) { return 0.012 * (1 - std::cos(a)) + 0.001 * std::sin(2 * a); };
  const auto s1 = [](double a) { return 0.012 * std::sin(a) + 0.002 * std::cos(2 * a); };
  const auto s2 = [](double a) { return 0.012 * std::cos(a) - 0.004 * std::sin(2 * a); };
  const std::string law = "lift = \"0.012*(1 - cos(theta)) + 0.001*sin(2*theta)\", base_radius = 0.03, ";
  const std::string roller = "i = \"cam\", roller = \"follower.R\", roller_radius = 0.01, travel = [0, 1] }\n";
  const std::string face = "i = \"cam\", face = [\"follower.A\", \"follower.B\"], travel = [0, 1] }\n";
  const double e = 0.005, y0 = std::sqrt(0.04 * 0.04 - e * e);
  const Options options{.to = 2.1, .steps = 60};

  const Mechanism rolls = with_curves(cam_model("lift = { type = \"cam-roller\", offset = 0.005, " + law + roller, "3*t", e));
  const Run a = inverse(rolls, options);
  CHECK(worst_over_turn(a, "follower.y", [&](double t) { return y0 + s(t); }) < 1e-14);
  CHECK(worst_over_turn(a, "lift.pressure_angle", [&](double t) { return std::atan(std::abs(s1(t) - e) / (y0 + s(t))); }) <
        1e-9);
  const Mechanism slides = with_curves(cam_model("lift = { type = \"cam-flat\", " + law + face));
  const Run b = inverse(slides, options);
  CHECK(worst_over_turn(b, "follower.y", [&](double t) { return 0.03 + s(t); }) < 1e-14);
  CHECK(worst_over_turn(b, "lift.curvature_radius", [&](double t) { return 0.03 + s(t) + s2(t); }) < 1e-8);

  // coordinates, evenly along the profile, as points of another cam: 60 of them here
  for (const Mechanism* from : {&rolls, &slides}) {
    const auto profile = curve_profile(*from, "lift", 60);
    REQUIRE(profile.ok());
    CHECK(profile->closed);
    CHECK(profile->places.size() == 60);
    std::string points;
    for (const CurveProfile::Place& p : profile->places) {
      std::array<char, 80> one{};
      std::snprintf(one.data(), one.size(), "%s[%.17g, %.17g]", points.empty() ? "" : ", ", p.x, p.y);
      points += one.data();
    }
    const bool flat = from == &slides;
    const std::string again = std::string("lift = { type = \"") + (flat ? "cam-flat" : "cam-roller") + "\", points = [" +
                              points + "], " + (flat ? face : roller);
    const Run c = inverse(with_curves(cam_model(again, "3*t", flat ? 0 : e)), options);
    CHECK(worst_over_turn(c, "follower.y", [&](double t) { return (flat ? 0.03 : y0) + s(t); }) < 1e-9);
    CHECK(profile_csv(*profile).starts_with(flat ? "x,y,s,curvature_radius\n" : "x,y,s,curvature_radius,centre_x,centre_y\n"));
    CHECK(profile_svg(*profile).find("<svg") != std::string::npos);
  }
  CHECK(curve_joints(slides) == std::vector<std::string>{"lift"});
  CHECK(text(curve_profile(slides, "lft").problems()).find("did you mean 'lift'?") != std::string::npos);
}
