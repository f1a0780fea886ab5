#include "jounce/space/size.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"

namespace jounce {
namespace {

// From the origin of the parent to that of the link.
Vec3<double> arm(const tree::Link& link, const std::vector<double>& q) {
  const double* own = link.motion == tree::Motion::fixed ? nullptr : &q[z(link.q)];
  Vec3<double> moved{};
  if (link.motion == tree::Motion::prismatic) moved = {0, 0, own[0]};
  if (link.motion == tree::Motion::screw) moved = {0, 0, link.advance * own[0]};
  if (link.motion == tree::Motion::free) moved = {own[4], own[5], own[6]};
  return link.place * moved;
}

}  // namespace

double length_scale(const SpaceMechanism& mechanism) {
  double within = 0, from_ground = 0;
  const auto meet = [&](bool moves, const Vec3<double>& d) {
    double& most = moves ? within : from_ground;
    most = std::max(most, length(d));
  };
  for (const tree::Link& link : mechanism.tree.links()) {
    meet(link.parent != tree::kGround, arm(link, mechanism.q));
    const Sym3<double>& about = link.inertia.about;
    if (link.inertia.mass > 0) within = std::max(within, std::sqrt((about.xx + about.yy + about.zz) / link.inertia.mass));
  }
  const auto meet_side = [&](int body, const Frame<double>& frame) {
    const SpaceBody& on = mechanism.bodies[z(body)];
    meet(on.link != tree::kGround, on.frame * frame.origin);
  };
  for (const SpaceLoop& loop : mechanism.loops) meet_side(loop.i, loop.frame_i), meet_side(loop.j, loop.frame_j);
  for (const double length : {within, from_ground})
    if (length > 0 && std::isfinite(length)) return length;
  return 1;
}

AuditScale audit_scale(const SpaceMechanism& mechanism) {
  const double size = length_scale(mechanism);
  double mass = 0, inertia = 0;
  for (const SpaceBody& body : mechanism.bodies) mass += body.mass.value_or(0), inertia += body.inertia.xx + body.inertia.yy + body.inertia.zz;
  return {mass + inertia / (size * size), size, mass * length(mechanism.tree.gravity)};
}

}  // namespace jounce
