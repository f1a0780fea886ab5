// Instants of spatial-cases.json: closed forms that need no time integration. Those with motion are in tests/6_models.
#include <doctest/doctest.h>

#include <cmath>

#include "jounce/tree/algorithms.hpp"
#include "oracles/spatial_vectors.hpp"

namespace cases_test {

namespace {

using namespace jounce;
using namespace jounce::tree;
using oracle::Json;

const Json& reference() {
  static const Json file = oracle::read_json("spatial-cases.json");
  return file;
}

// A rod or bob in the xy plane that hangs on the one before by a hinge about z.
int hang(Tree& tree, int parent, const Vec3<double>& at, const RigidInertia& inertia) {
  const Attached joint = attach(tree, parent, {identity3(), at}, std::vector<Step>{turning({0, 0, 1}, 0)});
  tree.load(joint.last, joint.successor, inertia);
  return joint.last;
}

std::vector<double> accelerations(const Tree& tree, const std::vector<double>& q, const std::vector<double>& v, const std::vector<double>& tau) {
  Workspace<double> work(tree);
  std::vector<double> a(v.size());
  REQUIRE(aba<double>(tree, work, q.data(), v.data(), tau.data(), a.data()));
  return a;
}

}  // namespace

TEST_CASE("double pendulum of point masses: accelerations at an instant") {
  // oracle: spatial-cases.json, double_pendulum_instant; its angles are absolute, ours relative
  const Json& ref = reference()["double_pendulum_instant"];
  Tree tree;
  tree.gravity = {0, -9.81, 0};
  const int first = hang(tree, kGround, {}, rigid_inertia(1, {0, -1, 0}, {}));
  hang(tree, first, {0, -1, 0}, rigid_inertia(1, {0, -1, 0}, {}));
  const double th1 = ref["th"][0], th2 = ref["th"][1], w1 = ref["w"][0], w2 = ref["w"][1];
  const auto a = accelerations(tree, {th1, th2 - th1}, {w1, w2 - w1}, {0, 0});
  CHECK(a[0] == doctest::Approx(ref["a1"].get<double>()).epsilon(1e-13));
  CHECK(a[0] + a[1] == doctest::Approx(ref["a2"].get<double>()).epsilon(1e-13));
}

TEST_CASE("joint-space inertia of N uniform rods") {
  // oracle: the closed form of section 9.4 in absolute angles, M_ij = m l² (N − max(i, j) + 1/2) cos(θi − θj), M_ii = m l² (N − i + 1/3)
  constexpr int n = 6;
  constexpr double mass = 0.7, l = 0.4;
  Tree tree;
  int parent = kGround;
  for (int i = 0; i < n; ++i) parent = hang(tree, parent, {i == 0 ? 0 : l, 0, 0}, rigid_inertia(mass, {l / 2, 0, 0}, {0, mass * l * l / 12, mass * l * l / 12, 0, 0, 0}));
  std::vector<double> q{0.3, -0.8, 1.1, 0.4, -1.7, 0.6}, theta(n), h(n * n);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) theta[i] = sum += q[i];
  Workspace<double> work(tree);
  crba<double>(tree, work, q.data(), h.data());
  const auto absolute = [&](int i, int j) {
    if (i == j) return mass * l * l * (n - (i + 1) + 1.0 / 3);
    return mass * l * l * (n - (std::max(i, j) + 1) + 0.5) * std::cos(theta[static_cast<std::size_t>(i)] - theta[static_cast<std::size_t>(j)]);
  };
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) {
      double expected = 0;  // θ = T q with T of ones below the diagonal
      for (int i = a; i < n; ++i)
        for (int j = b; j < n; ++j) expected += absolute(i, j);
      CHECK(h[static_cast<std::size_t>(a * n + b)] == doctest::Approx(expected).epsilon(1e-13));
    }
}

TEST_CASE("cart and pendulum") {
  // oracle: spatial-cases.json, cart_pendulum
  const Json& ref = reference()["cart_pendulum"];
  Tree tree;
  tree.gravity = {0, -9.81, 0};
  const Attached cart = attach(tree, kGround, {}, std::vector<Step>{sliding({1, 0, 0}, 0)});
  tree.load(cart.last, cart.successor, rigid_inertia(ref["M"], {}, {}));
  const Attached pin = attach(tree, cart.last, cart.successor, std::vector<Step>{turning({0, 0, 1}, 0)});
  tree.load(pin.last, pin.successor, rigid_inertia(ref["m"], {0, -ref["l"].get<double>(), 0}, {}));
  const auto a = accelerations(tree, ref["q"].get<std::vector<double>>(), ref["qd"].get<std::vector<double>>(), {ref["F"], 0});
  CHECK(a[0] == doctest::Approx(ref["qdd"][0].get<double>()).epsilon(1e-13));
  CHECK(a[1] == doctest::Approx(ref["qdd"][1].get<double>()).epsilon(1e-13));
}

TEST_CASE("a heavy top in steady precession") {
  // oracle: spatial-cases.json, lagrange_top_steady. With ψ' about the vertical and no nutation, the angular velocity turns with the
  // precession alone: dω/dt = ψ' e_z × ω, which in the axes of the top is −(ω − ψ' e_z) × ω seen from it.
  const Json& ref = reference()["lagrange_top_steady"];
  const double i1 = ref["I1"], i3 = ref["I3"], m = ref["m"], l = ref["l"], theta = ref["theta"], w3 = ref["w3"], rate = ref["precession"];
  Tree tree;
  tree.gravity = {0, 0, -9.81};
  const Attached ball = attach(tree, kGround, {}, std::vector<Step>{Step{Motion::ball, 0}});
  tree.load(ball.last, ball.successor, rigid_inertia(m, {0, 0, l}, {i1 - m * l * l, i1 - m * l * l, i3, 0, 0, 0}));
  // tilted by θ about x: the vertical in the axes of the top is (0, sin θ, cos θ)
  const Vec3<double> up{0, std::sin(theta), std::cos(theta)};
  const Vec3<double> w{0, rate * up.y, w3};
  const Vec3<double> spinning = w - up * rate;  // against the frame that precesses
  const Vec3<double> expected = cross(w, spinning);  // dω/dt in the top's axes: of a vector fixed in the precessing frame
  const auto a = accelerations(tree, {std::cos(theta / 2), std::sin(theta / 2), 0, 0}, {w.x, w.y, w.z}, {0, 0, 0});
  CHECK(a[0] == doctest::Approx(expected.x).epsilon(1e-11));
  CHECK(std::abs(a[1] - expected.y) < 1e-11);
  CHECK(std::abs(a[2] - expected.z) < 1e-11);
}

TEST_CASE("a nut on a vertical screw falls slowly") {
  // oracle: spatial-cases.json, helical_nut
  const Json& ref = reference()["helical_nut"];
  Tree tree;
  tree.gravity = {0, 0, -9.81};
  const Attached nut = attach(tree, kGround, {}, std::vector<Step>{Step{Motion::screw, 0, {0, 0, 1}, {}, 1, ref["h"]}});
  tree.load(nut.last, nut.successor, rigid_inertia(ref["m"], {}, {1, 1, ref["Iz"], 0, 0, 0}));
  CHECK(accelerations(tree, {0.4}, {2}, {0})[0] == doctest::Approx(ref["qdd"].get<double>()).epsilon(1e-13));
}

}  // namespace cases_test
