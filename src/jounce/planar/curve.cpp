#include "jounce/planar/curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "jounce/base/require.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce::planar {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
/// Angles that are a turn apart up to this make a circle.
constexpr double kSameTurn = 1e-12;
/// Samples of each polynomial: between two of them it bends little, so that the nearest of them is next to the nearest place.
constexpr int kSamplesOfPiece = 8;
constexpr int kSamplesOfArc = 64;
constexpr std::size_t kInSpan = 8;
/// How far beyond an end of an open curve its end polynomial is followed, in samples.
constexpr double kBeyond = 4;

/// Gauss–Legendre with five points: over an eighth of a polynomial of degree 5 exact to rounding.
constexpr std::array<double, 5> kNode{-0.906179845938663993, -0.538469310105683091, 0, 0.538469310105683091,
                                      0.906179845938663993};
constexpr std::array<double, 5> kWeight{0.236926885056189088, 0.478628670499366468, 0.568888888888888889, 0.478628670499366468,
                                        0.236926885056189088};

Vec2<double> scaled(double a, const Vec2<double>& v) { return {a * v.x, a * v.y}; }

double distance(const Vec2<double>& a, const Vec2<double>& b) { return std::hypot(a.x - b.x, a.y - b.y); }

// Do the segments ab and cd cross, their ends left out?
bool cross_each_other(const Vec2<double>& a, const Vec2<double>& b, const Vec2<double>& c, const Vec2<double>& d) {
  const auto side = [](const Vec2<double>& p, const Vec2<double>& q, const Vec2<double>& r) { return cross(q - p, r - p); };
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

}  // namespace

PlaneCurve PlaneCurve::arc(const Place& centre, double radius, double from, double to) {
  JOUNCE_REQUIRE(radius > 0 && to > from, "an arc has a radius and goes on");
  PlaneCurve out;
  out.centre_ = centre;
  out.radius_ = radius;
  out.closed_ = to - from >= kTurn * (1 - kSameTurn);
  out.front_ = from;
  out.back_ = out.closed_ ? from + kTurn : to;
  out.sample();
  return out;
}

std::variant<PlaneCurve, std::string> PlaneCurve::through(std::vector<Place> points, bool closed) {
  if (closed && points.size() > 1 && distance(points.front(), points.back()) == 0) points.pop_back();
  const std::size_t least = closed ? 3 : 2;
  if (points.size() < least)
    return "expected at least " + std::string(closed ? "three points of a closed curve" : "two points") + ", found " +
           std::to_string(points.size());
  PlaneCurve out;
  out.closed_ = closed;
  out.points_ = points;
  std::vector<double> u{0.0}, x, y;
  const std::size_t n = points.size();
  for (std::size_t k = 0; k + 1 < n || (closed && k < n); ++k) {
    const double apart = distance(points[k], points[(k + 1) % n]);
    if (!(apart > 0)) return "points " + std::to_string(k + 1) + " and " + std::to_string((k + 1) % n + 1) + " coincide";
    u.push_back(u.back() + apart);
  }
  for (const Place& p : points) x.push_back(p.x), y.push_back(p.y);
  const double period = closed ? u.back() : 0;
  if (closed) u.pop_back();
  const auto coordinate = [&](const std::vector<double>& values) {
    const auto spline = closed ? QuinticSpline::periodic(u, values, period) : QuinticSpline::through(u, values);
    if (!spline) return std::shared_ptr<const LookupTable>();
    return std::make_shared<const LookupTable>(LookupTable{"curve", *spline, period, true});
  };
  out.x_ = coordinate(x);
  out.y_ = coordinate(y);
  if (!out.x_ || !out.y_) return "the points are too close together for a curve through them";
  out.front_ = 0;
  out.back_ = closed ? period : u.back();
  out.sample();
  return out;
}

PlaneCurve PlaneCurve::reversed() const {
  JOUNCE_REQUIRE(radius_ == 0, "an arc has one way round");
  std::vector<Place> points(points_.rbegin(), points_.rend());
  return std::get<PlaneCurve>(through(std::move(points), closed_));
}

void PlaneCurve::sample() {
  std::vector<double> ends{front_};
  int parts = kSamplesOfArc;
  if (radius_ == 0) {
    std::ranges::copy(x_->spline.knots(), std::back_inserter(ends));
    parts = kSamplesOfPiece;
  }
  ends.push_back(back_);
  if (radius_ == 0 && ends.size() == 2) parts = kSamplesOfArc;  // few points: one polynomial
  for (std::size_t k = 0; k + 1 < ends.size(); ++k)
    for (int i = 0; i < parts; ++i) samples_.push_back(ends[k] + (ends[k + 1] - ends[k]) * i / parts);
  samples_.push_back(back_);
  length_to_.assign(1, 0.0);
  for (const double u : samples_) places_.push_back(at(u));
  for (std::size_t k = 0; k + 1 < samples_.size(); ++k) {
    const double half = (samples_[k + 1] - samples_[k]) / 2, middle = samples_[k] + half;
    double sum = 0;
    for (std::size_t i = 0; i < kNode.size(); ++i) sum += kWeight[i] * jounce::length(at(middle + half * kNode[i], 1));
    length_to_.push_back(length_to_.back() + half * sum);
  }
  for (std::size_t k = 0; k + 1 < samples_.size(); k += kInSpan) {
    const std::size_t last = std::min(k + kInSpan, samples_.size() - 1);
    const double reach = length_to_[last] - length_to_[k];  // nothing of it is farther from its ends than it is long
    spans_.push_back({scaled(0.5, places_[k] + places_[last]), 0.5 * reach});
  }
}

PlaneCurve::Place PlaneCurve::at(double u, int derivative) const {
  if (radius_ == 0) return {x_->value(u, derivative), y_->value(u, derivative)};
  const auto turn = sincos(u);
  switch (derivative % 4) {
    case 0:
      return derivative == 0 ? Place{centre_.x + radius_ * turn.cos, centre_.y + radius_ * turn.sin}
                             : Place{radius_ * turn.cos, radius_ * turn.sin};
    case 1: return {-radius_ * turn.sin, radius_ * turn.cos};
    case 2: return {-radius_ * turn.cos, -radius_ * turn.sin};
    default: return {radius_ * turn.sin, -radius_ * turn.cos};
  }
}

PlaneCurve::Terms PlaneCurve::terms(Formula& f, Formula::Term u, int derivative) const {
  if (radius_ == 0) return {f.table(x_, u, derivative), f.table(y_, u, derivative)};
  JOUNCE_REQUIRE(derivative == 0 || derivative == 1, "the rest follows by differentiating");
  if (derivative == 1) return {-radius_ * sine(u), radius_ * cosine(u)};
  return {f.number(centre_.x) + radius_ * cosine(u), f.number(centre_.y) + radius_ * sine(u)};
}

PlaneCurve::Place PlaneCurve::normal(double u) const {
  const Place along = at(u, 1);
  return scaled(1 / jounce::length(along), {along.y, -along.x});
}

double PlaneCurve::curvature(double u) const {
  const Place first = at(u, 1), second = at(u, 2);
  const double speed = jounce::length(first);
  return cross(first, second) / (speed * speed * speed);
}

double PlaneCurve::length_to(double u) const {
  const double turns = closed_ ? std::floor((u - front_) / (back_ - front_)) : 0;
  const double here = u - turns * (back_ - front_);
  const auto after = std::ranges::upper_bound(samples_.begin() + 1, samples_.end() - 1, here);
  const auto k = static_cast<std::size_t>(after - samples_.begin()) - 1;
  const double half = (here - samples_[k]) / 2;
  double sum = 0;
  for (std::size_t i = 0; i < kNode.size(); ++i) sum += kWeight[i] * jounce::length(at(samples_[k] + half * (1 + kNode[i]), 1));
  return length_to_[k] + half * sum;
}

double PlaneCurve::area() const {
  double twice = cross(places_.back(), places_.front());
  for (std::size_t k = 0; k + 1 < places_.size(); ++k) twice += cross(places_[k], places_[k + 1]);
  return twice / 2;
}

double PlaneCurve::nearest(const Place& p) const {
  if (radius_ > 0) {
    const Place d = p - centre_;
    if (d.x == 0 && d.y == 0) return front_;
    const double middle = (front_ + back_) / 2, angle = std::atan2(d.y, d.x);
    const double near =
        angle + kTurn * std::round((middle - angle) / kTurn);  // an open arc ends as far from either end as can be
    return closed_ && near < front_ ? near + kTurn : near;
  }
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < spans_.size(); ++s) {
    if (distance(p, spans_[s].middle) - spans_[s].radius > least) continue;
    const std::size_t last = std::min((s + 1) * kInSpan, samples_.size() - 1);
    for (std::size_t k = s * kInSpan; k <= last; ++k)
      if (const double here = distance(p, places_[k]); here < least) least = here, best = k;
  }
  const std::size_t end = samples_.size() - 1;
  const double before = best > 0  ? samples_[best] - samples_[best - 1]
                        : closed_ ? samples_[end] - samples_[end - 1]
                                  : kBeyond * (samples_[1] - samples_[0]);
  const double after = best < end ? samples_[best + 1] - samples_[best]
                       : closed_  ? samples_[1] - samples_[0]
                                  : kBeyond * (samples_[end] - samples_[end - 1]);
  const double found = refined(samples_[best] - before, samples_[best] + after, p);
  if (!closed_) return found;
  return found < front_ ? found + (back_ - front_) : found >= back_ ? found - (back_ - front_) : found;
}

// The zero of F = c′ · (p − c) between two places, F > 0 at the first and < 0 at the second where the distance has its least
// value between them: Newton's steps, halved where they lead out.
double PlaneCurve::refined(double from, double to, const Place& p) const {
  constexpr int kMost = 100;
  constexpr double kEps = std::numeric_limits<double>::epsilon();
  const double rounding = 2 * kEps * std::max(std::abs(from), std::abs(to));
  double a = from, b = to, u = from + (to - from) / 2;
  for (int i = 0; i < kMost && b - a > rounding; ++i) {
    const Place apart = p - at(u), first = at(u, 1);
    const double F = dot(first, apart), slope = dot(at(u, 2), apart) - dot(first, first);
    (F > 0 ? a : b) = u;
    if (F == 0) return u;
    const double step = -F / slope, next = u + step;
    if (slope < 0 && next > from && next < to && next >= a - rounding && next <= b + rounding) {
      if (std::abs(step) <= rounding) return next;
      u = next;
    } else {
      u = a + (b - a) / 2;
    }
  }
  return u;
}

double PlaneCurve::farthest(const Place& direction) const {
  if (radius_ > 0) {
    const double angle = std::atan2(direction.y, direction.x);
    return angle + kTurn * std::ceil((front_ - angle) / kTurn);
  }
  std::size_t best = 0;
  for (std::size_t k = 1; k < places_.size(); ++k)
    if (dot(places_[k], direction) > dot(places_[best], direction)) best = k;
  const std::size_t end = samples_.size() - 1;
  double a = best > 0 ? samples_[best - 1] : front_ - (samples_[end] - samples_[end - 1]);
  double b = best < end ? samples_[best + 1] : back_ + (samples_[1] - samples_[0]);
  const double rounding = 2 * std::numeric_limits<double>::epsilon() * std::max(std::abs(a), std::abs(b));
  double u = samples_[best];
  for (int i = 0; i < 100 && b - a > rounding; ++i) {
    const double rise = dot(at(u, 1), direction), bend = dot(at(u, 2), direction);
    (rise > 0 ? a : b) = u;
    const double step = -rise / bend, next = u + step;
    if (bend < 0 && next >= a - rounding && next <= b + rounding) {
      u = next;
      if (std::abs(step) <= rounding) break;
    } else {
      u = a + (b - a) / 2;
    }
  }
  return u < front_ ? u + (back_ - front_) : u >= back_ ? u - (back_ - front_) : u;
}

std::vector<double> PlaneCurve::crossing() const {
  const std::size_t n = samples_.size() - 1;
  const auto near = [&](std::size_t a, std::size_t b) {
    return distance(spans_[a].middle, spans_[b].middle) <= spans_[a].radius + spans_[b].radius;
  };
  for (std::size_t s = 0; s < spans_.size(); ++s)
    for (std::size_t r = s; r < spans_.size(); ++r) {
      if (!near(s, r)) continue;
      for (std::size_t i = s * kInSpan; i < std::min((s + 1) * kInSpan, n); ++i)
        for (std::size_t j = std::max(r * kInSpan, i + 2); j < std::min((r + 1) * kInSpan, n); ++j)
          if (cross_each_other(places_[i], places_[i + 1], places_[j], places_[j + 1])) return {samples_[i], samples_[j]};
    }
  return {};
}

}  // namespace jounce::planar
