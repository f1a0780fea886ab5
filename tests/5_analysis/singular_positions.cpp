// Oracle: dead points and change points whose time is known in closed form, in the plane and on the same mechanisms in space.
#include "jounce/analysis/dynamics.hpp"
#include "plane_and_space.hpp"
#include "singular_models.hpp"

namespace singular_positions_test {

using namespace jounce;
using namespace jounce::test;

namespace {

struct Expected {
  Outcome::Kind kind;
  double t;
  std::string element;  // must be among those named
};

// The run stops at the expected time, keeps the rows before it, and says who is to blame.
void check_stop(const auto& at, double to, int steps, const Expected& expected) {
  CAPTURE(steps);
  CAPTURE(expected.t);
  const KinematicsRun run = kinematics(at.mechanism, {to, steps, {}});
  CAPTURE(run.outcome.sentence);
  CAPTURE(run.outcome.t);
  CHECK(word(run.outcome.kind) == word(expected.kind));
  CHECK(std::abs(run.outcome.t - expected.t) < kLocated);
  if (!expected.element.empty()) CHECK(names(run.outcome.elements, at.name(expected.element)));
  REQUIRE(run.events.size() == 1);
  CHECK(run.events[0].kind == word(expected.kind));
  CHECK(run.events[0].t == run.outcome.t);
  // rows: every output time before the singular one, none at or after it
  std::size_t before = 0;
  for (int i = 0; i <= steps; ++i) before += to * i / steps < expected.t - 1e-6;
  const bool on_sample = std::abs(std::remainder(expected.t, to / steps)) < 1e-6;
  CHECK(run.results.rows() >= before);
  CHECK(run.results.rows() <= before + (on_sample ? 1 : 0));
  for (std::size_t i = 0; i < run.results.rows(); ++i)
    for (const double x : run.results.row(i)) REQUIRE(std::isfinite(x));
  CHECK(any_error(run.problems));
}

}  // namespace

TEST_CASE_TEMPLATE("a slider pushed to the end of its stroke stops at the dead point", Where, InPlane, InSpace) {
  // oracle: the stroke ends at l + r and l − r
  const double angle = kPi / 3, x0 = kR * std::cos(angle) + std::sqrt(kL * kL - std::pow(kR * std::sin(angle), 2));
  const Where out(pushed_slider(angle, "0.1*t")), in(pushed_slider(angle, "-0.13*t"));
  for (const int steps : {1, 2, 7, 50, 333}) {
    check_stop(out, 2, steps, {Outcome::Kind::dead_point, (kL + kR - x0) / 0.1, "cylinder"});
    check_stop(in, 3, steps, {Outcome::Kind::dead_point, (x0 - (kL - kR)) / 0.13, "cylinder"});
  }
}

TEST_CASE_TEMPLATE("a slider pushed ever faster stops at the dead point", Where, InPlane, InSpace) {
  // oracle: x0 + 0.1 t + 0.4 t² = l + r
  const double angle = 1.2, x0 = kR * std::cos(angle) + std::sqrt(kL * kL - std::pow(kR * std::sin(angle), 2)), c = x0 - kL - kR;
  const double t = (-0.1 + std::sqrt(0.01 - 1.6 * c)) / 0.8;
  for (const int steps : {1, 10, 100}) check_stop(Where(pushed_slider(angle, "0.1*t + 0.4*t^2")), 2, steps, {Outcome::Kind::dead_point, t, "cylinder"});
}

TEST_CASE_TEMPLATE("a boom whose cylinder reaches too far stops at full reach", Where, InPlane, InSpace) {
  // oracle: the longest distance is 1 + 1.5, the shortest 0.5
  for (const int steps : {1, 5, 64}) {
    check_stop(Where(boom(1.8, "1.8 + 0.25*t")), 4, steps, {Outcome::Kind::dead_point, 0.7 / 0.25, "cylinder"});
    check_stop(Where(boom(1.8, "1.8 - 0.25*t")), 7, steps, {Outcome::Kind::dead_point, 1.3 / 0.25, "cylinder"});
  }
}

TEST_CASE_TEMPLATE("a double rocker driven beyond its limit stops where coupler and rocker are in line", Where, InPlane, InSpace) {
  // oracle: crank² + ground² − 2 crank ground cos θ = (coupler + rocker)²
  Model m = four_bar(1, 0.8, 0.5, 0.6, 0.6, 1);
  motor(m, "motor", "ground", "crank", "0.7*t");
  const double limit = std::acos((0.64 + 1 - 1.21) / 1.6);
  const Where mechanism(m);
  for (const int steps : {1, 3, 20, 200}) check_stop(mechanism, 2, steps, {Outcome::Kind::dead_point, (limit - 0.6) / 0.7, "motor"});
}

TEST_CASE_TEMPLATE("a parallelogram driven through its flat position reports the change point", Where, InPlane, InSpace) {
  // oracle: the links are in line at θ = π, and at θ = 2 π
  Model m = parallelogram(1);
  motor(m, "motor", "ground", "crank", "t");
  const Where mechanism(m);
  for (const int steps : {1, 2, 3, 4, 5, 6, 7, 11, 16, 23, 50, 99, 400}) {
    check_stop(mechanism, 2 * (kPi - 1), steps, {Outcome::Kind::change_point, kPi - 1, ""});
    check_stop(mechanism, 3, steps, {Outcome::Kind::change_point, kPi - 1, ""});
  }
  // exactly at the last sample
  check_stop(mechanism, kPi - 1, 10, {Outcome::Kind::change_point, kPi - 1, ""});
  Model below = parallelogram(-1);
  motor(below, "motor", "ground", "crank", "2*t");
  for (const int steps : {1, 2, 5, 20}) check_stop(Where(below), 1.3, steps, {Outcome::Kind::change_point, 0.5, ""});
}

TEST_CASE_TEMPLATE("two parallelograms that are flat at once are noticed although the determinant keeps its sign", Where, InPlane, InSpace) {
  // oracle: both have their links in line at θ = π; the rank falls by two
  Model m = parallelogram(1, "a");
  motor(m, "ma", "ground", "acrank", "t");
  add_second_parallelogram(m, 1, "t");
  const Where mechanism(m);
  for (const int steps : {1, 2, 3, 4, 5, 6, 7, 11, 16, 23, 50, 99, 400}) {
    check_stop(mechanism, 2 * (kPi - 1), steps, {Outcome::Kind::change_point, kPi - 1, ""});
    check_stop(mechanism, 3, steps, {Outcome::Kind::change_point, kPi - 1, ""});
  }
}

TEST_CASE_TEMPLATE("a row of four-bars reports the horizontal pass, whatever its number of cells", Where, InPlane, InSpace) {
  // oracle: IFToMM A02, all rods in line at θ = 0, a quarter turn from the start; the mobility jumps from 1 to N + 1
  for (const int n : {1, 2, 3, 6})
    for (const int steps : {3, 10, 41}) {
      CAPTURE(n);
      check_stop(Where(n_four_bar(n, "-t")), 2.5, steps, {Outcome::Kind::change_point, kPi / 2, ""});
      check_stop(Where(n_four_bar(n, "t + 0.3*t^2")), 2.5, steps, {Outcome::Kind::change_point, (-1 + std::sqrt(1 + 0.6 * kPi)) / 0.6, ""});
    }
}

TEST_CASE_TEMPLATE("a parallelogram with a third crank reports its flat position", Where, InPlane, InSpace) {
  // oracle: as above; with more equations than coordinates there is no determinant to look at
  const Where mechanism(three_cranks("t"));
  for (const int steps : {1, 2, 4, 10, 100}) check_stop(mechanism, 3, steps, {Outcome::Kind::change_point, kPi - 1, ""});
}

TEST_CASE_TEMPLATE("passing close by a singular position raises no alarm and does not change the branch", Where, InPlane, InSpace) {
  // oracle: with a rocker longer by e the linkage is never in line, so the pin B stays on its side of the way from A to Q
  for (const double e : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6})
    for (const double angle : {1.0, 2.0}) {
      Model m = four_bar(1, 0.5, 1, 0.5 + e, angle, 1);
      motor(m, "motor", "ground", "crank", "t");
      const Where mechanism(m);
      for (const int steps : {1, 3, 5, 40, 41}) {
        CAPTURE(e);
        CAPTURE(angle);
        CAPTURE(steps);
        const KinematicsRun run = kinematics(mechanism.mechanism, {6, steps, {}});
        CHECK_MESSAGE(run.outcome.done(), run.outcome.sentence);
        for (std::size_t i = 0; i < run.results.rows(); ++i) {
          const auto [ax, ay] = mechanism.place(run, i, "crank.B");
          const auto [bx, by] = mechanism.place(run, i, "coupler.B");
          CHECK((1 - ax) * (by - ay) - (0 - ay) * (bx - ax) > 0);
        }
      }
    }
}

TEST_CASE_TEMPLATE("a dead point is found although another part of the mechanism moves much faster", Where, InPlane, InSpace) {
  // oracle: the slider's stroke ends at l + r, whatever a fan beside it does
  const double angle = kPi / 3, x0 = kR * std::cos(angle) + std::sqrt(kL * kL - std::pow(kR * std::sin(angle), 2));
  // Dense steps of space take longer: a tenth of them will do.
  for (const std::string fan_speed : {"10*t", "1000*t", std::is_same_v<Where, InSpace> ? "1e4*t" : "1e5*t"}) {
    CAPTURE(fan_speed);
    check_stop(Where(slider_and_fan(angle, fan_speed)), 2, 20, {Outcome::Kind::dead_point, (kL + kR - x0) / 0.1, "cylinder"});
  }
}

TEST_CASE_TEMPLATE("a run that would start in a singular position is refused, driven or not", Where, InPlane, InSpace) {
  // oracle: flat, a parallelogram can turn on as one or fold; a slider at the end of its stroke leaves its crank two ways to turn. A little
  // beside it nothing is singular, nor is a parallelogram with a third crank, although it has equations to spare
  const auto heavy = [](Model m) {
    for (Body& b : m.bodies) b.mass = Text(1.0), b.inertia = Text(0.1);
    return m;
  };
  const auto driven = [](Model m) {
    motor(m, "motor", "ground", "crank", "t");
    return m;
  };
  for (const Model& m : {driven(four_bar(1, 0.5, 1, 0.5, 0, 1)), pushed_slider(0, "-0.1*t")}) {
    const Where at(heavy(m));
    const KinematicsRun run = kinematics(at.mechanism, {1, 10, {}});
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::change_point));
    CHECK(run.outcome.t == 0);
    CHECK(run.results.rows() == 0);
  }
  DynamicsOptions options;
  options.to = 0.1, options.steps = 1;
  for (const Model& m : {four_bar(1, 0.5, 1, 0.5, 0, 1), driven(four_bar(1, 0.5, 1, 0.5, 0, 1)), pushed_slider(0, "-0.1*t")}) {
    const DynamicsRun run = dynamics(Where(heavy(m)).mechanism, options);
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::change_point));
    CHECK(run.outcome.t == 0);
    CHECK(run.results.rows() == 0);
    CHECK(!run.outcome.elements.empty());
  }
  for (const Model& m : {parallelogram(0.01), driven(parallelogram(0.01)), pushed_slider(0.01, "-0.1*t"), three_cranks("t")}) {
    const DynamicsRun run = dynamics(Where(heavy(m)).mechanism, options);
    CHECK_MESSAGE(run.outcome.done(), run.outcome.sentence);
  }
}

TEST_CASE_TEMPLATE("change points are found at random speeds, starts and output grids", Where, InPlane, InSpace) {
  // oracle: θ0 + v t + a t² = π, a parallelogram and, every second time, two of them at once
  unsigned seed = 20250717;
  const auto random = [&](double low, double high) {
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * double(seed >> 8) / double(1u << 24);
  };
  for (int i = 0; i < 120; ++i) {
    CAPTURE(i);
    const double start = random(0.2, 2.8), v = random(0.1, 30), a = random(0, 2) * v;
    Model m = parallelogram(start);
    const std::string motion = text_of(v) + "*t + " + text_of(a) + "*t^2";
    motor(m, "motor", "ground", "crank", motion);
    if (i % 2 == 1) add_second_parallelogram(m, start, motion);
    const double t = 2 * (kPi - start) / (v + std::sqrt(v * v + 4 * a * (kPi - start)));
    const KinematicsRun run = kinematics(Where(m).mechanism, {t * random(1.05, 1.9), 1 + static_cast<int>(random(0, 60)), {}});
    CAPTURE(run.outcome.sentence);
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::change_point));
    CHECK(std::abs(run.outcome.t - t) < kLocated);
  }
}

}  // namespace singular_positions_test
