// Oracles: the force records of planar.json; differences of Q itself for its derivatives; the power of a spring; κ of the
// constraint records.
#include "jounce/plane/equations/linearisation.hpp"

#include "5_analysis/vector_models.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/plane/equations/direct.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"

namespace linearisation_test {

using namespace jounce;
using namespace jounce::test;

namespace {

// Of a central difference with Richardson's correction and a step of 1e-3: h^4 and rounding over h, times numbers of size 1e2.
constexpr double kDifference = 1e-8;

double time_of(const oracle::ForceRecord& r) { return r.bodies.size() == 2 ? r.t : 0; }

// Exact dry friction acts against the rate.
std::vector<double> directions(const oracle::ForceRecord& r) { return {sign(r.measure[1])}; }

Linearisation linearised(const PlanarSystem& system, const oracle::ForceRecord& r) {
  Linearisation out(system);
  if (!system.signals().empty()) out.set_directions(directions(r));
  return out;
}

// Σ of the entries times a vector.
std::vector<double> product(std::span<const Triplet> matrix, const std::vector<double>& x, std::size_t rows) {
  std::vector<double> y(rows);
  for (const Triplet& e : matrix) y[static_cast<std::size_t>(e.row)] += e.value * x[static_cast<std::size_t>(e.column)];
  return y;
}

// d f(x + s d) / ds at s = 0.
template <class F>
std::vector<double> slope(const F& f, const std::vector<double>& x, const std::vector<double>& d) {
  const auto central = [&](double h) {
    std::vector<double> ahead = x, behind = x;
    for (std::size_t i = 0; i < x.size(); ++i) ahead[i] += h * d[i], behind[i] -= h * d[i];
    std::vector<double> y = f(ahead);
    const std::vector<double> back = f(behind);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = (y[i] - back[i]) / (2 * h);
    return y;
  };
  constexpr double h = 1e-3;
  std::vector<double> fine = central(h / 2);
  const std::vector<double> coarse = central(h);
  for (std::size_t i = 0; i < fine.size(); ++i) fine[i] += (fine[i] - coarse[i]) / 3;
  return fine;
}

double gap(std::span<const double> a, std::span<const double> b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::isfinite(a[i]) ? std::max(worst, std::abs(a[i] - b[i])) : 1e300;
  return worst;
}

std::vector<double> flat(const std::vector<oracle::Row>& rows) {
  std::vector<double> out;
  for (const auto& row : rows) out.insert(out.end(), row.begin(), row.end());
  return out;
}

std::vector<double> unit(std::size_t size, std::size_t i) {
  std::vector<double> e(size);
  e[i] = 1;
  return e;
}

// Two bodies whose points P are drawn at i and j, with nothing between them yet.
Model two_points(double xi, double yi, double xj, double yj) {
  Model m;
  m.ground.point("P", xi, yi);
  draw(m.body("b"), xj, yj, 0.3);
  m.body("b").point("P", 0.0, 0.0);
  return m;
}

}  // namespace

TEST_CASE("every force record: measure, effort and generalized force with their rates") {
  // oracle: planar.json, tolerance as suggested there; series of order 1 carry the rates
  for (const oracle::ForceRecord& r : vectors().forces) {
    CAPTURE(r.type);
    const PlaneMechanism mechanism = built(force_model(r));
    const PlanarSystem& system = mechanism.system;
    const double t = time_of(r), tolerance = kSolved * r.scale;
    int seen = 0;
    system.impl().each_force([&]<template <class> class F>(const ForceBatch<F>& batch) {
      if (batch.size() == 0) return;
      ++seen;
      using S = Series<1>;
      using Local = direct::LocalForce<F>;
      const Local local(batch.elements[0]);
      std::array<S, z(3 * Local::kSlots)> q, v;
      const auto position = coordinates(r.bodies, 0), speed = coordinates(r.bodies, 1), acceleration = coordinates(r.bodies, 2);
      for (std::size_t i = 0; i < q.size(); ++i) q[i] = {position[i], speed[i]}, v[i] = {speed[i], acceleration[i]};
      direct::Circumstance<S, z(Local::kMotions)> at{.t = S::time(t), .direction = direct::kSignOfRate};
      for (std::size_t m = 0; m < at.motions.size(); ++m)
        REQUIRE(!system.force_motions()[z(local.motions[m])].function.evaluate(t, std::span<const S>(), at.motions[m]));
      if (batch.signal[0] >= 0) at.signal = &system.signals()[0];
      direct::Applied<F, S> out;
      REQUIRE(!direct::apply<F>(local.element, q, v, at, out));
      const auto expected = flat(r.Q), rates = flat(r.Qdot);
      for (std::size_t i = 0; i < q.size(); ++i) {
        CHECK(std::abs(out.Q[i][0] - expected[i]) <= tolerance);
        CHECK(std::abs(out.Q[i][1] - rates[i]) <= tolerance);
      }
      if (F<double>::kind == planar::ForceKind::given) return;
      const auto shown = direct::reading(out.x, out.rate, out.effort);
      CHECK(std::abs(shown.x[0] - r.measure[0]) <= tolerance);
      CHECK(std::abs(shown.x[1] - r.measure[1]) <= tolerance);
      CHECK(std::abs(shown.rate[0] - r.measure[1]) <= tolerance);
      CHECK(std::abs(shown.rate[1] - r.measure[2]) <= tolerance);
      CHECK(std::abs(shown.effort[0] - r.effort[0]) <= tolerance);
      CHECK(std::abs(shown.effort[1] - r.effort[1]) <= tolerance);
    });
    CHECK(seen == 1);
  }
}

TEST_CASE("Q of every force record, its derivatives and its power") {
  // oracles: planar.json; differences of Q; spec 4.3: the power given to the bodies is −f l'
  for (const oracle::ForceRecord& r : vectors().forces) {
    CAPTURE(r.type);
    const PlaneMechanism mechanism = built(force_model(r));
    Linearisation at = linearised(mechanism.system, r), elsewhere = linearised(mechanism.system, r);
    const auto q = coordinates(r.bodies, 0), v = coordinates(r.bodies, 1);
    const double t = time_of(r);
    REQUIRE(!at.forces(t, q, v));
    CHECK(gap(at.Q(), flat(r.Q)) <= kSolved * r.scale);
    const auto Q = [&](const std::vector<double>& at_q, const std::vector<double>& at_v) {
      REQUIRE(!elsewhere.forces(t, at_q, at_v));
      return std::vector<double>(elsewhere.Q().begin(), elsewhere.Q().end());
    };
    for (std::size_t i = 0; i < q.size(); ++i) {
      const auto e = unit(q.size(), i);
      CHECK(gap(product(at.dQ_dq(), e, q.size()), slope([&](const auto& x) { return Q(x, v); }, q, e)) <= kDifference * r.scale);
      CHECK(gap(product(at.dQ_dv(), e, q.size()), slope([&](const auto& x) { return Q(q, x); }, v, e)) <= kDifference * r.scale);
    }
    if (r.measure == std::array<double, 3>{}) continue;
    const ForceReading& shown = at.readings()[0];
    CHECK(std::abs(shown.x - r.measure[0]) <= kSolved * r.scale);
    CHECK(std::abs(shown.rate - r.measure[1]) <= kSolved * r.scale);
    CHECK(std::abs(shown.effort - r.effort[0]) <= kSolved * r.scale);
    double power = 0;
    for (std::size_t i = 0; i < q.size(); ++i) power += at.Q()[i] * v[i];
    CHECK(std::abs(power + shown.effort * shown.rate) <= kSolved * r.scale * r.scale);
  }
}

TEST_CASE("the derivative of the constraint forces times the velocity is kappa, for every constraint record") {
  // oracle: planar.json; κ = (Φqᵀ λ)_q q̇ (spec 2.4), and Φqᵀ λ from the Jacobian of the record
  for (const auto& record : vectors().constraints) {
    CAPTURE(record.type);
    CAPTURE(record.note);
    Model m;
    const std::vector<std::string> names{"i", "j", "k"};
    for (std::size_t b = 0; b < record.bodies.size(); ++b)
      draw(m.body(names[b]), record.bodies[b].x[0], record.bodies[b].y[0], record.bodies[b].phi[0]);
    add_constraint(m, "c", record.type, record.params, names, text_of(record.params.f[0]));
    const PlaneMechanism mechanism = built(m);
    const auto q = coordinates(record.bodies, 0), v = coordinates(record.bodies, 1);
    Linearisation at(mechanism.system);
    at.constraint_forces(0, q, record.lambda);
    const double tolerance = kSolved * record.scale * 10;  // sums of up to nine products
    CHECK(gap(product(at.d_constraint_force(), v, q.size()), flat(record.expected.kappa)) <= tolerance);
    std::vector<double> reaction(q.size());
    for (std::size_t b = 0; b < record.bodies.size(); ++b)
      for (std::size_t row = 0; row < record.expected.phi.size(); ++row)
        for (std::size_t c = 0; c < 3; ++c) reaction[3 * b + c] += record.expected.phi_q[b][row][c] * record.lambda[row];
    CHECK(gap(at.constraint_force(), reaction) <= tolerance);
  }
}

TEST_CASE("the potential is the one whose slope is the force of springs and gravity") {
  // oracle: Q = −∂V/∂q for springs without damping, by differences of V
  Model m = two_points(0.1, 0.2, 0.7, -0.4);
  m.body("b").mass = Text(1.3);
  m.gravity = std::vector<Text>{Text(0.5), Text(-9.81)};
  m.body("b").point("S", 0.2, 0.1);
  force(m, "k", "spring").set("i", Text("ground.P")).set("j", Text("b.S")).set("stiffness", Text(30.0)).set("free_length", Text(0.4));
  force(m, "k0", "spring").set("i", Text("b.S")).set("j", Text("ground.P")).set("stiffness", Text(7.0)).set("free_length", Text(0.0));
  force(m, "kt", "torsion-spring").set("i", Text("b")).set("j", Text("ground")).set("stiffness", Text(3.0)).set("free_angle", Text(0.2));
  const PlaneMechanism mechanism = built(m);
  Linearisation at(mechanism.system), elsewhere(mechanism.system);
  const std::vector<double> q{0.8, -0.3, 0.6}, rest(3);
  REQUIRE(!at.forces(0, q, rest));
  const auto potential = [&](const std::vector<double>& x) {
    REQUIRE(!elsewhere.forces(0, x, rest));
    return std::vector<double>{elsewhere.potential()};
  };
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(at.Q()[i] + slope(potential, q, unit(3, i))[0]) <= kDifference);
}

TEST_CASE("readings of a spring without free length: length, rate and tension, also where its ends meet") {
  // oracle: spec 4.3 with l0 = c = 0: f = k l, and l' is the speed where l = 0
  Model m = two_points(0, 0, 0.3, 0.4);
  force(m, "k", "spring").set("i", Text("ground.P")).set("j", Text("b.P")).set("stiffness", Text(10.0)).set("free_length", Text(0.0));
  const PlaneMechanism mechanism = built(m);
  Linearisation at(mechanism.system);
  const std::vector<double> v{1.0, 2.0, 0.5};
  REQUIRE(!at.forces(0, std::vector<double>{0.3, 0.4, 0}, v));
  CHECK(at.readings()[0].x == doctest::Approx(0.5).epsilon(kSolved));
  CHECK(at.readings()[0].rate == doctest::Approx((0.3 + 0.8) / 0.5).epsilon(kSolved));
  CHECK(at.readings()[0].effort == doctest::Approx(5.0).epsilon(kSolved));
  REQUIRE(!at.forces(0, std::vector<double>{0, 0, 0}, v));
  CHECK(at.readings()[0].x == 0);
  CHECK(at.readings()[0].rate == doctest::Approx(std::sqrt(5.0)).epsilon(kSolved));
  CHECK(at.readings()[0].effort == 0);
  CHECK(at.Q()[0] == 0);
  CHECK(gap(product(at.dQ_dq(), {1, 0, 0}, 3), std::vector<double>{-10, 0, 0}) <= kSolved);
}

TEST_CASE("a force without a value says why and whose it is") {
  Model m = two_points(0, 0, 0.3, 0.4);
  force(m, "first", "moment").set("on", Text("b")).set("value", Text("1"));
  force(m, "k", "spring").set("i", Text("ground.P")).set("j", Text("b.P")).set("stiffness", Text(10.0)).set("free_length", Text(0.1));
  const std::vector<double> rest(3);
  {
    const PlaneMechanism mechanism = built(m);
    Linearisation at(mechanism.system);
    const auto fault = at.forces(0, std::vector<double>{0, 0, 0}, rest);
    REQUIRE(fault);
    CHECK(fault->force == 1);
    CHECK(fault->sentence == "its length has become zero: a spring needs a line of action");
    CHECK(fault->column == 0);
  }
  m.forces[1].set("actuator", Text("3 + log(0.2 - l)"));
  {
    const PlaneMechanism mechanism = built(m);
    Linearisation at(mechanism.system);
    const auto fault = at.forces(0, std::vector<double>{0.3, 0.4, 0}, rest);
    REQUIRE(fault);
    CHECK(fault->force == 1);
    CHECK(fault->sentence.starts_with("log of a negative number"));
    CHECK(fault->column == 5);
  }
  m.forces[1].set("actuator", Text("2*sign(v)"));
  {
    const PlaneMechanism mechanism = built(m);
    Linearisation at(mechanism.system);
    const std::vector<double> q{0.3, 0.4, 0};
    const auto fault = at.forces(0, q, rest);
    REQUIRE(fault);
    CHECK(fault->sentence == "sign has a jump at 0: no derivative there");
    REQUIRE(!at.forces_at_rest(0, q));  // sign(0) = 0: the spring alone
    CHECK(at.readings()[0].effort == 0);
    CHECK(at.readings()[1].effort == doctest::Approx(4.0).epsilon(kSolved));
    CHECK(at.dQ_dv().empty());
  }
  m.forces[0].set("value", Text("sqrt(t - 1)"));
  {
    const PlaneMechanism mechanism = built(m);
    Linearisation at(mechanism.system);
    const auto fault = at.forces_at_rest(0, std::vector<double>{0.3, 0.4, 0});
    REQUIRE(fault);
    CHECK(fault->force == 0);
    CHECK(fault->sentence.starts_with("sqrt of a negative number"));
  }
}

}  // namespace linearisation_test
