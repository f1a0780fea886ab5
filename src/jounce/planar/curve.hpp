// A curve in the axes of a body: an arc, or a spline through points, open or closed.
//
//   c(u), u from front to back;   t = c′/|c′|,   n = (t_y, −t_x) to its right,   curvature k > 0 where it turns to the left
//
// Through points it is a spline of degree 5 over the length of the chords, with four continuous derivatives: what slides along it
// has a snap. A closed curve that is the outline of something runs anticlockwise, so that n points out of it. Beyond the ends of an
// open curve its end polynomials go on: whoever follows it looks where it ends.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "jounce/expr/formula.hpp"
#include "jounce/expr/lookup_table.hpp"
#include "jounce/math/vec2.hpp"

namespace jounce::planar {

class PlaneCurve {
 public:
  using Place = Vec2<double>;

  /// With a radius > 0, from an angle to a greater one; closed where they are a turn apart.
  [[nodiscard]] static PlaneCurve arc(const Place& centre, double radius, double from, double to);
  /// At least two points (three where it is closed), neighbours apart; otherwise a sentence says what is wrong. The last point of a
  /// closed curve may be its first.
  [[nodiscard]] static std::variant<PlaneCurve, std::string> through(std::vector<Place> points, bool closed);

  [[nodiscard]] bool closed() const { return closed_; }
  [[nodiscard]] double front() const { return front_; }
  [[nodiscard]] double back() const { return back_; }

  /// c, or a derivative of it by u.
  [[nodiscard]] Place at(double u, int derivative = 0) const;
  /// To the right of the way along it: out of what it goes round anticlockwise.
  [[nodiscard]] Place normal(double u) const;
  [[nodiscard]] double curvature(double u) const;
  /// Along it, from its front.
  [[nodiscard]] double length_to(double u) const;
  [[nodiscard]] double length() const { return length_to_.back(); }
  /// What it encloses, positive where it runs anticlockwise; of an open curve with its chord.
  [[nodiscard]] double area() const;

  /// Where it is nearest to p. Of an open curve a little beyond its ends too.
  [[nodiscard]] double nearest(const Place& p) const;
  /// Where a closed convex curve reaches farthest along a direction.
  [[nodiscard]] double farthest(const Place& direction) const;

  /// Places along it, close enough together to see its shape.
  [[nodiscard]] const std::vector<double>& samples() const { return samples_; }
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  /// Two places at which it meets itself; empty: none.
  [[nodiscard]] std::vector<double> crossing() const;
  /// Run the other way.
  [[nodiscard]] PlaneCurve reversed() const;

  /// The coordinates of c, differentiated so many times, in a formula.
  struct Terms {
    Formula::Term x, y;
  };
  [[nodiscard]] Terms terms(Formula& formula, Formula::Term u, int derivative) const;

 private:
  PlaneCurve() = default;
  void sample();
  [[nodiscard]] double refined(double from, double to, const Place& p) const;

  bool closed_ = false;
  double front_ = 0, back_ = 0;
  Place centre_;       // of an arc
  double radius_ = 0;  // 0: it goes through points
  std::vector<Place> points_;
  std::shared_ptr<const LookupTable> x_, y_;
  std::vector<double> samples_, length_to_;  // length_to_: up to each sample
  std::vector<Place> places_;                // of the samples
  struct Span {
    Place middle;
    double radius = 0;
  };
  std::vector<Span> spans_;  // kInSpan intervals between samples each lie in such a circle
};

}  // namespace jounce::planar
