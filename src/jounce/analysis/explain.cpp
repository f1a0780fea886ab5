#include "jounce/analysis/explain.hpp"

#include <algorithm>

#include "jounce/analysis/assembly.hpp"
#include "jounce/analysis/kinematics.hpp"
#include "jounce/scalar/dual.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/system/planar_system_impl.hpp"

namespace jounce {
namespace {

constexpr int kOrder = 4;
constexpr std::array<double, kOrder + 1> kFactorial{1, 1, 2, 6, 24};

std::size_t z(int i) { return static_cast<std::size_t>(i); }

using State = std::array<std::vector<double>, kOrder + 1>;  // derivatives, not coefficients

// A copy of an element whose bodies are numbered 0, 1, … in the order of its fields, so that a body that appears twice
// has two places.
struct Renumber {
  int slot_count = 0;
  std::vector<int>& bodies;
  void number(double) const {}
  void slot(int& body) { bodies.push_back(body), body = slot_count++; }
  void motion(int& index) const { index = 0; }
};

template <class T>
planar::Frame<T> frame(const T& x, const T& y, const T& phi) {
  const auto turn = sincos(phi);
  return {x, y, turn.cos, turn.sin, phi};
}

// Coordinate c of a body as a series of order K, with the coefficients from `orders` on left out.
template <int K>
Series<K> coordinate(const State& q, int body, int c, int orders) {
  Series<K> s(0.0);
  if (body == 0) return s;
  for (int k = 0; k <= K && k < orders; ++k) s[k] = q[z(k)][z(3 * (body - 1) + c)] / kFactorial[z(k)];
  return s;
}

template <template <class> class E>
ExplainedConstraint explain_one(const Mechanism& mechanism, const Constraint& c, E<double> element, const Series<kOrder>& f,
                                const State& q, std::span<const double> lambda) {
  constexpr int kRows = planar::equations<E>;
  constexpr int kSlots = planar::Kernel<E>::kSlots;
  constexpr int kColumns = 3 * kSlots;
  std::vector<int> slots;
  planar::walk(element, Renumber{0, slots});

  ExplainedConstraint out{c.name, std::string(planar::word(c.group)), std::string(c.type), {}, {}, {}, {}, {}, {}, {}};
  out.lambda.assign(lambda.begin(), lambda.end());

  // ν, γ, η, σ: −k! times coefficient k of Φ along the motion with the k-th coefficients of q left out
  for (int k = 0; k <= kOrder; ++k) {
    using S = Series<kOrder>;
    std::array<planar::Frame<S>, kSlots> frames;
    for (int s = 0; s < kSlots; ++s) {
      const auto at = [&](int column) { return coordinate<kOrder>(q, slots[z(s)], column, std::max(k, 1)); };
      frames[z(s)] = frame(at(0), at(1), at(2));
    }
    const std::array<S, 1> motions{f};
    const auto phi = element.residual(planar::World<S>{frames, motions});
    std::vector<double>& row = k == 0 ? out.phi : k == 1 ? out.nu : k == 2 ? out.gamma : k == 3 ? out.eta : out.sigma;
    for (const S& r : phi) row.push_back(k == 0 ? r[0] : 0.0 - kFactorial[z(k)] * r[k]);
  }

  // Φq and its time derivative together: dual numbers whose parts are series of order 1
  using S = Series<1>;
  using D = Dual<kColumns, S>;
  std::array<planar::Frame<D>, kSlots> frames;
  for (int s = 0; s < kSlots; ++s) {
    const auto at = [&](int column) {
      D x(0.0);
      x.v = coordinate<1>(q, slots[z(s)], column, 2);
      x.d[z(3 * s + column)] = S(1.0);
      return x;
    };
    frames[z(s)] = frame(at(0), at(1), at(2));
  }
  D drive(0.0);
  drive.v[0] = f[0], drive.v[1] = f[1];
  const std::array<D, 1> motions{drive};
  const auto phi = element.residual(planar::World<D>{frames, motions});
  for (int s = 0; s < kSlots; ++s) {
    if (slots[z(s)] == 0) continue;  // the ground has no columns
    const std::string& body = mechanism.bodies[z(slots[z(s)])].name;
    auto block = std::ranges::find(out.bodies, body, &ExplainedBlock::body);
    if (block == out.bodies.end()) block = out.bodies.insert(block, {body, std::vector<std::array<double, 3>>(z(kRows)), {}});
    for (int r = 0; r < kRows; ++r)
      for (int column = 0; column < 3; ++column) {
        const S& gradient = phi[z(r)].d[z(3 * s + column)];
        block->phi_q[z(r)][z(column)] += gradient[0];
        block->kappa[z(column)] += gradient[1] * lambda[z(r)];
      }
  }
  return out;
}

// Multipliers of the driven motion: Φqᵀ λ = Q − M q̈ with gravity the only force. Empty where masses are missing, other forces act
// or the multipliers are not unique.
std::vector<double> computed_multipliers(const Mechanism& mechanism, double t, const State& q) {
  const PlanarSystem& system = mechanism.system;
  if (mechanism.has_forces || system.equations() != system.coordinates()) return {};
  Evaluation evaluation(system, 0);
  if (evaluation.set_time(t)) return {};
  (void)evaluation.set_position(q[0]);
  SparseLu lu(system.pattern());
  lu.factor(evaluation.jacobian());
  if (!lu.full_column_rank()) return {};
  std::vector<double> force(z(system.coordinates())), by_row(z(system.equations()));
  for (int b = 1; b <= system.bodies(); ++b) {
    const BodyData& body = mechanism.bodies[z(b)];
    if (!body.mass || !body.inertia) return {};
    const std::size_t at = z(3 * (b - 1));
    force[at] = *body.mass * (mechanism.gravity.x - q[2][at]);
    force[at + 1] = *body.mass * (mechanism.gravity.y - q[2][at + 1]);
    force[at + 2] = -*body.inertia * q[2][at + 2];
  }
  lu.solve_transposed(force, by_row);
  std::vector<double> in_file_order;
  for (const Constraint& c : system.constraints())
    for (int r = 0; r < c.rows; ++r) in_file_order.push_back(by_row[z(c.first_row + r)]);
  return in_file_order;
}

}  // namespace

Explanation explain_state(const Mechanism& mechanism, double t, const State& q, const std::vector<double>& given) {
  const PlanarSystem& system = mechanism.system;
  Explanation out;
  out.t = t;
  for (int b = 1; b <= system.bodies(); ++b) {
    const BodyData& body = mechanism.bodies[z(b)];
    ExplainedBody shown{body.name, body.com.x == 0 && body.com.y == 0, {}};
    for (int k = 0; k <= kOrder; ++k)
      for (int c = 0; c < 3; ++c) shown.q[z(k)][z(c)] = q[z(k)][z(3 * (b - 1) + c)];
    out.bodies.push_back(shown);
  }
  std::vector<double> lambda = given;
  out.multipliers = "given";
  if (lambda.empty()) {
    lambda = computed_multipliers(mechanism, t, q);
    out.multipliers = "computed from the masses and gravity";
  }
  if (lambda.size() != z(system.equations())) {
    lambda.assign(z(system.equations()), 1.0);
    out.multipliers = "1 for every equation";
  }
  std::vector<std::size_t> first(system.constraints().size() + 1, 0);  // of a constraint's multipliers, in file order
  for (std::size_t c = 0; c < system.constraints().size(); ++c) first[c + 1] = first[c] + z(system.constraints()[c].rows);

  out.constraints.resize(system.constraints().size());
  system.impl().each([&]<template <class> class E>(const Batch<E>& batch) {
    for (int e = 0; e < batch.size(); ++e) {
      const std::size_t at = z(batch.constraint[z(e)]);
      const Constraint& c = system.constraints()[at];
      Series<kOrder> f(0.0);
      if (c.motion >= 0) (void)system.motions()[z(c.motion)].function.evaluate(Series<kOrder>::time(t), f);
      out.constraints[at] = explain_one<E>(mechanism, c, batch.elements[z(e)], f, q, std::span(lambda).subspan(first[at], z(c.rows)));
    }
  });
  return out;
}

ExplainResult explain(const Mechanism& mechanism, double t, const std::vector<double>& lambda) {
  ExplainResult out;
  const std::size_t equations = z(mechanism.system.equations());
  if (!lambda.empty() && lambda.size() != equations) {
    out.problems = {error({}, "expected " + std::to_string(equations) + " multipliers, one for each equation, found " + std::to_string(lambda.size()))};
    return out;
  }
  const KinematicsRun run = kinematics(mechanism, {.to = t, .steps = 1, .columns = {}}, [](std::span<const double>) { return true; });
  out.outcome = run.outcome;
  out.problems = run.problems;
  const std::size_t n = z(mechanism.system.coordinates());
  State q;
  for (auto& order : q) order.assign(n, 0.0);
  if (run.outcome.done()) {
    for (int k = 0; k <= kOrder; ++k)
      for (std::size_t i = 0; i < n; ++i) q[z(k)][i] = kFactorial[z(k)] * run.last[z(k) * n + i];
  } else if (run.outcome.kind == Outcome::Kind::not_driven) {
    const Assembly at = assemble(mechanism, t);
    if (!at.assembled) return out;
    q[0] = at.q;
    out.outcome = {Outcome::Kind::done, t, "", {}};
    out.problems = {warning({}, "the mechanism is not fully driven: explained where it assembles, at rest")};
  } else {
    return out;
  }
  out.explanation = explain_state(mechanism, t, q, lambda);
  return out;
}

}  // namespace jounce
