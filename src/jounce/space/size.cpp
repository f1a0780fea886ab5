#include "jounce/space/size.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

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

double largest_body(const SpaceMechanism& mechanism) {
  std::vector<std::vector<Vec3<double>>> places(mechanism.bodies.size());  // on each body, in its link
  for (std::size_t b = 0; b < places.size(); ++b) {
    const SpaceBody& body = mechanism.bodies[b];
    if (b > 0) places[b].push_back(body.frame * body.com);
    for (const SpacePoint& point : body.points) places[b].push_back(body.frame * point.frame.origin);
  }
  for (const SpaceJoint& joint : mechanism.joints) {
    places[z(joint.parent)].push_back(joint.frame.origin);
    places[z(joint.child)].push_back(joint.links.successor.origin);
  }
  const auto put = [&](int body, const Frame<double>& frame) { places[z(body)].push_back(mechanism.bodies[z(body)].frame * frame.origin); };
  for (const SpaceLoop& loop : mechanism.loops) put(loop.i, loop.frame_i), put(loop.j, loop.frame_j);
  double most = 0;
  for (const auto& own : places)
    for (std::size_t a = 0; a < own.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) most = std::max(most, length(own[a] - own[b]));
  return most > 0 && std::isfinite(most) ? most : length_scale(mechanism);
}

}  // namespace jounce
