#include "jounce/plane/equations/equations_of_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "jounce/base/index.hpp"
#include "jounce/plane/equations/equations_of_motion_impl.hpp"
#include "jounce/plane/equations/formulation_choice.hpp"
#include "jounce/plane/spanning/joint_solver.hpp"

namespace jounce {
namespace {

/// A spring shorter than this fraction of the model's size has no line of action.
constexpr double kZeroLength = 1e-9;
/// With a pivot of S below this part of its diagonal, solutions are corrected once.
constexpr double kRefine = 1e-2;

Where inside(Where where, int column) { return {where.line, where.column + std::max(column - 1, 0)}; }

// Equations in pairs, with the places of their numbers in the lane layout.
std::vector<SchurRow> schur_rows(const PlanarSystem::Impl& impl) {
  std::vector<SchurRow> rows;
  impl.each([&]<template <class> class E>(const Batch<E>& batch) {
    constexpr int kRows = Batch<E>::K::kRows;
    for (int e = 0; e < batch.size(); ++e) {
      const auto& slots = batch.bodies_of(e);
      for (int p = 0; p < Batch<E>::kPairs; ++p) {
        SchurRow row;
        row.place[0] = batch.lane_row(e, 2 * p);
        if (2 * p + 1 < kRows) row.place[1] = batch.lane_row(e, 2 * p + 1);
        for (std::size_t s = 0; s < slots.size(); ++s) row.slots.push_back({slots[s], batch.record(e, p, static_cast<int>(s))});
        rows.push_back(std::move(row));
      }
    }
  });
  return rows;
}

}  // namespace

EquationsOfMotion::EquationsOfMotion(const PlanarSystem& system, int order, Formulation formulation)
    : system_(&system), order_(order), formulation_(formulation), impl_(std::make_unique<Impl>(system, order)) {
  Impl& w = *impl_;
  const PlanarSystem::Impl& inside = system.impl();
  const std::vector<double> ones(system.motions().size(), system.length_scale());
  inside.each([&]<template <class> class E>(const Batch<E>& batch) {
    w.memory.push_back(batch.memory(order));
    for (int e = 0; e < batch.size(); ++e)
      for (int r = 0; r < Batch<E>::K::kRows; ++r) w.place.push_back(batch.lane_row(e, r));
    const planar::World<double> world{{}, ones};  // a driven distance has about the size of the mechanism
    for (const auto& element : batch.elements)
      for (const planar::Scale& scale : element.scale(world))
        w.newtons.push_back(scale.divisor / (scale.unit == planar::Unit::radian ? system.length_scale() : 1.0));
  });
  inside.each_force([&](const auto& batch) { w.force_memory.push_back(batch.memory(order)); });
  std::vector<double> inverse_mass(3, 0.0);
  for (const double m : system.mass()) inverse_mass.push_back(m > 0 ? 1 / m : 0.0);
  w.schur = SchurComplement(schur_rows(inside), inverse_mass, inside.lane_rows * kLanes);
  w.jacobian.resize(z(inside.records));
  const auto rows = z(inside.lane_rows);
  w.residual.assign(rows, Lanes::all(0));
  w.position_residual = w.velocity_residual = w.residual;
  w.multipliers.assign(z(order + 1) * rows, Lanes::all(0));
  if (const std::size_t joints = system.rubbing().size(); joints > 0)
    w.rubbing = std::make_unique<RubbingJoints>(RubbingJoints{FrictionBalance(joints, order), load_rows(system), std::vector<double>(joints), std::vector<JointLoad>(joints),
                                                              std::vector<FrameRecord>(z(w.bodies.stride())), std::vector<Lanes>(rows, Lanes::all(0)),
                                                              std::vector<double>(z(system.coordinates())), std::vector<double>(z(system.equations()))});
  if (formulation_ == Formulation::automatic) formulation_ = chosen_formulation(system);
  if (w.rubbing || formulation_ != Formulation::lagrange) {
    w.position.assign(z(system.coordinates()), 0.0);
    w.sparse_jacobian.assign(z(system.pattern().entries()) + 1, 0.0);
  }
  if (formulation_ != Formulation::lagrange) {
    w.saddle = uses_tree(formulation_) ? make_joint_solver(formulation_, system)
                                       : make_saddle_solver(formulation_, system.pattern(), system.mass());
    w.force.assign(z(system.coordinates()), 0.0), w.change = w.force;
    w.row_residual.assign(z(system.equations()), 0.0), w.row_multiplier = w.row_residual;
  }
}

EquationsOfMotion::~EquationsOfMotion() = default;
EquationsOfMotion::EquationsOfMotion(EquationsOfMotion&&) noexcept = default;

void EquationsOfMotion::set_directions(std::span<const double> directions) { std::ranges::copy(directions, impl_->directions.begin()); }

std::optional<Fault> EquationsOfMotion::set_time(double t, int order) {
  Impl& w = *impl_;
  time_ = w.clock[0] = t;
  const auto one = [&](TimeSeries& series, const auto& of, const char* word, std::vector<double>& values, std::size_t m, std::size_t stride) -> std::optional<Fault> {
    const auto fault = series.evaluate(order, w.clock.data(), values.data() + m, stride);
    if (!fault) return std::nullopt;
    return Fault{std::string(word) + " '" + of.owner + "'", fault->sentence, inside(of.where, fault->column), of.owner};
  };
  for (std::size_t m = 0; m < w.drives.size(); ++m) {
    const PrescribedMotion& of = system_->motions()[m];
    if (auto fault = one(w.drives[m], of, "driver", w.motions, m, w.drives.size())) return fault;
    if (of.must_be_positive && !(w.motions[m] > 0))
      return Fault{"driver '" + of.owner + "'", "a distance must stay greater than 0", of.where, of.owner};
  }
  for (std::size_t m = 0; m < w.force_drives.size(); ++m)
    if (!w.force_drives[m].of_state)
      if (auto fault = one(w.force_drives[m].of_time, system_->force_motions()[m], "force", w.force_motions, m, w.force_drives.size())) return fault;
  return std::nullopt;
}

void EquationsOfMotion::set_position(std::span<const double> q) {
  Impl& w = *impl_;
  w.bodies.set_position(q);
  w.remember_order(0, w.position_residual);
  w.residual_known[0] = false;
}

std::optional<Fault> EquationsOfMotion::without_value() const {
  std::optional<Fault> out;
  impl_->system.each_present([&]<template <class> class E>(const Batch<E>& batch, std::size_t type) {
    if constexpr (requires { batch.without_value(impl_->memory[type], system_->constraints()); })
      out = batch.without_value(impl_->memory[type], system_->constraints());
  });
  return out;
}

void EquationsOfMotion::set_refined(bool refined) { impl_->refined = refined; }

void EquationsOfMotion::factor(bool inverse) {
  Impl& w = *impl_;
  ++factorisations_;
  if (w.saddle) {
    std::ranges::fill(w.sparse_jacobian, 0.0);
    w.system.each_present([&](const auto& batch, std::size_t type) {
      batch.jacobian(w.bodies.frames(0), order_, w.memory[type], w.sparse_jacobian.data());
    });
    w.bodies.coefficient(0, w.position);
    w.regular = w.saddle->factor({w.sparse_jacobian.data(), w.sparse_jacobian.size() - 1}, w.position);
    return;
  }
  w.system.each_present([&](const auto& batch, std::size_t type) {
    batch.jacobian_records(w.bodies.frames(0), order_, w.memory[type], w.jacobian.data());
  });
  w.schur.factor(w.jacobian.data(), inverse);
}

void EquationsOfMotion::set_velocity(std::span<const double> v) {
  Impl& w = *impl_;
  w.bodies.set_velocity(v);
  w.remember_order(1, w.velocity_residual);
  w.residual_known[1] = false;
}

double EquationsOfMotion::project(const std::vector<Lanes>& residual, std::span<double> q) {
  Impl& w = *impl_;
  if (w.saddle) {
    if (!w.regular) return std::numeric_limits<double>::quiet_NaN();
    for (std::size_t r = 0; r < w.place.size(); ++r) w.row_residual[r] = doubles(residual)[w.place[r]];
    std::ranges::fill(w.force, 0.0);
    w.saddle->solve(w.force, w.row_residual, w.change, w.row_multiplier);
    double largest = 0;
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] += w.change[i];
      const double size = std::abs(w.change[i]) / (i % 3 == 2 ? 1.0 : system_->length_scale());
      if (!(size <= largest)) largest = size;
    }
    return largest;
  }
  w.schur.solve(doubles(residual), doubles(w.residual));
  w.bodies.clear_forces();
  w.system.each_present([&](const auto& batch, std::size_t type) {
    batch.reverse_close(0, w.residual.data(), order_, w.memory[type], w.bodies.forces());
  });
  return w.bodies.add_accelerations(system_->length_scale(), q);
}

double EquationsOfMotion::project_position(std::span<double> q) {
  const double size = project(impl_->residual_of(0), q);
  set_position(q);
  return size;
}

double EquationsOfMotion::project_velocity(std::span<double> v) {
  const double size = project(impl_->residual_of(1), v);
  set_velocity(v);
  return size;
}

bool EquationsOfMotion::respond(std::span<const double> impulse, std::span<double> change) {
  Impl& w = *impl_;
  JOUNCE_REQUIRE(w.saddle != nullptr, "impulses are solved for by kkt");
  if (!w.regular) return false;
  std::ranges::fill(w.row_residual, 0.0);
  w.saddle->solve(impulse, w.row_residual, change, w.row_multiplier);
  return true;
}

// ---- the expansion -----------------------------------------------------------------------------------------------------

void EquationsOfMotion::Impl::measure(int k) {
  observe(k);
  system.each_force_present([&](const auto& batch, std::size_t type) {
    batch.measure(k, bodies.frames(k), order, force_memory[type], [&](int s, double x) {
      SignalSeries& signal = signals[z(s)];
      signal.x[z(k)] = x;
      if (k > 0) signal.rate[z(k - 1)] = k * x;
    });
  });
}

// Coefficient k of the quantities of the state; of rates the one below.
void EquationsOfMotion::Impl::observe(int k) {
  const auto orders = z(order + 1);
  for (std::size_t i = 0; i < of.quantities().size(); ++i) {
    const planar::StateQuantity& quantity = of.quantities()[i];
    const double x = quantity.of_frame(bodies.frames(k)[quantity.body]);
    if (!quantity.rate) quantities[i * orders + z(k)] = x;
    else if (k > 0) quantities[i * orders + z(k - 1)] = k * x;
  }
}

std::optional<Fault> EquationsOfMotion::Impl::lost_line() const {
  std::optional<Fault> fault;
  system.each_force_present([&]<template <class> class F>(const ForceBatch<F>& batch, std::size_t type) {
    if constexpr (std::is_same_v<F<double>, planar::Spring<double>>)
      for (int e = 0; e < batch.size() && !fault; ++e)
        if (!(batch.x(force_memory[type], e, 0, 0, order) > kZeroLength * of.length_scale())) {
          fault = lost_line_of(of.forces()[z(batch.force[z(e)])]);
        }
  });
  return fault;
}

std::optional<Fault> EquationsOfMotion::Impl::evaluate_signals(int m) {
  for (std::size_t s = 0; s < signals.size(); ++s) {
    const ForceSignal& signal = of.signals()[s];
    double& sum = signal_values[z(m) * signals.size() + s];
    sum = m == 0 ? signal.dry_friction * directions[s] : 0.0;
    const std::array<const double*, 3> variables{signals[s].x.data(), signals[s].rate.data(), clock.data()};
    for (StateSeries& law : signals[s].laws) {
      double value = 0;
      if (const auto fault = law.coefficient(m, variables, quantities.data(), z(order + 1), value))
        return Fault{of.forces()[z(signal.force)].text(), fault->sentence, inside(signal.where, fault->column), of.forces()[z(signal.force)].name};
      sum += value;
    }
  }
  if (!rubbing) return std::nullopt;
  for (std::size_t f = 0; f < of.rubbing().size(); ++f)  // of a load of 1 N; what the load adds to it is yet to be found
    rubbing->factors[f] = std::exchange(signal_values[z(m) * signals.size() + z(of.rubbing()[f])], 0.0);
  return std::nullopt;
}

std::optional<Fault> EquationsOfMotion::Impl::evaluate_components(int m) {
  const std::array<const double*, 1> variables{clock.data()};
  for (const std::size_t c : of_state) {
    double& value = force_motions[z(m) * force_drives.size() + c];
    if (const auto fault = force_drives[c].of_state->coefficient(m, variables, quantities.data(), z(order + 1), value)) {
      const ForceComponent& component = of.force_motions()[c];
      return Fault{"force '" + component.owner + "'", fault->sentence, inside(component.where, fault->column), component.owner};
    }
  }
  return std::nullopt;
}

// Coefficient m of the forces, onto the bodies.
std::optional<Fault> EquationsOfMotion::Impl::apply_forces(int m) {
  if (auto fault = evaluate_signals(m)) return fault;
  if (auto fault = evaluate_components(m)) return fault;
  const double* values = signal_values.data() + z(m) * signals.size();
  system.each_force_present([&]<template <class> class F>(const ForceBatch<F>& batch, std::size_t type) {
    if constexpr (F<double>::kind != planar::ForceKind::friction)
      batch.apply(m, bodies.frames(m), force_motions_at(m), values, order, force_memory[type], bodies.forces());
  });
  return std::nullopt;
}

// Coefficient m of the multipliers from the residual of the free motion of order k = m + 2, and the motion of that order.
void EquationsOfMotion::Impl::solve_order(int m) {
  const int k = m + 2;
  const double factor = k * (k - 1.0);
  const auto rows = z(system.lane_rows);
  Lanes* const lambda = multipliers.data() + z(m) * rows;
  double* const by_place = reinterpret_cast<double*>(lambda);
  if (saddle) {
    for (std::size_t r = 0; r < place.size(); ++r) row_residual[r] = factor * doubles(residual)[place[r]];
    bodies.unbalanced(force);
    saddle->solve(force, row_residual, change, row_multiplier);
    for (double& d : change) d /= factor;
    for (std::size_t r = 0; r < place.size(); ++r) by_place[place[r]] = row_multiplier[r];
  } else {
    schur.solve(doubles(residual), by_place);
    for (std::size_t r = 0; r < rows; ++r) lambda[r] = lambda[r] * Lanes::all(factor);
  }
  system.each_present([&](const auto& batch, std::size_t type) { batch.reverse_close(m, lambda, order, memory[type], bodies.forces()); });
  if (saddle) return bodies.settle(k, change);
  bodies.settle(k);
  if (refined || schur.smallest_pivot() < kRefine) refine_order(m);
}

// Where S is badly conditioned (a light body between heavy ones, a singular position nearby) the multipliers carry its rounding: what
// they leave of the residual corrects them.
void EquationsOfMotion::Impl::refine_order(int m) {
  const int k = m + 2;
  const Lanes factor = Lanes::all(k * (k - 1.0));
  const auto rows = z(system.lane_rows);
  Lanes* const lambda = multipliers.data() + z(m) * rows;
  evaluate_residual(k, residual);
  schur.solve(doubles(residual), doubles(residual));
  for (std::size_t r = 0; r < rows; ++r) residual[r] = residual[r] * factor, lambda[r] = lambda[r] + residual[r];
  system.each_present(
      [&](const auto& batch, std::size_t type) { batch.reverse_close(m, residual.data(), order, memory[type], bodies.forces()); });
  bodies.settle(k);
}

std::optional<Fault> EquationsOfMotion::expand(int order) {
  Impl& w = *impl_;
  const PlanarSystem::Impl& system = w.system;
  const bool any_force = !system_->forces().empty();
  w.bodies.clear_forces();
  system.each_present([&](const auto& batch, std::size_t type) { batch.reverse_open(0, order_, w.memory[type], w.bodies.forces()); });
  if (any_force) {
    w.measure(0);
    if (auto fault = w.lost_line()) return fault;
    w.measure(1);
    if (auto fault = w.apply_forces(0)) return fault;
  }
  for (int k = 2; k <= order; ++k) {
    if (w.rubbing)
      if (auto fault = w.rub(k - 2)) return fault;
    w.bodies.predict(k);
    w.evaluate_residual(k, w.residual);
    w.solve_order(k - 2);
    if (k == order) break;
    w.bodies.clear_forces();
    system.each_present([&](const auto& batch, std::size_t type) {
      batch.close(k, w.bodies.frames(k), w.motions_at(k), order_, w.memory[type]);
      batch.reverse_open(k - 1, order_, w.memory[type], w.bodies.forces());
    });
    if (any_force) {
      w.measure(k);
      if (auto fault = w.apply_forces(k - 1)) return fault;
    }
  }
  return std::nullopt;
}

}  // namespace jounce
