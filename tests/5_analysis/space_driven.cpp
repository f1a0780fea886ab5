// Driven loops that exist in space only: Bennett, Bricard, crank and rocker with skew axes, cardan shafts, a platform on six legs.
// Oracles: closed forms of each, with their first and second derivatives; and a run of few rows is that of many.
#include <string>
#include <utility>

#include "driven_test.hpp"

namespace space_driven_test {

using namespace jounce;
using namespace jounce::test;

namespace {

using Law = std::function<Course(double)>;

// A coordinate of a hinge in all rows, position to acceleration.
void check_hinge(const KinematicsRun& run, const std::string& joint, const Law& law) {
  CAPTURE(joint);
  for (std::size_t row = 0; row < run.results.rows(); ++row) {
    const double t = value(run, row, "t");
    CAPTURE(t);
    const Course exact = law(t);
    check_near(std::remainder(value(run, row, joint + ".q1") - exact.q, 2 * kPi), 0);
    check_near(value(run, row, joint + ".v1"), exact.v);
    check_near(value(run, row, joint + ".a1"), exact.a);
  }
}

// ---- loops of hinges ---------------------------------------------------------------------------------------------------

struct Link {
  double length, twist;
};

// Hinge, link along x, twist about x, and so on; the last link is the ground. The first hinge is driven.
std::string hinges(const std::vector<Link>& links, const std::vector<double>& q, const std::string& motion) {
  const auto end = [](const Link& l, int sign) {
    return "{ xyz = [" + text_of(sign * l.length) + ", 0, 0], rpy = [" + text_of(sign * l.twist) + ", 0, 0] }";
  };
  const std::size_t last = links.size() - 1;
  std::string out = "[ground]\npoints = { P = " + end(links[last], -1) + " }\n", joints;
  for (std::size_t k = 0; k < last; ++k) {
    const std::string n = std::to_string(k + 1), parent = k == 0 ? "ground" : "l" + std::to_string(k);
    out += "[bodies.l" + n + "]\npoints = { E = " + end(links[k], 1) + " }\n";
    joints += "[joints.J" + n + "]\ntype = \"revolute\"\nparent = \"" + parent + "\"\nchild = \"l" + n + "\"\n";
    joints += k == 0 ? "dofs = [ { motion = \"" + motion + "\" } ]\n"
                     : "origin = " + end(links[k - 1], 1) + "\nq = [" + text_of(q[k]) + "]\n";
  }
  return out + joints + "[loops.closure]\ntype = \"revolute\"\ni = \"l" + std::to_string(last) + ".E\"\nj = \"ground.P\"\n";
}

// Bennett's links are a, b, a, b with twists α, β, α, β and a sin β = b sin α. tan(q1/2) tan(q2/2) = sin((β+α)/2) / sin((β−α)/2), q3 = −q1.
constexpr double kAlpha = 0.6, kBeta = 1.2;

Course bennett_second(double beta, const Course& x) {
  const double k = std::sin((beta + kAlpha) / 2) / std::sin((beta - kAlpha) / 2);
  const double c = std::cos(x.q / 2), s = std::sin(x.q / 2), d = s * s + k * k * c * c;
  const double rate = -k / d, bend = k * s * c * (1 - k * k) / (d * d);
  return {2 * std::atan2(k * c, s), rate * x.v, rate * x.a + bend * x.v * x.v};
}

SpaceMechanism bennett(double beta, const std::string& motion, double start) {
  const Link a{0.5, kAlpha}, b{0.5 * std::sin(beta) / std::sin(kAlpha), beta};
  return driven(hinges({a, b, a, b}, {start, bennett_second(beta, {start, 0, 0}).q, -start}, motion));
}

// The threefold-symmetric loop of Bricard, unit links with twists α, −α, α, …: every second hinge turns alike, by θ and by φ, and
// cos²α + sin²α (cos θ + cos φ) + (1 + cos²α) cos θ cos φ = 2 cos α sin θ sin φ (Chen, You, Tarnai 2005). φ on one of two sides.
Course bricard_second(double alpha, double side, const Course& x) {
  const double k = std::cos(alpha), kk = k * k, ss = 1 - kk, c = std::cos(x.q), s = std::sin(x.q);
  const double q = std::atan2(-2 * k * s, ss + (1 + kk) * c) + side * std::acos(-(kk + ss * c) / std::hypot(ss + (1 + kk) * c, 2 * k * s));
  const double cq = std::cos(q), sq = std::sin(q), both = 1 + kk;
  // partial derivatives of left minus right, by θ (x) and φ (y)
  const double fx = -ss * s - both * s * cq - 2 * k * c * sq, fy = -ss * sq - both * c * sq - 2 * k * s * cq;
  const double fxx = -ss * c - both * c * cq + 2 * k * s * sq, fyy = -ss * cq - both * c * cq + 2 * k * s * sq;
  const double fxy = both * s * sq - 2 * k * c * cq;
  const double v = -fx / fy * x.v;
  return {q, v, -(fx * x.a + fxx * x.v * x.v + 2 * fxy * x.v * v + fyy * v * v) / fy};
}

// There is a φ for θ while cos θ ≥ −(1 + 2 cos²α) / (2 sin²α): always for twists below π/3.
double bricard_reach(double alpha) { return std::acos(-(1 + 2 * std::pow(std::cos(alpha), 2)) / (2 * std::pow(std::sin(alpha), 2))); }

SpaceMechanism bricard(double alpha, double side, const std::string& motion, double start) {
  const double other = bricard_second(alpha, side, {start, 0, 0}).q;
  const Link up{1, alpha}, down{1, -alpha};
  return driven(hinges({up, down, up, down, up, down}, {start, other, start, other, start}, motion));
}

Course steadily(double t) { return {1 + 7 * t, 7, 0}; }
Course back_and_forth(double t) { return {1 + 1.5 * std::sin(5 * t), 7.5 * std::cos(5 * t), -37.5 * std::sin(5 * t)}; }

// ---- crank and rocker with skew axes --------------------------------------------------------------------------------------

// A crank about z, a rocker about an axis that is turned by 1.2 about x, and a rod between them with a cross and a ball.
struct SkewFourBar {
  double crank, start;
  static constexpr double kRod = 1.2, kRocker = 0.6, kTurned = 1.2;
  static constexpr std::array<double, 3> kFoot{1.2, 0.2, 0.1};

  using Vector = std::array<double, 3>;
  static double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  static Vector minus(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
  // Ends of crank and rocker, and their derivatives by the angle: those of a circle are a quarter turn ahead.
  [[nodiscard]] Vector crank_end(double q, int order) const {
    const double a = q + order * kPi / 2;
    return {crank * std::cos(a), crank * std::sin(a), 0};
  }
  [[nodiscard]] static Vector rocker_end(double q, int order) {
    const double a = q + order * kPi / 2, c = kRocker * std::cos(a), s = kRocker * std::sin(a);
    const double on = order == 0 ? 1 : 0;
    return {on * kFoot[0] + c, on * kFoot[1] + s * std::cos(kTurned), on * kFoot[2] + s * std::sin(kTurned)};
  }
  // The rod has its length: along cos φ + across sin φ = need.
  struct Closure {
    double along, across, need;
  };
  [[nodiscard]] Closure closure(double q) const {
    const Vector w = minus(crank_end(q, 0), kFoot);
    return {2 * kRocker * w[0], 2 * kRocker * (w[1] * std::cos(kTurned) + w[2] * std::sin(kTurned)),
            dot(w, w) + kRocker * kRocker - kRod * kRod};
  }
  [[nodiscard]] double slack(double q) const {
    const Closure c = closure(q);
    return std::hypot(c.along, c.across) - std::abs(c.need);
  }
  [[nodiscard]] Course rocker(const Course& x) const {
    const Closure c = closure(x.q);
    const double q = std::atan2(c.across, c.along) - std::acos(c.need / std::hypot(c.along, c.across));
    const Vector rod = minus(crank_end(x.q, 0), rocker_end(q, 0)), by_crank = crank_end(x.q, 1), by_rocker = rocker_end(q, 1);
    const double v = dot(rod, by_crank) * x.v / dot(rod, by_rocker);
    Vector change{}, bend{};
    for (std::size_t k = 0; k < 3; ++k) {
      change[k] = by_crank[k] * x.v - by_rocker[k] * v;
      bend[k] = by_crank[k] * x.a + crank_end(x.q, 2)[k] * x.v * x.v - rocker_end(q, 2)[k] * v * v;
    }
    return {q, v, (dot(change, change) + dot(rod, bend)) / dot(rod, by_rocker)};
  }
  [[nodiscard]] SpaceMechanism mechanism(const std::string& motion) const {
    const double q = rocker({start, 0, 0}).q;
    const Vector way = minus(rocker_end(q, 0), crank_end(start, 0));
    const double x = std::cos(start) * way[0] + std::sin(start) * way[1], y = std::cos(start) * way[1] - std::sin(start) * way[0];
    const std::string massless = "mass = 0\ninertia = [0, 0, 0, 0, 0, 0]\n";
    return driven("[bodies.crank]\n" + massless + "[bodies.rod]\n" + massless + "points = { B = [0, 0, " + text_of(kRod) +
                  "] }\n[bodies.rocker]\n" + massless + "points = { B = [" + text_of(kRocker) +
                  ", 0, 0] }\n[joints.O]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"crank\"\ndofs = [ { motion = \"" + motion +
                  "\" } ]\n[joints.A]\ntype = \"universal\"\nparent = \"crank\"\nchild = \"rod\"\norigin = { xyz = [" + text_of(crank) +
                  ", 0, 0], rpy = [0, \"pi/2\", 0] }\nq = [" + text_of(std::atan2(-y, x)) + ", " + text_of(std::asin(-way[2] / kRod)) +
                  "]\n[joints.D]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"rocker\"\norigin = { xyz = [" + text_of(kFoot[0]) + ", " +
                  text_of(kFoot[1]) + ", " + text_of(kFoot[2]) + "], rpy = [" + text_of(kTurned) + ", 0, 0] }\nq = [" + text_of(q) +
                  "]\n[loops.B]\ntype = \"spherical\"\ni = \"rod.B\"\nj = \"rocker.B\"\n[forces.load]\ntype = \"moment\"\non = \"rocker\"\nvalue = "
                  "[0, " + text_of(-3 * std::sin(kTurned)) + ", " + text_of(3 * std::cos(kTurned)) + "]\n");  // 3 N m about its axis
  }
};

// ---- cardan shafts -----------------------------------------------------------------------------------------------------

// Two crosses in a row, each bent by 0.5; the shafts are parallel or bent by 1 in all. The forks of the middle piece are in one plane, as
// they should be, or a quarter turn apart.
constexpr double kBend = 0.5;

SpaceMechanism cardan(bool parallel, bool in_phase, const std::string& bearing) {
  const double turned = parallel ? 0 : 2 * kBend, back = parallel ? -kBend : kBend;
  const std::string massless = "mass = 0\ninertia = [0, 0, 0, 0, 0, 0]\n", fork = in_phase ? "pi/2" : "0";
  return driven("[ground]\npoints = { P = { xyz = [" + text_of(0.6 * std::sin(kBend)) + ", 0, " + text_of(0.6 * std::cos(kBend)) +
                "], rpy = [0, " + text_of(turned) + ", 0] } }\n[bodies.input]\n" + massless + "[bodies.middle]\n" + massless +
                "[bodies.output]\n" + massless +
                "points = { P = [0, 0, 0] }\n[joints.shaft]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"input\"\ndofs = [ { motion = \"7*t "
                "+ 0.5*sin(3*t)\" } ]\n[joints.first]\ntype = \"universal\"\nparent = \"input\"\nchild = \"middle\"\nq = [0, " + text_of(kBend) +
                "]\n[joints.second]\ntype = \"universal\"\nparent = \"middle\"\nchild = \"output\"\norigin = { xyz = [0, 0, 0.6], rpy = [0, 0, \"" +
                fork + "\"] }\nchild_origin = { rpy = [0, 0, \"" + fork + "\"] }\nq = [" +
                (in_phase ? text_of(back) + ", 0" : "0, " + text_of(back)) + "]\n[loops.bearing]\ntype = \"" + bearing +
                "\"\ni = \"ground.P\"\nj = \"output.P\"\n[forces.load]\ntype = \"moment\"\non = \"output\"\nvalue = [" +
                text_of(2 * std::sin(turned)) + ", 0, " + text_of(2 * std::cos(turned)) + "]\n");  // 2 N m about the shaft
}
Course of_shaft(double t) { return {7 * t + 0.5 * std::sin(3 * t), 7 + 1.5 * std::cos(3 * t), -4.5 * std::sin(3 * t)}; }

// tan β = ratio · tan θ
Course through_crosses(double ratio, const Course& x) {
  const double c = std::cos(x.q), s = std::sin(x.q), d = c * c + ratio * ratio * s * s;
  return {std::atan2(ratio * s, c), ratio * x.v / d, ratio * (x.a / d - 2 * s * c * (ratio * ratio - 1) * x.v * x.v / (d * d))};
}

}  // namespace

TEST_CASE("Bennett's loop is driven over whole turns, through positions in which all links are in line") {
  for (const auto& drive : {std::pair<std::string, Law>{"1 + 7*t", steadily}, {"1 + 1.5*sin(5*t)", back_and_forth}}) {
    const std::string& motion = drive.first;
    const Law& law = drive.second;
    CAPTURE(motion);
    at_any_number_of_rows(bennett(kBeta, motion, 1), 3, [&](const KinematicsRun& run) {
      check_hinge(run, "J2", [&](double t) { return bennett_second(kBeta, law(t)); });
      check_hinge(run, "J3", [&](double t) { return Course{-law(t).q, -law(t).v, -law(t).a}; });
    });
  }
}

TEST_CASE("Bennett's loop next to the one with equal links, which has a change point, stays on its branch") {
  // oracle: the closed form; where all links are in line the second hinge turns up to a million times as fast as the first
  for (const double off : {1e-2, 1e-4, 1e-6})
    for (const int steps : {1, 7, 97}) {
      CAPTURE(off);
      CAPTURE(steps);
      const KinematicsRun run = kinematics(bennett(kAlpha + off, "1 + 7*t", 1), {.to = 1, .steps = steps, .columns = {}});
      CHECK_MESSAGE(run.outcome.done(), run.outcome.sentence);
      for (std::size_t row = 0; row < run.results.rows(); ++row) {
        const double exact = bennett_second(kAlpha + off, steadily(value(run, row, "t"))).q;
        CHECK(std::abs(std::remainder(value(run, row, "J2.q1") - exact, 2 * kPi)) <= kSolved);
      }
    }
  const KinematicsRun equal = kinematics(
      driven(hinges({{0.5, kAlpha}, {0.5, kAlpha}, {0.5, kAlpha}, {0.5, kAlpha}}, {1, kPi, -1}, "1 + 7*t")), {.to = 1, .steps = 7, .columns = {}});
  CHECK(word(equal.outcome.kind) == word(Outcome::Kind::change_point));
  CHECK(std::abs(equal.outcome.t - (kPi - 1) / 7) < kLocated);
}

TEST_CASE("a loop that misses a change point by too little to be followed ends there as at one, and contradicts nobody") {
  // oracle: the change point of the loop with equal links
  constexpr double kMissed = 1e-8;  // seconds
  for (const double off : {1e-10, 1e-9, 1e-8})
    for (const int steps : {1, 7, 97}) {
      CAPTURE(off);
      CAPTURE(steps);
      const KinematicsRun run = kinematics(bennett(kAlpha + off, "1 + 7*t", 1), {.to = 1, .steps = steps, .columns = {}});
      CHECK_MESSAGE(word(run.outcome.kind) == word(Outcome::Kind::change_point), run.outcome.sentence);
      CHECK(std::abs(run.outcome.t - (kPi - 1) / 7) < kMissed);
    }
}

TEST_CASE("Bricard's threefold loop is driven on the branch it was built on, over whole turns where it can turn") {
  for (const double side : {1.0, -1.0})
    for (const auto& drive : {std::pair<std::string, Law>{"1 + 7*t", steadily}, {"1 + 1.5*sin(5*t)", back_and_forth}}) {
      const std::string& motion = drive.first;
      const Law& law = drive.second;
      CAPTURE(side);
      CAPTURE(motion);
      at_any_number_of_rows(bricard(1, side, motion, 1), 3, [&](const KinematicsRun& run) {
        for (const char* joint : {"J2", "J4"}) check_hinge(run, joint, [&](double t) { return bricard_second(1, side, law(t)); });
        for (const char* joint : {"J3", "J5"}) check_hinge(run, joint, law);
      });
    }
}

TEST_CASE("Bricard's threefold loop ends at its dead point, and at the change point between dead points and whole turns") {
  // oracle: where the closed form has its last solution; at α = π/3 both branches meet at θ = π
  for (const double side : {1.0, -1.0})
    for (const int steps : {1, 7, 97}) {
      CAPTURE(side);
      CAPTURE(steps);
      const KinematicsRun dead = kinematics(bricard(1.2, side, "1 + 7*t", 1), {.to = 3, .steps = steps, .columns = {}});
      CHECK(word(dead.outcome.kind) == word(Outcome::Kind::dead_point));
      CHECK(std::abs(dead.outcome.t - (bricard_reach(1.2) - 1) / 7) < kLocated);
      CHECK(dead.results.rows() == static_cast<std::size_t>(1 + static_cast<int>(dead.outcome.t / 3 * steps)));
      const KinematicsRun change = kinematics(bricard(kPi / 3, side, "1 + 7*t", 1), {.to = 3, .steps = steps, .columns = {}});
      CHECK(word(change.outcome.kind) == word(Outcome::Kind::change_point));
      CHECK(std::abs(change.outcome.t - (kPi - 1) / 7) < kLocated);
    }
}

TEST_CASE("Bricard's threefold loop next to its change point turns through on its branch, or ends at its dead point") {
  // oracle: the closed form; for twists a little below π/3 there is no dead point, for those a little above it lies just before θ = π
  for (const double side : {1.0, -1.0})
    for (const int steps : {1, 7, 97})
      for (const double off : {1e-3, 1e-5, 1e-7}) {
        CAPTURE(side);
        CAPTURE(steps);
        CAPTURE(off);
        const double below = kPi / 3 - off, above = kPi / 3 + off;
        const KinematicsRun turns = kinematics(bricard(below, side, "1 + 7*t", 1), {.to = 1, .steps = steps, .columns = {}});
        CHECK_MESSAGE(turns.outcome.done(), turns.outcome.sentence);
        for (std::size_t row = 0; row < turns.results.rows(); ++row) {
          const double exact = bricard_second(below, side, steadily(value(turns, row, "t"))).q;
          CHECK(std::abs(std::remainder(value(turns, row, "J2.q1") - exact, 2 * kPi)) <= kSolved);
        }
        const KinematicsRun dead = kinematics(bricard(above, side, "1 + 7*t", 1), {.to = 1, .steps = steps, .columns = {}});
        CHECK(word(dead.outcome.kind) == word(Outcome::Kind::dead_point));
        CHECK(std::abs(dead.outcome.t - (bricard_reach(above) - 1) / 7) < kLocated);
      }
}

TEST_CASE("a crank and a rocker with skew axes follow the closed form, and the drive gives what the load takes") {
  // oracle: the rod keeps its length; the power of the drive and of the load on the rocker, 3 N m, are together zero
  const SkewFourBar linkage{0.3, 1};
  for (const auto& drive : {std::pair<std::string, Law>{"1 + 7*t", steadily}, {"1 + 1.5*sin(5*t)", back_and_forth}}) {
    const std::string& motion = drive.first;
    const Law& law = drive.second;
    CAPTURE(motion);
    const SpaceMechanism mechanism = linkage.mechanism(motion);
    at_any_number_of_rows(mechanism, 3, [&](const KinematicsRun& run) {
      check_hinge(run, "D", [&](double t) { return linkage.rocker(law(t)); });
    });
    if (motion == "1 + 7*t") continue;  // efforts of one motion will do: their books take time
    const KinematicsRun run = inverse(mechanism, {.to = 3, .steps = 97, .columns = {}});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    CHECK(run.results.rows() == 98);
    for (std::size_t row = 0; row < run.results.rows(); ++row) {
      const Course x = law(value(run, row, "t"));
      check_near(value(run, row, "O.tau1"), -3 * linkage.rocker({x.q, 1, 0}).v);
    }
  }
}

TEST_CASE("a crank too long to turn ends at a dead point of the skew four-bar") {
  // oracle: the angle at which the equation of the rod's length has its last solution, by bisection
  const SkewFourBar linkage{0.9, 1.5};
  double low = 1.5, high = 3;
  REQUIRE(linkage.slack(low) > 0);
  REQUIRE(linkage.slack(high) < 0);
  for (int k = 0; k < 60; ++k) (linkage.slack((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  const SpaceMechanism mechanism = linkage.mechanism("1.5 + 0.8*t");
  for (const int steps : {1, 7, 97}) {
    CAPTURE(steps);
    const KinematicsRun run = kinematics(mechanism, {.to = 3, .steps = steps, .columns = {}});
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::dead_point));
    CHECK(std::abs(run.outcome.t - (low - 1.5) / 0.8) < kLocated);
  }
}

TEST_CASE("cardan shafts turn evenly when the forks between them are in one plane, and twice as unevenly when they are not") {
  // oracle: tan β = tan θ / cos δ through one cross, and the same once more, or back, through the second; the powers of the drive and of the
  // load, 2 N m, are together zero. A revolute bearing asks for more than a cylindrical one, which follows from the rest
  for (const bool parallel : {true, false})
    for (const bool in_phase : {true, false})
      for (const std::string bearing : {"cylindrical", "revolute"}) {
        CAPTURE(parallel);
        CAPTURE(in_phase);
        CAPTURE(bearing);
        const double turned = parallel ? 0 : 2 * kBend, ratio = in_phase ? 1 : 1 / std::pow(std::cos(kBend), 2);
        const SpaceMechanism mechanism = cardan(parallel, in_phase, bearing);
        const auto along = [&](const KinematicsRun& run, std::size_t row, const std::string& column) {
          return std::sin(turned) * value(run, row, column + "x") + std::cos(turned) * value(run, row, column + "z");
        };
        const auto check_rows = [&](const KinematicsRun& run) {
          for (std::size_t row = 0; row < run.results.rows(); ++row) {
            const Course exact = through_crosses(ratio, of_shaft(value(run, row, "t")));
            const double turn = 2 * std::atan2(value(run, row, "output.qz"), value(run, row, "output.qw"));
            check_near(std::remainder(turn - exact.q, 2 * kPi), 0);
            check_near(along(run, row, "output.w"), exact.v);
            check_near(along(run, row, "output.al"), exact.a);
          }
        };
        at_any_number_of_rows(mechanism, 3, check_rows);
        if (bearing == "cylindrical" || parallel != in_phase) continue;  // efforts of two of them will do: their books take time
        const KinematicsRun run = inverse(mechanism, {.to = 3, .steps = 97, .columns = {}});
        REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
        check_rows(run);
        for (std::size_t row = 0; row < run.results.rows(); ++row)
          check_near(value(run, row, "shaft.tau1"), -2 * through_crosses(ratio, {of_shaft(value(run, row, "t")).q, 1, 0}).v);
      }
}

}  // namespace space_driven_test
