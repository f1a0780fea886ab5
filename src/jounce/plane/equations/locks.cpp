#include "jounce/plane/equations/locks.hpp"

#include <algorithm>
#include <array>

#include "jounce/base/require.hpp"
#include "jounce/plane/equations/direct.hpp"
#include "jounce/plane/equations/own_equation.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"
#include "jounce/scalar/series.hpp"

namespace jounce {
namespace {

planar::Distance<double> held(const planar::Spring<double>& spring, double length) { return {spring.i, spring.j, {length}}; }
planar::Gear<double> held(const planar::TorsionSpring<double>& spring, double angle) { return {spring.i, spring.j, {1.0}, {angle}}; }

planar::Gear<double> held(const planar::TurnFriction<double>& pin, double angle) { return {pin.i, pin.j, {1.0}, {angle}}; }
planar::SlideLock<double> held(const planar::SlideFriction<double>& guide, double s) { return {guide.slot, guide.pin, {s}}; }

/// Forces that can have dry friction.
template <class F>
concept Holdable = requires(const F& force) { held(force, 0.0); };

// The measure along the motion q + v t: its value and its slope.
template <template <class> class F>
Measured measured(const F<double>& element, std::span<const double> q, std::span<const double> v) {
  using Local = direct::LocalForce<F>;
  const Local local(element);
  std::array<Dual<1>, z(3 * Local::kSlots)> at{};
  for (int s = 0; s < Local::kSlots; ++s)
    for (int c = 0; c < 3; ++c)
      if (const int i = local.column(s, c); i >= 0) {
        at[z(3 * s + c)] = Dual<1>(q[z(i)]);
        at[z(3 * s + c)].d[0] = v[z(i)];
      }
  const auto places = direct::frames(at);
  const auto x = local.element.measures(planar::World<Dual<1>>{places, {}})[0];
  return {x.v, x.d[0]};
}

template <template <class> class E>
void add(PlanarSystem::Builder& builder, const E<double>& element, const AppliedForce& force) {
  builder.add<E>(element, {force.name, planar::Group::joint, E<double>::type, force.where, {}, 0, 0, -1});
}

}  // namespace

void measure_signals(const PlanarSystem& system, std::span<const double> q, std::span<const double> v, std::span<Measured> out) {
  system.impl().each_force_present([&]<template <class> class F>(const ForceBatch<F>& batch, std::size_t) {
    if constexpr (Holdable<F<double>>)
      for (int e = 0; e < batch.size(); ++e)
        if (const int s = batch.signal[z(e)]; s >= 0) out[z(s)] = measured<F>(batch.elements[z(e)], q, v);
  });
}

Measured measured_gap(const planar::EquationLaw& law, double t, std::span<const double> q, std::span<const double> v) {
  using D = Dual<1>;
  const auto places = direct::places_of<D>(law, [&](int i) {
    D out(q[z(i)]);
    out.d[0] = v[z(i)];
    return out;
  });
  const D gap = direct::residual<D>(law, D::variable(t, 0), places);
  return {gap.v, gap.d[0]};
}

double gap_acceleration(const planar::EquationLaw& law, double t, std::span<const double> q, std::span<const double> v, std::span<const double> a) {
  using S = Series<2>;
  const auto places = direct::places_of<S>(law, [&](int i) {
    S out(q[z(i)]);
    out[1] = v[z(i)], out[2] = 0.5 * a[z(i)];
    return out;
  });
  return 2 * direct::residual<S>(law, S::time(t), places)[2];
}

std::vector<double> gap_gradient(const planar::EquationLaw& law, double t, std::span<const double> q) {
  std::vector<double> out(q.size(), 0.0);
  const auto by = direct::gradient<double>(law, t, direct::places_of<double>(law, [&](int i) { return q[z(i)]; }));
  for (std::size_t s = 0; s < law.bodies.size(); ++s)
    for (std::size_t c = 0; c < 3; ++c) out[3 * (z(law.bodies[s]) - 1) + c] += by[s][c];
  return out;
}

LockedSystem lock(const PlanarSystem& system, std::span<const int> signals, std::span<const ClosedGap> gaps, std::span<const double> q) {
  PlanarSystem::Builder builder(system);
  std::vector<Lock> locks;
  const std::vector<double> at_rest(q.size(), 0.0);
  system.impl().each_force_present([&]<template <class> class F>(const ForceBatch<F>& batch, std::size_t) {
    if constexpr (Holdable<F<double>>)
      for (int e = 0; e < batch.size(); ++e) {
        const int s = batch.signal[z(e)];
        if (s < 0 || std::ranges::find(signals, s) == signals.end()) continue;
        const auto element = held(batch.elements[z(e)], measured<F>(batch.elements[z(e)], q, at_rest).x);
        locks.push_back({s, 0, element.scale(planar::World<double>{})[0].divisor});
        add(builder, element, system.forces()[z(batch.force[z(e)])]);
      }
  });
  JOUNCE_REQUIRE(locks.size() == signals.size(), "a signal belongs to a spring");
  for (const ClosedGap& gap : gaps) {
    planar::Equation<double> held{gap.law, -1};
    if (gap.law->phi.uses("t")) held.clock = builder.add(clock_motion(gap.name, gap.where));
    builder.add<planar::Equation>(held, {gap.name, planar::Group::joint, planar::Equation<double>::type, gap.where, {}, 0, 0, -1});
  }
  LockedSystem out{builder.finish(), std::move(locks), {}};
  std::size_t c = system.constraints().size();
  for (Lock& of : out.locks) of.row = out.system.constraints()[c++].first_row;
  for (std::size_t g = 0; g < gaps.size(); ++g) out.gap_rows.push_back(out.system.constraints()[c++].first_row);
  return out;
}

}  // namespace jounce
