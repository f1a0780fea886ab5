// What an expansion has come to: coefficients, multipliers, readings of forces, energies, residuals.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "jounce/plane/equations/equations_of_motion_impl.hpp"

namespace jounce {

void EquationsOfMotion::coefficient(int k, std::span<double> q_k) const { impl_->bodies.coefficient(k, q_k); }

std::span<const planar::FrameRecord> EquationsOfMotion::frames(int k) const {
  return {impl_->bodies.frames(k), z(system_->bodies() + 1)};
}

void EquationsOfMotion::multipliers(int m, std::span<double> lambda) const {
  const double* values = reinterpret_cast<const double*>(impl_->multipliers.data() + z(m) * z(system_->impl().lane_rows));
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] = values[impl_->place[r]];
}

ForceReading EquationsOfMotion::reading(int force, int m) const {
  ForceReading out;
  std::size_t i = 0;
  system_->impl().each_force([&]<template <class> class F>(const ForceBatch<F>& batch) {
    const ForceMemory& memory = impl_->force_memory[i++];
    const auto at = std::ranges::find(batch.force, force);
    if (at == batch.force.end()) return;
    const int e = static_cast<int>(at - batch.force.begin());
    const auto x = [&](int n, int k) { return batch.x(memory, e, n, k, order_); };
    if constexpr (ForceBatch<F>::kMeasures == 1 || ForceBatch<F>::kMeasures == 3) {
      out = {x(0, m), (m + 1) * x(0, m + 1), -batch.effort(memory, e, 0, m, order_)};
    } else if constexpr (F<double>::kind == planar::ForceKind::extension) {  // a centred spring: its length is not a measure
      const double l = std::hypot(x(0, 0), x(1, 0)), speed = std::hypot(x(0, 1), x(1, 1));
      const double rate = l > 0 ? (x(0, 0) * x(0, 1) + x(1, 0) * x(1, 1)) / l : speed;
      out = {l, rate, batch.elements[z(e)].stiffness * l};
    }
  });
  return out;
}

void EquationsOfMotion::copy_lengths(int order, std::vector<double>& out) const {
  out.clear();
  const auto& springs = std::get<ForceBatch<planar::Spring>>(impl_->system.force_batches);
  const ForceMemory& memory = impl_->force_memory[kSpringType];
  for (int e = 0; e < springs.size(); ++e)
    for (int k = 0; k <= order; ++k) out.push_back(k < order ? springs.x(memory, e, 0, k, order_) : 0.0);  // known one order less far
}

Fault EquationsOfMotion::collapsed() const {
  const auto& springs = std::get<ForceBatch<planar::Spring>>(impl_->system.force_batches);
  const ForceMemory& memory = impl_->force_memory[kSpringType];
  int shortest = 0;
  for (int e = 1; e < springs.size(); ++e)
    if (springs.x(memory, e, 0, 0, order_) < springs.x(memory, shortest, 0, 0, order_)) shortest = e;
  return lost_line_of(system_->forces()[z(springs.force[z(shortest)])]);
}

double EquationsOfMotion::largest_constraint_force() const {
  const double* lambda = doubles(std::as_const(impl_->multipliers));
  double largest = 0;
  for (std::size_t r = 0; r < impl_->place.size(); ++r)
    largest = std::max(largest, std::abs(lambda[impl_->place[r]]) * impl_->newtons[r]);
  return largest;
}

double EquationsOfMotion::signal_rate(int signal) const { return impl_->signals[z(signal)].rate[0]; }

double EquationsOfMotion::potential() const {
  double sum = 0;
  const auto mass = system_->mass();
  for (int b = 1; b <= system_->bodies(); ++b) {
    const FrameRecord& f = impl_->bodies.frames(0)[b];
    sum -= mass[z(3 * (b - 1))] * (system_->gravity().x * f.x + system_->gravity().y * f.y);
  }
  std::size_t i = 0;
  system_->impl().each_force([&]<template <class> class F>(const ForceBatch<F>& batch) {
    const ForceMemory& memory = impl_->force_memory[i++];
    if constexpr (requires(const F<double>& f, std::array<double, z(ForceBatch<F>::kMeasures)> x) { f.potential(x); })
      for (int e = 0; e < batch.size(); ++e) {
        std::array<double, z(ForceBatch<F>::kMeasures)> x;
        for (int n = 0; n < ForceBatch<F>::kMeasures; ++n) x[z(n)] = batch.x(memory, e, n, 0, order_);
        sum += batch.elements[z(e)].potential(x);
      }
  });
  return sum;
}

double EquationsOfMotion::kinetic() const {
  double sum = 0;
  const auto mass = system_->mass();
  for (int b = 1; b <= system_->bodies(); ++b) {
    const FrameRecord& f = impl_->bodies.frames(1)[b];
    sum += 0.5 * (mass[z(3 * (b - 1))] * (f.x * f.x + f.y * f.y) + mass[z(3 * (b - 1) + 2)] * f.phi * f.phi);
  }
  return sum;
}

double EquationsOfMotion::kinetic_of_factors() const {
  if (!impl_->saddle) return kinetic();
  std::vector<double> v(z(system_->coordinates()));
  coefficient(1, v);
  const double own = impl_->saddle->kinetic(v);
  return std::isnan(own) ? kinetic() : own;
}

int EquationsOfMotion::unknowns() const { return impl_->saddle ? impl_->saddle->unknowns() : impl_->schur.rows() - dropped_count(); }

double EquationsOfMotion::worst_residual(int k) const {
  Impl& w = *impl_;
  const double* values = doubles(w.residual_of(k));
  const planar::World<double> world{{}, {w.motions.data(), w.drives.size()}};
  double worst = 0;
  system_->impl().each([&](const auto& batch) {
    for (int e = 0; e < batch.size(); ++e) {
      int r = 0;
      for (const planar::Scale& scale : batch.elements[z(e)].scale(world)) {
        const double value = values[batch.lane_row(e, r++)];
        const double apart = k == 0 ? scale.apart(value) : std::abs(value) / scale.divisor;
        if (!(apart <= worst)) worst = apart;
      }
    }
  });
  return worst;
}

double EquationsOfMotion::smallest_pivot() const {
  if (impl_->saddle) return impl_->regular ? 1.0 : std::numeric_limits<double>::quiet_NaN();
  return impl_->schur.smallest_pivot();
}

int EquationsOfMotion::dropped_count() const {
  return static_cast<int>(impl_->saddle ? impl_->saddle->dropped().size() : impl_->schur.dropped().size());
}

std::vector<int> EquationsOfMotion::dropped_rows() const {
  if (impl_->saddle) return {impl_->saddle->dropped().begin(), impl_->saddle->dropped().end()};
  std::vector<int> out;
  for (const int place : impl_->schur.dropped())
    out.push_back(static_cast<int>(std::ranges::find(impl_->place, place) - impl_->place.begin()));
  std::ranges::sort(out);
  return out;
}

CoefficientSize EquationsOfMotion::size(int k) const { return impl_->bodies.size(k); }

void EquationsOfMotion::copy_motion(int order, MotionPolynomial& out) const { impl_->bodies.copy(order, out); }

}  // namespace jounce
