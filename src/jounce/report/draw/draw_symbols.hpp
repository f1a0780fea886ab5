// The usual symbols of mechanism drawings, in pixels (y grows downwards).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/report/scene.hpp"
#include "jounce/report/svg_writer.hpp"

namespace jounce::draw {

using svg::Pixel;

inline Pixel scaled(Pixel a, double s) { return {a.x * s, a.y * s}; }
/// Of length 1; to the right where there is no direction.
[[nodiscard]] Pixel direction(Pixel from, Pixel to);
/// A quarter of a turn from `d`.
inline Pixel across(Pixel d) { return {-d.y, d.x}; }
/// From `from` by `along` in direction d and by `beside` across it.
inline Pixel offset(Pixel from, Pixel d, double along, double beside) {
  return {from.x + along * d.x - beside * d.y, from.y + along * d.y + beside * d.x};
}

/// The points of the convex hull, in order; two of a line.
[[nodiscard]] std::vector<Pixel> hull(std::vector<Pixel> points);

/// The rules of the style sheet for these symbols.
extern const std::string_view kSymbolStyle;

[[nodiscard]] Pixel on_circle(Pixel centre, double radius, double angle);
[[nodiscard]] std::string to(char letter, Pixel p);
[[nodiscard]] std::string arc(double radius, bool large, bool sweep, Pixel end);

/// What a strut or a torsion spring consists of, and how short and long it becomes, in pixels (0: not known).
struct Strut {
  bool elastic = false, damped = false, friction = false, actuated = false;
  double least = 0, most = 0;
};

class Symbols {
 public:
  /// `pin`: the radius of a pin, which everything else goes by.
  Symbols(svg::Writer& out, double pin) : out_(out), pin_(pin) {}

  [[nodiscard]] double pin() const { return pin_; }
  [[nodiscard]] double bar() const { return 1.8 * pin_; }    ///< half the width of a link
  [[nodiscard]] double block() const { return 2.1 * pin_; }  ///< half the height of a slider

  void joint_pin(Pixel at);
  /// The foot of a pin that is held by the ground; `down` points into the ground.
  void foot(Pixel at, Pixel down);
  void weld(Pixel at, Pixel d);
  void rope(Pixel from, Pixel to);
  /// Of what has no symbol of its own: a square that stands on a corner.
  void plain_mark(Pixel at);
  /// A plate around points, rounded by `radius`.
  void plate(std::span<const Pixel> points, double radius, std::string_view colour);
  void disc(Pixel centre, double radius, std::string_view colour);
  /// Short strokes below the line from a to b (to the right of it on paper where `side` is 1).
  void hatching(Pixel a, Pixel b, double side);
  /// A slider from a to b.
  void slider(Pixel a, Pixel b, std::string_view colour);
  void slot(Pixel a, Pixel b);
  void rod(Pixel a, Pixel b);
  /// As many windings as fit into its greatest length.
  void spring(Pixel a, Pixel b, double most);
  /// What it has, side by side; a dashpot where it has nothing.
  void strut(Pixel a, Pixel b, const Strut& parts);
  void strut(Pixel a, Pixel b, bool elastic, bool damped) { strut(a, b, Strut{.elastic = elastic, .damped = damped}); }
  /// Its barrel is as long as the shortest it becomes allows.
  void cylinder(Pixel a, Pixel b, const Strut& parts);
  /// Rubber about a pin.
  void bushing(Pixel at);
  /// What it has about a pin, one around the other. `from`: the angle on paper of the body it is fixed to; `turn`: that of the other one against it;
  /// `around`: the radius of what is there already.
  void rotary(Pixel at, double from, double turn, const Strut& parts, double around);
  /// Two shoes on a drum.
  void brake(Pixel at, double from, double radius);
  void motor(Pixel at, double radius);
  void turning_arrow(Pixel at, double radius, std::string_view style_class = "drive", bool clockwise = false);
  void arrow(Pixel from, Pixel to, std::string_view style_class);
  void centre_of_mass(Pixel at, double angle);
  /// Teeth, or those of a ring. `angle` of the wheel; `scale`: pixels for a metre.
  void gear(Pixel centre, const Scene::Wheel& wheel, double scale, double angle, std::string_view colour);
  void belt(Pixel a, double radius_a, Pixel b, double radius_b, bool crossed);
  void parallel_mark(Pixel at, Pixel d);
  /// Rough faces: where a block rubs on its guide.
  void rubbing(Pixel at, Pixel d, double side);

 private:
  void damper(Pixel a, Pixel b, const Strut& parts);
  void clamp(Pixel a, Pixel b);
  void spiral(Pixel at, double from, double turn, double inner, double outer);
  void rotary_damper(Pixel at, double from, double inner, double outer);
  void torque(Pixel at, double radius);
  void head(Pixel tip, Pixel d, std::string_view style_class);

  svg::Writer& out_;
  double pin_;
};

}  // namespace jounce::draw
