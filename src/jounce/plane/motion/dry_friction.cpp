#include "jounce/plane/motion/dry_friction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"

namespace jounce {

PlaneDryFriction::PlaneDryFriction(const PlanarSystem& system, Formulation formulation, double tolerance)
    : DryFriction(tolerance), base_(&system), formulation_(formulation) {
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
    const bool rotation = force.kind == planar::ForceKind::rotation;
    Element element;
    element.text = force.text(), element.name = force.name;
    element.amplitude = signal.dry_friction;
    element.unit = rotation ? 1.0 : system.length_scale();
    element.inertia = lightest[rotation];
    signal_.push_back(static_cast<int>(s)), force_.push_back(signal.force);
    add(std::move(element));
  }
}

std::vector<int> PlaneDryFriction::signals_of(std::span<const int> held) const {
  std::vector<int> out;
  for (const int element : held) out.push_back(signal_[z(element)]);
  return out;
}

void PlaneDryFriction::measure(std::span<const double> q, std::span<const double> v, std::span<double> rates) {
  measure_signals(*base_, q, v, measured_);
  for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = measured_[z(signal_[i])].rate;
}

double PlaneDryFriction::fastest(std::span<const double> v) const {
  double out = 0;
  for (std::size_t i = 0; i < v.size(); ++i) out = std::max(out, std::abs(v[i]) / (i % 3 == 2 ? 1.0 : base_->length_scale()));
  return out;
}

int PlaneDryFriction::surplus(std::span<const int> held, double t, std::span<const double> q) const {
  const LockedSystem with = lock(*base_, signals_of(held), q);
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

std::optional<Fault> PlaneDryFriction::settle_rates(std::span<const int> held, double t, std::span<const double> q, std::span<double> v) {
  const LockedSystem stopped = lock(*base_, signals_of(held), q);
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
  locked_ = held.empty() ? nullptr : std::make_unique<LockedSystem>(lock(*base_, signals_of(held), q));
  for (std::size_t i = 0; i < directions.size(); ++i) directions_[z(signal_[i])] = directions[i];
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
  carry(lambda_, out.carried);
  return std::nullopt;
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
}

bool PlaneDryFriction::look(Stepper& stepper, double t, std::span<double> rates, std::span<double> carried) {
  if (!stepper.dense(t, y_)) return false;
  const std::span<double> q = std::span(y_).first(y_.size() / 2), v = std::span(y_).subspan(q.size());
  measure(q, v, rates);
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
  return true;
}

// ---- results ---------------------------------------------------------------------------------------------------------

void PlaneDryFriction::original_rows(std::span<const double> lambda, std::span<double> out) const {
  for (std::size_t c = 0; c < base_->constraints().size(); ++c) {
    const Constraint &from = system().constraints()[c], &to = base_->constraints()[c];
    std::copy_n(lambda.begin() + from.first_row, from.rows, out.begin() + to.first_row);
  }
}

void PlaneDryFriction::complete(std::span<const double> lambda, std::span<ForceReading> readings) const {
  for (std::size_t i = 0; i < force_.size(); ++i)
    if (elements()[i].at_rest) readings[z(force_[i])].rate = 0;
  if (!locked_) return;
  for (const Lock& of : locked_->locks)
    readings[z(base_->signals()[z(of.signal)].force)].effort += lambda[z(of.row)] * of.divisor;
}

}  // namespace jounce
