#include "jounce/space/maximal/maximal.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numeric>

#include "jounce/base/index.hpp"
#include "jounce/math/small_matrices.hpp"
#include "jounce/space/dof_direction.hpp"
#include "jounce/space/size.hpp"

namespace jounce {
namespace {

/// A principal moment of inertia below this part of what it was computed from is zero but for rounding.
constexpr double kNoInertia = 1e-12;
/// Directions of a joint of which one is nearer than this to what the others span do not tell its dofs apart.
constexpr double kTogether = 1e-8;
constexpr int kMostDofs = 6;

/// Links that are rigidly one, by the first of them.
struct RigidBody {
  int link = 0;
  std::string name;
  tree::RigidInertia sum;  // in the axes of that link, about its origin
};
struct RigidBodies {
  std::vector<RigidBody> bodies;
  std::vector<int> of;  // link → body; −1: part of the ground, or a step within a joint
};

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

/// Mass, centre and principal axes.
struct Principal {
  double mass = 0;
  Vec3<double> inertia;
  Frame<double> frame;
};

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

Vec3<double> weighed(const Vec3<double>& by, const Vec3<double>& x) { return {by.x * x.x, by.y * x.y, by.z * x.z}; }

Twist twist(const Six& a, double length) {
  return {{a[0] * length, a[1] * length, a[2] * length}, {a[3], a[4], a[5]}};
}

}  // namespace

std::string inapplicable(const SpaceMechanism& mechanism, Formulation formulation) {
  if (formulation == Formulation::kane) return "Kane's arrays are those of planar mechanisms, and this one moves in space";
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

void MaximalCoordinates::add_row(std::initializer_list<int> nodes) {
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

void MaximalCoordinates::fill(const Instant& at, std::span<const double> a) {
  std::ranges::fill(jacobian_, 0.0);
  for (std::size_t j = 0; j < joints_.size(); ++j) fill_joint(mechanism_->joints[j].links, joints_[j], a);
  fill_loops(at);
  fill_couplings(at);
  for (const int row : at.left_out) leave_out(first_loop_ + row);
}

// An equation that says nothing.
void MaximalCoordinates::leave_out(int row) {
  right_[z(row)] = 0;
  for (const Block& block : blocks_[z(row)])
    for (const int place : block.places) jacobian_[z(place)] = 0;
}

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
