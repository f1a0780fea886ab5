// Oracles: closed forms of statics, stability and small vibrations, and the planar engine; the sources are beside each test.
#include "jounce/analysis/equilibrium/equilibrium.hpp"

#include <algorithm>
#include <complex>

#include "analysis_test.hpp"
#include "jounce/space/rows/space_rows.hpp"
#include "jounce/tree/rotation.hpp"
#include "oracles/tree_maker.hpp"

namespace space_equilibrium_test {

using namespace jounce;
using namespace jounce::test;
using oracle::TreeMaker;
using oracle::at;

namespace {

constexpr double g = 9.81;
// Newton stops at a step of 1e-12; a frequency loses a factor of the condition of the stiffness, at most 1e3 here.
constexpr double kFound = 1e-10;

doctest::Approx near(double x) { return doctest::Approx(x).epsilon(kFound); }

Equilibrium solved(const TreeMaker& maker) {
  Equilibrium e = equilibrium(maker.mechanism);
  REQUIRE_MESSAGE(e.outcome.done(), text(e.problems));
  CHECK(e.unbalanced < 1e-9);
  CHECK(e.row.size() == space_columns(maker.mechanism, true).size());
  return e;
}

double column(const TreeMaker& maker, const Equilibrium& e, const std::string& name) {
  const auto names = names_of(space_columns(maker.mechanism, true));
  const auto it = std::ranges::find(names, name);
  REQUIRE_MESSAGE(it != names.end(), name);
  return e.row[static_cast<std::size_t>(it - names.begin())];
}

bool says(const Problems& problems, const std::string& words) { return text(problems).find(words) != std::string::npos; }

SpaceForce spring(const std::string& name, int i, Vec3<double> from, int j, Vec3<double> to, double stiffness, double free_length) {
  return {name, {}, tree::forces::Spring{.i = {i, from}, .j = {j, to}, .stiffness = stiffness, .free_length = {free_length}}};
}

// A massless hinge and a spring slide with a point mass at its end, hanging down: m = 0.5, k = 40, l0 = 1.
TreeMaker elastic_pendulum(double angle, double length) {
  TreeMaker maker({0, -g, 0});
  const int hinge = maker.add("hinge", "revolute", 0);
  const int bob = maker.add("bob", "prismatic", hinge, {}, {.axis = {0, -1, 0}});
  maker.load(bob, 0.5, {}, {});
  maker.mechanism.dofs[1].stiffness = 40;
  maker.mechanism.dofs[1].rest = 1;
  maker.mechanism.q = {angle, length};
  return maker;
}

// A rod with its mass a above the hinge, and a torsion spring that is relaxed when it stands upright.
TreeMaker inverted(double stiffness, double tilt) {
  TreeMaker maker({0, -g, 0});
  const int rod = maker.add("rod", "revolute", 0);
  maker.load(rod, 2, {0, 0.5, 0}, {0.1, 0.1, 0.1, 0, 0, 0});
  maker.mechanism.dofs[0].stiffness = stiffness;
  maker.mechanism.q = {tilt};
  return maker;
}
constexpr double kTip = 2.0 * g * 0.5;               // m g a
constexpr double kAboutPin = 0.1 + 2.0 * 0.5 * 0.5;  // J + m a²

// A bar of length 2 b hung by two massless rods of length l, a distance 2 b apart, in the plane y = 0.
TreeMaker bifilar(double b, double l, double mass, Sym3<double> inertia) {
  TreeMaker maker({0, 0, -g});
  const int left = maker.add("left", "universal", 0, at(-b, 0, 0)), right = maker.add("right", "universal", 0, at(b, 0, 0));
  const int bar = maker.add("bar", "spherical", left, at(0, 0, -l));
  maker.load(bar, mass, {b, 0, 0}, inertia);
  maker.loop("hook", "spherical", right, at(0, 0, -l), bar, at(2 * b, 0, 0));
  return maker;
}

// Of gravity and springs, a way s along a motion, with the loops closed again.
double potential_along(const SpaceMechanism& mechanism, std::vector<double> q, std::vector<double> way, double s) {
  SpaceEquations equations(mechanism);
  for (double& x : way) x *= s;
  tree::move(mechanism.tree, q, way);
  (void)equations.project_position(q);
  const std::vector<double> still(way.size());
  REQUIRE(!equations.balance(0, q, still, still));
  equations.move(q, still, still);
  return energy(equations).potential;
}

}  // namespace

TEST_CASE("the elastic pendulum hangs m g / k below its free length and has the two frequencies of its closed form") {
  const TreeMaker maker = elastic_pendulum(0.3, 1.2);
  const Equilibrium e = solved(maker);
  CHECK(std::abs(e.q[0]) < kFound);
  CHECK(e.q[1] == near(1.122625));  // l0 + m g / k
  CHECK(e.stable);
  CHECK(e.free_motions == 2);
  REQUIRE(e.modes.size() == 2);
  CHECK(e.modes[0].omega == near(2.956086574225608));  // sqrt(g / r)
  CHECK(e.modes[1].omega == near(8.94427190999916));   // sqrt(k / m)
  CHECK(e.modes[1].frequency == near(8.94427190999916 / (2 * kPi)));
  CHECK(std::abs(e.modes[0].shape[0]) == near(1.0));
  CHECK(std::abs(e.modes[0].shape[1]) < 1e-9);
  CHECK(std::abs(e.modes[1].shape[0]) < 1e-9);
  CHECK(std::abs(e.modes[1].shape[1]) == near(1.0));
  CHECK(e.eigenvalues.empty());
  CHECK(column(maker, e, "bob.tau1") == near(-0.5 * g));  // the spring carries the weight, against the slide
  CHECK(column(maker, e, "hinge.fy") == near(0.5 * g));
  CHECK(column(maker, e, "bob.y") == near(-1.122625));
}

TEST_CASE("an inverted pendulum is stable only on a spring stiffer than m g a") {
  SUBCASE("stiff") {
    const Equilibrium e = solved(inverted(2 * kTip, 0.4));
    CHECK(std::abs(e.q[0]) < 1e-9);
    CHECK(e.stable);
    CHECK(e.modes[0].omega == near(std::sqrt(kTip / kAboutPin)));  // (k − m g a) / J
  }
  SUBCASE("weak, drawn upright") {
    const Equilibrium e = solved(inverted(kTip / 2, 0));
    CHECK(e.q[0] == 0);
    CHECK(!e.stable);
    CHECK(e.unstable == 1);
    CHECK(e.modes[0].omega == 0);
    CHECK(e.modes[0].growth == near(std::sqrt(kTip / 2 / kAboutPin)));
    CHECK(says(e.problems, "unstable in 1 motion"));
  }
  SUBCASE("weak, drawn aside: k φ = m g a sin φ") {
    const Equilibrium e = solved(inverted(kTip / 2, 0.1));
    CHECK(e.stable);
    CHECK(e.q[0] == near(1.8954942670339809));  // φ = 2 sin φ, a root of sinc to 17 digits
    CHECK(e.modes[0].omega == near(std::sqrt((kTip / 2 - kTip * std::cos(e.q[0])) / kAboutPin)));
  }
}

TEST_CASE("a ball joint with three stiffnesses comes to rest where they are relaxed and swings about each axis by itself") {
  // Near rest the rotation vector from rest is small and the torque −K θ in the body's axes: I_i ω_i² = k_i.
  TreeMaker maker;
  const int body = maker.add("body", "spherical", 0);
  maker.load(body, 1, {}, {0.2, 0.3, 0.4, 0, 0, 0});
  const Vec3<double> rest{0.3, -0.5, 0.9};
  const double stiffness[] = {5, 7, 20}, inertia[] = {0.2, 0.3, 0.4}, rests[] = {rest.x, rest.y, rest.z};
  for (std::size_t k = 0; k < 3; ++k) maker.mechanism.dofs[k].stiffness = stiffness[k], maker.mechanism.dofs[k].rest = rests[k];
  const Equilibrium e = solved(maker);
  const tree::Quaternion wanted = tree::from_rotation_vector(rest);
  CHECK(e.q[0] == near(wanted.w));
  CHECK(e.q[1] == near(wanted.x));
  CHECK(e.q[2] == near(wanted.y));
  CHECK(e.q[3] == near(wanted.z));
  CHECK(e.stable);
  CHECK(e.eigenvalues.empty());
  std::vector<double> omega;
  for (std::size_t k = 0; k < 3; ++k) omega.push_back(std::sqrt(stiffness[k] / inertia[k]));
  std::ranges::sort(omega);
  for (std::size_t k = 0; k < 3; ++k) CHECK(e.modes[k].omega == near(omega[k]));
}

TEST_CASE("a rod on a ball joint hangs down, swings alike both ways and may spin") {
  TreeMaker maker({0, 0, -g});
  const int rod = maker.add("rod", "spherical", 0);
  maker.load(rod, 1.5, {0.4, 0, 0}, {0.01, 0.05, 0.05, 0, 0, 0});
  maker.mechanism.q = {0.9, 0.1, 0.3, -0.2};
  (void)tree::normalise(maker.mechanism.tree, maker.mechanism.q);
  const Equilibrium e = solved(maker);
  CHECK(column(maker, e, "com.z") == near(-0.4));
  CHECK(e.neutral == 1);
  CHECK(e.stable);
  const double omega = std::sqrt(1.5 * g * 0.4 / (0.05 + 1.5 * 0.4 * 0.4));  // m g a / (I + m a²)
  CHECK(e.modes[0].omega == 0);
  CHECK(e.modes[1].omega == near(omega));
  CHECK(e.modes[2].omega == near(omega));
}

TEST_CASE("a free body without forces rests anywhere; with a weight it drifts away") {
  for (const double weight : {0.0, g}) {
    TreeMaker maker({0, 0, -weight});
    const int body = maker.add("body", "free", 0);
    maker.load(body, 2, {}, {0.1, 0.2, 0.25, 0, 0, 0});
    const Equilibrium e = equilibrium(maker.mechanism);
    if (weight == 0) {
      REQUIRE(e.outcome.done());
      CHECK(e.neutral == 6);
      CHECK(e.stable);
      for (const NaturalMode& mode : e.modes) CHECK(mode.omega == 0);
      CHECK(says(e.problems, "neutral in 6 motions"));
    } else {
      CHECK(e.outcome.kind == Outcome::Kind::no_equilibrium);
      CHECK(e.outcome.sentence.find("joint 'body' drifts away: nothing balances the 19.62 N that push it") != std::string::npos);
      CHECK(e.outcome.elements == std::vector<std::string>{"body"});
    }
  }
}

TEST_CASE("a free body on the springs of its own joint sinks by m g / k") {
  // Stiffness k along each axis of the parent and κ about each axis; the centre of mass is the joint's origin.
  TreeMaker maker({0, 0, -g});
  const int body = maker.add("body", "free", 0);
  maker.load(body, 2, {}, {0.1, 0.2, 0.25, 0, 0, 0});
  for (std::size_t k = 0; k < 6; ++k) maker.mechanism.dofs[k].stiffness = k < 3 ? 3 : 50;
  maker.mechanism.q = {0.8, 0.3, -0.2, 0.5, 0.1, 0.2, 0.3};
  (void)tree::normalise(maker.mechanism.tree, maker.mechanism.q);
  const Equilibrium e = solved(maker);
  CHECK(std::abs(e.q[0]) == near(1.0));
  CHECK(std::abs(e.q[4]) < kFound);
  CHECK(e.q[6] == near(-2 * g / 50));
  std::vector<double> omega{5, 5, 5, std::sqrt(3 / 0.1), std::sqrt(3 / 0.2), std::sqrt(3 / 0.25)};
  std::ranges::sort(omega);
  for (std::size_t k = 0; k < 6; ++k) CHECK(e.modes[k].omega == near(omega[k]));
}

TEST_CASE("an active dof is held where its motion begins, and what holds it is told") {
  // An arm of a metre with its mass at the end, held level; the bob on its spring slide hangs from the end.
  TreeMaker maker({0, -g, 0});
  const int arm = maker.add("arm", "revolute", 0);
  maker.load(arm, 3, {1, 0, 0}, {});
  maker.mechanism.dofs[0].motion = TimeFunction(0.0);
  const int bob = maker.add("bob", "prismatic", arm, at(1, 0), {.axis = {0, -1, 0}});
  maker.load(bob, 0.5, {}, {});
  maker.mechanism.dofs[0].motion = TimeFunction(0.0);
  maker.mechanism.dofs[1].stiffness = 40;
  const Equilibrium e = solved(maker);
  CHECK(e.free_motions == 1);
  CHECK(e.q[0] == 0);
  CHECK(e.q[1] == near(0.5 * g / 40));
  CHECK(column(maker, e, "arm.tau1") == near(3.5 * g));  // both weights at an arm of a metre
  CHECK(e.modes[0].omega == near(std::sqrt(40 / 0.5)));
  CHECK(e.modes[0].shape[0] == 0);
}

TEST_CASE("the bifilar pendulum swings with sqrt(g / l) and turns with sqrt(m g b² / (l I))") {
  // Each rod carries half the weight and gives back m g / 2 · displacement / l.
  const double b = 0.4, l = 0.8, mass = 1.3;
  const TreeMaker maker = bifilar(b, l, mass, {0.01, 0.09, 0.08, 0, 0, 0});
  const Equilibrium e = solved(maker);
  CHECK(e.free_motions == 4);
  CHECK(e.neutral == 1);  // about its own axis
  CHECK(e.stable);
  CHECK(e.eigenvalues.empty());
  REQUIRE(e.modes.size() == 4);
  std::vector<double> omega{0, std::sqrt(g / l), std::sqrt(g / l), std::sqrt(mass * g * b * b / (l * 0.08))};
  std::ranges::sort(omega);
  for (std::size_t k = 0; k < 4; ++k) CHECK(e.modes[k].omega == doctest::Approx(omega[k]).epsilon(1e-9));
  CHECK(column(maker, e, "hook.fz") == near(mass * g / 2));
}

TEST_CASE("with forces of springs and weights alone the stiffness along loops is symmetric, wherever it comes to rest") {
  // An identity: small motions are those of an energy. A wrong sign of the terms from rotating axes shows as circulation.
  TreeMaker maker = bifilar(0.4, 0.8, 1.3, {0.05, 0.09, 0.08, 0.01, 0.02, -0.01});
  for (const int rod : {1, 2}) maker.load(rod, 0.3, {0, 0, -0.4}, {0.02, 0.02, 0.001, 0, 0, 0});
  maker.mechanism.forces.push_back(spring("aside", 0, {0.9, -1.1, 0.2}, 3, {0.5, 0.1, -0.2}, 30, 0.4));
  maker.mechanism.forces.push_back(spring("up", 0, {-0.2, 0.7, -1.5}, 3, {0.3, -0.2, 0.3}, 20, 0.1));
  const Equilibrium e = solved(maker);
  CHECK(e.stable);
  CHECK(e.neutral == 0);
  CHECK(e.eigenvalues.empty());
  CHECK(column(maker, e, "constraint.error") < 1e-12);
  // the energy itself, along each shape and back on the loops: V'' = ω² ξᵀHξ
  const SpaceMechanism& m = maker.mechanism;
  const std::size_t n = m.dofs.size();
  std::vector<double> h(n * n);
  tree::Workspace<double> work(m.tree);
  tree::crba<double>(m.tree, work, e.q.data(), h.data());
  for (const NaturalMode& mode : e.modes) {
    double mass = 0;
    for (std::size_t i = 0; i < n * n; ++i) mass += mode.shape[i / n] * h[i] * mode.shape[i % n];
    const auto potential = [&](double s) { return potential_along(m, e.q, mode.shape, s); };
    const double s = 0.02;
    const double inner = potential(s) + potential(-s), outer = potential(2 * s) + potential(-2 * s);
    const double bend = (16 * inner - outer - 30 * potential(0)) / (12 * s * s);
    CHECK(mode.omega * mode.omega * mass == doctest::Approx(bend).epsilon(1e-5));  // the error of the differences: s⁴
  }
}

TEST_CASE("a four-bar on springs in space rests where the planar engine says, with its frequency and reactions") {
  const oracle::GeneralFourBar numbers;
  TreeMaker maker = oracle::four_bar(numbers.ground, numbers.crank, numbers.coupler, numbers.rocker, "revolute");
  maker.mechanism.q = numbers.q;
  maker.mechanism.forces.push_back(spring("coil", 0, {0.2, -0.6, 0}, 2, {0.5, 0, 0}, 80, 0.5));
  maker.mechanism.dofs[2].stiffness = 4, maker.mechanism.dofs[2].rest = 1;
  const Equilibrium e = solved(maker);

  Model m = test::four_bar(numbers.ground, numbers.crank, numbers.coupler, numbers.rocker, numbers.q[0], 1);
  m.gravity = {Text(0.0), Text(-g)};
  m.ground.point("S", 0.2, -0.6);
  const double lengths[] = {numbers.crank, numbers.coupler, numbers.rocker};
  for (std::size_t b = 0; b < 3; ++b) {
    m.bodies[b].mass = Text(lengths[b]), m.bodies[b].inertia = Text(lengths[b] * lengths[b] * lengths[b] / 12);
    m.bodies[b].com = std::vector<Text>{Text(lengths[b] / 2), Text(0.0)};
  }
  m.bodies[1].point("S", 0.5, 0.0);
  force(m, "coil", "spring").set("i", Text("ground.S")).set("j", Text("coupler.S"))
      .set("stiffness", Text(80.0)).set("free_length", Text(0.5));
  force(m, "twist", "torsion-spring").set("i", Text("ground")).set("j", Text("rocker"))
      .set("stiffness", Text(4.0)).set("free_angle", Text(1.0));
  const PlaneMechanism plane = built(m);
  const Equilibrium wanted = equilibrium(plane);
  REQUIRE_MESSAGE(wanted.outcome.done(), text(wanted.problems));

  CHECK(e.free_motions == 1);
  // three of the five equations of the closing pin hold the plane once more, and every pin could do without its share of that
  CHECK(e.not_unique == std::vector<std::string>{"crank", "coupler", "rocker", "closure"});
  CHECK(e.q[0] == near(wanted.q[2]));
  CHECK(e.q[0] + e.q[1] == near(wanted.q[5]));
  CHECK(e.q[2] == near(wanted.q[8]));
  REQUIRE(e.modes.size() == 1);
  CHECK(e.modes[0].omega == doctest::Approx(wanted.modes[0].omega).epsilon(1e-9));
  CHECK(e.eigenvalues.empty());
  for (const Constraint& c : plane.system.constraints()) {
    if (c.name != "pB") continue;
    const auto row = static_cast<std::size_t>(c.first_row);
    const double x = wanted.lambda[row], y = wanted.lambda[row + 1];
    CHECK(std::abs(column(maker, e, "closure.fx")) == doctest::Approx(std::abs(x)).epsilon(1e-9));
    CHECK(std::abs(column(maker, e, "closure.fy")) == doctest::Approx(std::abs(y)).epsilon(1e-9));
  }
}

TEST_CASE("a coupling shares a weight") {
  // Two arms of 1 m, geared 1 : −2, both with a torsion spring: energy m g (sin a + sin b) + k (a² + b²) / 2 with b = −2 a.
  TreeMaker maker({0, -g, 0});
  const int first = maker.add("first", "revolute", 0), second = maker.add("second", "revolute", 0, at(3, 0));
  maker.load(first, 1, {1, 0, 0}, {}), maker.load(second, 1, {1, 0, 0}, {});
  for (SpaceDof& dof : maker.mechanism.dofs) dof.stiffness = 30;
  maker.mechanism.couplings.push_back({"gear", {}, 0, 1, -2, 0});
  const Equilibrium e = solved(maker);
  const double a = e.q[0];
  CHECK(e.q[1] == near(-2 * a));
  CHECK(std::abs(g * (std::cos(a) - 2 * std::cos(2 * a)) + 30 * 5 * a) < 1e-8);  // the derivative of the energy
  const double bend = g * (-std::sin(a) + 4 * std::sin(2 * a)) + 150;            // and the second one; b = −2 a: sin b = −sin 2a
  CHECK(e.modes[0].omega == near(std::sqrt(bend / 5)));                          // mass 1 + 4
  CHECK(e.modes[0].shape[1] == near(1.0));
  CHECK(e.modes[0].shape[0] == near(-0.5));
}

TEST_CASE("Ziegler's column flutters once its follower force exceeds (7/2 − √2) k / l") {
  // Masses 2 m and m at the ends of two rods of length l, springs k in both hinges. H. Ziegler, Ingenieur-Archiv 20 (1952).
  const double k = 3, l = 0.5, critical = (3.5 - std::sqrt(2.0)) * k / l;
  for (const double part : {0.98, 1.02}) {
    TreeMaker maker;
    const int lower = maker.add("lower", "revolute", 0), upper = maker.add("upper", "revolute", lower, at(l, 0));
    maker.load(lower, 2, {l, 0, 0}, {}), maker.load(upper, 1, {l, 0, 0}, {});
    for (SpaceDof& dof : maker.mechanism.dofs) dof.stiffness = k;
    const tree::forces::Force push{{upper, {l, 0, 0}}, {TimeFunction(-part * critical)}, tree::Axes::body};
    maker.mechanism.forces.push_back({"push", {}, push});
    const Equilibrium e = solved(maker);
    CHECK(std::abs(e.q[0]) < 1e-9);
    CHECK(e.eigenvalues.size() == 4);
    CHECK(e.stable == (part < 1));
  }
}

TEST_CASE("a spring without free length holds its body also where its ends meet") {
  // oracle: a point mass on such a spring swings with w² = k / m in every direction, and rests where the spring has no length
  TreeMaker maker;
  const int ball = maker.add("ball", "translation", 0);
  maker.load(ball, 0.5, {}, {});
  maker.mechanism.forces.push_back(spring("spring", 0, {}, ball, {}, 8, 0));
  const Equilibrium e = solved(maker);
  CHECK(e.stable);
  REQUIRE(e.modes.size() == 3);
  for (const NaturalMode& mode : e.modes) CHECK(mode.omega == near(4));
}

TEST_CASE("damping gives roots: I s² + R s + K") {
  TreeMaker maker;
  const int wheel = maker.add("wheel", "revolute", 0);
  maker.load(wheel, 1, {}, {0.1, 0.1, 0.2, 0, 0, 0});
  maker.mechanism.dofs[0].stiffness = 3, maker.mechanism.dofs[0].damping = 0.15, maker.mechanism.dofs[0].rest = 0.5;
  const Equilibrium e = solved(maker);
  CHECK(e.q[0] == near(0.5));
  CHECK(e.modes[0].omega == near(std::sqrt(3 / 0.2)));
  REQUIRE(e.eigenvalues.size() == 2);
  CHECK(e.eigenvalues[1].real() == near(-0.15 / 0.4));
  CHECK(e.eigenvalues[1].imag() == near(std::sqrt(3 / 0.2 - 0.375 * 0.375)));
}

TEST_CASE("where there is none, or no number, it is said who is to blame") {
  SUBCASE("a torque that nothing balances") {
    TreeMaker maker;
    const int wheel = maker.add("wheel", "revolute", 0);
    maker.load(wheel, 1, {}, {0.1, 0.1, 0.2, 0, 0, 0});
    maker.mechanism.dofs[0].torque = TimeFunction(2.0);
    const Equilibrium e = equilibrium(maker.mechanism);
    CHECK(e.outcome.kind == Outcome::Kind::no_equilibrium);
    CHECK(e.outcome.sentence == "joint 'wheel' turns on and on: nothing balances the 2 N m that turn it");
  }
  SUBCASE("a spring of no length") {
    TreeMaker maker;
    const int wheel = maker.add("wheel", "revolute", 0);
    maker.load(wheel, 1, {}, {0.1, 0.1, 0.2, 0, 0, 0});
    maker.mechanism.forces.push_back(spring("coil", 0, {1, 0, 0}, wheel, {1, 0, 0}, 5, 0.5));
    const Equilibrium e = equilibrium(maker.mechanism);
    CHECK(e.outcome.kind == Outcome::Kind::undefined);
    CHECK(says(e.problems, "force 'coil': its length has become zero"));
  }
  SUBCASE("a loop that cannot be closed") {
    TreeMaker maker = oracle::four_bar(10, 0.3, 0.9, 0.7, "revolute");
    const Equilibrium e = equilibrium(maker.mechanism);
    CHECK(e.outcome.kind == Outcome::Kind::not_assembled);
    CHECK(!e.problems.empty());
  }
  SUBCASE("nothing that could move") {
    TreeMaker maker({0, 0, -g});
    const int arm = maker.add("arm", "revolute", 0);
    maker.load(arm, 1, {1, 0, 0}, {});
    maker.mechanism.dofs[0].motion = TimeFunction(0.5);
    const Equilibrium e = solved(maker);
    CHECK(e.free_motions == 0);
    CHECK(e.modes.empty());
    CHECK(e.q[0] == 0.5);
    CHECK(e.stable);
  }
}

}  // namespace space_equilibrium_test
