// Oracles: what a change of method costs, counted; the stiff method alone; the relaxation oscillation of Van der Pol in closed form.
#include "jounce/analysis/run/method_choice.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "jounce/analysis/dynamics.hpp"
#include "jounce/io/read_model.hpp"

namespace method_choice_test {

using namespace jounce;

namespace {

constexpr double kFarEnd = 1e300;

// How many steps the stiff method gets in a run of the usual one, of so many steps of 1, when its own are as long as `stiff_step` says.
struct Tried {
  long trials = 0, stiff_steps = 0;
  double covered = 0;  // in stiff steps
};
template <class StiffStep>
Tried tried(MethodChoice choice, long usual_steps, const StiffStep& stiff_step) {
  Tried out;
  for (long i = 0; i < usual_steps; ++i) {
    if (!choice.tries_stiff(1, true, kFarEnd)) continue;
    ++out.trials;
    for (int k = 0; k < 1000; ++k) {
      const double h = stiff_step(k);
      out.covered += h;
      ++out.stiff_steps;
      if (choice.gives_up(h)) break;
    }
  }
  return out;
}

// An arm of seven joints with a light wrist, damping 1 on every joint: what a mass of some kilograms hardly feels stops the wrist within microseconds.
SpaceMechanism service_arm(double wrist_inertia) {
  std::string toml = "jounce = 1\nname = \"service arm\"\nspace = \"3d\"\ngravity = [0, 0, -9.81]\n";
  constexpr double kMass[] = {4, 3.5, 3, 2, 1.5, 0.05, 0.02}, kLength[] = {0.1, 0.2, 0.2, 0.2, 0.2, 0.1, 0.05};
  constexpr double kAngle[] = {0.3, 0.6, -0.2, 0.8, 0.4, -0.7, 0.2};
  const double inertia[] = {0.03, 0.03, 0.02, 0.01, 0.005, wrist_inertia, wrist_inertia / 2};
  for (std::size_t k = 0; k < 7; ++k) {
    const auto number = [](double x) { return Text(x).text; };
    const std::string name = "link-" + std::to_string(k + 1), carrier = k == 0 ? "ground" : "link-" + std::to_string(k);
    toml += "[bodies." + name + "]\nmass = " + number(kMass[k]) + "\ncom = [0.01, 0.005, " + number(kLength[k] / 2) + "]\ninertia = [" +
            number(inertia[k]) + ", " + number(inertia[k]) + ", " + number(0.6 * inertia[k]) + ", 0, 0, 0]\n[joints.joint-" + std::to_string(k + 1) +
            "]\ntype = \"revolute\"\nparent = \"" + carrier + "\"\nchild = \"" + name + "\"\norigin = { xyz = [0, 0, " + number(kLength[k]) +
            "] }\naxis = " + (k % 2 == 0 ? "[0, 0, 1]" : "[0, 1, 0]") + "\nq = [" + number(kAngle[k]) + "]\nv = [" + (k % 2 == 0 ? "-0.3" : "0.5") +
            "]\ndofs = [ { damping = 1 } ]\n";
  }
  auto built = build_space(parse_model(toml, "arm.toml").model);
  REQUIRE_MESSAGE(built.ok(), text(built.problems()));
  return *std::move(built);
}

PlaneMechanism on_paper(const std::string& toml) {
  auto built = build_plane(parse_model("jounce = 1\nname = \"test\"\n" + toml, "test.toml").model);
  REQUIRE_MESSAGE(built.ok(), text(built.problems()));
  return *std::move(built);
}

// 1 kg at 1 m/s against a force that stops it at 0.5 s, 0.25 m further on.
PlaneMechanism brake(const std::string& law) {
  return on_paper("[ground]\npoints = { O = [-1, 0] }\n[bodies.b]\nmass = 1\ninertia = 1\nvelocity = [1, 0]\n"
                "[forces.w]\ntype = \"spring\"\ni = \"ground.O\"\nj = \"b.origin\"\nactuator = \"" + law + "\"\n");
}

}  // namespace

TEST_CASE("a stiff method that never pays costs a few per cent, and is tried again and again") {
  // oracle: counting; each stiff step costs as much as three usual ones and comes no further than one
  constexpr double kCost = 3;
  for (const long steps : {1000L, 10'000L, 100'000L, 1'000'000L}) {
    CAPTURE(steps);
    const Tried out = tried(MethodChoice(kCost), steps, [](int) { return 1.0; });
    CHECK(out.trials >= 1);
    CHECK(kCost * static_cast<double>(out.stiff_steps) - out.covered <= 0.05 * static_cast<double>(steps));
  }
  CHECK(tried(MethodChoice(kCost), 1'000'000, [](int) { return 1.0; }).trials >= 8);
}

TEST_CASE("a trial of the stiff method is judged by its last steps, and goes on while they grow") {
  // oracle: the rule itself. Steps that grow by a tenth each are a fifteenth of the usual one at first and pay after 30 steps
  const auto grows = [](int k) { return std::pow(1.1, k) / 15; };
  CHECK(tried(MethodChoice(1), 1, grows).stiff_steps == 1000);  // never given up
  // long ones at first and short ones then are given up, though the average from the start would pay
  const auto shrinks = [](int k) { return k < 6 ? 10.0 : 0.5; };
  CHECK(tried(MethodChoice(1), 1, shrinks).stiff_steps < 20);
}

TEST_CASE("no trial is begun close to the end of a run, nor where the steps are not stiff") {
  MethodChoice choice(1);
  CHECK_FALSE(choice.tries_stiff(1, true, 400));
  CHECK_FALSE(choice.tries_stiff(1, false, kFarEnd));
  CHECK(choice.tries_stiff(1, true, kFarEnd));
  CHECK(choice.usual_step() == 1);
}

TEST_CASE("auto finds the stiff method for a damped arm with a light wrist, wherever the first trial falls") {
  // oracle: the stiff method alone, for the work and for the numbers
  for (const double inertia : {1e-4, 1e-5, 1e-6})
    for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
      CAPTURE(inertia);
      CAPTURE(tolerance);
      const SpaceMechanism arm = service_arm(inertia);
      const DynamicsRun chosen = dynamics(arm, {.to = 1, .steps = 4, .tolerance = tolerance});
      const DynamicsRun stiff = dynamics(arm, {.to = 1, .steps = 4, .tolerance = tolerance, .method = Method::radau});
      REQUIRE_MESSAGE(chosen.outcome.done(), text(chosen.problems));
      REQUIRE_MESSAGE(stiff.outcome.done(), text(stiff.problems));
      CHECK(static_cast<double>(chosen.statistics.steps) <= 1.3 * static_cast<double>(stiff.statistics.steps));
      for (std::size_t i = 0; i < chosen.q.size(); ++i) CHECK(std::abs(chosen.q[i] - stiff.q[i]) <= 100 * tolerance);
    }
}

TEST_CASE("a relaxation oscillation is followed through its jumps, however long the run is") {
  // oracle: Van der Pol's equation with mu = 1e4: a period of mu (3 - 2 log 2) + 7.01432 / mu^(1/3) - ..., between the jumps
  // x^2/2 - log x = 2 - log 2 - t/mu to O(mu^(-4/3)), t from x = 2 on (Grasman, Asymptotic Methods for Relaxation Oscillations)
  const PlaneMechanism mechanism = on_paper(
      "[ground]\npoints = { O = [0, 0] }\n[bodies.a]\nmass = 1\ninertia = 1\nangle = 2\npoints = { O = [0, 0] }\n"
      "[joints.o]\ntype = \"revolute\"\ni = \"ground.O\"\nj = \"a.O\"\n[forces.f]\ntype = \"torsion-spring\"\ni = \"ground\"\nj = \"a\"\n"
      "stiffness = 1\nactuator = \"-10000*(1-theta^2)*omega\"\n");
  constexpr double kMu = 1e4;
  const double period = kMu * (3 - 2 * std::log(2)) + 7.01432 / std::cbrt(kMu);
  for (const double to : {20'000.0, 100'000.0}) {
    CAPTURE(to);
    const DynamicsRun run = dynamics(mechanism, {.to = to, .steps = static_cast<int>(to / 1000), .tolerance = 1e-11});
    REQUIRE_MESSAGE(run.outcome.done(), text(run.problems));
    CHECK(run.statistics.steps < 7000 * (2 * to / period + 1));
    const double since = 20'000 - period, x = *run.results.at(20, "a.phi");
    CHECK(std::abs(0.5 * x * x - std::log(x) - (2 - std::log(2) - since / kMu)) <= 1e-5);
  }
}

TEST_CASE("a force that jumps back and forth ends the run, however long it was to be; one that is only steep does not") {
  // oracle: 1 m/s against 2 N stops at 0.5 s and 0.25 m
  for (const double to : {1.0, 1e5}) {
    CAPTURE(to);
    const DynamicsRun run = dynamics(brake("2*sign(v)"), {.to = to, .steps = 4, .method = Method::dop853});
    CHECK(run.outcome.kind == Outcome::Kind::step_too_small);
    CHECK(std::abs(run.outcome.t - 0.5) <= 0.01);
    CHECK(run.outcome.sentence.find("makes no headway") != std::string::npos);
  }
  const DynamicsRun steep = dynamics(brake("2*tanh(v/(1e-6))"), {.to = 0.7, .steps = 7, .tolerance = 1e-8, .method = Method::dop853});
  REQUIRE_MESSAGE(steep.outcome.done(), text(steep.problems));
  CHECK(steep.statistics.steps > 50'000);
  CHECK(std::abs(*steep.results.at(7, "b.x") - 0.25) <= 1e-5);
}

}  // namespace method_choice_test
