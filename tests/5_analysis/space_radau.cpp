// Oracles: closed forms of stiff motions, the order of the method, and the explicit method where both can go.
#include <doctest/doctest.h>

#include <cmath>

#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/integrators/radau.hpp"
#include "jounce/mechanism/dense_stiff_form.hpp"
#include "oracles/tree_maker.hpp"

namespace space_radau_test {

using namespace jounce;
using oracle::TreeMaker;
using oracle::at;

namespace {

// The motion on a circle y = (cos t², sin t²), and a third component that is drawn to y0 y1 at rate `stiffness`.
class Circle final : public StiffSystem {
 public:
  explicit Circle(double stiffness = 1) : stiffness_(stiffness) {}
  bool rate(double t, std::span<const double> y, std::span<double> dy) override {
    const double speed = 2 * t;
    dy[0] = -speed * y[1], dy[1] = speed * y[0];
    const double a = y[0] * y[1], da = speed * (y[0] * y[0] - y[1] * y[1]);
    dy[2] = -stiffness_ * (y[2] - a) + da;
    return !(t > last_);
  }
  bool jacobian(double t, std::span<const double> y, std::span<double> df) override {
    const double speed = 2 * t;
    const double a0 = stiffness_ * y[1] + 2 * speed * y[0], a1 = stiffness_ * y[0] - 2 * speed * y[1];
    const double rows[] = {0, -speed, 0, speed, 0, 0, a0, a1, -stiffness_};
    std::copy(std::begin(rows), std::end(rows), df.begin());
    return true;
  }
  static std::vector<double> exact(double t) {
    const double c = std::cos(t * t), s = std::sin(t * t);
    return {c, s, c * s};
  }
  void ends_at(double t) { last_ = t; }

 private:
  double stiffness_, last_ = 1e300;
};

double error(std::span<const double> y, double t) {
  const auto exact = Circle::exact(t);
  double out = 0;
  for (std::size_t i = 0; i < 3; ++i) out = std::max(out, std::abs(y[i] - exact[i]));
  return out;
}

/// The method on three plain numbers.
struct OnCircle {
  OnCircle(Circle& circle, double tolerance) : form(circle, 3, 3), radau(form, tolerance) {}
  DenseStiffForm form;
  Radau radau;
};

double error_of_steps(int steps) {
  Circle circle;
  OnCircle on(circle, 1e-12);
  Radau& radau = on.radau;
  radau.start(0, Circle::exact(0));
  radau.set_fixed_step(2.0 / steps);
  while (radau.t() < 2) REQUIRE(radau.step(2) == Radau::Step::accepted);
  CHECK(radau.statistics().steps == steps);
  return error(radau.y(), 2);
}

// Every flavour of joint in one chain, swinging.
TreeMaker chain() {
  TreeMaker maker({0, 0, -9.81});
  const int a = maker.add("a", "spherical", 0), b = maker.add("b", "universal", a, at(0.5, 0, 0));
  const int c = maker.add("c", "revolute", b, {from_rpy({0.4, -0.3, 0.2}), {0.4, 0, 0}});
  const int free = maker.add("free", "free", 0, at(2, 0, 0));
  maker.load(a, 1, {0.25, 0, 0}, {0.01, 0.03, 0.03, 0, 0, 0});
  maker.load(b, 0.7, {0.2, 0.02, 0}, {0.005, 0.012, 0.01, 0, 0, 0});
  maker.load(c, 0.5, {0.15, 0, 0.03}, {0.004, 0.006, 0.007, 0.001, 0, 0});
  maker.load(free, 2, {0.05, 0, 0}, {0.1, 0.2, 0.25, 0, 0, 0});
  maker.mechanism.v = {0.3, -1, 2, 1, -0.5, 3, 2, -1, 1.5, 1, 0, 4};
  maker.mechanism.dofs[4].damping = 0.05;
  for (SpaceBody& body : maker.mechanism.bodies) body.mass = 1;
  return maker;
}

// A wheel on a hinge with spring and damper: I q̈ + R q̇ + K q = 0 from q0 at rest.
struct Damped {
  double inertia = 0.2, damping = 1e6, stiffness = 3e6, q0 = 0.5;

  [[nodiscard]] TreeMaker made() const {
    TreeMaker maker;
    const int wheel = maker.add("wheel", "revolute", 0, {}, {.axis = {0.6, 0, 0.8}});
    maker.load(wheel, 1, {}, {inertia, inertia, inertia, 0, 0, 0});
    maker.mechanism.bodies[1].mass = 1;
    maker.mechanism.dofs[0].stiffness = stiffness, maker.mechanism.dofs[0].damping = damping;
    maker.mechanism.q = {q0};
    return maker;
  }
  /// q0 (a e^{−b t} − b e^{−a t}) / (a − b), a b = K / I, a + b = R / I
  [[nodiscard]] double exact(double t) const {
    const double half = damping / (2 * inertia), fast = half + std::sqrt(half * half - stiffness / inertia);
    const double slow = stiffness / inertia / fast;
    return q0 * (fast * std::exp(-slow * t) - slow * std::exp(-fast * t)) / (fast - slow);
  }
};

}  // namespace

TEST_CASE("Radau IIA is of order 5, and dense of order 3") {
  const double coarse = error_of_steps(40), fine = error_of_steps(80);
  CHECK(fine < 1e-7);
  CHECK(std::log2(coarse / fine) == doctest::Approx(5).epsilon(0.06));

  double worst[2] = {0, 0};
  for (const int half : {0, 1}) {
    Circle circle;
    OnCircle on(circle, 1e-12);
    Radau& radau = on.radau;
    radau.start(0, Circle::exact(0));
    radau.set_fixed_step(half == 0 ? 0.05 : 0.025);
    std::vector<double> y(3);
    while (radau.t() < 2) {
      REQUIRE(radau.step(2) == Radau::Step::accepted);
      for (const double part : {0.3, 0.5, 0.8}) {
        const double t = radau.previous_t() + part * (radau.t() - radau.previous_t());
        radau.dense(t, y);
        worst[half] = std::max(worst[half], error(y, t));
      }
    }
  }
  CHECK(std::log2(worst[0] / worst[1]) == doctest::Approx(4).epsilon(0.15));  // the error of one step of order 3
}

TEST_CASE("the step follows the tolerance, whatever the stiffness, and a start off the slow motion dies out") {
  for (const double stiffness : {1.0, 1e4, 1e9}) {
    Circle circle(stiffness);
    OnCircle on(circle, 1e-8);
    Radau& radau = on.radau;
    std::vector<double> y = Circle::exact(0);
    y[2] += 0.1;
    radau.start(0, y);
    while (radau.t() < 3) REQUIRE(radau.step(3) == Radau::Step::accepted);
    const double left = 0.1 * std::exp(-stiffness * 3);
    CHECK(std::abs(radau.y()[2] - left - Circle::exact(3)[2]) < 1e-6);
    CHECK(radau.statistics().steps < 500);
    CHECK(radau.statistics().jacobians < radau.statistics().steps);
  }
}

TEST_CASE("where f has no value the steps come to an end before it") {
  Circle circle;
  circle.ends_at(1);
  OnCircle on(circle, 1e-8);
  Radau& radau = on.radau;
  radau.start(0, Circle::exact(0));
  auto status = Radau::Step::accepted;
  while (status == Radau::Step::accepted && radau.t() < 2) status = radau.step(2);
  CHECK(status == Radau::Step::fault);
  CHECK(radau.t() <= 1);
  CHECK(radau.t() > 1 - 1e-6);
}

TEST_CASE("a hinge with a damping of 1e6 creeps as its closed form says") {
  const Damped damped;
  const TreeMaker maker = damped.made();
  const DynamicsRun run = dynamics(maker.mechanism, {.to = 2, .steps = 20, .tolerance = 1e-9, .method = Method::radau});
  REQUIRE_MESSAGE(run.outcome.done(), text(run.problems));
  for (int i = 0; i <= 20; ++i)
    CHECK(std::abs(run.results.column("wheel.q1")[static_cast<std::size_t>(i)] - damped.exact(0.1 * i)) < 1e-7);
  CHECK(run.statistics.steps < 500);  // an explicit method would need more than 1e6: stability asks for h R / I < 6
  CHECK(run.statistics.method == "radau");
}

TEST_CASE("stiff motion is found out, and followed by the implicit method from there on") {
  Damped damped;
  damped.damping = 2e4, damped.stiffness = 6e4;
  const TreeMaker maker = damped.made();
  const DynamicsRun run = dynamics(maker.mechanism, {.to = 2, .steps = 20, .tolerance = 1e-8});
  REQUIRE_MESSAGE(run.outcome.done(), text(run.problems));
  CHECK(run.statistics.method == "dop853, then radau");
  REQUIRE(run.events.size() == 1);
  CHECK(run.events[0].kind == "method");
  CHECK(run.events[0].sentence == "changed to radau: the motion is stiff: stability, not accuracy, bounds the explicit steps");
  CHECK(run.statistics.steps < 600);
  for (int i = 0; i <= 20; ++i)
    CHECK(std::abs(run.results.column("wheel.q1")[static_cast<std::size_t>(i)] - damped.exact(0.1 * i)) < 1e-6);

  const DynamicsRun explicit_run = dynamics(maker.mechanism, {.to = 0.05, .steps = 2, .tolerance = 1e-8, .method = Method::dop853});
  REQUIRE(explicit_run.outcome.done());
  CHECK(explicit_run.statistics.method == "dop853");
}

TEST_CASE("what is not stiff stays with the explicit method") {
  const TreeMaker maker = chain();
  const DynamicsRun run = dynamics(maker.mechanism, {.to = 3, .steps = 30, .tolerance = 1e-9});
  REQUIRE_MESSAGE(run.outcome.done(), text(run.problems));
  CHECK(run.statistics.method == "dop853");
  CHECK(run.events.empty());
}

TEST_CASE("both methods follow a chain of spherical, universal, revolute and free joints alike") {
  const TreeMaker maker = chain();
  const DynamicsRun one = dynamics(maker.mechanism, {.to = 1, .steps = 10, .tolerance = 1e-11, .method = Method::dop853});
  const DynamicsRun two = dynamics(maker.mechanism, {.to = 1, .steps = 10, .tolerance = 1e-9, .method = Method::radau});
  REQUIRE_MESSAGE(one.outcome.done(), text(one.problems));
  REQUIRE_MESSAGE(two.outcome.done(), text(two.problems));
  for (std::size_t i = 0; i < one.q.size(); ++i) CHECK(std::abs(one.q[i] - two.q[i]) < 1e-7);
  for (std::size_t i = 0; i < one.v.size(); ++i) CHECK(std::abs(one.v[i] - two.v[i]) < 1e-6);
}

TEST_CASE("loops stay closed with the implicit method, which agrees with the explicit one") {
  const oracle::GeneralFourBar numbers;
  TreeMaker maker = oracle::four_bar(numbers.ground, numbers.crank, numbers.coupler, numbers.rocker, "revolute");
  maker.mechanism.q = numbers.q, maker.mechanism.v = numbers.v;
  for (SpaceBody& body : maker.mechanism.bodies) body.mass = 1;
  SUBCASE("undamped") {}
  SUBCASE("with a stiff damper") { maker.mechanism.dofs[2].damping = 50; }
  const DynamicsRun one = dynamics(maker.mechanism, {.to = 1, .steps = 10, .tolerance = 1e-11, .method = Method::dop853});
  const DynamicsRun two = dynamics(maker.mechanism, {.to = 1, .steps = 10, .tolerance = 1e-9, .method = Method::radau});
  REQUIRE_MESSAGE(one.outcome.done(), text(one.problems));
  REQUIRE_MESSAGE(two.outcome.done(), text(two.problems));
  CHECK(two.statistics.worst_residual < 1e-12);
  for (std::size_t i = 0; i < one.q.size(); ++i) CHECK(std::abs(one.q[i] - two.q[i]) < 1e-6);
  for (std::size_t i = 0; i < one.v.size(); ++i) CHECK(std::abs(one.v[i] - two.v[i]) < 1e-5);
}

}  // namespace space_radau_test
