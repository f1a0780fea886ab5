// Midpoint: a point of one body stays halfway between a point of a second and a point of a third.
//
//      i (P)─────────(M)─────────(P) k      M on body j
//
//   phi = 2 p_WM − p_WPi − p_WPk                                                  [m, m; divide by 2 for the distance of M]
//
// Two equations; removes two degrees of freedom. Degenerate: never.
#pragma once

#include "jounce/planar/element.hpp"

namespace jounce::planar {

template <class Real>
struct Midpoint {
  static constexpr std::string_view type = "midpoint";
  static constexpr std::string_view summary = "a point stays halfway between two others";
  static constexpr Invariance invariance = Invariance::rigid_motion;

  Point<Real> i, j, k;

  static constexpr std::tuple fields{Field{"i", &Midpoint::i, "one end"}, Field{"j", &Midpoint::j, "the point in the middle"},
                                     Field{"k", &Midpoint::k, "the other end"}};

  constexpr auto residual(const auto& world) const {
    const auto from_W = world.point(j) - world.point(i), to_W = world.point(k) - world.point(j);
    const auto d_W = from_W - to_W;
    return rows(d_W.x, d_W.y);
  }
  constexpr auto scale(const auto&) const { return metres(2, 2); }
  constexpr auto reported_at() const { return j; }

  void refuse(Refusals& because) const {
    because.same_body(i, j);
    because.same_body(j, k);
  }

  static Midpoint example() { return {{0, {0.3, 0.1}}, {1, {-0.2, 0.4}}, {2, {0.1, 0.2}}}; }
};

}  // namespace jounce::planar
