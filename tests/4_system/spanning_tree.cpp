// Oracles: joint graphs small enough to be drawn, and what a spanning tree is.
#include "jounce/plane/spanning/spanning_tree.hpp"

#include <set>

#include "5_analysis/analysis_test.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/plane/equations/formulation_choice.hpp"
#include "oracles/random_mechanism.hpp"

namespace spanning_tree_test {

using namespace jounce;
using namespace jounce::test;

namespace {

Body& heavy_bar(Model& m, const std::string& name, double x = 0, double y = 0) {
  Body& body = bar(m, name, 1, x, y, 0);
  body.mass = Text(1.0), body.inertia = Text(1.0);
  return body;
}

std::string number(int i) { return "b" + std::to_string(i); }

// b0 on the ground, then each on the end of the one before.
Model chain(int n) {
  Model m;
  m.ground.point("O", 0.0, 0.0);
  for (int i = 0; i < n; ++i) {
    heavy_bar(m, number(i), i);
    pin(m, "j" + std::to_string(i), i == 0 ? "ground.O" : number(i - 1) + ".B", number(i) + ".A");
  }
  return m;
}

// b0 on the ground, all others on the end of it.
Model star(int joints) {
  Model m;
  m.ground.point("O", 0.0, 0.0);
  heavy_bar(m, number(0));
  pin(m, "j0", "ground.O", "b0.A");
  for (int i = 1; i < joints; ++i) {
    heavy_bar(m, number(i), 1);
    pin(m, "j" + std::to_string(i), "b0.B", number(i) + ".A");
  }
  return m;
}

std::set<std::string> names(const PlanarSystem& system, const std::vector<int>& constraints) {
  std::set<std::string> out;
  for (const int c : constraints) out.insert(system.constraints()[static_cast<std::size_t>(c)].name);
  return out;
}

const SpanningTree::Edge& edge(const PlaneMechanism& mechanism, const SpanningTree& tree, const std::string& name) {
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
    if (mechanism.bodies[b].name == name) return tree.edges[static_cast<std::size_t>(tree.edge_of[b])];
  FAIL("no body " << name);
  return tree.edges[0];
}

}  // namespace

TEST_CASE("a chain hangs as it is drawn, and a ring of joints is cut in its middle") {
  const PlaneMechanism open = built(chain(6));
  const SpanningTree tree = spanning_tree(open.system);
  CHECK(tree.open());
  CHECK(tree.depth == 6);
  Model m = chain(6);
  m.ground.point("E", 6.0, 0.0);
  pin(m, "end", "ground.E", "b5.B");
  const PlaneMechanism closed = built(m);
  const SpanningTree ring = spanning_tree(closed.system);
  CHECK(ring.depth == 3);  // three from each side
  CHECK(names(closed.system, ring.closures) == std::set<std::string>{"j3"});
}

TEST_CASE("pins carry before slots, whatever the depth; drivers and gears carry nothing") {
  Model m = chain(2);
  m.ground.point("P", 0.0, 0.0);
  m.ground.point("Q", 1.0, 0.0);
  m.joint("slot", "pin-in-slot").set("slot", std::vector<Text>{"ground.P", "ground.Q"}).set("pin", Text("b1.B"));
  m.joint("gears", "gear").set("i", Text("b0")).set("j", Text("b1")).set("ratio", Text(-2.0));
  motor(m, "motor", "ground", "b0", "t");
  const PlaneMechanism mechanism = built(m);
  const SpanningTree tree = spanning_tree(mechanism.system);
  CHECK(edge(mechanism, tree, "b1").parent == 1);
  CHECK(names(mechanism.system, tree.closures) == std::set<std::string>{"slot", "gears", "motor"});
}

TEST_CASE("what nothing ties to the ground floats by the body in its middle") {
  Model m = chain(1);
  for (int i = 10; i < 15; ++i) heavy_bar(m, number(i), i);
  for (int i = 10; i < 14; ++i) pin(m, "p" + std::to_string(i), number(i) + ".B", number(i + 1) + ".A");
  const PlaneMechanism mechanism = built(m);
  const SpanningTree tree = spanning_tree(mechanism.system);
  CHECK(edge(mechanism, tree, "b12").constraint == -1);
  CHECK(edge(mechanism, tree, "b10").depth == 3);
  CHECK(edge(mechanism, tree, "b14").depth == 3);
  CHECK(tree.open());
}

TEST_CASE("every body has one carrier that comes before it, and every constraint is in the tree or closes a loop") {
  // oracle: what a spanning tree is, on random mechanisms of all types
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    oracle::MechanismMaker maker(seed);
    const auto made = seed % 3 == 0 ? maker.chain() : seed % 3 == 1 ? maker.tree() : maker.linkage();
    const auto mechanism = build_plane(parse_model(made.plane, "random.toml").model);
    REQUIRE(mechanism.ok());
    const PlanarSystem& system = mechanism->system;
    const SpanningTree tree = spanning_tree(system);
    REQUIRE(tree.edges.size() == static_cast<std::size_t>(system.bodies()));
    std::set<int> reached{0}, used(tree.closures.begin(), tree.closures.end());
    for (const SpanningTree::Edge& e : tree.edges) {
      CHECK(reached.contains(e.parent));
      CHECK(reached.insert(e.body).second);
      if (e.constraint < 0) continue;
      CHECK(used.insert(e.constraint).second);
      const Constraint& joint = system.constraints()[static_cast<std::size_t>(e.constraint)];
      CHECK(std::set<int>(joint.bodies.begin(), joint.bodies.end()) == std::set<int>{e.body, e.parent});
    }
    CHECK(used.size() == system.constraints().size());
  }
}

TEST_CASE("what auto is: by the joints on one body, by loops, by masses") {
  // source: the table of docs/performance.md
  CHECK(chosen_formulation(built(chain(40)).system) == Formulation::lagrange);
  CHECK(chosen_formulation(built(star(15)).system) == Formulation::lagrange);
  CHECK(chosen_formulation(built(star(16)).system) == Formulation::aba);
  const auto on_legs = [](int legs) {  // all tips on the ground again
    Model m = star(legs);
    m.ground.point("E", 2.0, 0.0);
    for (int i = 1; i < legs; ++i) pin(m, "foot" + std::to_string(i), "ground.E", number(i) + ".B");
    return chosen_formulation(built(m).system);
  };
  CHECK(on_legs(49) == Formulation::lagrange);
  CHECK(on_legs(50) == Formulation::kkt);
  // how far bodies lie from each other is no ratio of masses
  Model far = chain(2);
  far.ground.point("F", 1e6, 0.0);
  far.bodies.push_back(far.bodies[0]);
  far.bodies.back().name = "lonely";
  far.bodies.back().position = std::vector<Text>{1e6, 0.0};
  pin(far, "far", "ground.F", "lonely.A");
  CHECK(chosen_formulation(built(far).system) == Formulation::lagrange);
  Model light = chain(3);
  light.bodies[1].mass = Text(0.0), light.bodies[1].inertia = Text(0.0);
  CHECK(chosen_formulation(built(light).system) == Formulation::aba);
  light.ground.point("E", 3.0, 0.0);
  pin(light, "end", "ground.E", "b2.B");
  CHECK(chosen_formulation(built(light).system) == Formulation::kkt);
}

}  // namespace spanning_tree_test
