#include "jounce/analysis/summary/run_watch.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/column_endings.hpp"
#include "jounce/scalar/series.hpp"

namespace jounce {
namespace {

constexpr double kRounding = 1e-9;  // beside the fastest point a bearing that rounding moves, beside the way of a pin its two points
constexpr double kIrrational = 0.6180339887498949;  // whose multiples give every row a weight that no symmetry of a motion has

bool same(double a, double b) { return std::abs(a - b) <= kRounding * std::max(std::abs(a), std::abs(b)); }

std::optional<std::size_t> place(std::span<const Column> columns, const std::string& name) {
  const auto it = std::ranges::find(columns, name, &Column::name);
  if (it == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(it - columns.begin());
}

// The first of columns that follow each other; none where one of them is missing.
std::optional<std::size_t> block(std::span<const Column> columns, const std::string& owner, std::span<const std::string_view> endings) {
  const auto first = place(columns, owner + std::string(endings.front()));
  if (!first || *first + endings.size() > columns.size()) return std::nullopt;
  for (std::size_t k = 0; k < endings.size(); ++k)
    if (columns[*first + k].name != owner + std::string(endings[k])) return std::nullopt;
  return first;
}

constexpr std::array<std::string_view, 6> kPointInPlane{".x", ".y", ".vx", ".vy", ".ax", ".ay"};
constexpr std::array<std::string_view, 9> kPointInSpace{".x", ".y", ".z", ".vx", ".vy", ".vz", ".ax", ".ay", ".az"};
constexpr std::array<std::string_view, 3> kForce{".fx", ".fy", ".fz"};
constexpr std::array<std::string_view, 6> kMomentum{".px", ".py", ".pz", ".lx", ".ly", ".lz"};

double norm(std::span<const double> vector) {
  return vector.size() == 2 ? std::hypot(vector[0], vector[1]) : std::hypot(vector[0], vector[1], vector[2]);
}

}  // namespace

void Range::take(double value) {
  from = std::min(from, value);
  to = std::max(to, value);
}

const LoadPeak* RunSummary::largest_load() const {
  return joints.empty() ? nullptr : &*std::ranges::max_element(joints, {}, &LoadPeak::force);
}

double RunSummary::load_scale() const {
  double out = 0;
  for (const LoadPeak& joint : joints) out = std::max(out, joint.force);
  for (const EffortPeak& effort : efforts)
    if (effort.unit == "N m") out = std::max(out, std::abs(effort.peak));
  return out;
}

// One motion: two points of one pin are together in every row, and so are the sums over the rows.
bool RunWatch::Point::together_with(const Point& other) const {
  const double near = kRounding * std::max(path_length, other.path_length);
  for (std::size_t i = 0; i < path.size(); ++i)
    if (!(std::abs(path[i] - other.path[i]) <= near)) return false;
  return true;
}

RunWatch::RunWatch(const WatchedParts& parts, Analysis analysis, std::span<const Column> columns, std::string_view along)
    : dimension_(parts.dimension), time_(place(columns, std::string(along))) {
  if (analysis != Analysis::equilibrium) {
    for (const WatchedParts::Driven& driven : parts.driven) {
      driven_.push_back({driven.name, driven.unit, {}, {}});
      motions_.push_back(driven.motion);
    }
    const std::span<const std::string_view> endings = dimension_ == 2 ? std::span<const std::string_view>(kPointInPlane) : kPointInSpace;
    for (const std::string& name : parts.points)
      if (const auto first = block(columns, name, endings)) points_.push_back({{name}, *first + dimension_});
  }
  if (analysis != Analysis::kinematics) {
    for (const WatchedParts::Effort& effort : analysis == Analysis::inverse ? parts.inverse_efforts : parts.efforts)
      if (const auto column = place(columns, effort.column)) efforts_.push_back({{effort.name, columns[*column].unit}, *column});
    for (const std::string& name : parts.joints)
      if (const auto fx = block(columns, name, std::span(kForce).first(dimension_))) joints_.push_back({{name}, *fx});
  }
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns[c].group == columns::kTension[0].group) members_.push_back({{columns[c].owner}, c});
  if (analysis != Analysis::dynamics) return;
  energy_ = place(columns, "energy.total");
  if (!parts.keeps_momentum) return;
  if (const auto first = block(columns, "momentum", kMomentum)) momentum_ = Momentum{*first, {}, {}};
}

void RunWatch::take(std::span<const double> row) {
  if (!time_) return;
  if (rows_ == 0) first_t_ = row[*time_];
  watch_motion(row);
  watch_loads(row);
  if (energy_) {
    energies_.end = row[*energy_];
    if (rows_ == 0) energies_.start = energies_.end;
  }
  if (momentum_) watch_momentum(row);
  ++rows_;
  last_t_ = row[*time_];
}

void RunWatch::watch_motion(std::span<const double> row) {
  const double now = row[*time_];
  const auto t = Series<1>::time(now);
  for (std::size_t m = 0; m < driven_.size(); ++m) {
    Series<1> value;
    if (motions_[m]->evaluate(t, value)) continue;
    driven_[m].value.take(value.value());
    driven_[m].rate.take(value.derivative(1));
  }
  const double weight = std::fmod(kIrrational * (rows_ + 1), 1);
  for (Point& point : points_) {
    const auto place_W = row.subspan(point.velocity - dimension_, dimension_);
    for (std::size_t i = 0; i < dimension_; ++i) point.path[i] += weight * place_W[i];
    point.path_length += weight * norm(place_W);
    const double speed = norm(row.subspan(point.velocity, dimension_));
    const double acceleration = norm(row.subspan(point.velocity + dimension_, dimension_));
    if (speed > point.peak.speed) point.peak.speed = speed, point.peak.speed_t = now;
    if (acceleration > point.peak.acceleration) point.peak.acceleration = acceleration, point.peak.acceleration_t = now;
  }
}

void RunWatch::watch_loads(std::span<const double> row) {
  const double t = row[*time_];
  const bool first = rows_ == 0;
  for (Effort& own : efforts_) {
    const double effort = row[own.column];
    if (first || std::abs(effort) > std::abs(own.peak.peak)) own.peak.peak = effort, own.peak.t = t;
    if (!first) own.square += 0.5 * (own.before * own.before + effort * effort) * (t - last_t_);
    own.before = effort;
  }
  for (Joint& joint : joints_) {
    const double force = norm(row.subspan(joint.force, dimension_));
    if (first || force > joint.peak.force) joint.peak.force = force, joint.peak.t = t;
  }
  for (Member& member : members_) {
    const double tension = row[member.column];
    if (first || tension > member.peak.most) member.peak.most = tension, member.peak.most_t = t;
    if (first || tension < member.peak.least) member.peak.least = tension, member.peak.least_t = t;
  }
}

void RunWatch::watch_momentum(std::span<const double> row) {
  const std::span<const double> now = row.subspan(momentum_->column, momentum_->start.size());
  if (rows_ == 0) std::ranges::copy(now, momentum_->start.begin());
  for (std::size_t part = 0; part < momentum_->drift.size(); ++part) {
    std::array<double, 3> change{};
    for (std::size_t i = 0; i < change.size(); ++i) change[i] = now[3 * part + i] - momentum_->start[3 * part + i];
    momentum_->drift[part] = std::max(momentum_->drift[part], norm(change));
  }
}

std::vector<PointPeak> RunWatch::fastest() const {
  std::vector<Point> sorted = points_, motions;
  std::vector<PointPeak> out;
  std::ranges::stable_sort(sorted, std::ranges::greater{}, [](const Point& p) { return p.peak.speed; });
  const double resting = sorted.empty() ? 0 : kRounding * sorted.front().peak.speed;
  for (const Point& point : sorted) {
    const PointPeak& peak = point.peak;
    const auto is_tied = [&](const PointPeak& o) { return same(o.speed, peak.speed) && same(o.acceleration, peak.acceleration); };
    const auto tied = std::ranges::find_if(out, is_tied);
    if (peak.speed <= resting || (tied == out.end() && out.size() == RunSummary::kMostPoints)) continue;
    if (std::ranges::any_of(motions, [&](const Point& other) { return other.together_with(point); })) continue;
    motions.push_back(point);
    if (tied == out.end()) out.push_back(peak);
    else tied->also.push_back(peak.point);
  }
  return out;
}

RunSummary RunWatch::summary() const {
  RunSummary out;
  out.driven = driven_;
  out.points = fastest();
  if (rows_ == 0) return out;
  for (const Effort& own : efforts_) {
    out.efforts.push_back(own.peak);
    out.efforts.back().rms = last_t_ > first_t_ ? std::sqrt(own.square / (last_t_ - first_t_)) : std::abs(own.before);
  }
  for (const Joint& joint : joints_) out.joints.push_back(joint.peak);
  for (const Member& member : members_) out.members.push_back(member.peak);
  if (energy_) out.energy = energies_;
  if (momentum_)
    out.momentum = {norm(std::span(momentum_->start).first(3)), norm(std::span(momentum_->start).last(3)), momentum_->drift[0], momentum_->drift[1]};
  return out;
}

}  // namespace jounce
