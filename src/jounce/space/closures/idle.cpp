#include "jounce/space/closures/idle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "jounce/base/index.hpp"
#include "jounce/math/dense_rank.hpp"
#include "jounce/space/closures/frame_motion.hpp"
#include "jounce/space/closures/scaled_closures.hpp"
#include "jounce/space/dof_direction.hpp"
#include "jounce/tree/rotation.hpp"

namespace jounce {
namespace {

/// Parts of a motion, radians and mechanism sizes, that are nothing against a turn of one radian; places nearer than this are the same.
constexpr double kNothing = 1e-8, kSamePlace = 1e-6;
/// How far a turn is tried out, radians, and how well joints, loops and couplings must hold there, mechanism sizes and radians.
constexpr double kTried = 0.05, kHeld = 5e-12;
constexpr int kMostCorrections = 12;
/// Directions of which others leave less than this, as a part of the largest, say nothing new.
constexpr double kSameDirection = 1e-9;

using Bodies = std::vector<bool>;  // for each whether it turns

class Finder {
 public:
  Finder(const SpaceMechanism& mechanism, std::span<const double> q)
      : mechanism_(mechanism), tree_(mechanism.tree), q_(q.begin(), q.end()), closures_(mechanism), work_(tree_), links_(z(tree_.size())), none_(mechanism.dofs.size()) {
    for (const SpaceDof& dof : mechanism.dofs) held_.push_back(dof.active());
    for (const SpaceCoupling& coupling : mechanism.couplings) held_[z(coupling.i)] = held_[z(coupling.j)] = true;
    for (const SpaceEquation& equation : mechanism.equations)
      for (const SpaceQuantity& u : equation.quantities)
        if (u.of == SpaceQuantity::Of::coordinate) held_[z(mechanism.joints[z(u.owner)].links.v + u.pick)] = true;
  }

  std::vector<SpaceIdle> run() {
    std::vector<SpaceIdle> out;
    if (mechanism_.loops.empty() || closures_.passive().empty()) return out;
    closures_.evaluate(q_);
    move(q_);
    for (const Bodies& turning : candidates()) {
      std::optional<SpaceIdle> found = turn_of(turning);
      if (found && is_new(found->way)) out.push_back(*std::move(found));
    }
    return out;
  }

 private:
  void move(const std::vector<double>& q) { tree::motion(tree_, work_, q.data(), none_.data(), none_.data(), links_.data()); }

  [[nodiscard]] Frame<double> pose(int link, const Frame<double>& frame = {}) const { return motion_of<double>(link, frame, work_, links_).frame; }
  [[nodiscard]] int link_of(int body) const { return mechanism_.bodies[z(body)].link; }

  // ---- what might turn ----

  // Each body; each two that hang together, and all that do, when every ball is taken out: two links that a ball joins can swing about the line between
  // their ends, and that is seen.
  [[nodiscard]] std::vector<Bodies> candidates() const {
    const std::size_t bodies = mechanism_.bodies.size();
    std::vector<Bodies> out;
    const auto add = [&](std::initializer_list<int> some) {
      if (std::ranges::find(some, 0) != some.end()) return;
      Bodies& turning = out.emplace_back(bodies, false);
      for (const int body : some) turning[z(body)] = true;
    };
    for (int b = 1; z(b) < bodies; ++b) add({b});
    std::vector<int> part(bodies);  // the least body that each hangs on to
    std::iota(part.begin(), part.end(), 0);
    const auto join = [&](int i, int j) {
      add({i, j});
      const int a = part[z(i)], b = part[z(j)];
      if (a != b) std::ranges::replace(part, std::max(a, b), std::min(a, b));
    };
    for (const SpaceJoint& joint : mechanism_.joints)
      if (!is_ball(joint)) join(joint.parent, joint.child);
    for (std::size_t l = 0; l < mechanism_.loops.size(); ++l)
      if (const LoopJoint& joint = closures_.closures().loops()[l].joint; joint.rows() > 0 && !joint.metres(0)) join(mechanism_.loops[l].i, mechanism_.loops[l].j);
    for (int b = 1; z(b) < bodies; ++b) {
      if (part[z(b)] != b || std::ranges::count(part, b) < 3) continue;  // those of one or two are there
      Bodies& turning = out.emplace_back(bodies, false);
      for (std::size_t k = 0; k < bodies; ++k) turning[k] = part[k] == b;
    }
    return out;
  }

  // It turns about every axis.
  [[nodiscard]] bool is_ball(const SpaceJoint& joint) const {
    const std::vector<Twist> allowed = directions(joint);
    DenseMatrix turns(3, static_cast<int>(allowed.size()));
    for (int c = 0; c < turns.columns; ++c) {
      const Vec3<double>& turn = allowed[z(c)].turn;
      turns.at(0, c) = turn.x, turns.at(1, c) = turn.y, turns.at(2, c) = turn.z;
    }
    return turns.columns >= 3 && dense_rank(turns, kSameDirection).rank == 3;
  }

  // Of its dofs, in ground axes about the origin of its last link.
  [[nodiscard]] std::vector<Twist> directions(const SpaceJoint& joint) const {
    std::vector<Twist> out(z(joint.links.dofs));
    const Vec3<double> origin = links_[z(joint.links.last)].position;
    for (int l = joint.links.first; l <= joint.links.last; ++l)
      for (int d = 0; d < tree::dofs(tree_.link(l).motion); ++d)
        out[z(tree_.link(l).v - joint.links.v + d)] = dof_direction<double>(tree_.link(l), work_.links[z(l)].axes, d, origin - links_[z(l)].position);
    return out;
  }

  // ---- whether it does ----

  // A joint or a loop between what turns and what does not, where it sits on what turns. A free joint is between them and holds nothing.
  struct Holding {
    SpaceIdle::End end;
    Vec3<double> at;
    const SpaceJoint* joint = nullptr;  // null: a loop
    bool child_turns = false;

    [[nodiscard]] bool holds() const { return joint == nullptr || joint->type->freedoms < 6; }
  };

  [[nodiscard]] std::vector<Holding> holding(const Bodies& turning) const {
    std::vector<Holding> out;
    const auto place = [&](const std::string& name, int body, const Vec3<double>& in_link, const SpaceJoint* joint, bool child_turns) {
      const SpaceBody& own = mechanism_.bodies[z(body)];
      out.push_back({{name, body, inverse(own.frame) * in_link}, pose(own.link, {identity3<double>(), in_link}).origin, joint, child_turns});
    };
    for (const SpaceJoint& joint : mechanism_.joints) {
      const bool parent = turning[z(joint.parent)], child = turning[z(joint.child)];
      if (parent != child) place(joint.name, child ? joint.child : joint.parent, child ? joint.links.successor.origin : joint.frame.origin, &joint, child);
    }
    for (const SpaceLoop& loop : mechanism_.loops) {
      const bool i = turning[z(loop.i)], j = turning[z(loop.j)];
      if (i == j) continue;
      const int body = j ? loop.j : loop.i;
      place(loop.name, body, mechanism_.bodies[z(body)].frame * (j ? loop.frame_j : loop.frame_i).origin, nullptr, j);
    }
    return out;
  }

  std::optional<SpaceIdle> turn_of(const Bodies& turning) {
    const std::vector<Holding> held = holding(turning);
    double apart = 0;
    const Holding *from = nullptr, *to = nullptr;
    for (const Holding& a : held)
      for (const Holding& b : held)
        if (&a < &b && a.holds() && b.holds() && length(b.at - a.at) > apart) apart = length(b.at - a.at), from = &a, to = &b;
    if (!(apart > kSamePlace * closures_.size())) return std::nullopt;
    line_ = {from->at, (to->at - from->at) * (1 / apart)};
    for (const Holding& h : held)
      if (h.holds() && length(cross(h.at - line_.from, line_.along)) > kNothing * closures_.size()) return std::nullopt;
    SpaceIdle out{.turns = from->end.body, .from = from->end, .to = to->end, .way = none_};
    if (!begins(held, out.way) || !goes_on(held)) return std::nullopt;
    for (int b = 1; z(b) < turning.size(); ++b)
      if (turning[z(b)]) out.bodies.push_back(b);
    return out;
  }

  // The rates of the joints that hold it, at one radian a second.
  bool begins(const std::vector<Holding>& held, std::vector<double>& way) const {
    for (const Holding& h : held) {
      if (h.joint == nullptr) continue;
      const Vec3<double> arm = links_[z(h.joint->links.last)].position - line_.from;
      const double sign = h.child_turns ? 1 : -1;
      if (!follow(*h.joint, {line_.along * sign, cross(line_.along, arm) * sign}, identity3<double>(), way, kNothing)) return false;
    }
    return leaves_held(way, kNothing);
  }

  // Rates of a joint that make a twist about the origin of its last link, in some axes; false where it does not allow it.
  bool follow(const SpaceJoint& joint, const Twist& twist, const Mat3<double>& axes, std::vector<double>& way, double allowed) const {
    const std::vector<Twist> own = directions(joint);
    const double size = closures_.size();
    DenseMatrix a(6, static_cast<int>(own.size()));
    std::vector<double> right(6);
    const auto parts = [&](const Twist& t) {
      return std::array<double, 6>{t.turn.x, t.turn.y, t.turn.z, t.shift.x / size, t.shift.y / size, t.shift.z / size};
    };
    for (int c = 0; c < a.columns; ++c) {
      const std::array<double, 6> column = parts({in_axes(axes, own[z(c)].turn), in_axes(axes, own[z(c)].shift)});
      for (int r = 0; r < 6; ++r) a.at(r, c) = column[z(r)] * closures_.unit(joint.links.v + c);
    }
    const std::array<double, 6> wanted = parts(twist);
    std::ranges::copy(wanted, right.begin());
    if (own.empty()) return std::ranges::all_of(wanted, [&](double x) { return std::abs(x) <= allowed; });
    const LeastSquares found = least_squares(a, right, kSameDirection);
    for (int c = 0; c < a.columns; ++c) way[z(joint.links.v + c)] = found.x[z(c)] * closures_.unit(joint.links.v + c);
    return found.misfit <= allowed;
  }

  [[nodiscard]] Frame<double> turned(const Frame<double>& frame) const {
    const tree::Quaternion e = tree::from_rotation_vector(line_.along * kTried);
    const Mat3<double> turn = rotation(e.w, e.x, e.y, e.z);
    return {turn * frame.axes, line_.from + turn * (frame.origin - line_.from)};
  }

  // For more than an instant: some degrees on, the joints that hold it can be where they must, and loops and couplings hold.
  bool goes_on(const std::vector<Holding>& held) {
    struct Target {
      const SpaceJoint* joint;
      Frame<double> seen;  // the last link from the parent's
    };
    std::vector<Target> targets;
    for (const Holding& h : held)
      if (h.joint != nullptr) {
        const Frame<double> parent = pose(link_of(h.joint->parent)), child = pose(h.joint->links.last);
        targets.push_back({h.joint, inverse(h.child_turns ? parent : turned(parent)) * (h.child_turns ? turned(child) : child)});
      }
    double reach = 0;
    for (const tree::LinkMotion<double>& link : links_) reach = std::max(reach, length(link.position));
    const double allowed = kHeld + 32 * std::numeric_limits<double>::epsilon() * reach / closures_.size();
    std::vector<double> there = q_, way = none_;
    double most = 0;
    for (int k = 0; k < kMostCorrections; ++k) {
      std::ranges::fill(way, 0.0);
      most = 0;
      for (const Target& target : targets) {
        const Frame<double> parent = pose(link_of(target.joint->parent)), is = inverse(parent) * pose(target.joint->links.last);
        const Twist missing{tree::rotation_vector(tree::quaternion_of(target.seen.axes * transpose(is.axes))), target.seen.origin - is.origin};
        (void)follow(*target.joint, missing, parent.axes, way, 0);
        most = std::max({most, length(missing.turn), length(missing.shift) / closures_.size()});
      }
      if (most <= allowed) break;
      tree::move(tree_, there, way);
      move(there);
    }
    closures_.evaluate(there);
    for (const double r : closures_.scaled(closures_.closures().residual())) most = std::max(most, std::abs(r));
    closures_.evaluate(q_);
    move(q_);
    tree::difference(tree_, q_, there, way);
    return most <= allowed && leaves_held(way, allowed);
  }

  // Nothing that is prescribed or coupled moves with it.
  [[nodiscard]] bool leaves_held(const std::vector<double>& way, double allowed) const {
    for (std::size_t k = 0; k < way.size(); ++k)
      if (held_[k] && !(std::abs(way[k]) <= allowed * closures_.unit(static_cast<int>(k)))) return false;
    return true;
  }

  // Not a combination of those that are known.
  bool is_new(const std::vector<double>& way) {
    std::vector<double> rest(way.size());
    for (std::size_t k = 0; k < rest.size(); ++k) rest[k] = way[k] / closures_.unit(static_cast<int>(k));
    const double whole = norm(rest);
    for (const std::vector<double>& known : known_) {
      const double along = dot(known, rest);
      for (std::size_t k = 0; k < rest.size(); ++k) rest[k] -= along * known[k];
    }
    const double left = norm(rest);
    if (!(left > kSamePlace * whole)) return false;
    for (double& part : rest) part /= left;
    known_.push_back(std::move(rest));
    return true;
  }

  struct Line {
    Vec3<double> from, along;
  };

  const SpaceMechanism& mechanism_;
  const tree::Tree& tree_;
  std::vector<double> q_;
  ScaledClosures closures_;
  tree::Workspace<double> work_;
  std::vector<tree::LinkMotion<double>> links_;
  std::vector<double> none_;
  std::vector<bool> held_;  // dofs that are prescribed or coupled
  Line line_{};
  std::vector<std::vector<double>> known_;  // orthonormal
};

}  // namespace

std::vector<SpaceIdle> find_idle(const SpaceMechanism& mechanism, std::span<const double> q) { return Finder(mechanism, q).run(); }

IdleTurn described(const SpaceMechanism& mechanism, const SpaceIdle& idle) {
  IdleTurn out{{}, idle.from.element, idle.to.element};
  for (const int body : idle.bodies) out.bodies.push_back(mechanism.bodies[z(body)].name);
  return out;
}

}  // namespace jounce
