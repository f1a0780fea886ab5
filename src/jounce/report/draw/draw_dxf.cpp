#include "jounce/report/draw/draw_dxf.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "jounce/base/index.hpp"
#include "jounce/report/draw/draw_parts.hpp"
#include "jounce/report/dxf_writer.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce {
namespace {

using Symbol = DrawingSymbol;
using Place = Vec3<double>;

constexpr std::string_view kGround = "GROUND", kBodies = "BODIES", kJoints = "JOINTS", kCurves = "CURVES", kForces = "FORCES", kPaths = "PATHS",
                           kLabels = "LABELS";
constexpr std::array<dxf::Layer, 7> kLayers{{{kGround, dxf::grey},
                                             {kBodies, dxf::black},
                                             {kJoints, dxf::red},
                                             {kCurves, dxf::blue},
                                             {kForces, dxf::magenta},
                                             {kPaths, dxf::green},
                                             {kLabels, dxf::black}}};
constexpr double kSame = 1e-6;   // of the size of the mechanism: places that are no nearer are two
constexpr double kMark = 0.008;  // the radius of a pin, of the size of the mechanism
constexpr double kLetter = 0.012; // the height of a name

class Geometry {
 public:
  Geometry(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options)
      : scene_(scene), snapshot_(snapshot), options_(options), out_("Jounce: " + options.title, kLayers), mark_(kMark * scene.size) {}

  std::string draw() {
    for (int b = 1; b < static_cast<int>(scene_.bodies.size()); ++b) draw_body(b);
    for (const Scene::Element& e : scene_.elements) draw_element(e);
    for (const Snapshot::Trail& trail : snapshot_.trails) draw_trail(trail);
    return out_.finish();
  }

 private:
  [[nodiscard]] Place at(int body, Place p) const { return snapshot_.poses[z(body)] * p; }

  [[nodiscard]] static int colour(int body) {
    constexpr std::array<int, 8> kLikeDrawings{dxf::blue, 30, dxf::green, dxf::magenta, 42, dxf::red, dxf::cyan, dxf::grey};
    return kLikeDrawings[z(body - 1) % kLikeDrawings.size()];
  }

  // Where a body is held and where it holds others, and the points that it names; each once.
  [[nodiscard]] std::vector<Place> attachments(int body) const {
    std::vector<Place> out;
    const auto take = [&](Place p) {
      if (std::ranges::none_of(out, [&](Place o) { return length(o - p) < kSame * scene_.size; })) out.push_back(p);
    };
    for (const Scene::Point& point : scene_.bodies[z(body)].points) take(at(body, point.p));
    for (const Scene::Element& e : scene_.elements) {
      if (draw::drawn_as(e, {Symbol::gears, Symbol::turn, Symbol::spiral})) continue;  // they have no place but the pivot
      if (e.i == body && e.pi) take(at(body, *e.pi));
      if (e.j == body && e.pj) take(at(body, *e.pj));
      if (e.symbol == Symbol::afloat) continue;
      if (e.i == body && e.frame_i) take(at(body, e.frame_i->origin));
      if (e.j == body && e.frame_j) take(at(body, e.frame_j->origin));
    }
    return out;
  }

  void draw_body(int b) {
    const Scene::Body& body = scene_.bodies[z(b)];
    const std::vector<Place> points = attachments(b);
    if (body.shape) draw_shape(b, *body.shape);
    if (scene_.space) {
      // from the first to the others, as links are drawn in space
      for (std::size_t k = 1; k < points.size(); ++k) out_.line(kBodies, points[0], points[k], colour(b));
    } else if (!body.shape) {
      draw_plate(b, points);
    }
    if (body.com && body.mass.value_or(0) > 0) out_.point(kBodies, at(b, *body.com));
    Place middle = body.com ? at(b, *body.com) : Place{};
    if (!points.empty()) {
      middle = {};
      for (const Place& p : points) middle = middle + p * (1.0 / static_cast<double>(points.size()));
    }
    name(body.name, middle);
  }

  // The smallest outline around points of the plane; what lies within is joined to the first.
  void draw_plate(int b, const std::vector<Place>& points) {
    const double fine = 1000 / scene_.size;  // of `hull`, which tells apart what is further than a twentieth
    std::vector<svg::Pixel> flat;
    for (const Place& p : points) flat.push_back({fine * p.x, fine * p.y});
    std::vector<Place> corners;
    for (const svg::Pixel c : draw::hull(flat)) {
      const auto own = std::ranges::find_if(points, [&](const Place& p) { return length(svg::Pixel{fine * p.x, fine * p.y} - c) == 0; });
      if (own != points.end()) corners.push_back(*own);
    }
    if (corners.size() == 2) return out_.line(kBodies, corners[0], corners[1], colour(b));
    out_.polyline(kBodies, corners, true, true, colour(b));
  }

  void draw_shape(int b, const BodyShape& shape) {
    using Kind = BodyShape::Kind;
    switch (shape.kind) {
      case Kind::bar:
      case Kind::rod: return out_.line(kBodies, at(b, shape.from), at(b, shape.to), colour(b));
      case Kind::disc: return out_.circle(kBodies, at(b, shape.centre), shape.radius, colour(b));
      case Kind::rectangle: {
        std::vector<Place> corners;
        const auto [s, c] = sincos(shape.rpy.z);
        for (const auto& [x, y] : {std::pair{-0.5, -0.5}, std::pair{0.5, -0.5}, std::pair{0.5, 0.5}, std::pair{-0.5, 0.5}}) {
          const double along = x * shape.size.x, beside = y * shape.size.y;
          corners.push_back(at(b, shape.centre + Place{c * along - s * beside, s * along + c * beside, 0}));
        }
        return out_.polyline(kBodies, corners, true, true, colour(b));
      }
      case Kind::box: return draw_box(b, shape);
      case Kind::cylinder: {
        const std::vector<Place> below = ring(shape.from, shape.to - shape.from, shape.radius), above = ring(shape.to, shape.to - shape.from, shape.radius);
        closed(b, below), closed(b, above);
        for (std::size_t k = 0; k < below.size(); k += below.size() / 4) out_.line(kBodies, at(b, below[k]), at(b, above[k]), colour(b));
        return;
      }
      case Kind::sphere:
        for (const Place& axis : {Place{1, 0, 0}, Place{0, 1, 0}, Place{0, 0, 1}}) closed(b, ring(shape.centre, axis, shape.radius));
        return;
    }
  }

  void draw_box(int b, const BodyShape& shape) {
    const Mat3<double> axes = from_rpy(shape.rpy);
    std::array<Place, 8> corners{};
    for (std::size_t k = 0; k < 8; ++k) {
      const Place half{(k & 1U) != 0 ? 0.5 : -0.5, (k & 2U) != 0 ? 0.5 : -0.5, (k & 4U) != 0 ? 0.5 : -0.5};
      corners[k] = at(b, shape.centre + axes * Place{half.x * shape.size.x, half.y * shape.size.y, half.z * shape.size.z});
    }
    for (std::size_t k = 0; k < 8; ++k)
      for (const std::size_t bit : {1U, 2U, 4U})
        if ((k & bit) == 0) out_.line(kBodies, corners[k], corners[k | bit], colour(b));
  }

  void closed(int b, std::vector<Place> points) {
    for (Place& p : points) p = at(b, p);
    out_.polyline(kBodies, points, true, false, colour(b));
  }

  // A circle as a polygon: circles of this format lie in planes of their own coordinates.
  static std::vector<Place> ring(Place centre, Place axis, double radius) {
    const double l = length(axis);
    axis = l > 0 ? axis * (1 / l) : Place{0, 0, 1};
    Place u = cross(axis, std::abs(axis.x) < 0.6 ? Place{1, 0, 0} : Place{0, 1, 0});
    u = u * (1 / length(u));
    const Place v = cross(axis, u);
    constexpr int kCorners = 72;
    std::vector<Place> out;
    for (int k = 0; k < kCorners; ++k) {
      const SinCos<double> turn = sincos(2 * std::numbers::pi * k / kCorners);
      out.push_back(centre + u * (radius * turn.cos) + v * (radius * turn.sin));
    }
    return out;
  }

  void draw_element(const Scene::Element& e) {
    const std::string_view layer = e.group == Group::force ? kForces : kJoints;
    if (e.frame_i && e.frame_j) return draw_joint_in_space(e);
    if (e.symbol == Symbol::none) return;
    if (draw::drawn_as(e, {Symbol::turn, Symbol::push, Symbol::spiral})) return;  // on the joint that they drive
    if (e.line_i) out_.line(e.i == 0 ? kGround : layer, at(e.i, e.line_i->from), at(e.i, e.line_i->to));
    if (e.line_j) out_.line(layer, at(e.j, e.line_j->from), at(e.j, e.line_j->to));
    if (!e.curve.empty()) {
      std::vector<Place> curve;
      for (const Place& p : e.curve) curve.push_back(at(e.i, p));
      out_.polyline(kCurves, curve, e.round, !scene_.space, colour(std::max(e.i, 1)));
    }
    if (e.roller > 0 && e.pj) out_.circle(kCurves, at(e.j, *e.pj), e.roller);
    if (e.symbol == Symbol::wheel && e.radius && e.pj) out_.circle(layer, at(e.j, *e.pj), std::abs(*e.radius));
    if (e.symbol == Symbol::gears && e.radii) {
      if (e.pi) out_.circle(layer, at(e.i, *e.pi), std::abs((*e.radii)[0]));
      if (e.pj) out_.circle(layer, at(e.j, *e.pj), std::abs((*e.radii)[1]));
      return;
    }
    if (draw::drawn_as(e, {Symbol::spring, Symbol::rod, Symbol::cylinder}) && e.pi && e.pj) {
      out_.line(layer, at(e.i, *e.pi), at(e.j, *e.pj));
      if (e.group != Group::force) mark(layer, at(e.i, *e.pi));
    }
    if (!e.pj || e.j < 0) return;
    if (e.group != Group::force && e.symbol != Symbol::gears) mark(layer, at(e.j, *e.pj));
    if (e.group == Group::joint) name(e.name, at(e.j, *e.pj));
  }

  void draw_joint_in_space(const Scene::Element& e) {
    if (e.symbol == Symbol::afloat) return;
    const Place place = at(e.j, e.frame_j->origin), other = at(e.i, e.frame_i->origin);
    out_.point(kJoints, place);
    if (e.symbol == Symbol::rod) out_.line(kJoints, other, place);
    if (e.axis) {
      const Frame<double> frame = snapshot_.poses[z(e.i)] * *e.frame_i;
      const Place along = frame.axes * *e.axis * (3 * mark_);
      out_.line(kJoints, place - along, place + along);
    }
    name(e.name, place);
  }

  void mark(std::string_view layer, Place p) {
    out_.point(layer, p);
    out_.circle(layer, p, mark_);
  }

  void draw_trail(const Snapshot::Trail& trail) {
    std::vector<Place> path = trail.path;
    // a path that comes back to its start is closed
    const bool round = path.size() > 3 && length(path.front() - path.back()) < kSame * scene_.size;
    if (round) path.pop_back();
    out_.polyline(kPaths, path, round, !scene_.space);
    if (!path.empty()) name(trail.point, path.front());
  }

  void name(const std::string& words, Place p) {
    if (options_.names) out_.text(kLabels, p + Place{1.5 * mark_, 1.5 * mark_, 0}, kLetter * scene_.size, words);
  }

  const Scene& scene_;
  const Snapshot& snapshot_;
  const DrawingOptions& options_;
  dxf::Writer out_;
  double mark_;
};

}  // namespace

std::string draw_dxf(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options) { return Geometry(scene, snapshot, options).draw(); }

}  // namespace jounce
