#include "extremes.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/analysis/rows.hpp"
#include "jounce/scalar/series.hpp"

namespace jounce::app {
namespace {

constexpr double kRounding = 1e-9;  // beside the fastest point: a bearing that rounding moves

bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

// Whether each prescribed function is an angle: a driver's quantity has the unit of its equation.
std::vector<bool> angles(const Mechanism& mechanism) {
  std::vector<bool> out(mechanism.system.motions().size(), false);
  Evaluation start(mechanism.system, 0);
  if (start.set_time(0)) return out;
  start.set_position(mechanism.drawn);
  for (const Constraint& c : mechanism.system.constraints())
    if (c.motion >= 0)
      out[static_cast<std::size_t>(c.motion)] = start.scales()[static_cast<std::size_t>(c.first_row)].unit == planar::Unit::radian;
  return out;
}

std::size_t place(const std::vector<std::string>& columns, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(columns, name) - columns.begin());
}

}  // namespace

void Range::take(double value) {
  from = std::min(from, value);
  to = std::max(to, value);
}

Extremes::Extremes(const Mechanism& mechanism) : mechanism_(&mechanism) {
  const std::vector<bool> angle = angles(mechanism);
  for (std::size_t m = 0; m < angle.size(); ++m) driven_.push_back({mechanism.system.motions()[m].owner, angle[m], {}, {}});
  const std::vector<std::string> columns = kinematic_columns(mechanism);
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
    for (const BodyPoint& point : mechanism.bodies[b].points) {
      const std::string name = mechanism.bodies[b].name + "." + point.name;
      points_.push_back({name});
      velocity_.push_back(place(columns, name + ".vx"));
    }
}

void Extremes::take(std::span<const double> row) {
  const auto t = Series<1>::time(row[0]);
  for (std::size_t m = 0; m < driven_.size(); ++m) {
    Series<1> value;
    if (mechanism_->system.motions()[m].function.evaluate(t, value)) continue;
    driven_[m].value.take(value.value());
    driven_[m].rate.take(value.derivative(1));
  }
  for (std::size_t p = 0; p < points_.size(); ++p) {
    const double* v = &row[velocity_[p]];
    const double speed = std::hypot(v[0], v[1]), acceleration = std::hypot(v[2], v[3]);
    if (speed > points_[p].speed) points_[p].speed = speed, points_[p].speed_t = row[0];
    if (acceleration > points_[p].acceleration) points_[p].acceleration = acceleration, points_[p].acceleration_t = row[0];
  }
}

std::vector<PointPeak> Extremes::fastest(std::size_t at_most) const {
  std::vector<PointPeak> sorted = points_, out;
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &PointPeak::speed);
  const double resting = sorted.empty() ? 0 : kRounding * sorted.front().speed;
  for (const PointPeak& peak : sorted) {
    const bool known = std::ranges::any_of(
        out, [&](const PointPeak& o) { return same(o.speed, peak.speed) && same(o.acceleration, peak.acceleration); });
    if (out.size() < at_most && peak.speed > resting && !known) out.push_back(peak);
  }
  return out;
}

Loads::Loads(const Mechanism& mechanism, const std::vector<std::string>& columns) {
  const std::vector<bool> angle = angles(mechanism);
  for (const Constraint& c : mechanism.system.constraints()) {
    if (c.group == planar::Group::joint) {
      joints_.push_back({c.name});
      force_.push_back(place(columns, c.name + ".fx"));
    } else {
      efforts_.push_back({c.name, angle[static_cast<std::size_t>(c.motion)]});
      effort_.push_back(place(columns, c.name + ".effort"));
    }
  }
  before_.resize(efforts_.size());
  square_.resize(efforts_.size());
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
    const double force = std::hypot(row[force_[j]], row[force_[j] + 1]);
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

EnergyWatch::EnergyWatch(const std::vector<std::string>& columns) : column_(place(columns, "energy.total")) {}

void EnergyWatch::take(std::span<const double> row) {
  end_ = row[column_];
  if (!begun_) start_ = end_;
  begun_ = true;
}

}  // namespace jounce::app
