// Oracle: facts that do not depend on how a motion is computed: the grid of output times, the direction of time, the point of
// reference. In the plane, and on the same mechanisms in space.
#include <filesystem>

#include "analysis_test.hpp"
#include "jounce/io/load.hpp"
#include "model_folders.hpp"
#include "plane_and_space.hpp"
#include "places.hpp"

namespace runs_test {

using namespace jounce;
using namespace jounce::test;

namespace {

namespace fs = std::filesystem;

// Two routes to one position, each solved to rounding; snap of the fastest model amplifies by its condition.
constexpr double kSameRun = 1e-10;

void check_same(const KinematicsRun& a, std::size_t row_a, const KinematicsRun& b, std::size_t row_b, const std::vector<double>& scale) {
  for (std::size_t c = 0; c < a.results.columns().size(); ++c) {
    const std::string& name = a.results.columns()[c].name;
    const double difference = std::abs(a.results.column(c)[row_a] - b.results.column(c)[row_b]);
    CAPTURE(name);
    REQUIRE(difference <= kSameRun * scale[c]);
  }
}

// The largest of a column, and of all columns of its derivative: a coordinate that stays 0 carries the rounding of those that move.
std::vector<double> scales(const KinematicsRun& run) {
  const auto order = [&](std::size_t c) {
    const std::string& name = run.results.columns()[c].name;
    const char first = name[name.rfind('.') + 1];
    return std::string("vajs").find(first);
  };
  std::vector<double> out(run.results.columns().size(), 1.0);
  for (std::size_t c = 0; c < out.size(); ++c)
    for (std::size_t other = 0; other < out.size(); ++other)
      for (std::size_t i = 0; i < run.results.rows() && order(other) == order(c) && order(c) != std::string::npos; ++i)
        out[c] = std::max(out[c], std::abs(run.results.column(other)[i]));
  for (std::size_t i = 0; i < run.results.rows(); ++i)
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = std::max(out[c], std::abs(run.results.column(c)[i]));
  return out;
}

}  // namespace

TEST_CASE_TEMPLATE("a few rows of a run are the same rows as those of a fine one", Where, InPlane, InSpace) {
  // oracle: the motion does not know the output times; angles are unwrapped, so a missed turn or a flipped branch shows
  for (const fs::path& folder : jounce_test::model_folders(Space::plane)) {
    CAPTURE(folder.filename().string());
    const Model model = parse_model_file((folder / "model.toml").string()).model;
    if (model.drivers.empty()) continue;  // without a motor the position is not decided
    if (std::is_same_v<Where, InSpace> && !model.measures.empty()) continue;  // they name columns of the plane
    const auto of_the_plane = [](const Element& joint) { return joint.type.starts_with("cam-") || joint.find("friction") != nullptr; };
    if (std::is_same_v<Where, InSpace> && std::ranges::any_of(model.joints, of_the_plane)) continue;  // space has no cams, and no friction in loops
    const Where at(model);
    const double to = at.mechanism.run.to;
    const KinematicsRun fine = kinematics(at.mechanism, {to, 210, {}});
    REQUIRE(fine.outcome.done());
    const auto scale = scales(fine);
    for (const int steps : {1, 2, 3, 7}) {
      CAPTURE(steps);
      const KinematicsRun coarse = kinematics(at.mechanism, {to, steps, {}});
      REQUIRE_MESSAGE(coarse.outcome.done(), coarse.outcome.sentence);
      for (int i = 0; i <= steps; ++i) check_same(coarse, static_cast<std::size_t>(i), fine, static_cast<std::size_t>(210 / steps * i), scale);
    }
  }
}

TEST_CASE("surplus equations cost no accuracy: the cranks of a redundant parallelogram move alike up to snap") {
  // oracle: all three cranks have the same angle; the mechanism is never near a singular position, only some of its equations are
  const auto mechanism = load_plane(places::source() + "/models/redundant-parallelogram/model.toml");
  REQUIRE(mechanism.ok());
  for (const int steps : {7, 50, mechanism->run.steps, 400}) {
    CAPTURE(steps);
    const KinematicsRun run = kinematics(*mechanism, {mechanism->run.to, steps, {}});
    REQUIRE(run.outcome.done());
    for (const std::string order : {".phi", ".vphi", ".aphi", ".jphi", ".sphi"}) {
      const auto first = run.results.column("first-crank" + order);
      double scale = 1, worst = 0;
      for (const double x : first) scale = std::max(scale, std::abs(x));
      for (const char* crank : {"second-crank", "third-crank"}) {
        const auto other = run.results.column(std::string(crank) + order);
        REQUIRE(other.size() == first.size());
        for (std::size_t i = 0; i < other.size(); ++i) worst = std::max(worst, std::abs(other[i] - first[i]));
      }
      CAPTURE(order);
      // models/README.md promises 1e-11 at the output times of the model's own run; near t = 1.77 s rounding is multiplied by up to 3.2e-11 (33 counts of
      // rows between 7 and 400 were tried)
      CHECK(worst <= (steps == mechanism->run.steps ? 1e-11 : 4e-11) * scale);
    }
  }
}

TEST_CASE_TEMPLATE("three rows over many turns do not lose a turn", Where, InPlane, InSpace) {
  // oracle: crank angle 0.3 + 5 t, and the rocker's closed form by a fine run
  Model m = four_bar(0.35, 0.10, 0.25, 0.30, 0.3, 1);
  motor(m, "motor", "ground", "crank", "5*t");
  const Where at(m);
  const KinematicsRun coarse = kinematics(at.mechanism, {30, 3, {}}), fine = kinematics(at.mechanism, {30, 3000, {}});
  REQUIRE(coarse.outcome.done());
  REQUIRE(fine.outcome.done());
  const auto scale = scales(fine);
  for (std::size_t i = 0; i <= 3; ++i) {
    check_same(coarse, i, fine, 1000 * i, scale);
    CHECK(at.angle(coarse, i, "crank") == doctest::Approx(0.3 + 50.0 * double(i)).epsilon(kSolved));
  }
}

TEST_CASE_TEMPLATE("a motion that rests at every output time is still followed in between", Where, InPlane, InSpace) {
  // oracle: a full turn there and back between samples, f = 2π sin²(π t), which also reverses: at every sample all is as drawn
  Model m = four_bar(0.35, 0.10, 0.25, 0.30, 0.3, 1);
  motor(m, "motor", "ground", "crank", "2*pi*sin(pi*t)^2");
  const Where at(m);
  const KinematicsRun run = kinematics(at.mechanism, {4, 4, {}});
  REQUIRE(run.outcome.done());
  for (std::size_t i = 1; i <= 4; ++i)
    for (const char* body : {"crank", "coupler", "rocker"})
      CHECK(std::abs(at.angle(run, i, body) - at.angle(run, 0, body)) <= kSameRun);
}

TEST_CASE_TEMPLATE("a motion run backwards returns to its start", Where, InPlane, InSpace) {
  // oracle: the same configuration, all angles included
  const double T = 7.3;
  Model forward = four_bar(0.35, 0.10, 0.25, 0.30, 0.3, 1);
  motor(forward, "motor", "ground", "crank", "2*t + sin(3*t)");
  const Where at(forward);
  const KinematicsRun there = kinematics(at.mechanism, {T, 5, {}});
  REQUIRE(there.outcome.done());
  Model backward = four_bar(0.35, 0.10, 0.25, 0.30, 0.3, 1);
  for (Body& b : backward.bodies) {
    const auto [x, y] = at.place(there, 5, b.name);
    draw(b, x, y, at.angle(there, 5, b.name));
  }
  motor(backward, "motor", "ground", "crank", "2*(7.3 - t) + sin(3*(7.3 - t))").set("offset", Text(0.3));
  const Where drawn_there(backward);
  const KinematicsRun back = kinematics(drawn_there.mechanism, {T, 4, {}});
  REQUIRE(back.outcome.done());
  for (const Body& b : backward.bodies) {
    const auto [x, y] = drawn_there.place(back, 4, b.name);
    const auto [x0, y0] = at.place(there, 0, b.name);
    CHECK(std::abs(x - x0) <= kSameRun);
    CHECK(std::abs(y - y0) <= kSameRun);
    CHECK(std::abs(drawn_there.angle(back, 4, b.name) - at.angle(there, 0, b.name)) <= kSameRun);
  }
}

}  // namespace runs_test
