// Oracles: a chain that has the loop's joint as a joint of the tree, whose end moves as the loop must allow; differences of the
// residual; closed forms of the Hooke joint and of the parallelogram; a four-bar computed with 40 digits.
#include "jounce/space/closures/closures.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>

#include "jounce/base/index.hpp"
#include "jounce/tree/rotation.hpp"
#include "oracles/tree_maker.hpp"

namespace space_closures_test {

using namespace jounce;
using oracle::at;
using oracle::TreeMaker;

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using V = Vec3<double>;

struct Random {
  std::mt19937 engine{20260711};
  double between(double low, double high) { return low + (high - low) * (double(engine()) / double(std::mt19937::max())); }
  V vector(double size) { return {between(-size, size), between(-size, size), between(-size, size)}; }
  Frame<double> frame() { return {from_rpy(vector(3)), vector(1)}; }
};

// A mechanism with everything that one evaluation of its closures needs.
struct State {
  const SpaceMechanism& mechanism;
  tree::Workspace<double> work{mechanism.tree};
  std::vector<tree::LinkMotion<double>> links{z(mechanism.tree.size())};
  std::vector<double> still = std::vector<double>(z(mechanism.tree.dofs()));
  LoopClosures closures{mechanism};

  explicit State(const SpaceMechanism& m) : mechanism(m) {}
  void evaluate(const std::vector<double>& q, const std::vector<double>& v) {
    tree::motion(mechanism.tree, work, q.data(), v.data(), still.data(), links.data());
    closures.evaluate(q, v, work, links);
  }
  void evaluate(const std::vector<double>& q) { evaluate(q, still); }

  [[nodiscard]] Matrix jacobian() const {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const RowMajor>(closures.jacobian().data(), closures.size(), mechanism.tree.dofs());
  }
  [[nodiscard]] Vector right() const { return Eigen::Map<const Vector>(closures.right().data(), closures.size()); }
  [[nodiscard]] Vector residual() const { return Eigen::Map<const Vector>(closures.residual().data(), closures.size()); }
};

Vector vector(const std::vector<double>& a) { return Eigen::Map<const Vector>(a.data(), static_cast<Eigen::Index>(a.size())); }

// The tree alone: H, and the effort that is needed for no acceleration.
struct Dynamics {
  Matrix h;
  Vector bias;
  Dynamics(const tree::Tree& tree, const std::vector<double>& q, const std::vector<double>& v) {
    tree::Workspace<double> work(tree);
    const int n = tree.dofs();
    std::vector<double> flat(z(n) * z(n)), none(z(n)), tau(z(n));
    tree::crba(tree, work, q.data(), flat.data());
    h = Eigen::Map<Matrix>(flat.data(), n, n);
    tree::rnea(tree, work, q.data(), v.data(), none.data(), tau.data());
    bias = vector(tau);
  }
};

// λ by the complete orthogonal decomposition of the whole system of equations.
struct Solution {
  Vector a, lambda;
};
Solution solve(const Dynamics& d, const Matrix& k, const Vector& right) {
  const Eigen::Index n = d.h.rows(), m = k.rows();
  Matrix all = Matrix::Zero(n + m, n + m);
  all.topLeftCorner(n, n) = d.h;
  all.topRightCorner(n, m) = -k.transpose();
  all.bottomLeftCorner(m, n) = k;
  Vector rhs(n + m);
  rhs << -d.bias, right;
  Eigen::CompleteOrthogonalDecomposition<Matrix> cod(all);
  cod.setThreshold(1e-10);
  const Vector x = cod.solve(rhs);
  return {x.head(n), x.tail(m)};
}

int rank(const Matrix& k) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> cod(k);
  cod.setThreshold(1e-10);
  return static_cast<int>(cod.rank());
}

struct Case {
  const char* type;
  tree::JointShape shape;
  int rows, radians;
};

std::vector<Case> cases() {
  const V tilted = V{0.48, -0.6, 0.64};
  std::vector<Case> out{{"revolute", {tilted}, 5, 2},      {"prismatic", {tilted}, 5, 3},   {"helical", {tilted, 0.13}, 5, 2},
                        {"cylindrical", {tilted}, 4, 2},   {"planar", {}, 3, 2},            {"translation", {}, 3, 3},
                        {"universal", {}, 4, 1},           {"gimbal", {}, 3, 0},            {"spherical", {}, 3, 0},
                        {"fixed", {}, 6, 3}};
  out.push_back({"custom", {.screws = {{0.3, -0.2, 0.9, 0.1, 0.5, -0.4}}}, 5, 2});
  out.push_back({"custom", {.screws = {{0, 0, 1, 0.2, 0, 0}, {0, 0, 0, 0, 2, 0}, {1, 0.3, 0, 0, 0.1, 0.4}}}, 3, 1});
  // the second screw repeats the first: one freedom
  out.push_back({"custom", {.screws = {{0, 0, 1, 0.2, 0, 0}, {0, 0, 2, 0.4, 0, 0}}}, 5, 2});
  return out;
}

// Body 'a' moves somehow. On it hangs 'b' by the joint itself in `chain`; in `looped` it floats, and the loop is that joint.
struct Pair {
  TreeMaker chain, looped;
  std::vector<double> q, v, a;                 // of the chain
  std::vector<double> loop_q, loop_v, loop_a;  // the same motion, in the coordinates of the other

  Pair(const Case& c, Random& random, double reach) {
    const Frame<double> base = random.frame(), i = random.frame(), j = random.frame();
    for (TreeMaker* maker : {&chain, &looped}) {
      (void)maker->add("swing", "gimbal", 0, base);
      (void)maker->add("a", "translation", 1, i);
    }
    (void)chain.add("b", c.type, 2, i, c.shape);
    (void)looped.add("b", "free", 0);
    looped.loop("loop", c.type, 2, i, 3, j, c.shape);
    const tree::Tree& tree = chain.mechanism.tree;
    q = neutral(tree), v.resize(z(tree.dofs())), a.resize(v.size());
    for (double& x : v) x = random.between(-reach, reach);
    move(tree, q, v);
    for (double& x : v) x = random.between(-2, 2);
    for (double& x : a) x = random.between(-3, 3);

    tree::Workspace<double> work(tree);
    std::vector<tree::LinkMotion<double>> links(z(tree.size()));
    tree::motion(tree, work, q.data(), v.data(), a.data(), links.data());
    const SpaceBody& body = chain.mechanism.bodies[3];
    const tree::LinkWork<double>& link = work.links[z(body.link)];
    const Frame<double> own = body.frame * inverse(j);  // of b in its link: its frame j is where the joint ends
    const V arm = link.axes * own.origin;
    const Mat3<double> axes = link.axes * own.axes;
    const V position = links[z(body.link)].position + arm, velocity = links[z(body.link)].velocity + cross(link.spin, arm);
    const V acceleration = links[z(body.link)].acceleration + cross(link.turn, arm) + cross(link.spin, cross(link.spin, arm));
    loop_q.assign(q.begin(), q.begin() + 6), loop_v.assign(v.begin(), v.begin() + 6), loop_a.assign(a.begin(), a.begin() + 6);
    const tree::Quaternion e = tree::quaternion_of(axes);
    loop_q.insert(loop_q.end(), {e.w, e.x, e.y, e.z, position.x, position.y, position.z});
    const auto append = [&](std::vector<double>& out, const V& x) {
      const V turned = in_axes(axes, x);
      out.insert(out.end(), {turned.x, turned.y, turned.z});
    };
    append(loop_v, link.spin), append(loop_v, velocity);
    // a free joint's rates are the twist in its own axes, which turn
    append(loop_a, link.turn), append(loop_a, acceleration - cross(link.spin, velocity));
  }
};

}  // namespace

TEST_CASE("a loop of any type allows the motions of its joint and no others") {
  Random random;
  for (const Case& c : cases()) {
    CAPTURE(c.type);
    for (int repeat = 0; repeat < 8; ++repeat) {
      const Pair pair(c, random, repeat < 6 ? 1.2 : 30);  // also several turns away
      State state(pair.looped.mechanism);
      REQUIRE(state.closures.size() == c.rows);
      int radians = 0;
      for (const LoopClosures::Row& row : state.closures.rows()) radians += row.metres ? 0 : 1;
      CHECK(radians == c.radians);
      state.evaluate(pair.loop_q, pair.loop_v);
      // positions of size up to 60
      CHECK(state.closures.worst() < 1e-13 * (repeat < 6 ? 10 : 100));
      const Matrix k = state.jacobian();
      CHECK((k * vector(pair.loop_v)).lpNorm<Eigen::Infinity>() < 1e-11);
      CHECK((k * vector(pair.loop_a) - state.right()).lpNorm<Eigen::Infinity>() < 1e-9);
      // b is free but for the loop: as many independent rows as the joint resists directions
      CHECK(rank(k) == c.rows);
    }
  }
}

TEST_CASE("the Jacobian of a loop is the derivative of its residual") {
  Random random;
  for (const Case& c : cases()) {
    CAPTURE(c.type);
    const Pair pair(c, random, 1);
    State state(pair.looped.mechanism);
    state.evaluate(pair.loop_q);
    const Matrix k = state.jacobian();
    const int n = pair.looped.mechanism.tree.dofs();
    for (int dof = 0; dof < n; ++dof) {
      // differences of fourth order: (8 (f(h) − f(−h)) − (f(2h) − f(−2h))) / 12 h
      const auto residual = [&](double way) {
        std::vector<double> q = pair.loop_q, by(z(n));
        by[z(dof)] = way;
        move(pair.looped.mechanism.tree, q, by);
        state.evaluate(q);
        return state.residual();
      };
      const double h = 1e-3;
      const Vector slope = (8 * (residual(h) - residual(-h)) - (residual(2 * h) - residual(-2 * h))) / (12 * h);
      CHECK((slope - k.col(dof)).lpNorm<Eigen::Infinity>() < 1e-9);
    }
  }
}

TEST_CASE("what is out of reach of a loop's joint is told in metres and radians") {
  TreeMaker maker;
  const int body = maker.add("body", "free", 0);
  maker.loop("hinge", "revolute", 0, {}, body, {});
  State state(maker.mechanism);
  // turned by 0.1 about x, then moved; a turn about z, the hinge's own, is no error
  const tree::Quaternion e = tree::from_rotation_vector({0.1, 0, 0}) * tree::from_rotation_vector({0, 0, 0.7});
  state.evaluate({e.w, e.x, e.y, e.z, 0.03, -0.04, 0.12});
  double radians = 0, metres = 0;
  for (int r = 0; r < state.closures.size(); ++r)
    (state.closures.rows()[z(r)].metres ? metres : radians) += std::pow(state.closures.residual()[z(r)], 2);
  CHECK(std::sqrt(radians) == doctest::Approx(0.1).epsilon(1e-12));
  CHECK(std::sqrt(metres) == doctest::Approx(0.13).epsilon(1e-12));
}

TEST_CASE("a helical loop counts its turns") {
  const double pitch = 1e-3;
  TreeMaker maker;
  const int nut = maker.add("nut", "prismatic", 0), screw = maker.add("screw", "revolute", 0);
  maker.loop("thread", "helical", screw, {}, nut, {}, {.pitch = pitch});
  State state(maker.mechanism);
  // the nut does not turn, so it goes back by the pitch with every radian of the screw
  for (double angle = 0; angle < 200; angle += 1.5) {
    state.evaluate({-pitch * angle, angle});
    CHECK(state.closures.worst() < 1e-14);
  }
  // and finds them from the advance when it is asked anew, far away
  State another(maker.mechanism);
  another.evaluate({-pitch * 1000.3, 1000.3});
  CHECK(another.closures.worst() < 1e-12);
  // out of step by less than half a turn: the rest, (advance − pitch · angle) / √(1 + pitch²)
  state.evaluate({-pitch * 50 + 2e-4, 50});
  CHECK(state.closures.worst() == doctest::Approx(2e-4 / std::sqrt(1 + pitch * pitch)).epsilon(1e-9));
}

TEST_CASE("couplings are rows of the coordinates themselves") {
  TreeMaker maker;
  const int a = maker.add("a", "planar", 0);
  (void)maker.add("b", "revolute", a);
  maker.mechanism.couplings.push_back({"gear", {7, 1}, 0, 3, -2.5, 0.4});   // of two angles
  maker.mechanism.couplings.push_back({"rack", {8, 1}, 0, 2, 0.05, -0.1});  // of y and an angle
  State state(maker.mechanism);
  std::vector<double> q(4);
  const tree::Tree& tree = maker.mechanism.tree;
  for (int dof = 0; dof < 4; ++dof) q[z(tree.link(tree.moved_by(dof)).q)] = 0.3 + 0.1 * dof;
  state.evaluate(q);
  CHECK(state.closures.residual()[0] == doctest::Approx(0.6 + 2.5 * 0.3 - 0.4).epsilon(1e-14));
  CHECK(state.closures.residual()[1] == doctest::Approx(0.5 - 0.05 * 0.3 + 0.1).epsilon(1e-14));
  Matrix k(2, 4);
  k << 2.5, 0, 0, 1, -0.05, 0, 1, 0;
  CHECK(state.jacobian() == k);
  CHECK(state.right().isZero());
  CHECK_FALSE(state.closures.rows()[0].metres);
  CHECK(state.closures.rows()[1].metres);
  CHECK(state.closures.name(0) == "coupling 'gear'");
  std::vector<double> tau(4);
  std::vector<tree::Wrench<double>> external(z(tree.size()));
  state.closures.add_forces(std::vector<double>{2, 3}, external, tau);
  CHECK((vector(tau) - k.transpose() * Eigen::Vector2d(2, 3)).isZero(1e-15));
}

TEST_CASE("general four-bar: accelerations and pin force") {
  const oracle::GeneralFourBar known;
  for (const char* type : {"revolute", "spherical", "cylindrical"}) {
    CAPTURE(type);
    const TreeMaker maker = oracle::four_bar(known.ground, known.crank, known.coupler, known.rocker, type);
    State state(maker.mechanism);
    state.evaluate(known.q, known.v);
    CHECK(state.closures.worst() < 1e-14);
    CHECK((state.jacobian() * vector(known.v)).lpNorm<Eigen::Infinity>() < 1e-14);
    CHECK(rank(state.jacobian()) == 2);
    const Solution found = solve(Dynamics(maker.mechanism.tree, known.q, known.v), state.jacobian(), state.right());
    for (int k = 0; k < 3; ++k) CHECK(found.a[k] == doctest::Approx(known.a[z(k)]).epsilon(1e-12));
    const std::vector<double> lambda(found.lambda.data(), found.lambda.data() + found.lambda.size());
    const tree::Wrench<double> pin = state.closures.reaction(0, lambda);
    // the numbers are those of the force on the coupler, and this is the one on the rocker
    CHECK(pin.force.x == doctest::Approx(-known.pin_x).epsilon(1e-12));
    CHECK(pin.force.y == doctest::Approx(-known.pin_y).epsilon(1e-12));
    CHECK(length(pin.moment) < 1e-12);

    // as forces on the links they do what Kᵀλ does: the accelerations follow from them
    std::vector<tree::Wrench<double>> external(3);
    std::vector<double> tau(3), a(3);
    state.closures.add_forces(lambda, external, tau);
    std::vector<V> positions(3);
    REQUIRE(tree::aba(maker.mechanism.tree, state.work, known.q.data(), known.v.data(), tau.data(), a.data(), external.data(),
                      positions.data()));
    for (std::size_t k = 0; k < 3; ++k) CHECK(a[k] == doctest::Approx(known.a[k]).epsilon(1e-12));
  }
}

TEST_CASE("a loop does not see what carries all of it") {
  // the same four-bar on a frame that tumbles through space in any way
  Random random;
  const oracle::GeneralFourBar known;
  TreeMaker maker;
  const int base = maker.add("base", "free", 0);
  const int a = maker.add("crank", "revolute", base, at(0.2, -0.3, 0.1)), b = maker.add("coupler", "revolute", a, at(known.crank, 0));
  const int c = maker.add("rocker", "revolute", base, at(0.2 + known.ground, -0.3, 0.1));
  maker.loop("closure", "revolute", b, at(known.coupler, 0), c, at(known.rocker, 0));
  for (int repeat = 0; repeat < 10; ++repeat) {
    const tree::Quaternion e = tree::from_rotation_vector(random.vector(2));
    const V position = random.vector(3);
    std::vector<double> q{e.w, e.x, e.y, e.z, position.x, position.y, position.z}, v(6), acceleration(6);
    for (double& x : v) x = random.between(-3, 3);
    for (double& x : acceleration) x = random.between(-9, 9);
    q.insert(q.end(), known.q.begin(), known.q.end());
    v.insert(v.end(), known.v.begin(), known.v.end());
    acceleration.insert(acceleration.end(), known.a.begin(), known.a.end());
    State state(maker.mechanism);
    state.evaluate(q, v);
    CHECK(state.closures.worst() < 1e-14);
    CHECK(state.jacobian().leftCols(6).isZero(0));
    CHECK((state.jacobian() * vector(v)).lpNorm<Eigen::Infinity>() < 1e-13);
    CHECK((state.jacobian() * vector(acceleration) - state.right()).lpNorm<Eigen::Infinity>() < 1e-12);
  }
}

TEST_CASE("parallelogram: a pendulum, with five rows of which two are independent") {
  // (m L + M L) g sin θ / (2 m L²/3 + M L²)
  TreeMaker maker({0, -9.81, 0});
  const double length = 0.6, mass = 0.7, coupler = 1.9, theta = 0.9;
  const int a = maker.add("left", "revolute", 0), b = maker.add("coupler", "revolute", a, at(length, 0));
  const int c = maker.add("right", "revolute", 0, at(1, 0));
  maker.rod(a, mass, length), maker.rod(b, coupler, 1), maker.rod(c, mass, length);
  maker.loop("closure", "revolute", b, at(1, 0), c, at(length, 0));
  const double angle = theta - std::numbers::pi / 2;
  const std::vector<double> q{angle, -angle, angle}, v(3);
  State state(maker.mechanism);
  state.evaluate(q, v);
  CHECK(state.closures.size() == 5);
  CHECK(rank(state.jacobian()) == 2);
  const Solution found = solve(Dynamics(maker.mechanism.tree, q, v), state.jacobian(), state.right());
  const double expected =
      (mass + coupler) * length * 9.81 * std::sin(theta) / (2 * mass * length * length / 3 + coupler * length * length);
  CHECK(expected == doctest::Approx(14.070095885182107).epsilon(1e-14));
  CHECK(found.a[0] == doctest::Approx(-expected).epsilon(1e-12));
  CHECK(found.a[1] == doctest::Approx(expected).epsilon(1e-12));
  CHECK(found.a[2] == doctest::Approx(-expected).epsilon(1e-12));
}

TEST_CASE("Hooke joint: the ratio of the shafts and its rate") {
  const double beta = 0.5;
  TreeMaker maker;
  const int in = maker.add("in", "revolute", 0), out = maker.add("out", "revolute", 0, {from_rpy({0, beta, 0}), {}});
  maker.loop("cross", "universal", in, {}, out, {});
  for (const double theta : {0.0, 1.1, 2.9, 4.0, 6.1}) {
    State state(maker.mechanism);
    // tan φ = tan θ / cos β, on the same turn
    const double phi = std::atan2(std::sin(theta), std::cos(theta) * std::cos(beta));
    const double below = 1 - std::pow(std::sin(beta) * std::cos(theta), 2), ratio = std::cos(beta) / below;
    if (theta == 0) CHECK(ratio == doctest::Approx(1.139493927324549).epsilon(1e-14));
    if (theta == 1.1) CHECK(ratio == doctest::Approx(0.9211446646717584).epsilon(1e-14));
    const double speed = 3;
    // dω/dt = ω_in² dratio/dθ
    const double rate = -speed * speed * std::cos(beta) * std::pow(std::sin(beta), 2) * std::sin(2 * theta) / (below * below);
    state.evaluate({theta, phi}, {speed, speed * ratio});
    CHECK(state.closures.size() == 4);
    CHECK(state.closures.worst() < 1e-14);
    const Matrix k = state.jacobian();
    CHECK(rank(k) == 1);
    CHECK((k * Eigen::Vector2d(1, ratio)).lpNorm<Eigen::Infinity>() < 1e-14);
    CHECK((k * Eigen::Vector2d(0, rate) - state.right()).lpNorm<Eigen::Infinity>() < 1e-13);
  }
}

TEST_CASE("a loop's screw advances in mechanisms of every size") {
  // oracle: a turn by one radian about the axis comes with the pitch along it, and with nothing of what the joint resists
  for (const double length : {1e3, 1.0, 1e-5, 1e-9}) {
    CAPTURE(length);
    const tree::Step screw{.motion = tree::Motion::screw, .turn = 1, .advance = 2e-4 * length};
    LoopJoint joint({&screw, 1}, length);
    joint.follow({});
    CHECK(joint.rows() == 5);
    CHECK(!joint.metres(1));
    CHECK(joint.metres(2));
    for (const Twist& resisted : joint.resisted()) CHECK(std::abs(dot(resisted, {{0, 0, 1}, {0, 0, screw.advance}})) <= 1e-15 * length);
  }
}

}  // namespace space_closures_test
