#include "jounce/plane/rows/dynamic_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "jounce/plane/rows/given_loads.hpp"
#include "jounce/plane/rows/members.hpp"
#include "jounce/base/require.hpp"
#include "jounce/results/rate_unit.hpp"
#include "jounce/results/row_writers.hpp"
#include "jounce/plane/equations/direct.hpp"
#include "jounce/plane/equations/own_equation.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"
#include "jounce/plane/equations/row_units.hpp"

namespace jounce {
namespace {

bool is_moment(const AppliedForce& force) { return force.type == planar::Moment<double>::type; }

// From the centre of mass to the point a reaction is reported at, in axes of the body and of the ground.
Vec2<double> local_arm(const planar::Point<double>& at) { return {at.p.x, at.p.y}; }
Vec2<double> local_arm(const planar::BodyRef&) { return {}; }
Vec2<double> arm(const planar::FrameRecord& body, const planar::Point<double>& at) {
  return {body.c * at.p.x - body.s * at.p.y, body.s * at.p.x + body.c * at.p.y};
}

// λ ∂Φ/∂f of an element's functions of time: the power of the constraint's forces is λ ∂Φ/∂t, so this times the rate of f is the power of the driver.
template <template <class> class E>
double effort_of(const E<double>& element, std::span<const double> motions, std::span<const planar::FrameRecord> frames, const double* lambda) {
  using Local = direct::LocalConstraint<E>;
  using D = Dual<Local::kMotions>;
  const Local local(element);
  std::array<planar::Frame<D>, z(Local::kSlots)> places;
  for (std::size_t s = 0; s < places.size(); ++s) {
    const planar::FrameRecord& at = frames[z(local.bodies[s])];
    places[s] = {D(at.x), D(at.y), D(at.c), D(at.s), D(at.phi)};
  }
  std::array<D, z(Local::kMotions)> variables;
  for (std::size_t m = 0; m < variables.size(); ++m) variables[m] = D::variable(motions[z(local.motions[m])], static_cast<int>(m));
  double out = 0;
  for (const D& row : local.element.residual(planar::World<D>{places, variables})) {
    for (const double d : row.d) out += *lambda * d;
    ++lambda;
  }
  return out;
}

// −Φqᵀλ on the body the reaction is reported on, all its slots together. What the force does about the centre of mass is taken off before cosine and
// sine come in, so that the torque in a pin is 0 and not rounding.
template <template <class> class E>
Reaction reaction_of(const E<double>& element, std::span<const SlotShare> shares, std::span<const planar::FrameRecord> frames) {
  const auto at = element.reported_at();
  const Vec2<double> arm_B = local_arm(at);
  const planar::FrameRecord& body = frames[z(at.body)];
  Reaction out;
  for (const SlotShare& of : shares) {
    if (of.body != at.body) continue;
    out.fx -= of.x;
    out.fy -= of.y;
    const double by_sin = of.sin - (arm_B.x * of.y - arm_B.y * of.x), by_cos = of.cos - (arm_B.x * of.x + arm_B.y * of.y);
    out.torque -= of.angle + (by_sin * body.c - by_cos * body.s);
  }
  if constexpr (requires { E<double>::is_pulled; }) {
    const auto place = [&](const planar::Point<double>& p) { return Vec2<double>{frames[z(p.body)].x, frames[z(p.body)].y} + arm(frames[z(p.body)], p); };
    const Vec2<double> d_W = place(element.j) - place(element.i);
    const double apart = length(d_W);
    if (apart > 0) out.tension = -(out.fx * d_W.x + out.fy * d_W.y) / apart;
  }
  return out;
}

// The same of an equation that the user has written, about the point of the body that stands first in it, and of a contact. On the ground is what the others
// leave over.
Reaction reaction_of(const planar::Equation<double>& element, double t, std::span<const planar::FrameRecord> frames, double lambda) {
  const planar::EquationLaw& law = *element.law;
  const auto places = direct::places_of<double>(law, [&](int column) {
    const planar::FrameRecord& f = frames[z(column / 3 + 1)];
    return column % 3 == 0 ? f.x : column % 3 == 1 ? f.y : f.phi;
  });
  const auto at = element.reported_at();
  const auto gradient = direct::gradient<double>(law, t, places);
  const planar::FrameRecord& carrier = frames[z(at.body)];
  const Vec2<double> at_W = Vec2<double>{carrier.x, carrier.y} + arm(carrier, at);
  Reaction out;
  for (std::size_t s = 0; s < law.bodies.size(); ++s) {
    if (at.body != 0 && law.bodies[s] != at.body) continue;
    const double by = at.body == 0 ? lambda : -lambda;
    const planar::FrameRecord& body = frames[z(law.bodies[s])];
    const Vec2<double> force{by * gradient[s][0], by * gradient[s][1]};
    out.fx += force.x, out.fy += force.y;
    const Vec2<double> lever = law.bodies[s] == at.body ? arm(carrier, at) : at_W - Vec2<double>{body.x, body.y};
    out.torque += by * gradient[s][2] - cross(lever, force);
  }
  return out;
}

// What friction of joints adds to their reactions: a torque, or a force along the guide.
void add_friction(const PlanarSystem& system, std::span<const planar::FrameRecord> frames, std::span<const ForceReading> readings,
                  std::vector<Reaction>& reactions) {
  system.impl().each_force_present([&]<template <class> class F>(const ForceBatch<F>& batch, std::size_t) {
    if constexpr (F<double>::kind == planar::ForceKind::friction)
      for (int e = 0; e < batch.size(); ++e) {
        const direct::LocalForce<F> local(batch.elements[z(e)]);
        std::array<double, 6> q{};
        for (std::size_t s = 0; s < 2; ++s) {
          const planar::FrameRecord& at = frames[z(local.bodies[s])];
          q[3 * s] = at.x, q[3 * s + 1] = at.y, q[3 * s + 2] = at.phi;
        }
        direct::Applied<F, double> out;
        (void)direct::apply<F>(local.element, q, {}, direct::Circumstance<double, 0>{.added = readings[z(batch.force[z(e)])].effort}, out);
        Reaction& to = reactions[z(system.signals()[z(batch.signal[z(e)])].reaction)];
        to.fx += out.Q[3], to.fy += out.Q[4];
        if constexpr (F<double>::turns) to.torque += out.Q[5];
      }
  });
}

// Energy, momentum (its moment about the ground's origin, and about the centre of mass) and centre of mass of all bodies together.
struct Totals {
  double kinetic = 0, px = 0, py = 0, lz = 0, lgz = 0, x = 0, y = 0;
};
Totals totals(const PlanarSystem& system, const DynamicSample& sample) {
  double kinetic = 0, px = 0, py = 0, lz = 0, x = 0, y = 0, total = 0;
  for (std::size_t b = 1; b < sample.frames[0].size(); ++b) {
    const double mass = system.mass()[3 * (b - 1)], inertia = system.mass()[3 * (b - 1) + 2];
    const planar::FrameRecord &at = sample.frames[0][b], &v = sample.frames[1][b];
    kinetic += 0.5 * (mass * (v.x * v.x + v.y * v.y) + inertia * v.phi * v.phi);
    px += mass * v.x;
    py += mass * v.y;
    lz += mass * (at.x * v.y - at.y * v.x) + inertia * v.phi;
    x += mass * at.x;
    y += mass * at.y;
    total += mass;
  }
  if (total > 0) x /= total, y /= total;
  double lgz = 0;  // summed about the centre of mass: the distance from the ground's origin takes no digits
  for (std::size_t b = 1; b < sample.frames[0].size(); ++b) {
    const double mass = system.mass()[3 * (b - 1)], inertia = system.mass()[3 * (b - 1) + 2];
    const planar::FrameRecord &at = sample.frames[0][b], &v = sample.frames[1][b];
    lgz += mass * ((at.x - x) * v.y - (at.y - y) * v.x) + inertia * v.phi;
  }
  return {kinetic, px, py, lz, lgz, x, y};
}

// What stands in the columns that follow those of kinematics. For a list of columns only whether there are rates.
struct Instant {
  bool rates = false;
  DynamicSample sample;
  std::vector<Reaction> reactions;
  std::vector<GivenLoad> loads;
  Totals totals;
};

template <class Row>
void walk_constraint(const Constraint& constraint, std::size_t c, const Instant& at, std::span<const RowUnit> units, Row& row) {
  row.put(constraint.name, columns::kPlaneReaction,
          [&] { return std::array{at.reactions[c].fx, at.reactions[c].fy, at.reactions[c].torque}; });
  row.put(constraint.name, columns::kForceSize, [&] { return std::array{std::sqrt(at.reactions[c].fx * at.reactions[c].fx + at.reactions[c].fy * at.reactions[c].fy)}; });
  if (constraint.pulled) row.put(constraint.name, columns::kTension, [&] { return std::array{at.reactions[c].tension}; });
  if (constraint.friction >= 0)
    row.put(constraint.name, constraint.friction_turns ? columns::kTurningFriction : columns::kSlidingFriction,
            [&] { return std::array{0.0 - at.sample.readings[z(constraint.friction)].effort}; });
  if (constraint.group == planar::Group::driver) {
    const bool turns = !units.empty() && units[z(constraint.first_row)].unit == planar::Unit::radian;
    row.put(constraint.name, turns ? columns::kTurningEffort : columns::kSlidingEffort, [&] { return std::array{at.reactions[c].effort}; });
  }
  if (constraint.pushes) row.put(constraint.name, columns::kContactForce, [&] { return std::array{-at.sample.lambda[z(constraint.first_row)]}; });
  const auto unit = [&](int r) { return units[z(constraint.first_row + r)].multiplier(); };
  row.numbered(constraint.name, columns::kMultiplier, constraint.rows, unit,
               [&](int r) { return at.sample.lambda[z(constraint.first_row + r)]; });
  if (!at.rates) return;
  row.numbered(
      constraint.name, columns::kMultiplier, constraint.rows, [&](int r) { return rate_unit(unit(r)); },
      [&](int r) { return at.sample.lambda_rate[z(constraint.first_row + r)]; }, columns::kOfMultiplierRate);
}

// Along what it acts, how fast that changes and how strongly; of a load that the model gives as a function of time, its value in ground
// axes.
template <class Row>
void walk_force(const AppliedForce& force, std::size_t f, const Instant& at, Row& row) {
  const auto reading = [&] {
    const ForceReading& now = at.sample.readings[f];
    return std::array{now.x, now.rate, now.effort};
  };
  if (force.kind == planar::ForceKind::extension) row.put(force.name, columns::kExtension, reading);
  else if (force.kind == planar::ForceKind::rotation) row.put(force.name, columns::kRotation, reading);
  else if (force.kind == planar::ForceKind::drive)
    row.put(force.name, columns::kDrive, [&] {
      const ForceReading& now = at.sample.readings[f];
      return std::array{now.x, now.rate, -now.effort, -now.effort * now.rate};
    });
  else if (force.kind == planar::ForceKind::compliance)
    row.put(force.name, columns::kPlaneLoadAndMoment, [&] { return std::array{at.loads[f].force.x, at.loads[f].force.y, at.loads[f].moment.z}; });
  else if (force.kind == planar::ForceKind::friction) return;  // a column of its joint
  else if (is_moment(force)) row.put(force.name, columns::kPlaneMoment, [&] { return std::array{at.loads[f].moment.z}; });
  else row.put(force.name, columns::kPlaneLoad, [&] { return std::array{at.loads[f].force.x, at.loads[f].force.y}; });
}

// Every column after those of kinematics, and what stands in it. `units`: of the equations; a row of numbers needs none.
template <class Row>
void walk(const PlaneMechanism& mechanism, const Instant& at, std::span<const RowUnit> units, Row& row) {
  const PlanarSystem& system = mechanism.system;
  for (std::size_t c = 0; c < system.constraints().size(); ++c) walk_constraint(system.constraints()[c], c, at, units, row);
  for (std::size_t f = 0; f < system.forces().size(); ++f) walk_force(system.forces()[f], f, at, row);
  for (const PlaneMember& member : mechanism.members)
    row.put(mechanism.bodies[z(member.body)].name, columns::kTension,
            [&] { return std::array{tension(member, at.sample.frames[0], at.reactions, at.loads, at.sample.readings)}; });
  for (std::size_t s = 0; s < mechanism.stops.size(); ++s)
    row.put(mechanism.stops[s].name, mechanism.stops[s].angle ? columns::kTurningStop : columns::kSlidingStop,
            [&] { return std::array{at.sample.pushes.empty() ? 0.0 : at.sample.pushes[s]}; });
  const Totals& sum = at.totals;
  row.put({}, columns::kEnergy,
          [&] { return std::array{sum.kinetic, at.sample.potential, sum.kinetic + at.sample.potential}; });
  row.put({}, columns::kAudit, [] { return std::array{0.0, 0.0}; });
  row.put({}, columns::kPlaneMomentum, [&] { return std::array{sum.px, sum.py, sum.lz, sum.lgz}; });
  row.put({}, columns::kPlaneCentre, [&] { return std::array{sum.x, sum.y}; });
  row.put({}, columns::kConstraintError, [&] { return std::array{at.sample.constraint_error}; });
}

}  // namespace

std::vector<Column> dynamic_columns(const PlaneMechanism& mechanism, bool rates) {
  std::vector<Column> out = kinematic_columns(mechanism);
  ColumnList more;
  walk(mechanism, Instant{.rates = rates}, row_units(mechanism.system), more);
  std::ranges::move(more.finish(), std::back_inserter(out));
  return out;
}

std::size_t dynamic_width(const PlaneMechanism& mechanism, bool rates) {
  ColumnCount out;
  walk(mechanism, Instant{.rates = rates}, {}, out);
  return kinematic_width(mechanism) + out.count();
}

std::size_t effort_column(const PlaneMechanism& mechanism, std::size_t constraint, bool rates) {
  ColumnCount before;
  const Instant at{.rates = rates};
  for (std::size_t c = 0; c < constraint; ++c) walk_constraint(mechanism.system.constraints()[c], c, at, {}, before);
  return kinematic_width(mechanism) + before.count() + columns::kPlaneReaction.size() + columns::kForceSize.size();
}

void fill_dynamic_row(const PlaneMechanism& mechanism, const DynamicSample& sample, std::span<double> row) {
  const PlanarSystem& system = mechanism.system;
  NumberRow<true> out(fill_kinematic_row(mechanism, sample.t, sample.frames, row.data()));
  Instant at{.rates = !sample.lambda_rate.empty(),
                   .sample = sample,
                   .reactions = reactions(system, sample.t, sample.frames[0], sample.lambda),
                   .loads = given_and_elastic_loads(system, sample.t, sample.frames[0], sample.frames[1]),
                   .totals = totals(system, sample)};
  if (!system.rubbing().empty()) add_friction(system, sample.frames[0], sample.readings, at.reactions);
  walk(mechanism, at, {}, out);
  JOUNCE_REQUIRE(out.end() == row.data() + row.size(), "a row has one place for each column");
}

std::vector<Reaction> reactions(const PlanarSystem& system, double t, std::span<const planar::FrameRecord> frames,
                                std::span<const double> lambda) {
  std::vector<Reaction> out(system.constraints().size());
  std::vector<double> motions(system.motions().size());
  for (std::size_t m = 0; m < motions.size(); ++m) (void)system.motions()[m].function.evaluate(t, motions[m]);  // whoever set the time has seen its fault
  system.impl().each_present([&]<template <class> class E>(const Batch<E>& batch, std::size_t) {
    if constexpr (std::is_same_v<E<double>, planar::Equation<double>>) {
      for (int e = 0; e < batch.size(); ++e) {
        const std::size_t c = z(batch.constraint[z(e)]);
        out[c] = reaction_of(batch.elements[z(e)], t, frames, lambda[z(system.constraints()[c].first_row)]);
      }
    } else {
      batch.template shares<0>({frames.data()}, {motions.data()}, lambda.data(), [&](int e, const auto& shares) {
        const std::size_t c = z(batch.constraint[z(e)]);
        out[c] = reaction_of<E>(batch.elements[z(e)], shares, frames);
        if constexpr (Batch<E>::K::kMotions > 0) out[c].effort = effort_of<E>(batch.elements[z(e)], motions, frames, lambda.data() + system.constraints()[c].first_row);
      });
    }
  });
  return out;
}

}  // namespace jounce
