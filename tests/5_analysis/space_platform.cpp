// A platform on six driven legs, each with a cross on the ground and a ball on the plate.
// Oracle: the lengths of the legs are computed from a motion of the plate, and have to give that motion back; what the legs push is what
// moves the plate.
#include <array>
#include <string>

#include "driven_test.hpp"

using namespace jounce;
using namespace jounce::test;

namespace {

constexpr double kMass = 2, kInertia = 0.3, kGravity = 9.81;

struct PlateMotion {
  std::array<Course, 3> place;
  Course turn, tilt;  // about z, then about the plate's x

  explicit PlateMotion(double t)
      : place{{{0.1 * std::sin(2 * t), 0.2 * std::cos(2 * t), -0.4 * std::sin(2 * t)},
               {0.1 * std::sin(3 * t), 0.3 * std::cos(3 * t), -0.9 * std::sin(3 * t)},
               {1.2 + 0.15 * std::sin(t), 0.15 * std::cos(t), -0.15 * std::sin(t)}}},
        turn{0.3 * std::sin(2 * t), 0.6 * std::cos(2 * t), -1.2 * std::sin(2 * t)},
        tilt{0.2 * std::sin(3 * t), 0.6 * std::cos(3 * t), -1.8 * std::sin(3 * t)} {}

  [[nodiscard]] std::array<double, 3> spin() const { return {tilt.v * std::cos(turn.q), tilt.v * std::sin(turn.q), turn.v}; }
  [[nodiscard]] std::array<double, 3> spin_change() const {
    const double c = std::cos(turn.q), s = std::sin(turn.q);
    return {tilt.a * c - tilt.v * turn.v * s, tilt.a * s + tilt.v * turn.v * c, turn.a};
  }
  // From the plate's origin, in ground axes.
  [[nodiscard]] std::array<double, 3> arm(double x, double y) const {
    const double c = std::cos(turn.q), s = std::sin(turn.q), level = y * std::cos(tilt.q);
    return {x * c - level * s, x * s + level * c, y * std::sin(tilt.q)};
  }
};

// The same as text, for the model.
const std::string kTurn = "(0.3*sin(2*t))", kTilt = "(0.2*sin(3*t))";

struct Leg {
  double foot_x, foot_y, top_x, top_y;

  explicit Leg(int k) {
    // Feet in pairs near 0, 120 and 240 degrees, tops in pairs halfway between.
    const double third = 2 * kPi / 3 * (k / 2), side = k % 2 == 0 ? 1 : -1;
    foot_x = std::cos(third + 0.15 * side), foot_y = std::sin(third + 0.15 * side);
    top_x = 0.6 * std::cos(third + 0.85 * side), top_y = 0.6 * std::sin(third + 0.85 * side);
  }
  [[nodiscard]] std::array<double, 3> way(const PlateMotion& plate) const {
    const std::array<double, 3> arm = plate.arm(top_x, top_y);
    return {plate.place[0].q + arm[0] - foot_x, plate.place[1].q + arm[1] - foot_y, plate.place[2].q + arm[2]};
  }
  [[nodiscard]] std::string length() const {
    const std::string x = text_of(top_x), y = text_of(top_y), level = "(" + y + ")*cos" + kTilt;
    return "sqrt((0.1*sin(2*t) + (" + x + ")*cos" + kTurn + " - " + level + "*sin" + kTurn + " - (" + text_of(foot_x) +
           "))^2 + (0.1*sin(3*t) + (" + x + ")*sin" + kTurn + " + " + level + "*cos" + kTurn + " - (" + text_of(foot_y) +
           "))^2 + (1.2 + 0.15*sin(t) + (" + y + ")*sin" + kTilt + ")^2)";
  }
};

SpaceMechanism platform() {
  const std::string massless = "mass = 0\ninertia = [0, 0, 0, 0, 0, 0]\n", inertia = text_of(kInertia);
  std::string points, bodies, joints, loops;
  for (int k = 0; k < 6; ++k) {
    const std::string n = std::to_string(k);
    const Leg leg(k);
    const std::array<double, 3> way = leg.way(PlateMotion(0));
    const double long_as = std::hypot(way[0], way[1], way[2]);
    points += std::string(k == 0 ? "" : ", ") + "P" + n + " = [" + text_of(leg.top_x) + ", " + text_of(leg.top_y) + ", 0]";
    bodies += "[bodies.low" + n + "]\n" + massless + "[bodies.high" + n + "]\n" + massless + "points = { E = [0, 0, 0] }\n";
    joints += "[joints.cross" + n + "]\ntype = \"universal\"\nparent = \"ground\"\nchild = \"low" + n + "\"\norigin = { xyz = [" +
              text_of(leg.foot_x) + ", " + text_of(leg.foot_y) + ", 0] }\nq = [" + text_of(std::atan2(-way[1], way[2])) + ", " +
              text_of(std::asin(way[0] / long_as)) + "]\n[joints.leg" + n + "]\ntype = \"prismatic\"\nparent = \"low" + n +
              "\"\nchild = \"high" + n + "\"\ndofs = [ { motion = \"" + leg.length() + "\" } ]\n";
    loops += "[loops.ball" + n + "]\ntype = \"spherical\"\ni = \"high" + n + ".E\"\nj = \"plate.P" + n + "\"\n";
  }
  return driven("gravity = [0, 0, " + text_of(-kGravity) + "]\n[bodies.plate]\nmass = " + text_of(kMass) + "\ninertia = [" + inertia + ", " +
                inertia + ", " + inertia + ", 0, 0, 0]\npoints = { " + points + " }\n" + bodies +
                "[joints.fly]\ntype = \"free\"\nparent = \"ground\"\nchild = \"plate\"\nq = [1, 0, 0, 0, 0, 0, 1.2]\n" + joints + loops);
}

void check_plate(const KinematicsRun& run) {
  for (std::size_t row = 0; row < run.results.rows(); ++row) {
    const double t = value(run, row, "t");
    CAPTURE(t);
    const PlateMotion exact(t);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string axis(1, "xyz"[k]);
      check_near(value(run, row, "plate." + axis), exact.place[k].q);
      check_near(value(run, row, "plate.v" + axis), exact.place[k].v);
      check_near(value(run, row, "plate.a" + axis), exact.place[k].a);
      check_near(value(run, row, "plate.w" + axis), exact.spin()[k]);
      check_near(value(run, row, "plate.al" + axis), exact.spin_change()[k]);
    }
    const double c = std::cos(exact.turn.q / 2), s = std::sin(exact.turn.q / 2), u = std::cos(exact.tilt.q / 2), v = std::sin(exact.tilt.q / 2);
    const double same = value(run, row, "plate.qw") * c * u + value(run, row, "plate.qx") * c * v + value(run, row, "plate.qy") * s * v +
                        value(run, row, "plate.qz") * s * u;
    check_near(std::abs(same), 1);  // quaternions of one rotation
  }
}

}  // namespace

TEST_CASE("a platform on six driven legs moves as the lengths of its legs were computed from") {
  at_any_number_of_rows(platform(), 3, check_plate);
}

TEST_CASE("the six legs of a platform push what moves the plate") {
  // oracle: Newton and Euler for the plate; the legs weigh nothing and push along themselves
  const KinematicsRun run = inverse(platform(), {.to = 3, .steps = 60, .columns = {}});
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  CHECK(run.not_unique.empty());
  check_plate(run);
  for (std::size_t row = 0; row < run.results.rows(); ++row) {
    const PlateMotion plate(value(run, row, "t"));
    std::array<double, 3> force{0, 0, -kMass * kGravity}, moment{};
    for (int n = 0; n < 6; ++n) {
      const Leg leg(n);
      const std::array<double, 3> way = leg.way(plate), arm = plate.arm(leg.top_x, leg.top_y);
      const double push = value(run, row, "leg" + std::to_string(n) + ".tau1") / std::hypot(way[0], way[1], way[2]);
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
        force[k] += push * way[k], moment[k] += push * (arm[i] * way[j] - arm[j] * way[i]);
      }
    }
    const double size = kMass * kGravity;
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(std::abs(force[k] - kMass * plate.place[k].a) <= kSolved * size);
      CHECK(std::abs(moment[k] - kInertia * plate.spin_change()[k]) <= kSolved * size);
    }
  }
}
