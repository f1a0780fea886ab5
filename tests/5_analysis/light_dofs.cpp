// Dofs that move no inertia and that loops decide: bodies without mass, and rods that have none about themselves.
#include "analysis_test.hpp"
#include "jounce/analysis/check/check.hpp"
#include "jounce/analysis/compare/compare.hpp"
#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/io/read_model.hpp"
#include "parity_compare.hpp"

namespace light_dofs_test {

using namespace jounce;
using namespace jounce::test;

namespace {

// Integrated to a tolerance of 1e-11.
constexpr double kIntegrated = 1e-8;

SpaceMechanism in_space(const std::string& text) {
  auto mechanism = build_space(parse_model(text, "light.toml").model);
  REQUIRE_MESSAGE(mechanism.ok(), jounce::text(mechanism.problems()));
  return *std::move(mechanism);
}

// A crank about z and a rocker about x, with a coupler on a ball at the crank and on a Hooke joint at the rocker.
SpaceMechanism askew(const std::string& about_itself, const std::string& mass) {
  const std::string across = mass == "0" ? "0" : "\"" + mass + "*1.21/12\"";
  return in_space("jounce = 1\nname = \"Askew\"\nspace = \"3d\"\ngravity = [0.5, 1, -9.81]\n"
                  "[bodies.crank]\nmass = 0.4\ncom = [0.15, 0, 0]\ninertia = [1e-4, 3e-3, 3e-3, 0, 0, 0]\n"
                  "[bodies.rod]\nmass = " + mass + "\ncom = [0.55, 0, 0]\ninertia = [" + about_itself + ", " + across + ", " + across +
                  ", 0, 0, 0]\npoints = { B = { xyz = [1.1, 0, 0], rpy = [0, \"90*deg\", 0] } }\n"
                  "[bodies.rocker]\nmass = 0.9\ncom = [0, 0.1, 0.3]\ninertia = [0.03, 0.03, 2e-3, 0, 0, 0]\npoints = { B = [0, 0, 0.7] }\n"
                  "[joints.O]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"crank\"\naxis = [0, 0, 1]\nq = [0.8]\nv = [2]\n"
                  "[joints.A]\ntype = \"spherical\"\nparent = \"crank\"\nchild = \"rod\"\norigin = { xyz = [0.3, 0, 0], rpy = [0, -0.7, -0.5] }\n"
                  "[joints.Q]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"rocker\"\norigin = { xyz = [1, 0.2, 0] }\naxis = [1, 0, 0]\nq = [0.2]\n"
                  "[loops.closing]\ntype = \"universal\"\ni = \"rod.B\"\nj = \"rocker.B\"\n");
}

double last(const DynamicsRun& run, const std::string& column) { return *run.results.at(run.results.rows() - 1, column); }

}  // namespace

TEST_CASE("a coupler without mass moves and carries in space as in the plane") {
  // oracle: the engine of the plane, in which bodies without mass are not special
  Model m = four_bar(1, 0.3, 0.9, 0.7, 1.0, 1);
  m.gravity = {Text(0.0), Text(-9.81)};
  for (std::size_t b = 0; b < 3; ++b) {
    const bool coupler = m.bodies[b].name == "coupler";
    m.bodies[b].mass = Text(coupler ? 0.0 : 0.8), m.bodies[b].inertia = Text(coupler ? 0.0 : 0.03);
    m.bodies[b].com = std::vector<Text>{Text(coupler ? 0.0 : 0.2), Text(0.0)};
  }
  for (const oracle::Closing closing : {oracle::Closing::hinges, oracle::Closing::plane_only}) {
    const parity::Both both(m, closing);
    REQUIRE(both.space);
    const parity::Ran plane = parity::dynamics(both.plane, 1, 8, Method::automatic, 1e-11);
    CHECK(compare(*both.space, 0.1).comparison->agree());
    for (const Method method : {Method::dop853, Method::radau}) {
      const parity::Ran space = parity::dynamics(*both.space, 1, 8, method, 1e-11);
      REQUIRE(plane.outcome.done());
      REQUIRE_MESSAGE(space.outcome.done(), (text(space.problems) + space.outcome.sentence));
      parity::Comparison comparison(both, plane, space);
      comparison.bodies();
      if (closing == oracle::Closing::plane_only) comparison.loads();  // otherwise out of the plane there is more to share
      for (const auto& kind : comparison.kinds) {
        CAPTURE(kind.first);
        CAPTURE(kind.second.where);
        CHECK(kind.second.relative(1) < (method == Method::radau ? 1e-6 : kIntegrated));
      }
    }
  }
}

TEST_CASE("a thin rod between a ball and a Hooke joint moves as one with a hundred-millionth of inertia about itself") {
  // oracle: the same rod with a little inertia there, so much that it changes the sixth digit and rounding does not
  const DynamicsOptions options{.to = 0.6, .steps = 2, .tolerance = 1e-11};
  for (const char* mass : {"0.5", "0"}) {
    CAPTURE(mass);
    const SpaceMechanism thin = askew("0", mass);
    CHECK(check(thin).problems.empty());
    const DynamicsRun run = dynamics(thin, options);
    REQUIRE_MESSAGE(run.outcome.done(), (text(run.problems) + run.outcome.sentence));
    if (mass != std::string("0")) {
      const DynamicsRun thick = dynamics(askew("1e-8", mass), options);
      for (const char* column : {"O.q1", "O.v1", "O.a1", "O.j1", "O.s1", "Q.v1", "Q.a1", "A.fx", "closing.fz"}) {
        CAPTURE(column);
        CHECK(std::abs(last(run, column) - last(thick, column)) < 1e-5 * (1 + std::abs(last(thick, column))));
      }
    }
    CHECK(run.statistics.energy_drift < kIntegrated);
    for (const Formulation formulation : {Formulation::crba, Formulation::kkt, Formulation::nullspace}) {
      DynamicsOptions by = options;
      by.formulation = formulation;
      const DynamicsRun other = dynamics(thin, by);
      REQUIRE_MESSAGE(other.outcome.done(), (text(other.problems) + other.outcome.sentence));
      for (const char* column : {"O.q1", "O.v1", "O.a1", "O.s1", "Q.a1", "A.fx", "A.a1", "closing.fz", "closing.lambda1_rate"}) {
        CAPTURE(column);
        CHECK(std::abs(last(run, column) - last(other, column)) < kIntegrated * (1 + std::abs(last(run, column))));
      }
    }
    const ComparisonResult found = compare(thin, 0.3);
    REQUIRE(found.comparison);
    CHECK(found.comparison->agree());
    CHECK(std::ranges::count_if(found.comparison->formulations, &ComparedFormulation::applies) == 4);
  }
}

TEST_CASE("exact dry friction and a body without mass go together") {
  // oracle: the same coupler with a millionth of a kilogram, which changes the sixth digit; the crank comes to rest and stays there
  const DynamicsOptions options{.to = 3, .steps = 6, .tolerance = 1e-10};
  const auto rubbing = [](const std::string& mass, const std::string& about_itself) {
    SpaceMechanism out = askew(about_itself, mass);
    out.dofs[0].friction.dry_friction = 8;
    return out;
  };
  for (const Formulation formulation : {Formulation::aba, Formulation::crba, Formulation::kkt}) {
    DynamicsOptions by = options;
    by.formulation = formulation;
    const DynamicsRun run = dynamics(rubbing("0", "0"), by);
    REQUIRE_MESSAGE(run.outcome.done(), (text(run.problems) + run.outcome.sentence));
    const DynamicsRun heavy = dynamics(rubbing("1e-6", "1e-9"), options);
    REQUIRE_MESSAGE(heavy.outcome.done(), heavy.outcome.sentence);
    CHECK(last(run, "O.v1") == 0);
    for (const char* column : {"O.q1", "Q.q1", "O.tau1", "A.fx", "closing.fz"}) {
      CAPTURE(column);
      CHECK(std::abs(last(run, column) - last(heavy, column)) < 1e-4 * (1 + std::abs(last(heavy, column))));
    }
  }
}

TEST_CASE("what no loop decides is refused as before") {
  // oracle: nothing holds the second body, which has no mass
  const SpaceMechanism loose = in_space("jounce = 1\nname = \"Loose\"\nspace = \"3d\"\n[bodies.a]\nmass = 1\ncom = [1, 0, 0]\ninertia = [0, 0, 0, 0, 0, 0]\n"
                                        "[bodies.b]\nmass = 0\n[joints.A]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"a\"\n"
                                        "[joints.B]\ntype = \"revolute\"\nparent = \"a\"\nchild = \"b\"\n");
  const DynamicsRun run = dynamics(loose, {.to = 0.1, .steps = 1});
  CHECK(!run.outcome.done());
  REQUIRE(!run.problems.empty());
  CHECK(run.problems[0].sentence.find("no inertia is moved") != std::string::npos);
}

TEST_CASE("a link without mass that comes to the end of its reach ends the run there, with its name, and does not hang") {
  // oracle: such a link from a universal joint to a ball is a rod of that length: the same load on a massless rod. The joint reaches sqrt(1.04) along its first axis, as
  // (1, 0.5, 0.2) turns about the second: where the rod takes the ball there, the link cannot follow
  const std::string load = "jounce = 1\nname = \"Reach\"\nspace = \"3d\"\n[ground]\npoints = { O = [0, 0, 0] }\n[bodies.load]\nmass = 2\ncom = [0.1, 0.2, 0.3]\n"
                           "inertia = [0.3, 0.4, 0.5, 0, 0, 0]\npoints = { P = [0, 0, 0] }\n";
  const SpaceMechanism linked = in_space(load + "[bodies.link]\nmass = 0\n[joints.cross]\ntype = \"universal\"\nparent = \"ground\"\nchild = \"link\"\nv = [0, 1]\n"
                                                "[joints.ball]\ntype = \"spherical\"\nparent = \"link\"\nchild = \"load\"\norigin = { xyz = [1, 0.5, 0.2] }\nv = [0, -1, 0]\n");
  for (const Method method : {Method::automatic, Method::radau}) {
    DynamicsOptions options{.to = 1, .steps = 4};
    options.method = method;
    const DynamicsRun run = dynamics(linked, options);
    CHECK(run.outcome.kind == Outcome::Kind::step_too_small);
    CHECK_MESSAGE(run.outcome.sentence.find("body 'link', which has no mass, grow without bound") != std::string::npos, run.outcome.sentence);
    CHECK(run.outcome.elements == std::vector<std::string>{"cross", "link"});
    CHECK(run.statistics.steps < 20000);
    const SpaceMechanism on_rod = in_space(load + "[joints.free]\ntype = \"free\"\nparent = \"ground\"\nchild = \"load\"\nq = [1, 0, 0, 0, 1, 0.5, 0.2]\nv = [0, 0, 0, 0.2, 0, -1]\n"
                                                  "[loops.rod]\ntype = \"distance\"\ni = \"ground.O\"\nj = \"load.P\"\n");
    const DynamicsRun there = dynamics(on_rod, {.to = run.outcome.t, .steps = 1, .tolerance = 1e-11});
    REQUIRE(there.outcome.done());
    CHECK(std::abs(last(there, "load.P.x") - std::sqrt(1.04)) < 1e-6);
  }
}

}  // namespace light_dofs_test
