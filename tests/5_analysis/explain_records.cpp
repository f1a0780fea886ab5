// Oracle: the constraint and force records of planar.json, through a model, `build` and `explain_state`.
#include "jounce/io/read_model.hpp"
#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/explain/explain.hpp"
#include "jounce/analysis/inverse.hpp"
#include "jounce/io/load.hpp"

#include "places.hpp"
#include "vector_models.hpp"

namespace explain_records_test {

using namespace jounce;
using namespace jounce::test;

namespace {

double gap(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::isfinite(a[i]) ? std::max(worst, std::abs(a[i] - b[i])) : 1e300;
  return worst;
}

}  // namespace

TEST_CASE("explaining a state shows the numbers of the vectors for every constraint record") {
  // oracle: planar.json, tolerance as suggested there
  for (const auto& record : vectors().constraints) {
    CAPTURE(record.type);
    CAPTURE(record.note);
    Model m;
    const std::vector<std::string> bodies{"i", "j", "k"};
    std::array<std::vector<double>, 5> q;
    for (std::size_t b = 0; b < record.bodies.size(); ++b) {
      const oracle::Body& state = record.bodies[b];
      draw(m.body(bodies[b]), state.x[0], state.y[0], state.phi[0]);
      for (std::size_t k = 0; k < 5; ++k) q[k].insert(q[k].end(), {state.x[k], state.y[k], state.phi[k]});
    }
    const auto& f = record.params.f;  // as the polynomial that has these derivatives at t = 0
    const std::string motion = text_of(f[0]) + " + " + text_of(f[1]) + "*t + " + text_of(f[2]) + "*t^2/2 + " + text_of(f[3]) + "*t^3/6 + " +
                               text_of(f[4]) + "*t^4/24";
    add_constraint(m, "c", record.type, record.params, bodies, motion);
    // the multipliers of a record belong to its one constraint
    const std::vector<double> lambda(record.lambda.begin(), record.lambda.begin() + static_cast<long>(record.expected.phi.size()));
    const Explanation e = explain_state(built(m), 0, q, lambda);
    REQUIRE(e.constraints.size() == 1);
    const ExplainedConstraint& c = e.constraints[0];
    const double tolerance = kSolved * record.scale;
    CHECK(gap(c.phi, record.expected.phi) <= tolerance);
    CHECK(gap(c.nu, record.expected.nu) <= tolerance);
    CHECK(gap(c.gamma, record.expected.gamma) <= tolerance);
    CHECK(gap(c.eta, record.expected.eta) <= tolerance);
    CHECK(gap(c.sigma, record.expected.sigma) <= tolerance);
    CHECK(c.lambda == lambda);
    for (std::size_t b = 0; b < record.bodies.size(); ++b) {
      const auto block = std::find_if(c.bodies.begin(), c.bodies.end(), [&](const ExplainedBlock& x) { return x.body == bodies[b]; });
      REQUIRE(block != c.bodies.end());
      for (std::size_t column = 0; column < 3; ++column) {
        CHECK(std::abs(block->kappa[column] - record.expected.kappa[b][column]) <= tolerance);
        for (std::size_t row = 0; row < c.phi.size(); ++row)
          CHECK(std::abs(block->phi_q[row][column] - record.expected.phi_q[b][row][column]) <= tolerance);
      }
    }
  }
}

TEST_CASE("explaining a state shows the numbers of the vectors for every force record") {
  // oracle: planar.json, tolerance as suggested there
  for (const oracle::ForceRecord& r : vectors().forces) {
    CAPTURE(r.type);
    std::array<std::vector<double>, 5> q;
    for (std::size_t k = 0; k < 5; ++k) q[k] = coordinates(r.bodies, k);
    const Explanation e = explain_state(built(force_model(r)), r.t, q);
    REQUIRE(e.forces.size() == 1);
    const ExplainedForce& f = e.forces[0];
    CHECK(f.trouble.empty());
    const double tolerance = kSolved * r.scale;
    REQUIRE(f.bodies.size() == r.bodies.size());
    for (std::size_t b = 0; b < r.bodies.size(); ++b) {
      CHECK(f.bodies[b].body == (b == 0 ? "i" : "j"));
      for (std::size_t c = 0; c < 3; ++c) {
        CHECK(std::abs(f.bodies[b].Q[c] - r.Q[b][c]) <= tolerance);
        CHECK(std::abs(f.bodies[b].Q_rate[c] - r.Qdot[b][c]) <= tolerance);
      }
    }
    CHECK((f.along == ExplainedForce::Along::none) == (r.measure == std::array<double, 3>{}));
    for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(f.measure[k] - r.measure[k]) <= tolerance);
    for (std::size_t k = 0; k < 2; ++k) CHECK(std::abs(f.effort[k] - r.effort[k]) <= tolerance);
  }
}

TEST_CASE("a spring without free length is explained also where its ends meet") {
  // oracle: d = (3, 4) t + (1, 0) t²/2 gives l' = 5, l'' = (3, 4)·(1, 0)/5, f' = k l' for t > 0
  Model m;
  m.ground.point("P", 0.0, 0.0);
  m.body("b").point("P", 0.0, 0.0);
  force(m, "k", "spring").set("i", Text("ground.P")).set("j", Text("b.P")).set("stiffness", Text(10.0)).set("free_length", Text(0.0));
  std::array<std::vector<double>, 5> q;
  for (auto& order : q) order.assign(3, 0.0);
  q[1] = {3, 4, 0}, q[2] = {1, 0, 0};
  const ExplainedForce f = explain_state(built(m), 0, q).forces.at(0);
  CHECK(f.measure[0] == 0);
  CHECK(f.measure[1] == doctest::Approx(5).epsilon(kSolved));
  CHECK(f.measure[2] == doctest::Approx(0.6).epsilon(kSolved));
  CHECK(f.effort[0] == 0);
  CHECK(f.effort[1] == doctest::Approx(50).epsilon(kSolved));
}

TEST_CASE("a force without a value is named and does not spoil the rest") {
  Model m;
  m.ground.point("P", 0.0, 0.0);
  m.body("b").point("P", 0.0, 0.0);
  force(m, "k", "spring").set("i", Text("ground.P")).set("j", Text("b.P")).set("stiffness", Text(10.0)).set("free_length", Text(0.2));
  force(m, "T", "moment").set("on", Text("b")).set("value", Text("3*t"));
  std::array<std::vector<double>, 5> q;
  for (auto& order : q) order.assign(3, 0.0);
  const Explanation e = explain_state(built(m), 2, q);
  CHECK(e.forces.at(0).trouble == "its length has become zero: a spring needs a line of action");
  CHECK(e.forces.at(1).bodies.at(0).Q[2] == 6);
  CHECK(e.forces.at(1).bodies.at(0).Q_rate[2] == 3);
}

TEST_CASE("multipliers of a driven mechanism carry the applied forces") {
  // oracle: a bar turned at constant speed about its centre of mass: the motor's moment is minus the applied one, and the pin
  // carries the applied force and the weight. Signs from spec 2.3: −Φqᵀ λ acts on the body.
  Model m;
  m.gravity = {Text(0.0), Text(-10.0)};
  m.ground.point("O", 0.0, 0.0);
  Body& b = m.body("bar");
  b.point("O", 0.0, 0.0).mass = Text(2.0);
  b.inertia = Text(0.5);
  pin(m, "O", "ground.O", "bar.O");
  motor(m, "motor", "ground", "bar", "3*t");
  force(m, "F", "force").set("on", Text("bar.O")).set("value", std::vector<Text>{"7", "1"});
  force(m, "T", "moment").set("on", Text("bar")).set("value", Text("0.3"));
  const ExplainResult r = explain(built(m), 0.5);
  REQUIRE(r.explanation);
  CHECK(r.explanation->multipliers == "computed from the masses, gravity and forces");
  const auto& pin_force = r.explanation->constraints.at(0).lambda;  // on body j: −λ
  CHECK(pin_force.at(0) == doctest::Approx(7).epsilon(kSolved));
  CHECK(pin_force.at(1) == doctest::Approx(1 - 20).epsilon(kSolved));
  CHECK(r.explanation->constraints.at(1).lambda.at(0) == doctest::Approx(0.3).epsilon(kSolved));
}

TEST_CASE("explaining a driven mechanism at a time shows a state that obeys all four levels") {
  // oracle: Φq q^(n) = ν, γ, η, σ, and Φ = 0, at the mechanism's own motion (spec 2.1)
  Model m = four_bar(0.35, 0.10, 0.25, 0.30, 0.3, 1);
  m.body("coupler").com = std::vector<Text>{0.1, 0.05};
  motor(m, "motor", "ground", "crank", "2*t + sin(t)");
  for (const double t : {0.0, 1.7}) {
    const PlaneMechanism mechanism = built(m);
    const ExplainResult r = explain(mechanism, t);
    REQUIRE(r.explanation.has_value());
    const Explanation& e = *r.explanation;
    CHECK(e.t == t);
    CHECK(e.constraints.size() == 5);
    for (const ExplainedConstraint& c : e.constraints) {
      CAPTURE(c.name);
      const std::array<const std::vector<double>*, 4> right{&c.nu, &c.gamma, &c.eta, &c.sigma};
      for (std::size_t row = 0; row < c.phi.size(); ++row) {
        CHECK(std::abs(c.phi[row]) <= kSolved);
        for (std::size_t k = 1; k < 5; ++k) {
          double left = 0, size = 1;
          for (const ExplainedBlock& block : c.bodies)
            for (const ExplainedBody& body : e.bodies)
              for (std::size_t column = 0; body.name == block.body && column < 3; ++column) {
                left += block.phi_q[row][column] * body.q[k][column];
                size = std::max(size, std::abs(body.q[k][column]));
              }
          CHECK(std::abs(left - (*right[k - 1])[row]) <= kSolved * size);
        }
      }
    }
  }
}

TEST_CASE("what moves by itself is explained where forward dynamics has brought it, with what it solves for there") {
  // oracle: the columns of the run itself, and Φq q'' = γ, which a drawing at rest does not obey
  const auto mechanism = load_plane(places::source() + "/models/double-pendulum/model.toml");
  REQUIRE(mechanism.ok());
  const double t = 0.3;
  const DynamicsRun run = dynamics(*mechanism, {.to = t, .steps = 1, .tolerance = 1e-10});
  const ExplainResult found = explain(*mechanism, t);
  REQUIRE_MESSAGE(found.explanation, found.outcome.sentence);
  const auto near = [&](double shown, const std::string& column) {
    CAPTURE(column);
    const double own = *run.results.at(1, column);
    CHECK(std::abs(shown - own) <= 1e-9 * (1 + std::abs(own)));
  };
  const ExplainedBody& upper = found.explanation->bodies.front();
  near(upper.q[0][2], "upper.phi"), near(upper.q[1][2], "upper.vphi"), near(upper.q[2][2], "upper.aphi"), near(upper.q[3][2], "upper.jphi");
  const ExplainedConstraint& shoulder = found.explanation->constraints.front();
  near(shoulder.lambda[0], "shoulder.lambda1"), near(shoulder.lambda_rate[1], "shoulder.lambda2_rate");
  for (std::size_t r = 0; r < 2; ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c) sum += shoulder.bodies.front().phi_q[r][c] * upper.q[2][c];
    CHECK(std::abs(sum - shoulder.gamma[r]) < 1e-9);
  }
}

TEST_CASE("what dry friction holds is explained as the run has it, and what slides too") {
  // oracle: the columns of the run itself; Q of all forces is mass times acceleration, and at rest their rates balance: the push grows by 0.5 N/s
  auto read = parse_model_file(places::source() + "/models/stick-slip/model.toml");
  read.model.force("push", "force").set("on", Text("block.com")).set("value", std::vector<Text>{"0.5*t", 0.0});
  const auto mechanism = build_plane(read.model);
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  for (const double t : {0.1, 1.2}) {
    CAPTURE(t);
    const DynamicsRun run = dynamics(*mechanism, {.to = t, .steps = 1, .tolerance = 1e-10});
    const ExplainResult found = explain(*mechanism, t);
    REQUIRE_MESSAGE(found.explanation, found.outcome.sentence);
    const ExplainedForce &coil = found.explanation->forces[0], &push = found.explanation->forces[1];
    const double acceleration = found.explanation->bodies.front().q[2][0];
    CHECK(std::abs(acceleration - *run.results.at(1, "block.ax")) < 1e-8);
    CHECK(std::abs(coil.effort[0] - *run.results.at(1, "coil.f")) < 1e-8);
    CHECK(std::abs(coil.bodies.front().Q[0] + push.bodies.front().Q[0] - acceleration) < 1e-8);  // 1 kg
    const double rate = coil.bodies.front().Q_rate[0] + push.bodies.front().Q_rate[0];
    CHECK(std::abs(rate - found.explanation->bodies.front().q[3][0]) < 1e-8);
    CHECK((acceleration == 0) == (t > 1));
    if (t > 1) CHECK(std::abs(coil.bodies.front().Q_rate[0] + 0.5) < 1e-8);
  }
}

TEST_CASE("redundant driven mechanisms are explained with the shortest multipliers, as inverse dynamics reports them") {
  // oracle: the columns of inverse dynamics
  const auto mechanism = load_plane(places::source() + "/models/redundant-parallelogram/model.toml");
  REQUIRE(mechanism.ok());
  const KinematicsRun run = inverse(*mechanism, {.to = 0.3, .steps = 1});
  const ExplainResult found = explain(*mechanism, 0.3);
  REQUIRE(found.explanation);
  for (const ExplainedConstraint& c : found.explanation->constraints)
    for (std::size_t r = 0; r < c.lambda.size(); ++r) {
      CAPTURE(c.name);
      const double own = *run.results.at(1, c.name + ".lambda" + std::to_string(r + 1));
      CHECK(std::abs(c.lambda[r] - own) <= 1e-9 * (1 + std::abs(own)));
    }
}

}  // namespace explain_records_test
