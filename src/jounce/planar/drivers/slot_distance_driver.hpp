// Slot-distance driver: the signed coordinate of a point along a line follows a function of time. The linear motor of a slide.
//
//   ───S───────────▶ a      line on i
//      |── f(t) ──(P)       point on j
//
//   phi = a_W · (p_WP − p_WS) / |a| − f(t)                                        [m]
//
// One equation; removes one degree of freedom. f may have either sign: it is a coordinate, not a distance. Degenerate
// only for a = 0.
#pragma once

#include "jounce/planar/element.hpp"

namespace jounce::planar {

template <class Real>
struct SlotDistanceDriver {
  static constexpr std::string_view type = "slot-distance";
  static constexpr std::string_view summary = "a point's coordinate along a line follows a function of time (a linear motor)";
  static constexpr Invariance invariance = Invariance::rigid_motion;

  Line<Real> line;
  Point<Real> point;
  Motion motion;

  static constexpr std::tuple fields{
      Field{"line", &SlotDistanceDriver::line, "the line, on body i; the coordinate counts from its first point"},
      Field{"point", &SlotDistanceDriver::point, "the driven point, on body j"},
      Field{"motion", &SlotDistanceDriver::motion, "f(t) in metres, from the line's first point"}};

  constexpr auto residual(const auto& world) const {
    const auto d_W = world.point(point) - world.start(line);
    return rows(dot(world.direction(line), d_W) / length(line.a) - world.motion(motion));
  }
  constexpr auto scale(const auto&) const { return metres(1); }
  constexpr auto reported_at() const { return point; }
  constexpr bool is_force_at_reported() const { return true; }

  void refuse(Refusals& because) const {
    because.same_body(line, point);
    because.no_direction(line, "line");
  }

  void sketch(auto& s) const { s.push(line, point); }

  static SlotDistanceDriver example() { return {{0, {0.3, 0.1}, {0.6, 0.3}}, {1, {-0.2, 0.4}}, {0}}; }
};

}  // namespace jounce::planar
