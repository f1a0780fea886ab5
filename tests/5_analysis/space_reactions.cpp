// Reactions that are not unique, through whole analyses: in space as in the plane, along a run.
#include "analysis_test.hpp"
#include "jounce/analysis/check/check.hpp"
#include "jounce/analysis/compare/compare.hpp"
#include "jounce/analysis/equilibrium/equilibrium.hpp"
#include "jounce/space/rows/space_rows.hpp"
#include "parity_compare.hpp"
#include "places.hpp"

namespace space_reactions_test {

using namespace jounce;
using namespace jounce::test;

namespace {

using Names = std::vector<std::string>;

// Reactions are balances of loads that may be larger than what is left of them.
constexpr double kShared = 1e-11;

// Four bars with masses off their middles, and a motor on the crank, and perhaps one on the rocker that does the same.
Model parallelogram(int motors, const char* motion = "0.8 + 0.5*sin(2*t)") {
  Model m = four_bar(1, 0.5, 1, 0.5, 0.8, 1);
  m.gravity = {Text(1.5), Text(-9.81)};
  for (std::size_t b = 0; b < 3; ++b) {
    m.bodies[b].mass = Text(1.0 + 0.5 * static_cast<double>(b)), m.bodies[b].inertia = Text(0.02);
    m.bodies[b].com = std::vector<Text>{Text(0.3), Text(0.05)};
  }
  motor(m, "first", "ground", "crank", motion);
  if (motors > 1) motor(m, "second", "ground", "rocker", motion);
  return m;
}

void compare_spaces(const parity::Both& both, const parity::Ran& plane, const parity::Ran& space) {
  REQUIRE(plane.outcome.done());
  REQUIRE_MESSAGE(space.outcome.done(), text(space.problems));
  parity::Comparison comparison(both, plane, space);
  comparison.loads();
  for (const auto& kind : comparison.kinds) {
    CAPTURE(kind.first);
    CAPTURE(kind.second.where);
    CHECK(kind.second.relative(1) < kShared);
  }
}

}  // namespace

TEST_CASE("two motors on one parallelogram share its load in space as in the plane, and so do pins and bearings") {
  // oracle: the same mechanism in the plane, whose engine knows of no tree
  for (const oracle::Closing closing : {oracle::Closing::hinges, oracle::Closing::plane_only}) {
    const parity::Both both(parallelogram(2), closing);
    REQUIRE(both.space);
    const parity::Ran plane = parity::inverse(both.plane, 1, 8), space = parity::inverse(*both.space, 1, 8);
    compare_spaces(both, plane, space);
    CHECK(plane.not_unique == Names{"pO", "pA", "pB", "pQ", "first", "second"});
    CHECK(space.not_unique.size() == 4);  // the motors are dofs of their bearings
  }
  // one of them alone gives more than the two together, squared and added
  const auto effort = [](const KinematicsRun& run, const char* motor) { return value(run, 0, std::string(motor) + ".effort"); };
  const KinematicsRun alone = inverse(built(parallelogram(1)), {0.1, 1, {}}), shared = inverse(built(parallelogram(2)), {0.1, 1, {}});
  CHECK(std::hypot(effort(shared, "first"), effort(shared, "second")) < 0.9 * std::abs(effort(alone, "first")));
}

TEST_CASE("a parallelogram with three cranks in space carries the loads that it carries in the plane, and names all six joints") {
  // oracle: the model of the plane, and its card: every pin has a share in the equation that is too many
  const auto plane = load_plane(places::source() + "/models/redundant-parallelogram/model.toml");
  REQUIRE(plane.ok());
  const SpaceMechanism space = parity::loaded_in_space(places::source() + "/tests/data/redundant-parallelogram-space.toml");
  const KinematicsRun wanted = inverse(*plane, {1, 10, {}}), found = inverse(space, {1, 10, {}});
  REQUIRE(found.outcome.done());
  const Names pins{"first-bearing", "second-bearing", "third-bearing", "first-pin", "second-pin", "third-pin"};
  CHECK(found.not_unique == pins);
  CHECK(check(space).not_unique == pins);
  REQUIRE(found.problems.size() == 1);
  CHECK(found.problems[0].sentence == wanted.problems[0].sentence);
  const Mat3<double> axes = from_rpy({0.3, 0.5, -0.8});
  for (std::size_t row = 0; row < wanted.results.rows(); ++row)
    for (const std::string& pin : pins) {
      CAPTURE(pin);
      const Vec3<double> in_ground{value(found, row, pin + ".fx"), value(found, row, pin + ".fy"), value(found, row, pin + ".fz")};
      const Vec3<double> force = in_axes(axes, in_ground);
      CHECK(std::abs(force.x - value(wanted, row, pin + ".fx")) < 40 * kShared);
      CHECK(std::abs(force.y - value(wanted, row, pin + ".fy")) < 40 * kShared);
      CHECK(std::abs(force.z) < 40 * kShared);
    }
}

TEST_CASE("forward dynamics, equilibrium and comparison share the load as inverse dynamics does") {
  // oracle: a parallelogram held by its motor is at rest by any road
  const parity::Both both(parallelogram(1, "0.8"));
  const SpaceMechanism& held = *both.space;
  const KinematicsRun wanted = inverse(held, {0.1, 1, {}});
  const DynamicsRun moving = dynamics(held, {.to = 0.1, .steps = 1});
  const Equilibrium rest = equilibrium(held);
  REQUIRE(rest.outcome.done());
  CHECK(wanted.not_unique.size() == 4);
  CHECK(moving.not_unique == wanted.not_unique);
  CHECK(rest.not_unique == wanted.not_unique);
  const std::vector<Column> columns = space_columns(held, true);
  REQUIRE(columns.size() == rest.row.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    CAPTURE(columns[c].name);
    const double expected = value(wanted, 0, columns[c].name);
    CHECK(std::abs(*moving.results.at(0, columns[c].name) - expected) < 20 * kShared);
    CHECK(std::abs(rest.row[c] - expected) < 20 * kShared);
  }
  const ComparisonResult compared = compare(held, 0);
  REQUIRE(compared.comparison);
  CHECK(compared.comparison->not_unique == wanted.not_unique);
  CHECK(compared.comparison->agree());
}

}  // namespace space_reactions_test
