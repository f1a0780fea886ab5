// Follower force: a force at a point of a body that turns with the body, a thruster. Written as type "force", frame "body".
//
//   measures  x, y of the point          efforts  A(phi) (fx(t), fy(t))
#pragma once

#include "jounce/planar/force_element.hpp"

namespace jounce::planar {

template <class Real>
struct FollowerForce {
  static constexpr std::string_view type = "force";
  static constexpr std::string_view summary = "a force at a point, its direction fixed in the body";
  static constexpr std::string_view frame = "body";
  static constexpr Invariance invariance = Invariance::rigid_motion;
  static constexpr ForceKind kind = ForceKind::given;

  Point<Real> on;
  MotionPair value;

  static constexpr std::tuple fields{Field{"on", &FollowerForce::on, "the point it acts at"},
                                     Field{"value", &FollowerForce::value, "[fx, fy] in body axes, functions of t"}};

  constexpr auto measures(const auto& world) const {
    const auto p_W = world.point(on);
    return rows(p_W.x, p_W.y);
  }
  constexpr auto efforts(const auto& world, const auto&) const {
    const auto& f = world.frame(on.body);
    const auto fx = world.motion(value.x), fy = world.motion(value.y);
    return rows(f.c * fx - f.s * fy, f.s * fx + f.c * fy);
  }

  void refuse(Refusals&) const {}

  void sketch(auto& s) const { s.force(on, frame); }

  static FollowerForce example() { return {{1, {-0.2, 0.4}}, {{0}, {1}}}; }
};

}  // namespace jounce::planar
