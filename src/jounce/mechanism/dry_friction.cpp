#include "jounce/mechanism/dry_friction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"

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
/// So many changes within that part of a run are no motion that could be followed.
constexpr std::size_t kChattering = 1000;
constexpr double kChatteringTime = 1e-7;

double sign_of(double x) { return x < 0 ? -1.0 : 1.0; }

}  // namespace

DryFriction::DryFriction(double tolerance) : tolerance_(tolerance), slack_(kSlack) {}

// ---- decisions -------------------------------------------------------------------------------------------------------

DryFriction::Status DryFriction::start(double t, std::span<double> q, std::span<double> v) {
  const double fastest = this->fastest(v);
  rates_.resize(elements_.size()), gaps_.resize(elements_.size()), carried_.resize(elements_.size());
  measure(t, q, v, rates_, gaps_);
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    Element& element = elements_[i];
    element.fastest = std::abs(rates_[i]);
    element.gap = gaps_[i];
    if (element.one_sided) continue;  // whether it touches is seen after impacts
    element.at_rest = std::abs(rates_[i]) <= kStartAtRest * fastest * element.unit;
    element.direction = element.at_rest ? 0.0 : sign_of(rates_[i]);
  }
  if (const Element* passed = passed_at_start()) {
    in_the_way_name_ = passed->name;
    in_the_way_ = passed->text + " is passed by " + short_number(-passed->gap) + (passed->angle ? " rad" : " m");
    in_the_way_where_ = passed->where;
    return Status::passed;
  }
  const Status status = meet(t, q, v, std::vector(elements_), impacts_at_start_);
  std::erase_if(impacts_at_start_, [](const Event& event) { return event.kind != "impact"; });  // what slides, sticks or touches from the start does not begin to
  return status;
}

DryFriction::Status DryFriction::change(double t, std::span<double> q, std::span<double> v, std::vector<Event>& events) {
  const std::vector<Element> before = elements_;
  measure(t, q, v, rates_, gaps_);
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    Element& element = elements_[i];
    if (element.one_sided) continue;
    const bool changing = changing_ == i;
    if (element.at_rest && (element.locked || !changing)) continue;
    const bool stops = !element.at_rest && (changing || std::abs(rates_[i]) <= kSameTime * element.fastest);
    element.at_rest = stops;
    element.direction = stops ? 0.0 : sign_of(rates_[i]);
  }
  return meet(t, q, v, before, events);
}

std::optional<Ending> DryFriction::ending(Status status, double t) const {
  if (status == Status::fault) return no_value(fault(), t);
  if (status == Status::decided) return std::nullopt;
  std::vector<std::string> stops;
  for (const Element& element : elements_)
    if (element.one_sided) stops.push_back(element.name);
  if (status == Status::passed || status == Status::jammed)
    return Ending{.kind = Outcome::Kind::conflicting, .sentence = in_the_way_ + " at " + seconds(t), .elements = {in_the_way_name_}, .where = in_the_way_where_};
  return Ending{.kind = Outcome::Kind::undecided,
                .sentence = !stops.empty() ? "stops (" + join_names(stops) + "): no combination of touching and leaving agrees with the forces at " + seconds(t)
                                  : "dry friction: no combination of sticking and sliding agrees with the forces at " + seconds(t),
                .elements = stops,
                .hint = !stops.empty() ? "" : "a friction_speed > 0 makes friction smooth"};
}

std::optional<Ending> DryFriction::chattering(double t, double length) {
  changes_.push_back(t);
  const std::size_t n = changes_.size();
  if (n <= kChattering || t - changes_[n - 1 - kChattering] > kChatteringTime * length) return std::nullopt;
  if (const Element* stop = changing_ && elements_[*changing_].one_sided ? &elements_[*changing_] : nullptr)
    return Ending{.kind = Outcome::Kind::step_too_small,
                  .sentence = stop->text + " opens and closes without end at " + seconds(t),
                  .elements = {stop->name},
                  .where = stop->where};
  return Ending{.kind = Outcome::Kind::step_too_small,
                .sentence = "dry friction changes without end at " + seconds(t) + ": it sticks and slides in turns",
                .elements = {},
                .hint = "a friction_speed > 0 makes friction smooth"};
}

// What of a pull is rounding of the other forces.
double DryFriction::pull_allowed(const Element& element) const { return slack_ * found_.effort / element.unit; }

// Of these elements, those that can be held without repeating what is held already.
std::vector<int> DryFriction::independent(const std::vector<int>& elements, double t, std::span<const double> q) const {
  if (elements.empty() || surplus(elements, t, q) == base_surplus_) return elements;
  std::vector<int> out;
  for (const int element : elements) {
    out.push_back(element);
    if (surplus(out, t, q) > base_surplus_) out.pop_back();
  }
  return out;
}

bool DryFriction::depends(std::size_t element, double t, std::span<const double> q) const {
  std::vector<int> held{static_cast<int>(element)};
  for (std::size_t i = 0; i < elements_.size(); ++i)
    if (elements_[i].locked) held.push_back(static_cast<int>(i));
  return surplus(held, t, q) > base_surplus_;
}

// Makes the rates of everything at rest exactly zero.
void DryFriction::stop(double t, std::span<double> q, std::span<double> v) {
  std::vector<int> held;
  for (std::size_t i = 0; i < elements_.size(); ++i)
    if (elements_[i].at_rest) held.push_back(static_cast<int>(i));
  if ((fault_ = settle_position(t, q, base_surplus_))) return;
  held = independent(held, t, q);
  std::vector<int> closed = held;
  std::erase_if(closed, [&](int element) { return !elements_[z(element)].one_sided; });
  if (!closed.empty() && (fault_ = close(closed, t, q))) return;
  fault_ = settle_rates(held, t, q, v);
}

// One combination: what the friction of the locked has to carry, and how the others at rest would begin to move.
bool DryFriction::evaluate(double t, std::span<const double> q, std::span<const double> v) {
  std::vector<int> held;
  std::vector<double> directions;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    if (elements_[i].at_rest && elements_[i].direction == 0) held.push_back(static_cast<int>(i));
    directions.push_back(elements_[i].direction);
  }
  held = independent(held, t, q);
  found_.carried.assign(elements_.size(), 0.0), found_.accelerations.assign(elements_.size(), 0.0);
  if ((fault_ = hold(held, directions, t, q, v, found_))) return false;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    Element& element = elements_[i];
    element.locked = std::ranges::find(held, static_cast<int>(i)) != held.end();
    element.friction = element.locked ? found_.carried[i] : element.amplitude * element.direction;
    element.acceleration = found_.accelerations[i];
  }
  return true;
}

// The state that an element at rest goes to because the one it is in cannot be; nothing if it can.
std::optional<double> DryFriction::contradiction(std::size_t i, double t, std::span<const double> q) const {
  const Element& element = elements_[i];
  if (!element.at_rest) return std::nullopt;
  if (element.locked && element.one_sided) {
    if (element.friction <= pull_allowed(element)) return std::nullopt;
    return 1.0;
  }
  if (element.locked) {
    if (std::abs(element.friction) <= element.amplitude * (1 + slack_)) return std::nullopt;
    return sign_of(element.friction);
  }
  const double small = kNoAcceleration * (found_.spread * element.unit + element.amplitude / element.inertia);
  if (element.direction == 0) {  // other equations hold it, or move it
    if (std::abs(element.acceleration) <= small || (element.one_sided && element.acceleration < 0)) return std::nullopt;
    return sign_of(element.acceleration);
  }
  const double forward = element.acceleration * element.direction;
  if (forward >= 0 || (forward >= -small && depends(i, t, q))) return std::nullopt;
  return 0.0;
}

// Changes elements whose state contradicts the forces, until there are none. All at once is quick, but can go round in circles; the
// first one only, each time, cannot as long as the elements are independent (Murty's rule).
bool DryFriction::settle(double t, std::span<double> q, std::span<double> v) {
  const std::size_t rounds = kTogether + 10 * elements_.size();
  for (std::size_t round = 0; round < rounds; ++round) {
    if (!evaluate(t, q, v)) return false;
    bool agreed = true;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const auto other = contradiction(i, t, q);
      if (!other) continue;
      elements_[i].direction = *other;
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
  std::vector<int> held;
  for (std::size_t i = 0; i < elements_.size(); ++i)
    if (elements_[i].at_rest && (elements_[i].locked || elements_[i].direction != 0)) held.push_back(static_cast<int>(i));
  const bool all_move = independent(held, t, q).size() == held.size();
  for (std::size_t i = 0; i < elements_.size(); ++i)
    if (Element& element = elements_[i]; element.at_rest && element.direction != 0 && (all_move || !depends(i, t, q))) element.at_rest = false;
  decided();
  set_margins();
}

// ---- watching --------------------------------------------------------------------------------------------------------

void DryFriction::set_margins() {
  margins_.clear();
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Element& element = elements_[i];
    if (element.one_sided && !element.at_rest) {
      margins_.push_back({i, -1, 0});
    } else if (element.one_sided && element.locked) {
      margins_.push_back({i, 1, 2 * pull_allowed(element)});
    } else if (element.locked) {
      margins_.push_back({i, 1, 0});  // what is allowed follows from its amplitude
      margins_.push_back({i, -1, 0});
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
  if (element.one_sided && !element.at_rest) return kNoGap * element.unit;
  return element.at_rest ? 0.0 : tolerance_ * (element.unit + element.fastest);
}

// allowed − sign · (rate, gap or tension), for every margin. False where an equation has no value.
bool DryFriction::margins_at(Stepper& stepper, double t, std::span<double> out) {
  if (!look(stepper, t, rates_, gaps_, carried_)) return false;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    elements_[i].gap = gaps_[i];
    elements_[i].fastest = std::max(elements_[i].fastest, std::abs(rates_[i]));
    if (elements_[i].locked) elements_[i].friction = carried_[i];
  }
  for (std::size_t m = 0; m < margins_.size(); ++m) {
    const std::size_t i = margins_[m].element;
    const bool open = elements_[i].one_sided && !elements_[i].at_rest, holds = elements_[i].locked && !elements_[i].one_sided;
    const double allowed = holds ? elements_[i].amplitude * (1 + 2 * slack_) : margins_[m].allowed;
    out[m] = allowed - margins_[m].sign * (open ? gaps_[i] : elements_[i].locked ? elements_[i].friction : rates_[i]);
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
    if (element.one_sided || element.at_rest || most[m] > kMoves * element.unit || !depends(margins_[m].element, stepper.t(), looked_at())) continue;
    changing_ = margins_[m].element;
    return stepper.t();
  }
  return std::nullopt;
}

}  // namespace jounce
