#include "jounce/space/motion/dry_friction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/math/dense_rank.hpp"
#include "jounce/space/closures/scaled_closures.hpp"
#include "jounce/space/motion/strut_motion.hpp"
#include "jounce/space/size.hpp"
#include "jounce/tree/dof_quantity.hpp"
#include "jounce/tree/registry.hpp"

namespace jounce {
namespace {

/// The lightest mass, and the smallest moment of inertia; infinite where there is none.
struct Lightest {
  double mass = std::numeric_limits<double>::infinity(), inertia = mass;
};
Lightest lightest(const SpaceMechanism& mechanism) {
  Lightest out;
  for (const tree::Link& link : mechanism.tree.links()) {
    if (link.inertia.mass > 0) out.mass = std::min(out.mass, link.inertia.mass);
    for (const double own : {link.inertia.about.xx, link.inertia.about.yy, link.inertia.about.zz})
      if (own > 0) out.inertia = std::min(out.inertia, own);
  }
  return out;
}

// Its tree alone.
std::unique_ptr<SpaceMechanism> opened(const SpaceMechanism& mechanism) {
  auto out = std::make_unique<SpaceMechanism>(mechanism);
  out->loops.clear(), out->couplings.clear(), out->equations.clear(), out->idle.clear();
  return out;
}

int rank_of(const SpaceEquations& at) {
  int rank = 0;
  for (const int own : at.known_ranks().ranks) rank += own;
  return rank;
}

}  // namespace

SpaceDryFriction::SpaceDryFriction(const SpaceMechanism& mechanism, Formulation formulation, double tolerance)
    : DryFriction(tolerance),
      base_(&mechanism),
      formulation_(formulation),
      size_(length_scale(mechanism)),
      unit_(dof_units(mechanism, size_)),
      directions_(mechanism.dofs.size() + mechanism.forces.size(), laws::kSignOfRate),
      places_(mechanism),
      none_(mechanism.dofs.size()) {
  const Lightest least = lightest(mechanism);
  const auto take = [&](Owner owner, std::string text, std::string name, double amplitude, bool angle) {
    Element element;
    element.text = std::move(text), element.name = std::move(name);
    element.amplitude = amplitude;
    element.unit = angle ? 1 : size_;
    element.inertia = angle ? least.inertia : least.mass;
    owners_.push_back(owner);
    add(std::move(element));
  };
  for (std::size_t dof = 0; dof < mechanism.dofs.size(); ++dof)
    if (const double friction = mechanism.dofs[dof].friction.dry_friction; friction > 0) {
      const int index = static_cast<int>(dof);
      take({.dof = index}, mechanism.dof_name(index), mechanism.joint_of(index).name, mechanism.dofs[dof].rubs ? 0 : friction,
           tree::dof_quantity(mechanism.tree, index) == tree::Quantity::angle);
    }
  for (std::size_t f = 0; f < mechanism.forces.size(); ++f)
    if (const auto strut = tree::strut_of(mechanism.forces[f].law); strut && strut->friction > 0) {
      const std::string& name = mechanism.forces[f].name;
      take({.dof = -1, .force = static_cast<int>(f), .strut = *strut}, "force '" + name + "'", name, strut->friction, false);
    }
  for (std::size_t s = 0; s < mechanism.stops.size(); ++s)
    for (const SpaceEquation& equation : mechanism.stops[s].gaps) {
      const SpaceStop& stop = mechanism.stops[s];
      Element element;
      element.text = "stop '" + stop.name + "'", element.name = stop.name, element.where = stop.where;
      element.one_sided = true, element.angle = stop.angle;
      element.restitution = stop.restitution;
      element.unit = equation.scale * (stop.angle ? 1.0 : size_);
      gaps_.push_back({&equation, s});
      add(std::move(element));
    }
  if (!gaps_.empty()) {
    gap_mechanism_ = opened(mechanism);
    for (const Gap& each : gaps_) gap_mechanism_->equations.push_back(*each.equation);
    gap_places_ = std::make_unique<SpaceEquations>(*gap_mechanism_);
  }
  if (any()) begin_probe();
}

void SpaceDryFriction::wind(const std::vector<double>& sides) {
  sides_ = sides;
  if (probe_) probe_->equations().wind(sides_);
}

void SpaceDryFriction::carry(const std::vector<int>& light) {
  light_ = light;
  places_.carry(light_);
  if (probe_) begin_probe();
}

// The mechanism with some elements held where they are at q, behind what it has itself.
std::unique_ptr<SpaceMechanism> SpaceDryFriction::locked(std::span<const int> held, std::span<const double> q) const {
  auto out = std::make_unique<SpaceMechanism>(*base_);
  SpaceEquations at(*base_);
  at.move(q, none_, none_);
  for (const int element : held) {
    if (is_stop(element)) {
      out->equations.push_back(gap(element));
      continue;
    }
    const Owner& owner = owners_[z(element)];
    const std::string& name = elements()[z(element)].name;
    if (owner.dof >= 0) {
      const double where = q[z(base_->tree.link(base_->tree.moved_by(owner.dof)).q)];
      out->couplings.push_back({name, base_->dofs[z(owner.dof)].where, owner.dof, owner.dof, 0, where});
      continue;
    }
    tree::JointShape shape;
    shape.length = length(motion_of(owner.strut, at).apart);
    out->loops.push_back({name, base_->forces[z(owner.force)].where, tree::find_loop_type(tree::Distance::type), tree::Distance::steps(shape), owner.strut.i.body,
                          owner.strut.j.body, {identity3(), owner.strut.i.p}, {identity3(), owner.strut.j.p}});
  }
  return out;
}

void SpaceDryFriction::measure(double t, std::span<const double> q, std::span<const double> v, std::span<double> rates, std::span<double> gaps) {
  if (std::ranges::any_of(owners_, [](const Owner& owner) { return owner.dof < 0; })) places_.move(q, v, none_);
  for (std::size_t i = 0; i < owners_.size(); ++i) {
    if (owners_[i].dof >= 0) rates[i] = v[z(owners_[i].dof)];
    else rates[i] = motion_of(owners_[i].strut, places_).rate();
  }
  if (gaps_.empty()) return;
  gap_places_->at_time(t);
  gap_places_->evaluate_closures(q, v);
  const LoopClosures& found = gap_places_->closures();
  for (std::size_t g = 0; g < gaps_.size(); ++g) {  // a row is the gap over −scale
    const double scale = -gaps_[g].equation->scale;
    gaps[owners_.size() + g] = scale * found.residual()[g];
    rates[owners_.size() + g] = scale * (found.row(static_cast<int>(g)).times(v) - found.drift()[g]);
  }
}

std::vector<double> SpaceDryFriction::gap_gradient(int element) const {
  const LoopClosures::Entries row = gap_places_->closures().row(element - static_cast<int>(owners_.size()));
  std::vector<double> out(none_.size(), 0.0);
  for (std::size_t k = 0; k < row.dofs.size(); ++k) out[z(row.dofs[k])] = -gap(element).scale * row.values[k];
  return out;
}

double SpaceDryFriction::fastest(std::span<const double> v) const {
  double out = 0;
  for (std::size_t dof = 0; dof < v.size(); ++dof) out = std::max(out, std::abs(v[dof]) / unit_[dof]);
  return out;
}

int SpaceDryFriction::surplus(std::span<const int> held, double t, std::span<const double> q) const {
  const auto with = locked(held, q);
  SpaceEquations at(*with);
  at.at_time(t);
  at.evaluate_closures(q, none_);
  return at.closures().size() - rank_of(at);
}

std::optional<Fault> SpaceDryFriction::settle_position(double t, std::span<double> q, int& surplus) {
  places_.at_time(t);
  if (places_.closures().size() > 0) (void)places_.project_position(q);
  places_.evaluate_closures(q, none_);
  base_ranks_ = places_.known_ranks();
  surplus = places_.closures().size() - rank_of(places_);
  return std::nullopt;
}

std::optional<Fault> SpaceDryFriction::close(std::span<const int> stops, double t, std::span<double> q) {
  const auto closed = locked(stops, q);
  SpaceEquations at(*closed);
  at.at_time(t);
  if (!light_.empty()) at.carry(light_);
  (void)at.project_position(q);
  return std::nullopt;
}

std::optional<Fault> SpaceDryFriction::settle_rates(std::span<const int> held, double t, std::span<const double> q, std::span<double> v) {
  if (held.empty() && places_.closures().size() == 0) return std::nullopt;
  const auto stopped = locked(held, q);
  SpaceEquations at(*stopped);
  at.at_time(t);
  if (!light_.empty()) at.carry(light_);
  (void)at.project_velocity(q, v);
  for (const int element : held)
    if (!is_stop(element) && owners_[z(element)].dof >= 0) v[z(owners_[z(element)].dof)] = 0;
  return std::nullopt;
}

std::optional<Fault> SpaceDryFriction::hold(std::span<const int> held, std::span<const double> directions, double t, std::span<const double> q,
                                            std::span<const double> v, Consequences& out) {
  probe_.reset();  // works on what is about to go
  held_.assign(held.begin(), held.end());
  locked_ = held.empty() ? nullptr : locked(held, q);
  for (std::size_t i = 0; i < owners_.size(); ++i)
    directions_[owners_[i].dof >= 0 ? z(owners_[i].dof) : base_->dofs.size() + z(owners_[i].force)] = directions[i];
  begin_probe();
  SpaceEquations& at = probe_->equations();
  std::ranges::copy(q, probe_->q().begin()), std::ranges::copy(v, probe_->v().begin());
  std::ranges::fill(probe_->a(), 0.0);
  if (auto fault = at.prescribe(t, probe_->q(), probe_->v(), probe_->a())) return fault;
  if (auto fault = at.solve(t, probe_->q(), probe_->v(), probe_->a())) return fault;
  out.spread = length(base_->tree.gravity) / size_;
  for (std::size_t dof = 0; dof < unit_.size(); ++dof) out.spread = std::max(out.spread, std::abs(probe_->a()[dof]) / unit_[dof]);
  for (std::size_t lock = 0; lock < held_.size(); ++lock) out.carried[z(held_[lock])] = carried_by(lock, at);
  set_amplitudes(at);
  at.move(probe_->q(), probe_->v(), probe_->a());
  for (std::size_t i = 0; i < owners_.size(); ++i) {
    if (owners_[i].dof >= 0) {
      out.accelerations[i] = probe_->a()[z(owners_[i].dof)];
      continue;
    }
    const StrutMotion seen = motion_of(owners_[i].strut, at);
    const double rate = seen.rate();
    out.accelerations[i] = (dot(seen.apart, seen.acceleration) + dot(seen.velocity, seen.velocity) - rate * rate) / length(seen.apart);
  }
  if (gaps_.empty()) return std::nullopt;
  gap_places_->at_time(t);
  gap_places_->evaluate_closures(q, v);
  const LoopClosures& found = gap_places_->closures();
  for (std::size_t g = 0; g < gaps_.size(); ++g)
    out.accelerations[owners_.size() + g] = -gaps_[g].equation->scale * (found.row(static_cast<int>(g)).times(probe_->a()) - found.right()[g]);
  std::vector<double> tau(none_.size());
  at.efforts(tau);
  double mass = 0;
  for (const tree::Link& link : base_->tree.links()) mass += link.inertia.mass;
  out.effort = (at.largest_load(tau) + mass * out.spread * size_) * size_;
  return std::nullopt;
}

// What friction of joints can be, by the forces that they carry.
void SpaceDryFriction::set_amplitudes(const SpaceEquations& at) {
  for (std::size_t i = 0; i < owners_.size(); ++i)
    if (const int dof = owners_[i].dof; dof >= 0 && base_->dofs[z(dof)].rubs) set_amplitude(i, base_->dofs[z(dof)].friction.dry_friction * at.friction_load(dof));
}

// As many equations are independent as ever, whatever they seem to be between steps, a little off the loops.
void SpaceDryFriction::begin_probe() {
  probe_ = std::make_unique<SpaceOde>(mechanism(), formulation_);
  SpaceEquations& at = probe_->equations();
  if (!light_.empty()) at.carry(light_);
  at.direct(directions_);
  at.wind(sides_);
  if (at.closures().size() > 0) at.fix_ranks(base_ranks_);
  y_.resize(z(probe_->size()));
}

// A lock gives an effort, or a force on the end j: friction is what it takes away.
double SpaceDryFriction::carried_by(std::size_t lock, const SpaceEquations& at, std::span<const double> multipliers) const {
  if (is_stop(held_[lock])) {
    std::size_t place = base_->equations.size();
    for (std::size_t other = 0; other < lock; ++other) place += is_stop(held_[other]) ? 1 : 0;
    return multipliers[z(at.closures().first_equation()) + place] / gap(held_[lock]).scale;
  }
  const Owner& owner = owners_[z(held_[lock])];
  const auto same = [&](std::size_t other) { return !is_stop(held_[other]) && (owners_[z(held_[other])].dof >= 0) == (owner.dof >= 0); };
  std::size_t place = 0;  // among couplings, or loops
  for (std::size_t other = 0; other < lock; ++other) place += same(other) ? 1 : 0;
  if (owner.dof >= 0) return -multipliers[z(at.closures().first_coupling()) + base_->couplings.size() + place];
  const int loop = static_cast<int>(base_->loops.size() + place);
  const Vec3<double> along = motion_of(owner.strut, at).apart;
  return -dot(at.closures().reaction(loop, multipliers).force, along) / length(along);  // along the line: of rates its rate
}

std::optional<Fault> SpaceDryFriction::respond(std::span<const int> stops, double t, std::span<const double> q, Matrix& changes, std::vector<double>& unheld) {
  changes = Matrix(static_cast<int>(none_.size()), static_cast<int>(stops.size()));
  unheld.assign(stops.size(), 0.0);
  std::vector<double> rates(owners_.size() + gaps_.size()), gaps(rates.size());
  measure(t, q, none_, rates, gaps);
  const auto open = opened(*base_);
  const auto answers = [&](const SpaceMechanism& mechanism, const auto& take) -> std::optional<Fault> {
    SpaceEquations at(mechanism);
    at.at_time(t);
    if (!light_.empty() && at.closures().size() > 0) at.carry(light_);
    if (at.closures().size() > 0 && !base_ranks_.ranks.empty()) at.fix_ranks(base_ranks_);
    std::vector<double> a(none_.size()), lambda(z(at.closures().size())), right(lambda.size());
    if (auto fault = at.solve(t, q, none_, a)) return fault;
    for (std::size_t s = 0; s < stops.size(); ++s) {
      const std::vector<double> along = gap_gradient(stops[s]);
      std::vector<double> x(none_.size(), 0.0);
      at.solve_order(q, along, right, x, lambda);
      take(s, along, x);
    }
    return std::nullopt;
  };
  if (auto fault = answers(*base_, [&](std::size_t s, std::span<const double>, std::span<const double> x) {
        for (std::size_t dof = 0; dof < x.size(); ++dof) changes.at(static_cast<int>(dof), static_cast<int>(s)) = x[dof];
      }))
    return fault;
  return answers(*open, [&](std::size_t s, std::span<const double> along, std::span<const double> x) { unheld[s] = dot(along, x); });
}

bool SpaceDryFriction::look(Stepper& stepper, double t, std::span<double> rates, std::span<double> gaps, std::span<double> carried) {
  if (!stepper.dense(t, y_) || !probe_->spread(t, y_)) return false;
  q_.assign(probe_->q().begin(), probe_->q().end());
  measure(t, probe_->q(), probe_->v(), rates, gaps);
  if (!locked_) return true;
  SpaceEquations& at = probe_->equations();
  (void)at.project_position(probe_->q());
  (void)at.project_velocity(probe_->q(), probe_->v());
  if (!probe_->accelerate(t)) return false;
  for (std::size_t lock = 0; lock < held_.size(); ++lock) carried[z(held_[lock])] = carried_by(lock, at);
  set_amplitudes(at);
  return true;
}

// ---- results ---------------------------------------------------------------------------------------------------------

void SpaceDryFriction::still(std::span<double> v) const {
  for (const int element : held_)
    if (!is_stop(element) && owners_[z(element)].dof >= 0) v[z(owners_[z(element)].dof)] = 0;
}

void SpaceDryFriction::pushes(const SpaceEquations& at, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  for (std::size_t lock = 0; lock < held_.size(); ++lock)
    if (is_stop(held_[lock])) out[gaps_[z(held_[lock]) - owners_.size()].stop] += std::max(0.0, -carried_by(lock, at));
}

void SpaceDryFriction::complete(const SpaceEquations& at, std::span<double> tau, std::span<tree::ForceReading<double>> readings,
                                std::span<double> friction) const {
  constexpr std::size_t kRate = 1, kTension = 2;  // of a strut
  for (std::size_t i = 0; i < owners_.size(); ++i)
    if (owners_[i].force >= 0 && elements()[i].at_rest) readings[z(owners_[i].force)][kRate] = 0;
  for (std::size_t lock = 0; lock < held_.size(); ++lock) {
    if (is_stop(held_[lock])) continue;
    const Owner& owner = owners_[z(held_[lock])];
    const double carried = carried_by(lock, at);
    if (owner.dof >= 0) tau[z(owner.dof)] -= carried, friction[z(owner.dof)] -= carried;
    else readings[z(owner.force)][kTension] += carried;
  }
}

std::vector<StrutFriction> SpaceDryFriction::in_forces(const SpaceEquations& at, std::span<const double> multiplier_rates) const {
  std::vector<StrutFriction> out(base_->forces.size());
  for (const Owner& owner : owners_)
    if (const int f = owner.force; f >= 0) out[z(f)].direction = directions_[base_->dofs.size() + z(f)];
  for (std::size_t lock = 0; lock < held_.size(); ++lock)
    if (const int f = is_stop(held_[lock]) ? -1 : owners_[z(held_[lock])].force; f >= 0) out[z(f)].held = carried_by(lock, at), out[z(f)].held_rate = carried_by(lock, at, multiplier_rates);
  return out;
}

}  // namespace jounce
