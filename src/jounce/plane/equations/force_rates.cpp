#include "jounce/plane/equations/force_rates.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/plane/equations/direct.hpp"
#include "jounce/plane/equations/equations_of_motion.hpp"
#include "jounce/plane/equations/locks.hpp"
#include "jounce/plane/equations/own_equation.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"
#include "jounce/scalar/series.hpp"

namespace jounce {
namespace {

using Line = Series<1>;

// All coordinates of an element's slots with their rates.
template <class Local>
auto along(std::span<const double> value, std::span<const double> rate, const Local& local) {
  std::array<Line, z(3 * Local::kSlots)> out;
  for (int s = 0; s < Local::kSlots; ++s)
    for (int c = 0; c < 3; ++c)
      if (const int column = local.column(s, c); column >= 0) out[z(3 * s + c)] = Line{value[z(column)], rate[z(column)]};
  return out;
}

// Where the ends of a spring meet, its tension has a corner: the rate with which it begins to grow.
template <std::size_t N>
double rate_where_ends_meet(const std::array<Line, N>& effort, const std::array<Line, N>& rate, double speed) {
  double power = 0;
  for (std::size_t m = 0; m < N; ++m) power += effort[m][1] * rate[m][0];
  return speed > 0 ? -power / speed : 0.0;
}

template <template <class> class F>
ForceAndRate force_and_rate(const PlanarSystem& system, const AppliedForce& force, const F<double>& of, const PlaneMotionAt& motion,
                            const FrictionAt& friction, std::span<const Line> quantities) {
  using Local = direct::LocalForce<F>;
  const Local local(of);
  ForceAndRate out;
  direct::Circumstance<Line, z(Local::kMotions)> at{
      .t = Line::time(motion.t), .direction = friction.direction, .shortest = direct::kShortest * system.length_scale(), .quantities = quantities};
  for (std::size_t m = 0; m < at.motions.size(); ++m)
    if (const auto fault = system.force_motions()[z(local.motions[m])].function.evaluate(motion.t, quantities, at.motions[m]))
      return out.trouble = fault->sentence, out;
  if (force.signal >= 0) at.signal = &system.signals()[z(force.signal)];
  at.load = Line{friction.load, friction.load_rate};
  if (force.kind == planar::ForceKind::friction && std::isnan(friction.load)) return out.trouble = "the reaction that its friction grows with is not known", out;
  const auto q = along(motion.q, motion.v, local), v = along(motion.v, motion.a, local);
  direct::Applied<F, Line> applied;
  if (const auto fault = direct::apply<F>(local.element, q, v, at, applied)) return out.trouble = fault->sentence, out;

  if constexpr (F<double>::kind != planar::ForceKind::given) {
    const auto shown = direct::reading(applied.x, applied.rate, applied.effort);
    out.measure = {shown.x[0], shown.rate[0], shown.rate[1]};
    out.effort = {shown.effort[0], shown.effort[1]};
    if constexpr (F<double>::kind == planar::ForceKind::drive) out.effort = {-out.effort[0], -out.effort[1]};  // on the body it turns
    if (applied.x.size() == 2 && shown.x[0] == 0) out.effort[1] = rate_where_ends_meet(applied.effort, applied.rate, shown.rate[0]);
    if constexpr (F<double>::kind == planar::ForceKind::compliance) out.measure = {}, out.effort = {applied.effort[2][0], applied.effort[2][1]};
    if (friction.held != 0 || friction.held_rate != 0) {
      // Q is linear in the effort: sliding friction tells the factor
      at.direction = 1;
      direct::Applied<F, Line> sliding;
      (void)direct::apply<F>(local.element, q, v, at, sliding);
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
    const int body = local.bodies[z(s)];
    if (body == 0) continue;
    const auto found = std::ranges::find(out.bodies, body, &ForceAndRate::OnBody::body);
    ForceAndRate::OnBody& own = found == out.bodies.end() ? out.bodies.emplace_back(ForceAndRate::OnBody{body, {}, {}}) : *found;
    for (int c = 0; c < 3; ++c) {
      own.Q[z(c)] += applied.Q[z(3 * s + c)][0];
      own.Q_rate[z(c)] += applied.Q[z(3 * s + c)][1];
    }
  }
  return out;
}

}  // namespace

std::vector<ForceAndRate> forces_and_rates(const PlanarSystem& system, const PlaneMotionAt& at, std::span<const FrictionAt> friction) {
  std::vector<ForceAndRate> out(system.forces().size());
  std::vector<Line> quantities;
  if (!system.quantities().empty()) {
    std::vector<Line> q, v;
    for (std::size_t i = 0; i < at.q.size(); ++i) q.push_back(Line{at.q[i], at.v[i]}), v.push_back(Line{at.v[i], at.a[i]});
    direct::quantities<Line>(system, q, v, quantities);
  }
  system.impl().each_force([&]<template <class> class F>(const ForceBatch<F>& batch) {
    for (int e = 0; e < batch.size(); ++e) {
      const std::size_t f = z(batch.force[z(e)]);
      const FrictionAt own = friction.empty() ? FrictionAt{} : friction[f];
      out[f] = force_and_rate<F>(system, system.forces()[f], batch.elements[z(e)], at, own, quantities);
    }
  });
  return out;
}

void add_joint_loads(const PlanarSystem& system, double t, std::span<const double> q, std::span<const double> v, std::vector<FrictionAt>& friction) {
  friction.resize(system.forces().size());
  if (system.rubbing().empty()) return;
  EquationsOfMotion at(system, 3);
  std::vector<double> directions;  // of exact friction: those of the rates
  std::vector<Measured> measured(system.signals().size());
  measure_signals(system, q, v, measured);
  directions.reserve(measured.size());
  for (const Measured& of : measured) directions.push_back(sign(of.rate));
  at.set_directions(directions);
  if (at.set_time(t, 3)) return;
  at.set_position(q);
  at.factor(false);
  at.set_velocity(v);
  if (!std::isfinite(at.smallest_pivot()) || at.dropped_count() > 0 || at.expand(3)) return;
  for (const int s : system.rubbing()) {
    FrictionAt& of = friction[z(system.signals()[z(s)].force)];
    of.load = at.friction_load(s, 0), of.load_rate = at.friction_load(s, 1);
  }
}

void add_kappa(const Evaluation& at, std::span<const double> lambda, std::span<double> sum) {
  const PlanarSystem& system = at.system();
  const auto place = at.frames(0), rate = at.frames(1);
  system.impl().each_present([&]<template <class> class E>(const Batch<E>& batch, std::size_t) {
    if constexpr (std::is_same_v<E<double>, planar::Equation<double>>) {
      for (int e = 0; e < batch.size(); ++e) {
        const planar::EquationLaw& law = *batch.elements[z(e)].law;
        const auto places = direct::places_of<Line>(law, [&](int column) {
          const planar::FrameRecord &p = place[z(column / 3 + 1)], &v = rate[z(column / 3 + 1)];
          return column % 3 == 0 ? Line{p.x, v.x} : column % 3 == 1 ? Line{p.y, v.y} : Line{p.phi, v.phi};
        });
        const auto gradient = direct::gradient<Line>(law, Line::time(at.time()), places);
        for (std::size_t s = 0; s < law.bodies.size(); ++s)
          for (int c = 0; c < 3; ++c)
            sum[z(3 * (law.bodies[s] - 1) + c)] += gradient[s][z(c)][1] * lambda[z(system.constraints()[z(batch.constraint[z(e)])].first_row)];
      }
    } else {
      batch.template shares<1>({place.data(), rate.data()}, {at.motions(0).data(), at.motions(1).data()}, lambda.data(), [&](int, const auto& shares) {
        for (const SlotShare& of : shares) {
          if (of.body == 0) continue;
          double* const own = &sum[z(3 * (of.body - 1))];
          own[0] += of.x, own[1] += of.y, own[2] += of.turn;
        }
      });
    }
  });
}

}  // namespace jounce
