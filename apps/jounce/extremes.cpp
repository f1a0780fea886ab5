#include "extremes.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/scalar/series.hpp"

namespace jounce::app {
namespace {

bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

}  // namespace

void Range::take(double value) {
  from = std::min(from, value);
  to = std::max(to, value);
}

Extremes::Extremes(const Mechanism& mechanism) : mechanism_(&mechanism) {
  Evaluation start(mechanism.system, 0);
  const bool defined = !start.set_time(0);
  if (defined) start.set_position(mechanism.drawn);
  for (const PrescribedMotion& motion : mechanism.system.motions()) driven_.push_back({motion.owner, false, {}, {}});
  // a driver's quantity has the unit of its equation
  for (const Constraint& c : mechanism.system.constraints())
    if (c.motion >= 0 && defined)
      driven_[static_cast<std::size_t>(c.motion)].angle =
          start.scales()[static_cast<std::size_t>(c.first_row)].unit == planar::Unit::radian;

  const std::vector<std::string> columns = kinematic_columns(mechanism);
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
    for (const BodyPoint& point : mechanism.bodies[b].points) {
      const std::string name = mechanism.bodies[b].name + "." + point.name;
      points_.push_back({name});
      velocity_.push_back(static_cast<std::size_t>(std::ranges::find(columns, name + ".vx") - columns.begin()));
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
  for (const PointPeak& peak : sorted) {
    const bool known = std::ranges::any_of(
        out, [&](const PointPeak& o) { return same(o.speed, peak.speed) && same(o.acceleration, peak.acceleration); });
    if (out.size() < at_most && peak.speed > 0 && !known) out.push_back(peak);
  }
  return out;
}

}  // namespace jounce::app
