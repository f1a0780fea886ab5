// Impacts of stops, by Newton's rule, and what comes to rest at them: the part of DryFriction that only stops have (docs/theory/one-sided.md).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/math/complementarity.hpp"
#include "jounce/mechanism/dry_friction.hpp"

namespace jounce {
namespace {

/// Of the mechanism's size: gaps up to this are closed when another one closes.
constexpr double kTouches = 1e-12;
/// A gap that is below zero by more than this at the start was drawn so.
constexpr double kPassed = 1e-9;
/// Rates up to this part of the largest of their stop, and of all others, are zero behind an impact.
constexpr double kNoRate = 1e-11, kNoRateOfOthers = 1e-13;
/// Tolerances of the integration: what an equation holds has no larger rate than that.
constexpr double kHeldTo = 10;
/// Impacts that follow each other at one time; those of a ball between two others halve with each.
constexpr int kRounds = 200;
/// Of the mechanism's size: a bounce that is lower than this is the last, and what would follow is told by its sum.
constexpr double kLow = 1e-12;
/// A stop that gives way by less than this part of what it would if nothing held it does not give way.
constexpr double kHeld = 1e-13;

}  // namespace

bool DryFriction::touches(const Element& element) const { return element.one_sided && (element.at_rest || element.gap <= kTouches * element.unit); }

double DryFriction::no_rate(const Element& element, double fastest) const {
  const double held = element.one_sided && element.at_rest ? kHeldTo * tolerance_ * std::max(1.0, fastest) * element.unit : 0.0;  // by an equation, to the tolerance
  return kNoRate * element.fastest + kNoRateOfOthers * fastest * element.unit + held;
}

// Impacts first; then who holds whom.
DryFriction::Status DryFriction::meet(double t, std::span<double> q, std::span<double> v, const std::vector<Element>& before, std::vector<Event>& events) {
  std::vector<Blow> blows;
  for (std::size_t i = 0; i < elements_.size(); ++i) elements_[i].gap = gaps_[i];
  const double fastest = this->fastest(v);
  if (std::ranges::any_of(elements_, &Element::one_sided)) {
    if (const Status status = strike(t, q, v, blows); status != Status::decided) return status;
    measure(t, q, v, rates_, gaps_);
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      Element& element = elements_[i];
      if (!element.one_sided) continue;
      element.at_rest = touches(element) && std::abs(rates_[i]) <= no_rate(element, fastest);
      element.direction = element.at_rest ? 0.0 : 1.0;
      element.locked = element.locked && element.at_rest;
    }
    see_what_rubs(fastest, !blows.empty());
  }
  Status status = decide(t, q, v);
  while (status == Status::decided && short_flights(t, q, v, events)) {
    stop(t, q, v);
    if (fault_) return Status::fault;
    measure(t, q, v, rates_, gaps_);
    see_what_rubs(fastest, true);
    status = decide(t, q, v);
  }
  if (status == Status::decided) tell(t, before, blows, events);
  return status;
}

// What friction does after a stop has closed or been hit: no friction withstands a blow, and what a stop has brought to rest slides no more.
void DryFriction::see_what_rubs(double fastest, bool struck) {
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    Element& element = elements_[i];
    if (element.one_sided) continue;
    const bool still = std::abs(rates_[i]) <= no_rate(element, fastest);
    if (still == element.at_rest || (element.at_rest && !struck)) {
      if (!element.at_rest && struck) element.direction = rates_[i] < 0 ? -1.0 : 1.0;
      continue;
    }
    element.at_rest = still;
    element.direction = still ? 0.0 : rates_[i] < 0 ? -1.0 : 1.0;
    element.locked = element.locked && still;
  }
}

// Those that approach are struck together, and then those that approach because of that. A chain of balls hands a blow on from one to the next; what falls flat
// on two stops is thrown back by both. Energy is never gained: each impulse Λ brings in Λ (u⁺ + u⁻) / 2 = −Λ (1 − e) |u⁻| / 2.
DryFriction::Status DryFriction::strike(double t, std::span<const double> q, std::span<double> v, std::vector<Blow>& blows) {
  std::vector<int> touching;
  for (std::size_t i = 0; i < elements_.size(); ++i)
    if (touches(elements_[i])) touching.push_back(static_cast<int>(i));
  if (touching.empty()) return Status::decided;
  const double fastest = this->fastest(v);
  Responses responses;
  for (int round = 0; round <= kRounds; ++round) {
    measure(t, q, v, rates_, gaps_);
    std::vector<int> approaching;  // places among those that touch
    for (std::size_t k = 0; k < touching.size(); ++k)
      if (const std::size_t i = z(touching[k]); rates_[i] < -no_rate(elements_[i], fastest)) approaching.push_back(static_cast<int>(k));
    if (approaching.empty()) return Status::decided;
    if (round == 0 && (fault_ = respond_all(touching, t, q, responses))) return Status::fault;
    const bool at_last = round == kRounds;
    if (at_last) {
      approaching.clear();
      for (std::size_t k = 0; k < touching.size(); ++k) approaching.push_back(static_cast<int>(k));
    }
    if (const Status status = strike_together(approaching, touching, responses, at_last, v, blows); status != Status::decided) return status;
  }
  return Status::decided;
}

// The changes of rates by impulses, and by how much gaps feel them.
std::optional<Fault> DryFriction::respond_all(const std::vector<int>& touching, double t, std::span<const double> q, Responses& out) {
  const int n = static_cast<int>(touching.size());
  if (auto fault = respond(touching, t, q, out.changes, out.unheld)) return fault;
  out.felt = Matrix(n, n);
  std::vector<double> none(z(out.changes.rows), 0.0), still(elements_.size()), moved(elements_.size()), gaps(elements_.size());
  measure(t, q, none, still, gaps);
  for (int c = 0; c < n; ++c) {
    measure(t, q, out.changes.column(c), moved, gaps);
    for (int r = 0; r < n; ++r) out.felt.at(r, c) = moved[z(touching[z(r)])] - still[z(touching[z(r)])];
  }
  return std::nullopt;
}

DryFriction::Status DryFriction::strike_together(const std::vector<int>& struck, const std::vector<int>& touching, const Responses& responses, bool plastic,
                                                 std::span<double> v, std::vector<Blow>& blows) {
  const int n = static_cast<int>(struck.size());
  Matrix felt(n, n);
  std::vector<double> asked(struck.size());
  const auto jams = [&](const Element& element) {
    in_the_way_name_ = element.name;
    in_the_way_ = element.text + " is hit by what is prescribed, and nothing can give way";
    in_the_way_where_ = element.where;
    return Status::jammed;
  };
  for (int r = 0; r < n; ++r) {
    const Element& element = elements_[z(touching[z(struck[z(r)])])];
    asked[z(r)] = (plastic ? 1 : 1 + element.restitution) * rates_[z(touching[z(struck[z(r)])])];
    for (int c = 0; c < n; ++c) felt.at(r, c) = 0.5 * (responses.felt.at(struck[z(r)], struck[z(c)]) + responses.felt.at(struck[z(c)], struck[z(r)]));
    if (!(felt.at(r, r) > kHeld * responses.unheld[z(struck[z(r)])])) return jams(element);
  }
  const auto impulse = solve_complementarity(felt, asked);
  if (!impulse) return jams(elements_[z(touching[z(struck[0])])]);
  for (int c = 0; c < n; ++c) {
    if (!((*impulse)[z(c)] > 0)) continue;
    const std::size_t i = z(touching[z(struck[z(c)])]);
    const auto known = std::ranges::find(blows, i, &Blow::element);
    Blow& blow = known != blows.end() ? *known : blows.emplace_back(Blow{i, rates_[i], 0});
    blow.impulse += (*impulse)[z(c)];
    const std::span<const double> change = responses.changes.column(struck[z(c)]);
    for (std::size_t k = 0; k < v.size(); ++k) v[k] += (*impulse)[z(c)] * change[k];
  }
  return Status::decided;
}

// Bounces too low to be told from none: what is left of them is over at a time that follows from the last one, u, 2 u / a (1 + e + e² + …).
bool DryFriction::short_flights(double t, std::span<double> q, std::span<double> v, std::vector<Event>& events) {
  bool any = false;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    Element& element = elements_[i];
    if (!element.one_sided || element.at_rest || !touches(element)) continue;
    if (!any) measure(t, q, v, rates_, gaps_);
    const double u = rates_[i], a = element.acceleration;
    if (!(u > 0 && a < 0 && u * u <= -2 * a * kLow * element.unit)) continue;
    element.at_rest = any = true;
    element.direction = 0;
    if (element.restitution > 0 && element.restitution < 1)
      events.push_back({t - 2 * u / a / (1 - element.restitution), "contact", element.text + " holds: what bounced at it has come to rest", {element.name}});
  }
  return any;
}

void DryFriction::tell(double t, const std::vector<Element>& before, const std::vector<Blow>& blows, std::vector<Event>& events) const {
  for (const Blow& blow : blows) {
    const Element& element = elements_[blow.element];
    Event event{t, "impact",
                fmt::format("{} is hit at {} {}, impulse {} {}", element.text, short_number(-blow.before), element.angle ? "rad/s" : "m/s",
                            short_number(blow.impulse), element.angle ? "N m s" : "N s"),
                {element.name}};
    event.impulse = blow.impulse;
    events.push_back(std::move(event));
  }
  const auto told = [&](const Element& element) {
    return std::ranges::any_of(events, [&](const Event& event) { return event.t >= t && event.kind == "contact" && event.elements.front() == element.name; });
  };
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Element &was = before[i], &is = elements_[i];
    if (is.one_sided) {
      if (was.at_rest && !is.at_rest && std::ranges::find(blows, i, &Blow::element) == blows.end())
        events.push_back({t, "release", is.text + " opens: it would have to pull", {is.name}});
      else if (!was.at_rest && is.at_rest && !told(is))
        events.push_back({t, "contact", is.text + " holds", {is.name}});
    } else if (was.at_rest && !is.at_rest) {
      events.push_back({t, "slip", is.text + " begins to slide: more than its friction pulls at it", {is.name}});
    } else if (!was.at_rest && is.at_rest) {
      events.push_back({t, "stick", is.text + " sticks: its friction holds what pulls at it", {is.name}});
    } else if (!is.at_rest && was.direction != is.direction) {
      events.push_back({t, "friction-reversal", is.text + " stops and slides back", {is.name}});
    }
  }
}

// Of what the model itself has wrong.
const DryFriction::Element* DryFriction::passed_at_start() const {
  for (const Element& element : elements_)
    if (element.one_sided && element.gap < -kPassed * element.unit) return &element;
  return nullptr;
}

}  // namespace jounce
