// Rolling: a wheel rolls without slip along a straight edge.
//
//        ( C )      C  wheel centre, on body j
//      ───line──▶   the line on i runs through the wheel centre, parallel to the track
//
//   phi = a_W · (p_WC − p_WS) / |a| − radius (phi_j − phi_i) − C                  [m]
//
// `radius` carries a sign: minus the height of the wheel's centre above the contact, counted to the left of the line. A
// wheel on the left of its track (a car driving along +x) has a negative radius. One equation; removes one degree of freedom;
// does not keep the wheel on its track: add a `pin-in-slot` with the same line and centre. Degenerate only for a = 0.
#pragma once

#include "jounce/planar/element.hpp"

namespace jounce::planar {

template <class Real>
struct Rolling {
  static constexpr std::string_view type = "rolling";
  static constexpr std::string_view summary = "a wheel rolls without slip along a straight edge";
  static constexpr Invariance invariance = Invariance::rigid_motion;

  Line<Real> line;
  Point<Real> wheel;
  Real radius{};
  Drawn<Real> offset;

  static constexpr std::tuple fields{
      Field{"line", &Rolling::line, "on body i, through the wheel's centre, parallel to the track"},
      Field{"wheel", &Rolling::wheel, "the wheel's centre, on body j"},
      Field{"radius", &Rolling::radius, "the wheel's radius, negative when the wheel is to the left of the track"},
      Field{"offset", &Rolling::offset, "C; left out: as drawn"}};

  constexpr auto residual(const auto& world) const {
    const auto d_W = world.point(wheel) - world.start(line);
    return rows(dot(world.direction(line), d_W) / length(line.a) - radius * (world.angle(wheel) - world.angle(line)) -
                offset.value);
  }
  constexpr auto scale(const auto&) const { return metres(1); }
  constexpr auto reported_at() const { return wheel; }

  void settle(const World<double>& drawn) { settle_offset(*this, drawn); }
  void refuse(Refusals& because) const {
    because.same_body(line, wheel);
    because.no_direction(line, "line");
    because.when(radius == 0, "radius", "must not be 0: a wheel of no radius does not roll");
  }

  void sketch(auto& s) const { s.wheel(line, wheel, radius); }

  static Rolling example() { return {{0, {0.3, 0.1}, {0.6, 0.3}}, {1, {-0.2, 0.4}}, -0.35, {0.25}}; }
};

}  // namespace jounce::planar
