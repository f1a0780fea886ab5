// Solids, and a little geometry of points in a plane.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "jounce/base/index.hpp"
#include "jounce/report/solids/skeleton.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce::solids {

using std::numbers::pi;

std::pair<Vec3<double>, Vec3<double>> across(const Vec3<double>& axis) {
  const Vec3<double> other = std::abs(axis.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  const Vec3<double> v = unit_vector(cross(axis, other));
  return {cross(v, axis), v};
}

Mat3<double> along(const Vec3<double>& axis) {
  const Vec3<double> z = unit_vector(axis);
  if (z.z < -1 + 1e-12) return {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  const double k = 1 / (1 + z.z);  // the turn about z0 × z, as a matrix
  return {{1 - k * z.x * z.x, -k * z.x * z.y, -z.x}, {-k * z.x * z.y, 1 - k * z.y * z.y, -z.y}, z};
}

Solid& Maker::add(Solid::Kind kind) const {
  Solid& out = out_.emplace_back();
  out.kind = kind, out.role = role_, out.body = body_, out.what = what_;
  return out;
}

void Maker::rod(const Vec3<double>& from, const Vec3<double>& to, double radius, double end_radius) const {
  if (!(length(to - from) > 0)) return;
  Solid& out = add(Solid::Kind::rod);
  out.points = {frame_ * from, frame_ * to};
  out.radius = radius, out.end_radius = end_radius;
}

void Maker::tube(const Vec3<double>& from, const Vec3<double>& to, double outside, double inside) const {
  if (!(length(to - from) > 0)) return;
  Solid& out = add(Solid::Kind::tube);
  out.points = {frame_ * from, frame_ * to};
  out.radius = outside, out.end_radius = inside;
}

void Maker::capsule(const Vec3<double>& from, const Vec3<double>& to, double radius, double end_radius) const {
  if (!(length(to - from) > 0)) return;
  Solid& out = add(Solid::Kind::capsule);
  out.points = {frame_ * from, frame_ * to};
  out.radius = radius, out.end_radius = end_radius;
}

void Maker::ball(const Vec3<double>& centre, double radius) const {
  Solid& out = add(Solid::Kind::ball);
  out.points = {frame_ * centre};
  out.radius = radius;
}

void Maker::block(const Vec3<double>& centre, const Vec3<double>& size, const Mat3<double>& axes) const {
  Solid& out = add(Solid::Kind::block);
  out.points = {frame_ * centre};
  out.size = size;
  out.axes = frame_.axes * axes;
}

void Maker::socket(const Vec3<double>& centre, double radius, const Vec3<double>& opening) const {
  Solid& out = add(Solid::Kind::socket);
  out.points = {frame_ * centre};
  out.radius = radius;
  out.axis = frame_.axes * unit_vector(opening);
}

void Maker::wire(std::vector<Vec3<double>> points, double radius, bool closed) const {
  Solid& out = add(Solid::Kind::wire);
  for (Vec3<double>& p : points) p = frame_ * p;
  out.points = std::move(points);
  out.radius = radius;
  out.closed = closed;
}

void Maker::arc(const Vec3<double>& centre, const Vec3<double>& normal, const Vec3<double>& start, double radius, double wire_radius,
                double angle) const {
  const bool whole = angle >= 2 * pi - 1e-9;
  const int parts = std::max(3, static_cast<int>(std::ceil(24 * angle / (2 * pi))));
  const Vec3<double> other = cross(normal, start);
  std::vector<Vec3<double>> points;
  for (int k = 0; k < parts + (whole ? 0 : 1); ++k) {
    const SinCos<double> turn = sincos(angle * k / parts);
    points.push_back(centre + start * (radius * turn.cos) + other * (radius * turn.sin));
  }
  wire(std::move(points), wire_radius, whole);
}

void Maker::plate(std::vector<Vec3<double>> corners, const Vec3<double>& normal, double half) const {
  if (corners.size() < 3) return;
  Solid& out = add(Solid::Kind::plate);
  for (Vec3<double>& p : corners) p = frame_ * p;
  out.points = std::move(corners);
  out.axis = frame_.axes * normal;
  out.radius = half;
}

std::optional<Vec3<double>> common_plane(const std::vector<Vec3<double>>& places, double slack) {
  // the widest triangle from the first place says which plane it would be
  Vec3<double> widest{};
  for (std::size_t i = 1; i < places.size(); ++i)
    for (std::size_t k = i + 1; k < places.size(); ++k)
      if (const Vec3<double> n = cross(places[i] - places[0], places[k] - places[0]); length(n) > length(widest)) widest = n;
  double size = 0;
  for (const Vec3<double>& p : places) size = std::max(size, length(p - places[0]));
  if (!(length(widest) > 0.02 * size * size)) return std::nullopt;
  const Vec3<double> normal = unit_vector(widest);
  for (const Vec3<double>& p : places)
    if (std::abs(dot(normal, p - places[0])) > slack) return std::nullopt;
  return normal;
}

std::vector<Vec3<double>> rounded_hull(const std::vector<Vec3<double>>& places, const Vec3<double>& normal, double margin) {
  const auto [u, v] = across(normal);
  const Vec3<double> base = places.front();
  std::vector<Vec2<double>> flat;
  for (const Vec3<double>& p : places)
    for (int k = 0; k < 12; ++k) {
      const SinCos<double> turn = sincos(2 * pi * k / 12);
      flat.push_back({dot(u, p - base) + margin * turn.cos, dot(v, p - base) + margin * turn.sin});
    }
  std::ranges::sort(flat, [](const auto& a, const auto& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  std::vector<Vec2<double>> hull;
  const double least = 1e-12 * margin * margin;
  const auto add = [&](const Vec2<double>& p, std::size_t floor) {
    while (hull.size() > floor + 1 && cross(hull.back() - hull[hull.size() - 2], p - hull.back()) <= least) hull.pop_back();
    hull.push_back(p);
  };
  for (const Vec2<double>& p : flat) add(p, 0);
  const std::size_t floor = hull.size() - 1;
  for (auto p = flat.rbegin() + 1; p != flat.rend(); ++p) add(*p, floor);
  hull.pop_back();
  std::vector<Vec3<double>> out;
  out.reserve(hull.size());
  for (const Vec2<double>& p : hull) out.push_back(base + u * p.x + v * p.y);
  return out;
}

}  // namespace jounce::solids
