#include "jounce/space/build/checks.hpp"
#include "jounce/base/index.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>

namespace jounce {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using tree::Link;
using tree::Motion;

/// A pivot below this part of the inertia of the largest body of the branch is rounding.
constexpr double kZeroPivot = 1e-12;

Eigen::Vector3d eigen(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
Eigen::Matrix3d eigen(const Mat3<double>& m) {
  Eigen::Matrix3d out;
  out << eigen(m.x), eigen(m.y), eigen(m.z);
  return out;
}

/// Of a link in its parent, at the position q.
Frame<double> displaced(const Link& link, std::span<const double> q) {
  Frame<double> out = link.place;
  if (link.motion == Motion::fixed) return out;
  const double* x = &q[z(link.q)];
  if (link.motion == Motion::ball || link.motion == Motion::free) {
    const Frame<double> moved{rotation(x[0], x[1], x[2], x[3]),
                              link.motion == Motion::free ? Vec3<double>{x[4], x[5], x[6]} : Vec3<double>{}};
    return out * moved;
  }
  const bool slides = link.motion == Motion::prismatic;
  const double turn = slides ? 0 : (link.motion == Motion::screw ? link.turn : 1) * *x;
  const double advance = link.motion == Motion::revolute ? 0 : (slides ? 1 : link.advance) * *x;
  return out * Frame<double>{from_rpy({0, 0, turn}), {0, 0, advance}};
}

/// The twist of a link per unit of its k-th dof, in its own axes.
Vector6 column(const Link& link, int k) {
  Vector6 s = Vector6::Zero();
  switch (link.motion) {
    case Motion::revolute: s[2] = 1; break;
    case Motion::prismatic: s[5] = 1; break;
    case Motion::screw: s[2] = link.turn, s[5] = link.advance; break;
    case Motion::ball:
    case Motion::free: s[k] = 1; break;
    case Motion::fixed: break;
  }
  return s;
}

/// Twists of the parent to twists of the link.
Matrix6 carry(const Frame<double>& link_in_parent) {
  const Eigen::Matrix3d to_link = eigen(link_in_parent.axes).transpose();
  Matrix6 x = Matrix6::Zero();
  x.topLeftCorner<3, 3>() = x.bottomRightCorner<3, 3>() = to_link;
  x.bottomLeftCorner<3, 3>() = -to_link * eigen(skew(link_in_parent.origin));
  return x;
}

/// What moves with a link, in its axes and about its origin, the passive dofs beyond left free.
struct Branch {
  Matrix6 inertia = Matrix6::Zero();
  // how large its bodies are, each by itself (together they grow with the length of a chain, what one dof moves does not): moment
  // of inertia, with what was added and taken away when it was carried from frame to frame; and mass
  double about = 0, mass = 0;
};

Branch own(const tree::RigidInertia& inertia) {
  Branch out;
  const Sym3<double>& a = inertia.about;
  const Eigen::Matrix3d h = eigen(skew(inertia.moment));
  out.inertia.topLeftCorner<3, 3>() << a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz;
  out.inertia.topRightCorner<3, 3>() = h;
  out.inertia.bottomLeftCorner<3, 3>() = h.transpose();
  out.inertia.bottomRightCorner<3, 3>() = inertia.mass * Eigen::Matrix3d::Identity();
  out.about = a.xx + a.yy + a.zz;
  out.mass = inertia.mass;
  return out;
}

void add(Branch& parent, const Branch& branch, const Frame<double>& frame) {
  const Matrix6 x = carry(frame);
  parent.inertia += x.transpose() * branch.inertia * x;
  parent.about = std::max({parent.about, branch.about, branch.mass * dot(frame.origin, frame.origin)});
  parent.mass = std::max(parent.mass, branch.mass);
}

/// Below which a pivot is zero.
double threshold(const Branch& branch, const Vector6& s) {
  return kZeroPivot * (branch.about * s.head<3>().squaredNorm() + branch.mass * s.tail<3>().squaredNorm());
}

}  // namespace

Problems missing_masses(const SpaceMechanism& mechanism, std::string_view analysis, std::string_view remark) {
  Problems out;
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
    const SpaceBody& body = mechanism.bodies[b];
    if (body.mass) continue;
    std::string sentence = "body '" + body.name + "': 'mass' is missing: " + std::string(analysis) + " needs it";
    if (!remark.empty()) sentence += " (" + std::string(remark) + ")";
    out.push_back(error(body.where, std::move(sentence)));
  }
  locate(out, mechanism.file);
  return out;
}

std::vector<int> light_dofs(const SpaceMechanism& mechanism, std::span<const double> q) {
  const tree::Tree& tree = mechanism.tree;
  std::vector<Branch> branches;
  for (const Link& link : tree.links()) branches.push_back(own(link.inertia));
  for (const SpaceBody& body : mechanism.bodies)
    if (body.link != tree::kGround)
      branches[z(body.link)].about += body.mass.value_or(0) * dot(body.frame.origin, body.frame.origin);
  std::vector<int> unmoved;
  for (int i = tree.size() - 1; i >= 0; --i) {
    const Link& link = tree.link(i);
    Branch& branch = branches[z(i)];
    for (int k = 0; k < tree::dofs(link.motion); ++k) {
      const auto dof = z(link.v + k);
      if (mechanism.dofs[dof].active()) continue;
      const Vector6 s = column(link, k), push = branch.inertia * s;
      const double pivot = s.dot(push);
      if (pivot > threshold(branch, s)) branch.inertia -= push * push.transpose() / pivot;
      else unmoved.push_back(static_cast<int>(dof));
    }
    if (link.parent != tree::kGround) add(branches[z(link.parent)], branch, displaced(link, q));
  }
  std::ranges::sort(unmoved);
  return unmoved;
}

Problems unmoved_dofs(const SpaceMechanism& mechanism, std::span<const double> q) {
  const std::vector<int> unmoved = light_dofs(mechanism, q);
  Problems out;
  for (const SpaceJoint& joint : mechanism.joints)
    for (int k = 0; k < joint.links.dofs; ++k)
      if (std::ranges::binary_search(unmoved, joint.links.v + k))
        out.push_back(error(mechanism.dofs[z(joint.links.v + k)].where,
                            "no inertia is moved by dof " + std::to_string(k + 1) + " of joint '" + joint.name + "'",
                            "give the bodies that it moves a mass or an inertia, or the dof a motion; or start elsewhere: axes that fall "
                            "together, as in gimbal lock, leave a dof without inertia too"));
  locate(out, mechanism.file);
  return out;
}

}  // namespace jounce
