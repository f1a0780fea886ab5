// Force: a force at a point of a body, its components in ground axes functions of time.
//
//   measures  x, y of the point          efforts  fx(t), fy(t)
//
// With `frame = "body"` it is a follower force (follower_force.hpp).
#pragma once

#include "jounce/planar/force_element.hpp"

namespace jounce::planar {

template <class Real>
struct Force {
  static constexpr std::string_view type = "force";
  static constexpr std::string_view summary = "a force at a point, a function of time";
  static constexpr std::string_view frame = "ground";
  static constexpr Invariance invariance = Invariance::ground_referenced;
  static constexpr ForceKind kind = ForceKind::given;

  Point<Real> on;
  MotionPair value;

  static constexpr std::tuple fields{Field{"on", &Force::on, "the point it acts at"},
                                     Field{"value", &Force::value, "[fx, fy], functions of t"}};

  constexpr auto measures(const auto& world) const {
    const auto p_W = world.point(on);
    return rows(p_W.x, p_W.y);
  }
  constexpr auto efforts(const auto& world, const auto&) const { return rows(world.motion(value.x), world.motion(value.y)); }

  void refuse(Refusals&) const {}

  void sketch(auto& s) const { s.force(on, frame); }

  static Force example() { return {{1, {-0.2, 0.4}}, {{0}, {1}}}; }
};

}  // namespace jounce::planar
