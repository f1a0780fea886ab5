// The equations of free bodies that joints, loops and couplings hold: K and k of maximal.hpp.
#include <algorithm>
#include <cmath>
#include <array>

#include "jounce/base/index.hpp"
#include "jounce/space/maximal/maximal.hpp"

namespace jounce {

// Of a row, with angles as lengths.
double MaximalCoordinates::size(const Twist& row) const {
  return std::sqrt(dot(row.turn, row.turn) / (length_ * length_) + dot(row.shift, row.shift));
}

void MaximalCoordinates::set_row(int row, double factor, double right) {
  factor_[z(row)] = factor;
  right_[z(row)] = -factor * right;
}

// A row that multiplies the change of acceleration of a body at a point.
void MaximalCoordinates::add_entries(int row, int node, const Twist& own, const Vec3<double>& at, double factor) {
  if (node == kNone) return;
  const Node& body = nodes_[z(node)];
  const Vec3<double> shift = own.shift * factor;
  const Vec3<double> turn = in_axes(body.axes, own.turn + cross(at - body.centre, own.shift)) * (factor / length_);
  for (const Block& block : blocks_[z(row)]) {
    if (block.node != node) continue;
    const std::array<double, 6> values{shift.x, shift.y, shift.z, turn.x, turn.y, turn.z};
    for (std::size_t k = 0; k < 6; ++k) jacobian_[z(block.places[k])] += values[k];
  }
}

void MaximalCoordinates::add_relative(int row, const Joint& joint, const Twist& own, double factor) {
  add_entries(row, joint.j, own, joint.at, factor);
  add_entries(row, joint.i, own, joint.at, -factor);
}

void MaximalCoordinates::fill_joint(const tree::Attached& links, const Joint& joint, std::span<const double> a) {
  int row = joint.row;
  for (int r = 0; r < joint.resists; ++r, ++row) {
    set_row(row, 1, 0);
    add_relative(row, joint, joint.resisted[z(r)], 1);
  }
  for (int k = 0; k < links.dofs; ++k) {
    if (!active_[z(links.v + k)]) continue;
    const double factor = 1 / size(joint.dual[z(k)]);
    set_row(row, factor, a[z(links.v + k)]);
    add_relative(row++, joint, joint.dual[z(k)], factor);
  }
}

// The wrench of a unit multiplier is the row.
void MaximalCoordinates::fill_loops(const Instant& at) {
  const auto node = [&](const SpaceBody& body) { return body.link == tree::kGround ? kNone : node_of_[z(body.link)]; };
  for (int row = first_loop_; row < first_coupling_; ++row) {
    const auto r = z(row - first_loop_);
    const int number = at.closures.rows()[r].element;
    const SpaceLoop& loop = mechanism_->loops[z(number)];
    const SpaceBody &i = mechanism_->bodies[z(loop.i)], &j = mechanism_->bodies[z(loop.j)];
    unit_[r] = 1;
    const tree::Wrench<double> wrench = at.closures.reaction(number, unit_);
    unit_[r] = 0;
    const Twist own{wrench.moment, wrench.force};
    Vec3<double> point = j.frame * loop.frame_j.origin;
    if (j.link != tree::kGround) point = at.links[z(j.link)].position + at.work.links[z(j.link)].axes * point;
    const double factor = 1 / size(own);
    set_row(row, factor, at.closures.right()[r]);
    add_entries(row, node(j), own, point, factor);
    add_entries(row, node(i), own, point, -factor);
  }
}

void MaximalCoordinates::fill_couplings(const Instant& at) {
  for (std::size_t c = 0; c < mechanism_->couplings.size(); ++c) {
    const SpaceCoupling& coupling = mechanism_->couplings[c];
    const auto i = z(joint_of_[z(coupling.i)]), j = z(joint_of_[z(coupling.j)]);
    const Twist& of_i = joints_[i].dual[z(coupling.i - mechanism_->joints[i].links.v)];
    const Twist& of_j = joints_[j].dual[z(coupling.j - mechanism_->joints[j].links.v)];
    const double factor = 1 / (size(of_j) + std::abs(coupling.ratio) * size(of_i));
    const int row = first_coupling_ + static_cast<int>(c);
    set_row(row, factor, at.closures.right()[z(row - first_loop_)]);
    add_relative(row, joints_[j], of_j, factor);
    add_relative(row, joints_[i], of_i, -factor * coupling.ratio);
  }
}

void MaximalCoordinates::fill_equations(const Instant& at) {
  for (std::size_t e = 0; e < mechanism_->equations.size(); ++e) {
    const int row = first_equation_ + static_cast<int>(e);
    const std::span<const LoopClosures::Push> pushes = at.closures.pushes(static_cast<int>(e));
    const auto dual = [&](int dof) -> const Twist& {
      const auto j = z(joint_of_[z(dof)]);
      return joints_[j].dual[z(dof - mechanism_->joints[j].links.v)];
    };
    double whole = 0;
    for (const LoopClosures::Push& push : pushes) whole += push.dof >= 0 ? std::abs(push.effort) * size(dual(push.dof)) : length(push.force);
    const double factor = whole > 0 ? 1 / whole : 1;
    set_row(row, factor, at.closures.right()[z(row - first_loop_)]);
    for (const LoopClosures::Push& push : pushes) {
      if (push.dof >= 0) add_relative(row, joints_[z(joint_of_[z(push.dof)])], dual(push.dof), factor * push.effort);
      else if (push.link != tree::kGround) add_entries(row, node_of_[z(push.link)], {{}, push.force}, push.at, factor);
    }
  }
}

void MaximalCoordinates::fill(const Instant& at, std::span<const double> a) {
  std::ranges::fill(jacobian_, 0.0);
  for (std::size_t j = 0; j < joints_.size(); ++j) fill_joint(mechanism_->joints[j].links, joints_[j], a);
  fill_loops(at);
  fill_couplings(at);
  fill_equations(at);
  for (const int row : at.left_out) leave_out(first_loop_ + row);
}

// An equation that says nothing.
void MaximalCoordinates::leave_out(int row) {
  right_[z(row)] = 0;
  for (const Block& block : blocks_[z(row)])
    for (const int place : block.places) jacobian_[z(place)] = 0;
}

}  // namespace jounce
