// Oracle: the constraint records of planar.json, through a model, `build` and `explain_state`.
#include "jounce/analysis/explain.hpp"

#include "vector_models.hpp"

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

TEST_CASE("explaining a driven mechanism at a time shows a state that obeys all four levels") {
  // oracle: Φq q^(n) = ν, γ, η, σ, and Φ = 0, at the mechanism's own motion (spec 2.1)
  Model m = four_bar(0.35, 0.10, 0.25, 0.30, 0.3, 1);
  m.body("coupler").com = std::vector<Text>{0.1, 0.05};
  motor(m, "motor", "ground", "crank", "2*t + sin(t)");
  for (const double t : {0.0, 1.7}) {
    const Mechanism mechanism = built(m);
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
