// A stiff problem, two bars on a bushing: the method that `automatic` finds against the one a person would choose.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <jounce/analysis/dynamics.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks.hpp"
#include "measure.hpp"

namespace {

constexpr int kSteps = 500;
constexpr double kEnd = 0.5;

struct Expected {
  std::string column;
  std::size_t row = 0;
  double value = 0, scale = 1;
};

std::vector<Expected> expected_values() {
  std::ifstream file(JOUNCE_SOURCE_DIR "/models/bushing-bars/expected.json");
  const nlohmann::json document = nlohmann::json::parse(file);
  std::vector<Expected> values;
  for (const auto& record : document.at("dynamics").at("end")) {
    const auto row = static_cast<std::size_t>(std::lround(record.at("t").get<double>() * kSteps / kEnd));
    values.push_back({record.at("column"), row, record.at("value"), record.at("scale")});
  }
  // an empty list would make every run look exact
  if (values.empty()) std::puts("models/bushing-bars/expected.json: no values at 'dynamics', 'end'"), std::exit(1);
  return values;
}

// Of what the tolerance is about, positions, angles and velocities; the bushing's force is that times its stiffness.
double largest_error(const jounce::DynamicsRun& run, const std::vector<Expected>& expected) {
  double largest = 0;
  for (const Expected& e : expected) {
    if (std::string_view(e.column).ends_with(".f")) continue;
    const auto value = run.results.at(e.row, e.column);
    largest = std::max(largest, value ? std::abs(*value - e.value) / e.scale : 1.0);
  }
  return largest;
}

}  // namespace

void bench_stiff() {
  using jounce::Method;
  const jounce::PlaneMechanism mechanism = shipped_model("bushing-bars");
  const std::vector<Expected> expected = expected_values();
  std::printf(
      "bars on a bushing to t = %g: the fastest motion dies out at 8e4/s; errors against 34 digits, relative to the size of a "
      "column\n\n",
      kEnd);
  std::printf("%8s %-10s %-20s %8s %8s %10s %12s %12s %12s\n", "tol", "method", "what it used", "steps", "refused", "error",
              "ms, 500 rows", "ms, 5 rows", "vs radau");
  for (const double tol : {1e-4, 1e-6, 1e-8}) {
    double radau = 0;
    for (const Method method : {Method::radau, Method::automatic, Method::taylor}) {
      jounce::DynamicsOptions options{.to = kEnd, .steps = kSteps, .tolerance = tol, .method = method};
      const jounce::DynamicsRun run = jounce::dynamics(mechanism, options);
      const double full = time_of([&] { (void)jounce::dynamics(mechanism, options); });
      options.steps = 5;
      const double few = time_of([&] { (void)jounce::dynamics(mechanism, options); });
      if (method == Method::radau) radau = few;
      std::printf("%8.0e %-10s %-20s %8ld %8ld %10.1e %12.3f %12.3f %12.2f%s\n", tol, std::string(jounce::word(method)).c_str(),
                  run.statistics.method.c_str(), run.statistics.steps, run.statistics.rejected, largest_error(run, expected),
                  1e3 * full, 1e3 * few, few / radau, run.outcome.done() ? "" : "   did not arrive");
    }
  }
}
