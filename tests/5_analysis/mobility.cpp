// Oracle: mechanisms whose free motions can be counted by hand.
#include "jounce/plane/motion/mobility.hpp"

#include "analysis_test.hpp"

namespace mobility_test {

using namespace jounce;
using namespace jounce::test;

namespace {

Mobility of(const Model& model) {
  const PlaneMechanism mechanism = built(model);
  const Assembly start = assemble(mechanism);
  REQUIRE_MESSAGE(start.assembled, text(start.problems));
  return mobility(mechanism, start.q);
}

Model pendulum() {
  Model m;
  m.ground.point("O", 0.0, 0.0);
  bar(m, "arm", 1, 0, 0, 0.4);
  pin(m, "pO", "ground.O", "arm.A");
  return m;
}

// Bars between nodes; the nodes named "G…" are on the ground.
struct Node {
  std::string name;
  double x, y;
};
Model truss(const std::vector<Node>& nodes, const std::vector<std::pair<int, int>>& bars) {
  Model m;
  std::vector<std::string> first(nodes.size());  // the bar end that stands for a node
  for (std::size_t n = 0; n < nodes.size(); ++n)
    if (nodes[n].name[0] == 'G') m.ground.point(nodes[n].name, nodes[n].x, nodes[n].y), first[n] = "ground." + nodes[n].name;
  for (const auto& [a, b] : bars) {
    const Node &from = nodes[static_cast<std::size_t>(a)], &to = nodes[static_cast<std::size_t>(b)];
    const std::string name = from.name + to.name;
    bar(m, name, std::hypot(to.x - from.x, to.y - from.y), from.x, from.y, std::atan2(to.y - from.y, to.x - from.x));
    for (const auto& [node, end] : {std::pair{a, ".A"}, std::pair{b, ".B"}}) {
      std::string& held = first[static_cast<std::size_t>(node)];
      if (held.empty()) held = name + end;
      else pin(m, "j" + std::to_string(m.joints.size()), held, name + end);
    }
  }
  return m;
}

}  // namespace

TEST_CASE("free motions are counted as by hand") {
  // oracle: Grübler's formula and inspection
  const Mobility one = of(pendulum());
  CHECK(one.counted == 1);
  CHECK(one.mobility == 1);
  CHECK(one.undriven == 1);
  CHECK(one.redundant == 0);
  CHECK(one.dependent.empty());
  CHECK(!one.singular_position);
  CHECK(!one.only_infinitesimal);

  Model driven = pendulum();
  motor(driven, "motor", "ground", "arm", "t");
  const Mobility none_left = of(driven);
  CHECK(none_left.mobility == 1);
  CHECK(none_left.undriven == 0);
  CHECK(none_left.driver_equations == 1);

  const Mobility four = of(four_bar(0.35, 0.10, 0.25, 0.30, 0.5, 1));
  CHECK(four.counted == 1);
  CHECK(four.mobility == 1);

  const Mobility five = of(truss({{"Ga", 0, 0}, {"Gb", 1, 0}, {"c", -0.2, 0.7}, {"d", 0.4, 1.3}, {"e", 1.1, 0.8}}, {{0, 2}, {2, 3}, {3, 4}, {4, 1}}));
  CHECK(five.counted == 2);
  CHECK(five.mobility == 2);

  const Mobility triangle = of(truss({{"Ga", 0, 0}, {"Gb", 1, 0}, {"c", 0.4, 0.8}}, {{0, 2}, {1, 2}}));
  CHECK(triangle.counted == 0);
  CHECK(triangle.mobility == 0);
  CHECK(triangle.redundant == 0);
  CHECK(!triangle.only_infinitesimal);

  Model floating;
  bar(floating, "free", 1, 0, 0, 0);
  CHECK(of(floating).mobility == 3);
}

TEST_CASE("a parallelogram with a third crank moves although it should not, and says which joints repeat") {
  // oracle: counted 0, moves 1; each of its pins but one can do without an equation
  Model m = four_bar(1, 0.5, 1, 0.5, 1, 1);
  m.ground.point("M", 0.5, 0.0);
  bar(m, "third", 0.5, 0.5, 0, 1);
  m.body("coupler").point("M", 0.5, 0.0);
  pin(m, "pM", "ground.M", "third.A");
  pin(m, "pN", "third.B", "coupler.M");
  Model loose = m;
  bar(loose, "bystander", 1, 5, 5, 0);
  loose.ground.point("Z", 5.0, 5.0);
  pin(loose, "pZ", "ground.Z", "bystander.A");
  for (const Model* model : {&m, &loose}) {
    const Mobility a = of(*model);
    const int extra = model == &loose ? 1 : 0;
    CHECK(a.counted == 0 + extra);
    CHECK(a.mobility == 1 + extra);
    CHECK(a.redundant == 1);
    CHECK(!a.singular_position);
    CHECK(!a.only_infinitesimal);
    REQUIRE(a.dependent.size() == 1);
    CHECK(a.dependent[0].consistent);
    for (const char* name : {"pO", "pA", "pB", "pQ", "pM", "pN"}) CHECK(names(a.dependent[0].names, name));
    CHECK(!names(a.dependent[0].names, "pZ"));
  }
}

TEST_CASE("two bars in one line between fixed pins are shaky: they give to first order only") {
  // oracle: the middle pin can move by e across while the bars lengthen by e² only
  const Mobility m = of(truss({{"Ga", 0, 0}, {"Gb", 2, 0}, {"c", 1, 0}}, {{0, 2}, {2, 1}}));
  CHECK(m.counted == 0);
  CHECK(m.mobility == 1);
  CHECK(m.redundant == 1);
  CHECK(m.only_infinitesimal);
  CHECK(!m.singular_position);
}

TEST_CASE("a pendulum beside a shaky truss still moves") {
  // oracle: one of the two free motions is real, so the whole is not infinitesimal only
  Model m = truss({{"Ga", 0, 0}, {"Gb", 2, 0}, {"c", 1, 0}}, {{0, 2}, {2, 1}});
  m.ground.point("O", 3.0, 0.0);
  bar(m, "arm", 1, 3, 0, 0.4);
  pin(m, "pO", "ground.O", "arm.A");
  const Mobility a = of(m);
  CHECK(a.mobility == 2);
  CHECK(!a.only_infinitesimal);
}

TEST_CASE("a flat parallelogram and a straight toggle are singular positions") {
  // oracle: at the flat position the parallelogram can move in two ways; beside it in one
  Model flat = four_bar(1, 0.5, 1, 0.5, 0, 1);
  const Mobility p = of(flat);
  CHECK(p.counted == 1);
  CHECK(p.mobility == 2);
  CHECK(p.singular_position);
  CHECK(!p.only_infinitesimal);

  // a slider-crank driven at its slider, drawn at the end of the stroke
  Model toggle = slider_crank(0.15, 0.3, 0);
  toggle.driver("cylinder", "slot-distance").set("line", std::vector<Text>{"ground.O", "ground.X"}).set("point", Text("block.P"))
      .set("motion", Text("0.45"));
  const Mobility t = of(toggle);
  CHECK(t.mobility == 1);
  CHECK(t.undriven == 1);
  CHECK(t.singular_position);
}

TEST_CASE("two motors on one shaft say the same thing, and contradict each other unless they run alike") {
  // oracle: 2 t and 3 t differ, 2 t and 2 t do not
  for (const bool alike : {true, false}) {
    CAPTURE(alike);
    Model m = pendulum();
    motor(m, "one", "ground", "arm", "2*t");
    motor(m, "two", "ground", "arm", alike ? "2*t" : "3*t");
    const Mobility a = of(m);
    CHECK(a.redundant == 1);
    CHECK(a.undriven == 0);
    REQUIRE(a.dependent.size() == 1);
    CHECK(a.dependent[0].consistent == alike);
    CHECK(a.dependent[0].names == std::vector<std::string>{"one", "two"});
  }
}

TEST_CASE("a large redundant mechanism has the mobility of a small one") {
  // oracle: a row of parallelograms with three cranks each has one motion, however many there are; each adds one surplus equation
  for (const int loops : {2, 120}) {
    CAPTURE(loops);
    Model m;
    const auto crank = [&](const std::string& name, double x) {
      m.ground.point("G" + name, x, 0.0);
      bar(m, name, 0.5, x, 0, 1);
      pin(m, "p" + name, "ground.G" + name, name + ".A");
    };
    crank("c0", 0);
    for (int k = 1; k <= loops; ++k) {
      const std::string n = std::to_string(k), before = "c" + std::to_string(k - 1);
      crank("m" + n, k - 0.5);
      crank("c" + n, k);
      bar(m, "coupler" + n, 1, (k - 1) + 0.5 * std::cos(1.0), 0.5 * std::sin(1.0), 0).point("M", 0.5, 0.0);
      pin(m, "a" + n, before + ".B", "coupler" + n + ".A");
      pin(m, "b" + n, "m" + n + ".B", "coupler" + n + ".M");
      pin(m, "d" + n, "coupler" + n + ".B", "c" + n + ".B");
    }
    const PlaneMechanism mechanism = built(m);
    const Mobility found = mobility(mechanism, mechanism.drawn);
    CHECK(found.mobility == 1);
    CHECK(found.counted == 1 - loops);
    CHECK(found.redundant == loops);
  }
}

}  // namespace mobility_test
