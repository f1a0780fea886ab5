// Oracle: expected.json of the spatial models, made by tools/spatial_oracles.py from closed forms, Lagrange's equations by computer
// algebra or Newton's and Euler's by hand, in 34-digit arithmetic. Walks models/.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "jounce/analysis/check/space_mobility.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/io/load.hpp"
#include "jounce/io/write_model.hpp"
#include "model_folders.hpp"

namespace {

using namespace jounce;
namespace fs = std::filesystem;
using Json = nlohmann::json;

// Instants are exact to rounding; the scale of each value is in the file.
constexpr double kInstant = 1e-10;
// Momenta and energies over a whole run, at the tolerance below.
constexpr double kConserved = 1e-9;
constexpr double kTight = 1e-12;

struct Case {
  std::string name;
  Json expected;
  SpaceMechanism mechanism;
};

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const fs::path& folder : jounce_test::model_folders(Space::three)) {
    std::ifstream file(folder / "expected.json");
    REQUIRE_MESSAGE(file.good(), folder.string());
    auto mechanism = load_space((folder / "model.toml").string());
    REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
    CHECK_MESSAGE(mechanism.problems().empty(), text(mechanism.problems()));
    out.push_back({folder.filename().string(), Json::parse(file), *std::move(mechanism)});
  }
  return out;
}

// The row of a run at a time.
std::size_t row_at(const Trajectory& results, double t) {
  for (std::size_t i = 0; i < results.rows(); ++i)
    if (std::abs(results.column(0)[i] - t) < 1e-9 * (1 + t)) return i;
  FAIL("no row at t = " << t);
  return 0;
}

bool is_body_quaternion(const std::string& column) {
  return column.ends_with(".qw") || column.ends_with(".qx") || column.ends_with(".qy") || column.ends_with(".qz");
}

void check_values(const std::string& name, const Trajectory& results, const Json& values, double default_tolerance) {
  for (const Json& item : values) {
    const std::string column = item["column"];
    const double t = item.value("t", 0.0), tolerance = item.value("tolerance", default_tolerance);
    const auto found = results.at(row_at(results, t), column);
    REQUIRE_MESSAGE(found.has_value(), name << ": no column " << column);
    const double expected = item["value"], scale = item.value("scale", 1.0);
    if (is_body_quaternion(column) && std::abs(*found + expected) <= tolerance * scale) continue;  // e and −e are one rotation
    CHECK_MESSAGE(std::abs(*found - expected) <= tolerance * scale,
                  name << ": " << column << " at t = " << t << ": expected " << expected << ", found " << *found << " (off by "
                       << std::abs(*found - expected) / scale << ")");
  }
}

}  // namespace

TEST_CASE("every spatial model has a card, and reads back the same after writing") {
  const auto folders = jounce_test::model_folders(Space::three);
  CHECK(folders.size() >= 20);
  for (const fs::path& folder : folders) {
    CAPTURE(folder.string());
    CHECK(fs::exists(folder / "card.md"));
    const std::string file = (folder / "model.toml").string();
    const ReadModel first = parse_model_file(file);
    CHECK(parse_model(write_model(first.model), file).model == first.model);
  }
}

TEST_CASE("dofs, equations and mobility of the spatial models") {
  for (const Case& c : cases()) {
    const Assembly start = assemble(c.mechanism);
    CHECK_MESSAGE(start.assembled, c.name);
    const Mobility found = mobility(c.mechanism, start);
    const Json& m = c.expected["mobility"];
    int active = 0;
    for (const SpaceDof& dof : c.mechanism.dofs) active += dof.active() ? 1 : 0;
    CHECK_MESSAGE(static_cast<int>(c.mechanism.dofs.size()) == m["dofs"].get<int>(), c.name);
    CHECK_MESSAGE(active == m["prescribed"].get<int>(), c.name);
    CHECK_MESSAGE(found.counted == m["counted"].get<int>(), c.name);
    CHECK_MESSAGE(found.undriven + active == m["rank"].get<int>(), c.name);
  }
}

TEST_CASE("spatial models: accelerations and reactions at the start, and where they arrive") {
  for (const Case& c : cases()) {
    if (!c.expected.contains("dynamics")) continue;
    const DynamicsRun run = dynamics(c.mechanism, {.to = c.mechanism.run.to, .steps = c.mechanism.run.steps});
    REQUIRE_MESSAGE(run.outcome.done(), c.name << ": " << run.outcome.sentence);
    check_values(c.name, run.results, c.expected["dynamics"]["start"], kInstant);
    check_values(c.name, run.results, c.expected["dynamics"]["end"], 1e-5);
  }
}

TEST_CASE("spatial models keep what they must keep") {
  // oracle: conservation laws, named in expected.json
  for (const Case& c : cases()) {
    if (!c.expected.contains("conserved") || c.expected["conserved"].empty()) continue;
    const DynamicsRun run =
        dynamics(c.mechanism, {.to = c.mechanism.run.to, .steps = c.mechanism.run.steps, .tolerance = kTight});
    REQUIRE_MESSAGE(run.outcome.done(), c.name << ": " << run.outcome.sentence);
    for (const Json& column : c.expected["conserved"]) {
      const auto values = run.results.column(column.get<std::string>());
      REQUIRE_MESSAGE(!values.empty(), c.name << ": " << column);
      double off = 0;
      for (const double x : values) off = std::max(off, std::abs(x - values.front()));
      CHECK_MESSAGE(off < kConserved * std::max(1.0, std::abs(values.front())), c.name << ": " << column << " changes by " << off);
    }
  }
}

TEST_CASE("spatial models: inverse dynamics") {
  for (const Case& c : cases()) {
    if (!c.expected.contains("inverse")) continue;
    const KinematicsRun run = inverse(c.mechanism, {.to = c.mechanism.run.to, .steps = c.mechanism.run.steps, .columns = {}});
    REQUIRE_MESSAGE(run.outcome.done(), c.name << ": " << run.outcome.sentence);
    check_values(c.name, run.results, c.expected["inverse"], kInstant);
    // kinematics is the same motion
    const KinematicsRun still = kinematics(c.mechanism, {.to = c.mechanism.run.to, .steps = c.mechanism.run.steps, .columns = {}});
    REQUIRE(still.outcome.done());
    for (const std::string& column : still.results.names())
      CHECK(std::ranges::equal(still.results.column(column), run.results.column(column)));
  }
}
