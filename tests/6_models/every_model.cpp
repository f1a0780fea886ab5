// Oracle: models/*/expected.json, made by tools/model_oracles.py from closed forms in 60-digit arithmetic. Walks models/.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "jounce/analysis/kinematics.hpp"
#include "jounce/plane/motion/mobility.hpp"
#include "jounce/io/load.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/io/write_model.hpp"
#include "model_folders.hpp"
#include "places.hpp"

using namespace jounce;
namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

// What models/README.md promises, relative to the largest magnitude of the column over the run.
constexpr double kAgrees = 1e-11;
// Output times are multiples of to/steps; the file gives them in decimals.
constexpr double kSameTime = 1e-9;

struct Case {
  std::string name;
  std::string model;
  Json expected;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> out;
    for (const fs::path& folder : jounce_test::model_folders(Space::plane)) {
      std::ifstream file(folder / "expected.json");
      Case c{folder.filename().string(), (folder / "model.toml").string(), {}};
      if (file) c.expected = Json::parse(file);
      out.push_back(std::move(c));
    }
    return out;
  }();
  return all;
}

KinematicsRun run(const PlaneMechanism& mechanism) { return kinematics(mechanism, {mechanism.run.to, mechanism.run.steps, {}}); }

// Models without a motor are for dynamics and equilibrium.
bool driven(const PlaneMechanism& mechanism) { return !mechanism.system.motions().empty(); }

}  // namespace

TEST_CASE("every folder of models holds a model, a card and expected numbers") {
  // oracle: models/README.md
  CHECK(cases().size() >= 17);
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    const fs::path folder = fs::path(places::source()) / "models" / c.name;
    CHECK(fs::exists(folder / "model.toml"));
    CHECK(fs::exists(folder / "card.md"));
    CHECK(c.expected.contains("checks"));
    CHECK(c.expected.contains("source"));
  }
}

TEST_CASE("every model loads without a problem and runs to its end without an event") {
  // oracle: none of the models passes a singular position or is overdriven; a message would be a false alarm
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    const auto mechanism = load_plane(c.model);
    REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
    CHECK(mechanism.problems().empty());
    CHECK(mechanism->run.written);
    if (!driven(*mechanism)) continue;  // moves on its own: dynamics_models.cpp
    const KinematicsRun r = run(*mechanism);
    CHECK_MESSAGE(r.outcome.done(), r.outcome.sentence);
    CHECK(r.events.empty());
    CHECK_MESSAGE(r.problems.empty(), text(r.problems));
    CHECK(r.results.rows() == static_cast<std::size_t>(mechanism->run.steps) + 1);
    CHECK(r.statistics.worst_residual <= 1e-12);
    for (std::size_t i = 0; i < r.results.rows(); ++i)
      for (const double x : r.results.row(i)) REQUIRE(std::isfinite(x));
  }
}

TEST_CASE("every expected number of every model is met, up to snap") {
  // oracle: expected.json
  int checks = 0;
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    const auto mechanism = load_plane(c.model);
    REQUIRE(mechanism.ok());
    if (!driven(*mechanism)) {
      CHECK(c.expected.at("checks").empty());
      continue;
    }
    const KinematicsRun r = run(*mechanism);
    const double interval = mechanism->run.to / mechanism->run.steps;
    for (const Json& check : c.expected.at("checks")) {
      const std::string column = check.at("column");
      const double t = check.at("t"), value = check.at("value"), scale = check.at("scale");
      CAPTURE(column);
      CAPTURE(t);
      const auto row = static_cast<std::size_t>(std::lround(t / interval));
      REQUIRE(std::abs(double(row) * interval - t) <= kSameTime);
      const auto actual = r.results.at(row, column);
      REQUIRE(actual.has_value());
      CHECK(std::abs(r.results.column(0)[row] - t) <= kSameTime);
      const double error = std::abs(*actual - value) / scale;
      CHECK(error <= kAgrees);
      ++checks;
    }
  }
  CHECK(checks > 500);
}

TEST_CASE("the identities of the models hold in every row") {
  // oracle: expected.json, kinds as in models/README.md
  int found = 0;
  for (const Case& c : cases()) {
    if (!c.expected.contains("identities")) continue;
    CAPTURE(c.name);
    const auto mechanism = load_plane(c.model);
    REQUIRE(mechanism.ok());
    const KinematicsRun r = run(*mechanism);
    for (const Json& identity : c.expected.at("identities")) {
      const std::string kind = identity.at("kind");
      const double tol = identity.at("tol");
      const auto column = [&](const std::string& name) {
        const auto values = r.results.column(name);
        REQUIRE_MESSAGE(values.size() == r.results.rows(), name);
        return values;
      };
      double worst = 0;
      if (kind == "straight-line") {
        const std::string point = identity.at("point");
        const auto x = column(point + ".x"), y = column(point + ".y");
        const double nx = identity.at("normal")[0], ny = identity.at("normal")[1], offset = identity.at("offset");
        for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(nx * x[i] + ny * y[i] - offset));
      } else if (kind == "scaled-copy") {
        const std::string point = identity.at("point"), of = identity.at("of");
        const double factor = identity.at("factor");
        for (const char* axis : {".x", ".y"}) {
          const auto copy = column(point + axis), original = column(of + axis);
          for (std::size_t i = 0; i < copy.size(); ++i) worst = std::max(worst, std::abs(copy[i] - factor * original[i]));
        }
      } else if (kind == "speed-ratio") {
        const auto u = column(identity.at("column")), w = column(identity.at("of"));
        const double factor = identity.at("factor");
        for (std::size_t i = 0; i < u.size(); ++i) worst = std::max(worst, std::abs(u[i] - factor * w[i]));
      } else {
        FAIL("unknown kind of identity: " << kind);
      }
      CHECK(worst <= tol);
      ++found;
    }
  }
  CHECK(found >= 6);
}

TEST_CASE("every model has the mobility its card says, counted and by rank") {
  // oracle: expected.json
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    const auto mechanism = load_plane(c.model);
    REQUIRE(mechanism.ok());
    const Assembly start = assemble(*mechanism);
    REQUIRE(start.assembled);
    const Mobility m = mobility(*mechanism, start.q);
    CHECK(m.counted == c.expected.at("mobility").at("counted").get<int>());
    CHECK(m.mobility == c.expected.at("mobility").at("rank").get<int>());
    CHECK(m.undriven == (driven(*mechanism) ? 0 : m.mobility));
    CHECK(m.redundant == m.mobility - m.counted);
    CHECK(!m.only_infinitesimal);
    CHECK(!m.singular_position);
    for (const DependentSet& set : m.dependent) CHECK(set.consistent);
  }
}

TEST_CASE("every model written and read again is the same model and runs to the same numbers") {
  // oracle: the model itself
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    const auto model = read(c.model);
    REQUIRE(model.ok());
    const ReadModel again = parse_model(write_model(*model), c.model);
    CHECK_MESSAGE(again.problems.empty(), text(again.problems));
    CHECK(again.model == *model);
    const auto first = load_plane(c.model);
    const auto second = build_plane(again.model);
    REQUIRE(second.ok());
    if (!driven(*first)) continue;
    const KinematicsRun a = kinematics(*first, {first->run.to, 10, {}}), b = kinematics(*second, {first->run.to, 10, {}});
    REQUIRE(a.results.rows() == b.results.rows());
    for (std::size_t i = 0; i < a.results.rows(); ++i)
      CHECK(a.results.row(i) == b.results.row(i));
  }
}
