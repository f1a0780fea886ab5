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
#include "jounce/plane/equations/linearisation.hpp"
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

// Where the ends of a spring meet, its tension has a corner: the rate with which it begins to grow.
template <std::size_t N>
double rate_at_zero(const std::array<Series<1>, N>& effort, const std::array<Series<1>, N>& rate, double speed) {
  double power = 0;
  for (std::size_t m = 0; m < N; ++m) power += effort[m][1] * rate[m][0];
  return speed > 0 ? -power / speed : 0.0;
}

ExplainedForce::Along along(planar::ForceKind kind) {
  if (kind == planar::ForceKind::given) return ExplainedForce::Along::none;
  return kind == planar::ForceKind::extension ? ExplainedForce::Along::length : ExplainedForce::Along::angle;
}

// What exact dry friction does in a force: its direction where it slides, and what it holds where it is stuck (a tension or torque, and its rate).
struct Friction {
  double direction = direct::kSignOfRate;
  double held = 0, held_rate = 0;
};

// Series of order 1 carry every rate.
template <template <class> class F>
ExplainedForce explain_force(const PlaneMechanism& mechanism, const AppliedForce& force, const F<double>& of, double t, const State& q,
                             const Friction& friction) {
  using S = Series<1>;
  using Local = direct::LocalForce<F>;
  const PlanarSystem& system = mechanism.system;
  const Local local(of);
  ExplainedForce out{force.name, std::string(force.type), along(force.kind), {}, {}, {}, {}};
  direct::Circumstance<S, z(Local::kMotions)> at{
      .t = S::time(t), .direction = friction.direction, .shortest = direct::kShortest * system.length_scale()};
  for (std::size_t m = 0; m < at.motions.size(); ++m)
    if (const auto fault = system.force_motions()[z(local.motions[m])].function.evaluate(at.t, at.motions[m]))
      return out.trouble = fault->sentence, out;
  if (force.signal >= 0) at.signal = &system.signals()[z(force.signal)];
  direct::Applied<F, S> applied;
  if (const auto fault = direct::apply<F>(local.element, coordinates<1>(q, local, 2), coordinates<1>(q, local, 2, 1), at, applied))
    return out.trouble = fault->sentence, out;

  if constexpr (F<double>::kind != planar::ForceKind::given) {
    const auto shown = direct::reading(applied.x, applied.rate, applied.effort);
    out.measure = {shown.x[0], shown.rate[0], shown.rate[1]};
    out.effort = {shown.effort[0], shown.effort[1]};
    if (applied.x.size() > 1 && shown.x[0] == 0) out.effort[1] = rate_at_zero(applied.effort, applied.rate, shown.rate[0]);
    if (friction.held != 0 || friction.held_rate != 0) {
      // Q is linear in the effort: sliding friction tells the factor
      at.direction = 1;
      direct::Applied<F, S> sliding;
      (void)direct::apply<F>(local.element, coordinates<1>(q, local, 2), coordinates<1>(q, local, 2, 1), at, sliding);
      const double more = direct::reading(sliding.x, sliding.rate, sliding.effort).effort[0] - out.effort[0];
      for (std::size_t i = 0; i < applied.Q.size(); ++i) {
        const double per_effort = (sliding.Q[i][0] - applied.Q[i][0]) / more;
        applied.Q[i][0] += friction.held * per_effort;
        applied.Q[i][1] += friction.held_rate * per_effort;
      }
      out.effort[0] += friction.held;
      out.effort[1] += friction.held_rate;
    }
  }
  for (int s = 0; s < Local::kSlots; ++s) {
    if (local.bodies[z(s)] == 0) continue;
    const std::string& body = mechanism.bodies[z(local.bodies[z(s)])].name;
    ExplainedForceBlock& block = block_of(out.bodies, body, {body, {}, {}});
    for (int c = 0; c < 3; ++c) {
      block.Q[z(c)] += applied.Q[z(3 * s + c)][0];
      block.Q_rate[z(c)] += applied.Q[z(3 * s + c)][1];
    }
  }
  return out;
}

// Multipliers in the order of the file.
std::vector<double> in_file_order(const PlanarSystem& system, std::span<const double> by_row) {
  std::vector<double> out;
  for (const Constraint& c : system.constraints())
    for (int r = 0; r < c.rows; ++r) out.push_back(by_row[z(c.first_row + r)]);
  return out;
}

// Multipliers of the driven motion: Φqᵀ λ = Q − M q̈, of the least norm where they are not unique. Empty where masses are missing or a force
// has no value.
std::vector<double> computed_multipliers(const PlaneMechanism& mechanism, double t, const State& q, const std::vector<ExplainedForce>& forces) {
  const PlanarSystem& system = mechanism.system;
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
    for (const ExplainedForce& f : forces) {
      if (!f.trouble.empty()) return {};
      for (const ExplainedForceBlock& block : f.bodies)
        for (std::size_t c = 0; c < 3 && block.body == body.name; ++c) force[at + c] += block.Q[c];
    }
  }
  lu.solve_transposed(force, by_row);
  if (!lu.spare_rows().empty()) shorten(indeterminacy(system, t, q[0]), by_row);
  return in_file_order(system, by_row);
}

// A motion that masses and forces decide: accelerations, jerk, snap and multipliers at a state of the run.
struct Forward {
  State q;
  std::vector<double> lambda, lambda_rate;  // in the order of the file
  std::vector<Friction> friction;           // one for each force
};
constexpr double kRunTolerance = 1e-10;  // of the run that leads there: rates below it are zero

std::optional<Forward> forward_at(const PlaneMechanism& mechanism, PlanarState state) {
  const PlanarSystem& base = mechanism.system;
  PlaneDryFriction friction(base, Formulation::automatic, kRunTolerance);
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
  std::vector<double> by_row(z(system.equations())), of_base(z(base.equations()));
  std::vector<ForceReading> held(base.forces().size());
  const bool shared = !at.dropped_rows().empty();
  const auto multipliers = [&](int order, double Friction::*part) {
    at.multipliers(order, by_row);
    if (shared) shorten(indeterminacy(system, state.t, state.q), by_row);
    friction.original_rows(by_row, of_base);
    std::ranges::fill(held, ForceReading{});
    friction.complete(by_row, held);
    for (std::size_t f = 0; f < held.size(); ++f) out.friction[f].*part = held[f].effort;
    return in_file_order(base, of_base);
  };
  out.lambda = multipliers(0, &Friction::held);
  out.lambda_rate = multipliers(1, &Friction::held_rate);
  const auto finite = [](const std::vector<double>& x) { return std::ranges::all_of(x, [](double a) { return std::isfinite(a); }); };
  if (!finite(out.lambda) || !std::ranges::all_of(out.q, finite)) return std::nullopt;
  return out;
}

Explanation explained(const PlaneMechanism& mechanism, double t, const State& q, const std::vector<double>& given,
                      std::span<const Friction> friction) {
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
  out.forces.resize(system.forces().size());
  system.impl().each_force([&]<template <class> class F>(const ForceBatch<F>& batch) {
    for (int e = 0; e < batch.size(); ++e) {
      const std::size_t at = z(batch.force[z(e)]);
      out.forces[at] = explain_force<F>(mechanism, system.forces()[at], batch.elements[z(e)], t, q, friction.empty() ? Friction{} : friction[at]);
    }
  });
  std::vector<double> lambda = given;
  out.multipliers = "given";
  if (lambda.empty()) {
    lambda = computed_multipliers(mechanism, t, q, out.forces);
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
      out.constraints[at] = explain_one<E>(mechanism, c, batch.elements[z(e)], f, q, std::span(lambda).subspan(first[at], z(c.rows)));
    }
  });
  return out;
}

}  // namespace

Explanation explain_state(const PlaneMechanism& mechanism, double t, const State& q, const std::vector<double>& lambda) {
  return explained(mechanism, t, q, lambda, {});
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
  const KinematicsRun run = kinematics(mechanism, {.to = t, .steps = 1, .times = {}, .columns = {}, .stop = stop}, [](std::span<const double>) { return true; });
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
