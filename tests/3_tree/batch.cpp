// Many states of one tree at once. Oracle: the same algorithms on each state alone, and closed forms.
#include "jounce/tree/batch.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>

#include "jounce/base/index.hpp"
#include "jounce/tree/algorithms.hpp"

namespace batch_test {

namespace {

using namespace jounce;
using namespace jounce::tree;

struct Chance {
  std::mt19937 engine{4};
  double operator()(double from, double to) { return std::uniform_real_distribution<double>(from, to)(engine); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine); }
};

Step step_of(Chance& chance, Motion motion) {
  const Vec3<double> axis{chance(-1, 1), chance(-1, 1), chance(-1, 1)};
  Step step{motion, 0, axis * (1 / length(axis)), {chance(-0.2, 0.2), chance(-0.2, 0.2), 0}};
  if (motion == Motion::screw) step.turn = 0.8, step.advance = 0.3;
  return step;
}

/// Every link hangs on one of those before it, or on the ground.
Tree random_tree(Chance& chance, std::span<const Motion> motions) {
  Tree tree;
  tree.gravity = {0.3, -0.4, -9.81};
  for (const Motion motion : motions) {
    const int parent = tree.size() == 0 ? kGround : chance.below(tree.size() + 1) - 1;
    const Frame<double> at{from_rpy({chance(-3, 3), chance(-1, 1), chance(-3, 3)}),
                           {chance(-1, 1), chance(-1, 1), chance(-1, 1)}};
    const std::vector<Step> steps{step_of(chance, motion)};
    const Attached joint = attach(tree, parent, at, steps);
    tree.load(joint.last, joint.successor,
              rigid_inertia(chance(0.5, 2), {chance(-1, 1), chance(-1, 1), chance(-1, 1)}, {0.3, 0.4, 0.5, 0.02, 0.01, -0.03}));
  }
  return tree;
}

constexpr Motion kAll[] = {Motion::free,     Motion::revolute, Motion::revolute, Motion::prismatic,
                           Motion::screw,    Motion::ball,     Motion::revolute, Motion::fixed,
                           Motion::revolute, Motion::free,     Motion::revolute, Motion::revolute};
constexpr Motion kHinges[] = {Motion::revolute, Motion::revolute, Motion::revolute,
                              Motion::revolute, Motion::revolute, Motion::revolute};

/// Numbers of many states, as the batch has them.
struct States {
  int count = 0;
  std::vector<double> numbers;
  [[nodiscard]] std::vector<double> of(int state) const {
    std::vector<double> out(numbers.size() / z(count));
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = numbers[k * z(count) + z(state)];
    return out;
  }
};
States random_states(Chance& chance, int width, int count) {
  States out{count, std::vector<double>(z(width) * z(count))};
  for (double& x : out.numbers) x = chance(-2, 2);
  return out;
}
States random_positions(Chance& chance, const Tree& tree, int count) {
  States out = random_states(chance, tree.coordinates(), count);
  for (int s = 0; s < count; ++s) {
    std::vector<double> q = out.of(s);
    REQUIRE(normalise(tree, q));
    for (std::size_t k = 0; k < q.size(); ++k) out.numbers[k * z(count) + z(s)] = q[k];
  }
  return out;
}

void check_same(const std::vector<double>& found, const std::vector<double>& expected) {
  double scale = 0, worst = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    scale = std::max(scale, std::abs(expected[k]));
    worst = std::max(worst, std::abs(found[k] - expected[k]));
  }
  CHECK_MESSAGE(worst <= 1e-13 * scale, "differs by " << worst / scale);
}

void check_batch(const Tree& tree, int count, int threads, Chance& chance) {
  Batch batch(tree, threads);
  Workspace<double> work(tree);
  const int n = tree.dofs();
  const States q = random_positions(chance, tree, count), v = random_states(chance, n, count),
               in = random_states(chance, n, count);
  States qdd = random_states(chance, n, count), tau = qdd, h = random_states(chance, n * n, count);
  std::vector<std::uint8_t> failed(z(count), 7);
  REQUIRE(batch.aba(count, q.numbers.data(), v.numbers.data(), in.numbers.data(), qdd.numbers.data(), failed.data()));
  batch.rnea(count, q.numbers.data(), v.numbers.data(), in.numbers.data(), tau.numbers.data());
  batch.crba(count, q.numbers.data(), h.numbers.data());
  std::vector<double> out(z(n)), inertia(z(n) * z(n));
  for (int s = 0; s < count; ++s) {
    CHECK(failed[z(s)] == 0);
    REQUIRE(aba<double>(tree, work, q.of(s).data(), v.of(s).data(), in.of(s).data(), out.data()));
    check_same(qdd.of(s), out);
    rnea<double>(tree, work, q.of(s).data(), v.of(s).data(), in.of(s).data(), out.data());
    check_same(tau.of(s), out);
    crba<double>(tree, work, q.of(s).data(), inertia.data());
    check_same(h.of(s), inertia);
  }
}

Tree straight_chain(int links) {
  Tree tree;
  tree.gravity = {0, 0, -9.81};
  const std::vector<Step> hinge{turning({0, 1, 0}, 0)};
  Attached last;
  for (int i = 0; i < links; ++i) {
    last = attach(tree, i == 0 ? kGround : last.last,
                  i == 0 ? Frame<double>{} : last.successor * Frame<double>{identity3(), {0, 0, -1}}, hinge);
    tree.load(last.last, last.successor, rigid_inertia(1, {0, 0, -0.5}, {1.0 / 12, 1.0 / 12, 1e-3}));
  }
  return tree;
}

}  // namespace

TEST_CASE("a batch gives each state what it gets alone") {
  Chance chance;
  for (int count = 1; count <= 9; ++count) {
    for (const int threads : {1, 3}) {
      CAPTURE(count);
      CAPTURE(threads);
      check_batch(random_tree(chance, kAll), count, threads, chance);
      check_batch(random_tree(chance, kHinges), count, threads, chance);
    }
  }
  check_batch(random_tree(chance, kAll), 4 * Batch::width() * 5 + 3, 4, chance);
}

TEST_CASE("the number of threads changes no bit, and a batch can be used again and moved") {
  Chance chance;
  const Tree tree = random_tree(chance, kAll);
  const int n = tree.dofs(), count = 61;
  const States q = random_positions(chance, tree, count), v = random_states(chance, n, count),
               tau = random_states(chance, n, count);
  Batch one(tree), made(tree, 3);
  Batch three = std::move(made);
  CHECK(one.threads() == 1);
  CHECK(three.threads() == 3);
  States a = tau, b = tau;
  for (int again = 0; again < 20; ++again) {
    CHECK(one.aba(count, q.numbers.data(), v.numbers.data(), tau.numbers.data(), a.numbers.data()));
    CHECK(three.aba(count, q.numbers.data(), v.numbers.data(), tau.numbers.data(), b.numbers.data()));
    REQUIRE(a.numbers == b.numbers);
  }
  CHECK(three.aba(0, nullptr, nullptr, nullptr, nullptr));
}

TEST_CASE("states one after the other get the same bits as numbers one after the other") {
  // oracle: the other order, for counts with and without a pack that is not full
  Chance chance;
  const Tree tree = random_tree(chance, kAll);
  const int n = tree.dofs(), m = tree.coordinates();
  const auto by_state = [](const States& of) {
    std::vector<double> out;
    for (int s = 0; s < of.count; ++s)
      for (const double x : of.of(s)) out.push_back(x);
    return out;
  };
  for (const int count : {1, 2 * Batch::width(), 61}) {
    CAPTURE(count);
    const States q = random_positions(chance, tree, count), v = random_states(chance, n, count), in = random_states(chance, n, count);
    States qdd = in, tau = in, h = random_states(chance, n * n, count);
    std::vector<double> qdd_too(qdd.numbers.size()), tau_too = qdd_too, h_too(h.numbers.size());
    const std::vector<double> q_too = by_state(q), v_too = by_state(v), in_too = by_state(in);
    REQUIRE(q_too.size() == z(m) * z(count));
    Batch batch(tree, 2);
    CHECK(batch.aba(count, q.numbers.data(), v.numbers.data(), in.numbers.data(), qdd.numbers.data()));
    CHECK(batch.aba(count, q_too.data(), v_too.data(), in_too.data(), qdd_too.data(), nullptr, BatchOrder::by_state));
    batch.rnea(count, q.numbers.data(), v.numbers.data(), in.numbers.data(), tau.numbers.data());
    batch.rnea(count, q_too.data(), v_too.data(), in_too.data(), tau_too.data(), BatchOrder::by_state);
    batch.crba(count, q.numbers.data(), h.numbers.data());
    batch.crba(count, q_too.data(), h_too.data(), BatchOrder::by_state);
    CHECK(qdd_too == by_state(qdd));
    CHECK(tau_too == by_state(tau));
    CHECK(h_too == by_state(h));
  }
}

TEST_CASE("a state whose dof moves no inertia is marked, and the others are not touched by it") {
  // oracle: a state that is not a number fails alone; a link without mass at the end fails in every state
  Chance chance;
  const Tree tree = random_tree(chance, kHinges);
  const int n = tree.dofs(), count = 7;
  const States q = random_positions(chance, tree, count), v = random_states(chance, n, count),
               tau = random_states(chance, n, count);
  States good = tau, found = tau, spoilt = q;
  spoilt.numbers[2 * z(count) + 5] = std::nan("");
  Batch batch(tree, 2);
  std::vector<std::uint8_t> failed(z(count), 7);
  REQUIRE(batch.aba(count, q.numbers.data(), v.numbers.data(), tau.numbers.data(), good.numbers.data()));
  CHECK_FALSE(
      batch.aba(count, spoilt.numbers.data(), v.numbers.data(), tau.numbers.data(), found.numbers.data(), failed.data()));
  for (int s = 0; s < count; ++s) {
    CHECK(failed[z(s)] == (s == 5 ? 1 : 0));
    if (s == 5)
      for (const double x : found.of(s)) CHECK(std::isnan(x));
    else
      CHECK(found.of(s) == good.of(s));
  }
  Tree bare = tree;
  attach(bare, n - 1, {}, std::vector<Step>{turning({1, 0, 0}, 0)});
  States more_q = random_positions(chance, bare, count), more = random_states(chance, n + 1, count), out = more;
  CHECK_FALSE(Batch(bare).aba(count, more_q.numbers.data(), more.numbers.data(), more.numbers.data(), out.numbers.data(),
                              failed.data()));
  for (const std::uint8_t flag : failed) CHECK(flag == 1);
  for (const double x : out.numbers) CHECK(std::isnan(x));
}

TEST_CASE("a chain of 100000 links: neither memory nor stack nor time grows faster than the chain") {
  constexpr int kLinks = 100000;
  const Tree tree = straight_chain(kLinks);
  Workspace<double> work(tree);
  std::vector<double> q(kLinks), v(kLinks), tau(kLinks, 1.0), qdd(kLinks);
  // closed form: hanging straight down at rest, no effort is needed
  rnea<double>(tree, work, q.data(), v.data(), qdd.data(), tau.data());
  for (const double x : tau) REQUIRE(x == 0);
  REQUIRE(aba<double>(tree, work, q.data(), v.data(), tau.data(), qdd.data()));
  for (const double x : qdd) REQUIRE(x == 0);
  // closed form: straight, sideways by a from the vertical, tau_i = Σ_{k ≥ i} m g (k − i + ½) sin a
  constexpr double kAngle = 0.3;
  q[0] = kAngle;
  rnea<double>(tree, work, q.data(), v.data(), qdd.data(), tau.data());
  for (const int i : {0, 1, 500, kLinks - 1}) {
    const double above = kLinks - i, expected = 9.81 * std::sin(kAngle) * above * above / 2;
    CHECK(std::abs(tau[z(i)] - expected) <= 1e-10 * expected);
  }
  // the two roads are inverse to each other where the chain is curled and moves
  for (int i = 0; i < kLinks; ++i) q[z(i)] = 0.4 * std::sin(0.37 * i), v[z(i)] = 0.01 * std::cos(0.11 * i), tau[z(i)] = 0;
  REQUIRE(aba<double>(tree, work, q.data(), v.data(), tau.data(), qdd.data()));
  std::vector<double> needed(kLinks);
  rnea<double>(tree, work, q.data(), v.data(), qdd.data(), needed.data());
  // an effort is what is left of moments of joint forces over the length of what hangs on the joint: that is its scale
  double largest = 0, worst = 0;
  for (int i = 0; i < kLinks; ++i) {
    worst = std::max(worst, std::abs(needed[z(i)]) / (kLinks - i));
    largest = std::max(largest, length(work.links[z(i)].bias.force));
  }
  CHECK(worst <= 1e-9 * largest);
  // and the axes of the last link are still those of a frame
  const Mat3<double>& axes = work.links.back().axes;
  CHECK(std::abs(length(axes.x) - 1) + std::abs(length(axes.y) - 1) + std::abs(dot(axes.x, axes.y)) < 1e-10);
}

}  // namespace batch_test
