#include "jounce/plane/rows/dynamic_rows.hpp"

#include <array>
#include <string_view>

#include "jounce/plane/rows/given_loads.hpp"
#include "jounce/base/require.hpp"
#include "jounce/plane/equations/direct.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"

namespace jounce {
namespace {

constexpr std::array<std::string_view, 3> kReactionColumns{"fx", "fy", "torque"};
constexpr std::array<std::string_view, 9> kSystemColumns{"energy.kinetic",  "energy.potential", "energy.total", "momentum.px",
                                                         "momentum.py",     "momentum.lz",      "com.x",        "com.y",
                                                         "constraint.error"};

bool is_moment(const AppliedForce& force) { return force.type == planar::Moment<double>::type; }

// What is shown of a force: along what it acts, how fast that changes and how strongly; of a load that the model gives as a
// function of time, its value in ground axes.
std::span<const std::string_view> force_columns(const AppliedForce& force) {
  static constexpr std::array<std::string_view, 3> extension{"l", "v", "f"}, rotation{"theta", "omega", "torque"};
  static constexpr std::array<std::string_view, 2> at_a_point{"fx", "fy"};
  static constexpr std::array<std::string_view, 1> moment{"torque"};
  if (force.kind == planar::ForceKind::extension) return extension;
  if (force.kind == planar::ForceKind::rotation) return rotation;
  return is_moment(force) ? std::span<const std::string_view>(moment) : at_a_point;
}

// A place whose derivatives are those with respect to x, y and phi of one body: directions first, first + 1, first + 2.
template <int N>
planar::Frame<Dual<N>> variable_frame(const planar::FrameRecord& at, int first) {
  using D = Dual<N>;
  D c(at.c), s(at.s);
  c.d[z(first + 2)] = -at.s;
  s.d[z(first + 2)] = at.c;
  return {D::variable(at.x, first), D::variable(at.y, first + 1), c, s, D::variable(at.phi, first + 2)};
}

// From the centre of mass to the point a reaction is reported at, in ground axes.
Vec2<double> arm(const planar::FrameRecord& body, const planar::Point<double>& at) {
  return {body.c * at.p.x - body.s * at.p.y, body.s * at.p.x + body.c * at.p.y};
}
Vec2<double> arm(const planar::FrameRecord&, const planar::BodyRef&) { return {}; }

// −Φqᵀλ on the body the reaction is reported on, all its slots together, and λ ∂Φ/∂f: the power of the constraint's forces is
// λ ∂Φ/∂t, so this times the rate of f is the power of the driver. Directions: x, y, phi of each slot, then f.
template <template <class> class E>
Reaction reaction_of(const PlanarSystem& system, const E<double>& element, double t,
                     std::span<const planar::FrameRecord> frames, const double* lambda) {
  using Local = direct::LocalConstraint<E>;
  constexpr int kColumns = 3 * Local::kSlots;
  constexpr int kDirections = kColumns + Local::kMotions;
  using D = Dual<kDirections>;
  const Local local(element);
  std::array<planar::Frame<D>, z(Local::kSlots)> places;
  for (int s = 0; s < Local::kSlots; ++s) places[z(s)] = variable_frame<kDirections>(frames[z(local.bodies[z(s)])], 3 * s);
  std::array<D, z(Local::kMotions)> motions{};
  for (int m = 0; m < Local::kMotions; ++m) {
    double f = 0;
    (void)system.motions()[z(local.motions[z(m)])].function.evaluate(t, f);  // whoever set the time has seen its fault
    motions[z(m)] = D::variable(f, kColumns + m);
  }
  std::array<double, z(kDirections)> sum{};
  for (const D& row : local.element.residual(planar::World<D>{places, motions})) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += *lambda * row.d[i];
    ++lambda;
  }

  const auto at = element.reported_at();
  Reaction out;
  for (int s = 0; s < Local::kSlots; ++s) {
    if (local.bodies[z(s)] != at.body) continue;
    out.fx -= sum[z(3 * s)];
    out.fy -= sum[z(3 * s + 1)];
    out.torque -= sum[z(3 * s + 2)];
  }
  const Vec2<double> arm_W = arm(frames[z(at.body)], at);
  out.torque -= cross(arm_W, Vec2<double>{out.fx, out.fy});
  for (std::size_t i = z(kColumns); i < sum.size(); ++i) out.effort += sum[i];
  return out;
}

double* fill_reactions(const PlanarSystem& system, const DynamicSample& sample, double* out) {
  const std::vector<Reaction> all = reactions(system, sample.t, sample.frames[0], sample.lambda);
  for (std::size_t c = 0; c < all.size(); ++c) {
    const Constraint& constraint = system.constraints()[c];
    *out++ = all[c].fx + 0.0;  // no −0 in the results
    *out++ = all[c].fy + 0.0;
    *out++ = all[c].torque + 0.0;
    if (constraint.group == planar::Group::driver) *out++ = all[c].effort + 0.0;
    for (const auto values : {sample.lambda, sample.lambda_rate})
      for (int r = 0; r < constraint.rows && !values.empty(); ++r) *out++ = values[z(constraint.first_row + r)] + 0.0;
  }
  return out;
}

double* fill_forces(const PlanarSystem& system, const DynamicSample& sample, double* out) {
  const std::vector<GivenLoad> loads = given_loads(system, sample.t, sample.frames[0]);
  for (std::size_t f = 0; f < loads.size(); ++f) {
    const ForceReading& reading = sample.readings[f];
    const auto put = [&](auto... values) { ((*out++ = values + 0.0), ...); };
    if (system.forces()[f].kind != planar::ForceKind::given) put(reading.x, reading.rate, reading.effort);
    else if (is_moment(system.forces()[f])) put(loads[f].moment.z);
    else put(loads[f].force.x, loads[f].force.y);
  }
  return out;
}

// Energy, momentum (its moment about the ground's origin) and centre of mass of all bodies together.
double* fill_totals(const PlanarSystem& system, const DynamicSample& sample, double* out) {
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
  for (const double value : {kinetic, sample.potential, kinetic + sample.potential, px, py, lz, x, y, sample.constraint_error})
    *out++ = value + 0.0;
  return out;
}

}  // namespace

std::vector<std::string> dynamic_columns(const PlaneMechanism& mechanism, bool rates) {
  std::vector<std::string> out = kinematic_columns(mechanism);
  for (const Constraint& c : mechanism.system.constraints()) {
    for (const auto component : kReactionColumns) out.push_back(c.name + "." + std::string(component));
    if (c.group == planar::Group::driver) out.push_back(c.name + ".effort");
    for (int r = 1; r <= c.rows; ++r) out.push_back(c.name + ".lambda" + std::to_string(r));
    for (int r = 1; r <= c.rows && rates; ++r) out.push_back(c.name + ".lambda" + std::to_string(r) + "_rate");
  }
  for (const AppliedForce& force : mechanism.system.forces())
    for (const auto component : force_columns(force)) out.push_back(force.name + "." + std::string(component));
  out.insert(out.end(), kSystemColumns.begin(), kSystemColumns.end());
  return out;
}

void fill_dynamic_row(const PlaneMechanism& mechanism, const DynamicSample& sample, std::span<double> row) {
  double* out = fill_kinematic_row(mechanism, sample.t, sample.frames, row.data());
  out = fill_reactions(mechanism.system, sample, out);
  out = fill_forces(mechanism.system, sample, out);
  out = fill_totals(mechanism.system, sample, out);
  JOUNCE_REQUIRE(out == row.data() + row.size(), "a row has one place for each column");
}

std::vector<Reaction> reactions(const PlanarSystem& system, double t, std::span<const planar::FrameRecord> frames,
                                std::span<const double> lambda) {
  std::vector<Reaction> out(system.constraints().size());
  system.impl().each([&]<template <class> class E>(const Batch<E>& batch) {
    for (int e = 0; e < batch.size(); ++e) {
      const std::size_t c = z(batch.constraint[z(e)]);
      out[c] = reaction_of<E>(system, batch.elements[z(e)], t, frames, lambda.data() + system.constraints()[c].first_row);
    }
  });
  return out;
}

}  // namespace jounce
