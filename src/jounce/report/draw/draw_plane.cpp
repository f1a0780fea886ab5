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

struct Wheel {
  int body = 0;
  Vec3<double> centre;  // in the body
  double radius = 0;
  bool gear = false, ring = false;
};

struct Mesh {
  double ri = 0, rj = 0;
  std::string_view kind;
};

// Pitch radii that meet between the centres. A model may write tooth numbers for radii, or no more than a ratio; wheels that
// turn opposite ways then mesh outside.
std::optional<Mesh> mesh_of(const Element& e, double apart) {
  if (!e.pi || !e.pj || !(apart > 0)) return std::nullopt;
  if (!e.radii) {
    if (!e.ratio || !(*e.ratio < 0)) return std::nullopt;
    const double k = -*e.ratio;
    return Mesh{apart * k / (1 + k), apart / (1 + k), "external"};
  }
  const auto [ri, rj] = *e.radii;
  if (e.mesh == "external") return Mesh{ri * apart / (ri + rj), rj * apart / (ri + rj), e.mesh};
  if (e.mesh == "internal") {
    const double between = std::abs(ri - rj);
    return between > 0 ? std::optional(Mesh{ri * apart / between, rj * apart / between, e.mesh}) : std::nullopt;
  }
  const double fits = ri + rj < apart ? 1 : 0.8 * apart / (ri + rj);
  return Mesh{ri * fits, rj * fits, e.mesh};
}

std::optional<Mesh> mesh_of(const Element& e, const Snapshot& snapshot) {
  if (e.symbol != Symbol::gears || !e.pi || !e.pj) return std::nullopt;
  return mesh_of(e, length(snapshot.poses[z(e.i)] * *e.pi - snapshot.poses[z(e.j)] * *e.pj));
}

std::vector<Wheel> wheels_of(const Scene& scene, const Snapshot& snapshot) {
  std::vector<Wheel> out;
  const auto add = [&](Wheel wheel) {
    const auto same = [&](const Wheel& w) {
      return w.body == wheel.body && length(w.centre - wheel.centre) < 1e-6 * scene.size &&
             std::abs(w.radius - wheel.radius) < 1e-6 * scene.size;
    };
    if (const auto it = std::ranges::find_if(out, same); it == out.end())
      out.push_back(wheel);
    else
      it->gear = it->gear || wheel.gear;
  };
  for (const Element& e : scene.elements) {
    if (const auto mesh = mesh_of(e, snapshot)) {
      const bool internal = mesh->kind == "internal", toothed = internal || mesh->kind == "external";
      add({e.i, *e.pi, mesh->ri, toothed, internal && mesh->ri > mesh->rj});
      add({e.j, *e.pj, mesh->rj, toothed, internal && mesh->rj > mesh->ri});
    }
    if (e.symbol == Symbol::wheel && e.radius && e.pj) add({e.j, *e.pj, std::abs(*e.radius)});
  }
  for (int b = 1; b < static_cast<int>(scene.bodies.size()); ++b)
    if (const auto& shape = scene.bodies[z(b)].shape; shape && shape->kind == BodyShape::Kind::disc)
      add({b, shape->centre, shape->radius});
  return out;
}

class Plane final : public Drawing {
 public:
  Plane(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options)
      : Drawing(scene, snapshot, options, Sheet({1, 0, 0}, {0, 1, 0}), kMargin), wheels_(wheels_of(scene, snapshot)) {}

 private:
  void draw_mechanism() override {
    draw_tracks();
    draw_wheels();
    // a slot is cut into its body; what the pin belongs to lies above
    for (int b = 1; b < bodies(); ++b)
      if (has_slot(b)) draw_body(b);
    for (const Element& e : scene_.elements) draw_slot(e);
    for (const Element& e : scene_.elements) draw_curve(e);
    for (int b = 1; b < bodies(); ++b)
      if (!has_slot(b)) draw_body(b);
    for (const Element& e : scene_.elements) draw_slide(e);
    for (const Element& e : scene_.elements) draw_between(e);
    draw_pins();
    for (const Element& e : scene_.elements) draw_drive(e);
    for (const Element& e : scene_.elements)
      if (e.symbol == Symbol::mark && e.pj) symbols_->plain_mark(at(e.j, *e.pj));
    draw_masses();
  }

  [[nodiscard]] double angle(int body) const {
    const Vec3<double>& x = snapshot_.poses[z(body)].axes.x;
    return std::atan2(x.y, x.x);
  }

  // ---- where everything is ------------------------------------------------------------------------------------------------

  void include_all() override {
    for (int b = 1; b < bodies(); ++b) {
      const Scene::Body& body = scene_.bodies[z(b)];
      for (const Scene::Point& point : body.points) sheet_.include(world(b, point.p));
      if (body.points.empty() || (body.com && body.mass.value_or(0) > 0))
        sheet_.include(world(b, body.com.value_or(Vec3<double>{})));
      if (body.shape)
        for (const Vec3<double>& corner : corners(*body.shape)) sheet_.include(world(b, corner));
    }
    for (const Element& e : scene_.elements) {
      if (e.pi && e.i >= 0) sheet_.include(world(e.i, *e.pi));
      if (e.pj && e.j >= 0) sheet_.include(world(e.j, *e.pj));
      if (e.line_j) sheet_.include(world(e.j, e.line_j->from));
      for (const Vec3<double>& p : e.curve) sheet_.include(world(e.i, p));
      if (e.roller > 0) sheet_.include(world(e.j, *e.pj), e.roller);
    }
    for (const Wheel& wheel : wheels_) sheet_.include(world(wheel.body, wheel.centre), wheel.radius);
  }

  // Of a bar or a rectangle.
  static std::vector<Vec3<double>> corners(const BodyShape& shape) {
    if (shape.kind == BodyShape::Kind::bar) return {shape.from, shape.to};
    if (shape.kind != BodyShape::Kind::rectangle) return {};
    std::vector<Vec3<double>> out;
    const auto [s, c] = sincos(shape.rpy.z);
    for (const auto& [x, y] : {std::pair{-0.5, -0.5}, std::pair{0.5, -0.5}, std::pair{0.5, 0.5}, std::pair{-0.5, 0.5}}) {
      const double along = x * shape.size.x, beside = y * shape.size.y;
      out.push_back(shape.centre + Vec3<double>{c * along - s * beside, s * along + c * beside, 0});
    }
    return out;
  }

  [[nodiscard]] std::vector<double> link_lengths() const override {
    std::vector<double> out;
    for (int b = 1; b < bodies(); ++b) {
      const std::vector<Pixel> points = attachments(b);
      for (std::size_t k = 1; k < points.size(); ++k) out.push_back(length(points[k] - points[k - 1]));
    }
    return out;
  }

  // Where other things are fixed to a body, and the points it names; each once.
  [[nodiscard]] std::vector<Pixel> attachments(int body) const {
    std::vector<Pixel> out;
    const auto take = [&](Vec3<double> p) {
      const Pixel q = at(body, p);
      if (std::ranges::none_of(out, [&](Pixel o) { return length(o - q) < 0.05; })) out.push_back(q);
    };
    for (const Scene::Point& point : scene_.bodies[z(body)].points) take(point.p);
    for (const Element& e : scene_.elements) {
      if (drawn_as(e, {Symbol::gears, Symbol::turn, Symbol::spiral})) continue;  // they have no place but the pivot
      if (e.i == body && e.pi) take(*e.pi);
      if (e.j == body && e.pj) take(*e.pj);
    }
    return out;
  }

  [[nodiscard]] const Wheel* largest_wheel(int body) const {
    const Wheel* out = nullptr;
    for (const Wheel& wheel : wheels_)
      if (wheel.body == body && (out == nullptr || wheel.radius > out->radius)) out = &wheel;
    return out;
  }

  // ---- bodies
  // -----------------------------------------------------------------------------------------------------------------

  void draw_wheels() {
    for (const Wheel& wheel : wheels_) {
      const Pixel centre = at(wheel.body, wheel.centre);
      const double r = wheel.radius * sheet_.scale();
      if (wheel.gear) {
        symbols_->gear(centre, r, angle(wheel.body), wheel.ring, body_colour(wheel.body));
        continue;
      }
      symbols_->disc(centre, r, body_colour(wheel.body));
      const SinCos<double> turn = sincos(angle(wheel.body));
      const Pixel d{turn.cos, -turn.sin};
      out_->line(offset(centre, d, std::min(r, 1.6 * symbols_->pin()), 0), offset(centre, d, r, 0), "thin");
    }
  }

  void draw_body(int b) {
    const Scene::Body& body = scene_.bodies[z(b)];
    const std::string_view colour = body_colour(b);
    std::vector<Pixel> points = attachments(b);
    if (const Wheel* wheel = largest_wheel(b)) {
      // what lies on the wheel is marked; what lies beyond hangs on an arm from its centre
      const Pixel centre = at(b, wheel->centre);
      const double r = wheel->radius * sheet_.scale();
      for (const Pixel p : points) {
        if (length(p - centre) > 1.02 * r + 1)
          symbols_->plate(std::array{centre, p}, symbols_->bar(), colour);
        else if (length(p - centre) > 2.5 * symbols_->pin())
          out_->circle(p, 0.45 * symbols_->pin(), "solid");
      }
      return;
    }
    if (body.shape)
      for (const Vec3<double>& corner : corners(*body.shape)) points.push_back(at(b, corner));
    const bool slides =
        std::ranges::any_of(scene_.elements, [&](const Element& e) { return e.symbol == Symbol::slider && e.j == b; });
    const bool rectangle = body.shape && body.shape->kind == BodyShape::Kind::rectangle;
    // a body reaches as far as its mass
    const bool heavy = body.com && body.mass.value_or(0) > 0;
    if ((heavy && !body.shape) || (points.size() < 2 && body.com && !slides)) points.push_back(at(b, *body.com));
    if (slides && hull(points).size() < 2) return;
    symbols_->plate(points, rectangle ? 1.5 : symbols_->bar(), colour);
  }

  // ---- slides, tracks -------------------------------------------------------------------------------------------------------

  struct Span {
    Pixel a, b;
  };

  // The part of a line that is worth drawing: from P to Q as far as it is on the sheet, and some more around the pin on it.
  [[nodiscard]] Span span_of(int body, const Scene::Line& line, Pixel pin, double around) const {
    const Pixel p = at(body, line.from), q = at(body, line.to), d = direction(p, q);
    const double here = dot(pin - p, d);
    auto [from, until] = sheet_.visible(p, offset(p, d, 1, 0));
    from = std::min(std::max(from, std::min({0.0, length(q - p), here - around})), here - around);
    until = std::max(std::min(until, std::max({0.0, length(q - p), here + around})), here + around);
    return {offset(p, d, from, 0), offset(p, d, until, 0)};
  }

  // The ground beside a slide: the side that looks down, or to the right of an upright one.
  void draw_guide(Span s, double beside) {
    Pixel d = direction(s.a, s.b);
    double side = across(d).y > 0.05 || (std::abs(across(d).y) <= 0.05 && across(d).x > 0) ? 1 : -1;
    const Pixel a = offset(s.a, d, 0, side * beside), b = offset(s.b, d, 0, side * beside);
    out_->line(a, b, "ground guide");
    symbols_->hatching(a, b, side);
  }

  void draw_tracks() {
    for (const Element& e : scene_.elements) {
      if (e.symbol != Symbol::wheel || !e.line_i || !e.pj || !e.radius) continue;
      const Pixel centre = at(e.j, *e.pj), p = at(e.i, e.line_i->from), q = at(e.i, e.line_i->to), d = direction(p, q);
      // seen along the line, the track is to the left of the centre by the signed radius; on paper left is −across
      const double beside = -*e.radius * sheet_.scale();
      const Pixel contact = offset(centre, d, 0, beside);
      const Span s = span_of(e.i, *e.line_i, centre, 1.4 * std::abs(beside));
      const auto [first, last] = sheet_.visible(contact, offset(contact, d, 1, 0));
      const double from = std::max(first, dot(s.a - contact, d)), until = std::min(last, dot(s.b - contact, d));
      const Pixel a = offset(contact, d, from, 0), b = offset(contact, d, until, 0);
      if (e.i == 0) {
        out_->line(a, b, "ground track");
        symbols_->hatching(a, b, beside > 0 ? 1 : -1);
        continue;
      }
      // a rack: a toothed bar of the body that carries it
      const double deep = 2 * symbols_->bar() * (beside > 0 ? 1 : -1);
      symbols_->plate(std::array{a, b, offset(a, d, 0, deep), offset(b, d, 0, deep)}, 1, body_colour(e.i));
      std::string ticks;
      for (double along = 4; along < until - from; along += 8)
        ticks += svg::path(std::array{offset(a, d, along, -deep / 8), offset(a, d, along, deep / 4)});
      out_->path(ticks, "teeth rack");
    }
  }

  [[nodiscard]] bool rolls(const Element& slot) const {
    return std::ranges::any_of(scene_.elements, [&](const Element& e) {
      return e.symbol == Symbol::wheel && e.j == slot.j && e.pj && slot.pj && length(*e.pj - *slot.pj) < 1e-6 * scene_.size;
    });
  }

  [[nodiscard]] bool has_slot(int body) const {
    return std::ranges::any_of(scene_.elements, [&](const Element& e) { return e.symbol == Symbol::slot && e.i == body; });
  }

  void draw_slot(const Element& e) {
    if (e.symbol != Symbol::slot || !e.line_i || !e.pj || rolls(e)) return;
    const Span s = span_of(e.i, *e.line_i, at(e.j, *e.pj), 3.3 * symbols_->pin());
    symbols_->slot(s.a, s.b);
    if (e.i == 0) draw_guide(s, 1.15 * symbols_->pin());
  }

  // The outline of a cam, or the middle of a slot, and what rolls on it.
  void draw_curve(const Element& e) {
    if (e.curve.empty()) return;
    std::vector<Pixel> line;
    for (const Vec3<double>& p : e.curve) line.push_back(at(e.i, p));
    out_->path(svg::path(svg::simplified(line, 0.1, 0), e.round), e.round ? "usual paper" : "usual");
    if (e.roller <= 0 || !e.pj) return;
    const Pixel centre = at(e.j, *e.pj), rim = at(e.j, *e.pj + Vec3<double>{e.roller, 0, 0});
    out_->circle(centre, length(rim - centre), "usual paper");
  }

  void draw_slide(const Element& e) {
    const double around = 5.5 * symbols_->pin();
    if (e.symbol != Symbol::slider || !e.line_i || !e.line_j) return;
    const Pixel a = at(e.j, e.line_j->from), b = at(e.j, e.line_j->to);
    const bool long_one = length(b - a) > 0.5 * sheet_.width();
    const Span s = span_of(e.i, *e.line_i, a, around);
    if (e.i == 0)
      draw_guide(s, symbols_->block());
    else
      symbols_->rod(s.a, s.b);
    const Pixel end = long_one ? a : b;
    symbols_->slider(a, end, body_colour(e.j));
    if (e.j == 0)
      draw_guide(
          {offset(a, direction(a, b), -2.6 * symbols_->pin(), 0), offset(end, direction(a, b), 2.6 * symbols_->pin(), 0)},
          symbols_->block());
  }

  // ---- what connects
  // ----------------------------------------------------------------------------------------------------------

  void draw_between(const Element& e) {
    if (const auto mesh = mesh_of(e, snapshot_)) {
      if (mesh->kind == "belt" || mesh->kind == "crossed-belt")
        symbols_->belt(at(e.i, *e.pi), mesh->ri * sheet_.scale(), at(e.j, *e.pj), mesh->rj * sheet_.scale(),
                       mesh->kind == "crossed-belt");
    } else if (e.symbol == Symbol::gears && e.pi && e.pj) {
      out_->line(at(e.i, *e.pi), at(e.j, *e.pj), "pitch gear");
    }
    if (e.symbol == Symbol::parallel && e.line_i && e.line_j)
      for (const auto& [body, line] : {std::pair{e.i, *e.line_i}, std::pair{e.j, *e.line_j}}) {
        const Pixel p = at(body, line.from), q = at(body, line.to);
        symbols_->parallel_mark({(p.x + q.x) / 2, (p.y + q.y) / 2}, direction(p, q));
      }
    if (!e.pi || !e.pj) return;
    const Pixel a = at(e.i, *e.pi), b = at(e.j, *e.pj);
    if (e.symbol == Symbol::spring) symbols_->strut(a, b, e.stiffness.value_or(0) > 0, e.damping.has_value());
    if (e.symbol == Symbol::rod) symbols_->rod(a, b);
    if (e.symbol == Symbol::cylinder) symbols_->cylinder(a, b);
  }

  // Away from what is fixed to the pin, if that hangs below it.
  [[nodiscard]] Pixel into_ground(int body, Pixel pin) const {
    Pixel mean{0, 0};
    for (const Pixel p : attachments(body)) mean = mean + direction(pin, p);
    const bool hangs = mean.y > 1.2 * std::abs(mean.x) && mean.y > 0.5;
    return {0, hangs && largest_wheel(body) == nullptr ? -1.0 : 1.0};
  }

  void draw_pins() {
    struct Pin {
      Pixel at;
      bool welded = false;
      std::optional<Pixel> down;  // when it is held by the ground
    };
    std::vector<Pin> pins;
    const auto add = [&](Pixel p, int ground_to, bool welded) {
      auto it = std::ranges::find_if(pins, [&](const Pin& o) { return length(o.at - p) < 0.3; });
      if (it == pins.end()) it = pins.insert(pins.end(), Pin{p, welded, {}});
      it->welded = it->welded && welded;
      if (ground_to > 0 && !it->down) it->down = into_ground(ground_to, p);
    };
    for (const Element& e : scene_.elements) {
      if (e.symbol == Symbol::pin) add(at(e.j, *e.pj), e.i == 0 ? e.j : e.j == 0 ? e.i : -1, false);
      if (e.symbol == Symbol::weld) add(at(e.j, *e.pj), e.i == 0 ? e.j : e.j == 0 ? e.i : -1, true);
      if (e.symbol == Symbol::slot && !rolls(e)) add(at(e.j, *e.pj), -1, false);
      if (e.symbol == Symbol::wheel && e.pj) add(at(e.j, *e.pj), -1, false);
      if (drawn_as(e, {Symbol::rod, Symbol::cylinder, Symbol::spring})) {
        add(at(e.i, *e.pi), e.i == 0 ? e.j : -1, false);
        add(at(e.j, *e.pj), e.j == 0 ? e.i : -1, false);
      }
    }
    for (const Pin& pin : pins)
      if (pin.down && !pin.welded) {
        symbols_->foot(pin.at, *pin.down);
        labels_->avoid(offset(pin.at, *pin.down, 2.4 * symbols_->pin(), 0), 2.6 * symbols_->pin());
      }
    for (const Pin& pin : pins) {
      labels_->avoid(pin.at, symbols_->pin() + 1);
      if (!pin.welded)
        symbols_->joint_pin(pin.at);
      else {
        symbols_->weld(pin.at, {1, 0});
        if (pin.down)
          symbols_->hatching({pin.at.x - 2.5 * symbols_->pin(), pin.at.y + 1.1 * symbols_->pin()},
                             {pin.at.x + 2.5 * symbols_->pin(), pin.at.y + 1.1 * symbols_->pin()}, 1);
      }
    }
  }

  // ---- what moves it
  // ------------------------------------------------------------------------------------------------------------

  void draw_drive(const Element& e) {
    const double r = 3.4 * symbols_->pin();
    if (e.symbol == Symbol::spiral && e.pj) symbols_->spiral(at(e.j, *e.pj));
    if (e.symbol == Symbol::turn && e.pj) symbols_->turning_arrow(at(e.j, *e.pj), r);
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
  }

  void draw_masses() {
    std::vector<Pixel> pins;
    for (const Element& e : scene_.elements)
      if (e.pj && e.j >= 0 && drawn_as(e, {Symbol::pin, Symbol::slot, Symbol::spring, Symbol::wheel, Symbol::mark}))
        pins.push_back(at(e.j, *e.pj));
    for (int b = 1; b < bodies(); ++b) mark_mass(b, -angle(b), pins, 1.9);
  }

  // ---- names
  // --------------------------------------------------------------------------------------------------------------------

  void name_all() override {
    for (const Element& e : scene_.elements) {
      if (e.pj && e.j >= 0 && drawn_as(e, {Symbol::pin, Symbol::weld, Symbol::slot, Symbol::wheel, Symbol::mark}))
        labels_->add(e.name, at(e.j, *e.pj), symbols_->pin() + 4, "joint");
      if (e.symbol == Symbol::slider && e.line_j) labels_->add(e.name, at(e.j, e.line_j->from), symbols_->block() + 5, "joint");
      const bool between = e.pi && e.pj && drawn_as(e, {Symbol::spring, Symbol::rod, Symbol::cylinder});
      if (between) {
        const Pixel a = at(e.i, *e.pi), b = at(e.j, *e.pj);
        labels_->add(e.name, {(a.x + b.x) / 2, (a.y + b.y) / 2}, 2 * symbols_->pin() + 3, "joint");
      } else if (e.group == Group::driver && e.j >= 0 && e.symbol != Symbol::mark) {
        labels_->add(e.name, at(e.j, e.pj.value_or(Vec3<double>{})), 4.2 * symbols_->pin(), "driver", "#2a9d5c");
      }
    }
    for (int b = 1; b < bodies(); ++b) {
      const std::vector<Pixel> points = attachments(b);
      Pixel middle{0, 0};
      for (const Pixel p : points) middle = middle + p;
      if (!points.empty())
        middle = scaled(middle, 1 / static_cast<double>(points.size()));
      else
        middle = at(b, scene_.bodies[z(b)].com.value_or(Vec3<double>{}));
      if (const Wheel* wheel = largest_wheel(b))
        middle = offset(at(b, wheel->centre), {0.5, 0.6}, 0.7 * wheel->radius * sheet_.scale(), 0);
      labels_->add(scene_.bodies[z(b)].name, middle, symbols_->bar() + 3, "body", body_colour(b));
    }
  }

  std::vector<Wheel> wheels_;
};

}  // namespace

std::string draw_plane(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options) {
  return Plane(scene, snapshot, options).draw();
}

}  // namespace jounce::draw
