// Friction of joints in space that grows with their reactions. Oracle: the same mechanisms in the plane, closed forms, and one formulation against the other.
#include <array>
#include <string>
#include <vector>

#include "driven_test.hpp"
#include "jounce/analysis/dynamics.hpp"
#include "jounce/io/read_model.hpp"

namespace space_joint_friction_test {

using namespace jounce;
using namespace jounce::test;

namespace {

constexpr double kGravity = 9.81;

template <class Mechanism>
DynamicsRun done(const Mechanism& mechanism, double to, int steps, double tolerance = 1e-12, Method method = Method::automatic,
                 Formulation formulation = Formulation::automatic) {
  DynamicsOptions options;
  options.to = to, options.steps = steps, options.tolerance = tolerance, options.method = method, options.formulation = formulation;
  DynamicsRun run = dynamics(mechanism, options);
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  return run;
}

PlaneMechanism in_plane(const std::string& model) { return built(parse_model("jounce = 1\nname = \"planar\"\n" + model, "planar.toml").model); }

std::string bearing(double coefficient, double radius, double speed) {
  return "friction = { coefficient = " + text_of(coefficient) + ", radius = " + text_of(radius) + ", speed = " + text_of(speed) + " }\n";
}

// Two bars in a row, both pins rubbing: in the plane x, y and in space x, z, where the axis that turns x into z is −y.
std::string bars_in_plane(double speed) {
  return "gravity = [0, -9.81]\n[ground]\npoints = { O = [0, 0] }\n[bodies.bar]\nmass = 1.5\ncom = [0.3, 0]\ninertia = 0.02\npoints = { A = [0, 0], B = [0.6, 0] }\n"
         "[bodies.tip]\nmass = 0.5\ncom = [0.2, 0]\ninertia = 0.004\nposition = [0.6, 0]\npoints = { B = [0, 0] }\n[joints.first]\ntype = \"revolute\"\ni = \"ground.O\"\nj = \"bar.A\"\n" +
         bearing(0.2, 0.03, speed) + "[joints.second]\ntype = \"revolute\"\ni = \"bar.B\"\nj = \"tip.B\"\n" + bearing(0.2, 0.02, speed);
}
std::string bars_in_space(double speed, const std::string& of_first = "", const std::string& of_second = "") {
  return "gravity = [0, 0, -9.81]\n[bodies.bar]\nmass = 1.5\ncom = [0.3, 0, 0]\ninertia = [0.01, 0.02, 0.03, 0, 0, 0]\n[bodies.tip]\nmass = 0.5\ncom = [0.2, 0, 0]\n"
         "inertia = [0.001, 0.004, 0.005, 0, 0, 0]\n[joints.first]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"bar\"\naxis = [0, -1, 0]\n" + of_first + bearing(0.2, 0.03, speed) +
         "[joints.second]\ntype = \"revolute\"\nparent = \"bar\"\nchild = \"tip\"\norigin = { xyz = [0.6, 0, 0] }\naxis = [0, -1, 0]\n" + of_second + bearing(0.2, 0.02, speed);
}

}  // namespace

TEST_CASE("two bars whose pins rub fall alike in the plane and in space, to snap") {
  for (const double speed : {1e-2, 0.0}) {
    const DynamicsRun plane = done(in_plane(bars_in_plane(speed)), 0.6, 6);
    for (const Method method : {Method::dop853, Method::radau}) {
      CAPTURE(word(method));
      CAPTURE(speed);
      const DynamicsRun space = done(driven(bars_in_space(speed)), 0.6, 6, 1e-11, method);
      const auto same = [&](std::size_t i, const std::string& ours, double theirs, double within) {
        CAPTURE(ours);
        CHECK(std::abs(value(space, i, ours) - theirs) <= within * std::max(1.0, std::abs(theirs)));
      };
      for (std::size_t i = 0; i < space.results.rows(); ++i) {
        const auto relative = [&](const std::string& order) { return value(plane, i, "tip." + order) - value(plane, i, "bar." + order); };
        same(i, "first.q1", value(plane, i, "bar.phi"), 1e-8), same(i, "first.v1", value(plane, i, "bar.vphi"), 1e-8);
        same(i, "second.v1", relative("vphi"), 1e-8), same(i, "second.a1", relative("aphi"), 1e-6);
        same(i, "first.j1", value(plane, i, "bar.jphi"), 1e-4), same(i, "second.j1", relative("jphi"), 1e-4);
        same(i, "first.s1", value(plane, i, "bar.sphi"), 1e-3);
        same(i, "first.friction", value(plane, i, "first.friction"), 1e-6), same(i, "second.friction", value(plane, i, "second.friction"), 1e-6);
        same(i, "second.fx", value(plane, i, "second.fx"), 1e-6);
        CHECK(std::abs(value(space, i, "energy.balance")) <= 1e-7);
      }
      std::vector<Event> a, b;
      for (const Event& e : plane.events) if (e.kind != "method") a.push_back(e);
      for (const Event& e : space.events) if (e.kind != "method") b.push_back(e);
      REQUIRE(a.size() == b.size());
      for (std::size_t k = 0; k < a.size(); ++k) CHECK((a[k].kind == b[k].kind && std::abs(a[k].t - b[k].t) <= 1e-8));
    }
  }
}

TEST_CASE("every formulation of space finds the same friction") {
  const SpaceMechanism mechanism = driven(bars_in_space(1e-2));
  const DynamicsRun first = done(mechanism, 0.3, 3, 1e-11, Method::dop853, Formulation::aba);
  for (const Formulation formulation : {Formulation::crba, Formulation::lagrange, Formulation::kkt, Formulation::nullspace}) {
    CAPTURE(word(formulation));
    const DynamicsRun run = done(mechanism, 0.3, 3, 1e-11, Method::dop853, formulation);
    for (const std::string column : {"first.q1", "second.v1", "second.a1", "first.j1", "first.s1", "first.friction", "second.friction", "second.fz"})
      for (std::size_t i = 0; i < run.results.rows(); ++i) {
        CAPTURE(column);
        CHECK(value(run, i, column) == doctest::Approx(value(first, i, column)).epsilon(1e-7));
      }
  }
}

TEST_CASE("inverse dynamics of a prescribed arm adds the friction of its bearings to the efforts, by the loads across their axes") {
  // closed form: in a tree the force across an axis does not depend on efforts, so friction is mu r R of the arm without it
  const std::string motion_1 = "dofs = [ { motion = \"0.3 + 2*t\" } ]\n", motion_2 = "dofs = [ { motion = \"1 - 3*t\" } ]\n";
  std::string plain = bars_in_space(0, motion_1, motion_2);
  for (std::size_t at = plain.find("friction"); at != plain.npos; at = plain.find("friction")) plain.erase(at, plain.find('\n', at) - at);
  const KinematicsRun rubs = inverse(driven(bars_in_space(0, motion_1, motion_2)), {.to = 1, .steps = 4}), without = inverse(driven(plain), {.to = 1, .steps = 4});
  REQUIRE_MESSAGE(rubs.outcome.done(), rubs.outcome.sentence);
  for (std::size_t i = 0; i < rubs.results.rows(); ++i) {
    for (const auto& [joint, arm, sign] : {std::tuple{"first", 0.2 * 0.03, 1.0}, std::tuple{"second", 0.2 * 0.02, -1.0}}) {
      const std::string name(joint);
      const double across = std::hypot(value(without, i, name + ".fx"), value(without, i, name + ".fz"));
      CHECK(std::abs(value(rubs, i, name + ".friction") + sign * arm * across) <= 1e-12);
      CHECK(std::abs(value(rubs, i, name + ".tau1") - value(without, i, name + ".tau1") - sign * arm * across) <= 1e-11);
    }
    CHECK(std::abs(value(rubs, i, "energy.balance")) <= 1e-9);
  }
}

TEST_CASE("a block on a rail in space slides with g (sin a - mu cos a) or sticks") {
  for (const double mu : {0.2, 0.7}) {
    const SpaceMechanism mechanism = driven("gravity = [0, 0, -9.81]\n[bodies.block]\nmass = 2\ninertia = [0.1, 0.2, 0.3, 0, 0, 0]\n[joints.rail]\ntype = \"prismatic\"\nparent = \"ground\"\nchild = \"block\"\n"
                                            "axis = [\"cos(30*deg)\", 0, \"sin(30*deg)\"]\nfriction = { coefficient = " + text_of(mu) + ", speed = 0 }\n");
    const DynamicsRun run = done(mechanism, 1, 2);
    const double a = mu > std::tan(kPi / 6) ? 0 : kGravity * (0.5 - mu * std::cos(kPi / 6));
    CHECK(std::abs(value(run, 2, "rail.v1") + a) <= 1e-10);
    CHECK(std::abs(value(run, 2, "rail.friction") - (a == 0 ? 2 * kGravity * 0.5 : 2 * kGravity * mu * std::cos(kPi / 6))) <= 1e-9);
  }
}

TEST_CASE("friction of a joint in space that cannot be meant is a located error") {
  const std::string model = "jounce = 1\nspace = \"3d\"\n[bodies.a]\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n[bodies.b]\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n"
                            "[joints.hinge]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"a\"\nfriction = { coefficient = -0.1 }\n"
                            "[joints.rail]\ntype = \"prismatic\"\nparent = \"a\"\nchild = \"b\"\ndofs = [ { friction = 3 } ]\nfriction = { coefficient = 0.1 }\n";
  CHECK(text(build_space(parse_model(model, "m.toml").model).problems()) ==
        "m.toml:13:12: error: joint 'hinge': friction: 'radius' is missing\n"
        "m.toml:13:28: error: joint 'hinge': friction: coefficient: must not be negative, found -0.1\n"
        "m.toml:19:1: error: joint 'rail': friction: its dof has friction of a constant size: give one of them\n");
}

}  // namespace space_joint_friction_test
