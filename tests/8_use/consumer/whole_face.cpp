// Calls what <jounce/jounce.hpp> and <jounce/tree.hpp> offer on a mechanism of the plane and one of space; the tests of the rungs look at the numbers.
#include <cmath>
#include <cstdio>
#include <jounce/jounce.hpp>
#include <jounce/tree.hpp>
#include <string>
#include <vector>

namespace {

int wrong = 0;

void expect(bool good, const char* what, const std::string& model) {
  if (good) return;
  ++wrong;
  std::printf("%s: %s\n", model.c_str(), what);
}

void every_door(const std::string& path) {
  using namespace jounce;
  const auto loaded = load(path);
  if (!loaded) return expect(false, text(loaded.problems()).c_str(), path);
  const Mechanism& mechanism = *loaded;
  const bool plane = mechanism.space() == Space::plane;

  const Run ran = run(mechanism);
  expect(ran.outcome.done() && ran.results.rows() > 1, "runs", path);
  expect(!facts(ran, summary(mechanism, ran)).empty(), "tells what the run came to", path);
  const auto page = report_html(mechanism, ran);
  expect(page && page->find("</html>") != std::string::npos, "writes a report", path);
  expect(check(mechanism).assembly.assembled, "assembles", path);
  expect(explain(mechanism, 0.1).reached(), "is explained", path);
  expect(explain_kane(mechanism, 0).explanation.has_value() == plane, "is explained by Kane's method in the plane", path);
  const ComparisonResult compared = compare(mechanism, 0.1);
  expect(compared.comparison && compared.comparison->agree(), "agrees with itself", path);
  expect(draw(mechanism, 0.1).svg.starts_with("<svg"), "is drawn", path);
  const StateResult there = state_at(mechanism, 0.1);
  expect(there.state && there.state->q.size() == mechanism.coordinates() && there.state->v.size() == mechanism.rates(), "has a state", path);
  Simulation simulation(mechanism);
  expect(simulation.ready() && simulation.advance(0.01), "is stepped", path);
  const auto again = Mechanism::build(mechanism.model());
  expect(again && !write_model(again->model()).empty(), "is built of its own model", path);

  std::string csv;
  CsvWriter writer(csv);
  expect(writer.header(ran.results.names()) && writer.row(ran.results.row(0)) && writer.row(ran.results.row(1)) && writer.finish(), "is written as CSV", path);
  const auto table = parse_csv(csv, "rows");
  expect(table && plot(*table, std::vector{ran.results.names().at(1)}, {}), "is plotted", path);

  const tree::Tree* tree = tree_of(mechanism);
  expect((tree == nullptr) == plane, "has a tree of links in space", path);
}

}  // namespace

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) every_door(arguments[i]);
  const auto right_angle = jounce::evaluate("90*deg");
  expect(right_angle && std::abs(*right_angle - std::acos(0.0)) < 1e-15, "evaluates", "90*deg");
  expect(!jounce::version().empty(), "has a version", "jounce");
  return wrong;
}
