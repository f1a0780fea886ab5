// Motions in space from position to snap, multipliers and their rates.
// Oracles: tests/data/space-snap.json (maximal coordinates with 50 digits, and closed forms: tools/oracle_snap), and the plane, whose mechanisms are
// rebuilt in space.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/inverse.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/io/read_model.hpp"
#include "places.hpp"

namespace space_snap_test {

namespace {

using namespace jounce;
using Json = nlohmann::json;

// Ten digits less than those of a double, of the largest number of its kind: the matrices have conditions of up to 1e3, and snap grows with
// the fourth power of rates.
constexpr double kSolved = 1e-11;
// A motion that was integrated to a tolerance of 1e-12.
constexpr double kIntegrated = 1e-9;

const Json& cases() {
  static const Json loaded = [] {
    std::ifstream file(places::source() + "/tests/data/space-snap.json");
    return Json::parse(file)["cases"];
  }();
  return loaded;
}

SpaceMechanism built(const Json& c) {
  auto mechanism = build_space(parse_model(c["model"].get<std::string>(), c["name"].get<std::string>() + ".toml").model);
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  return *std::move(mechanism);
}

// "rod.B.sx" and "rod.B.sz" are of one kind, "hinge.fx" and "hinge.fz" too.
std::string kind(std::string column) {
  while (!column.empty() && (std::isdigit(static_cast<unsigned char>(column.back())) || std::string("wxyz").find(column.back()) != std::string::npos)) column.pop_back();
  return column;
}
std::string ending(const std::string& column) { return kind(column.substr(column.rfind('.') + 1)); }

// How far results are off the numbers of a case: of the largest of their kind on the same element, of a thousandth of the largest on any, or of a hundredth of a unit where
// all are zero.
void check(const Json& c, const Trajectory& results, double allowed, double allowed_later) {
  std::map<std::string, double> size;
  for (const Json& value : c["values"]) {
    const std::string column = value[1];
    const double x = std::abs(value[2].get<double>());
    size[kind(column)] = std::max(size[kind(column)], x);
    size[" " + ending(column)] = std::max(size[" " + ending(column)], x);
  }
  for (const Json& value : c["values"]) {
    const std::string column = value[1];
    std::size_t row = 0;
    while (row < results.rows() && std::abs(*results.at(row, "t") - value[0].get<double>()) > 1e-12) ++row;
    REQUIRE(row < results.rows());
    const auto found = results.at(row, column);
    REQUIRE_MESSAGE(found.has_value(), column);
    const double of = std::max({size[kind(column)], 1e-3 * size[" " + ending(column)], 1e-2});
    CHECK_MESSAGE(std::abs(*found - value[2].get<double>()) <= (row == 0 ? allowed : allowed_later) * of,
                  column << " at " << value[0] << ": " << *found << " instead of " << value[2]);
  }
}

}  // namespace

TEST_CASE("space to snap: every joint, loop, coupling, load and law, free, driven and partly driven") {
  int compared = 0;
  for (const Json& c : cases()) {
    const std::string name = c["name"], command = c["command"];
    CAPTURE(name);
    const SpaceMechanism mechanism = built(c);
    const double to = c["to"];
    if (command == "dynamics") {
      const DynamicsRun run = dynamics(mechanism, {.to = to, .steps = 1, .tolerance = 1e-12});
      REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence << text(run.problems));
      check(c, run.results, kSolved, kIntegrated);
    } else {
      const KinematicsRun run = command == "inverse" ? inverse(mechanism, {.to = to, .steps = 1}) : kinematics(mechanism, {.to = to, .steps = 1});
      REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence << text(run.problems));
      check(c, run.results, kSolved, kSolved);
    }
    ++compared;
  }
  CHECK(compared >= 56);
}

TEST_CASE("space to snap: all formulations agree") {
  for (const Json& c : cases()) {
    if (c["command"] != "dynamics") continue;
    const SpaceMechanism mechanism = built(c);
    for (const Formulation formulation : {Formulation::crba, Formulation::lagrange, Formulation::kkt, Formulation::nullspace}) {
      CAPTURE(c["name"].get<std::string>());
      CAPTURE(word(formulation));
      const DynamicsRun run = dynamics(mechanism, {.to = 1e-3, .steps = 1, .tolerance = 1e-12, .formulation = formulation});
      if (run.outcome.kind == Outcome::Kind::not_run) continue;  // bodies without mass
      Json start = c;
      start["values"] = Json::array();
      for (const Json& value : c["values"])
        if (value[0] == 0) start["values"].push_back(value);
      check(start, run.results, 1e-9, 1e-9);
    }
  }
}

TEST_CASE("rates of multipliers are those of the wrench that a loop applies") {
  // oracle: the derivative of the wrench on j, turned into the axes of the frame on i, which is the ground: there the derivative of each component
  int compared = 0;
  for (const Json& c : cases()) {
    const std::string name = c["name"], command = c["command"];
    if (!c["not_unique"].empty() || command == "kinematics") continue;
    const SpaceMechanism mechanism = built(c);
    if (mechanism.loops.empty()) continue;
    const double to = c["to"];
    const Trajectory results = command == "dynamics" ? dynamics(mechanism, {.to = to, .steps = 1, .tolerance = 1e-12}).results
                                                  : inverse(mechanism, {.to = to, .steps = 1}).results;
    for (const SpaceLoop& loop : mechanism.loops) {
      if (loop.i != 0) continue;
      std::map<std::string, double> rate;
      for (const Json& value : c["rates"])
        if (value[0] == 0 && value[2] == 1) rate[value[1].get<std::string>()] = value[3];
      double sum = 0, squares = 0;  // T has orthonormal columns that do not turn: |λ̇| = |Ẇ|
      for (const std::string end : {".fx", ".fy", ".fz", ".mx", ".my", ".mz"}) {
        REQUIRE(rate.contains(loop.name + end));
        sum += std::pow(rate[loop.name + end], 2);
      }
      for (int r = 1; results.at(0, loop.name + ".lambda" + std::to_string(r)).has_value(); ++r)
        squares += std::pow(*results.at(0, loop.name + ".lambda" + std::to_string(r) + "_rate"), 2);
      const bool turns = name.starts_with("odd-loop") || name.starts_with("rsur") || name.starts_with("rusr") || name.starts_with("rssr-rod");  // T turns with the joint
      if (turns) continue;
      CHECK_MESSAGE(std::abs(std::sqrt(squares) - std::sqrt(sum)) <= 1e-10 * (1 + std::sqrt(sum)), name << ": " << loop.name);
      ++compared;
    }
  }
  CHECK(compared >= 6);
}

}  // namespace space_snap_test
