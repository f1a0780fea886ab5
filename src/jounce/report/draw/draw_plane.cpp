// Drawings of mechanisms of the plane.
#include <array>
#include <cmath>
#include <optional>

#include "jounce/report/draw/draw_parts.hpp"
#include "jounce/report/svg_curve.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce::draw {
namespace {

using Element = Scene::Element;
using Symbol = DrawingSymbol;

constexpr double kMargin = 46;
constexpr double kLinkInPins = 3.6;                      // a link is so much wider than the radius of a pin
constexpr double kFinestPin = 2.6, kCoarsestPin = 5.5;  // pixels

// What is drawn of one element, by its name and symbol.
class Part {
 public:
  Part(svg::Writer& out, const Element& e) : out_(out) { out_.open("g", {{"data-element", e.name}, {"data-symbol", std::string(word(e.symbol))}}); }
  ~Part() { out_.close(); }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

 private:
  svg::Writer& out_;
};

class Plane final : public Drawing {
 public:
  Plane(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options)
      : Drawing(scene, snapshot, options, Sheet({1, 0, 0}, {0, 1, 0}), kMargin) {}

 private:
  void draw_mechanism() override {
    for (const Element& e : scene_.elements) draw_ground(e);
    for (const Scene::Wall& wall : scene_.walls) draw_stop(wall);
    for (const Scene::Wheel& wheel : scene_.wheels) draw_wheel(wheel);
    for (const Element& e : scene_.elements) draw_belt(e);
    for (const Element& e : scene_.elements)
      if (e.rack && e.i > 0) {
        const Part part(*out_, e);
        draw_rack(e);
      }
    for (const int b : scene_.order) {
      draw_body(b);
      for (const Element& e : scene_.elements)
        if (e.i == b && b > 0) draw_slot(e);
    }
    for (const Element& e : scene_.elements) draw_curve(e);
    for (const Element& e : scene_.elements) draw_block(e);
    for (const Element& e : scene_.elements) draw_roller(e);
    for (const Element& e : scene_.elements) draw_between(e);
    draw_pins();
    for (const Element& e : scene_.elements) draw_drive(e);
    for (const Element& e : scene_.elements) draw_marks(e);
    draw_masses();
  }

  [[nodiscard]] double angle(int body) const {
    const Vec3<double>& x = snapshot_.poses[z(body)].axes.x;
    return std::atan2(x.y, x.x);
  }
  [[nodiscard]] double pin() const { return symbols_->pin(); }
  [[nodiscard]] double pin_size() const override {
    return std::clamp(scene_.link * sheet_.scale() / kLinkInPins, kFinestPin, kCoarsestPin);
  }

  // ---- where everything is ------------------------------------------------------------------------------------------------

  void include_all() override {
    for (int b = 1; b < bodies(); ++b) {
      const Scene::Body& body = scene_.bodies[z(b)];
      for (const Vec3<double>& p : body.outline) sheet_.include(world(b, p));
      for (const Scene::Point& point : body.points) sheet_.include(world(b, point.p));
      if (body.points.empty() || (body.com && body.mass.value_or(0) > 0))
        sheet_.include(world(b, body.com.value_or(Vec3<double>{})));
      if (body.shape)
        for (const Vec3<double>& corner : corners(*body.shape)) sheet_.include(world(b, corner));
    }
    for (const Element& e : scene_.elements) {
      if (e.pi && e.i >= 0) sheet_.include(world(e.i, *e.pi));
      if (e.pj && e.j >= 0) sheet_.include(world(e.j, *e.pj));
      for (const Vec3<double>& p : e.curve) sheet_.include(world(e.i, p));
      if (e.roller > 0) sheet_.include(world(e.j, *e.pj), e.roller);
      for (const Scene::Place& place : e.marks) sheet_.include(world(place.body, place.p));
      for (const auto& ends : e.distances)
        for (const Scene::Place& end : ends) sheet_.include(world(end.body, end.p));
      if (!e.span || !e.line_i || e.i < 0) continue;
      const double more = e.rack ? 0.75 * std::abs(*e.radius) : 0, left = e.rack ? *e.radius + (*e.radius > 0 ? 0.9 : -0.9) * e.rack->pitch : 0;
      const double low = e.block && e.block->own ? std::min(e.block->along[0], -e.block->along[1]) : -more,
                   high = e.block && e.block->own ? std::max(e.block->along[1], -e.block->along[0]) : more;
      const Vec3<double> d = along(*e.line_i), beside = Vec3<double>{-d.y, d.x, 0} * left;
      for (const double s : {(*e.span)[0] + low, (*e.span)[1] + high}) sheet_.include(world(e.i, e.line_i->from + d * s + beside));
    }
    for (const Scene::Wall& wall : scene_.walls)
      if (wall.span)
        for (const double other : *wall.span) sheet_.include(wall.upright ? Vec3<double>{wall.at, other, 0} : Vec3<double>{other, wall.at, 0});
    for (const Scene::Wheel& wheel : scene_.wheels) sheet_.include(world(wheel.body, wheel.centre), wheel.radius * (wheel.ring ? 1.25 : 1.05));
  }

  static Vec3<double> along(const Scene::Line& line) {
    const Vec3<double> d = line.to - line.from;
    return d * (1 / std::max(length(d), 1e-300));
  }

  // Of a rectangle.
  static std::vector<Vec3<double>> corners(const BodyShape& shape) {
    if (shape.kind != BodyShape::Kind::rectangle) return {};
    std::vector<Vec3<double>> out;
    const auto [s, c] = sincos(shape.rpy.z);
    for (const auto& [x, y] : {std::pair{-0.5, -0.5}, std::pair{0.5, -0.5}, std::pair{0.5, 0.5}, std::pair{-0.5, 0.5}}) {
      const double across = x * shape.size.x, up = y * shape.size.y;
      out.push_back(shape.centre + Vec3<double>{c * across - s * up, s * across + c * up, 0});
    }
    return out;
  }

  [[nodiscard]] std::vector<Pixel> pixels(int body, const std::vector<Vec3<double>>& points) const {
    std::vector<Pixel> out;
    out.reserve(points.size());
    for (const Vec3<double>& p : points) out.push_back(at(body, p));
    return out;
  }

  [[nodiscard]] const Scene::Wheel* largest_wheel(int body) const {
    const Scene::Wheel* out = nullptr;
    for (const Scene::Wheel& wheel : scene_.wheels)
      if (wheel.body == body && (out == nullptr || wheel.radius > out->radius)) out = &wheel;
    return out;
  }

  // ---- bodies -------------------------------------------------------------------------------------------------------------

  void draw_wheel(const Scene::Wheel& wheel) {
    const Pixel centre = at(wheel.body, wheel.centre);
    if (wheel.teeth > 0)
      symbols_->gear(centre, wheel, sheet_.scale(), angle(wheel.body), body_colour(wheel.body));
    else {
      symbols_->disc(centre, wheel.radius * sheet_.scale(), body_colour(wheel.body));
      const SinCos<double> turn = sincos(angle(wheel.body));
      const Pixel d{turn.cos, -turn.sin};
      const double r = wheel.radius * sheet_.scale();
      out_->line(offset(centre, d, std::min(r, 1.6 * pin()), 0), offset(centre, d, r, 0), "thin");
    }
    for (const Scene::Point& p : scene_.bodies[z(wheel.body)].points) {
      const double far = length(p.p - wheel.centre) * sheet_.scale();
      if (far > 2.5 * pin() && far < 1.001 * wheel.radius * sheet_.scale()) out_->circle(at(wheel.body, p.p), 0.45 * pin(), "solid");
    }
  }

  void draw_body(int b) {
    const Scene::Body& body = scene_.bodies[z(b)];
    const std::string_view colour = body_colour(b);
    if (body.shape && body.shape->kind == BodyShape::Kind::rectangle)
      symbols_->plate(pixels(b, corners(*body.shape)), 1.5, colour);
    const bool slotted = std::ranges::any_of(scene_.elements, [&](const Element& e) { return e.symbol == Symbol::slot && e.i == b; });
    symbols_->plate(pixels(b, body.outline), (slotted ? 1.4 : 1.0) * symbols_->bar(), colour);
  }

  // ---- slides, tracks -----------------------------------------------------------------------------------------------------

  struct Span {
    Pixel a, b;
  };

  // The stretch of a line that is used, with `more` pixels at both ends; `around` the place on it where no run has said.
  [[nodiscard]] Span span_of(const Element& e, Pixel place, double more, double around) const {
    const Pixel p = at(e.i, e.line_i->from), d = direction(p, at(e.i, e.line_i->to));
    const double here = dot(place - p, d), scale = sheet_.scale();
    const double from = e.span ? (*e.span)[0] * scale - more : here - around, until = e.span ? (*e.span)[1] * scale + more : here + around;
    return {offset(p, d, from, 0), offset(p, d, until, 0)};
  }

  // The ground along a line: `side` is 1 on the right of it on paper.
  void draw_wall(Pixel a, Pixel b, double side, std::string_view style) {
    out_->line(a, b, style);
    symbols_->hatching(a, b, side);
    labels_->avoid_line(a, b);
  }

  // What stands still under the bodies.
  void draw_ground(const Element& e) {
    if (e.symbol == Symbol::guide && e.i < 0 && e.span) draw_rail(e);
    if (e.i != 0 || !e.line_i || !drawn_as(e, {Symbol::slider, Symbol::slot, Symbol::wheel})) return;
    const Part part(*out_, e);
    if (e.symbol == Symbol::slider && e.block) draw_guide(e);
    if (e.symbol == Symbol::slot && e.pj && !rolls(e)) {
      draw_slot(e);
      const Span s = span_of(e, at(e.j, *e.pj), 0.4 * pin(), 3.3 * pin());
      const Pixel d = direction(s.a, s.b);
      const double side = below(d), beside = side * 1.6 * pin();
      draw_wall(offset(s.a, d, -1.6 * pin(), beside), offset(s.b, d, 1.6 * pin(), beside), side, "ground guide");
    }
    if (e.symbol == Symbol::wheel && e.pj && e.radius) {
      if (e.rack) return draw_rack(e);
      const double beside = -*e.radius * sheet_.scale();
      const Span s = span_of(e, at(e.j, *e.pj), 1.3 * std::abs(beside), 1.4 * std::abs(beside));
      const Pixel d = direction(s.a, s.b);
      draw_wall(offset(s.a, d, 0, beside), offset(s.b, d, 0, beside), beside > 0 ? 1 : -1, "ground track");
    }
  }

  // The side that looks down, or to the right of an upright line.
  static double below(Pixel d) { return across(d).y > 0.05 || (std::abs(across(d).y) <= 0.05 && across(d).x > 0) ? 1 : -1; }

  // The ground beside a slider: on both sides of a body that is the block itself.
  void draw_guide(const Element& e) {
    const Scene::Block& block = *e.block;
    const Pixel place = at(e.j, block.at);
    const double scale = sheet_.scale();
    if (!block.own) {
      const Span s = span_of(e, place, 7.5 * pin(), 7.5 * pin());
      const Pixel d = direction(s.a, s.b);
      draw_wall(offset(s.a, d, 0, -block.side * symbols_->block()), offset(s.b, d, 0, -block.side * symbols_->block()), -block.side, "ground guide");
      return;
    }
    const double same = dot(direction(at(e.i, e.line_i->from), at(e.i, e.line_i->to)), direction(at(e.j, e.line_j->from), at(e.j, e.line_j->to))) < 0 ? -1 : 1;
    const Span s = span_of(e, place, 0, 0);
    const Pixel d = direction(s.a, length(s.b - s.a) > 1e-6 ? s.b : offset(s.a, direction(at(e.i, e.line_i->from), at(e.i, e.line_i->to)), 1, 0));
    const double low = (same > 0 ? block.along[0] : -block.along[1]) * scale - 2 * pin(), high = (same > 0 ? block.along[1] : -block.along[0]) * scale + 2 * pin();
    const int farther = same * block.side > 0 ? 1 : 0;  // of the two ends beside, on the side of the guide
    for (const int k : {0, 1}) {
      if (!block.both && k != farther) continue;
      // beside is measured to the left of the block's line; on paper left is −across
      const double beside = -same * block.beside[z(k)] * scale, gap = (beside > 0 ? 1 : -1) * 1.5;
      draw_wall(offset(s.a, d, low, beside + gap), offset(s.b, d, high, beside + gap), beside > 0 ? 1 : -1, "ground guide");
    }
  }

  // Where a coordinate of a body's origin is held.
  void draw_rail(const Element& e) {
    const Part part(*out_, e);
    const Vec3<double> origin = snapshot_.poses[z(e.j)].origin;
    const bool upright = e.what == "x";
    const auto place = [&](double free) { return sheet_.at(upright ? Vec3<double>{origin.x, free, 0} : Vec3<double>{free, origin.y, 0}); };
    const Pixel d = upright ? Pixel{0, -1} : Pixel{1, 0};
    const double more = 5 * pin(), beside = e.block && e.block->own ? 1.5 - e.block->beside[0] * sheet_.scale() : symbols_->block();
    draw_wall(offset(place((*e.span)[0]), d, -more, upright ? -beside : beside), offset(place((*e.span)[1]), d, more, upright ? -beside : beside), upright ? -1 : 1,
              "ground rail");
  }

  // A wall that a point comes against; the ground is behind it.
  void draw_stop(const Scene::Wall& wall) {
    if (!wall.span) return;
    const auto place = [&](double other) { return sheet_.at(wall.upright ? Vec3<double>{wall.at, other, 0} : Vec3<double>{other, wall.at, 0}); };
    const Pixel d = wall.upright ? Pixel{0, -1} : Pixel{1, 0};
    draw_wall(offset(place((*wall.span)[0]), d, -5 * pin(), 0), offset(place((*wall.span)[1]), d, 5 * pin(), 0), wall.upright ? -wall.side : wall.side, "ground stop");
  }

  // A toothed bar along a line, on the side of its wheel.
  void draw_rack(const Element& e) {
    const Scene::Rack& rack = *e.rack;
    const double reach = std::abs(*e.radius), sign = *e.radius > 0 ? 1 : -1;
    const Vec3<double> d = along(*e.line_i), left{-d.y * sign, d.x * sign, 0};
    const auto place = [&](double s, double height) { return at(e.i, e.line_i->from + d * s + left * (reach - height)); };
    const std::array<double, 2> span = e.span.value_or(std::array{0.0, 0.0});
    const int first = static_cast<int>(std::ceil((span[0] - 0.75 * reach - rack.phase) / rack.pitch)),
              last = std::min(first + 2000, static_cast<int>(std::floor((span[1] + 0.75 * reach - rack.phase) / rack.pitch)));
    const double back = -0.9 * rack.pitch;
    std::vector<Pixel> line{place(rack.phase + (first - 0.5) * rack.pitch, back)};
    line.push_back(place(rack.phase + (first - 0.5) * rack.pitch, rack.tooth.front()[0]));
    for (int k = first; k <= last; ++k) {
      for (const auto& [height, half] : rack.tooth) line.push_back(place(rack.phase + k * rack.pitch - half, height));
      for (auto it = rack.tooth.rbegin(); it != rack.tooth.rend(); ++it) line.push_back(place(rack.phase + k * rack.pitch + (*it)[1], (*it)[0]));
    }
    line.push_back(place(rack.phase + (last + 0.5) * rack.pitch, rack.tooth.front()[0]));
    line.push_back(place(rack.phase + (last + 0.5) * rack.pitch, back));
    const std::string colour(e.i == 0 ? "currentColor" : body_colour(e.i));
    out_->element("path", {{"class", "plate rack"}, {"fill", colour}, {"stroke", colour}, {"d", svg::path(line, true)}});
    if (e.i == 0) symbols_->hatching(line.front(), line.back(), cross(direction(line.front(), line.back()), line[1] - line.front()) < 0 ? 1 : -1);
  }

  [[nodiscard]] bool rolls(const Element& slot) const {
    return std::ranges::any_of(scene_.elements, [&](const Element& e) {
      return e.symbol == Symbol::wheel && e.j == slot.j && e.pj && slot.pj && length(*e.pj - *slot.pj) < 1e-6 * scene_.size;
    });
  }

  void draw_slot(const Element& e) {
    if (e.symbol != Symbol::slot || !e.line_i || !e.pj || rolls(e)) return;
    const Part part(*out_, e);
    const Span s = span_of(e, at(e.j, *e.pj), 0.4 * pin(), 3.3 * pin());
    symbols_->slot(s.a, s.b);
  }

  // The outline of a cam, or the middle of a slot, and what rolls on it.
  void draw_curve(const Element& e) {
    if (e.curve.empty()) return;
    const Part part(*out_, e);
    std::vector<Pixel> line;
    for (const Vec3<double>& p : e.curve) line.push_back(at(e.i, p));
    const std::string colour(body_colour(e.i)), data = svg::path(svg::simplified(line, 0.1, 0), e.round);
    if (e.round)
      out_->element("path", {{"class", "plate curve"}, {"fill", colour}, {"stroke", colour}, {"d", data}});
    else
      out_->element("path", {{"class", "usual curve"}, {"stroke", colour}, {"d", data}});
  }

  void draw_roller(const Element& e) {
    if (e.roller <= 0 || !e.pj) return;
    const Part part(*out_, e);
    out_->element("circle", {{"class", "plate roller"},
                             {"fill", std::string(body_colour(e.j))},
                             {"stroke", std::string(body_colour(e.j))},
                             {"cx", svg::number(at(e.j, *e.pj).x)},
                             {"cy", svg::number(at(e.j, *e.pj).y)},
                             {"r", svg::number(e.roller * sheet_.scale())}});
    symbols_->joint_pin(at(e.j, *e.pj));
  }

  void draw_block(const Element& e) {
    if (e.symbol != Symbol::slider || !e.line_i || !e.block) return;
    const Part part(*out_, e);
    const Pixel place = at(e.j, e.block->at), d = direction(at(e.i, e.line_i->from), at(e.i, e.line_i->to));
    const double side = -e.block->side;
    if (!e.block->own) symbols_->slider(offset(place, d, -2.6 * pin(), 0), offset(place, d, 2.6 * pin(), 0), body_colour(e.j));
    if (e.j == 0) draw_wall(offset(place, d, -5.2 * pin(), side * symbols_->block()), offset(place, d, 5.2 * pin(), side * symbols_->block()), side, "ground guide");
    if (e.friction && !e.block->own) symbols_->rubbing(offset(place, d, 0, side * symbols_->block()), d, side);
  }

  // ---- what connects ------------------------------------------------------------------------------------------------------

  void draw_belt(const Element& e) {
    if (e.symbol != Symbol::gears || !e.pi || !e.pj) return;
    const Part part(*out_, e);
    if (e.wheels[0] < 0) return out_->line(at(e.i, *e.pi), at(e.j, *e.pj), "pitch gear");
    if (e.mesh != "belt" && e.mesh != "crossed-belt") return;
    symbols_->belt(at(e.i, *e.pi), scene_.wheels[z(e.wheels[0])].radius * sheet_.scale(), at(e.j, *e.pj), scene_.wheels[z(e.wheels[1])].radius * sheet_.scale(),
                   e.mesh == "crossed-belt");
  }

  void draw_between(const Element& e) {
    if (!drawn_as(e, {Symbol::parallel, Symbol::spring, Symbol::rod, Symbol::cylinder, Symbol::bushing})) return;
    const Part part(*out_, e);
    if (e.symbol == Symbol::parallel && e.line_i && e.line_j)
      for (const auto& [body, line] : {std::pair{e.i, *e.line_i}, std::pair{e.j, *e.line_j}}) {
        const Pixel p = at(body, line.from), q = at(body, line.to);
        if (body == 0) out_->line(p, q, "pitch");
        symbols_->parallel_mark({(p.x + q.x) / 2, (p.y + q.y) / 2}, direction(p, q));
      }
    if (!e.pi || !e.pj) return;
    const Pixel a = at(e.i, *e.pi), b = at(e.j, *e.pj);
    const Strut strut{e.stiffness.value_or(0) > 0, e.damping.has_value(), e.friction, e.actuated, e.span ? (*e.span)[0] * sheet_.scale() : 0.75 * length(b - a),
                      e.span ? (*e.span)[1] * sheet_.scale() : length(b - a)};
    if (e.symbol == Symbol::spring) symbols_->strut(a, b, strut);
    if (e.symbol == Symbol::rod) symbols_->rod(a, b);
    if (e.symbol == Symbol::cylinder) symbols_->cylinder(a, b, strut);
    if (drawn_as(e, {Symbol::spring, Symbol::rod, Symbol::cylinder})) labels_->avoid_line(a, b);
    if (e.symbol == Symbol::bushing) symbols_->bushing(a);
  }

  void draw_pins() {
    struct Pin {
      Pixel at;
      bool welded = false;
      std::optional<Pixel> down;  // when it is held by the ground
    };
    std::vector<Pin> pins;
    const auto add = [&](const Element& e, Pixel p, bool grounded, bool welded) {
      auto it = std::ranges::find_if(pins, [&](const Pin& o) { return length(o.at - p) < 0.3; });
      if (it == pins.end()) it = pins.insert(pins.end(), Pin{p, welded, {}});
      it->welded = it->welded && welded;
      if (grounded && !it->down) it->down = Pixel{0, e.hangs ? -1.0 : 1.0};
    };
    for (const Element& e : scene_.elements) {
      if (e.symbol == Symbol::pin || e.symbol == Symbol::weld) add(e, at(e.j, *e.pj), e.i == 0 || e.j == 0, e.symbol == Symbol::weld);
      if (e.symbol == Symbol::slot && !rolls(e)) add(e, at(e.j, *e.pj), false, false);
      if (e.symbol == Symbol::wheel && e.pj) add(e, at(e.j, *e.pj), false, false);
      if (drawn_as(e, {Symbol::rod, Symbol::cylinder, Symbol::spring})) {
        add(e, at(e.i, *e.pi), e.i == 0, false);
        add(e, at(e.j, *e.pj), e.j == 0, false);
      }
    }
    for (const Pin& p : pins)
      if (p.down && !p.welded) {
        symbols_->foot(p.at, *p.down);
        labels_->avoid(offset(p.at, *p.down, 3 * pin(), 0), 3 * pin());
      }
    for (const Pin& p : pins) {
      labels_->avoid(p.at, pin() + 1);
      if (!p.welded)
        symbols_->joint_pin(p.at);
      else {
        symbols_->weld(p.at, {1, 0});
        if (p.down) symbols_->hatching({p.at.x - 2.5 * pin(), p.at.y + 1.1 * pin()}, {p.at.x + 2.5 * pin(), p.at.y + 1.1 * pin()}, 1);
      }
    }
    for (const Element& e : scene_.elements)
      if (e.symbol == Symbol::pin && e.friction) symbols_->brake(at(e.j, *e.pj), -angle(e.i), 1.5 * pin());
  }

  // ---- what moves it ------------------------------------------------------------------------------------------------------

  void draw_drive(const Element& e) {
    if (!drawn_as(e, {Symbol::spiral, Symbol::motor, Symbol::turn, Symbol::push})) return;
    const Part part(*out_, e);
    const double r = 4.3 * pin();
    if (e.symbol == Symbol::spiral && e.pj)
      symbols_->rotary(at(e.j, *e.pj), -angle(e.i), angle(e.j) - angle(e.i), {e.stiffness.value_or(0) > 0, e.damping.has_value(), e.friction, e.actuated}, e.around * pin());
    if (e.symbol == Symbol::motor && e.pj) symbols_->motor(at(e.j, *e.pj), r);
    if (e.symbol == Symbol::turn && e.pj) symbols_->turning_arrow(at(e.j, *e.pj), r);
    if (drawn_as(e, {Symbol::spiral, Symbol::motor, Symbol::turn}) && e.pj) labels_->avoid(at(e.j, *e.pj), r);
    if (e.symbol != Symbol::push) return;
    if (e.what == "phi") symbols_->turning_arrow(at(e.j, {}), r);
    Pixel d{0, 0};
    Pixel from = e.pj && e.j >= 0 ? at(e.j, *e.pj) : e.j >= 0 ? at(e.j, {}) : Pixel{};
    if (e.what == "x") d = {1, 0};
    if (e.what == "y") d = {0, -1};
    if (e.line_i) d = direction(at(e.i, e.line_i->from), at(e.i, e.line_i->to));
    if (length(d) == 0) return;
    from = offset(from, d, 0, (across(d).y > 0 ? -1 : 1) * (symbols_->block() + 5));
    symbols_->arrow(offset(from, d, -8, 0), offset(from, d, 22, 0), "drive push");
    labels_->avoid_line(offset(from, d, -8, 0), offset(from, d, 22, 0));
  }

  void draw_marks(const Element& e) {
    if (e.symbol != Symbol::mark || !e.pj || !e.curve.empty()) return;
    const Part part(*out_, e);
    std::vector<Pixel> marked{at(e.j, *e.pj)};
    for (const Scene::Place& place : e.marks) {
      const Pixel p = at(place.body, place.p);
      if (std::ranges::none_of(marked, [&](Pixel o) { return length(o - p) < 0.3; })) marked.push_back(p);
    }
    for (const auto& [from, to] : e.distances) symbols_->rope(at(from.body, from.p), at(to.body, to.p));
    for (const Pixel p : marked) symbols_->plain_mark(p);
  }

  void draw_masses() {
    std::vector<Pixel> pins;
    for (const Element& e : scene_.elements)
      if (e.pj && e.j >= 0 && drawn_as(e, {Symbol::pin, Symbol::slot, Symbol::spring, Symbol::wheel, Symbol::mark}))
        pins.push_back(at(e.j, *e.pj));
    for (int b = 1; b < bodies(); ++b) mark_mass(b, -angle(b), pins, 1.9);
  }

  // ---- names --------------------------------------------------------------------------------------------------------------

  void name_all() override {
    for (int b = 1; b < bodies(); ++b) avoid_body(b);
    for (const Element& e : scene_.elements) {
      if (e.pj && e.j >= 0 && drawn_as(e, {Symbol::pin, Symbol::weld, Symbol::slot, Symbol::wheel, Symbol::mark, Symbol::bushing}))
        labels_->add(e.name, at(e.j, *e.pj), pin() + 4, "joint");
      if (e.symbol == Symbol::slider && e.block) labels_->add(e.name, at(e.j, e.block->at), symbols_->block() + 5, "joint");
      const bool between = e.pi && e.pj && drawn_as(e, {Symbol::spring, Symbol::rod, Symbol::cylinder});
      if (between) {
        const Pixel a = at(e.i, *e.pi), b = at(e.j, *e.pj);
        labels_->add(e.name, {(a.x + b.x) / 2, (a.y + b.y) / 2}, 2 * pin() + 3, "joint");
      } else if ((e.group == Group::driver || drawn_as(e, {Symbol::spiral, Symbol::motor})) && e.j >= 0 && e.symbol != Symbol::mark) {
        labels_->add(e.name, at(e.j, e.pj.value_or(Vec3<double>{})), 5 * pin(), "driver", "#2a9d5c");
      }
    }
    for (int b = 1; b < bodies(); ++b) {
      const std::vector<Pixel> points = pixels(b, scene_.bodies[z(b)].outline);
      Pixel middle{0, 0};
      for (const Pixel p : points) middle = middle + p;
      if (!points.empty())
        middle = scaled(middle, 1 / static_cast<double>(points.size()));
      else if (scene_.bodies[z(b)].shape)
        middle = at(b, scene_.bodies[z(b)].shape->centre);
      else
        middle = at(b, scene_.bodies[z(b)].com.value_or(Vec3<double>{}));
      if (const Scene::Wheel* wheel = largest_wheel(b))
        middle = offset(at(b, wheel->centre), {0.5, 0.6}, 0.7 * wheel->radius * sheet_.scale(), 0);
      labels_->add(scene_.bodies[z(b)].name, middle, symbols_->bar() + 3, "body", body_colour(b));
    }
  }

  // Names keep off the edges of links.
  void avoid_body(int b) {
    const std::vector<Pixel> points = pixels(b, scene_.bodies[z(b)].outline);
    for (std::size_t k = 0; k + 1 < points.size(); ++k) labels_->avoid_line(points[k], points[k + 1]);
    if (points.size() > 2) labels_->avoid_line(points.back(), points.front());
  }
};

}  // namespace

std::unique_ptr<Drawing> plane_drawing(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options) {
  return std::make_unique<Plane>(scene, snapshot, options);
}

}  // namespace jounce::draw
