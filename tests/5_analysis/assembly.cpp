// Oracle: positions known in closed form: the nearest point of a circle, the even spread of a gap, the configuration of the models.
#include "jounce/analysis/assembly/assembly.hpp"

#include <filesystem>
#include <random>

#include "analysis_test.hpp"
#include "jounce/io/load.hpp"
#include "model_folders.hpp"

namespace assembly_test {

using namespace jounce;
using namespace jounce::test;

namespace {

// Assembly stops where every equation holds to 1e-11 of the mechanism's size; two such positions differ by that times a condition.
constexpr double kAssembled = 1e-9;
// The anchor that keeps the mechanism near its drawing is taken away in stages; what it leaves is of the order of the last one.
constexpr double kNearest = 1e-5;

struct Random {
  std::mt19937 engine{20250717};
  double unit() { return 2.0 * double(engine()) / double(std::mt19937::max()) - 1.0; }
};

Model two_links(double left, double right, double ground) {
  Model m;
  m.ground.point("O", 0.0, 0.0).point("Q", ground, 0.0);
  bar(m, "left", left, 0, 0.05, 0.1);
  bar(m, "right", right, ground, 0.05, kPi - 0.1);
  pin(m, "pO", "ground.O", "left.A");
  pin(m, "pQ", "ground.Q", "right.A");
  pin(m, "pM", "left.B", "right.B");
  return m;
}

Model hinged_plates(double angle) {  // two plates on pins of their own, kept parallel
  Model m;
  m.ground.point("O", 0.0, 0.0).point("Q", 1.0, 0.0);
  bar(m, "one", 0.5, 0, 0, 0);
  bar(m, "two", 0.5, 1, 0, angle);
  pin(m, "pO", "ground.O", "one.A");
  pin(m, "pQ", "ground.Q", "two.A");
  m.joint("side", "parallel").set("i", std::vector<Text>{"one.A", "one.B"}).set("j", std::vector<Text>{"two.A", "two.B"});
  motor(m, "motor", "ground", "one", "0").set("offset", Text(0.0));
  return m;
}

}  // namespace

TEST_CASE("a drawing that is a few degrees and a few percent off assembles to the same position") {
  // oracle: the position found from the model's own drawing; every model, twenty bad drawings each
  Random random;
  for (const std::filesystem::path& folder : jounce_test::model_folders(Space::plane)) {
    CAPTURE(folder.filename().string());
    const auto mechanism = load_plane((folder / "model.toml").string());
    REQUIRE(mechanism.ok());
    if (mechanism->system.motions().empty()) continue;  // without a motor the position is not decided
    const Assembly right = assemble(*mechanism);
    REQUIRE(right.assembled);
    for (int i = 0; i < 20; ++i) {
      std::vector<double> drawn = right.q;
      for (std::size_t c = 0; c < drawn.size(); ++c) drawn[c] += random.unit() * (c % 3 == 2 ? 5 * kPi / 180 : 0.05 * mechanism->system.length_scale());
      const Assembly found = assemble_from(*mechanism, drawn, 0);
      REQUIRE_MESSAGE(found.assembled, text(found.problems));
      CHECK(found.worst_residual <= 1e-10);
      double worst = 0;
      for (std::size_t c = 0; c < drawn.size(); ++c) worst = std::max(worst, std::abs(found.q[c] - right.q[c]));
      CHECK(worst <= kAssembled);
    }
  }
}

TEST_CASE("a body on a rod that is drawn off its circle moves along the radius") {
  // oracle: the nearest point of a circle of radius 1 about O
  for (const double angle : {0.3, 2.0, -1.1})
    for (const double radius : {0.6, 1.05, 1.4, 3.0}) {
      CAPTURE(angle);
      CAPTURE(radius);
      Model m;
      m.ground.point("O", 0.0, 0.0);
      Body& b = m.body("bob");
      b.point("P", 0.0, 0.0);
      draw(b, radius * std::cos(angle), radius * std::sin(angle), 0.7);
      m.joint("rod", "distance").set("i", Text("ground.O")).set("j", Text("bob.P")).set("length", Text(1.0));
      const Assembly a = assemble(built(m));
      REQUIRE(a.assembled);
      CHECK(std::abs(std::hypot(a.q[0], a.q[1]) - 1) <= kAssembled);
      CHECK(std::abs(std::atan2(a.q[1], a.q[0]) - angle) <= kNearest);
      CHECK(std::abs(a.q[2] - 0.7) <= kNearest);
      CHECK(a.moved_metres <= std::abs(radius - 1) + kNearest);
    }
}

TEST_CASE("a pendulum drawn off its pin and at a wrong angle moves to the nearest position of all") {
  // oracle: the least of |p − L (cos θ, sin θ)|² / size² + (φ − θ)² over the one free angle θ, by a search on a fine grid and bisection
  for (const auto& drawn : {std::array{1.4, 0.3, 0.9}, std::array{0.2, 0.7, 0.3}, std::array{-0.8, 1.2, 1.5}}) {
    const double x = drawn[0], y = drawn[1], phi = drawn[2];
    Model m;
    m.ground.point("O", 0.0, 0.0);
    Body& b = m.body("arm");
    b.point("A", -1.0, 0.0);  // the centre of mass is the origin, L = 1 from the pin
    draw(b, x, y, phi);
    pin(m, "pO", "ground.O", "arm.A");
    const PlaneMechanism mechanism = built(m);
    const double size = mechanism.system.length_scale();
    const auto slope = [&](double a) { return (x * std::sin(a) - y * std::cos(a)) / (size * size) + (a - phi); };
    const auto cost = [&](double a) { return (std::pow(x - std::cos(a), 2) + std::pow(y - std::sin(a), 2)) / (size * size) + std::pow(a - phi, 2); };
    double best = -kPi;
    for (double a = -kPi; a < kPi; a += 1e-3)
      if (cost(a) < cost(best)) best = a;
    double low = best - 2e-3, high = best + 2e-3;
    for (int i = 0; i < 60; ++i) (slope(0.5 * (low + high)) < 0 ? low : high) = 0.5 * (low + high);
    const Assembly a = assemble(mechanism);
    REQUIRE(a.assembled);
    CHECK(std::abs(a.q[2] - low) <= kNearest);
    CHECK(std::abs(a.q[0] - std::cos(a.q[2])) <= kAssembled);
  }
}

TEST_CASE("a drawing that is already assembled does not move") {
  // oracle: the drawing
  Model m = four_bar(0.35, 0.10, 0.25, 0.30, 0.3, 1);
  const PlaneMechanism mechanism = built(m);
  const Assembly a = assemble(mechanism);
  REQUIRE(a.assembled);
  for (std::size_t i = 0; i < a.q.size(); ++i) CHECK(std::abs(a.q[i] - mechanism.drawn[i]) <= kSolved);
}

TEST_CASE("links that are too short are not assembled, and the gap is shared out evenly") {
  // oracle: 1 m to bridge with two links of 0.3 m leaves 0.4 m over three pins in a row; the least sum of squares is 0.4/3 each
  const Assembly a = assemble(built(two_links(0.3, 0.3, 1)));
  CHECK(!a.assembled);
  REQUIRE(any_error(a.problems));
  CAPTURE(text(a.problems));
  REQUIRE(a.gaps.size() == 3);
  for (const Gap& gap : a.gaps) {
    CHECK(gap.metres == doctest::Approx(0.4 / 3).epsilon(1e-6));
    CHECK(gap.radians == 0);
  }
  for (const char* name : {"joint 'pO'", "joint 'pQ'", "joint 'pM'"}) CHECK(a.problems.back().sentence.find(name) != std::string::npos);
  const KinematicsRun run = kinematics(built(two_links(0.3, 0.3, 1)), {1, 10, {}});
  CHECK(word(run.outcome.kind) == word(Outcome::Kind::not_assembled));
  CHECK(run.results.rows() == 0);
}

TEST_CASE("links that just reach are assembled, and links that just do not are not") {
  // oracle: the triangle inequality
  CHECK(assemble(built(two_links(0.6, 0.4 + 1e-6, 1))).assembled);
  CHECK(!assemble(built(two_links(0.6, 0.4 - 1e-6, 1))).assembled);
}

TEST_CASE("a parallel joint drawn at right angles is refused with a reason") {
  // oracle: cos 90° = 0, the gradient of the equation vanishes (spec 3.3)
  const Assembly a = assemble(built(hinged_plates(kPi / 2)));
  CHECK(!a.assembled);
  REQUIRE(any_error(a.problems));
  CHECK(a.problems[0].sentence.find("joint 'side'") != std::string::npos);
  CHECK(a.problems[0].sentence.find("90 degrees") != std::string::npos);
}

TEST_CASE("a parallel joint closes on the side on which it is drawn") {
  // oracle: 80° is nearer to parallel, 100° to anti-parallel
  const Assembly near = assemble(built(hinged_plates(80 * kPi / 180)));
  REQUIRE(near.assembled);
  CHECK(std::abs(near.q[5]) <= kAssembled);
  const Assembly far = assemble(built(hinged_plates(100 * kPi / 180)));
  REQUIRE(far.assembled);
  CHECK(std::abs(far.q[5] - kPi) <= kAssembled);
}

TEST_CASE("a joint that had to close the other way round than drawn is told") {
  // oracle: the second plate is held at 180° by a driver, and drawn at 20°
  Model m = hinged_plates(20 * kPi / 180);
  m.drivers.clear();
  motor(m, "a", "ground", "one", "0").set("offset", Text(0.0));
  m.joints.pop_back();
  m.joint("side", "parallel").set("i", std::vector<Text>{"one.A", "one.B"}).set("j", std::vector<Text>{"two.A", "two.B"});
  motor(m, "b", "one", "two", "pi").set("offset", Text(0.0));
  const Assembly a = assemble(built(m));
  REQUIRE_MESSAGE(a.assembled, text(a.problems));
  REQUIRE(a.problems.size() == 1);
  CHECK(a.problems[0].severity == Severity::warning);
  CHECK(a.problems[0].sentence.find("joint 'side'") != std::string::npos);
  CHECK(a.problems[0].sentence.find("other way round") != std::string::npos);
}

TEST_CASE("size does not matter: a mechanism of micrometres or kilometres assembles alike") {
  // oracle: similarity
  for (const double size : {1e-6, 1.0, 1e4}) {
    CAPTURE(size);
    Model m = four_bar(0.35 * size, 0.10 * size, 0.25 * size, 0.30 * size, 0.3, 1);
    for (Body& b : m.bodies) b.angle = Text(std::stod(b.angle->text) + 0.05);
    motor(m, "motor", "ground", "crank", "2*t").set("offset", Text(0.3));
    const KinematicsRun run = kinematics(built(m), {3, 10, {}});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    Model unit = four_bar(0.35, 0.10, 0.25, 0.30, 0.3, 1);
    motor(unit, "motor", "ground", "crank", "2*t").set("offset", Text(0.3));
    const KinematicsRun same = kinematics(built(unit), {3, 10, {}});
    CHECK(std::abs(value(run, 10, "rocker.phi") - value(same, 10, "rocker.phi")) <= kAssembled);
    CHECK(std::abs(value(run, 10, "rocker.sphi") - value(same, 10, "rocker.sphi")) <= 1e-7);
    CHECK(std::abs(value(run, 10, "coupler.B.x") / size - value(same, 10, "coupler.B.x")) <= kAssembled);
  }
}

}  // namespace assembly_test
