#include "extremes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jounce/plane/equations/row_units.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/tree/dof_quantity.hpp"

namespace jounce::app {
namespace {

constexpr double kRounding = 1e-9;  // beside the fastest point a bearing that rounding moves, beside the way of a pin its two points
constexpr double kIrrational = 0.6180339887498949;  // whose multiples give every row a weight that no symmetry of a motion has

bool same(double a, double b) { return std::abs(a - b) <= kRounding * std::max(std::abs(a), std::abs(b)); }

// One motion: two points of one pin are together in every row, and so are the sums over the rows.
bool together(const PointPeak& a, const PointPeak& b) {
  const double near = kRounding * std::max(a.path_length, b.path_length);
  for (std::size_t i = 0; i < a.path.size(); ++i)
    if (!(std::abs(a.path[i] - b.path[i]) <= near)) return false;
  return true;
}

// The unit of what each driver prescribes: that of its equation.
std::vector<std::string> driven_units(const PlaneMechanism& mechanism) {
  const std::vector<RowUnit> rows = row_units(mechanism.system);
  std::vector<std::string> out(mechanism.system.motions().size());
  for (const Constraint& c : mechanism.system.constraints())
    if (c.motion >= 0) out[static_cast<std::size_t>(c.motion)] = rows[static_cast<std::size_t>(c.first_row)].prescribed();
  return out;
}

std::size_t place(const std::vector<Column>& columns, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(columns, name, &Column::name) - columns.begin());
}

// In the order of the file.
template <class Visit>
void each_active_dof(const SpaceMechanism& mechanism, const Visit& visit) {
  for (const SpaceJoint& joint : mechanism.joints)
    for (int dof = joint.links.v; dof < joint.links.v + joint.links.dofs; ++dof)
      if (mechanism.dofs[static_cast<std::size_t>(dof)].active()) visit(dof);
}

std::size_t dimension(const AnyMechanism& mechanism) { return std::holds_alternative<SpaceMechanism>(mechanism) ? 3 : 2; }

double norm(std::span<const double> vector) {
  return vector.size() == 2 ? std::hypot(vector[0], vector[1]) : std::hypot(vector[0], vector[1], vector[2]);
}

}  // namespace

void Range::take(double value) {
  from = std::min(from, value);
  to = std::max(to, value);
}

Extremes::Extremes(const AnyMechanism& mechanism, const std::vector<Column>& columns) : dimension_(dimension(mechanism)) {
  const auto find = [&](const auto& m) {
    find_driven(m);
    for (std::size_t b = 1; b < m.bodies.size(); ++b)
      for (const auto& point : m.bodies[b].points) {
        const std::string name = m.bodies[b].name + "." + point.name;
        points_.push_back({name});
        velocity_.push_back(place(columns, name + ".vx"));
      }
  };
  std::visit(find, mechanism);
}

void Extremes::find_driven(const PlaneMechanism& mechanism) {
  const std::vector<std::string> units = driven_units(mechanism);
  for (std::size_t m = 0; m < units.size(); ++m) {
    driven_.push_back({mechanism.system.motions()[m].owner, units[m], {}, {}});
    motions_.push_back(&mechanism.system.motions()[m].function);
  }
}

void Extremes::find_driven(const SpaceMechanism& mechanism) {
  each_active_dof(mechanism, [&](int dof) {
    const bool angle = tree::dof_quantity(mechanism.tree, dof) == tree::Quantity::angle;
    driven_.push_back({mechanism.dof_label(dof), angle ? "rad" : "m", {}, {}});
    motions_.push_back(&*mechanism.dofs[static_cast<std::size_t>(dof)].motion);
  });
}

void Extremes::take(std::span<const double> row) {
  const auto t = Series<1>::time(row[0]);
  for (std::size_t m = 0; m < driven_.size(); ++m) {
    Series<1> value;
    if (motions_[m]->evaluate(t, value)) continue;
    driven_[m].value.take(value.value());
    driven_[m].rate.take(value.derivative(1));
  }
  const double weight = std::fmod(kIrrational * ++rows_, 1);
  for (std::size_t p = 0; p < points_.size(); ++p) {
    const auto place_W = row.subspan(velocity_[p] - dimension_, dimension_);
    for (std::size_t i = 0; i < dimension_; ++i) points_[p].path[i] += weight * place_W[i];
    points_[p].path_length += weight * norm(place_W);
    const double speed = norm(row.subspan(velocity_[p], dimension_));
    const double acceleration = norm(row.subspan(velocity_[p] + dimension_, dimension_));
    if (speed > points_[p].speed) points_[p].speed = speed, points_[p].speed_t = row[0];
    if (acceleration > points_[p].acceleration) points_[p].acceleration = acceleration, points_[p].acceleration_t = row[0];
  }
}

std::vector<PointPeak> Extremes::fastest(std::size_t at_most) const {
  std::vector<PointPeak> sorted = points_, out, motions;
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &PointPeak::speed);
  const double resting = sorted.empty() ? 0 : kRounding * sorted.front().speed;
  for (const PointPeak& peak : sorted) {
    const auto is_tied = [&](const PointPeak& o) { return same(o.speed, peak.speed) && same(o.acceleration, peak.acceleration); };
    const auto tied = std::ranges::find_if(out, is_tied);
    if (peak.speed <= resting || (tied == out.end() && out.size() == at_most)) continue;
    if (std::ranges::any_of(motions, [&](const PointPeak& other) { return together(other, peak); })) continue;
    motions.push_back(peak);
    if (tied == out.end()) out.push_back(peak);
    else tied->also.push_back(peak.point);
  }
  return out;
}

Loads::Loads(const AnyMechanism& mechanism, const std::vector<Column>& columns) : dimension_(dimension(mechanism)) {
  std::visit([&](const auto& m) { find(m, columns); }, mechanism);
  before_.resize(efforts_.size());
  square_.resize(efforts_.size());
}

void Loads::find(const PlaneMechanism& mechanism, const std::vector<Column>& columns) {
  for (const Constraint& c : mechanism.system.constraints()) {
    if (c.group == planar::Group::joint) add_joint(c.name, columns);
    else add_effort(c.name, place(columns, c.name + ".effort"), columns);
  }
}

void Loads::find(const SpaceMechanism& mechanism, const std::vector<Column>& columns) {
  each_active_dof(mechanism, [&](int dof) {
    const SpaceJoint& joint = mechanism.joint_of(dof);
    add_effort(mechanism.dof_label(dof), place(columns, fmt::format("{}.tau{}", joint.name, dof - joint.links.v + 1)), columns);
  });
  for (const SpaceJoint& joint : mechanism.joints) add_joint(joint.name, columns);
  for (const SpaceLoop& loop : mechanism.loops) add_joint(loop.name, columns);
}

void Loads::add_effort(const std::string& driver, std::size_t column, const std::vector<Column>& columns) {
  efforts_.push_back({driver, columns[column].unit});
  effort_.push_back(column);
}

void Loads::add_joint(const std::string& name, const std::vector<Column>& columns) {
  joints_.push_back({name});
  force_.push_back(place(columns, name + ".fx"));
}

void Loads::take(std::span<const double> row) {
  const double t = row[0];
  if (!begun_) first_t_ = t;
  for (std::size_t d = 0; d < efforts_.size(); ++d) {
    const double effort = row[effort_[d]];
    if (!begun_ || std::abs(effort) > std::abs(efforts_[d].peak)) efforts_[d].peak = effort, efforts_[d].t = t;
    if (begun_) square_[d] += 0.5 * (before_[d] * before_[d] + effort * effort) * (t - last_t_);
    before_[d] = effort;
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const double force = norm(row.subspan(force_[j], dimension_));
    if (!begun_ || force > joints_[j].force) joints_[j].force = force, joints_[j].t = t;
  }
  begun_ = true;
  last_t_ = t;
}

std::vector<EffortPeak> Loads::efforts() const {
  if (!begun_) return {};
  std::vector<EffortPeak> out = efforts_;
  for (std::size_t d = 0; d < out.size(); ++d)
    out[d].rms = last_t_ > first_t_ ? std::sqrt(square_[d] / (last_t_ - first_t_)) : std::abs(before_[d]);
  return out;
}

const LoadPeak* Loads::largest() const {
  if (!begun_ || joints_.empty()) return nullptr;
  return &*std::ranges::max_element(joints_, {}, &LoadPeak::force);
}

EnergyWatch::EnergyWatch(const std::vector<Column>& columns) : column_(place(columns, "energy.total")) {}

void EnergyWatch::take(std::span<const double> row) {
  end_ = row[column_];
  if (!begun_) start_ = end_;
  begun_ = true;
}

MomentumWatch::MomentumWatch(const std::vector<Column>& columns) : column_(place(columns, "momentum.px")) {}

void MomentumWatch::take(std::span<const double> row) {
  const std::span<const double> now = row.subspan(column_, start_.size());
  if (!begun_) std::ranges::copy(now, start_.begin());
  begun_ = true;
  for (std::size_t part = 0; part < drift_.size(); ++part) {
    std::array<double, 3> change{};
    for (std::size_t i = 0; i < change.size(); ++i) change[i] = now[3 * part + i] - start_[3 * part + i];
    drift_[part] = std::max(drift_[part], norm(change));
  }
}

double MomentumWatch::linear() const { return norm(std::span(start_).first(3)); }
double MomentumWatch::angular() const { return norm(std::span(start_).last(3)); }

bool keeps_momentum(const AnyMechanism& mechanism) {
  const auto* tree = std::get_if<SpaceMechanism>(&mechanism);
  if (tree == nullptr || length(tree->tree.gravity) != 0) return false;
  const auto lets_go = [&](const SpaceJoint& joint) {
    if (joint.parent != 0) return true;
    const auto first = static_cast<std::size_t>(joint.links.v), count = static_cast<std::size_t>(joint.links.dofs);
    const auto own = std::span(tree->dofs).subspan(first, count);
    return joint.type->type == "free" && std::ranges::all_of(own, [](const SpaceDof& dof) {
             return dof.stiffness == 0 && dof.damping == 0 && !dof.torque && !dof.motion;
           });
  };
  const auto inner = [](const SpaceForce& f) { return tree::is_internal(f.law); };
  return std::ranges::all_of(tree->joints, lets_go) && std::ranges::all_of(tree->forces, inner) &&
         std::ranges::all_of(tree->loops, [](const SpaceLoop& loop) { return loop.i != 0 && loop.j != 0; }) &&
         std::ranges::none_of(tree->couplings, [&](const SpaceCoupling& c) {
           return tree->joint_of(c.i).parent == 0 || tree->joint_of(c.j).parent == 0;
         });
}

}  // namespace jounce::app
