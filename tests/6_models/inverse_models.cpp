// Oracle: the "inverse" entries of models/*/expected.json, made by tools/dynamics_oracles.py in extended precision, and
// balances that hold whatever the numbers are. Walks models/.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "jounce/plane/rows/dynamic_rows.hpp"
#include "jounce/analysis/inverse.hpp"
#include "jounce/jounce.hpp"
#include "jounce/base/index.hpp"
#include "jounce/io/load.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/plane/equations/linearisation.hpp"
#include "model_folders.hpp"

using namespace jounce;
namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

// What models/README.md promises, relative to the scale of the column.
constexpr double kAgrees = 1e-11;
// A sum of some dozens of products, against the largest of them.
constexpr double kBalance = 1e-11;

std::vector<fs::path> folders() { return jounce_test::model_folders(jounce::Space::plane); }

Json expected(const fs::path& folder) {
  std::ifstream file(folder / "expected.json");
  REQUIRE(file.good());
  return Json::parse(file);
}

// The models that inverse dynamics can run: every motion driven, every mass given.
template <class F>
void each_driven_model(F&& f) {
  int found = 0;
  for (const fs::path& folder : folders()) {
    const auto mechanism = load_plane((folder / "model.toml").string());
    REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
    const PlanarSystem& system = mechanism->system;
    const bool driven = system.equations() >= system.coordinates() && system.equations() > system.joint_equations();
    if (!driven || !missing_masses(*mechanism, "", "").empty()) continue;
    const std::string model = folder.filename().string();
    CAPTURE(model);
    f(*mechanism);
    ++found;
  }
  CHECK(found >= 17);
}

// A row of results by the names of its columns.
struct Row {
  std::map<std::string, std::size_t> place;
  std::vector<double> value;

  explicit Row(const PlaneMechanism& mechanism) {
    const auto columns = dynamic_columns(mechanism, true);
    for (std::size_t c = 0; c < columns.size(); ++c) place[columns[c].name] = c;
  }
  double operator()(const std::string& column) const { return value[place.at(column)]; }
};

}  // namespace

TEST_CASE("every expected reaction and effort of every model is met") {
  // oracle: expected.json
  int checks = 0;
  for (const fs::path& folder : folders()) {
    const Json dynamics = expected(folder).value("dynamics", Json::object());
    if (!dynamics.contains("inverse")) continue;
    const auto mechanism = load((folder / "model.toml").string());  // measures are columns, too
    REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
    const std::string model = folder.filename().string();
    CAPTURE(model);
    std::map<double, Run> runs;
    for (const Json& check : dynamics.at("inverse")) {
      const std::string column = check.at("column");
      const double t = check.at("t"), value = check.at("value"), scale = check.at("scale");
      CAPTURE(column);
      CAPTURE(t);
      if (!runs.contains(t)) runs.emplace(t, inverse(*mechanism, {.to = t, .steps = 1}));
      REQUIRE_MESSAGE(runs.at(t).outcome.done(), runs.at(t).outcome.sentence);
      const auto actual = runs.at(t).results.at(1, column);
      REQUIRE(actual.has_value());
      const double error = std::abs(*actual - value) / scale;
      CHECK(error <= kAgrees);
      ++checks;
    }
  }
  CHECK(checks > 300);
}

TEST_CASE("the drivers' power and that of the applied forces is the rate of the kinetic energy, in every model") {
  // oracle: power balance Σ effort · f' + Q·q' = q'·M q'', which contains no multiplier; f' by a series of the motion itself
  int moving = 0;
  each_driven_model([&](const PlaneMechanism& mechanism) {
    const PlanarSystem& system = mechanism.system;
    const std::size_t n = z(system.coordinates());
    Linearisation forces(system);
    for (int i = 1; i <= 7; ++i) {
      Row row(mechanism);
      const double t = mechanism.run.to * i / 7.3;
      const KinematicsRun run = inverse(mechanism, {.to = t, .steps = 1},
                                     [&](std::span<const double> r) { return row.value.assign(r.begin(), r.end()), true; });
      REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
      const auto order = [&](int k) { return k == 0 ? std::span(run.q) : std::span(run.ways).subspan(z(k - 1) * n, n); };
      REQUIRE(!forces.forces_alone(t, order(0), order(1)));
      double balance = 0, largest = 0;
      const auto add = [&](double power) { balance += power, largest = std::max(largest, std::abs(power)); };
      for (std::size_t c = 0; c < n; ++c) add((forces.Q()[c] - system.mass()[c] * 2 * order(2)[c]) * order(1)[c]);
      for (const PrescribedMotion& motion : system.motions()) {
        Series<1> f;
        REQUIRE(!motion.function.evaluate(Series<1>::time(t), f));
        add(row(motion.owner + ".effort") * f.derivative(1));
      }
      for (const Constraint& joint : system.constraints())  // what friction of joints takes
        if (joint.friction >= 0) add(row(joint.name + ".friction") * forces.readings()[z(joint.friction)].rate);
      moving += largest > 0 ? 1 : 0;
      CHECK(std::abs(balance) <= kBalance * largest);
    }
  });
  CHECK(moving > 100);
}

TEST_CASE("reported reactions balance every body of every model") {
  // oracle: Newton and Euler for each body on its own: the reported force acts at the reported point of body j, its opposite on
  // body i; only joints between two bodies that pass on a plain force and moment, which must then be all that acts
  each_driven_model([](const PlaneMechanism& mechanism) {
    const PlanarSystem& system = mechanism.system;
    const auto plain = [](const Constraint& c) {  // at one point of both bodies, and opposite
      return c.type == "revolute" || c.type == "weld" || (c.group == planar::Group::driver && c.type == "angle");
    };
    Row row(mechanism);
    const double t = 0.37 * mechanism.run.to;
    const KinematicsRun run = inverse(mechanism, {.to = t, .steps = 1},
                                   [&](std::span<const double> r) { return row.value.assign(r.begin(), r.end()), true; });
    REQUIRE(run.outcome.done());
    const std::size_t n = z(system.coordinates());
    const auto order = [&](int k) { return k == 0 ? std::span(run.q) : std::span(run.ways).subspan(z(k - 1) * n, n); };
    Linearisation forces(system);
    REQUIRE(!forces.forces_alone(t, order(0), order(1)));
    for (int b = 1; b <= system.bodies(); ++b) {
      bool all = true;
      for (const Constraint& c : system.constraints())
        all = all && (plain(c) || std::ranges::find(c.bodies, b) == c.bodies.end());
      if (!all) continue;
      const std::size_t at = z(3 * (b - 1));
      std::array<double, 3> sum{}, largest{};
      const auto add = [&](std::size_t k, double value) {
        sum[k] += value, largest[k] = std::max(largest[k], std::abs(value));
      };
      for (std::size_t k = 0; k < 3; ++k) add(k, forces.Q()[at + k]), add(k, -system.mass()[at + k] * 2 * order(2)[at + k]);
      for (const Constraint& c : system.constraints()) {
        if (std::ranges::find(c.bodies, b) == c.bodies.end()) continue;
        const double sign = c.bodies[1] == b ? 1 : -1;
        const double fx = sign * row(c.name + ".fx"), fy = sign * row(c.name + ".fy");
        add(0, fx), add(1, fy), add(2, sign * row(c.name + ".torque"));
        if (c.type == "angle") continue;
        // the pin, found among the named points of the body: the one where the joint's forces meet
        const Vec2<double> pin = [&] {
          for (const BodyPoint& p : mechanism.bodies[z(b)].points) {
            const Vec2<double> here{row(mechanism.bodies[z(b)].name + "." + p.name + ".x"),
                                    row(mechanism.bodies[z(b)].name + "." + p.name + ".y")};
            const int other = c.bodies[0] == b ? c.bodies[1] : c.bodies[0];
            for (const BodyPoint& o : mechanism.bodies[z(other)].points) {
              const std::string name = mechanism.bodies[z(other)].name + "." + o.name;
              if (std::hypot(row(name + ".x") - here.x, row(name + ".y") - here.y) < 1e-10) return here;
            }
          }
          FAIL("no common point of joint " << c.name);
          return Vec2<double>{};
        }();
        add(2, (pin.x - order(0)[at]) * fy - (pin.y - order(0)[at + 1]) * fx);
      }
      CAPTURE(mechanism.bodies[z(b)].name);
      const double length = system.length_scale(), force = std::max({largest[0], largest[1], largest[2] / length});
      for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(sum[k]) <= kBalance * force * (k == 2 ? length : 1.0));
    }
  });
}

TEST_CASE("only the parallelogram with three cranks has reactions that are not unique") {
  // oracle: its card: one equation of the six pins is redundant, and each pin has a share in it; motors' torques are unique
  each_driven_model([](const PlaneMechanism& mechanism) {
    const KinematicsRun run = inverse(mechanism, {.to = mechanism.run.to, .steps = 5});
    if (mechanism.system.equations() == mechanism.system.coordinates()) {
      CHECK(run.not_unique.empty());
      return;
    }
    CHECK(run.not_unique ==
          std::vector<std::string>{"first-bearing", "second-bearing", "third-bearing", "first-pin", "second-pin", "third-pin"});
    REQUIRE(run.problems.size() == 1);
    CHECK(run.problems[0].severity == Severity::warning);
  });
}
