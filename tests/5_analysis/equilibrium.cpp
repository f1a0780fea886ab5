// Oracles: closed forms of statics, stability and small vibrations; the sources are beside each test.
#include "jounce/analysis/equilibrium/equilibrium.hpp"

#include <complex>

#include "analysis_test.hpp"

namespace equilibrium_test {

using namespace jounce;
using namespace jounce::test;

namespace {

constexpr double g = 9.81;
// Newton stops at a step of 1e-12; a frequency loses a factor of the condition of K, at most 1e3 here.
constexpr double kFound = 1e-10;

doctest::Approx near(double x) { return doctest::Approx(x).epsilon(kFound); }

Equilibrium solved(const Model& m) {
  Equilibrium e = equilibrium(built(m));
  REQUIRE_MESSAGE(e.outcome.done(), text(e.problems));
  return e;
}

Model heavy() {
  Model m;
  m.gravity = {Text(0.0), Text(-g)};
  m.ground.point("O", 0.0, 0.0).point("X", 1.0, 0.0).point("Y", 0.0, 1.0);
  return m;
}

Body& weight(Model& m, const std::string& name, double mass, double inertia, double x, double y) {
  Body& b = m.body(name);
  b.mass = Text(mass), b.inertia = Text(inertia);
  b.point("P", 0.0, 0.0).point("X", 1.0, 0.0).point("Y", 0.0, 1.0);
  draw(b, x, y, 0);
  return b;
}

// A bar of the given length from A to B, its mass at `centre` along it.
Body& rod(Model& m, const std::string& name, double mass, double inertia, double length, double centre, double x, double y, double phi) {
  Body& b = bar(m, name, length, x, y, phi);
  b.mass = Text(mass), b.inertia = Text(inertia);
  b.com = std::vector<Text>{Text(centre), Text(0.0)};
  return b;
}

Element& spring(Model& m, const std::string& name, const std::string& i, const std::string& j, double k, double free) {
  return force(m, name, "spring").set("i", Text(i)).set("j", Text(j)).set("stiffness", Text(k)).set("free_length", Text(free));
}
Element& torsion(Model& m, const std::string& name, const std::string& i, const std::string& j, double k, double free) {
  return force(m, name, "torsion-spring").set("i", Text(i)).set("j", Text(j)).set("stiffness", Text(k)).set("free_angle", Text(free));
}
void slide(Model& m, const std::string& name, const std::string& axis, const std::string& body) {
  m.joint(name, "translational").set("slot", std::vector<Text>{"ground.O", Text("ground." + axis)})
      .set("slider", std::vector<Text>{Text(body + ".P"), Text(body + "." + axis)});
}

double multiplier(const PlaneMechanism& mechanism, const Equilibrium& e, const std::string& constraint, int row = 0) {
  for (const Constraint& c : mechanism.system.constraints())
    if (c.name == constraint) return e.lambda.at(static_cast<std::size_t>(c.first_row + row));
  FAIL("no constraint " << constraint);
  return 0;
}

// The inverted pendulum: a rod on a pin with a torsion spring that is relaxed when it stands upright.
Model inverted(double k, double tilt) {
  Model m = heavy();
  rod(m, "rod", 2.0, 0.1, 1.0, 0.5, 0, 0, kPi / 2 + tilt);
  pin(m, "O", "ground.O", "rod.A");
  torsion(m, "coil", "ground", "rod", k, kPi / 2);
  return m;
}
constexpr double kTip = 2.0 * g * 0.5;             // m g a
constexpr double kAboutPin = 0.1 + 2.0 * 0.5 * 0.5;  // J + m a²

}  // namespace

TEST_CASE("a mass on a guided spring hangs m g / k below its free length and swings with sqrt(k/m)") {
  Model m = heavy();
  weight(m, "mass", 2.0, 0.1, 0, -0.4);
  slide(m, "guide", "Y", "mass");
  spring(m, "coil", "ground.O", "mass.P", 300.0, 0.3);
  const Equilibrium e = solved(m);
  CHECK(e.free_motions == 1);
  CHECK(e.q[1] == near(-(0.3 + 2.0 * g / 300.0)));
  CHECK(e.stable);
  CHECK(e.neutral == 0);
  REQUIRE(e.modes.size() == 1);
  CHECK(e.modes[0].omega == near(std::sqrt(150.0)));
  CHECK(e.modes[0].frequency == near(std::sqrt(150.0) / (2 * kPi)));
  CHECK(std::abs(e.modes[0].shape[0]) <= kFound);
  CHECK(e.modes[0].shape[1] == near(1));
  CHECK(e.eigenvalues.empty());
  CHECK(e.problems.empty());
  CHECK(e.unbalanced <= 1e-9 * 2 * g);
}

TEST_CASE("without its guide the mass also swings as a pendulum of the stretched length, and its angle is free") {
  // oracle: K = diag(f/l, k, 0) for x, y, phi with f = m g: the tension alone holds x
  Model m = heavy();
  weight(m, "mass", 2.0, 0.1, 0.05, -0.4);
  spring(m, "coil", "ground.O", "mass.P", 300.0, 0.3);
  const Equilibrium e = solved(m);
  const double l = 0.3 + 2.0 * g / 300.0;
  CHECK(std::abs(e.q[0]) <= kFound);
  CHECK(e.q[1] == near(-l));
  CHECK(e.neutral == 1);
  CHECK(e.stable);
  REQUIRE(e.modes.size() == 3);
  CHECK(e.modes[0].omega == 0);
  CHECK(e.modes[1].omega == near(std::sqrt(g / l)));
  CHECK(e.modes[2].omega == near(std::sqrt(150.0)));
  CHECK(text(e.problems).find("neutral in 1 motion: no force resists") != std::string::npos);
}

TEST_CASE("a pendulum drawn nearly upright falls to where it hangs") {
  // oracle: ω² = m g a / (J + m a²)
  const Equilibrium e = solved(inverted(0, 0.01));
  CHECK(std::abs(std::remainder(e.q[2] + kPi / 2, 2 * kPi)) <= kFound);
  CHECK(e.stable);
  CHECK(e.modes.at(0).omega == near(std::sqrt(kTip / kAboutPin)));
}

TEST_CASE("an upright pendulum on a torsion spring is stable when the spring is stiffer than m g a") {
  // oracle: K = k − m g a
  for (const double ratio : {0.5, 0.99, 1.01, 3.0}) {
    CAPTURE(ratio);
    const Equilibrium e = solved(inverted(ratio * kTip, 0));
    CHECK(e.q[2] == near(kPi / 2));
    CHECK(e.stable == (ratio > 1));
    CHECK(e.unstable == (ratio > 1 ? 0 : 1));
    const NaturalMode& mode = e.modes.at(0);
    const double rate = std::sqrt(std::abs(ratio - 1) * kTip / kAboutPin);
    CHECK(mode.omega == doctest::Approx(ratio > 1 ? rate : 0).epsilon(1e-9));
    CHECK(mode.growth == doctest::Approx(ratio > 1 ? 0 : rate).epsilon(1e-9));
  }
}

TEST_CASE("a pendulum on too weak a spring, drawn a little off, comes to rest where k x = m g a sin x") {
  // oracle: the root by bisection; K = k − m g a cos x there is positive
  const double k = 0.8 * kTip;
  double low = 0.1, high = kPi;
  for (int i = 0; i < 200; ++i) (k * 0.5 * (low + high) < kTip * std::sin(0.5 * (low + high)) ? low : high) = 0.5 * (low + high);
  const Equilibrium e = solved(inverted(k, -0.02));
  CHECK(e.q[2] == near(kPi / 2 - low));
  CHECK(e.stable);
  CHECK(e.modes.at(0).omega == near(std::sqrt((k - kTip * std::cos(low)) / kAboutPin)));
}

TEST_CASE("two masses on two springs in a row") {
  // oracle: m1 x1'' = −(k1 + k2) x1 + k2 x2, m2 x2'' = k2 (x1 − x2): the roots of a quadratic in ω²
  const double m1 = 2, m2 = 3, k1 = 500, k2 = 200;
  Model m = heavy();
  weight(m, "a", m1, 0.1, 0.5, 0);
  weight(m, "b", m2, 0.1, 1.3, 0);
  slide(m, "ga", "X", "a");
  slide(m, "gb", "X", "b");
  spring(m, "s1", "ground.O", "a.P", k1, 0.4);
  spring(m, "s2", "a.P", "b.P", k2, 0.6);
  const Equilibrium e = solved(m);
  CHECK(e.q[0] == near(0.4));
  CHECK(e.q[3] == near(1.0));
  const double p = (k1 + k2) / m1 + k2 / m2, d = k1 * k2 / (m1 * m2);
  const double slow = p / 2 - std::sqrt(p * p / 4 - d), fast = p / 2 + std::sqrt(p * p / 4 - d);
  REQUIRE(e.modes.size() == 2);
  CHECK(e.modes[0].omega == near(std::sqrt(slow)));
  CHECK(e.modes[1].omega == near(std::sqrt(fast)));
  // shape: x1 / x2 = 1 − m2 ω² / k2, the larger one 1
  CHECK(e.modes[0].shape[3] == near(1));
  CHECK(e.modes[0].shape[0] == near(1 - m2 * slow / k2));
  CHECK(e.modes[1].shape[0] == near(1));
  CHECK(e.modes[1].shape[3] == near(1 / (1 - m2 * fast / k2)));
}

TEST_CASE("a double pendulum drawn horizontal hangs and swings with (2 ± √2) g / l") {
  // oracle: equal point masses on equal massless rods, e.g. Landau and Lifshitz, Mechanics, § 23, problem 2
  Model m = heavy();
  rod(m, "a", 1.5, 0, 0.7, 0.7, 0, 0, 0);
  rod(m, "b", 1.5, 0, 0.7, 0.7, 0.7, 0, 0.1);
  pin(m, "O", "ground.O", "a.A");
  pin(m, "A", "a.B", "b.A");
  const Equilibrium e = solved(m);
  CHECK(e.q[1] == near(-0.7));
  CHECK(e.q[4] == near(-1.4));
  CHECK(e.stable);
  REQUIRE(e.modes.size() == 2);
  CHECK(e.modes[0].omega == near(std::sqrt((2 - std::sqrt(2.0)) * g / 0.7)));
  CHECK(e.modes[1].omega == near(std::sqrt((2 + std::sqrt(2.0)) * g / 0.7)));
}

namespace {

// Two rods of length 1 in a row along x on torsion springs k, pressed at the tip; masses 2 at the elbow and 1 at the tip.
Model column(double k, double load, const char* frame) {
  Model m;
  m.ground.point("O", 0.0, 0.0);
  rod(m, "a", 2, 0, 1, 1, 0, 0, 0);
  rod(m, "b", 1, 0, 1, 1, 1, 0, 0);
  pin(m, "O", "ground.O", "a.A");
  pin(m, "A", "a.B", "b.A");
  torsion(m, "k1", "ground", "a", k, 0);
  torsion(m, "k2", "a", "b", k, 0);
  force(m, "load", "force").set("on", Text("b.B")).set("value", std::vector<Text>{Text(-load), Text(0.0)}).set("frame", Text(frame));
  return m;
}

}  // namespace

TEST_CASE("a column of two rods buckles at (3 − √5)/2 and again at (3 + √5)/2 of k / l") {
  // oracle: K = [2k − Pl, −k; −k, k − Pl]
  const double k = 7, first = (3 - std::sqrt(5.0)) / 2 * k, second = (3 + std::sqrt(5.0)) / 2 * k;
  CHECK(solved(column(k, 0.999 * first, "ground")).unstable == 0);
  CHECK(solved(column(k, 1.001 * first, "ground")).unstable == 1);
  CHECK(solved(column(k, 0.999 * second, "ground")).unstable == 1);
  CHECK(solved(column(k, 1.001 * second, "ground")).unstable == 2);
}

TEST_CASE("a column of two rods drawn a little crooked rests buckled beyond the first critical load") {
  // oracle: moments about elbow and foot: k (b − a) = P sin b, k (2 a − b) = P sin a
  const double k = 7, load = 4;
  Model m = column(k, load, "ground");
  draw(m.body("a"), 0, 0, 0.02);
  draw(m.body("b"), std::cos(0.02), std::sin(0.02), 0.05);
  const Equilibrium e = solved(m);
  const double a = e.q[2], b = e.q[5];
  CHECK(a > 0.1);
  CHECK(e.stable);
  CHECK(k * (b - a) == near(load * std::sin(b)));
  CHECK(k * (2 * a - b) == near(load * std::sin(a)));
}

TEST_CASE("a following load makes the column flutter at (7/2 − √2) k / l, though its stiffness never vanishes") {
  // oracle: H. Ziegler, Ingenieur-Archiv 20 (1952): masses 2 m and m, no damping
  const double k = 7, critical = (3.5 - std::sqrt(2.0)) * k;
  const Equilibrium before = solved(column(k, 0.999 * critical, "body")), after = solved(column(k, 1.001 * critical, "body"));
  CHECK(before.stable);
  CHECK(before.eigenvalues.size() == 4);
  CHECK(!after.stable);
  // oracle: characteristic equation 2 s⁴ + (7 − 2p) s² + 1 = 0 in units of k/(m l²), p = P l / k
  const std::complex<double> middle = 7 - 2 * 1.001 * (3.5 - std::sqrt(2.0));
  const std::complex<double> s2 = (-middle + std::sqrt(middle * middle - 8.0)) / 4.0 * k, s = std::sqrt(s2);
  double closest = 1;
  for (const auto& root : after.eigenvalues) closest = std::min(closest, std::abs(root - s));
  CHECK(closest <= 1e-9);
}

TEST_CASE("damping gives the roots of m s² + c s + k") {
  Model m = heavy();
  weight(m, "mass", 2.0, 0.1, 0, -0.4);
  slide(m, "guide", "Y", "mass");
  spring(m, "coil", "ground.O", "mass.P", 300.0, 0.3).set("damping", Text(8.0));
  const Equilibrium e = solved(m);
  CHECK(e.modes.at(0).omega == near(std::sqrt(150.0)));
  REQUIRE(e.eigenvalues.size() == 2);
  for (const auto& s : e.eigenvalues) {
    CHECK(s.real() == near(-8.0 / (2 * 2.0)));
    CHECK(std::abs(s.imag()) == near(std::sqrt(150.0 - 4.0)));
  }
}

TEST_CASE("the bars of a triangular truss, by the method of joints") {
  // oracle: at the top 2 S sin(a) = −W, at the foot N = −S cos(a); tension is 2 λ L (spec 3.2)
  const double W = 1000, half = 1.5, height = 2, L = std::hypot(half, height);
  Model m;
  m.ground.point("O", 0.0, 0.0);
  for (const auto& [name, x, y] : {std::tuple{"right", 2 * half, 0.0}, std::tuple{"top", half, height}}) {
    m.body(name).point("N", 0.0, 0.0);
    draw(m.body(name), x, y, 0);
    m.joint(std::string(name) + "-upright", "coordinate").set("j", Text(std::string(name) + ".phi")).set("offset", Text(0.0));
  }
  const auto link = [&](const char* name, const char* i, const char* j) { m.joint(name, "distance").set("i", Text(i)).set("j", Text(j)); };
  link("left-bar", "ground.O", "top.N");
  link("right-bar", "right.N", "top.N");
  link("foot", "ground.O", "right.N");
  m.joint("roller", "coordinate").set("j", Text("right.y")).set("offset", Text(0.0));
  force(m, "load", "force").set("on", Text("top.N")).set("value", std::vector<Text>{Text(0.0), Text(-W)});
  const PlaneMechanism mechanism = built(m);
  const Equilibrium e = equilibrium(mechanism);
  REQUIRE(e.outcome.done());
  CHECK(e.free_motions == 0);
  CHECK(e.stable);
  CHECK(e.modes.empty());
  const double S = -W / 2 * L / height, N = -S * half / L;
  CHECK(2 * L * multiplier(mechanism, e, "left-bar") == near(S));
  CHECK(2 * L * multiplier(mechanism, e, "right-bar") == near(S));
  CHECK(2 * 2 * half * multiplier(mechanism, e, "foot") == near(N));
  CHECK(multiplier(mechanism, e, "roller") == near(-W / 2));  // −λ acts on the node
}

TEST_CASE("reactions that are not unique are the smallest: a beam on two pins carries half on each, and nothing along") {
  Model m = heavy();
  rod(m, "beam", 4.0, 0.3, 2.0, 1.0, 0, 0, 0);
  m.ground.point("Q", 2.0, 0.0);
  pin(m, "O", "ground.O", "beam.A");
  pin(m, "Q", "ground.Q", "beam.B");
  force(m, "push", "force").set("on", Text("beam.A")).set("value", std::vector<Text>{Text(6.0), Text(0.0)});
  const PlaneMechanism mechanism = built(m);
  const Equilibrium e = equilibrium(mechanism);
  REQUIRE(e.outcome.done());
  for (const char* joint : {"O", "Q"}) {
    CHECK(multiplier(mechanism, e, joint, 0) == near(3.0));  // the pins share the push: 6² > 3² + 3²
    CHECK(multiplier(mechanism, e, joint, 1) == near(-2.0 * g));
  }
}

TEST_CASE("a driver holds the mechanism where its motion is at t = 0") {
  // oracle: the motor carries m g a cos φ
  Model m = heavy();
  rod(m, "rod", 2.0, 0.1, 1.0, 0.5, 0, 0, 0.3);
  pin(m, "O", "ground.O", "rod.A");
  motor(m, "motor", "ground", "rod", "0.4 + 3*t");
  m.drivers.back().set("offset", Text(0.0));
  const PlaneMechanism mechanism = built(m);
  const Equilibrium e = equilibrium(mechanism);
  REQUIRE(e.outcome.done());
  CHECK(e.q[2] == near(0.4));
  CHECK(e.free_motions == 0);
  CHECK(multiplier(mechanism, e, "motor") == near(-kTip * std::cos(0.4)));
}

TEST_CASE("what nothing holds drifts away or turns on and on") {
  Model falling = heavy();
  weight(falling, "stone", 2.0, 0.1, 0.3, 0.2);
  Equilibrium e = equilibrium(built(falling));
  CHECK(e.outcome.kind == Outcome::Kind::no_equilibrium);
  CHECK(e.outcome.sentence == "body 'stone' drifts away along y: nothing balances the 19.62 N that push it");
  CHECK(e.outcome.elements == std::vector<std::string>{"stone"});
  CHECK(e.unbalanced == near(2.0 * g));

  Model turning;
  turning.ground.point("O", 0.0, 0.0);
  rod(turning, "wheel", 2.0, 0.1, 1.0, 0.0, 0, 0, 0);
  pin(turning, "O", "ground.O", "wheel.A");
  force(turning, "T", "moment").set("on", Text("wheel")).set("value", Text(1.5));
  e = equilibrium(built(turning));
  CHECK(e.outcome.kind == Outcome::Kind::no_equilibrium);
  CHECK(e.outcome.sentence == "body 'wheel' turns on and on: nothing balances the 1.5 N m that turn it");
}

TEST_CASE("a wheel on its centre is neutral, with or without weight") {
  for (const double gravity : {0.0, -g}) {
    Model m;
    m.gravity = {Text(0.0), Text(gravity)};
    m.ground.point("O", 0.0, 0.0);
    rod(m, "wheel", 2.0, 0.1, 1.0, 0.0, 0, 0, 0.3);
    pin(m, "O", "ground.O", "wheel.A");
    const Equilibrium e = solved(m);
    CHECK(e.q[2] == near(0.3));
    CHECK(e.neutral == 1);
    CHECK(e.stable);
    CHECK(e.modes.at(0).omega == 0);
  }
}

TEST_CASE("without masses the position is found and the frequencies are left out") {
  // oracle: l = l0 + F / k
  Model m;
  m.ground.point("O", 0.0, 0.0).point("Y", 0.0, 1.0);
  m.body("plate").point("P", 0.0, 0.0).point("Y", 0.0, 1.0);
  draw(m.body("plate"), 0, 0.5, 0);
  slide(m, "guide", "Y", "plate");
  spring(m, "coil", "ground.O", "plate.P", 100.0, 0.3);
  force(m, "F", "force").set("on", Text("plate.P")).set("value", std::vector<Text>{Text(0.0), Text(20.0)});
  const Equilibrium e = solved(m);
  CHECK(e.q[1] == near(0.5));
  CHECK(e.stable);
  CHECK(e.modes.empty());
  CHECK(e.note.starts_with("frequencies are left out"));
}

TEST_CASE("friction does not act at rest, and a law with a jump there is no obstacle") {
  Model m = heavy();
  weight(m, "mass", 2.0, 0.1, 0, -0.4);
  slide(m, "guide", "Y", "mass");
  spring(m, "coil", "ground.O", "mass.P", 300.0, 0.3).set("friction", Text(50.0)).set("friction_speed", Text(0.0)).set("actuator", Text("4*sign(v)"));
  const Equilibrium e = solved(m);
  CHECK(e.q[1] == near(-(0.3 + 2.0 * g / 300.0)));
  CHECK(e.note == "damping is left out: a law has no derivative at rest");
}

TEST_CASE("a spring without length has no equilibrium to search for, and a drawing that does not close none to start from") {
  Model m = heavy();
  weight(m, "mass", 2.0, 0.1, 0, 0);
  spring(m, "coil", "ground.O", "mass.P", 300.0, 0.3);
  Equilibrium e = equilibrium(built(m));
  CHECK(e.outcome.kind == Outcome::Kind::undefined);
  CHECK(e.outcome.sentence == "force 'coil': its length has become zero: a spring needs a line of action, at the assembled position");

  Model apart = heavy();
  rod(apart, "rod", 2.0, 0.1, 1.0, 0.5, 0, 0, 0.3);
  apart.ground.point("F", 3.0, 0.0);
  pin(apart, "O", "ground.O", "rod.A");
  pin(apart, "F", "ground.F", "rod.B");
  e = equilibrium(built(apart));
  CHECK(e.outcome.kind == Outcome::Kind::not_assembled);
}

TEST_CASE("a light pendulum beside a stiff and strongly loaded spring is not forgotten") {
  // oracle: each rests by itself; forces 1e7 times apart, which is what its angle loses of sixteen digits
  Model m = heavy();
  rod(m, "rod", 1e-3, 1e-5, 1.0, 0.5, 0, 0, 0.4);
  pin(m, "O", "ground.O", "rod.A");
  weight(m, "block", 2.0, 0.1, 0, 2.1);
  slide(m, "guide", "Y", "block");
  spring(m, "one", "ground.O", "block.P", 1e6, 2.0);
  m.ground.point("T", 0.0, 4.0);
  spring(m, "two", "ground.T", "block.P", 1e6, 1.8);
  const Equilibrium e = solved(m);
  CHECK(std::abs(std::remainder(e.q[2] + kPi / 2, 2 * kPi)) <= 1e-9);
  CHECK(e.q[4] == near((2.0 + 2.2) / 2 - 2.0 * g / 2e6));
  CHECK(e.neutral == 0);
  CHECK(e.modes.at(0).omega == doctest::Approx(std::sqrt(1e-3 * g * 0.5 / (1e-5 + 1e-3 * 0.25))).epsilon(1e-6));
}

TEST_CASE("a four-bar linkage under gravity rests where its potential energy is least") {
  // oracle: the energy of the same linkage driven to nearby crank angles
  Model m = four_bar(0.35, 0.10, 0.25, 0.30, 0.3, 1);
  m.gravity = {Text(0.0), Text(-g)};
  for (const char* name : {"crank", "coupler", "rocker"}) {
    m.body(name).mass = Text(1.0), m.body(name).inertia = Text(0.01);
    m.body(name).com = std::vector<Text>{Text(0.08), Text(0.0)};
  }
  const Equilibrium e = solved(m);
  CHECK(e.stable);
  const auto height = [](const std::vector<double>& q) { return q[1] + q[4] + q[7]; };
  const double least = height(e.q);
  for (const double turn : {-0.3, -0.01, 0.01, 0.3}) {
    Model driven = m;
    for (std::size_t b = 0; b < 3; ++b) {
      const double phi = e.q[3 * b + 2];
      draw(driven.bodies[b], e.q[3 * b] - 0.08 * std::cos(phi), e.q[3 * b + 1] - 0.08 * std::sin(phi), phi);
    }
    motor(driven, "motor", "ground", "crank", text_of(e.q[2] + turn)).set("offset", Text(0.0));
    const Equilibrium there = solved(driven);
    CHECK(there.free_motions == 0);
    CHECK(height(there.q) > least);
  }
}

TEST_CASE("a mode is followed on the constraints, along its shape, to both sides") {
  // oracles: a pin keeps its two points together; at small amplitudes the way is the shape; the middle of the way is the rest
  Model m = heavy();
  rod(m, "upper", 1.0, 0.02, 0.5, 0.25, 0, 0, -1.5);
  rod(m, "lower", 1.0, 0.02, 0.5, 0.25, 0, -0.5, -1.5);
  m.joint("top", "revolute").set("i", Text("ground.O")).set("j", Text("upper.A"));
  m.joint("middle", "revolute").set("i", Text("upper.B")).set("j", Text("lower.A"));
  const PlaneMechanism pendulum = built(m);
  const Equilibrium e = equilibrium(pendulum);
  REQUIRE(e.modes.size() == 2);
  const std::vector<ModeSwing> ways = swings(pendulum, e, 5);
  REQUIRE(ways.size() == 2);
  for (std::size_t mode = 0; mode < 2; ++mode) {
    const ModeSwing& way = ways[mode];
    CHECK(way.reach == 0.35);
    REQUIRE(way.q.size() == 13);
    CHECK(way.q[6] == e.q);
    for (const std::vector<double>& q : way.q) {
      CHECK(std::hypot(q[0] - 0.25 * std::cos(q[2]), q[1] - 0.25 * std::sin(q[2])) < 1e-12);
      CHECK(std::hypot(q[3] - 0.5 * std::cos(q[2]) - 0.25 * std::cos(q[5]), q[4] - 0.5 * std::sin(q[2]) - 0.25 * std::sin(q[5])) < 1e-12);
    }
    // the two angles move as the shape says: to the second order in the step from the rest, which is 0.06
    const double first = (way.q[7][2] - way.q[5][2]) / (way.q[7][5] - way.q[5][5]), shape = e.modes[mode].shape[2] / e.modes[mode].shape[5];
    CHECK(std::abs(first - shape) < 0.06 * 0.06 * std::abs(shape));
    CHECK(std::abs(way.q[12][2] - e.q[2]) > 0.05);
  }
}

TEST_CASE("a mode has the damping that its own shape feels") {
  // oracle: m x'' + c x' + k x = 0 has c / (2 sqrt(k m)) of critical damping
  Model m;
  m.ground.point("O", 0.0, 0.0).point("X", 1.0, 0.0).point("Y", 0.0, 1.0);
  weight(m, "load", 2.0, 0.1, 1.0, 0);
  slide(m, "guide", "X", "load");
  spring(m, "coil", "ground.O", "load.P", 50.0, 1.0).set("damping", Text(3.0));
  const Equilibrium e = solved(m);
  REQUIRE(e.modes.size() == 1);
  CHECK(e.modes[0].damping == near(3.0 / (2 * std::sqrt(50.0 * 2.0))));
}

}  // namespace equilibrium_test
