// Benchmarks of space against references of higher precision: Bricard's mechanism (IFToMM A04), which moves although it has too many equations, and the flyball
// governor (A05), which is stiff.
// Oracle: tests/data/space-references.json; where its numbers come from is said there.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/io/read_model.hpp"
#include "places.hpp"

namespace space_references_test {

using namespace jounce;

namespace {

// What a run gives, and the numbers of the case.
void follow(const std::string& name, double tolerance, double allowed) {
  std::ifstream file(places::source() + "/tests/data/space-references.json");
  const nlohmann::json all = nlohmann::json::parse(file);
  for (const auto& reference : all["cases"]) {
    if (reference["name"] != name) continue;
    auto mechanism = build_space(parse_model(reference["model"].get<std::string>(), name + ".toml").model);
    REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
    const DynamicsRun run = dynamics(*mechanism, {.to = reference["to"], .steps = reference["steps"], .tolerance = tolerance});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    for (const auto& value : reference["values"]) {
      std::size_t row = 0;
      while (row < run.results.rows() && std::abs(*run.results.at(row, "t") - value[0].get<double>()) > 1e-9) ++row;
      REQUIRE(row < run.results.rows());
      const std::string column = value[1];
      const double exact = value[2];
      CHECK_MESSAGE(std::abs(*run.results.at(row, column) - exact) <= allowed * std::max(1.0, std::abs(exact)), column << " at " << value[0]);
    }
    if (run.statistics.conservative) CHECK(run.statistics.energy_drift < 1e-10 * 29.43);
    return;
  }
  FAIL("no reference of that name");
}

}  // namespace

TEST_CASE("Bricard's mechanism swings as the quadrature of its energy says, for two periods") { follow("bricard-a04", 1e-12, 1e-11); }

TEST_CASE("the flyball governor follows the reference, and the method that is chosen for it is good for the tolerance") {
  follow("flyball-governor-a05", 1e-9, 1e-7);  // rates of the springs' stiff motion carry a hundred tolerances at 0.5 s
}

}  // namespace space_references_test
