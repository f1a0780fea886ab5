#include "jounce/plane/rows/given_loads.hpp"

#include <array>

#include "jounce/plane/equations/direct.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"

namespace jounce {
namespace {

template <template <class> class F>
GivenLoad load_of(const PlanarSystem& system, const F<double>& element, double t, std::span<const planar::FrameRecord> frames,
                  std::span<const double> quantities) {
  const direct::LocalForce<F> local(element);
  std::array<planar::Frame<double>, z(local.kSlots)> places;
  for (int s = 0; s < local.kSlots; ++s) places[z(s)] = frames[z(local.bodies[z(s)])];
  std::array<double, z(local.kMotions)> values{};
  for (std::size_t m = 0; m < values.size(); ++m)
    if (system.force_motions()[z(local.motions[m])].function.evaluate(t, quantities, values[m])) return {};
  const auto effort =
      local.element.efforts(planar::World<double>{places, values}, planar::ForceInput<double, z(planar::measure_count<F>)>{});
  if constexpr (planar::measure_count<F> == 1) return {true, {}, {0, 0, effort[0]}};
  else return {true, {effort[0], effort[1], 0}, {}};
}

template <template <class> class F>
GivenLoad elastic_load(const F<double>& element, std::span<const planar::FrameRecord> frames, std::span<const planar::FrameRecord> rates) {
  using Local = direct::LocalForce<F>;
  static_assert(Local::kSlots == 2);
  const Local local(element);
  std::array<double, 6> q{}, v{};
  for (std::size_t s = 0; s < 2; ++s) {
    const planar::FrameRecord &at = frames[z(local.bodies[s])], &rate = rates[z(local.bodies[s])];
    q[3 * s] = at.x, q[3 * s + 1] = at.y, q[3 * s + 2] = at.phi;
    v[3 * s] = rate.x, v[3 * s + 1] = rate.y, v[3 * s + 2] = rate.phi;
  }
  direct::Applied<F, double> out;
  if (direct::apply<F>(local.element, q, v, direct::Circumstance<double, 0>{}, out)) return {};
  return {true, {out.Q[3], out.Q[4], 0}, {0, 0, out.effort[2]}};
}

}  // namespace

std::vector<GivenLoad> given_loads(const PlanarSystem& system, double t, std::span<const planar::FrameRecord> frames,
                                   std::span<const planar::FrameRecord> rates) {
  std::vector<GivenLoad> out(system.forces().size());
  std::vector<double> quantities;
  for (const planar::StateQuantity& of : system.quantities()) quantities.push_back(of.of_frame((of.rate ? rates : frames)[z(of.body)]));
  system.impl().each_force([&]<template <class> class F>(const ForceBatch<F>& batch) {
    if constexpr (F<double>::kind == planar::ForceKind::given)
      for (int e = 0; e < batch.size(); ++e) out[z(batch.force[z(e)])] = load_of<F>(system, batch.elements[z(e)], t, frames, quantities);
  });
  return out;
}

std::vector<GivenLoad> given_and_elastic_loads(const PlanarSystem& system, double t, std::span<const planar::FrameRecord> frames,
                                               std::span<const planar::FrameRecord> rates) {
  std::vector<GivenLoad> out = given_loads(system, t, frames, rates);
  system.impl().each_force([&]<template <class> class F>(const ForceBatch<F>& batch) {
    if constexpr (F<double>::kind == planar::ForceKind::compliance)
      for (int e = 0; e < batch.size(); ++e) out[z(batch.force[z(e)])] = elastic_load<F>(batch.elements[z(e)], frames, rates);
  });
  return out;
}

}  // namespace jounce
