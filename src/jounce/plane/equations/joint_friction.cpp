#include "jounce/plane/equations/joint_friction.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/plane/equations/direct.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"

namespace jounce {

std::vector<std::vector<LoadRow>> load_rows(const PlanarSystem& system) {
  std::vector<std::vector<LoadRow>> out(system.rubbing().size());
  if (out.empty()) return out;
  system.impl().each([&]<template <class> class E>(const Batch<E>& batch) {
    if constexpr (requires(const E<double>& element) { element.rubs(); })
      for (int e = 0; e < batch.size(); ++e)
        for (std::size_t f = 0; f < out.size(); ++f) {
          if (system.signals()[z(system.rubbing()[f])].reaction != batch.constraint[z(e)]) continue;
          int row = system.constraints()[z(batch.constraint[z(e)])].first_row;
          for (const planar::Scale& scale : batch.elements[z(e)].scale(planar::World<double>{})) {
            if (scale.unit == planar::Unit::metre) out[f].push_back({row, scale.divisor});
            ++row;
          }
        }
  });
  return out;
}

JointLoad joint_load(std::span<const LoadRow> rows, std::span<const double> lambda) {
  JointLoad out{};
  for (std::size_t i = 0; i < rows.size(); ++i) out[i] = lambda[z(rows[i].row)] * rows[i].newtons;
  return out;
}

void friction_loads(const PlanarSystem& system, std::span<const std::vector<LoadRow>> rows, std::span<const double> lambda, std::span<double> out) {
  std::ranges::fill(out, 0.0);
  for (std::size_t f = 0; f < rows.size(); ++f) {
    const JointLoad load = joint_load(rows[f], lambda);
    out[z(system.rubbing()[f])] = std::hypot(load[0], load[1], load[2]);
  }
}

void unit_friction(const PlanarSystem& system, int signal, std::span<const double> q, std::span<double> out) {
  std::ranges::fill(out, 0.0);
  system.impl().each_force_present([&]<template <class> class F>(const ForceBatch<F>& batch, std::size_t) {
    if constexpr (F<double>::kind == planar::ForceKind::friction)
      for (int e = 0; e < batch.size(); ++e) {
        if (batch.signal[z(e)] != signal) continue;
        const direct::LocalForce<F> local(batch.elements[z(e)]);
        std::array<double, z(3 * local.kSlots)> own{};
        for (int s = 0; s < local.kSlots; ++s)
          for (int c = 0; c < 3; ++c)
            if (const int at = local.column(s, c); at >= 0) own[z(3 * s + c)] = q[z(at)];
        direct::Applied<F, double> applied;
        (void)direct::apply<F>(local.element, own, {}, direct::Circumstance<double, 0>{.added = 1.0}, applied);
        for (int s = 0; s < local.kSlots; ++s)
          for (int c = 0; c < 3; ++c)
            if (const int at = local.column(s, c); at >= 0) out[z(at)] += applied.Q[z(3 * s + c)];
      }
  });
}

std::optional<Fault> friction_fault(const PlanarSystem& system, FrictionBalance::Status status, const FrictionBalance& balance) {
  if (status == FrictionBalance::Status::found) return std::nullopt;
  const ForceSignal& signal = system.signals()[z(system.rubbing()[balance.culprit()])];
  return friction_fault(status, system.constraints()[z(signal.reaction)].name, signal.where);
}

std::optional<Fault> open_friction(const PlanarSystem& system, std::span<const std::string> open) {
  for (const int s : system.rubbing()) {
    const ForceSignal& signal = system.signals()[z(s)];
    const std::string& name = system.constraints()[z(signal.reaction)].name;
    if (std::ranges::find(open, name) != open.end()) return open_friction(name, signal.where);
  }
  return std::nullopt;
}

}  // namespace jounce
