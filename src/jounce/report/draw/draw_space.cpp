// Drawings of mechanisms in space: seen along an axis, or from a corner of the room.
#include <array>
#include <cmath>
#include <numbers>
#include <tuple>

#include "jounce/report/draw/draw_parts.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce::draw {
namespace {

using Element = Scene::Element;
using Symbol = DrawingSymbol;

constexpr double kMarginInSpace = 50;

Sheet sheet_of(View view) {
  const double half = std::sqrt(0.5), sixth = std::sqrt(1.0 / 6);
  switch (view) {
    case View::x: return {{0, 1, 0}, {0, 0, 1}};
    case View::y: return {{1, 0, 0}, {0, 0, 1}};
    case View::z: return {{1, 0, 0}, {0, 1, 0}};
    case View::iso: break;
  }
  return {{half, half, 0}, {-sixth, sixth, 2 * sixth}};
}

class Space final : public Drawing {
 public:
  Space(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options)
      : Drawing(scene, snapshot, options, sheet_of(options.view), kMarginInSpace) {}

 private:
  void draw_below() override { draw_axes(); }

  void draw_mechanism() override {
    draw_feet();
    for (const int b : from_the_back()) draw_body(b);
    for (const Element& e : scene_.elements)
      if (e.symbol == Symbol::spring && e.pi && e.pj) draw_spring(e);
    for (const Element& e : scene_.elements)
      if (e.frame_i && e.frame_j) draw_joint(e);
      else if (e.symbol == Symbol::mark && e.pj) symbols_->plain_mark(at(e.j, *e.pj));
    draw_masses();
  }

  [[nodiscard]] std::vector<double> link_lengths() const override {
    std::vector<double> out;
    for (int b = 1; b < bodies(); ++b)
      for (const Vec3<double>& p : attachments(b)) out.push_back(length(sheet_.at(p) - sheet_.at(hub(b))));
    return out;
  }

  [[nodiscard]] Vec3<double> centre(int b) const { return world(b, scene_.bodies[z(b)].com.value_or(Vec3<double>{})); }

  // Where a body hangs on the one before it: its own joint's frame. A free body: its centre of mass.
  [[nodiscard]] Vec3<double> hub(int body) const {
    for (const Element& e : scene_.elements)
      if (e.group == Group::joint && e.j == body && e.frame_j)
        return e.symbol == Symbol::afloat ? centre(body) : world(body, e.frame_j->origin);
    return centre(body);
  }

  // What lies away from the hub: other joints, loops, named points, spring ends; each once.
  [[nodiscard]] std::vector<Vec3<double>> attachments(int body) const {
    std::vector<Vec3<double>> out;
    const Vec3<double> start = hub(body);
    const auto take = [&](Vec3<double> p) {
      const auto near = [&](Vec3<double> o) { return length(o - p) < 1e-3 * scene_.size; };
      if (!near(start) && std::ranges::none_of(out, near)) out.push_back(p);
    };
    for (const Element& e : scene_.elements) {
      if (e.i == body && e.frame_i) take(world(body, e.frame_i->origin));
      if (e.j == body && e.frame_j && e.symbol != Symbol::afloat) take(world(body, e.frame_j->origin));
      if (e.i == body && e.pi) take(world(body, *e.pi));
      if (e.j == body && e.pj) take(world(body, *e.pj));
    }
    for (const Scene::Point& point : scene_.bodies[z(body)].points) take(world(body, point.p));
    const Scene::Body& own = scene_.bodies[z(body)];
    if (out.empty() || (own.mass.value_or(0) > 0 && !own.shape)) take(centre(body));  // a body reaches as far as its mass
    return out;
  }

  void include_all() override {
    for (int b = 1; b < bodies(); ++b) {
      sheet_.include(hub(b));
      for (const Vec3<double>& p : attachments(b)) sheet_.include(p);
      if (const auto& shape = scene_.bodies[z(b)].shape) include(b, *shape);
    }
    for (const Element& e : scene_.elements) {
      if (e.i == 0 && e.frame_i && e.symbol != Symbol::afloat) sheet_.include(world(0, e.frame_i->origin));
      if (e.i == 0 && e.pi) sheet_.include(*e.pi);
    }
  }

  void include(int b, const BodyShape& shape) {
    if (shape.kind == BodyShape::Kind::sphere) sheet_.include(world(b, shape.centre), shape.radius);
    for (const Vec3<double>& p : outline(b, shape)) sheet_.include(p);
  }

  // Points whose hull on paper is the shape.
  [[nodiscard]] std::vector<Vec3<double>> outline(int b, const BodyShape& shape) const {
    std::vector<Vec3<double>> out;
    if (shape.kind == BodyShape::Kind::rod) out = {shape.from, shape.to};
    if (shape.kind == BodyShape::Kind::box) {
      const Mat3<double> axes = box_axes(shape.rpy);
      for (const double x : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5})
          for (const double w : {-0.5, 0.5})
            out.push_back(shape.centre + axes * Vec3<double>{x * shape.size.x, y * shape.size.y, w * shape.size.z});
    }
    if (shape.kind == BodyShape::Kind::cylinder) {
      for (const Vec3<double>& face : {shape.from, shape.to})
        for (const Vec3<double>& p : circle(face, shape.to - shape.from, shape.radius)) out.push_back(p);
    }
    for (Vec3<double>& p : out) p = world(b, p);
    return out;
  }

  static Mat3<double> box_axes(Vec3<double> rpy) {
    const auto turn = [](double a, Vec3<double> x, Vec3<double> y) {
      const auto [s, c] = sincos(a);
      return std::pair{x * c + y * s, y * c - x * s};
    };
    Mat3<double> out = identity3<double>();
    std::tie(out.x, out.y) = turn(rpy.z, out.x, out.y);
    std::tie(out.z, out.x) = turn(rpy.y, out.z, out.x);
    std::tie(out.y, out.z) = turn(rpy.x, out.y, out.z);
    return out;
  }

  static std::vector<Vec3<double>> circle(Vec3<double> centre, Vec3<double> axis, double radius) {
    const double l = length(axis);
    axis = l > 0 ? axis * (1 / l) : Vec3<double>{0, 0, 1};
    const Vec3<double> other = std::abs(axis.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    Vec3<double> u = cross(axis, other);
    u = u * (1 / length(u));
    const Vec3<double> v = cross(axis, u);
    constexpr int kCorners = 36;
    std::vector<Vec3<double>> out(kCorners);
    for (int k = 0; k < kCorners; ++k) {
      const SinCos<double> turn = sincos(2 * std::numbers::pi * k / kCorners);
      out[z(k)] = centre + u * (radius * turn.cos) + v * (radius * turn.sin);
    }
    return out;
  }

  [[nodiscard]] std::vector<Pixel> pixels(const std::vector<Vec3<double>>& points) const {
    std::vector<Pixel> out;
    out.reserve(points.size());
    for (const Vec3<double>& p : points) out.push_back(sheet_.at(p));
    return out;
  }

  [[nodiscard]] std::vector<int> from_the_back() const {
    std::vector<int> out;
    for (int b = 1; b < bodies(); ++b) out.push_back(b);
    std::ranges::sort(out, {}, [&](int b) { return sheet_.depth(centre(b)); });
    return out;
  }

  // ---- what is drawn
  // ------------------------------------------------------------------------------------------------------------

  // The directions of x, y and z in the corner of the sheet.
  void draw_axes() {
    static constexpr std::array<std::string_view, 3> kNames{"x", "y", "z"};
    const Pixel corner{30, sheet_.height() - 30};
    const std::array<Vec3<double>, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const Pixel d = sheet_.seen(axes[k]);
      if (length(d) < 0.1) continue;
      out_->line(corner, offset(corner, d, 22, 0), "thin triad");
      const Pixel at = offset(corner, d, 30, 0);
      out_->text(kNames[k], {{"x", svg::number(at.x)}, {"y", svg::number(at.y + 4)}, {"text-anchor", "middle"}});
    }
    labels_->avoid(corner, 34);
  }

  void draw_feet() {
    for (const Element& e : scene_.elements) {
      if ((e.i != 0 && e.j != 0) || !e.frame_i || !e.frame_j || e.symbol == Symbol::afloat) continue;
      const Pixel at = sheet_.at(world(0, e.i == 0 ? e.frame_i->origin : e.frame_j->origin));
      symbols_->foot(at, {0, 1});
      labels_->avoid(offset(at, {0, 1}, 2.4 * symbols_->pin(), 0), 2.6 * symbols_->pin());
    }
    for (const Element& e : scene_.elements)
      if (e.frame_i && e.frame_j && drawn_as(e, {Symbol::slide, Symbol::sleeve, Symbol::screw})) draw_rail(e);
  }

  [[nodiscard]] Pixel axis_on_paper(const Element& e) const {
    const Frame<double> frame = snapshot_.poses[z(e.i)] * *e.frame_i;
    return sheet_.seen(frame.axes * e.axis.value_or(Vec3<double>{0, 0, 1}));
  }

  // The way of a joint that slides, between the two bodies and a little beyond.
  void draw_rail(const Element& e) {
    const Pixel a = sheet_.at(world(e.i, e.frame_i->origin)), b = sheet_.at(world(e.j, e.frame_j->origin));
    const Pixel seen = axis_on_paper(e);
    if (length(seen) < 0.05) return;
    const Pixel d = direction({}, seen);
    const double far = dot(b - a, d), more = 8 * symbols_->pin();
    symbols_->rod(offset(a, d, std::min(0.0, far) - more, 0), offset(a, d, std::max(0.0, far) + more, 0));
  }

  void draw_body(int b) {
    const std::string_view colour = body_colour(b);
    const Pixel start = sheet_.at(hub(b));
    if (const auto& shape = scene_.bodies[z(b)].shape) draw_shape(b, *shape, colour);
    std::vector<Pixel> points = pixels(attachments(b));
    if (points.empty() && scene_.bodies[z(b)].shape) return;
    if (points.empty()) return symbols_->disc(start, 3 * symbols_->bar(), colour);
    points.push_back(start);
    symbols_->plate(points, symbols_->bar(), colour);
  }

  void draw_shape(int b, const BodyShape& shape, std::string_view colour) {
    if (shape.kind == BodyShape::Kind::sphere)
      return symbols_->disc(sheet_.at(world(b, shape.centre)), shape.radius * sheet_.scale(), colour);
    if (shape.kind == BodyShape::Kind::rod) return symbols_->plate(pixels(outline(b, shape)), symbols_->bar(), colour);
    symbols_->plate(pixels(outline(b, shape)), 1, colour);
    if (shape.kind != BodyShape::Kind::cylinder) return;
    // the face that is turned to the eye
    const Vec3<double> from = world(b, shape.from), until = world(b, shape.to);
    const Vec3<double> face = sheet_.depth(from) > sheet_.depth(until) ? from : until;
    out_->element("path", {{"class", "thin"},
                           {"stroke", std::string(colour)},
                           {"d", svg::path(pixels(circle(face, until - from, shape.radius)), true)}});
  }

  void draw_spring(const Element& e) {
    const Pixel a = sheet_.at(world(e.i, *e.pi)), b = sheet_.at(world(e.j, *e.pj));
    symbols_->strut(a, b, e.stiffness.value_or(0) > 0, e.damping.has_value());
    for (const Pixel p : {a, b}) symbols_->joint_pin(p);
  }

  void draw_joint(const Element& e) {
    const Pixel at = sheet_.at(world(e.j, e.frame_j->origin));
    labels_->avoid(at, 2 * symbols_->pin());
    if (e.symbol == Symbol::afloat) return;
    if (e.symbol == Symbol::mark) return symbols_->plain_mark(at);
    if (e.symbol == Symbol::weld) return symbols_->weld(at, {1, 0});
    const auto draw_ball = [&](Pixel centre) {
      out_->circle(centre, 1.5 * symbols_->pin(), "pin paper ball");
      out_->circle(centre, 0.7 * symbols_->pin(), "solid");
    };
    if (drawn_as(e, {Symbol::ball, Symbol::gimbal})) return draw_ball(at);
    if (e.symbol == Symbol::rod) {
      const Pixel from = sheet_.at(world(e.i, e.frame_i->origin));
      symbols_->rod(from, at);
      return draw_ball(from), draw_ball(at);
    }
    const Pixel seen = axis_on_paper(e);
    const double foreshortened = length(seen);
    const Pixel d = direction({}, seen);
    if (e.symbol == Symbol::universal) {
      symbols_->joint_pin(at);
      return out_->path(
          svg::path(std::array{offset(at, {1, 0}, -2.4 * symbols_->pin(), 0), offset(at, {1, 0}, 2.4 * symbols_->pin(), 0)}) +
              svg::path(
                  std::array{offset(at, {0, 1}, -2.4 * symbols_->pin(), 0), offset(at, {0, 1}, 2.4 * symbols_->pin(), 0)}),
          "usual universal");
    }
    if (drawn_as(e, {Symbol::slide, Symbol::table, Symbol::crossed_slides}))
      return symbols_->slider(at, offset(at, d, 0.01, 0), body_colour(e.j));
    draw_barrel(at, d, foreshortened);
  }

  // A pin seen from the side: a barrel along its axis with the face that is turned to the eye.
  void draw_barrel(Pixel at, Pixel d, double foreshortened) {
    const double half = 2.3 * symbols_->pin() * foreshortened, r = 1.25 * symbols_->pin();
    const double flat = r * std::sqrt(std::max(0.0, 1 - foreshortened * foreshortened));
    const auto end = [&](double along, double side) { return offset(at, d, along, side); };
    const std::string ellipse =
        "A" + svg::number(flat) + " " + svg::number(r) + " " + svg::number(std::atan2(d.y, d.x) * 180 / std::numbers::pi) + " ";
    const auto to = [](Pixel p) { return svg::number(p.x) + " " + svg::number(p.y); };
    out_->path("M" + to(end(-half, -r)) + "L" + to(end(half, -r)) + ellipse + "0 1 " + to(end(half, r)) + "L" +
                   to(end(-half, r)) + ellipse + "0 1 " + to(end(-half, -r)) + "Z",
               "pin paper hinge");
    if (flat > 0.6)
      out_->path("M" + to(end(half, -r)) + ellipse + "0 0 " + to(end(half, r)) + ellipse + "0 0 " + to(end(half, -r)) + "Z",
                 "thin");
    out_->line(end(-half - 1.6 * symbols_->pin() * foreshortened, 0), end(half + 1.6 * symbols_->pin() * foreshortened, 0),
               "thin axis");
  }

  void draw_masses() {
    std::vector<Pixel> joints;
    for (const Element& e : scene_.elements)
      if (e.frame_j && e.symbol != Symbol::afloat) joints.push_back(at(e.j, e.frame_j->origin));
    for (int b = 1; b < bodies(); ++b) mark_mass(b, 0, joints, 2.2);
  }

  void name_all() override {
    for (const Element& e : scene_.elements)
      if (e.frame_j && e.symbol != Symbol::afloat)
        labels_->add(e.name, sheet_.at(world(e.j, e.frame_j->origin)), 2.2 * symbols_->pin() + 3, "joint");
      else if (e.symbol == Symbol::spring && e.pi && e.pj) {
        const Pixel a = sheet_.at(world(e.i, *e.pi)), b = sheet_.at(world(e.j, *e.pj));
        labels_->add(e.name, {(a.x + b.x) / 2, (a.y + b.y) / 2}, 2 * symbols_->pin() + 3, "joint");
      }
    for (int b = 1; b < bodies(); ++b) {
      Pixel middle = sheet_.at(hub(b));
      const std::vector<Pixel> points = pixels(attachments(b));
      if (!points.empty()) middle = scaled(middle + points[0], 0.5);
      labels_->add(scene_.bodies[z(b)].name, middle, symbols_->bar() + 3, "body", body_colour(b));
    }
  }
};

}  // namespace

std::string draw_space(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options) {
  return Space(scene, snapshot, options).draw();
}

}  // namespace jounce::draw
