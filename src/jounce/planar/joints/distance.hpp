// Distance: a massless rod with a pin at each end keeps two points a constant distance apart.
//
//      i ══(P)────── L ──────(P)══ j
//
//   phi = |d|² − L²,   d = p_WPj − p_WPi                                          [m²; divide by 2L for metres]
//
// One equation; removes one degree of freedom. Degenerate where d = 0, which L > 0 keeps away from the solution.
// The rod carries the tension 2 λ L.
#pragma once

#include "jounce/planar/element.hpp"

namespace jounce::planar {

template <class Real>
struct Distance {
  static constexpr std::string_view type = "distance";
  static constexpr std::string_view summary = "a massless rod: two points stay a constant distance apart";
  static constexpr Invariance invariance = Invariance::rigid_motion;
  static constexpr bool force_at_points = true;  // what it carries is a force at its points, without a moment
  static constexpr bool is_pulled = true;        // along the line between them

  Point<Real> i, j;
  Drawn<Real> length;

  static constexpr std::tuple fields{
      Field{"i", &Distance::i, "one end of the rod"}, Field{"j", &Distance::j, "the other end"},
      Field{"length", &Distance::length, "the rod's length, > 0; left out: the distance as drawn"}};

  constexpr auto residual(const auto& world) const {
    const auto d_W = world.point(j) - world.point(i);
    return rows(dot(d_W, d_W) - length.value * length.value);
  }
  constexpr auto scale(const auto&) const { return squared_metres(length.value); }
  constexpr auto reported_at() const { return j; }

  void settle(const World<double>& drawn) { length.value = jounce::length(drawn.point(j) - drawn.point(i)); }
  void refuse(Refusals& because) const {
    because.same_body(i, j);
    because.not_positive(length.value, "length", "points that coincide are a 'revolute' joint");
  }

  void sketch(auto& s) const { s.rod(i, j, length.value); }

  static Distance example() { return {{0, {0.3, 0.1}}, {1, {-0.2, 0.4}}, {0.7}}; }
};

}  // namespace jounce::planar
