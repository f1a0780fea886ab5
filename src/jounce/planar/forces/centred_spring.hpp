// Centred spring: a spring of free length 0 with nothing but a stiffness, smooth also where its ends meet. Written as type
// "spring"; its force is k d, without the length.
//
//   measures  dx, dy of d = p_WPj − p_WPi          efforts  −k dx, −k dy
#pragma once

#include "jounce/planar/force_element.hpp"

namespace jounce::planar {

template <class Real>
struct CentredSpring {
  static constexpr std::string_view type = "spring";
  static constexpr std::string_view summary = "a spring of free length 0, smooth where its ends meet";
  static constexpr Invariance invariance = Invariance::rigid_motion;
  static constexpr ForceKind kind = ForceKind::extension;

  Point<Real> i, j;
  Real stiffness{};

  static constexpr std::tuple fields{Field{"i", &CentredSpring::i, "one end"}, Field{"j", &CentredSpring::j, "the other end"},
                                     Field{"stiffness", &CentredSpring::stiffness, "k"}};

  constexpr auto measures(const auto& world) const {
    const auto d_W = world.point(j) - world.point(i);
    return rows(d_W.x, d_W.y);
  }
  constexpr auto efforts(const auto&, const auto& at) const {
    return rows(0.0 - stiffness * at.x[0], 0.0 - stiffness * at.x[1]);
  }
  constexpr auto potential(const auto& x) const { return 0.5 * stiffness * (x[0] * x[0] + x[1] * x[1]); }

  void refuse(Refusals& because) const { because.same_body_of_ends(i, j); }

  void sketch(auto& s) const { s.spring(i, j, stiffness, 0.0, 0.0, 0.0); }

  static CentredSpring example() { return {{0, {0.3, 0.1}}, {1, {-0.2, 0.4}}, 30.0}; }
};

}  // namespace jounce::planar
