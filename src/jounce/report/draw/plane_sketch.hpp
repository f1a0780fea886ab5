// The words in which an element of the plane says how it is drawn: what its `sketch` may call, one word for each symbol. A word
// takes the places that its symbol needs, in the element's own terms.
//
//   void sketch(auto& s) const { s.slot(slot, pin); }
//
// An element without `sketch` is a plain mark where its reaction is reported, or where it first takes hold of a body.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "jounce/base/index.hpp"
#include "jounce/planar/quantities.hpp"
#include "jounce/plane/mechanism.hpp"
#include "jounce/report/scene.hpp"

namespace jounce {

class PlaneSketch {
 public:
  using Point = planar::Point<double>;
  using Line = planar::Line<double>;
  using Coordinate = planar::Coordinate<double>;
  using Ratio = planar::Ratio<double>;
  using BodyRef = planar::BodyRef;

  PlaneSketch(const std::vector<BodyData>& bodies, Scene::Element& out) : bodies_(bodies), out_(out) {}

  void pin(const Point& i, const Point& j) { between(DrawingSymbol::pin, i, j); }
  void weld(const Point& i, const Point& j) { between(DrawingSymbol::weld, i, j); }
  void cylinder(const Point& i, const Point& j) { between(DrawingSymbol::cylinder, i, j); }
  void rod(const Point& i, const Point& j, double length) {
    between(DrawingSymbol::rod, i, j);
    out_.length = length;
  }

  void slot(const Line& groove, const Point& pin) { on_line(DrawingSymbol::slot, groove, pin); }
  void slider(const Line& guide, const Line& block) { two_lines(DrawingSymbol::slider, guide, block); }
  void parallel(const Line& i, const Line& j) { two_lines(DrawingSymbol::parallel, i, j); }
  /// `radius` is negative when the wheel is to the left of its track.
  void wheel(const Line& track, const Point& centre, double radius) {
    on_line(DrawingSymbol::wheel, track, centre);
    out_.radius = radius;
  }

  /// Wheels sit where their bodies turn. `arm` carries both axes; without it they are fixed.
  void gears(const BodyRef& i, const BodyRef& j, const Ratio& ratio, const BodyRef& arm = {-1}) {
    two_bodies(DrawingSymbol::gears, i, j);
    out_.ratio = ratio.K;
    out_.arm = arm.body;
  }
  /// A coordinate that follows another, or that stays where it is.
  void guide(const Coordinate& j, const Coordinate& i, double ratio) { coordinates(DrawingSymbol::guide, j, i, ratio); }

  /// At the pin of the two bodies.
  void turn(const BodyRef& i, const BodyRef& j) { two_bodies(DrawingSymbol::turn, i, j); }
  void motor(const BodyRef& i, const BodyRef& j) { two_bodies(DrawingSymbol::motor, i, j); }
  void push(const Line& line, const Point& point) { on_line(DrawingSymbol::push, line, point); }
  void push(const Coordinate& j, const Coordinate& i, double ratio) { coordinates(DrawingSymbol::push, j, i, ratio); }

  void spring(const Point& i, const Point& j, double stiffness, double free_length, double damping, double friction) {
    between(DrawingSymbol::spring, i, j);
    out_.free_length = free_length;
    parts(stiffness, damping, friction);
  }
  /// At the pin of the two bodies.
  void spiral(const BodyRef& i, const BodyRef& j, double stiffness, double damping, double friction) {
    two_bodies(DrawingSymbol::spiral, i, j);
    parts(stiffness, damping, friction);
  }
  void bushing(const Point& i, const Point& j) { between(DrawingSymbol::bushing, i, j); }
  /// `frame`: the axes of its components, "ground" or "body".
  void force(const Point& on, std::string_view frame) {
    at_point(DrawingSymbol::force, on);
    out_.body_axes = frame == "body";
  }
  void moment(const BodyRef& on) {
    out_.symbol = DrawingSymbol::moment;
    out_.j = on.body;
  }

  /// A pin, a roller or a point of a face at a curve of a body, which is given by places along it.
  void curve(int body, const std::vector<Vec2<double>>& places, bool closed, const Point& on, double roller) {
    mark(on);
    out_.i = body;
    for (const Vec2<double>& p : places) out_.curve.push_back(from_origin(body, p));
    out_.round = closed;
    out_.roller = roller;
  }

  void mark(const Point& on) { at_point(DrawingSymbol::mark, on); }
  /// Where else something takes hold that is a plain mark.
  void mark_also(const Point& on) { out_.marks.push_back({on.body, place(on)}); }
  void mark(const Line& on) { at_point(DrawingSymbol::mark, Point{on.body, on.p}); }
  void mark(const Coordinate& on) { at_point(DrawingSymbol::mark, Point{on.body, on.origin}); }
  /// At its centre of mass.
  void mark(const BodyRef& on) { at_point(DrawingSymbol::mark, Point{on.body, {}}); }

 private:
  // The engine measures from the centre of mass.
  [[nodiscard]] Vec3<double> from_origin(int body, const Vec2<double>& p_com) const {
    const Vec2<double> p = p_com - bodies_[z(body)].origin_com;
    return {p.x, p.y, 0};
  }
  [[nodiscard]] Vec3<double> place(const Point& point) const { return from_origin(point.body, point.p); }
  [[nodiscard]] Scene::Line along(const Line& line) const {
    return {from_origin(line.body, line.p), from_origin(line.body, line.p + line.a)};
  }
  static std::string coordinate_word(const Coordinate& u) {
    return u.pick[0] != 0 ? "x" : u.pick[1] != 0 ? "y" : u.pick[2] != 0 ? "phi" : "";
  }

  template <class I, class J>
  void two_bodies(DrawingSymbol symbol, const I& i, const J& j) {
    out_.symbol = symbol;
    out_.i = i.body;
    out_.j = j.body;
  }
  void between(DrawingSymbol symbol, const Point& i, const Point& j) {
    two_bodies(symbol, i, j);
    out_.pi = place(i);
    out_.pj = place(j);
  }
  void on_line(DrawingSymbol symbol, const Line& i, const Point& j) {
    two_bodies(symbol, i, j);
    out_.line_i = along(i);
    out_.pj = place(j);
  }
  void two_lines(DrawingSymbol symbol, const Line& i, const Line& j) {
    two_bodies(symbol, i, j);
    out_.line_i = along(i);
    out_.line_j = along(j);
  }
  void at_point(DrawingSymbol symbol, const Point& j) {
    out_.symbol = symbol;
    out_.j = j.body;
    out_.pj = place(j);
  }
  void coordinates(DrawingSymbol symbol, const Coordinate& j, const Coordinate& i, double ratio) {
    out_.symbol = symbol;
    out_.j = j.body;
    out_.what = coordinate_word(j);
    out_.what_i = coordinate_word(i);
    if (out_.what_i.empty()) return;  // it follows nothing
    out_.i = i.body;
    out_.ratio = ratio;
  }
  void parts(double stiffness, double damping, double friction) {
    out_.stiffness = stiffness;
    if (damping > 0) out_.damping = damping;
    out_.friction = friction > 0;
  }

  const std::vector<BodyData>& bodies_;
  Scene::Element& out_;
};

/// Draws an element as it says itself, else as a plain mark.
template <class E>
void sketch(PlaneSketch& s, const E& element) {
  if constexpr (requires { element.sketch(s); }) {
    element.sketch(s);
  } else if constexpr (requires { s.mark(element.reported_at()); }) {
    s.mark(element.reported_at());
  } else {
    bool marked = false;
    const auto mark_first = [&](const auto& member) {
      if constexpr (requires { s.mark(member); })
        if (!std::exchange(marked, true)) s.mark(member);
    };
    std::apply([&](const auto&... field) { (mark_first(element.*(field.member)), ...); }, E::fields);
  }
}

}  // namespace jounce
