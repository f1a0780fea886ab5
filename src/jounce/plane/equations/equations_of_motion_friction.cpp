// Friction of joints among the equations of motion: coefficient by coefficient it is found from the reactions without its own last coefficient, and from
// what a unit of it adds to them. Whatever the formulation, that is one more solution for each order and one for each joint with friction.
#include <algorithm>
#include <cmath>

#include "jounce/plane/equations/equations_of_motion_impl.hpp"

namespace jounce {

// Coefficient m of friction, as far as it is known, onto the bodies.
void EquationsOfMotion::Impl::apply_friction(int m) {
  const double* values = signal_values.data() + z(m) * signals.size();
  system.each_force_present([&]<template <class> class F>(const ForceBatch<F>& batch, std::size_t type) {
    if constexpr (F<double>::kind == planar::ForceKind::friction)
      batch.apply(m, bodies.frames(m), force_motions_at(m), values, order, force_memory[type], bodies.forces());
  });
}

// What a unit of friction in each joint does to the load of every one of them.
void EquationsOfMotion::Impl::respond() {
  RubbingJoints& r = *rubbing;
  const SparsePattern& pattern = of.pattern();
  bodies.coefficient(0, position);
  if (!saddle) {
    std::ranges::fill(sparse_jacobian, 0.0);
    system.each_present([&](const auto& batch, std::size_t type) { batch.jacobian(bodies.frames(0), order, memory[type], sparse_jacobian.data()); });
  }
  for (std::size_t g = 0; g < r.rows.size(); ++g) {
    unit_friction(of, of.rubbing()[g], position, r.along);
    std::ranges::fill(r.lambda, 0.0);
    if (saddle) {
      std::ranges::fill(row_residual, 0.0);
      saddle->solve(r.along, row_residual, change, r.lambda);
    } else {  // S λ = Φq M⁻¹ a
      std::ranges::fill(r.lanes, Lanes::all(0));
      for (int c = 0; c < pattern.columns; ++c)
        for (int e = pattern.start[z(c)]; e < pattern.start[z(c) + 1]; ++e)
          doubles(r.lanes)[place[z(pattern.row[z(e)])]] += sparse_jacobian[z(e)] * r.along[z(c)] / of.mass()[z(c)];
      schur.solve(doubles(r.lanes), doubles(r.lanes));
      for (std::size_t i = 0; i < r.lambda.size(); ++i) r.lambda[i] = doubles(r.lanes)[place[i]];
    }
    for (std::size_t f = 0; f < r.rows.size(); ++f) r.balance.response(f, g) = joint_load(r.rows[f], r.lambda);
  }
}

// The loads of order m that the forces gathered so far give; the size of all multipliers.
double EquationsOfMotion::Impl::free_loads(int m) {
  RubbingJoints& r = *rubbing;
  const int k = m + 2;
  const double factor = k * (k - 1.0);
  bodies.predict(k);
  evaluate_residual(k, residual);
  if (saddle) {
    for (std::size_t i = 0; i < place.size(); ++i) row_residual[i] = factor * doubles(residual)[place[i]];
    bodies.unbalanced(force);
    saddle->solve(force, row_residual, change, r.lambda);
  } else {
    schur.solve(doubles(residual), doubles(r.lanes));
    for (std::size_t i = 0; i < place.size(); ++i) r.lambda[i] = factor * doubles(r.lanes)[place[i]];
  }
  for (std::size_t f = 0; f < r.rows.size(); ++f) r.free[f] = joint_load(r.rows[f], r.lambda);
  double size = 0;
  for (std::size_t i = 0; i < place.size(); ++i) size = std::max(size, std::abs(r.lambda[i]) * newtons[i]);
  return size;
}

std::optional<Fault> EquationsOfMotion::Impl::rub(int m) {
  RubbingJoints& r = *rubbing;
  std::copy_n(bodies.forces(), r.forces.size(), r.forces.begin());
  apply_friction(m);
  if (m == 0) respond();
  const double size = free_loads(m);
  if (auto fault = friction_fault(of, r.balance.solve(m, r.factors, r.free, size), r.balance)) return fault;
  for (std::size_t f = 0; f < r.rows.size(); ++f) signal_values[z(m) * signals.size() + z(of.rubbing()[f])] = r.balance.effort(m, f);
  std::ranges::copy(r.forces, bodies.forces());
  apply_friction(m);
  return std::nullopt;
}

double EquationsOfMotion::friction_load(int signal, int m) const {
  const auto& all = system_->rubbing();
  return impl_->rubbing->balance.size(m, z(std::ranges::find(all, signal) - all.begin()));
}

void EquationsOfMotion::copy_loads(int order, std::vector<double>& out) const {
  out.clear();
  if (!impl_->rubbing) return;
  const FrictionBalance& balance = impl_->rubbing->balance;
  for (std::size_t f = 0; f < balance.joints(); ++f)
    for (int m = 0; m <= order - 2; ++m) out.push_back(balance.along(m, f));
}

}  // namespace jounce
