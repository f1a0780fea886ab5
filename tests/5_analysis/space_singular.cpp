// Singular positions of mechanisms that only space has: a wrist whose outer axes fall together, and a platform that its six legs do not hold.
// Oracles: Euler's angles z, y, z of a rotation in closed form; the legs of a plate that is turned by a right angle above its base meet its axis all in the same
// sense, so that they hold it against nothing about it (E. F. Fichter, 1986); the determinant of the legs' Plücker coordinates.
#include <array>
#include <string>

#include <Eigen/Dense>

#include "driven_test.hpp"

namespace space_singular_test {

using namespace jounce;
using namespace jounce::test;

namespace {

// A hand on a ball that follows a motion, and an arm of three hinges about z, y and z that has to turn with it.
SpaceMechanism wrist(const std::string& hand, const std::array<double, 3>& q) {
  const std::string part = "mass = 1\ninertia = [0.01, 0.02, 0.03, 0, 0, 0]\n";
  std::string out = "[bodies.hand]\n" + part + "points = { E = [0, 0, 0] }\n[bodies.one]\n" + part + "[bodies.two]\n" + part + "[bodies.three]\n" + part +
                    "points = { E = [0, 0, 0] }\n[joints.ball]\ntype = \"spherical\"\nparent = \"ground\"\nchild = \"hand\"\nmotion = { " + hand + " }\n";
  const char* axes[3] = {"[0, 0, 1]", "[0, 1, 0]", "[0, 0, 1]"};
  const char* chain[4] = {"ground", "one", "two", "three"};
  for (std::size_t k = 0; k < 3; ++k)
    out += "[joints.h" + std::to_string(k + 1) + "]\ntype = \"revolute\"\nparent = \"" + chain[k] + "\"\nchild = \"" + chain[k + 1] + "\"\naxis = " + axes[k] +
           "\nq = [" + text_of(q[k]) + "]\n";
  return driven(out + "[loops.grip]\ntype = \"translation\"\ni = \"three.E\"\nj = \"hand.E\"\n");
}

struct Vector3 {
  double x, y, z;
};

struct Leg {
  Vector3 foot, top;

  explicit Leg(int k) {
    const double third = 2 * kPi / 3 * (k / 2), side = k % 2 == 0 ? 1 : -1;
    foot = {std::cos(third + 0.15 * side), std::sin(third + 0.15 * side), 0};
    top = {0.6 * std::cos(third + 0.85 * side), 0.6 * std::sin(third + 0.85 * side), 0};
  }
  [[nodiscard]] Vector3 way(double turn, double height) const {
    const double c = std::cos(turn), s = std::sin(turn);
    return {top.x * c - top.y * s - foot.x, top.x * s + top.y * c - foot.y, height};
  }
};

constexpr double kHeight = 1.2;

std::string written(const Vector3& a) { return "[" + text_of(a.x) + ", " + text_of(a.y) + ", " + text_of(a.z) + "]"; }

// A plate on six legs, each with a cross on the ground and a ball on the plate; `length(k)` as text.
template <class Length>
SpaceMechanism platform(double turn, Length&& length) {
  const std::string light = "mass = 0.01\ninertia = [1e-4, 1e-4, 1e-5, 0, 0, 0]\n";
  std::string points, parts;
  for (int k = 0; k < 6; ++k) {
    const std::string n = std::to_string(k);
    const Leg leg(k);
    const Vector3 way = leg.way(turn, kHeight);
    points += std::string(k == 0 ? "" : ", ") + "P" + n + " = " + written(leg.top);
    parts += "[bodies.low" + n + "]\n" + light + "[bodies.high" + n + "]\n" + light + "points = { E = [0, 0, 0] }\n[joints.cross" + n +
             "]\ntype = \"universal\"\nparent = \"ground\"\nchild = \"low" + n + "\"\norigin = { xyz = " + written(leg.foot) + " }\nq = [" +
             text_of(std::atan2(-way.y, way.z)) + ", " + text_of(std::asin(way.x / std::hypot(way.x, way.y, way.z))) + "]\n[joints.leg" + n +
             "]\ntype = \"prismatic\"\nparent = \"low" + n + "\"\nchild = \"high" + n + "\"\ndofs = [ { motion = \"" + length(k) + "\" } ]\n[loops.ball" + n +
             "]\ntype = \"spherical\"\ni = \"high" + n + ".E\"\nj = \"plate.P" + n + "\"\n";
  }
  return driven("[bodies.plate]\nmass = 2\ninertia = [0.3, 0.3, 0.3, 0, 0, 0]\npoints = { " + points + " }\n[joints.fly]\ntype = \"free\"\nparent = \"ground\"\n" +
                "child = \"plate\"\nq = [" + text_of(std::cos(turn / 2)) + ", 0, 0, " + text_of(std::sin(turn / 2)) + ", 0, 0, " + text_of(kHeight) + "]\n" + parts);
}

double at_start(int k, double turn) {
  const Vector3 way = Leg(k).way(turn, kHeight);
  return std::hypot(way.x, way.y, way.z);
}

// Turned steadily from 1.2 rad on.
SpaceMechanism turned_platform() {
  return platform(1.2, [](int k) {
    const Leg leg(k);
    const std::string c = "cos(1.2 + t)", s = "sin(1.2 + t)", x = text_of(leg.top.x), y = text_of(leg.top.y);
    return "sqrt(((" + x + ")*" + c + " - (" + y + ")*" + s + " - (" + text_of(leg.foot.x) + "))^2 + ((" + x + ")*" + s + " + (" + y + ")*" + c + " - (" +
           text_of(leg.foot.y) + "))^2 + 1.2^2)";
  });
}

// Of the Plücker coordinates of the legs where the plate is in this row.
double legs_hold(const KinematicsRun& run, std::size_t row) {
  const auto at = [&](const std::string& name) { return value(run, row, name); };
  Eigen::Matrix<double, 6, 6> rows;
  for (int k = 0; k < 6; ++k) {
    const Leg leg(k);
    const std::string p = "plate.P" + std::to_string(k) + ".";
    const Eigen::Vector3d foot(leg.foot.x, leg.foot.y, 0), way = (Eigen::Vector3d(at(p + "x"), at(p + "y"), at(p + "z")) - foot).normalized();
    rows.row(k) << way.transpose(), foot.cross(way).transpose();
  }
  return rows.determinant();
}

}  // namespace

TEST_CASE("a wrist driven straight through the position where its outer axes fall together has a change point there") {
  const SpaceMechanism mechanism = wrist("euler = \"zyz\", angles = [0, \"0.5 - t\", 0]", {0, 0.5, 0});
  for (const int steps : {1, 7, 97}) {
    CAPTURE(steps);
    const KinematicsRun run = kinematics(mechanism, {.to = 1, .steps = steps, .columns = {}});
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::change_point));
    CHECK(std::abs(run.outcome.t - 0.5) < kLocated);
  }
}

TEST_CASE("a wrist that passes close by the position where its outer axes fall together turns them by half a turn") {
  for (const double off : {0.3, 1e-2, 1e-4, 1e-6}) {
    CAPTURE(off);
    const SpaceMechanism mechanism = wrist("euler = \"yxz\", angles = [\"0.5 - t\", " + text_of(off) + ", 0]", {-off, 0.5, off});
    at_any_number_of_rows(mechanism, 1, [&](const KinematicsRun& run) {
      for (std::size_t row = 0; row < run.results.rows(); ++row) {
        const double tilt = 0.5 - value(run, row, "t"), c = std::cos(off), s = std::sin(off);
        const double reach = std::hypot(s, std::sin(tilt) * c), known = kSolved / std::min(1.0, reach);
        CHECK(std::abs(value(run, row, "h1.q1") - std::atan2(-s, std::sin(tilt) * c)) <= known);
        CHECK(std::abs(value(run, row, "h2.q1") - std::atan2(reach, std::cos(tilt) * c)) <= kSolved);
        CHECK(std::abs(value(run, row, "h3.q1") - std::atan2(std::cos(tilt) * s, std::sin(tilt))) <= known);
      }
    });
  }
}

TEST_CASE("a wrist moved by its masses passes that position straight, as an event") {
  const DynamicsRun run = dynamics(wrist("euler = \"zyz\", angles = [0, \"0.5 - t\", 0]", {0, 0.5, 0}), {.to = 1, .steps = 10});
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  REQUIRE(run.events.size() == 1);
  CHECK(std::abs(run.events[0].t - 0.5) < 1e-6);
  for (std::size_t row = 0; row < run.results.rows(); ++row) {
    CHECK(std::abs(*run.results.at(row, "h1.q1")) < 1e-9);
    CHECK(std::abs(*run.results.at(row, "h2.q1") - (0.5 - *run.results.at(row, "t"))) < 1e-9);
    CHECK(std::abs(*run.results.at(row, "h3.q1")) < 1e-9);
  }
}

TEST_CASE("a platform turned by a right angle is not held by its legs: kinematics ends there, and its mass carries it through") {
  const SpaceMechanism mechanism = turned_platform();
  const double flat = kPi / 2 - 1.2;
  for (const int steps : {1, 7, 97}) {
    CAPTURE(steps);
    const KinematicsRun run = kinematics(mechanism, {.to = 1, .steps = steps, .columns = {}});
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::change_point));
    CHECK(std::abs(run.outcome.t - flat) < kLocated);
  }
  const DynamicsRun run = dynamics(mechanism, {.to = 0.6, .steps = 7});
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  REQUIRE(run.events.size() == 1);
  CHECK(std::abs(run.events[0].t - flat) < 1e-6);
  for (std::size_t row = 0; row < run.results.rows(); ++row) {
    CHECK(std::abs(*run.results.at(row, "plate.wz") - 1) < 1e-6);
    CHECK(std::abs(*run.results.at(row, "plate.z") - kHeight) < 1e-8);
  }
}

TEST_CASE("a platform one leg of which grows too long ends where the legs lose their hold") {
  const SpaceMechanism mechanism = platform(0, [](int k) { return text_of(at_start(k, 0)) + (k == 0 ? " + t" : ""); });
  const KinematicsRun run = kinematics(mechanism, {.to = 5, .steps = 1, .columns = {}});
  CHECK(word(run.outcome.kind) == word(Outcome::Kind::dead_point));
  CHECK_MESSAGE(run.outcome.sentence.find("leg0") != std::string::npos, run.outcome.sentence);
  // towards a dead point the determinant goes to zero as the root of the time that is left
  const double dead = run.outcome.t;
  const KinematicsRun close = kinematics(mechanism, {.times = {0, dead * (1 - 2e-6), dead * (1 - 1e-6)}, .columns = {"t", "plate.P*"}});
  REQUIRE_MESSAGE(close.outcome.done(), close.outcome.sentence);
  CHECK(std::abs(std::pow(legs_hold(close, 1), 2) / std::pow(legs_hold(close, 2), 2) - 2) < 0.01);
}

}  // namespace space_singular_test
