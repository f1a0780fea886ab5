// Loops by the hundred: side by side they move as one of them does, one on top of the other as the plane says, and all of them as dense matrices say.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "jounce/analysis/check/check.hpp"
#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/inverse.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/base/index.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/plane/mechanism.hpp"
#include "jounce/space/equations/equations.hpp"

namespace many_loops_test {

namespace {

using namespace jounce;

// The same operations on the same numbers, in another order.
constexpr double kSame = 1e-12;
// Dense factors of matrices with conditions of up to 1e4.
constexpr double kSolved = 1e-10;
// Integrated to a tolerance of 1e-12, with errors that grow along the chain.
constexpr double kIntegrated = 1e-8;

std::string number(double x) { return Text(x).text; }
std::string numbered(const char* name, int k) { return name + std::to_string(k); }

// Crank 0.3, coupler 0.9 and rocker 0.7 on a ground of 1, all of them rods. The angles close the loop to rounding.
constexpr double kCrank = 0.3, kCoupler = 0.9, kRocker = 0.7;
constexpr double kCrankAngle = 1.0, kCouplerAngle = 0.5176179771777364, kRockerAngle = 1.6506082348163227;

enum class Standing { side_by_side, on_rockers, on_a_cart };

std::string rod(const std::string& name, double length, const std::string& rest) {
  return "[bodies." + name + "]\nmass = " + number(length) + "\ncom = [" + number(length / 2) + ", 0, 0]\ninertia = [1e-3, " +
         number(length * length * length / 12) + ", " + number(length * length * length / 12) + ", 0, 0, 0]\n" + rest + "\n";
}

std::string hinge(const std::string& name, const std::string& parent, const std::string& child, double x, double y, double q, const std::string& more = "") {
  return "[joints." + name + "]\ntype = \"revolute\"\nparent = \"" + parent + "\"\nchild = \"" + child + "\"\norigin = { xyz = [" + number(x) + ", " + number(y) +
         ", 0] }\naxis = [0, -1, 0]\nq = [" + number(q) + "]\n" + more + "\n";
}

SpaceMechanism in_space(int count, Standing standing, bool driven = false, const char* closing = "revolute", const char* speed = "2") {
  std::string text = "jounce = 1\nname = \"Many\"\nspace = \"3d\"\ngravity = [0, 0, -9.81]\n";
  if (standing == Standing::on_a_cart)
    text += rod("cart", 2, "") + "[joints.rail]\ntype = \"prismatic\"\nparent = \"ground\"\nchild = \"cart\"\naxis = [1, 0, 0]\nv = [0.3]\n";
  for (int k = 0; k < count; ++k) {
    const std::string crank = numbered("crank", k), coupler = numbered("coupler", k), rocker = numbered("rocker", k);
    const std::string base = standing == Standing::on_a_cart ? "cart" : standing == Standing::side_by_side || k == 0 ? "ground" : numbered("rocker", k - 1);
    const double x = base.starts_with("rocker") ? 0.1 : 0, y = standing == Standing::on_rockers ? 0 : 0.01 * k;
    text += rod(crank, kCrank, "") + rod(coupler, kCoupler, "points = { B = { xyz = [0.9, 0, 0], rpy = [\"90*deg\", 0, 0] } }") +
            rod(rocker, kRocker, "points = { B = { xyz = [0.7, 0, 0], rpy = [\"90*deg\", 0, 0] } }");
    text += hinge(numbered("O", k), base, crank, x, y, kCrankAngle, driven ? "dofs = [ { motion = \"1 + 2*t\" } ]" : "v = [" + std::string(speed) + "]") +
            hinge(numbered("A", k), crank, coupler, kCrank, 0, kCouplerAngle - kCrankAngle) + hinge(numbered("Q", k), base, rocker, x + 1, y, kRockerAngle);
    text += "[loops." + numbered("L", k) + "]\ntype = \"" + closing + "\"\ni = \"" + coupler + ".B\"\nj = \"" + rocker + ".B\"\n";
  }
  auto mechanism = build_space(parse_model(text, "many.toml").model);
  REQUIRE_MESSAGE(mechanism.ok(), jounce::text(mechanism.problems()));
  return *std::move(mechanism);
}

// The chain on rockers in the plane, whose engine knows of no tree. Angles are those against the ground.
PlaneMechanism in_plane(int count) {
  Model m;
  m.gravity = {Text(0.0), Text(-9.81)};
  m.ground.point("O0", 0.0, 0.0).point("Q0", 1.0, 0.0);
  const auto add = [&](const std::string& name, double length, double x, double y, double phi) -> Body& {
    Body& b = m.body(name);
    b.position = std::vector<Text>{x, y};
    b.angle = Text(phi);
    b.mass = Text(length), b.inertia = Text(length * length * length / 12), b.com = std::vector<Text>{Text(length / 2), Text(0.0)};
    return b.point("A", 0.0, 0.0).point("B", length, 0.0);
  };
  const auto pin = [&](const std::string& name, const std::string& i, const std::string& j) { m.joint(name, "revolute").set("i", Text(i)).set("j", Text(j)); };
  double x = 0, y = 0, phi = 0;  // of what the loop stands on
  for (int k = 0; k < count; ++k) {
    const std::string base = k == 0 ? "ground" : numbered("rocker", k - 1);
    const double from = k == 0 ? 0 : 0.1, c = std::cos(phi), s = std::sin(phi);
    add(numbered("crank", k), kCrank, x + from * c, y + from * s, phi + kCrankAngle);
    add(numbered("coupler", k), kCoupler, x + from * c + kCrank * std::cos(phi + kCrankAngle), y + from * s + kCrank * std::sin(phi + kCrankAngle), phi + kCouplerAngle);
    x += (from + 1) * c, y += (from + 1) * s, phi += kRockerAngle;
    add(numbered("rocker", k), kRocker, x, y, phi).point(numbered("O", k + 1), 0.1, 0.0).point(numbered("Q", k + 1), 1.1, 0.0);
    pin(numbered("O", k), base + "." + numbered("O", k), numbered("crank", k) + ".A");
    pin(numbered("A", k), numbered("crank", k) + ".B", numbered("coupler", k) + ".A");
    pin(numbered("L", k), numbered("coupler", k) + ".B", numbered("rocker", k) + ".B");
    pin(numbered("Q", k), base + "." + numbered("Q", k), numbered("rocker", k) + ".A");
  }
  auto mechanism = build_plane(m);
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  return *std::move(mechanism);
}

// At some state on the loops, what the equations say: accelerations, efforts, reactions.
struct Answer {
  std::vector<double> a, reactions;
  int rank = 0;
  std::size_t groups = 0;
};
Answer answer(const SpaceMechanism& m, Formulation formulation, std::vector<double> q, std::vector<double> v) {
  SpaceEquations equations(m, formulation);
  (void)equations.project_position(q);
  (void)equations.project_velocity(q, v);
  Answer out{std::vector<double>(v.size()), {}, 0, equations.groups().size()};
  REQUIRE(!equations.solve(0, q, v, out.a));
  out.rank = equations.rank();
  const auto put = [&](const tree::Wrench<double>& w) {
    for (const Vec3<double>& x : {w.force, w.moment}) out.reactions.insert(out.reactions.end(), {x.x, x.y, x.z});
  };
  for (int j = 0; j < static_cast<int>(m.joints.size()); ++j) put(equations.joint_wrench(j));
  for (int l = 0; l < static_cast<int>(m.loops.size()); ++l) put(equations.loop_wrench(l));
  return out;
}
Answer answer(const SpaceMechanism& m, Formulation formulation) { return answer(m, formulation, m.q, m.v); }

double apart(std::span<const double> a, std::span<const double> b) {
  REQUIRE(a.size() == b.size());
  double most = 0, size = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) <= most)) most = std::abs(a[i] - b[i]);
    size = std::max(size, std::abs(a[i]));
  }
  return most / size;
}

}  // namespace

TEST_CASE("each of two hundred four-bars side by side moves and carries as one alone does") {
  // oracle: the one
  const int count = 200;
  const SpaceMechanism one = in_space(1, Standing::side_by_side), many = in_space(count, Standing::side_by_side);
  const Answer alone = answer(one, Formulation::aba), all = answer(many, Formulation::aba);
  CHECK(all.groups == z(count));
  CHECK(alone.rank == 2);
  CHECK(all.rank == 2 * count);
  for (std::size_t k = 0; k < z(count); ++k) {
    CHECK(apart(alone.a, std::span(all.a).subspan(3 * k, 3)) < kSame);
    CHECK(apart(std::span(alone.reactions).first(18), std::span(all.reactions).subspan(18 * k, 18)) < kSame);
    CHECK(apart(std::span(alone.reactions).last(6), std::span(all.reactions).subspan(18 * z(count) + 6 * k, 6)) < kSame);
  }
  const DynamicsRun run = dynamics(many, {.to = 0.2, .steps = 2}), single = dynamics(one, {.to = 0.2, .steps = 2});
  REQUIRE(run.outcome.done());
  for (const char* column : {"q1", "v1", "a1", "j1", "s1"})
    for (const int k : {0, 77, 199})
      CHECK(std::abs(*run.results.at(2, numbered("Q", k) + "." + column) - *single.results.at(2, std::string("Q0.") + column)) <
            kSame * (1 + std::abs(*single.results.at(2, std::string("Q0.") + column))));
}

TEST_CASE("a driven row of four-bars is followed to snap as one is, and needs as much from each motor") {
  // oracle: the one
  const SpaceMechanism one = in_space(1, Standing::side_by_side, true), many = in_space(50, Standing::side_by_side, true);
  const KinematicsRun run = inverse(many, {0.5, 2, {}}), single = inverse(one, {0.5, 2, {}});
  REQUIRE(run.outcome.done());
  for (const char* column : {"Q.q1", "Q.v1", "Q.a1", "Q.j1", "Q.s1", "O.tau1", "A.fx", "A.fz"})
    for (const int k : {0, 31, 49}) {
      const std::string name = column, of_one = name.substr(0, 1) + "0" + name.substr(1), own = name.substr(0, 1) + std::to_string(k) + name.substr(1);
      CAPTURE(own);
      CHECK(std::abs(*run.results.at(2, own) - *single.results.at(2, of_one)) < kSame * (1 + std::abs(*single.results.at(2, of_one))));
    }
}

TEST_CASE("loops on moving bodies, one on the other and many on one, are solved as by dense matrices") {
  // oracle: composite bodies, which fill H and K H⁻¹ Kᵀ; and free bodies, which know of no tree
  for (const Standing standing : {Standing::on_rockers, Standing::on_a_cart})
    for (const char* closing : {"revolute", "cylindrical", "spherical"})
      for (const bool driven : {false, true}) {
        CAPTURE(closing);
        CAPTURE(driven);
        const SpaceMechanism m = in_space(6, standing, driven, closing);
        std::vector<double> q = m.q, v = m.v;
        for (std::size_t k = 0; k < v.size(); ++k) v[k] += 0.3 * std::sin(double(k));
        const Answer found = answer(m, Formulation::aba, q, v);
        CHECK(found.groups == 6);
        for (const Formulation other : {Formulation::crba, Formulation::lagrange}) {
          const Answer dense = answer(m, other, q, v);
          CHECK(apart(found.a, dense.a) < kSolved);
          CHECK(apart(found.reactions, dense.reactions) < kSolved);
          CHECK(found.rank == dense.rank);
        }
      }
}

TEST_CASE("a chain of four-bars on rockers falls in space as in the plane") {
  // oracle: the engine of the plane, with sparse multipliers and no tree
  const int count = 12;
  const DynamicsRun plane = dynamics(in_plane(count), {.to = 0.1, .steps = 2, .tolerance = 1e-12});
  const DynamicsRun space = dynamics(in_space(count, Standing::on_rockers, false, "revolute", "0"), {.to = 0.1, .steps = 2, .tolerance = 1e-12});
  REQUIRE_MESSAGE(plane.outcome.done(), plane.outcome.sentence);
  REQUIRE_MESSAGE(space.outcome.done(), space.outcome.sentence);
  for (const std::size_t row : {std::size_t{0}, std::size_t{2}}) {
    double phi = 0, rate = 0, acceleration = 0;
    for (int k = 0; k < count; ++k) {
      const auto of = [&](const char* column) { return *space.results.at(row, numbered("Q", k) + column); };
      phi += of(".q1"), rate += of(".v1"), acceleration += of(".a1");
      const auto plane_of = [&](const char* column) { return *plane.results.at(row, numbered("rocker", k) + column); };
      CAPTURE(k);
      CHECK(std::abs(phi - plane_of(".phi")) < kIntegrated);
      CHECK(std::abs(rate - plane_of(".vphi")) < kIntegrated * (1 + std::abs(rate)));
      CHECK(std::abs(acceleration - plane_of(".aphi")) < kIntegrated * (1 + std::abs(acceleration)));
    }
  }
}

TEST_CASE("what is redundant in a row of four-bars is told of each") {
  // oracle: a count; each hinge that closes has three equations that the others say already
  const Check found = check(in_space(30, Standing::side_by_side));
  CHECK(found.mobility.mobility == 30);
  CHECK(found.mobility.redundant == 90);
  CHECK(found.mobility.dependent.size() == 30);
  CHECK(found.not_unique.size() == 120);  // three joints and a loop of each
}

}  // namespace many_loops_test
