#include "jounce/space/maximal/maximal.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "jounce/base/index.hpp"
#include "jounce/math/small_matrices.hpp"
#include "jounce/space/dof_direction.hpp"
#include "jounce/space/maximal/rigid_bodies.hpp"
#include "jounce/space/size.hpp"

namespace jounce {
namespace {

/// Directions of a joint of which one is nearer than this to what the others span do not tell its dofs apart.
constexpr double kTogether = 1e-8;

Twist twist(const Six& a, double length) {
  return {{a[0] * length, a[1] * length, a[2] * length}, {a[3], a[4], a[5]}};
}

}  // namespace

std::string inapplicable(const SpaceMechanism& mechanism, Formulation formulation) {
  if (formulation == Formulation::kane) return "in space Kane's equations are those of 'crba'; 'explain --formulation kane' shows their arrays";
  if (formulation == Formulation::automatic || uses_tree(formulation)) return {};
  for (const SpaceJoint& joint : mechanism.joints)
    if (joint.links.dofs > kMostDofs)
      return "joint '" + joint.name + "' has " + std::to_string(joint.links.dofs) +
             " dofs, and the motion of free bodies against each other shows 6 at most";
  if (formulation != Formulation::lagrange) return {};  // the others find out whether masses decide the motion
  const std::string needs = ", and formulation 'lagrange' needs every body to have one; 'kkt' and 'nullspace' do not";
  for (const RigidBody& body : rigid_bodies(mechanism).bodies) {
    const Principal own = principal(body.sum);
    if (!(own.mass > 0)) return "body '" + body.name + "' has no mass" + needs;
    const int without = (own.inertia.x > 0 ? 0 : 1) + (own.inertia.y > 0 ? 0 : 1) + (own.inertia.z > 0 ? 0 : 1);
    if (without == 0) continue;
    const char* axes = without == 1 ? "one axis" : without == 2 ? "two axes" : "any axis";
    return "body '" + body.name + "' has no inertia about " + axes + needs;
  }
  return {};
}

MaximalCoordinates::MaximalCoordinates(const SpaceMechanism& mechanism, const LoopClosures& closures,
                                       std::span<const std::uint8_t> active, Formulation formulation)
    : mechanism_(&mechanism),
      active_(active.begin(), active.end()),
      length_(length_scale(mechanism)),
      order_(parents_first(mechanism)) {
  make_nodes();
  make_rows(closures);
  make_pattern();
  wrenches_.resize(mechanism.joints.size());
  accelerations_.resize(mechanism.bodies.size());
  below_.resize(z(mechanism.tree.size()));
  solver_ = make_saddle_solver(formulation, pattern_, mass_);
}

void MaximalCoordinates::make_nodes() {
  RigidBodies rigid = rigid_bodies(*mechanism_);
  node_of_ = std::move(rigid.of);
  heaviest_ = 0;
  for (const RigidBody& body : rigid.bodies) {
    const Principal own = principal(body.sum);
    Node node;
    node.link = body.link, node.mass = own.mass, node.inertia = own.inertia, node.frame = own.frame;
    nodes_.push_back(node);
    heaviest_ = std::max({heaviest_, own.mass, own.inertia.z / (length_ * length_)});
  }
  if (!(heaviest_ > 0)) heaviest_ = 1;
  const double about = 1 / (heaviest_ * length_ * length_);
  for (const Node& node : nodes_) {
    mass_.insert(mass_.end(), 3, node.mass / heaviest_);
    for (const double moment : {node.inertia.x, node.inertia.y, node.inertia.z}) mass_.push_back(moment * about);
  }
  force_.resize(mass_.size()), delta_.resize(mass_.size());
}

void MaximalCoordinates::add_row(std::span<const int> nodes) {
  std::vector<Block>& row = blocks_.emplace_back();
  for (const int node : nodes) {
    const bool known = std::ranges::any_of(row, [&](const Block& block) { return block.node == node; });
    if (node != kNone && !known) row.push_back({node, {}});
  }
}

void MaximalCoordinates::make_rows(const LoopClosures& closures) {
  const auto node = [&](int body) {
    const int link = mechanism_->bodies[z(body)].link;
    return link == tree::kGround ? kNone : node_of_[z(link)];
  };
  joint_of_.resize(mechanism_->dofs.size());
  for (const SpaceJoint& own : mechanism_->joints) {
    Joint joint;
    joint.i = node(own.parent), joint.j = node(own.child);
    joint.row = static_cast<int>(blocks_.size());
    joint.merged = own.links.dofs == 0;
    joint.resists = joint.merged ? 0 : kMostDofs - own.links.dofs;
    for (int r = 0; r < joint.resists; ++r) add_row({joint.i, joint.j});
    for (int k = 0; k < own.links.dofs; ++k) {
      joint_of_[z(own.links.v + k)] = static_cast<int>(joints_.size());
      if (active_[z(own.links.v + k)]) add_row({joint.i, joint.j});
    }
    joints_.push_back(joint);
  }
  first_loop_ = static_cast<int>(blocks_.size());
  for (const LoopClosures::Row& row : closures.rows()) {
    if (z(row.element) >= mechanism_->loops.size()) break;
    const SpaceLoop& loop = mechanism_->loops[z(row.element)];
    add_row({node(loop.i), node(loop.j)});
  }
  first_coupling_ = static_cast<int>(blocks_.size());
  for (const SpaceCoupling& coupling : mechanism_->couplings) {
    const Joint &i = joints_[z(joint_of_[z(coupling.i)])], &j = joints_[z(joint_of_[z(coupling.j)])];
    add_row({i.i, i.j, j.i, j.j});
  }
  first_equation_ = static_cast<int>(blocks_.size());
  for (const SpaceEquation& equation : mechanism_->equations) {
    std::vector<int> nodes;
    for (const SpaceQuantity& u : equation.quantities) {
      if (u.of == SpaceQuantity::Of::place) nodes.push_back(node(u.owner));
      else for (const int end : {joints_[z(u.owner)].i, joints_[z(u.owner)].j}) nodes.push_back(end);
    }
    add_row(nodes);
  }
  right_.resize(blocks_.size()), factor_.resize(blocks_.size()), lambda_.resize(blocks_.size());
  unit_.resize(z(closures.size()));
}

void MaximalCoordinates::make_pattern() {
  std::vector<std::vector<std::pair<int, Block*>>> of(nodes_.size());  // rows in which a node takes part
  for (std::size_t r = 0; r < blocks_.size(); ++r)
    for (Block& block : blocks_[r]) of[z(block.node)].emplace_back(static_cast<int>(r), &block);
  pattern_ = {static_cast<int>(blocks_.size()), static_cast<int>(mass_.size()), {0}, {}};
  for (auto& rows : of)
    for (std::size_t k = 0; k < 6; ++k) {
      for (auto& entry : rows) {
        entry.second->places[k] = pattern_.entries();
        pattern_.row.push_back(entry.first);
      }
      pattern_.start.push_back(pattern_.entries());
    }
  jacobian_.resize(z(pattern_.entries()));
}

// Where the nodes are and how they move.
void MaximalCoordinates::place(const Instant& at) {
  kinetic_ = 0;
  for (Node& node : nodes_) {
    const tree::LinkWork<double>& link = at.work.links[z(node.link)];
    const tree::LinkMotion<double>& own = at.links[z(node.link)];
    const Vec3<double> arm = link.axes * node.frame.origin;
    node.axes = link.axes * node.frame.axes;
    node.centre = own.position + arm;
    node.drift = own.acceleration + cross(link.turn, arm) + cross(link.spin, cross(link.spin, arm));
    const Vec3<double> velocity = own.velocity + cross(link.spin, arm), spin = in_axes(node.axes, link.spin);
    kinetic_ += (node.mass * dot(velocity, velocity) + dot(spin, weighed(node.inertia, spin))) / 2;
  }
}

// S, and by Q R = S with angles as lengths: D = R⁻¹ Q₁ᵀ, and T the columns of Q that are left.
std::optional<Fault> MaximalCoordinates::find_directions(std::size_t number, const Instant& at) {
  const SpaceJoint& own = mechanism_->joints[number];
  Joint& joint = joints_[number];
  const tree::Tree& tree = mechanism_->tree;
  joint.at = at.links[z(own.links.last)].position + at.work.links[z(own.links.last)].axes * own.links.successor.origin;
  if (joint.merged) return std::nullopt;
  std::array<Six, kMostDofs> s{};
  for (int l = own.links.first; l <= own.links.last; ++l) {
    const tree::Link& link = tree.link(l);
    for (int k = 0; k < tree::dofs(link.motion); ++k) {
      const int c = link.v + k - own.links.v;
      const Twist a = joint.allowed[z(c)] = dof_direction(link, at.work.links[z(l)].axes, k, joint.at - at.links[z(l)].position);
      s[z(c)] = {a.turn.x * length_, a.turn.y * length_, a.turn.z * length_, a.shift.x, a.shift.y, a.shift.z};
    }
  }
  const std::optional<SixBasis> basis = six_basis(std::span(s).first(z(own.links.dofs)), kTogether);
  if (!basis)
    return Fault{"joint '" + own.name + "'",
                     "the directions of its dofs fall together in this position, as in gimbal lock: the motion of its bodies does "
                     "not tell one dof from the other",
                     own.where, own.name};
  for (std::size_t c = 0; c < z(own.links.dofs); ++c) joint.dual[c] = twist(basis->dual[c], length_);
  for (std::size_t r = 0; r < z(joint.resists); ++r) joint.resisted[r] = twist(basis->across[r], length_);
  return std::nullopt;
}

std::optional<Fault> MaximalCoordinates::solve(const Instant& at, std::span<double> a, std::span<double> lambda) {
  place(at);
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (auto fault = find_directions(j, at)) return fault;
  fill(at, a);
  find_forces(at);
  if (!solver_->factor(jacobian_, {}))
    return Fault{"", "masses, joints and prescribed motions do not decide the motion in this position", {}};
  solver_->solve(force_, right_, delta_, lambda_);
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::ranges::all_of(delta_, finite) || !std::ranges::all_of(lambda_, finite))
    return Fault{"", "forces grow beyond all numbers", {}};
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (active_[k]) continue;
    const Joint& joint = joints_[z(joint_of_[k])];
    const int first = mechanism_->joints[z(joint_of_[k])].links.v;
    a[k] = dot(joint.dual[k - z(first)], change(joint.j, joint.at) - change(joint.i, joint.at));
  }
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] = multiplier(first_loop_ + static_cast<int>(r));
  return std::nullopt;
}

}  // namespace jounce
