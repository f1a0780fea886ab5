// Bushing: a block of rubber between a point of one body and a point of another: springs and dampers along two axes and about the third.
//
//      i ══[▒(P)▒]══ j           x, y: along the axes of body i
//
//   measures  (dx, dy) = A_iᵀ (p_WPj − p_WPi),   dphi = phi_j − phi_i − phi_0
//   efforts   −kx dx − cx dx',   −ky dy − cy dy',   −kphi dphi − cphi dphi'
//
// The force acts at the point of j, on both bodies, so that it makes no moment of its own. Degenerate: never, also where the points meet.
#pragma once

#include "jounce/planar/force_element.hpp"

namespace jounce::planar {

template <class Real>
struct Bushing {
  static constexpr std::string_view type = "bushing";
  static constexpr std::string_view summary = laws::words::kBushing;
  static constexpr Invariance invariance = Invariance::rigid_motion;
  static constexpr ForceKind kind = ForceKind::compliance;

  Point<Real> i, j;
  Triple<Real> stiffness, damping;
  Real free_angle{};

  static constexpr std::tuple fields{
      Field{"i", &Bushing::i, "the point it sits in; it lies along the axes of this body"},
      Field{"j", &Bushing::j, "the point that it holds there"},
      Field{"stiffness", &Bushing::stiffness, "[kx, ky, kphi], along the axes of body i and about the angle, each >= 0"},
      Optional{"damping", &Bushing::damping, "[cx, cy, cphi], each >= 0, default [0, 0, 0]"},
      Optional{"free_angle", &Bushing::free_angle, "angle of j relative to i without moment, default 0"}};

  constexpr auto measures(const auto& world) const {
    const auto d_W = world.point(j) - world.point(i);
    const auto& f = world.frame(i.body);
    return rows(f.c * d_W.x + f.s * d_W.y, f.c * d_W.y - f.s * d_W.x, world.angle(j) - world.angle(i));
  }
  constexpr auto efforts(const auto&, const auto& at) const {
    return rows(0.0 - stiffness.x * at.x[0] - damping.x * at.rate[0], 0.0 - stiffness.y * at.x[1] - damping.y * at.rate[1],
                stiffness.turn * (free_angle - at.x[2]) - damping.turn * at.rate[2]);
  }
  constexpr auto lost(const auto& at) const {
    return rows(0.0 - damping.x * at.rate[0], 0.0 - damping.y * at.rate[1], 0.0 - damping.turn * at.rate[2]);
  }
  constexpr auto potential(const auto& x) const {
    const auto twist = x[2] - free_angle;
    return 0.5 * (stiffness.x * x[0] * x[0] + stiffness.y * x[1] * x[1] + stiffness.turn * twist * twist);
  }

  void refuse(Refusals& because) const {
    because.same_body_of_ends(i, j);
    const auto any_below = [](const Triple<Real>& of) { return of.x < 0 || of.y < 0 || of.turn < 0; };
    because.when(any_below(stiffness), "stiffness", laws::kNoneNegative);
    because.when(any_below(damping), "damping", laws::kNoneNegative);
  }

  void sketch(auto& s) const { s.bushing(i, j); }

  static Bushing example() { return {{0, {0.3, 0.1}}, {1, {-0.2, 0.4}}, {30.0, 50.0, 4.0}, {2.0, 1.0, 0.3}, 0.25}; }
};

}  // namespace jounce::planar
