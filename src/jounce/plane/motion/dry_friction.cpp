#include "jounce/plane/motion/dry_friction.hpp"
#include "jounce/base/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace jounce {
namespace {

/// Friction may be exceeded by this part before it gives way: rounding must not make it.
constexpr double kSlack = 1e-11;
/// Where the forces are so much larger than friction that rounding still does, the slack grows up to this.
constexpr double kMostSlack = 1e-6;
constexpr double kMoreSlack = 100;
/// A rate below this part of the largest one of its element is zero when another one is.
constexpr double kSameTime = 1e-11;
constexpr double kStartAtRest = 1e-12;
/// Accelerations below this part of the others may be nothing but rounding.
constexpr double kNoAcceleration = 1e-9;
/// What other equations hold at rest moves again when its rate is more than this (mechanism sizes or radians per second).
constexpr double kMoves = 1e-9;
/// Looks within a step; a step of the highest order spans about one swing.
constexpr int kLooks = 24;
/// The first and last look are this part of the step from its ends, to see which way a margin goes there.
constexpr double kEdge = 1e-3;
constexpr int kBisections = 120;
/// Rounds of a decision in which all elements change at once.
constexpr std::size_t kTogether = 20;
constexpr int kHalvings = 24;

double sign_of(double x) { return x < 0 ? -1.0 : 1.0; }

}  // namespace

DryFriction::DryFriction(const PlanarSystem& system, Formulation formulation, double tolerance)
    : base_(&system), formulation_(formulation), tolerance_(tolerance), slack_(kSlack) {
  directions_.assign(system.signals().size(), 0.0);
  measured_.resize(system.signals().size());
  y_.resize(2 * z(system.coordinates()));
  std::array<double, 2> lightest{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < system.mass().size(); ++i)
    if (system.mass()[i] > 0) lightest[i % 3 == 2] = std::min(lightest[i % 3 == 2], system.mass()[i]);
  for (std::size_t s = 0; s < system.signals().size(); ++s) {
    const ForceSignal& signal = system.signals()[s];
    if (!(signal.dry_friction > 0)) continue;
    Element element;
    element.signal = static_cast<int>(s), element.force = signal.force, element.amplitude = signal.dry_friction;
    const bool rotation = system.forces()[z(signal.force)].kind == planar::ForceKind::rotation;
    element.unit = rotation ? 1.0 : system.length_scale();
    element.inertia = lightest[rotation];
    elements_.push_back(element);
  }
}

// ---- decisions -------------------------------------------------------------------------------------------------------

DryFriction::Status DryFriction::start(double t, std::span<double> q, std::span<double> v) {
  double fastest = 0;
  for (std::size_t i = 0; i < v.size(); ++i) fastest = std::max(fastest, std::abs(v[i]) / (i % 3 == 2 ? 1.0 : base_->length_scale()));
  measure_signals(*base_, q, v, measured_);
  for (Element& element : elements_) {
    const double rate = measured_[z(element.signal)].rate;
    element.fastest = std::abs(rate);
    element.at_rest = std::abs(rate) <= kStartAtRest * fastest * element.unit;
    element.direction = element.at_rest ? 0.0 : sign_of(rate);
  }
  return decide(t, q, v);
}

DryFriction::Status DryFriction::change(double t, std::span<double> q, std::span<double> v, std::vector<Event>& events) {
  const std::vector<Element> before = elements_;
  measure_signals(*base_, q, v, measured_);
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    Element& element = elements_[i];
    const double rate = measured_[z(element.signal)].rate;
    const bool changing = changing_ == i;
    if (element.at_rest && (element.locked || !changing)) continue;
    const bool stops = !element.at_rest && (changing || std::abs(rate) <= kSameTime * element.fastest);
    element.at_rest = stops;
    element.direction = stops ? 0.0 : sign_of(rate);
  }
  const Status status = decide(t, q, v);
  if (status != Status::decided) return status;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Element &was = before[i], &is = elements_[i];
    const AppliedForce& force = base_->forces()[z(is.force)];
    if (was.at_rest && !is.at_rest)
      events.push_back({t, "slip", force.text() + " begins to slide: more than its friction pulls at it", {force.name}});
    else if (!was.at_rest && is.at_rest)
      events.push_back({t, "stick", force.text() + " sticks: its friction holds what pulls at it", {force.name}});
    else if (!is.at_rest && was.direction != is.direction)
      events.push_back({t, "friction-reversal", force.text() + " stops and slides back", {force.name}});
  }
  return status;
}

// Equations that depend on others.
int DryFriction::surplus(const PlanarSystem& system, double t, std::span<const double> q) const {
  EquationsOfMotion at(system, 2, formulation_);
  if (at.set_time(t, 0)) return 0;  // whoever came here has seen the fault
  at.set_position(q);
  at.factor(false);
  return at.dropped_count();
}

// Of these signals, those that can be locked without repeating what is held already.
std::vector<int> DryFriction::independent(const std::vector<int>& signals, double t, std::span<const double> q) const {
  if (signals.empty() || surplus(lock(*base_, signals, q).system, t, q) == base_surplus_) return signals;
  std::vector<int> out;
  for (const int signal : signals) {
    out.push_back(signal);
    if (surplus(lock(*base_, out, q).system, t, q) > base_surplus_) out.pop_back();
  }
  return out;
}

bool DryFriction::depends(const Element& element, double t, std::span<const double> q) const {
  std::vector<int> signals{element.signal};
  for (const Element& other : elements_)
    if (other.locked) signals.push_back(other.signal);
  return surplus(lock(*base_, signals, q).system, t, q) > base_surplus_;
}

// Makes the rates of everything at rest exactly zero.
void DryFriction::stop(double t, std::span<double> q, std::span<double> v) {
  std::vector<int> signals;
  for (const Element& element : elements_)
    if (element.at_rest) signals.push_back(element.signal);
  EquationsOfMotion original(*base_, 2, formulation_);
  if ((fault_ = original.set_time(t, 2))) return;
  original.set_position(q);
  original.factor(false);
  base_surplus_ = original.dropped_count();
  if (std::isfinite(original.smallest_pivot())) (void)original.project_position(q);
  signals = independent(signals, t, q);
  const LockedSystem stopped = lock(*base_, signals, q);
  EquationsOfMotion at(stopped.system, 2, formulation_);
  if ((fault_ = at.set_time(t, 2))) return;
  at.set_position(q);
  at.factor(false);
  at.set_velocity(v);
  if (std::isfinite(at.smallest_pivot())) (void)at.project_velocity(v);
}

// One combination: what the friction of the locked has to carry, and how the others at rest would begin to move.
bool DryFriction::evaluate(double t, std::span<const double> q, std::span<const double> v) {
  std::vector<int> signals;
  for (const Element& element : elements_)
    if (element.at_rest && element.direction == 0) signals.push_back(element.signal);
  signals = independent(signals, t, q);
  locked_ = signals.empty() ? nullptr : std::make_unique<LockedSystem>(lock(*base_, signals, q));
  for (Element& element : elements_) {
    element.locked = std::ranges::find(signals, element.signal) != signals.end();
    directions_[z(element.signal)] = element.direction;
  }

  EquationsOfMotion at(system(), 3, formulation_);
  at.set_directions(directions_);
  if ((fault_ = at.set_time(t, 3))) return false;
  at.set_position(q);
  at.factor(false);
  at.set_velocity(v);
  if ((fault_ = at.expand(3))) return false;
  lambda_.resize(z(system().equations()));
  at.multipliers(0, lambda_);
  scratch_.resize(q.size());
  at.coefficient(2, scratch_);
  spread_ = std::hypot(base_->gravity().x, base_->gravity().y) / base_->length_scale();
  for (std::size_t i = 0; i < scratch_.size(); ++i)
    spread_ = std::max(spread_, 2 * std::abs(scratch_[i]) / (i % 3 == 2 ? 1.0 : base_->length_scale()));
  for (Element& element : elements_) {
    element.friction = element.amplitude * element.direction;
    element.acceleration = at.reading(element.force, 1).rate;
  }
  for (Element& element : elements_)
    for (std::size_t k = 0; locked_ && k < locked_->locks.size(); ++k)
      if (const Lock& of = locked_->locks[k]; of.signal == element.signal) element.friction = lambda_[z(of.row)] * of.divisor;
  return true;
}

// The state that an element at rest goes to because the one it is in cannot be; nothing if it can.
std::optional<double> DryFriction::contradiction(const Element& element, double t, std::span<const double> q) const {
  if (!element.at_rest) return std::nullopt;
  if (element.locked) {
    if (std::abs(element.friction) <= element.amplitude * (1 + slack_)) return std::nullopt;
    return sign_of(element.friction);
  }
  const double small = kNoAcceleration * (spread_ * element.unit + element.amplitude / element.inertia);
  if (element.direction == 0) {  // other equations hold it, or move it
    if (std::abs(element.acceleration) <= small) return std::nullopt;
    return sign_of(element.acceleration);
  }
  const double forward = element.acceleration * element.direction;
  if (forward >= 0 || (forward >= -small && depends(element, t, q))) return std::nullopt;
  return 0.0;
}

// Changes elements whose state contradicts the forces, until there are none. All at once is quick, but can go round in circles; the
// first one only, each time, cannot as long as the elements are independent (Murty's rule).
bool DryFriction::settle(double t, std::span<double> q, std::span<double> v) {
  const std::size_t rounds = kTogether + 10 * elements_.size();
  for (std::size_t round = 0; round < rounds; ++round) {
    if (!evaluate(t, q, v)) return false;
    bool agreed = true;
    for (Element& element : elements_) {
      const auto other = contradiction(element, t, q);
      if (!other) continue;
      element.direction = *other;
      agreed = false;
      if (round >= kTogether) break;
    }
    if (agreed) return true;
  }
  return false;
}

DryFriction::Status DryFriction::decide(double t, std::span<double> q, std::span<double> v) {
  stop(t, q, v);
  if (fault_) return Status::fault;
  while (!settle(t, q, v)) {
    if (fault_) return Status::fault;
    slack_ *= kMoreSlack;
    if (slack_ > kMostSlack) return Status::undecided;
  }
  finish(t, q);
  return Status::decided;
}

void DryFriction::finish(double t, std::span<const double> q) {
  std::vector<int> signals;
  for (const Element& element : elements_)
    if (element.at_rest && (element.locked || element.direction != 0)) signals.push_back(element.signal);
  const bool all_move = independent(signals, t, q).size() == signals.size();
  for (Element& element : elements_)
    if (element.at_rest && element.direction != 0 && (all_move || !depends(element, t, q))) element.at_rest = false;
  probe_.reset();
  if (locked_) {
    probe_ = std::make_unique<EquationsOfMotion>(system(), 2, formulation_);
    probe_->set_directions(directions_);
  }
  set_margins();
}

// ---- watching --------------------------------------------------------------------------------------------------------

void DryFriction::set_margins() {
  margins_.clear();
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Element& element = elements_[i];
    if (element.locked) {
      const double allowed = element.amplitude * (1 + 2 * slack_);
      margins_.push_back({i, 1, allowed});
      margins_.push_back({i, -1, allowed});
    } else if (element.at_rest) {
      const double allowed = std::max(kMoves, 10 * tolerance_) * element.unit;
      margins_.push_back({i, 1, allowed});
      margins_.push_back({i, -1, allowed});
    } else {
      margins_.push_back({i, -element.direction, 0});
    }
  }
}

double DryFriction::noise(const Margin& margin) const {
  const Element& element = elements_[margin.element];
  return element.at_rest ? 0.0 : tolerance_ * (element.unit + element.fastest);
}

// allowed − sign · (rate or friction), for every margin. False where an equation has no value: the run ends there by itself.
bool DryFriction::margins_at(Stepper& stepper, double t, std::span<double> out) {
  if (!stepper.dense(t, y_)) return false;
  const std::span<double> q = position(), v = std::span(y_).subspan(q.size());
  measure_signals(*base_, q, v, measured_);
  for (Element& element : elements_) element.fastest = std::max(element.fastest, std::abs(measured_[z(element.signal)].rate));
  if (probe_) {
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
    for (const Lock& of : locked_->locks)
      for (Element& element : elements_)
        if (element.signal == of.signal) element.friction = lambda_[z(of.row)] * of.divisor;
  }
  for (std::size_t m = 0; m < margins_.size(); ++m) {
    const Element& element = elements_[margins_[m].element];
    const double value = element.locked ? element.friction : measured_[z(element.signal)].rate;
    out[m] = margins_[m].allowed - margins_[m].sign * value;
  }
  return true;
}

double DryFriction::margin_at(Stepper& stepper, double t, std::size_t margin) {
  scratch_.resize(margins_.size());
  return margins_at(stepper, t, scratch_) ? scratch_[margin] : std::numeric_limits<double>::quiet_NaN();
}

// Where a margin that is negative at `to` became so, after `from`.
double DryFriction::crossing(Stepper& stepper, std::size_t margin, double from, double to) {
  double low = from;
  for (int i = 0; i < kHalvings && !(margin_at(stepper, low, margin) > 0); ++i) low = from + (to - from) * std::ldexp(1.0, -i - 1);
  if (!(margin_at(stepper, low, margin) > 0)) return from;
  double high = to;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = low + 0.5 * (high - low);
    if (!(middle > low && middle < high)) break;
    (margin_at(stepper, middle, margin) > 0 ? low : high) = middle;
  }
  return high;
}

// Whether a margin that is smaller at `middle` than on both sides goes below zero there: golden sections.
std::optional<double> DryFriction::dip(Stepper& stepper, std::size_t margin, double from, double middle, double to) {
  constexpr double kGolden = 0.3819660112501051;
  double a = from, b = middle, c = to, at_b = margin_at(stepper, b, margin);
  for (int i = 0; i < 40 && c - a > 1e-9 * (to - from); ++i) {
    const bool right = c - b > b - a;
    const double x = right ? b + kGolden * (c - b) : b - kGolden * (b - a);
    const double at_x = margin_at(stepper, x, margin);
    if (at_x < -noise(margins_[margin])) return crossing(stepper, margin, from, x);
    if (at_x < at_b) {
      (right ? a : c) = b;
      b = x, at_b = at_x;
    } else {
      (right ? c : a) = x;
    }
  }
  return std::nullopt;
}

std::optional<double> DryFriction::first_change(Stepper& stepper) {
  const double begin = stepper.previous_t(), length = stepper.t() - begin;
  const auto look = [&](int i) {
    const double part = i == 1 ? kEdge : i == kLooks + 1 ? 1 - kEdge : static_cast<double>(std::min(i - 1, kLooks)) / kLooks;
    return i == 0 ? begin : i == kLooks + 2 ? stepper.t() : begin + part * length;
  };
  // the margins of three looks, and when they were
  std::array<std::vector<double>, 3> margin;
  for (auto& values : margin) values.resize(margins_.size());
  std::array<double, 3> when{};
  std::vector<double> most(margins_.size(), 0.0);
  for (int i = 0; i <= kLooks + 2; ++i) {
    std::rotate(margin.begin(), margin.begin() + 1, margin.end());
    std::rotate(when.begin(), when.begin() + 1, when.end());
    when[2] = look(i);
    if (!margins_at(stepper, when[2], margin[2])) return std::nullopt;
    for (std::size_t m = 0; m < most.size(); ++m) most[m] = std::max(most[m], std::abs(margin[2][m]));
    if (i == 0) continue;
    std::optional<double> first;
    for (std::size_t m = 0; m < margins_.size(); ++m) {
      const double g0 = margin[0][m], g1 = margin[1][m], g2 = margin[2][m];
      std::optional<double> found;
      if (g2 < -noise(margins_[m])) found = crossing(stepper, m, when[1], when[2]);
      else if (i >= 2 && g1 < g0 && g1 <= g2 && g1 < std::max(g0, g2) - g1) found = dip(stepper, m, when[0], when[1], when[2]);
      if (found && (!first || *found < *first)) first = found, changing_ = margins_[m].element;
    }
    if (first) return first;
  }
  // A driver can bring what slides to rest without ever turning it back.
  for (std::size_t m = 0; m < margins_.size(); ++m) {
    const Element& element = elements_[margins_[m].element];
    if (element.at_rest || most[m] > kMoves * element.unit || !depends(element, stepper.t(), position())) continue;
    changing_ = margins_[m].element;
    return stepper.t();
  }
  return std::nullopt;
}

// ---- results ---------------------------------------------------------------------------------------------------------

void DryFriction::original_rows(std::span<const double> lambda, std::span<double> out) const {
  for (std::size_t c = 0; c < base_->constraints().size(); ++c) {
    const Constraint &from = system().constraints()[c], &to = base_->constraints()[c];
    std::copy_n(lambda.begin() + from.first_row, from.rows, out.begin() + to.first_row);
  }
}

void DryFriction::complete(std::span<const double> lambda, std::span<ForceReading> readings) const {
  for (const Element& element : elements_)
    if (element.at_rest) readings[z(element.force)].rate = 0;
  if (!locked_) return;
  for (const Lock& of : locked_->locks)
    readings[z(base_->signals()[z(of.signal)].force)].effort += lambda[z(of.row)] * of.divisor;
}

}  // namespace jounce
