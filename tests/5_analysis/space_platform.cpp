// A platform on six driven legs, each with a cross on the ground and a ball on the plate.
// Oracle: the lengths of the legs are computed from a motion of the plate, and have to give that motion back; what the legs push is what
// moves the plate.
#include <array>
#include <string>

#include "driven_test.hpp"
#include "jounce/space/equations/shared_reactions.hpp"
#include "jounce/space/size.hpp"

namespace space_platform_test {

using namespace jounce;
using namespace jounce::test;

namespace {

// Work is integrated between rows, joules.
constexpr double kBalanced = 1e-9;
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

// Who is prescribed: the legs, or the plate, whose motion the legs then carry where they are named as actuators.
enum class Led { legs, plate };

SpaceMechanism platform(Led led = Led::legs, const std::string& actuators = "") {
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
              "\"\nchild = \"high" + n + "\"\n" +
              (led == Led::legs ? "dofs = [ { motion = \"" + leg.length() + "\" } ]\n" : "q = [" + text_of(long_as) + "]\n");
    loops += "[loops.ball" + n + "]\ntype = \"spherical\"\ni = \"high" + n + ".E\"\nj = \"plate.P" + n + "\"\n";
  }
  return driven("gravity = [0, 0, " + text_of(-kGravity) + "]\n[bodies.plate]\nmass = " + text_of(kMass) + "\ninertia = [" + inertia + ", " +
                inertia + ", " + inertia + ", 0, 0, 0]\npoints = { " + points + " }\n" + bodies +
                "[joints.fly]\ntype = \"free\"\nparent = \"ground\"\nchild = \"plate\"\n" +
                (led == Led::legs ? "q = [1, 0, 0, 0, 0, 0, 1.2]\n"
                                  : "motion = { euler = \"zxz\", angles = [\"" + kTurn + "\", \"" + kTilt +
                                        "\", 0], position = [\"0.1*sin(2*t)\", \"0.1*sin(3*t)\", \"1.2 + 0.15*sin(t)\"] }\n") +
                joints + loops + (actuators.empty() ? "" : "[actuators]\ndofs = [" + actuators + "]\n"));
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

// Newton and Euler for the plate: Jᵀ f of the legs' forces f is the wrench that moves it. The legs weigh nothing and push along themselves.
void check_pushed(const KinematicsRun& run) {
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

// A plate on six legs of which the model names the actuators, each from a foot to a top.
std::string actuated_plate(const std::string& motion, double wide) {
  std::string model = "[bodies.plate]\nmass = 2\ninertia = [0.3, 0.3, 0.3, 0, 0, 0]\npoints = { ", joints, legs, names;
  for (int k = 0; k < 6; ++k) {
    const Leg leg(k);
    const std::string n = std::to_string(k), top = text_of(leg.top_x) + ", " + text_of(leg.top_y) + ", 0",
                      foot = text_of(leg.top_x + wide * (leg.foot_x - leg.top_x)) + ", " + text_of(leg.top_y + wide * (leg.foot_y - leg.top_y)) + ", 0";
    model += (k > 0 ? ", P" : "P") + n + " = [" + top + "]";
    for (const std::string body : {"low", "high"}) joints += "[bodies." + body + n + "]\nmass = 0\ninertia = [0, 0, 0, 0, 0, 0]\npoints = { E = [0, 0, 0] }\n";
    legs += "[joints.cross" + n + "]\ntype = \"universal\"\nparent = \"ground\"\nchild = \"low" + n + "\"\norigin = { xyz = [" + foot + "] }\n[joints.leg" + n +
            "]\ntype = \"prismatic\"\nparent = \"low" + n + "\"\nchild = \"high" + n + "\"\nq = [1]\n[loops.ball" + n + "]\ntype = \"spherical\"\ni = \"high" + n +
            ".E\"\nj = \"plate.P" + n + "\"\n";
    names += (k > 0 ? ", \"leg" : "\"leg") + n + "\"";
  }
  return model + " }\n" + joints + "[joints.fly]\ntype = \"free\"\nparent = \"ground\"\nchild = \"plate\"\nmotion = " + motion + "\n" + legs +
           "[actuators]\ndofs = [" + names + "]\n";
}

}  // namespace

TEST_CASE("a platform on six driven legs moves as the lengths of its legs were computed from") {
  at_any_number_of_rows(platform(), 3, check_plate);
}

TEST_CASE("the six legs of a platform push what moves the plate") {
  // oracle: Newton and Euler for the plate
  const KinematicsRun run = inverse(platform(), {.to = 3, .steps = 60, .columns = {}});
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  CHECK(run.not_unique.empty());
  check_plate(run);
  check_pushed(run);
}

TEST_CASE("the six legs of a platform carry a motion of the plate that is prescribed") {
  // oracle: Newton and Euler for the plate; the same legs prescribed by their lengths, which were computed from that motion; and the power of the plate's efforts alone
  const KinematicsRun legs = inverse(platform(), {.to = 3, .steps = 60, .columns = {}});
  const KinematicsRun alone = inverse(platform(Led::plate), {.to = 3, .steps = 60, .columns = {}});
  const KinematicsRun run = inverse(platform(Led::plate, R"("leg0", "leg1", "leg2", "leg3", "leg4", "leg5")"), {.to = 3, .steps = 60, .columns = {}});
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  REQUIRE(alone.outcome.done());
  CHECK(run.not_unique.empty());
  check_plate(run);
  check_pushed(run);
  CHECK(run.statistics.energy_balance < kBalanced);
  const double size = kMass * kGravity;
  for (std::size_t row = 0; row < run.results.rows(); ++row) {
    double by_legs = 0, by_plate = 0;
    for (int k = 0; k < 6; ++k) {
      const std::string leg = "leg" + std::to_string(k), n = std::to_string(k + 1);
      CHECK(std::abs(value(run, row, leg + ".tau1") - value(legs, row, leg + ".tau1")) <= kSolved * size);
      for (const char* ending : {".fx", ".fz", ".lambda1", ".lambda1_rate"})
        CHECK(std::abs(value(run, row, "ball" + std::to_string(k) + ending) - value(legs, row, "ball" + std::to_string(k) + ending)) <= 10 * kSolved * size);
      CHECK(value(run, row, "fly.tau" + n) == 0);
      by_legs += value(run, row, leg + ".tau1") * value(run, row, leg + ".v1");
      by_plate += value(alone, row, "fly.tau" + n) * value(alone, row, "fly.v" + n);
      CHECK(value(alone, row, leg + ".tau1") == 0);
    }
    CHECK(std::abs(by_legs - by_plate) <= kSolved * size);
    for (const char* column : {"energy.work", "energy.total", "fly.j1", "fly.s5", "leg3.s1", "cross2.s2"})
      CHECK(std::abs(value(run, row, column) - value(legs, row, column)) <= 100 * kSolved * size);
  }
}

TEST_CASE("five legs cannot carry a motion of the plate, and say so") {
  // oracle: six freedoms
  const KinematicsRun run = inverse(platform(Led::plate, R"("leg0", "leg1", "leg2", "leg3", "leg4")"), {.to = 3, .steps = 60, .columns = {}});
  CHECK(!run.outcome.done());
  REQUIRE(!run.problems.empty());
  CHECK(run.problems.back().where.line > 0);  // of the section
  CHECK(run.outcome.sentence.starts_with("[actuators]: the efforts of leg0, leg1, leg2, leg3, leg4 cannot carry this motion: with these dofs held 1 motion is still "
                                         "free, which moves dof "));
  CHECK(run.outcome.sentence.ends_with(" of joint 'fly', at t = 0 s"));  // one, whichever the motion moves most
}

TEST_CASE("seven actuators of a platform share the load by the least sum of squares") {
  // oracle: what two sets of six give differs by a set of efforts that carries nothing, and the shortest is square to that
  const std::string crossed = R"("cross0.1", "leg1", "leg2", "leg3", "leg4", "leg5")";
  const KinematicsRun legs = inverse(platform(Led::plate, R"("leg0", "leg1", "leg2", "leg3", "leg4", "leg5")"), {.to = 3, .steps = 20, .columns = {}});
  const KinematicsRun other = inverse(platform(Led::plate, crossed), {.to = 3, .steps = 20, .columns = {}});
  const KinematicsRun both = inverse(platform(Led::plate, crossed + ", \"leg0\""), {.to = 3, .steps = 20, .columns = {}});
  REQUIRE(other.outcome.done());
  REQUIRE_MESSAGE(both.outcome.done(), both.outcome.sentence);
  CHECK(other.not_unique.empty());
  CHECK(std::ranges::find(both.not_unique, "cross0.1") != both.not_unique.end());
  CHECK(std::ranges::find(both.not_unique, "leg0") != both.not_unique.end());
  CHECK(both.statistics.energy_balance < kBalanced);
  REQUIRE(!both.problems.empty());
  CHECK(both.problems.back().sentence.starts_with("[actuators]: there are more than motions, and efforts are not unique: the smallest are reported of "));
  const Actuation found = actuation(platform(Led::plate, crossed + ", \"leg0\""), platform(Led::plate).q);
  CHECK(!found.uncarried);
  CHECK(found.not_unique.size() == 7);
  CHECK(actuation(platform(Led::plate, crossed), platform(Led::plate).q).not_unique.empty());
  CHECK(actuation(platform(Led::plate, "\"leg0\""), platform(Led::plate).q).uncarried.has_value());
  const double arm = largest_body(platform());  // divides torques
  for (std::size_t row = 0; row < both.results.rows(); ++row) {
    double square = 0, along = 0, carried = 0, needed = 0;
    for (int k = 0; k < 7; ++k) {
      const std::string owner = k == 6 ? "cross0" : "leg" + std::to_string(k), column = owner + ".tau1";
      const double unit = k == 6 ? arm : 1, none = (value(legs, row, column) - value(other, row, column)) / unit;
      along += none * value(both, row, column) / unit;
      square += none * none;
      carried += value(both, row, column) * value(both, row, owner + ".v1");
      needed += value(legs, row, column) * value(legs, row, owner + ".v1");
    }
    CHECK(std::abs(along) <= 1e-11 * std::sqrt(square) * kMass * kGravity);
    CHECK(std::abs(carried - needed) <= kSolved * kMass * kGravity);
  }
}

TEST_CASE("legs that stand side by side cannot push a plate sideways, and say so") {
  // oracle: at t = 0 six upright legs push along z alone: of six motions of the plate they carry three, and not the turn about z (dof 3) nor the ways along x and y
  const KinematicsRun run = inverse(driven(actuated_plate("{ position = [\"0.1*t\", 0, 1] }", 0)), {.to = 1, .steps = 4, .columns = {}});
  CHECK(!run.outcome.done());
  CHECK(run.outcome.sentence ==
        "[actuators]: the efforts of leg0, leg1, leg2, leg3, leg4, leg5 cannot carry this motion: with these dofs held 3 motions are still free, which move dof 3 of joint 'fly', "
        "dof 4 of joint 'fly', dof 5 of joint 'fly', at t = 0 s");
}

TEST_CASE("a plate that turns through the position in which its legs do not hold it is reported between rows, and the run goes on") {
  // oracle: Fichter, The International Journal of Robotics Research 5 (1986): a plate that is parallel to its base is singular where it is turned by 90 degrees out of the
  // symmetric position, whatever its height
  const SpaceMechanism mechanism = driven(actuated_plate("{ position = [0, 0, 1], rpy = [0, 0, \"2*t\"] }", 1));
  for (const int steps : {1, 10}) {
    const KinematicsRun run = inverse(mechanism, {.to = 1, .steps = steps, .columns = {}});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    REQUIRE(run.events.size() == 1);
    CHECK(run.events[0].kind == "singular-position");
    CHECK(std::abs(run.events[0].t - kPi / 4) < 1e-9);
    CHECK(run.events[0].elements == std::vector<std::string>{"leg0", "leg1", "leg2", "leg3", "leg4", "leg5"});
  }
  // one that turns back 2 degrees before it comes to nothing, and so does kinematics, which knows of no efforts
  CHECK(inverse(driven(actuated_plate("{ position = [0, 0, 1], rpy = [0, 0, \"88*deg*sin(3*t)\"] }", 1)), {.to = 1, .steps = 10, .columns = {}}).events.empty());
  CHECK(kinematics(mechanism, {.to = 1, .steps = 10, .columns = {}}).events.empty());
  // and one that turns back in it touches it
  const KinematicsRun touching = inverse(driven(actuated_plate("{ position = [0, 0, 1], rpy = [0, 0, \"90*deg*sin(3*t)\"] }", 1)), {.to = 1, .steps = 10, .columns = {}});
  CHECK(touching.outcome.done());
  REQUIRE(touching.events.size() == 1);
  CHECK(std::abs(touching.events[0].t - kPi / 6) < 1e-4);  // regularity falls like the square of the time
}

}  // namespace space_platform_test
