// Redundant equations and masses of very different size, through every formulation and through `auto`.
#include <fstream>
#include <iterator>

#include "5_analysis/analysis_test.hpp"
#include "jounce/analysis/compare/compare.hpp"
#include "jounce/analysis/dynamics.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/plane/equations/formulation_choice.hpp"
#include "places.hpp"

namespace redundancy_test {

using namespace jounce;
using namespace jounce::test;

namespace {

constexpr double kSameMotion = 1e-9;

Body& rod(Model& m, const std::string& name, double mass, double x, double y, double phi) {
  Body& body = bar(m, name, 0.5, x, y, phi);
  body.mass = Text(mass), body.inertia = Text(mass / 12), body.com = std::vector<Text>{0.25, 0.0};
  return body;
}

// Two rods, the second with whatever holds it to the first.
Model two_rods() {
  Model m;
  m.gravity = std::vector<Text>{0.0, -10.0};
  m.ground.point("O", 0.0, 0.0);
  rod(m, "a", 1, 0, 0, 0.7);
  rod(m, "b", 1, 0.5 * std::cos(0.7), 0.5 * std::sin(0.7), 0.2);
  pin(m, "O", "ground.O", "a.A");
  return m;
}

double end_angle(const Model& m, Formulation formulation) {
  DynamicsOptions options;
  options.to = 1, options.steps = 1, options.tolerance = 1e-11, options.formulation = formulation;
  const DynamicsRun run = dynamics(built(m), options);
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  return *run.results.at(1, "a.phi");
}

}  // namespace

TEST_CASE("joints that say again what the tree says already change no motion, in any formulation") {
  // oracle: the same rods without the joint that says nothing new
  Model welded = two_rods(), pinned = two_rods();
  welded.joint("hold", "weld").set("i", Text("a.B")).set("j", Text("b.A"));
  pin(pinned, "hold", "a.B", "b.A");
  const double one_body = end_angle(welded, Formulation::lagrange), two_bodies = end_angle(pinned, Formulation::lagrange);
  Model weld_and_pin = welded, two_pins = pinned, pin_and_slot = pinned;
  pin(weld_and_pin, "again", "a.B", "b.A");
  pin(two_pins, "again", "a.B", "b.A");
  pin_and_slot.joint("again", "pin-in-slot").set("slot", std::vector<Text>{"a.B", "a.A"}).set("pin", Text("b.A"));
  for (const Formulation formulation : kFormulations) {
    CAPTURE(word(formulation));
    CHECK(std::abs(end_angle(weld_and_pin, formulation) - one_body) <= kSameMotion);
    CHECK(std::abs(end_angle(two_pins, formulation) - two_bodies) <= kSameMotion);
    CHECK(std::abs(end_angle(pin_and_slot, formulation) - two_bodies) <= kSameMotion);
  }
  for (const Model& m : {weld_and_pin, two_pins, pin_and_slot}) {
    const ComparisonResult result = compare(built(m), 0);
    REQUIRE(result.comparison);
    CHECK(result.comparison->agree());
    CHECK(!result.comparison->not_unique.empty());
  }
}

TEST_CASE("of equations that say the same the one is kept that says it best, in every formulation") {
  // oracle: kkt, which does not go along a tree. The line from pin to pin is so close to the y axis that across it one equation says next to nothing.
  std::ifstream in(places::source() + "/tests/data/pinned-in-line.toml");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const PlaneMechanism mechanism = built(parse_model(text, "model.toml").model);
  DynamicsOptions options;
  options.to = 0.4, options.steps = 3, options.formulation = Formulation::kkt;
  const DynamicsRun exact = dynamics(mechanism, options);
  for (const Formulation formulation : kFormulations) {
    CAPTURE(word(formulation));
    options.formulation = formulation;
    const DynamicsRun run = dynamics(mechanism, options);
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    for (std::size_t row = 0; row < run.results.rows(); ++row)
      for (const char* column : {"b0.phi", "b0.aphi", "b0.sphi", "b2.sphi", "b1.sphi"})
        CHECK(std::abs(*run.results.at(row, column) - *exact.results.at(row, column)) < 1e-8);
  }
}

TEST_CASE("a body that two pins hold on the ground shares its load between them by the shortest reactions, in every formulation") {
  // oracle: along the line of the pins each carries half of the weight's part (the shortest), across it by the lever
  std::ifstream in(places::source() + "/tests/data/pinned-twice.toml");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Model m = parse_model(text, "model.toml").model;
  for (const Formulation formulation : kFormulations) {
    CAPTURE(word(formulation));
    DynamicsOptions options;
    options.to = 0.4, options.steps = 3, options.formulation = formulation;
    const DynamicsRun run = dynamics(built(m), options);
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    CHECK(run.not_unique == std::vector<std::string>{"j1", "j2"});
    const double mass = 0.817509041376755, line_x = 0.2479765606987775 + 0.47362569427563406, line_y = 0.11815516450107033 - 0.14743085580596293;
    const double half = 0.5 * mass * (0.7778876642538091 * line_x + 1.7691736332668748 * line_y) / std::hypot(line_x, line_y);
    for (std::size_t row = 0; row < run.results.rows(); ++row)
      for (const std::string pin : {"j1", "j2"})
        CHECK(std::abs((*run.results.at(row, pin + ".fx") * line_x + *run.results.at(row, pin + ".fy") * line_y) / std::hypot(line_x, line_y) - half) < 1e-9);
  }
}

TEST_CASE("auto leaves lagrange where masses differ by many powers of ten, and keeps the joints closed") {
  // oracle: kkt, which does not invert M
  Model m = two_rods();
  pin(m, "hold", "a.B", "b.A");
  m.bodies[0].mass = Text(1e-4), m.bodies[0].inertia = Text(1e-6);
  m.bodies[1].mass = Text(1e6), m.bodies[1].inertia = Text(1e4);
  CHECK(chosen_formulation(built(m).system) == Formulation::aba);
  DynamicsOptions options;
  options.to = 0.2, options.steps = 1;
  const DynamicsRun run = dynamics(built(m), options);
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  options.formulation = Formulation::kkt;
  const DynamicsRun other = dynamics(built(m), options);
  REQUIRE(other.outcome.done());
  CHECK(std::abs(*run.results.at(1, "b.phi") - *other.results.at(1, "b.phi")) <= 1e-5);
  CHECK(*run.results.at(1, "constraint.error") <= 1e-9);
}

TEST_CASE("the condition of a comparison sees masses that differ, and explains what is lost to them") {
  Model m = two_rods();
  pin(m, "hold", "a.B", "b.A");
  const auto condition = [&](double ratio) {
    m.bodies[0].mass = Text(1 / ratio), m.bodies[0].inertia = Text(0.01 / ratio);
    m.bodies[1].mass = Text(ratio), m.bodies[1].inertia = Text(0.01 * ratio);
    const ComparisonResult result = compare(built(m), 0);
    REQUIRE(result.comparison);
    CHECK(result.comparison->agree());
    return result.comparison->condition;
  };
  CHECK(condition(1e3) > 1e4 * condition(1));  // S carries the ratio of 1e6
}

}  // namespace redundancy_test
