// Oracles: the same motions written so that nothing cancels, x = 1e7 sin²(wt/2) for 5e6 (1 − cos wt), and a sum in closed form.
#include "jounce/analysis/run/motion_noise.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "analysis_test.hpp"
#include "jounce/analysis/kinematics.hpp"
#include "jounce/plane/motion/driven_motion.hpp"

namespace motion_noise_test {

using namespace jounce;
using namespace jounce::test;

namespace {

const char* const kCancelling = "5e6*(1 - cos(t*sqrt(20/5e6)))";
const double kFrequency = std::sqrt(20 / 5e6);

// A cart on a rail whose place is prescribed.
PlaneMechanism cart(const std::string& motion) {
  Model m;
  m.ground.point("O", 0.0, 0.0).point("X", 1.0, 0.0);
  m.body("cart").point("A", 0.0, 0.0).point("B", 1.0, 0.0);
  m.joint("rail", "translational").set("slot", std::vector<Text>{Text("ground.O"), Text("ground.X")})
      .set("slider", std::vector<Text>{Text("cart.A"), Text("cart.B")});
  m.driver("winch", "coordinate").set("j", Text("cart.x")).set("offset", Text(0.0)).set("motion", Text(motion));
  return built(m);
}

// (t + 1)/2 as a sum of ten thousand terms of up to five million.
std::string long_sum() {
  std::string out;
  for (int k = 0; k < 5000; ++k) {
    const std::string large = std::to_string(1000 * k + 7);
    out += (k == 0 ? "" : " + ") + large + "*(t + 1) - (" + large + " - 1e-4)*(t + 1)";
  }
  return out;
}

}  // namespace

TEST_CASE("a smooth motion that is computed as a difference of large numbers is followed in ordinary steps") {
  const PlaneMechanism mechanism = cart(kCancelling);
  for (const double to : {1.0, 10.0, 30.0}) {
    CAPTURE(to);
    const KinematicsRun run = kinematics(mechanism, {.to = to, .steps = 10});
    REQUIRE_MESSAGE(run.outcome.done(), text(run.problems));
    CHECK(run.statistics.steps <= 8 * kinematics(cart("1e7*sin(t*sqrt(20/5e6)/2)^2"), {.to = to, .steps = 10}).statistics.steps);
    for (std::size_t row = 0; row <= 10; ++row) {
      const double t = to * static_cast<double>(row) / 10, half = std::sin(kFrequency * t / 2);
      CHECK(std::abs(*run.results.at(row, "cart.x") - 1e7 * half * half) <= 2e-9 * (1 + t));  // what rounding makes of the formula
      CHECK(std::abs(*run.results.at(row, "cart.vx") - 5e6 * kFrequency * std::sin(kFrequency * t)) <= 1e-11 * (1 + 20 * t));
    }
  }
}

TEST_CASE("a motion that is a sum of ten thousand large terms is followed in ordinary steps") {
  const KinematicsRun run = kinematics(cart(long_sum()), {.to = 1, .steps = 10});
  REQUIRE_MESSAGE(run.outcome.done(), text(run.problems));
  CHECK(run.statistics.steps < 200);
  CHECK(std::abs(*run.results.at(10, "cart.x") - 1) <= 1e-5);  // each difference of 1e-4 is known to 1e-9
}

TEST_CASE("noise is what does not fall with the step: none of a smooth motion, none of one with a kink ahead") {
  const auto noise = [](const std::string& motion, double t, double h) {
    const PlaneMechanism mechanism = cart(motion);
    PlaneDrivenMotion driven(mechanism, 4);
    std::vector<double> q(3), ways(4 * 3);
    REQUIRE(driven.position(t, q) == DrivenMotion::Solved::yes);
    driven.orders(ways);
    return motion_noise(driven, t, q, ways, driven.regularity(30), h);
  };
  const double rounding = noise(kCancelling, 0.5, 1e-4);
  CHECK(rounding > 5e-10);  // 5e6 times the distance of numbers next to 1
  CHECK(rounding < 2e-8);
  CHECK(noise("sin(t)", 0.5, 1e-4) == 0);
  CHECK(noise("1e-8*exp(20*t)", 0.5, 1e-3) == 0);
  CHECK(noise("1e-4*max(0, t - 0.5001)", 0.5, 1e-3) == 0);
  CHECK(noise("1e14*(1 - cos(1e-7*t))", 0.5, 1e-3) == 0);  // a centimetre: too much to be noise
}

}  // namespace motion_noise_test
