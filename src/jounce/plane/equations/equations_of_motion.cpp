#include "jounce/plane/equations/equations_of_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "jounce/base/index.hpp"
#include "jounce/expr/expression_series.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/plane/equations/formulation_choice.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"
#include "jounce/mechanism/saddle.hpp"
#include "jounce/plane/equations/schur.hpp"
#include "jounce/plane/spanning/joint_solver.hpp"

namespace jounce {
namespace {

/// A spring shorter than this fraction of the model's size has no line of action.
constexpr double kZeroLength = 1e-9;
/// With a pivot of S below this part of its diagonal, solutions are corrected once.
constexpr double kRefine = 1e-2;

double* doubles(std::vector<Lanes>& v) { return reinterpret_cast<double*>(v.data()); }
const double* doubles(const std::vector<Lanes>& v) { return reinterpret_cast<const double*>(v.data()); }

Where inside(Where where, int column) { return {where.line, where.column + std::max(column - 1, 0)}; }

Fault lost_line_of(const AppliedForce& spring) {
  return {spring.text(), "its length has become zero: a spring needs a line of action", spring.where, spring.name};
}

/// Where springs stand in the list of force types.
constexpr std::size_t kSpringType = [] {
  std::size_t at = 0, i = 0;
  planar::for_each_type(planar::Forces{}, [&]<template <class> class F>(planar::Type<F>) {
    if (std::is_same_v<F<double>, planar::Spring<double>>) at = i;
    ++i;
  });
  return at;
}();

/// The coefficients of one function of time.
class TimeSeries {
 public:
  TimeSeries(const PrescribedMotion& motion, int order) : motion_(&motion) {
    const Expression* expression = motion.function.expression();
    constant_ = motion.function.is_constant();
    if (expression != nullptr && !constant_) series_.emplace(*expression, order);
  }

  /// Coefficients 0 … order into out[k · stride]; `clock` holds those of t.
  [[nodiscard]] std::optional<ExpressionFault> evaluate(int order, const double* clock, double* out, std::size_t stride) {
    if (series_) {
      const std::array<const double*, 1> variables{clock};
      for (int k = 0; k <= order; ++k)
        if (auto fault = series_->coefficient(k, variables, out[z(k) * stride])) return fault;
      return std::nullopt;
    }
    if (constant_ && known_) return std::nullopt;  // the places of the coefficients are always the same
    constexpr int kPieces = 5;                     // a spline is a quintic, a constant less
    Series<kPieces> f;
    if (auto fault = motion_->function.evaluate(Series<kPieces>::time(clock[0]), f)) return fault;
    for (int k = 0; k <= order; ++k) out[z(k) * stride] = k <= kPieces ? f[k] : 0.0;
    known_ = true;
    return std::nullopt;
  }

 private:
  const PrescribedMotion* motion_;
  std::optional<ExpressionSeries> series_;
  bool constant_ = false, known_ = false;
};

std::vector<TimeSeries> time_series(const std::vector<PrescribedMotion>& motions, int order) {
  std::vector<TimeSeries> out;
  out.reserve(motions.size());
  for (const PrescribedMotion& motion : motions) out.emplace_back(motion, order);
  return out;
}

/// One signal: its laws, and the coefficients of what they depend on.
struct SignalSeries {
  std::vector<ExpressionSeries> laws;
  std::vector<double> x, rate;
};

}  // namespace

struct EquationsOfMotion::Impl {
  const PlanarSystem& of;
  const PlanarSystem::Impl& system;
  int order;
  BodySeries bodies;
  std::vector<BatchMemory> memory;       // by batch
  std::vector<ForceMemory> force_memory;
  SchurComplement schur;
  std::vector<PairRecord> jacobian;
  std::vector<Lanes> residual;           // of the order at hand
  std::vector<Lanes> position_residual, velocity_residual;
  std::array<bool, 2> residual_known{};
  std::vector<Lanes> multipliers;        // [order][lane row]
  std::vector<int> place;                // of each equation, in doubles
  std::vector<double> newtons;           // a multiplier times this is a force
  std::vector<double> clock;             // coefficients of t
  std::vector<TimeSeries> drives, force_drives;
  std::vector<double> motions, force_motions;  // [order][motion]
  std::vector<SignalSeries> signals;
  std::vector<double> signal_values, directions;  // [order][signal], [signal]

  bool refined = false;  // correct solutions whatever the pivots

  // formulations other than lagrange
  std::unique_ptr<SaddleSolver> saddle;
  bool regular = true;
  std::vector<double> sparse_jacobian, position, force, change, row_residual, row_multiplier;

  Impl(const PlanarSystem& whole, int highest)
      : of(whole), system(whole.impl()), order(highest), bodies(whole.bodies(), highest, whole.mass()) {
    const auto orders = z(order + 1);
    bodies.set_gravity(whole.gravity().x, whole.gravity().y);
    clock.assign(orders, 0.0);
    if (order >= 1) clock[1] = 1;
    drives = time_series(whole.motions(), order);
    force_drives = time_series(whole.force_motions(), order);
    motions.assign(orders * std::max<std::size_t>(drives.size(), 1), 0.0);
    force_motions.assign(orders * std::max<std::size_t>(force_drives.size(), 1), 0.0);
    for (const ForceSignal& signal : whole.signals()) {
      SignalSeries s{{}, std::vector<double>(orders, 0.0), std::vector<double>(orders, 0.0)};
      for (const Expression& law : signal.laws) s.laws.emplace_back(law, order);
      signals.push_back(std::move(s));
    }
    signal_values.assign(orders * std::max<std::size_t>(signals.size(), 1), 0.0);
    directions.assign(signals.size(), 0.0);
  }

  void evaluate_residual(int k, std::vector<Lanes>& out) {
    system.each_present([&](const auto& batch, std::size_t type) {
      batch.lane_residual(k, bodies.frames(k), motions_at(k), order, memory[type], out.data());
    });
  }
  // What later orders need of order k; the residual itself waits until somebody asks for it.
  void remember_order(int k, std::vector<Lanes>& out) {
    system.each_present([&]<template <class> class E>(const Batch<E>& batch, std::size_t type) {
      if constexpr (Batch<E>::K::kKept > 0) batch.lane_residual(k, bodies.frames(k), motions_at(k), order, memory[type], out.data());
    });
  }
  const std::vector<Lanes>& residual_of(int k) {
    std::vector<Lanes>& out = k == 0 ? position_residual : velocity_residual;
    if (bool& known = residual_known[z(k)]; !known) known = true, evaluate_residual(k, out);
    return out;
  }
  void measure(int k);
  [[nodiscard]] std::optional<Fault> lost_line() const;
  [[nodiscard]] std::optional<Fault> evaluate_signals(int m);
  [[nodiscard]] std::optional<Fault> apply_forces(int m);
  void solve_order(int m);
  void refine_order(int m);

  [[nodiscard]] const double* motions_at(int k) const { return motions.data() + z(k) * drives.size(); }
  [[nodiscard]] const double* force_motions_at(int k) const { return force_motions.data() + z(k) * force_drives.size(); }
};

namespace {

// Equations in pairs, with the places of their numbers in the lane layout.
std::vector<SchurRow> schur_rows(const PlanarSystem::Impl& impl) {
  std::vector<SchurRow> rows;
  impl.each([&]<template <class> class E>(const Batch<E>& batch) {
    constexpr int kRows = Batch<E>::K::kRows;
    for (int e = 0; e < batch.size(); ++e) {
      const std::vector<int> slots = batch.bodies_of(e);
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
  if (formulation_ == Formulation::automatic) formulation_ = chosen_formulation(system);
  if (formulation_ != Formulation::lagrange) {
    w.saddle = uses_tree(formulation_) ? make_joint_solver(formulation_, system)
                                       : make_saddle_solver(formulation_, system.pattern(), system.mass());
    w.position.assign(z(system.coordinates()), 0.0);
    w.sparse_jacobian.assign(z(system.pattern().entries()) + 1, 0.0);
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
  const auto all = [&](std::vector<TimeSeries>& series, const std::vector<PrescribedMotion>& list, std::vector<double>& values,
                       const char* word) -> std::optional<Fault> {
    for (std::size_t m = 0; m < series.size(); ++m) {
      const auto who = [&] { return std::string(word) + " '" + list[m].owner + "'"; };
      if (const auto fault = series[m].evaluate(order, w.clock.data(), values.data() + m, series.size()))
        return Fault{who(), fault->sentence, inside(list[m].where, fault->column), list[m].owner};
      if (list[m].must_be_positive && !(values[m] > 0))
        return Fault{who(), "a distance must stay greater than 0", list[m].where, list[m].owner};
    }
    return std::nullopt;
  };
  if (auto fault = all(w.drives, system_->motions(), w.motions, "driver")) return fault;
  return all(w.force_drives, system_->force_motions(), w.force_motions, "force");
}

void EquationsOfMotion::set_position(std::span<const double> q) {
  Impl& w = *impl_;
  w.bodies.set_position(q);
  w.remember_order(0, w.position_residual);
  w.residual_known[0] = false;
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

// ---- the expansion -----------------------------------------------------------------------------------------------------

void EquationsOfMotion::Impl::measure(int k) {
  system.each_force_present([&](const auto& batch, std::size_t type) {
    batch.measure(k, bodies.frames(k), order, force_memory[type], [&](int s, double x) {
      SignalSeries& signal = signals[z(s)];
      signal.x[z(k)] = x;
      if (k > 0) signal.rate[z(k - 1)] = k * x;
    });
  });
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
    for (ExpressionSeries& law : signals[s].laws) {
      double value = 0;
      if (const auto fault = law.coefficient(m, variables, value))
        return Fault{of.forces()[z(signal.force)].text(), fault->sentence, inside(signal.where, fault->column), of.forces()[z(signal.force)].name};
      sum += value;
    }
  }
  return std::nullopt;
}

// Coefficient m of the forces, onto the bodies.
std::optional<Fault> EquationsOfMotion::Impl::apply_forces(int m) {
  if (auto fault = evaluate_signals(m)) return fault;
  const double* values = signal_values.data() + z(m) * signals.size();
  system.each_force_present([&](const auto& batch, std::size_t type) {
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

// ---- what came out ---------------------------------------------------------------------------------------------------

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
    if constexpr (ForceBatch<F>::kMeasures == 1) {
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
