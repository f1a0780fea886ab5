#include "jounce/space/maximal/rigid_bodies.hpp"

#include <algorithm>
#include <numeric>

#include "jounce/base/index.hpp"
#include "jounce/math/small_matrices.hpp"

namespace jounce {
namespace {

/// A principal moment of inertia below this part of what it was computed from is zero but for rounding.
constexpr double kNoInertia = 1e-12;

}  // namespace

std::vector<int> parents_first(const SpaceMechanism& mechanism) {
  std::vector<int> order(mechanism.joints.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int j) { return mechanism.joints[z(j)].links.first; });
  return order;
}

RigidBodies rigid_bodies(const SpaceMechanism& mechanism) {
  const tree::Tree& tree = mechanism.tree;
  RigidBodies out;
  out.of.assign(z(tree.size()), -1);
  std::vector<Frame<double>> place(z(tree.size()));  // in the first link of the body
  for (const int j : parents_first(mechanism)) {
    const SpaceJoint& joint = mechanism.joints[z(j)];
    const int last = joint.links.last, parent = mechanism.bodies[z(joint.parent)].link;
    if (joint.links.dofs > 0) {
      out.of[z(last)] = static_cast<int>(out.bodies.size());
      out.bodies.push_back({last, mechanism.bodies[z(joint.child)].name, {}});
    } else if (parent != tree::kGround) {
      out.of[z(last)] = out.of[z(parent)];
      place[z(last)] = place[z(parent)];
      for (int l = joint.links.first; l <= last; ++l) place[z(last)] = place[z(last)] * tree.link(l).place;
    }
    if (const int body = out.of[z(last)]; body >= 0)
      out.bodies[z(body)].sum = out.bodies[z(body)].sum + carried(place[z(last)], tree.link(last).inertia);
  }
  return out;
}

Principal principal(const tree::RigidInertia& inertia) {
  Principal out;
  out.mass = inertia.mass;
  const Vec3<double> c = inertia.mass > 0 ? inertia.moment * (1 / inertia.mass) : Vec3<double>{};
  const Sym3<double>& a = inertia.about;
  const Sym3<double> shift = tree::rigid_inertia(inertia.mass, c, {}).about;
  const PrincipalAxes found =
      principal_axes({a.xx - shift.xx, a.yy - shift.yy, a.zz - shift.zz, a.xy - shift.xy, a.xz - shift.xz, a.yz - shift.yz});
  out.frame = {found.axes, c};
  const double least = kNoInertia * (a.xx + a.yy + a.zz);
  const auto moment = [&](std::size_t k) { return found.moments[k] > least ? found.moments[k] : 0.0; };
  out.inertia = {moment(0), moment(1), moment(2)};
  return out;
}

}  // namespace jounce
