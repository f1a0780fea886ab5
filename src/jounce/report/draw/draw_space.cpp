// Drawings of mechanisms in space: seen along an axis, or from a corner of the room.
#include <array>
#include <cmath>

#include "jounce/report/draw/draw_parts.hpp"
#include "jounce/report/draw/draw_solids.hpp"
#include "jounce/report/solids/furnish.hpp"

namespace jounce::draw {
namespace {

using Element = Scene::Element;
using Symbol = DrawingSymbol;

constexpr double kMarginInSpace = 50;

// What is seen to the right and upwards. A view from a corner and views along an axis stand upright: `up` is against gravity.
Sheet sheet_of(View view, const Vec3<double>& up) {
  // the axes of a room whose z is up
  const Vec3<double> x = up.x != 0 ? Vec3<double>{0, up.x, 0} : Vec3<double>{1, 0, 0}, y = cross(up, x);
  const double half = std::sqrt(0.5), sixth = std::sqrt(1.0 / 6);
  switch (view) {
    case View::x: return up.x != 0 ? Sheet{{0, 1, 0}, {0, 0, 1}} : Sheet{cross(up, Vec3<double>{1, 0, 0}), up};
    case View::y: return up.y != 0 ? Sheet{{1, 0, 0}, {0, 0, -1}} : Sheet{cross(up, Vec3<double>{0, -1, 0}), up};
    case View::z: return up.z != 0 ? Sheet{{1, 0, 0}, {0, 1, 0}} : Sheet{cross(up, Vec3<double>{0, 0, 1}), up};
    case View::iso: break;
  }
  return {x * half + y * half, x * -sixth + y * sixth + up * (2 * sixth)};
}

class Space final : public Drawing {
 public:
  Space(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options)
      : Drawing(scene, snapshot, options, sheet_of(options.view, scene.up), kMarginInSpace) {}

 private:
  void draw_below() override { draw_axes(); }

  void draw_mechanism() override {
    SolidPainter painter(sheet_, *out_);
    for (const Solid& s : scene_.solids) painter.add(s, snapshot_.poses[z(s.body)]);
    for (const Scene::Strut& s : scene_.struts)
      for (const Solid& part : solids_between(s, world(s.i, s.pi), world(s.j, s.pj))) painter.add(part, {});
    painter.paint();
    for (const Element& e : scene_.elements)
      if (e.symbol == Symbol::mark && e.pj && !e.frame_j) symbols_->plain_mark(at(e.j, *e.pj));
    for (const Element& e : scene_.elements)
      if (e.frame_j) labels_->avoid(at(e.j, e.frame_j->origin), 2 * scene_.unit * sheet_.scale());
    if (options_.names) draw_masses();
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
    }
    for (const Scene::Point& point : scene_.bodies[z(body)].points) take(world(body, point.p));
    if (out.empty()) take(centre(body));
    return out;
  }

  void include_all() override {
    const auto include = [&](const Solid& s, const Frame<double>& pose) {
      const double wide = s.kind == Solid::Kind::block ? 0.5 * length(s.size) : std::max(s.radius, s.end_radius);
      if (s.kind == Solid::Kind::block) {
        for (const double x : {-0.5, 0.5})
          for (const double y : {-0.5, 0.5})
            for (const double w : {-0.5, 0.5})
              sheet_.include(pose * (s.points[0] + s.axes * Vec3<double>{x * s.size.x, y * s.size.y, w * s.size.z}));
        return;
      }
      for (const Vec3<double>& p : s.points) sheet_.include(pose * p, wide);
      if (s.mesh)
        for (const Vec3<double>& p : s.mesh->corners) sheet_.include(pose * p);
    };
    for (const Solid& s : scene_.solids) include(s, snapshot_.poses[z(s.body)]);
    for (const Scene::Strut& s : scene_.struts) sheet_.include(world(s.i, s.pi), s.coil), sheet_.include(world(s.j, s.pj), s.coil);
    for (const Element& e : scene_.elements)
      if (e.i == 0 && e.pi) sheet_.include(*e.pi);
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
      const std::vector<Vec3<double>> points = attachments(b);
      if (!points.empty()) middle = scaled(middle + sheet_.at(points[0]), 0.5);
      labels_->add(scene_.bodies[z(b)].name, middle, symbols_->bar() + 3, "body", body_colour(b));
    }
  }
};

}  // namespace

std::unique_ptr<Drawing> space_drawing(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options) {
  return std::make_unique<Space>(scene, snapshot, options);
}

}  // namespace jounce::draw
