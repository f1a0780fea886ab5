// How the two ends of a strut move against each other.
#pragma once

#include "jounce/base/index.hpp"
#include "jounce/space/equations/equations.hpp"

namespace jounce {

/// Of end j against end i, in ground axes.
struct StrutMotion {
  Vec3<double> apart{}, velocity{}, acceleration{};

  [[nodiscard]] double rate() const { return dot(apart, velocity) / length(apart); }  ///< of the length
};

/// Where the equations were moved last; they may be those of a mechanism with more loops and couplings.
[[nodiscard]] inline StrutMotion motion_of(const tree::Strut& strut, const SpaceEquations& at) {
  StrutMotion out;
  const auto add = [&](const tree::BodyPoint& point, double sign) {
    const SpaceBody& body = at.mechanism().bodies[z(point.body)];
    const Vec3<double> place = body.frame * point.p;
    if (body.link == tree::kGround) return void(out.apart += place * sign);
    const tree::LinkWork<double>& link = at.motion_work().links[z(body.link)];
    const tree::LinkMotion<double>& own = at.links()[z(body.link)];
    const Vec3<double> arm = link.axes * place;
    out.apart += (own.position + arm) * sign;
    out.velocity += (own.velocity + cross(link.spin, arm)) * sign;
    out.acceleration += (own.acceleration + cross(link.turn, arm) + cross(link.spin, cross(link.spin, arm))) * sign;
  };
  add(strut.j, 1);
  add(strut.i, -1);
  return out;
}

}  // namespace jounce
