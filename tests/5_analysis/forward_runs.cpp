// What a forward run promises whatever moves, in the plane and in space: where it starts, when it gives rows, whom it tells.
// Oracles: one run against another of the same motion, and what is prescribed.
#include <algorithm>

#include "analysis_test.hpp"
#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/integrators/stepper.hpp"
#include "jounce/space/motion/forward_motion.hpp"
#include "oracles/tree_maker.hpp"

namespace forward_runs_test {

using namespace jounce;
using oracle::TreeMaker;

namespace {

// Two runs that take other steps, each good to 1e-11 a step, over a second of a motion that is not chaotic.
constexpr double kSameMotion = 1e-8;

// A four-bar that swings under gravity, as the plane has it.
PlaneMechanism plane(double ground = 1) {
  Model m = test::four_bar(ground, 0.3, 0.9, 0.7, 1, 1);
  m.gravity = {0.0, -9.81};
  for (const char* name : {"crank", "coupler", "rocker"})
    for (Body& body : m.bodies)
      if (body.name == name) body.mass = Text(1.0), body.inertia = Text(0.1);
  return test::built(m);
}

// And one of space.
SpaceMechanism space(double ground = oracle::GeneralFourBar::ground) {
  const oracle::GeneralFourBar numbers;
  TreeMaker maker = oracle::four_bar(ground, numbers.crank, numbers.coupler, numbers.rocker, "revolute");
  maker.mechanism.q = numbers.q, maker.mechanism.v = numbers.v;
  for (SpaceBody& body : maker.mechanism.bodies) body.mass = 1;
  return maker.mechanism;
}

DynamicsRun done(const auto& mechanism, const DynamicsOptions& options) {
  DynamicsRun run = dynamics(mechanism, options);
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence << text(run.problems));
  return run;
}

bool same_rows(std::span<const double> a, std::span<const double> b) { return std::ranges::equal(a, b); }

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

void goes_on_from_a_state(const auto& mechanism, Method method) {
  DynamicsOptions options{.to = 1, .steps = 4, .tolerance = 1e-11, .method = method};
  const DynamicsRun whole = done(mechanism, options);
  options.to = 0.5, options.steps = 2;
  const DynamicsRun half = done(mechanism, options);
  options.start = MotionState{0.5, half.q, half.v};
  options.to = 1;
  const DynamicsRun rest = done(mechanism, options);
  CHECK(rest.results.rows() == 3);
  CHECK(rest.results.row(0)[0] == 0.5);
  CHECK(distance(rest.q, whole.q) < kSameMotion);
  CHECK(distance(rest.v, whole.v) < 10 * kSameMotion);
}

void gives_rows_when_asked(const auto& mechanism) {
  const DynamicsRun even = done(mechanism, {.to = 1, .steps = 4});
  DynamicsOptions options{.to = 7, .steps = 3};
  options.times = {0.25, 0.5, 1};
  const DynamicsRun chosen = done(mechanism, options);
  REQUIRE(chosen.results.rows() == 3);
  // the same steps, so the same bits: the row at 0 is left out, and 0.75 too
  CHECK(same_rows(chosen.results.row(0), even.results.row(1)));
  CHECK(same_rows(chosen.results.row(1), even.results.row(2)));
  CHECK(same_rows(chosen.results.row(2), even.results.row(4)));
}

void tells_how_far_it_is(const auto& mechanism) {
  const DynamicsRun silent = done(mechanism, {.to = 1, .steps = 4});
  std::vector<double> told;
  DynamicsOptions options{.to = 1, .steps = 4};
  options.progress = [&](double t) { told.push_back(t); };
  const DynamicsRun run = done(mechanism, options);
  CHECK(static_cast<long>(told.size()) == run.statistics.steps);
  CHECK(std::ranges::is_sorted(told));
  CHECK(told.back() == 1);
  for (std::size_t i = 0; i < 5; ++i) CHECK(same_rows(run.results.row(i), silent.results.row(i)));
}

void stops_when_asked(const auto& mechanism) {
  int asked = 0;
  DynamicsOptions options{.to = 1, .steps = 100};
  options.stop = [&] { return ++asked == 3; };
  const DynamicsRun run = dynamics(mechanism, options);
  CHECK(run.outcome.kind == Outcome::Kind::stopped);
  CHECK(run.statistics.steps == 3);
  REQUIRE(run.results.rows() > 0);
  CHECK(run.outcome.t == run.results.row(run.results.rows() - 1)[0]);
}

void refuses_a_state_that_is_none(const auto& mechanism, const std::string& counts) {
  DynamicsOptions options{.to = 1, .steps = 4};
  options.start = MotionState{0, {1, 2}, {3}};
  DynamicsRun run = dynamics(mechanism, options);
  CHECK(run.outcome.kind == Outcome::Kind::not_run);
  CHECK(text(run.problems).find("dynamics: start: expected " + counts + ", found 2 and 1") != std::string::npos);
  options.start.reset();
  options.times = {0.5, 0.25};
  run = dynamics(mechanism, options);
  CHECK(run.outcome.kind == Outcome::Kind::not_run);
  CHECK(text(run.problems).find("dynamics: times: expected finite times in ascending order") != std::string::npos);
}

}  // namespace

TEST_CASE("a run that is started from a state goes on as the whole one does, with every method") {
  for (const Method method : {Method::taylor, Method::dop853, Method::radau}) goes_on_from_a_state(plane(), method);
  for (const Method method : {Method::dop853, Method::radau}) goes_on_from_a_state(space(), method);
}

TEST_CASE("rows are given at the times that are asked for") {
  gives_rows_when_asked(plane());
  gives_rows_when_asked(space());
}

TEST_CASE("progress is told once a step and changes nothing") {
  tells_how_far_it_is(plane());
  tells_how_far_it_is(space());
}

TEST_CASE("a run stops after the step in which it is asked to") {
  stops_when_asked(plane());
  stops_when_asked(space());
}

TEST_CASE("a start state and times that make no sense are refused with what was expected") {
  refuses_a_state_that_is_none(plane(), "9 coordinates and 9 rates");
  refuses_a_state_that_is_none(space(), "3 coordinates and 3 rates");
}

TEST_CASE("a start state a little off the joints is put onto them, one that cannot be is refused") {
  // oracle: the run from the state that was exact; pivots 10 apart cannot be joined by rods of 1.9 together
  const auto check = [](const auto& mechanism, const auto& torn) {
    const DynamicsRun exact = done(mechanism, {.to = 0.5, .steps = 1, .tolerance = 1e-11});
    DynamicsOptions options{.to = 0.6, .steps = 1, .tolerance = 1e-11};
    options.start = MotionState{0.5, exact.q, exact.v};
    const DynamicsRun on = done(mechanism, options);
    for (double& x : options.start->q) x += 1e-9;
    const DynamicsRun beside = done(mechanism, options);
    CHECK(beside.statistics.worst_residual < 1e-12);
    CHECK(distance(beside.q, on.q) < 1e-7);
    const DynamicsRun refused = dynamics(torn, options);
    CHECK(refused.outcome.kind == Outcome::Kind::not_assembled);
    CHECK(refused.outcome.sentence.starts_with("the state that the run is to start from does not fit the "));
  };
  check(plane(), plane(10));
  check(space(), space(10));
}

TEST_CASE("where everything is prescribed, every method gives the rows of the prescribed motion") {
  // oracle: the motion itself; there is nothing to integrate
  TreeMaker maker;
  const int arm = maker.add("arm", "revolute", 0);
  maker.rod(arm, 1, 1);
  maker.mechanism.bodies[1].mass = 1;
  maker.mechanism.dofs[0].motion = TimeFunction(*Expression::parse("0.3*sin(2*t)", {{}, {"t"}}));
  for (const Method method : {Method::automatic, Method::dop853, Method::radau}) {
    const DynamicsRun run = done(maker.mechanism, {.to = 0.2, .steps = 5, .method = method});
    REQUIRE(run.results.rows() == 6);
    for (std::size_t i = 0; i < 6; ++i) {
      const double t = run.results.row(i)[0];
      CHECK(*run.results.at(i, "arm.q1") == doctest::Approx(0.3 * std::sin(2 * t)).epsilon(1e-14));
      CHECK(*run.results.at(i, "arm.a1") == doctest::Approx(-1.2 * std::sin(2 * t)).epsilon(1e-14));
    }
  }
}

TEST_CASE("a loop in space that cannot be closed ends the run with its name") {
  // oracle: pivots 10 apart cannot be joined by rods of 1.9 together
  const SpaceMechanism torn = space(10);
  SpaceForwardMotion motion(torn, {});
  Problems problems;
  const MotionState state{0, torn.q, torn.v};
  REQUIRE_FALSE(motion.start({state, 1.0, true}, problems).has_value());
  const auto stepper = make_stepper(Method::dop853, motion, {});
  std::vector<double> row(motion.columns());
  ForwardMotion::Sample found;
  const auto ending = motion.sample(0, motion.start_state(), row, found);
  REQUIRE(ending.has_value());
  CHECK(ending->kind == Outcome::Kind::step_too_small);
  CHECK(ending->sentence.starts_with("loop 'closure' does not hold at t = 0 s: it is off by "));
  CHECK(ending->elements == std::vector<std::string>{"closure"});
}

}  // namespace forward_runs_test
