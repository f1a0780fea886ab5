// What acts on free bodies, and what is found of them once they are solved: accelerations, wrenches through joints, efforts.
#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/space/maximal/maximal.hpp"
#include "jounce/space/maximal/rigid_bodies.hpp"

namespace jounce {

// A wrench on a body, about a point.
void MaximalCoordinates::push(int node, const tree::Wrench<double>& about, const Vec3<double>& point) {
  if (node == kNone) return;
  const Node& body = nodes_[z(node)];
  const Vec3<double> force = about.force * (1 / heaviest_);
  const Vec3<double> around = in_axes(body.axes, about.moment + cross(point - body.centre, about.force));
  const Vec3<double> moment = around * (1 / (heaviest_ * length_));
  double* out = force_.data() + 6 * z(node);
  out[0] += force.x, out[1] += force.y, out[2] += force.z;
  out[3] += moment.x, out[4] += moment.y, out[5] += moment.z;
}

void MaximalCoordinates::find_forces(const Instant& at) {
  std::ranges::fill(force_, 0.0);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    const tree::LinkWork<double>& link = at.work.links[z(node.link)];
    const Vec3<double> spin = in_axes(node.axes, link.spin);
    const Vec3<double> moment = weighed(node.inertia, in_axes(node.axes, link.turn)) + cross(spin, weighed(node.inertia, spin));
    push(static_cast<int>(n), {node.axes * -moment, (mechanism_->tree.gravity - node.drift) * node.mass}, node.centre);
  }
  for (std::size_t l = 0; l < node_of_.size(); ++l) push(node_of_[l], at.external[l], {});
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const tree::Attached& links = mechanism_->joints[j].links;
    Twist sum{};
    for (int k = 0; k < links.dofs; ++k) sum = sum + joints_[j].dual[z(k)] * at.effort[z(links.v + k)];
    push(joints_[j].j, {sum.turn, sum.shift}, joints_[j].at);
    push(joints_[j].i, {-sum.turn, -sum.shift}, joints_[j].at);
  }
}

// δ of a point of a body.
Twist MaximalCoordinates::change(int node, const Vec3<double>& at) const {
  if (node == kNone) return {};
  const Node& body = nodes_[z(node)];
  const double* own = delta_.data() + 6 * z(node);
  const Vec3<double> turn = body.axes * Vec3<double>{own[3], own[4], own[5]} * (1 / length_);
  return {turn, Vec3<double>{own[0], own[1], own[2]} + cross(turn, at - body.centre)};
}

double MaximalCoordinates::multiplier(int row) const { return -heaviest_ * factor_[z(row)] * lambda_[z(row)]; }

tree::Wrench<double> MaximalCoordinates::from_multipliers(const SpaceJoint& own, const Joint& joint,
                                                          std::span<const double> effort) const {
  int row = joint.row;
  Twist sum{};
  for (int r = 0; r < joint.resists; ++r) sum = sum + joint.resisted[z(r)] * multiplier(row++);
  for (int k = 0; k < own.links.dofs; ++k) {
    const auto dof = z(own.links.v + k);
    sum = sum + joint.dual[z(k)] * (effort[dof] + (active_[dof] ? multiplier(row++) : 0.0));
  }
  return {sum.turn, sum.shift};
}

// What the mass of a link needs besides what acts from outside, about the ground's origin.
tree::Wrench<double> MaximalCoordinates::needed(const Instant& at, int link) const {
  const tree::LinkWork<double>& work = at.work.links[z(link)];
  const tree::LinkMotion<double>& own = at.links[z(link)];
  const tree::RigidInertia& inertia = mechanism_->tree.link(link).inertia;
  const Twist more = change(node_of_[z(link)], own.position);
  const Vec3<double> turn = work.turn + more.turn, shift = own.acceleration + more.shift - mechanism_->tree.gravity;
  const auto about = [&](const Vec3<double>& x) { return work.axes * (inertia.about * in_axes(work.axes, x)); };
  const Vec3<double> h = work.axes * inertia.moment;
  const Vec3<double> force = shift * inertia.mass + cross(turn, h) + cross(work.spin, cross(work.spin, h));
  const Vec3<double> moment = about(turn) + cross(work.spin, about(work.spin)) + cross(h, shift) + cross(own.position, force);
  return {moment - at.external[z(link)].moment, force - at.external[z(link)].force};
}

void MaximalCoordinates::find_wrenches(const Instant& at) {
  const bool unique = solver_->dropped().empty();
  std::ranges::fill(below_, tree::Wrench<double>{});  // what the joints of its children ask of a link
  for (std::size_t o = order_.size(); o-- > 0;) {
    const auto j = z(order_[o]);
    const SpaceJoint& own = mechanism_->joints[j];
    const Joint& joint = joints_[j];
    tree::Wrench<double>& wrench = wrenches_[j];
    if (unique && !joint.merged) {
      wrench = from_multipliers(own, joint, at.effort);
    } else {
      wrench = needed(at, own.links.last);
      wrench.force += below_[z(own.links.last)].force;
      wrench.moment += below_[z(own.links.last)].moment - cross(joint.at, wrench.force);
    }
    const int parent = mechanism_->bodies[z(own.parent)].link;
    if (parent == tree::kGround) continue;
    below_[z(parent)].force += wrench.force;
    below_[z(parent)].moment += wrench.moment + cross(joint.at, wrench.force);
  }
  for (std::size_t b = 0; b < accelerations_.size(); ++b) accelerations_[b] = acceleration_of(at, mechanism_->bodies[b]);
}

void MaximalCoordinates::efforts(std::span<double> tau) const {
  for (std::size_t k = 0; k < tau.size(); ++k) {
    const auto j = z(joint_of_[k]);
    const Twist& own = joints_[j].allowed[k - z(mechanism_->joints[j].links.v)];
    tau[k] = dot(own.turn, wrenches_[j].moment) + dot(own.shift, wrenches_[j].force);
  }
}

Twist MaximalCoordinates::acceleration_of(const Instant& at, const SpaceBody& body) const {
  if (body.link == tree::kGround || node_of_[z(body.link)] == kNone) return {};
  const tree::LinkWork<double>& link = at.work.links[z(body.link)];
  const tree::LinkMotion<double>& origin = at.links[z(body.link)];
  const Vec3<double> arm = link.axes * body.frame.origin;
  const Twist more = change(node_of_[z(body.link)], origin.position + arm);
  return {link.turn + more.turn,
          origin.acceleration + cross(link.turn, arm) + cross(link.spin, cross(link.spin, arm)) + more.shift};
}

}  // namespace jounce
