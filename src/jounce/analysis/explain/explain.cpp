#include "jounce/analysis/explain/explain.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/analysis/kinematics.hpp"
#include "jounce/plane/motion/dry_friction.hpp"
#include "jounce/plane/motion/multipliers.hpp"
#include "jounce/analysis/state_at.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/text.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/plane/equations/direct.hpp"
#include "jounce/plane/equations/equations_of_motion.hpp"
#include "jounce/plane/equations/force_rates.hpp"
#include "jounce/plane/equations/linearisation.hpp"
#include "jounce/plane/equations/own_equation.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"

namespace jounce {
namespace {

constexpr int kOrder = 4;
constexpr std::array<double, kOrder + 1> kFactorial{1, 1, 2, 6, 24};

using State = std::array<std::vector<double>, kOrder + 1>;  // derivatives, not coefficients

// Coordinate c of a body as a series of order K, with the coefficients from `orders` on left out; `first` is the derivative to
// begin with.
template <int K>
Series<K> coordinate(const State& q, int body, int c, int orders, int first) {
  Series<K> s(0.0);
  if (body == 0) return s;
  for (int k = 0; k <= K && k < orders; ++k) s[k] = q[z(first + k)][z(3 * (body - 1) + c)] / kFactorial[z(k)];
  return s;
}

// All coordinates of an element's slots, likewise; `first` is the derivative to begin with: 1 for their rates.
template <int K, class Local>
auto coordinates(const State& q, const Local& local, int orders, int first = 0) {
  std::array<Series<K>, z(3 * Local::kSlots)> out;
  for (int s = 0; s < Local::kSlots; ++s)
    for (int c = 0; c < 3; ++c) out[z(3 * s + c)] = coordinate<K>(q, local.bodies[z(s)], c, orders, first);
  return out;
}

// What `list` says of a body of that name, made if it is not there.
template <class Block>
Block& block_of(std::vector<Block>& list, const std::string& body, const Block& fresh) {
  const auto found = std::ranges::find(list, body, &Block::body);
  return found == list.end() ? list.emplace_back(fresh) : *found;
}

template <template <class> class E>
ExplainedConstraint explain_one(const PlaneMechanism& mechanism, const Constraint& c, const E<double>& of, const Series<kOrder>& f,
                                const State& q, std::span<const double> lambda) {
  using Local = direct::LocalConstraint<E>;
  constexpr int kRows = planar::equations<E>;
  const Local local(of);
  ExplainedConstraint out{c.name, std::string(planar::word(c.group)), std::string(c.type), {}, {}, {}, {}, {}, {}, {}, {}};
  out.lambda.assign(lambda.begin(), lambda.end());

  // ν, γ, η, σ: −k! times coefficient k of Φ along the motion with the k-th coefficients of q left out
  for (int k = 0; k <= kOrder; ++k) {
    using S = Series<kOrder>;
    const auto frames = direct::frames(coordinates<kOrder>(q, local, std::max(k, 1)));
    const std::array<S, 1> motions{f};
    const auto phi = local.element.residual(planar::World<S>{frames, motions});
    std::vector<double>& row = k == 0 ? out.phi : k == 1 ? out.nu : k == 2 ? out.gamma : k == 3 ? out.eta : out.sigma;
    for (const S& r : phi) row.push_back(k == 0 ? r[0] : 0.0 - kFactorial[z(k)] * r[k]);
  }

  // Φq and its time derivative together: dual numbers whose parts are series of order 1
  const auto phi = direct::equations(local.element, coordinates<1>(q, local, 2), std::array<Series<1>, 1>{Series<1>{f[0], f[1]}});
  for (int s = 0; s < Local::kSlots; ++s) {
    if (local.bodies[z(s)] == 0) continue;  // the ground has no columns
    const std::string& body = mechanism.bodies[z(local.bodies[z(s)])].name;
    ExplainedBlock& block = block_of(out.bodies, body, {body, std::vector<std::array<double, 3>>(z(kRows)), {}});
    for (int r = 0; r < kRows; ++r)
      for (int column = 0; column < 3; ++column) {
        const Series<1>& gradient = phi[z(r)].d[z(3 * s + column)];
        block.phi_q[z(r)][z(column)] += gradient[0];
        block.kappa[z(column)] += gradient[1] * lambda[z(r)];
      }
  }
  return out;
}

// An equation that the user has written, likewise.
ExplainedConstraint explain_one(const PlaneMechanism& mechanism, const Constraint& c, const planar::EquationLaw& law, double t, const State& q,
                                std::span<const double> lambda) {
  ExplainedConstraint out{c.name, std::string(planar::word(c.group)), std::string(c.type), {}, {}, {}, {}, {}, {}, {}, {}};
  out.lambda.assign(lambda.begin(), lambda.end());
  using S = Series<kOrder>;
  for (int k = 0; k <= kOrder; ++k) {
    const auto places = direct::places_of<S>(law, [&](int column) { return coordinate<kOrder>(q, column / 3 + 1, column % 3, std::max(k, 1), 0); });
    const S phi = direct::residual<S>(law, S::time(t), places);
    std::vector<double>& row = k == 0 ? out.phi : k == 1 ? out.nu : k == 2 ? out.gamma : k == 3 ? out.eta : out.sigma;
    row.push_back(k == 0 ? phi[0] : 0.0 - kFactorial[z(k)] * phi[k]);
  }
  const auto places = direct::places_of<Series<1>>(law, [&](int column) { return coordinate<1>(q, column / 3 + 1, column % 3, 2, 0); });
  const auto gradient = direct::gradient<Series<1>>(law, Series<1>::time(t), places);
  for (std::size_t s = 0; s < law.bodies.size(); ++s) {
    ExplainedBlock block{mechanism.bodies[z(law.bodies[s])].name, std::vector<std::array<double, 3>>(1), {}};
    for (std::size_t i = 0; i < 3; ++i) block.phi_q[0][i] = gradient[s][i][0], block.kappa[i] = gradient[s][i][1] * lambda[0];
    out.bodies.push_back(std::move(block));
  }
  return out;
}

ExplainedForce::Along along(planar::ForceKind kind) {
  if (kind == planar::ForceKind::given || kind == planar::ForceKind::compliance) return ExplainedForce::Along::none;
  return kind == planar::ForceKind::extension ? ExplainedForce::Along::length : ExplainedForce::Along::angle;
}

ExplainedForce explain_force(const PlaneMechanism& mechanism, const AppliedForce& force, const ForceAndRate& found) {
  ExplainedForce out{force.name, std::string(force.type), along(force.kind), found.measure, found.effort, {}, found.trouble};
  for (const ForceAndRate::OnBody& on : found.bodies) out.bodies.push_back({mechanism.bodies[z(on.body)].name, on.Q, on.Q_rate});
  return out;
}

// Multipliers in the order of the file.
std::vector<double> in_file_order(const PlanarSystem& system, std::span<const double> by_row) {
  std::vector<double> out;
  for (const Constraint& c : system.constraints())
    for (int r = 0; r < c.rows; ++r) out.push_back(by_row[z(c.first_row + r)]);
  return out;
}

// Multipliers and their rates, in the order of the file; empty where masses are missing or a force has no value.
struct Multipliers {
  std::vector<double> value, rate;
};

// Of the driven motion: Φqᵀ λ = Q − M q̈ and Φqᵀ λ̇ = Q̇ − M q⃛ − κ, of the least norm where they are not unique.
Multipliers computed_multipliers(const PlaneMechanism& mechanism, double t, const State& q, const std::vector<ForceAndRate>& forces) {
  const PlanarSystem& system = mechanism.system;
  Evaluation evaluation(system, 1);
  if (evaluation.set_time(t)) return {};
  (void)evaluation.set_position(q[0]);
  (void)evaluation.open(1);
  evaluation.close(1, q[1]);
  SparseLu lu(system.pattern());
  lu.factor(evaluation.jacobian());
  if (!lu.full_column_rank()) return {};
  std::vector<double> load(z(system.coordinates())), load_rate(load.size()), kappa(load.size());
  for (int b = 1; b <= system.bodies(); ++b) {
    const BodyData& body = mechanism.bodies[z(b)];
    if (!body.mass || !body.inertia) return {};
    const std::array<double, 3> mass{*body.mass, *body.mass, *body.inertia}, gravity{mechanism.gravity.x, mechanism.gravity.y, 0};
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t at = z(3 * (b - 1)) + c;
      load[at] = mass[c] * (gravity[c] - q[2][at]), load_rate[at] = -mass[c] * q[3][at];
    }
  }
  for (const ForceAndRate& force : forces) {
    if (!force.trouble.empty()) return {};
    for (const ForceAndRate::OnBody& on : force.bodies)
      for (std::size_t c = 0; c < 3; ++c) load[3 * z(on.body - 1) + c] += on.Q[c], load_rate[3 * z(on.body - 1) + c] += on.Q_rate[c];
  }
  std::vector<double> by_row(z(system.equations())), rate_by_row(by_row.size());
  const auto solve = [&](std::vector<double>& right, std::vector<double>& out) {
    lu.solve_transposed(right, out);
    if (!lu.spare_rows().empty()) shorten(indeterminacy(system, t, q[0]), out);
  };
  solve(load, by_row);
  add_kappa(evaluation, by_row, kappa);
  for (std::size_t i = 0; i < kappa.size(); ++i) load_rate[i] -= kappa[i];
  solve(load_rate, rate_by_row);
  return {in_file_order(system, by_row), in_file_order(system, rate_by_row)};
}

// A motion that masses and forces decide: accelerations, jerk, snap and multipliers at a state of the run.
struct Forward {
  State q;
  std::vector<double> lambda, lambda_rate;  // in the order of the file
  std::vector<FrictionAt> friction;          // one for each force
};
constexpr double kRunTolerance = 1e-10;  // of the run that leads there: rates below it are zero

std::optional<Forward> forward_at(const PlaneMechanism& mechanism, PlanarState state) {
  const PlanarSystem& base = mechanism.system;
  PlaneDryFriction friction(mechanism, Formulation::automatic, kRunTolerance);
  if (friction.any() && friction.start(state.t, state.q, state.v) != DryFriction::Status::decided) return std::nullopt;
  const PlanarSystem& system = friction.system();
  EquationsOfMotion at(system, kOrder);
  at.set_directions(friction.directions());
  if (at.set_time(state.t, kOrder)) return std::nullopt;
  at.set_position(state.q);
  at.factor(false);
  at.set_velocity(state.v);
  if (at.expand(kOrder)) return std::nullopt;
  Forward out;
  out.q[0] = state.q;
  for (int k = 1; k <= kOrder; ++k) {
    out.q[z(k)].resize(state.q.size());
    at.coefficient(k, out.q[z(k)]);
    for (double& x : out.q[z(k)]) x *= kFactorial[z(k)];
  }
  out.friction.resize(base.forces().size());
  for (std::size_t f = 0; f < out.friction.size(); ++f)
    if (const int signal = base.forces()[f].signal; friction.any() && signal >= 0) out.friction[f].direction = friction.directions()[z(signal)];
  for (const int s : base.rubbing()) {
    FrictionAt& of = out.friction[z(base.signals()[z(s)].force)];
    of.load = at.friction_load(s, 0), of.load_rate = at.friction_load(s, 1);
  }
  std::vector<double> by_row(z(system.equations())), of_base(z(base.equations()));
  std::vector<ForceReading> held(base.forces().size());
  const bool shared = !at.dropped_rows().empty();
  const auto multipliers = [&](int order, double FrictionAt::*part) {
    at.multipliers(order, by_row);
    if (shared) shorten(indeterminacy(system, state.t, state.q), by_row);
    friction.original_rows(by_row, of_base);
    std::ranges::fill(held, ForceReading{});
    friction.complete(by_row, held);
    for (std::size_t f = 0; f < held.size(); ++f) out.friction[f].*part = held[f].effort;
    return in_file_order(base, of_base);
  };
  out.lambda = multipliers(0, &FrictionAt::held);
  out.lambda_rate = multipliers(1, &FrictionAt::held_rate);
  const auto finite = [](const std::vector<double>& x) { return std::ranges::all_of(x, [](double a) { return std::isfinite(a); }); };
  if (!finite(out.lambda) || !std::ranges::all_of(out.q, finite)) return std::nullopt;
  return out;
}

Explanation explained(const PlaneMechanism& mechanism, double t, const State& q, const std::vector<double>& given,
                      std::span<const FrictionAt> friction) {
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
  const std::vector<ForceAndRate> forces = forces_and_rates(system, {t, q[0], q[1], q[2]}, friction);
  for (std::size_t f = 0; f < forces.size(); ++f) out.forces.push_back(explain_force(mechanism, system.forces()[f], forces[f]));
  std::vector<double> lambda = given;
  out.multipliers = "given";
  std::vector<double> rates;
  if (lambda.empty()) {
    Multipliers computed = computed_multipliers(mechanism, t, q, forces);
    lambda = std::move(computed.value), rates = std::move(computed.rate);
    out.multipliers = out.forces.empty() ? "computed from the masses and gravity" : "computed from the masses, gravity and forces";
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
      const auto own = std::span<const double>(lambda).subspan(first[at], z(c.rows));
      if constexpr (std::is_same_v<E<double>, planar::Equation<double>>) out.constraints[at] = explain_one(mechanism, c, *batch.elements[z(e)].law, t, q, own);
      else out.constraints[at] = explain_one<E>(mechanism, c, batch.elements[z(e)], f, q, own);
      for (int r = 0; r < c.rows && !rates.empty(); ++r) out.constraints[at].lambda_rate.push_back(rates[first[at] + z(r)]);
    }
  });
  return out;
}

}  // namespace

Explanation explain_state(const PlaneMechanism& mechanism, double t, const State& q, const std::vector<double>& lambda) {
  std::vector<FrictionAt> friction;
  add_joint_loads(mechanism.system, t, q[0], q[1], friction);
  return explained(mechanism, t, q, lambda, friction);
}

namespace {

constexpr const char* kSolvedFor = "computed from the masses, gravity and forces, with the accelerations";

// Where drivers leave motions free: the state of the run, by forward dynamics. Where masses are missing, the start, and what is not known is 0.
void explain_undriven(const PlaneMechanism& mechanism, double t, const std::vector<double>& lambda, const Stop& stop, ExplainResult& out) {
  const StateResult at = state_at(mechanism, t, stop);
  if (at.state) {
    if (const auto forward = forward_at(mechanism, *at.state)) {
      out.outcome = at.outcome;
      out.problems = at.problems;
      out.explanation = explained(mechanism, t, forward->q, lambda.empty() ? forward->lambda : lambda, forward->friction);
      if (!lambda.empty()) return;
      out.explanation->multipliers = kSolvedFor;
      auto rate = forward->lambda_rate.begin();
      for (ExplainedConstraint& c : out.explanation->constraints)
        for (std::size_t r = 0; r < c.lambda.size(); ++r) c.lambda_rate.push_back(*rate++);
      return;
    }
  }
  const bool massless = at.outcome.kind == Outcome::Kind::not_run;
  if (!massless || t > 0) {
    out.outcome = at.outcome;
    out.problems = at.problems;
    if (massless)
      out.problems.push_back(error({}, "the mechanism is not fully driven, and masses are missing: where it is at " + seconds(t) + " is not known",
                                   "give masses, add drivers, or leave --at out"));
    locate(out.problems, mechanism.file);
    return;
  }
  const Assembly start = assemble(mechanism, 0);
  out.problems = start.problems;
  if (!start.assembled) return;
  State q;
  for (auto& order : q) order.assign(start.q.size(), 0.0);
  q[0] = start.q;
  q[1] = mechanism.velocity;
  out.outcome = {Outcome::Kind::done, t, "", {}};
  out.problems.push_back(warning({}, "the mechanism is not fully driven, and masses are missing: explained at its start, with the velocities as "
                                     "written and without accelerations"));
  out.explanation = explain_state(mechanism, t, q, lambda);
}

}  // namespace

ExplainResult explain(const PlaneMechanism& mechanism, double t, const std::vector<double>& lambda, const Stop& stop) {
  ExplainResult out;
  const std::size_t equations = z(mechanism.system.equations());
  if (!lambda.empty() && lambda.size() != equations) {
    out.problems = {error({}, "expected " + std::to_string(equations) + " multipliers, one for each equation, found " + std::to_string(lambda.size()))};
    return out;
  }
  const KinematicsRun run = kinematics(mechanism, {.to = t, .steps = 1, .times = {}, .columns = {}, .stop = stop, .progress = {}, .events = false}, [](std::span<const double>) { return true; });
  out.outcome = run.outcome;
  out.problems = run.problems;
  if (run.outcome.kind == Outcome::Kind::not_driven) return explain_undriven(mechanism, t, lambda, stop, out), out;
  if (!run.outcome.done()) return out;
  const std::size_t n = z(mechanism.system.coordinates());
  State q;
  for (auto& order : q) order.resize(n);
  q[0] = run.q;
  for (int k = 1; k <= kOrder; ++k)
    for (std::size_t i = 0; i < n; ++i) q[z(k)][i] = kFactorial[z(k)] * run.ways[z(k - 1) * n + i];
  out.explanation = explain_state(mechanism, t, q, lambda);
  return out;
}

}  // namespace jounce
