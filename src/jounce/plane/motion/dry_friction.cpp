#include "jounce/plane/motion/dry_friction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"

namespace jounce {
namespace {

/// Corrections that close gaps, which are closed to the tolerance of the integration already; the last is smaller than this, in mechanism sizes and radians.
constexpr int kGapCorrections = 3;
constexpr double kGapClosed = 1e-15;

}  // namespace

PlaneDryFriction::PlaneDryFriction(const PlaneMechanism& mechanism, Formulation formulation, double tolerance)
    : DryFriction(tolerance), base_(&mechanism.system), formulation_(formulation) {
  const PlanarSystem& system = mechanism.system;
  directions_.assign(system.signals().size(), 0.0);
  measured_.resize(system.signals().size());
  y_.resize(2 * z(system.coordinates()));
  std::array<double, 2> lightest{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < system.mass().size(); ++i)
    if (system.mass()[i] > 0) lightest[i % 3 == 2] = std::min(lightest[i % 3 == 2], system.mass()[i]);
  for (std::size_t s = 0; s < system.signals().size(); ++s) {
    const ForceSignal& signal = system.signals()[s];
    if (!(signal.dry_friction > 0)) continue;
    const AppliedForce& force = system.forces()[z(signal.force)];
    const bool joint = signal.reaction >= 0;
    const bool rotation = joint ? system.constraints()[z(signal.reaction)].friction_turns : force.kind == planar::ForceKind::rotation;
    Element element;
    element.text = force.text(), element.name = force.name;
    element.amplitude = joint ? 0 : signal.dry_friction;
    element.unit = rotation ? 1.0 : system.length_scale();
    element.inertia = lightest[rotation];
    signal_.push_back(static_cast<int>(s)), force_.push_back(signal.force);
    add(std::move(element));
  }
  for (std::size_t s = 0; s < mechanism.stops.size(); ++s)
    for (const auto& law : mechanism.stops[s].gaps) {
      const PlaneStop& stop = mechanism.stops[s];
      Element element;
      element.text = "stop '" + stop.name + "'", element.name = stop.name, element.where = stop.where;
      element.one_sided = true, element.angle = stop.angle;
      element.restitution = stop.restitution;
      element.unit = law->scale.divisor * (stop.angle ? 1.0 : system.length_scale());
      gaps_.push_back({law, stop.name, stop.where}), stop_.push_back(s);
      add(std::move(element));
    }
}

LockedSystem PlaneDryFriction::locked(std::span<const int> held, std::span<const double> q) const {
  std::vector<int> signals;
  std::vector<ClosedGap> closed;
  for (const int element : held)
    if (z(element) < signal_.size()) signals.push_back(signal_[z(element)]);
    else closed.push_back(gaps_[z(element) - signal_.size()]);
  return lock(*base_, signals, closed, q);
}

void PlaneDryFriction::measure(double t, std::span<const double> q, std::span<const double> v, std::span<double> rates, std::span<double> gaps) {
  if (!signal_.empty()) measure_signals(*base_, q, v, measured_);
  for (std::size_t i = 0; i < signal_.size(); ++i) rates[i] = measured_[z(signal_[i])].rate;
  for (std::size_t g = 0; g < gaps_.size(); ++g) {
    const Measured found = measured_gap(*gaps_[g].law, t, q, v);
    gaps[signal_.size() + g] = found.x, rates[signal_.size() + g] = found.rate;
  }
}

double PlaneDryFriction::fastest(std::span<const double> v) const {
  double out = 0;
  for (std::size_t i = 0; i < v.size(); ++i) out = std::max(out, std::abs(v[i]) / (i % 3 == 2 ? 1.0 : base_->length_scale()));
  return out;
}

int PlaneDryFriction::surplus(std::span<const int> held, double t, std::span<const double> q) const {
  const LockedSystem with = locked(held, q);
  EquationsOfMotion at(with.system, 2, formulation_);
  if (at.set_time(t, 0)) return 0;  // whoever came here has seen the fault
  at.set_position(q);
  at.factor(false);
  return at.dropped_count();
}

std::optional<Fault> PlaneDryFriction::settle_position(double t, std::span<double> q, int& surplus) {
  EquationsOfMotion original(*base_, 2, formulation_);
  if (auto fault = original.set_time(t, 2)) return fault;
  original.set_position(q);
  original.factor(false);
  surplus = original.dropped_count();
  if (std::isfinite(original.smallest_pivot())) (void)original.project_position(q);
  return std::nullopt;
}

std::optional<Fault> PlaneDryFriction::close(std::span<const int> stops, double t, std::span<double> q) {
  const LockedSystem closed = locked(stops, q);
  EquationsOfMotion at(closed.system, 2, formulation_);
  if (auto fault = at.set_time(t, 2)) return fault;
  at.set_position(q);
  for (int i = 0; i < kGapCorrections; ++i) {
    at.factor(false);
    if (!std::isfinite(at.smallest_pivot()) || !(at.project_position(q) > kGapClosed)) break;
  }
  return std::nullopt;
}

std::optional<Fault> PlaneDryFriction::settle_rates(std::span<const int> held, double t, std::span<const double> q, std::span<double> v) {
  const LockedSystem stopped = locked(held, q);
  EquationsOfMotion at(stopped.system, 2, formulation_);
  if (auto fault = at.set_time(t, 2)) return fault;
  at.set_position(q);
  at.factor(false);
  at.set_velocity(v);
  if (std::isfinite(at.smallest_pivot())) (void)at.project_velocity(v);
  return std::nullopt;
}

std::optional<Fault> PlaneDryFriction::hold(std::span<const int> held, std::span<const double> directions, double t, std::span<const double> q,
                                            std::span<const double> v, Consequences& out) {
  locked_ = held.empty() ? nullptr : std::make_unique<LockedSystem>(locked(held, q));
  closed_.clear();
  for (const int element : held)
    if (z(element) >= signal_.size()) closed_.push_back(element - static_cast<int>(signal_.size()));
  for (std::size_t i = 0; i < signal_.size(); ++i) directions_[z(signal_[i])] = directions[i];
  EquationsOfMotion at(system(), 3, formulation_);
  at.set_directions(directions_);
  if (auto fault = at.set_time(t, 3)) return fault;
  at.set_position(q);
  at.factor(false);
  at.set_velocity(v);
  if (auto fault = at.expand(3)) return fault;
  lambda_.resize(z(system().equations()));
  at.multipliers(0, lambda_);
  scratch_.resize(q.size());
  at.coefficient(2, scratch_);
  out.spread = std::hypot(base_->gravity().x, base_->gravity().y) / base_->length_scale();
  for (std::size_t i = 0; i < scratch_.size(); ++i)
    out.spread = std::max(out.spread, 2 * std::abs(scratch_[i]) / (i % 3 == 2 ? 1.0 : base_->length_scale()));
  for (std::size_t i = 0; i < force_.size(); ++i) out.accelerations[i] = at.reading(force_[i], 1).rate;
  if (!gaps_.empty()) {
    out.effort = at.largest_constraint_force() * base_->length_scale();
    for (std::size_t i = 0; i < scratch_.size(); ++i) {
      scratch_[i] *= 2;  // a coefficient is half of an acceleration
      out.effort = std::max(out.effort, base_->mass()[i] * (std::abs(scratch_[i]) + out.spread * (i % 3 == 2 ? 1.0 : base_->length_scale())) *
                                            (i % 3 == 2 ? 1.0 : base_->length_scale()));
    }
    for (std::size_t g = 0; g < gaps_.size(); ++g) out.accelerations[signal_.size() + g] = gap_acceleration(*gaps_[g].law, t, q, v, scratch_);
  }
  carry(lambda_, out.carried);
  load_rows_ = load_rows(system());
  set_amplitudes(lambda_);
  return std::nullopt;
}

// What friction of joints can be, by the forces that they carry.
void PlaneDryFriction::set_amplitudes(std::span<const double> lambda) {
  for (std::size_t f = 0; f < load_rows_.size(); ++f) {
    const int s = base_->rubbing()[f];
    const JointLoad load = joint_load(load_rows_[f], lambda);
    for (std::size_t i = 0; i < signal_.size(); ++i)
      if (signal_[i] == s) set_amplitude(i, base_->signals()[z(s)].dry_friction * std::hypot(load[0], load[1], load[2]));
  }
}

void PlaneDryFriction::decided() {
  probe_.reset();
  if (!locked_) return;
  probe_ = std::make_unique<EquationsOfMotion>(system(), 2, formulation_);
  probe_->set_directions(directions_);
}

// What friction carries where it holds.
void PlaneDryFriction::carry(std::span<const double> lambda, std::span<double> out) const {
  if (!locked_) return;
  for (const Lock& of : locked_->locks)
    for (std::size_t i = 0; i < signal_.size(); ++i)
      if (signal_[i] == of.signal) out[i] = lambda[z(of.row)] * of.divisor;
  for (std::size_t g = 0; g < closed_.size(); ++g) out[signal_.size() + z(closed_[g])] = lambda[z(locked_->gap_rows[g])];
}

std::optional<Fault> PlaneDryFriction::respond(std::span<const int> stops, double t, std::span<const double> q, Matrix& changes, std::vector<double>& unheld) {
  EquationsOfMotion at(*base_, 2, Formulation::kkt);
  if (auto fault = at.set_time(t, 2)) return fault;
  at.set_position(q);
  at.factor(false);
  changes = Matrix(static_cast<int>(q.size()), static_cast<int>(stops.size()));
  unheld.assign(stops.size(), 0.0);
  for (std::size_t s = 0; s < stops.size(); ++s) {
    const std::vector<double> along = gap_gradient(*gaps_[z(stops[s]) - signal_.size()].law, t, q);
    scratch_.assign(q.size(), 0.0);
    if (!at.respond(along, scratch_)) continue;
    for (std::size_t i = 0; i < q.size(); ++i) {
      changes.at(static_cast<int>(i), static_cast<int>(s)) = scratch_[i];
      if (base_->mass()[i] > 0) unheld[s] += along[i] * along[i] / base_->mass()[i];
    }
  }
  return std::nullopt;
}

bool PlaneDryFriction::look(Stepper& stepper, double t, std::span<double> rates, std::span<double> gaps, std::span<double> carried) {
  if (!stepper.dense(t, y_)) return false;
  const std::span<double> q = std::span(y_).first(y_.size() / 2), v = std::span(y_).subspan(q.size());
  measure(t, q, v, rates, gaps);
  if (!probe_) return true;
  EquationsOfMotion& at = *probe_;
  if (at.set_time(t, 2)) return false;
  at.set_position(q);
  at.factor(false);
  (void)at.project_position(q);
  at.set_velocity(v);
  (void)at.project_velocity(v);
  if (at.expand(2)) return false;
  lambda_.resize(z(system().equations()));
  at.multipliers(0, lambda_);
  carry(lambda_, carried);
  set_amplitudes(lambda_);
  return true;
}

// ---- results ---------------------------------------------------------------------------------------------------------

void PlaneDryFriction::original_rows(std::span<const double> lambda, std::span<double> out) const {
  for (std::size_t c = 0; c < base_->constraints().size(); ++c) {
    const Constraint &from = system().constraints()[c], &to = base_->constraints()[c];
    std::copy_n(lambda.begin() + from.first_row, from.rows, out.begin() + to.first_row);
  }
}

void PlaneDryFriction::pushes(std::span<const double> lambda, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  if (!locked_) return;
  for (std::size_t g = 0; g < closed_.size(); ++g) out[stop_[z(closed_[g])]] += std::max(0.0, -lambda[z(locked_->gap_rows[g])]);
}

void PlaneDryFriction::complete(std::span<const double> lambda, std::span<ForceReading> readings) const {
  for (std::size_t i = 0; i < force_.size(); ++i)
    if (elements()[i].at_rest) readings[z(force_[i])].rate = 0;
  if (!locked_) return;
  for (const Lock& of : locked_->locks)
    readings[z(base_->signals()[z(of.signal)].force)].effort += lambda[z(of.row)] * of.divisor;
}

}  // namespace jounce
