// Balls and free bodies whose whole rotation and place are prescribed.
#include <string>

#include "driven_test.hpp"
#include "jounce/analysis/dynamics.hpp"

namespace space_poses_test {

using namespace jounce;
using namespace jounce::test;

namespace {

const std::string kTop = "gravity = [0.3, -1, -9.81]\n[bodies.top]\nmass = 2\ncom = [0.1, 0.2, 0.3]\ninertia = [0.3, 0.4, 0.5, 0.01, 0.02, -0.03]\n"
                         "points = { P = [0.3, -0.2, 0.5] }\n";
// Two bodies without mass that a chain of joints has in place of a ball.
const std::string kBetween = "[bodies.one]\nmass = 0\ninertia = [0, 0, 0, 0, 0, 0]\n[bodies.two]\nmass = 0\ninertia = [0, 0, 0, 0, 0, 0]\n";

std::string ball(const std::string& motion, const std::string& type = "spherical") {
  return "[joints.ball]\ntype = \"" + type + "\"\nparent = \"ground\"\nchild = \"top\"\norigin = { xyz = [0.1, 0, 0.2], rpy = [0.2, 0.3, 0.4] }\nmotion = { " + motion +
         " }\n";
}

// Every column of the body and its point, to snap, and the wrench that holds it.
void check_same(const KinematicsRun& ours, const KinematicsRun& exact, const std::string& holder, double allowed) {
  REQUIRE_MESSAGE(ours.outcome.done(), ours.outcome.sentence);
  REQUIRE_MESSAGE(exact.outcome.done(), exact.outcome.sentence);
  for (std::size_t row = 0; row < ours.results.rows(); ++row) {
    CAPTURE(value(ours, row, "t"));
    for (const std::string owner : {"top", "top.P"})
      for (const std::string order : {"", "v", "a", "j", "s"})
        for (const std::string axis : {"x", "y", "z"}) {
          const double e = value(exact, row, owner + "." + order + axis);
          CAPTURE(owner + "." + order + axis);
          CHECK(std::abs(value(ours, row, owner + "." + order + axis) - e) <= allowed * std::max(1.0, std::abs(e)));
        }
    for (const std::string ending : {"wx", "wy", "wz", "alx", "aly", "alz", "ajx", "ajy", "ajz", "asx", "asy", "asz"}) {
      const double e = value(exact, row, "top." + ending);
      CHECK(std::abs(value(ours, row, "top." + ending) - e) <= allowed * std::max(1.0, std::abs(e)));
    }
    for (const std::string ending : {".fx", ".fy", ".fz", ".mx", ".my", ".mz"}) {
      const double e = value(exact, row, holder + ending);
      CHECK(std::abs(value(ours, row, "ball" + ending) - e) <= allowed * std::max(1.0, std::abs(e)));
    }
    CHECK(std::abs(value(ours, row, "energy.work") - value(exact, row, "energy.work")) <= 1e-9);
  }
  CHECK(ours.statistics.energy_balance < 1e-9);
}

}  // namespace

TEST_CASE("a ball that follows roll, pitch and yaw moves as three hinges do, to snap") {
  // oracle: three hinges about z, y and x, each with its angle
  const std::string angles[3] = {"0.4*sin(2*t)", "0.3*t - 0.2*t^2", "sin(t) + 3*t"};  // roll, pitch, yaw
  std::string hinges = kTop + kBetween;
  const char* axes[3] = {"[0, 0, 1]", "[0, 1, 0]", "[1, 0, 0]"};
  const char* chain[4] = {"ground", "one", "two", "top"};
  for (int k = 0; k < 3; ++k)
    hinges += "[joints.h" + std::to_string(k) + "]\ntype = \"revolute\"\nparent = \"" + chain[k] + "\"\nchild = \"" + chain[k + 1] + "\"\naxis = " + axes[k] +
              (k == 0 ? "\norigin = { xyz = [0.1, 0, 0.2], rpy = [0.2, 0.3, 0.4] }" : "") + "\ndofs = [ { motion = \"" + angles[2 - k] + "\" } ]\n";
  const KinematicsOptions options{.to = 3, .steps = 30, .columns = {}};
  const KinematicsRun exact = inverse(driven(hinges), options);
  check_same(inverse(driven(kTop + ball("rpy = [\"" + angles[0] + "\", \"" + angles[1] + "\", \"" + angles[2] + "\"]")), options), exact, "h2", 1e-11);
  check_same(inverse(driven(kTop + ball("euler = \"zyx\", angles = [\"" + angles[2] + "\", \"" + angles[1] + "\", \"" + angles[0] + "\"]")), options), exact, "h2", 1e-11);
}

TEST_CASE("a rotation vector through zero and beyond whole turns is what three angles say, to snap") {
  // oracle: R = Rz(a) Rx(b) Rz(-a) turns by b about (cos a, sin a, 0); b passes 0 and grows beyond two turns
  const std::string a = "(0.7*t)", b = "(-0.5 + 0.5*t^3)";
  const KinematicsOptions options{.to = 3, .steps = 60, .columns = {}};
  check_same(inverse(driven(kTop + ball("rotation_vector = [\"" + b + "*cos" + a + "\", \"" + b + "*sin" + a + "\", 0]")), options),
             inverse(driven(kTop + ball("euler = \"zxz\", angles = [\"" + a + "\", \"" + b + "\", \"-" + a + "\"]")), options), "ball", 1e-10);
}

TEST_CASE("a free body that follows a place and a rotation moves as slides and a ball do") {
  // oracle: three slides that carry a prescribed ball
  const std::string place = "[\"0.3*sin(t)\", \"0.1*t^2\", \"cos(2*t)\"]", turn = "rotation_vector = [\"t\", \"0.3*sin(2*t)\", \"-0.2*t\"]";
  const std::string slides = "[bodies.one]\nmass = 0\ninertia = [0, 0, 0, 0, 0, 0]\n[joints.slide]\ntype = \"translation\"\nparent = \"ground\"\nchild = \"one\"\n"
                             "origin = { xyz = [0.1, 0, 0.2], rpy = [0.2, 0.3, 0.4] }\ndofs = [ { motion = \"0.3*sin(t)\" }, { motion = \"0.1*t^2\" }, { motion = \"cos(2*t)\" } ]\n"
                             "[joints.turn]\ntype = \"spherical\"\nparent = \"one\"\nchild = \"top\"\nmotion = { " + turn + " }\n";
  const KinematicsOptions options{.to = 3, .steps = 30, .columns = {}};
  check_same(inverse(driven(kTop + ball(turn + ", position = " + place, "free")), options), inverse(driven(kTop + slides), options), "turn", 1e-11);
}

TEST_CASE("a pendulum on a prescribed ball swings as on three hinges") {
  // oracle: the same motion by hinges, integrated alike
  const std::string arm = "[bodies.arm]\nmass = 1\ncom = [0, 0.3, 0]\ninertia = [0.1, 0.1, 0.1, 0, 0, 0]\n[joints.swing]\ntype = \"revolute\"\nparent = \"top\"\nchild = \"arm\"\n"
                          "origin = { xyz = [0.2, 0, 0] }\naxis = [1, 0.2, 0]\n";
  std::string hinge = "[joints.h]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"top\"\naxis = [1, 2, 2]\ndofs = [ { motion = \"sin(t)\" } ]\n";
  const std::string by_ball = "[joints.h]\ntype = \"spherical\"\nparent = \"ground\"\nchild = \"top\"\nmotion = { rotation_vector = [\"sin(t)/3\", \"sin(t)*2/3\", \"sin(t)*2/3\"] }\n";
  const DynamicsOptions options{.to = 2, .steps = 20, .tolerance = 1e-11};
  const DynamicsRun exact = dynamics(driven(kTop + hinge + arm), options), ours = dynamics(driven(kTop + by_ball + arm), options);
  REQUIRE(exact.outcome.done());
  REQUIRE_MESSAGE(ours.outcome.done(), ours.outcome.sentence);
  for (std::size_t row = 0; row < ours.results.rows(); ++row)
    for (const char* column : {"swing.q1", "swing.v1", "swing.a1", "swing.j1", "swing.s1", "arm.sx"})
      CHECK(std::abs(*ours.results.at(row, column) - *exact.results.at(row, column)) < 1e-8);
}

TEST_CASE("a ball that follows a rotation vector along one axis turns as that angle does, to snap") {
  // oracle: closed form: with the axis n of length 1 and the angle f, ω = f' n; and at a constant rate w the derivatives of a point of the body, w(n×) each
  const Vec3<double> n{2.0 / 3, -1.0 / 3, 2.0 / 3}, p{0.3, -0.2, 0.5};
  const KinematicsOptions options{.to = 3, .steps = 30, .columns = {}};
  const auto along = [](const std::string& angle) { return "[joints.ball]\ntype = \"spherical\"\nparent = \"ground\"\nchild = \"top\"\nmotion = { rotation_vector = [\"2/3*" + angle + "\", \"-1/3*" + angle + "\", \"2/3*" + angle + "\"] }\n"; };
  const KinematicsRun swings = kinematics(driven(kTop + along("sin(2*t)")), options);
  REQUIRE(swings.outcome.done());
  for (std::size_t row = 0; row < swings.results.rows(); ++row) {
    const double t = value(swings, row, "t"), s = std::sin(2 * t), c = std::cos(2 * t);
    const std::array orders{std::pair{"w", 2 * c}, std::pair{"al", -4 * s}, std::pair{"aj", -8 * c}, std::pair{"as", 16 * s}};
    for (const auto& [order, f] : orders) {
      check_near(value(swings, row, std::string("top.") + order + "x"), f * n.x);
      check_near(value(swings, row, std::string("top.") + order + "y"), f * n.y);
      check_near(value(swings, row, std::string("top.") + order + "z"), f * n.z);
    }
  }
  const KinematicsRun turns = kinematics(driven(kTop + along("(2*t)")), options);
  REQUIRE(turns.outcome.done());
  for (std::size_t row = 0; row < turns.results.rows(); ++row) {
    const double angle = 2 * value(turns, row, "t");
    Vec3<double> x = n * (dot(n, p) * (1 - std::cos(angle))) + p * std::cos(angle) + cross(n, p) * std::sin(angle);
    for (const std::string order : {"", "v", "a", "j", "s"}) {
      check_near(value(turns, row, "top.P." + order + "x"), x.x);
      check_near(value(turns, row, "top.P." + order + "y"), x.y);
      check_near(value(turns, row, "top.P." + order + "z"), x.z);
      x = cross(n, x) * 2.0;
    }
  }
}

TEST_CASE("each order of a prescribed pose is the derivative of the one before") {
  // oracle: differences of four rows, exact to the fifth power of their distance
  const double h = 1e-3;
  const KinematicsOptions options{.to = 0.4, .steps = 400, .columns = {}};
  const std::string motions[3] = {"rpy = [\"sin(2*t)\", \"0.5*t^2\", \"t + 0.2*cos(3*t)\"]", "rotation_vector = [\"sin(2*t)\", \"0.5*t^2\", \"t - 0.1\"]",
                                  "euler = \"xyx\", angles = [\"sin(2*t)\", \"0.4 + 0.5*t^2\", \"t\"]"};
  for (const std::string& motion : motions) {
    const KinematicsRun run = kinematics(driven(kTop + ball(motion + ", position = [\"sin(t)\", \"t^3\", \"cos(2*t)\"]", "free")), options);
    REQUIRE(run.outcome.done());
    const std::vector<std::vector<std::string>> chains{{"top.P.x", "top.P.vx", "top.P.ax", "top.P.jx", "top.P.sx"}, {"top.wy", "top.aly", "top.ajy", "top.asy"},
                                                       {"ball.v1", "ball.a1", "ball.j1", "ball.s1"},         {"ball.v5", "ball.a5", "ball.j5", "ball.s5"}};
    for (const auto& chain : chains)
      for (std::size_t k = 0; k + 1 < chain.size(); ++k)
        for (std::size_t row = 2; row + 2 < run.results.rows(); row += 20) {
          const auto wide = [&](std::size_t by) { return value(run, row + by, chain[k]) - value(run, row - by, chain[k]); };
          CHECK(std::abs((8 * wide(1) - wide(2)) / (12 * h) - value(run, row, chain[k + 1])) <= 1e-7);
        }
  }
}

}  // namespace space_poses_test
