// Oracle: facts that do not depend on how a motion is computed: the grid of output times, the direction of time, the point of
// reference, and functions whose domain ends at a known time.
#include <filesystem>
#include <fstream>

#include "analysis_test.hpp"
#include "jounce/io/load.hpp"
#include "model_folders.hpp"
#include "places.hpp"

using namespace jounce;
using namespace jounce::test;

namespace {

namespace fs = std::filesystem;

// Two routes to one position, each solved to rounding; snap of the fastest model amplifies by its condition.
constexpr double kSameRun = 1e-10;

void check_same(const KinematicsRun& a, std::size_t row_a, const KinematicsRun& b, std::size_t row_b, const std::vector<double>& scale) {
  for (std::size_t c = 0; c < a.results.columns().size(); ++c) {
    const double difference = std::abs(a.results.column(c)[row_a] - b.results.column(c)[row_b]);
    CAPTURE(a.results.columns()[c].name);
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

Model crank(const std::string& motion) {
  Model m;
  m.ground.point("O", 0.0, 0.0);
  bar(m, "crank", 0.5, 0, 0, 0.3);
  pin(m, "pO", "ground.O", "crank.A");
  motor(m, "motor", "ground", "crank", motion);
  return m;
}

}  // namespace

TEST_CASE("a few rows of a run are the same rows as those of a fine one") {
  // oracle: the motion does not know the output times; angles are unwrapped, so a missed turn or a flipped branch shows
  for (const fs::path& folder : jounce_test::model_folders(Space::plane)) {
    CAPTURE(folder.filename().string());
    const auto mechanism = load_plane((folder / "model.toml").string());
    REQUIRE(mechanism.ok());
    if (mechanism->system.motions().empty()) continue;  // without a motor the position is not decided
    const double to = mechanism->run.to;
    const KinematicsRun fine = kinematics(*mechanism, {to, 210, {}});
    REQUIRE(fine.outcome.done());
    const auto scale = scales(fine);
    for (const int steps : {1, 2, 3, 7}) {
      CAPTURE(steps);
      const KinematicsRun coarse = kinematics(*mechanism, {to, steps, {}});
      REQUIRE_MESSAGE(coarse.outcome.done(), coarse.outcome.sentence);
      for (int i = 0; i <= steps; ++i) check_same(coarse, static_cast<std::size_t>(i), fine, static_cast<std::size_t>(210 / steps * i), scale);
    }
  }
}

TEST_CASE("surplus equations cost no accuracy: the cranks of a redundant parallelogram move alike up to snap") {
  // oracle: all three cranks have the same angle; the mechanism is never near a singular position, only some of its equations are
  const auto mechanism = load_plane(places::source() + "/models/redundant-parallelogram/model.toml");
  REQUIRE(mechanism.ok());
  for (const int steps : {7, 50, 200, 400}) {
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
      CHECK(worst <= 1e-11 * scale);  // what models/README.md promises for this model
    }
  }
}

TEST_CASE("three rows over many turns do not lose a turn") {
  // oracle: crank angle 0.3 + 5 t, and the rocker's closed form by a fine run
  Model m = four_bar(0.35, 0.10, 0.25, 0.30, 0.3, 1);
  motor(m, "motor", "ground", "crank", "5*t");
  const PlaneMechanism mechanism = built(m);
  const KinematicsRun coarse = kinematics(mechanism, {30, 3, {}}), fine = kinematics(mechanism, {30, 3000, {}});
  REQUIRE(coarse.outcome.done());
  REQUIRE(fine.outcome.done());
  const auto scale = scales(fine);
  for (std::size_t i = 0; i <= 3; ++i) {
    check_same(coarse, i, fine, 1000 * i, scale);
    CHECK(value(coarse, i, "crank.phi") == doctest::Approx(0.3 + 50.0 * double(i)).epsilon(kSolved));
  }
}

TEST_CASE("a motion that rests at every output time is still followed in between") {
  // oracle: a full turn there and back between samples, f = 2π sin²(π t), which also reverses: at every sample all is as drawn
  Model m = four_bar(0.35, 0.10, 0.25, 0.30, 0.3, 1);
  motor(m, "motor", "ground", "crank", "2*pi*sin(pi*t)^2");
  const KinematicsRun run = kinematics(built(m), {4, 4, {}});
  REQUIRE(run.outcome.done());
  const auto scale = scales(run);
  for (std::size_t i = 1; i <= 4; ++i)
    for (const char* c : {"crank.phi", "coupler.phi", "rocker.phi"})
      CHECK(std::abs(value(run, i, c) - value(run, 0, c)) <= kSameRun);
}

TEST_CASE("a driver that would break the mechanism between two output times is not overlooked") {
  // oracle: the pulse asks for an angle beyond the double rocker's limit (cos θ = 0.26875) around t = 0.5
  Model m = four_bar(1, 0.8, 0.5, 0.6, 0.6, 1);
  motor(m, "motor", "ground", "crank", "2*exp(-((t - 0.5)/0.05)^2)");
  const double reach = std::acos((0.64 + 1 - 1.21) / 1.6) - 0.6, t = 0.5 - 0.05 * std::sqrt(std::log(2 / reach));
  for (const int steps : {100, 10, 2, 1}) {
    CAPTURE(steps);
    const KinematicsRun run = kinematics(built(m), {1, steps, {}});
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::dead_point));
    CHECK(std::abs(run.outcome.t - t) < kLocated);
  }
}

TEST_CASE("a motion run backwards returns to its start") {
  // oracle: the same configuration, all angles included
  const double T = 7.3;
  Model forward = four_bar(0.35, 0.10, 0.25, 0.30, 0.3, 1);
  motor(forward, "motor", "ground", "crank", "2*t + sin(3*t)");
  const KinematicsRun there = kinematics(built(forward), {T, 5, {}});
  REQUIRE(there.outcome.done());
  Model backward = four_bar(0.35, 0.10, 0.25, 0.30, 0.3, 1);
  for (Body& b : backward.bodies) draw(b, value(there, 5, b.name + ".x"), value(there, 5, b.name + ".y"), value(there, 5, b.name + ".phi"));
  motor(backward, "motor", "ground", "crank", "2*(7.3 - t) + sin(3*(7.3 - t))").set("offset", Text(0.3));
  const KinematicsRun back = kinematics(built(backward), {T, 4, {}});
  REQUIRE(back.outcome.done());
  for (const Body& b : backward.bodies)
    for (const char* c : {".x", ".y", ".phi"}) CHECK(std::abs(value(back, 4, b.name + c) - value(there, 0, b.name + c)) <= kSameRun);
}

TEST_CASE("a motion that has no value from some time on ends the run there and keeps what came before") {
  // oracle: log and sqrt of 3.2 − t end at 3.2
  for (const std::string f : {"0.1*log(3.2 - t)", "sqrt(3.2 - t)", "0.2*t + 0*log(3.2 - t)"})
    for (const int steps : {1, 4, 10, 40, 1000}) {
      CAPTURE(f);
      CAPTURE(steps);
      const KinematicsRun run = kinematics(built(crank(f)), {4, steps, {}});
      CAPTURE(run.outcome.sentence);
      CHECK(word(run.outcome.kind) == word(Outcome::Kind::undefined));
      CHECK(std::abs(run.outcome.t - 3.2) < kLocated);
      CHECK(names(run.outcome.elements, "motor"));
      std::size_t before = 0;
      for (int i = 0; i <= steps; ++i) before += 4.0 * i / steps < 3.2 - 1e-6;
      CHECK(run.results.rows() >= before);
      CHECK(run.results.rows() <= before + 1);
    }
}

TEST_CASE("a mechanism that breaks before its motion ends is reported to break") {
  // oracle: dead point where 0.7 t reaches the limit of the double rocker, t = 0.998...; the logarithm ends later, at t = 1.5
  Model m = four_bar(1, 0.8, 0.5, 0.6, 0.6, 1);
  motor(m, "motor", "ground", "crank", "0.7*t + 0*log(1.5 - t)");
  const double t = (std::acos((0.64 + 1 - 1.21) / 1.6) - 0.6) / 0.7;
  for (const int steps : {1, 3, 50}) {
    CAPTURE(steps);
    const KinematicsRun run = kinematics(built(m), {2, steps, {}});
    CAPTURE(run.outcome.sentence);
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::dead_point));
    CHECK(std::abs(run.outcome.t - t) < kLocated);
  }
}

TEST_CASE("a table ends the run where it ends") {
  // oracle: the last time in the table, 2.5
  const fs::path folder = fs::temp_directory_path() / "jounce_test_table";
  fs::create_directories(folder);
  {
    std::ofstream file(folder / "f.csv");
    file << "t,f\n";
    for (int i = 0; i <= 5; ++i) file << 0.5 * i << "," << 0.1 * i * i << "\n";
  }
  Model m = crank("0");
  m.file = (folder / "model.toml").string();
  m.drivers[0].set("motion", TableFile{"f.csv"});
  const PlaneMechanism mechanism = built(m);
  const KinematicsRun all = kinematics(mechanism, {2.5, 5, {}});
  CHECK_MESSAGE(all.outcome.done(), all.outcome.sentence);
  CHECK(value(all, 5, "crank.phi") == doctest::Approx(0.3 + 2.5).epsilon(kSolved));
  for (const int steps : {1, 4, 30}) {
    const KinematicsRun run = kinematics(mechanism, {4, steps, {}});
    CHECK(word(run.outcome.kind) == word(Outcome::Kind::undefined));
    CHECK(std::abs(run.outcome.t - 2.5) < kLocated);
  }
  fs::remove_all(folder);
}

TEST_CASE("a cylinder driven to no length stops there") {
  // oracle: 0.5 − 0.25 t is zero at t = 2
  Model m = slider_crank(0.15, 0.30, 1);
  m.joints.erase(m.joints.begin(), m.joints.begin() + 3);  // the block and its guide are left
  m.bodies.erase(m.bodies.begin(), m.bodies.begin() + 2);
  draw(m.body("block"), 0.5, 0, 0);
  m.driver("cylinder", "distance").set("i", Text("ground.O")).set("j", Text("block.P")).set("motion", Text("0.5 - 0.25*t"));
  for (const int steps : {1, 6, 7, 300}) {
    CAPTURE(steps);
    const KinematicsRun run = kinematics(built(m), {3, steps, {}});
    CAPTURE(run.outcome.sentence);
    CHECK(!run.outcome.done());
    CHECK(std::abs(run.outcome.t - 2) < kLocated);
    CHECK(names(run.outcome.elements, "cylinder"));
    for (std::size_t i = 0; i < run.results.rows(); ++i)
      CHECK(std::abs(value(run, i, "block.x") - (0.5 - 0.25 * value(run, i, "t"))) <= kSolved);
  }
}
