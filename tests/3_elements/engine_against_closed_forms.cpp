// Oracle: the closed forms of the formula specification (tests/oracles), and the 50-digit vectors of planar.json.
//
// The engine derives every right-hand side from one residual by power series, and kappa by dual numbers over series; the
// oracles differentiate by hand. States are random and off the constraint manifold.
#include <doctest/doctest.h>

#include "element_test.hpp"
#include "oracles/vectors.hpp"

namespace engine_against_closed_forms_test {

using namespace jounce;
using namespace jounce::test;
using oracle::vectors;

namespace {

constexpr std::array<double, 5> kFactorial{1, 1, 2, 6, 24};

Vec2<double> vec(const oracle::Vec& v) { return {v[0], v[1]}; }
p::Coordinate<double> coordinate(int body, std::size_t which) {
  p::Coordinate<double> c{body, {}, {}};
  c.pick[which] = 1;
  return c;
}

// The engine's element for a type code of the specification; bodies are the slots i, j, k.
template <class F>
void with_element(const std::string& type, const oracle::Parameters& r, const F& f) {
  const p::Point<double> Pi{0, vec(r.sPi)}, Pj{1, vec(r.sPj)};
  const p::Line<double> line_i{0, vec(r.sPi), vec(r.ai)}, line_j{1, vec(r.sPj), vec(r.aj)};
  if (type == "REV") return f(p::Revolute<double>{Pi, Pj});
  if (type == "REV_REV") return f(p::Distance<double>{Pi, Pj, {r.L}});
  if (type == "PARALLEL") return f(p::Parallel<double>{line_i, line_j});
  if (type == "PIN_SLOT") return f(p::PinInSlot<double>{line_i, Pj});
  if (type == "TRANSLATIONAL") return f(p::Translational<double>{line_i, line_j});
  if (type == "WELD") return f(p::Weld<double>{Pi, Pj, {r.C}});
  if (type == "ANGLE") return f(p::AngleDriver<double>{{0}, {1}, {r.C}, {0}});
  if (type == "GEAR") return f(p::Gear<double>{{0}, {1}, {r.K}, {r.C}});
  if (type == "GEAR_ON_K") return f(p::GearOnArm<double>{{0}, {1}, {2}, {r.K}, {r.C}});
  if (type == "RCD") return f(p::CoordinateDriver<double>{coordinate(1, r.coord_j), coordinate(0, r.coord_i), r.K, {r.C}, {0}});
  if (type == "RCD without f") return f(p::CoordinateJoint<double>{coordinate(1, r.coord_j), coordinate(0, r.coord_i), r.K, {r.C}});
  if (type == "PP2DD") return f(p::SlotDistanceDriver<double>{line_i, Pj, {0}});
  if (type == "ROLL") return f(p::Rolling<double>{line_i, Pj, r.rho, {r.C}});
  if (type == "PRDD") return f(p::DistanceDriver<double>{Pi, Pj, {0}});
  FAIL("no element for " << type);
}

oracle::Rows by_hand(const std::string& type, const oracle::Parameters& r, const std::vector<oracle::Body>& b, const std::vector<double>& l) {
  if (type == "TRANSLATIONAL") return oracle::translational(b[0], b[1], r.sPi, r.ai, r.sPj, r.aj, {l[0], l[1]});
  if (type == "WELD") return oracle::weld(b[0], b[1], r.sPi, r.sPj, r.C, {l[0], l[1], l[2]});
  if (type == "RCD without f") return oracle::relative_coordinate(b[0], b[1], r.coord_i, r.coord_j, r.K, r.C, {});
  return oracle::closed_form(type, r, b, l);
}

// Everything the specification states, from the residual alone.
template <class E>
oracle::Rows by_engine(const E& element, const std::vector<oracle::Body>& bodies, const oracle::Driver& f, const std::vector<double>& lambda) {
  const auto motion_of = [&]<class S>(S, int blank) {
    std::array<std::array<S, 3>, kSlots> q{};
    for (std::size_t b = 0; b < bodies.size(); ++b)
      for (int k = 0; k <= S::order(); ++k) {
        const auto n = static_cast<std::size_t>(k);
        const double scale = k == blank && k > 0 ? 0 : 1 / kFactorial[n];
        q[b][0][k] = bodies[b].x[n] * scale, q[b][1][k] = bodies[b].y[n] * scale, q[b][2][k] = bodies[b].phi[n] * scale;
      }
    return q;
  };
  Series<4> drive;
  for (int k = 0; k <= 4; ++k) drive[k] = f[static_cast<std::size_t>(k)] / kFactorial[static_cast<std::size_t>(k)];

  oracle::Rows out;
  for (int k = 0; k <= 4; ++k) {  // coefficient k with q_k = 0 is the whole right-hand side
    const auto rows = residual(element, motion_of(Series<4>{}, k), drive);
    std::array<std::vector<double>*, 5> into{&out.phi, &out.nu, &out.gamma, &out.eta, &out.sigma};
    for (const auto& row : rows) into[static_cast<std::size_t>(k)]->push_back((k == 0 ? 1 : -kFactorial[static_cast<std::size_t>(k)]) * row[k]);
  }

  using T = Dual<3 * kSlots, Series<1>>;
  const auto q1 = motion_of(Series<1>{}, -1);
  std::array<std::array<T, 3>, kSlots> x{};
  for (std::size_t b = 0; b < kSlots; ++b)
    for (std::size_t c = 0; c < 3; ++c) x[b][c] = T::variable(q1[b][c], static_cast<int>(3 * b + c));
  const auto rows = residual(element, x, T(Series<1>{drive[0], drive[1]}));
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    out.phi_q.emplace_back();
    out.kappa.push_back({});
    for (std::size_t row = 0; row < rows.size(); ++row) {
      out.phi_q[b].push_back({rows[row].d[3 * b][0], rows[row].d[3 * b + 1][0], rows[row].d[3 * b + 2][0]});
      for (std::size_t c = 0; c < 3; ++c) out.kappa[b][c] += lambda[row] * rows[row].d[3 * b + c][1];
    }
  }
  return out;
}

double gap(const oracle::Rows& a, const oracle::Rows& b) {
  double worst = 0;
  const auto meet = [&](double x, double y) { worst = std::isfinite(x) ? std::max(worst, std::abs(x - y)) : 1e300; };
  const auto lists = [&](const auto& u, const auto& v) {
    REQUIRE(u.size() == v.size());
    for (std::size_t i = 0; i < u.size(); ++i) meet(u[i], v[i]);
  };
  lists(a.phi, b.phi), lists(a.nu, b.nu), lists(a.gamma, b.gamma), lists(a.eta, b.eta), lists(a.sigma, b.sigma);
  REQUIRE(a.phi_q.size() == b.phi_q.size());
  for (std::size_t s = 0; s < a.phi_q.size(); ++s) {
    lists(a.kappa[s], b.kappa[s]);
    REQUIRE(a.phi_q[s].size() == b.phi_q[s].size());
    for (std::size_t r = 0; r < a.phi_q[s].size(); ++r) lists(a.phi_q[s][r], b.phi_q[s][r]);
  }
  return worst;
}

double scale_of(const oracle::Rows& r) {
  double most = 1;
  for (const auto* list : {&r.phi, &r.nu, &r.gamma, &r.eta, &r.sigma}) most = std::max(most, largest(*list));
  for (const auto& k : r.kappa)
    for (const double x : k) most = std::max(most, std::abs(x));
  return most;
}

}  // namespace

TEST_CASE("velocity, acceleration, jerk, snap and kappa of every type are those of the closed forms") {
  // oracle: planar_closed_forms.hpp at 200 random states for each type
  Random random;
  const auto number = [&] { return random.between(-2, 2); };
  for (const std::string type : {"REV", "REV_REV", "PARALLEL", "PIN_SLOT", "TRANSLATIONAL", "WELD", "ANGLE", "GEAR", "GEAR_ON_K", "RCD",
                                 "RCD without f", "PP2DD", "ROLL", "PRDD"}) {
    CAPTURE(type);
    for (int i = 0; i < kStates; ++i) {
      oracle::Parameters r;
      for (oracle::Vec* v : {&r.sPi, &r.sPj, &r.ai, &r.aj}) *v = {number(), number()};
      r.L = random.between(0.1, 2), r.K = number(), r.C = number(), r.rho = number();
      r.coord_i = static_cast<std::size_t>(random.below(3)), r.coord_j = static_cast<std::size_t>(random.below(3));
      if (type != "RCD without f")
        for (double& f : r.f) f = number();
      std::vector<oracle::Body> bodies(type == "GEAR_ON_K" ? 3 : 2);
      for (auto& b : bodies)
        for (auto* u : {&b.x, &b.y, &b.phi})
          for (double& x : *u) x = number();
      const std::vector<double> lambda{number(), number(), number()};
      const oracle::Rows expected = by_hand(type, r, bodies, lambda);
      with_element(type, r, [&](const auto& element) {
        REQUIRE(gap(by_engine(element, bodies, r.f, lambda), expected) <= kRoundOff * scale_of(expected));
      });
    }
  }
}

TEST_CASE("the engine reproduces every constraint record of the vectors") {
  // oracle: planar.json, tolerance as suggested there
  CHECK(vectors().constraints.size() == 61);
  for (const auto& record : vectors().constraints) {
    CAPTURE(record.type);
    CAPTURE(record.note);
    with_element(record.type, record.params, [&](const auto& element) {
      const oracle::Rows rows = by_engine(element, record.bodies, record.params.f, record.lambda);
      CHECK(gap(rows, record.expected) <= kRoundOff * record.scale);
    });
  }
}

TEST_CASE("a body-fixed point moves as the point records say") {
  // oracle: planar.json
  CHECK(vectors().points.size() == 5);
  for (const auto& record : vectors().points) {
    Series<4> x, y, phi;
    for (int k = 0; k <= 4; ++k) {
      const auto n = static_cast<std::size_t>(k);
      x[k] = record.body.x[n] / kFactorial[n], y[k] = record.body.y[n] / kFactorial[n], phi[k] = record.body.phi[n] / kFactorial[n];
    }
    const std::array<p::Frame<Series<4>>, 1> frames{frame(x, y, phi)};
    const auto point = p::World<Series<4>>{frames, {}}.at(0, vec(record.sPi));
    for (int k = 0; k <= 4; ++k) {
      const oracle::Vec& r = record.expected.r[static_cast<std::size_t>(k)];
      CHECK(std::abs(point.x.derivative(k) - r[0]) <= kRoundOff * record.scale);
      CHECK(std::abs(point.y.derivative(k) - r[1]) <= kRoundOff * record.scale);
    }
  }
}

}  // namespace engine_against_closed_forms_test
