#include "jounce/analysis/assembly/misaligned.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "jounce/analysis/assembly/search.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/text.hpp"
#include "jounce/space/closures/scaled_closures.hpp"
#include "jounce/space/motion/closing.hpp"

namespace jounce {
namespace {

/// Radians. Axes that are nearer are exact but for rounding; those that are farther were never meant to be parallel.
constexpr double kExactAxis = 1e-14, kMeantParallel = 0.03;
/// Each makes what it looks at exact; the last ones only see rounding.
constexpr int kPasses = 3;
constexpr std::size_t kMostNamed = 6;

using Axes = Mat3<double>;
using Direction = Vec3<double>;

/// How a joint lets two bodies turn against each other.
struct Freedom {
  int turning = 0, sliding = 0;
  bool other = false;  // a ball: it has no axis
};

Freedom freedom_of(tree::Motion motion) {
  if (motion == tree::Motion::revolute || motion == tree::Motion::screw) return {1, 0, false};
  if (motion == tree::Motion::prismatic) return {0, 1, false};
  return {0, 0, motion != tree::Motion::fixed};
}
void add_freedom(Freedom& sum, const Freedom& more) {
  sum.turning += more.turning, sum.sliding += more.sliding, sum.other = sum.other || more.other;
}

/// What turns the axis of a joint or loop in the body that it sits on.
struct Handle {
  int joint = -1;      // its place in the parent
  int loop_side = -1;  // 0: frame i, 1: frame j
  [[nodiscard]] bool none() const { return joint < 0 && loop_side < 0; }
};

/// An axis in a body, or in several bodies that keep their directions against each other.
struct Mounted {
  Direction direction;  // in the axes of the group
  bool slides = false;
  std::string who;      // "joint 'O'"
  int link = tree::kGround;
  Axes in_group;        // of the link
  Handle handle;
};
using AxisGroup = std::vector<Mounted>;

/// The mechanism, its tree as links that can be changed.
class LoopAxes {
 public:
  LoopAxes(const SpaceMechanism& mechanism, std::size_t loop) : mechanism_(mechanism), loop_(loop) {}

  /// All axes around the loop, group by group; nothing where it is no loop of axes, or closed by what only slides.
  [[nodiscard]] std::optional<std::vector<AxisGroup>> groups() const;

 private:
  [[nodiscard]] const SpaceJoint* joint_of_link(int link) const;
  [[nodiscard]] std::vector<const SpaceJoint*> up_from(int body) const;
  [[nodiscard]] Freedom freedom(const SpaceJoint& joint) const;
  [[nodiscard]] Mounted side_of_loop(int side, const Axes& in_group) const;
  [[nodiscard]] Mounted on_parent(const SpaceJoint& joint, const Axes& in_group) const;
  [[nodiscard]] Mounted on_child(const SpaceJoint& joint, const Axes& in_group) const;
  [[nodiscard]] Axes child_in_parent(const SpaceJoint& joint) const;
  [[nodiscard]] int parent_link(const SpaceJoint& joint) const { return mechanism_.tree.link(joint.links.first).parent; }

  const SpaceMechanism& mechanism_;
  std::size_t loop_;
};

const SpaceJoint* LoopAxes::joint_of_link(int link) const {
  const auto has = [&](const SpaceJoint& joint) { return joint.links.dofs > 0 && joint.links.first <= link && link <= joint.links.last; };
  const auto it = std::ranges::find_if(mechanism_.joints, has);
  return it == mechanism_.joints.end() ? nullptr : &*it;
}

std::vector<const SpaceJoint*> LoopAxes::up_from(int body) const {
  std::vector<const SpaceJoint*> out;
  for (int link = mechanism_.bodies[z(body)].link; link != tree::kGround;) {
    const SpaceJoint* joint = joint_of_link(link);
    if (joint == nullptr) break;
    out.push_back(joint);
    link = parent_link(*joint);
  }
  return out;
}

Freedom LoopAxes::freedom(const SpaceJoint& joint) const {
  Freedom out;
  for (int link = joint.links.first; link <= joint.links.last; ++link) add_freedom(out, freedom_of(mechanism_.tree.link(link).motion));
  return out;
}

Mounted LoopAxes::side_of_loop(int side, const Axes& in_group) const {
  const SpaceLoop& loop = mechanism_.loops[loop_];
  const SpaceBody& body = mechanism_.bodies[z(side == 0 ? loop.i : loop.j)];
  const Direction own = loop.steps.empty() ? Direction{0, 0, 1} : loop.steps[0].axis;
  const Direction in_link = body.frame.axes * ((side == 0 ? loop.frame_i : loop.frame_j).axes * own);
  return {in_group * in_link, false, "loop '" + loop.name + "'", body.link, in_group, {-1, side}};
}

Mounted LoopAxes::on_parent(const SpaceJoint& joint, const Axes& in_group) const {
  const int index = static_cast<int>(&joint - mechanism_.joints.data());
  const Direction axis = mechanism_.tree.link(joint.links.first).place.axes.z;
  return {in_group * axis, freedom(joint).turning == 0, "joint '" + joint.name + "'", parent_link(joint), in_group, {index, -1}};
}

Mounted LoopAxes::on_child(const SpaceJoint& joint, const Axes& in_group) const {
  const Direction in_joint = in_axes(joint.frame.axes, mechanism_.tree.link(joint.links.first).place.axes.z);
  const Direction in_last = joint.links.successor.axes * in_joint;
  return {in_group * in_last, false, "joint '" + joint.name + "'", joint.links.last, in_group, {}};
}

Axes LoopAxes::child_in_parent(const SpaceJoint& joint) const {
  Axes out = mechanism_.tree.link(joint.links.first).place.axes;
  for (int link = joint.links.first + 1; link <= joint.links.last; ++link) out = out * mechanism_.tree.link(link).place.axes;
  return out;
}

std::optional<std::vector<AxisGroup>> LoopAxes::groups() const {
  const SpaceLoop& loop = mechanism_.loops[loop_];
  Freedom closing;
  for (const tree::Step& step : loop.steps) add_freedom(closing, freedom_of(step.motion));
  if (closing.other || closing.turning != 1) return std::nullopt;
  std::vector<const SpaceJoint*> up = up_from(loop.i), down = up_from(loop.j);
  while (!up.empty() && !down.empty() && up.back() == down.back()) up.pop_back(), down.pop_back();
  std::ranges::reverse(down);

  const Axes upright{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Axes here = upright;  // the link that has been reached, in the group
  std::vector<AxisGroup> out{{side_of_loop(0, here)}};
  for (const auto* way : {&up, &down})
    for (const SpaceJoint* joint : *way) {
      const bool upwards = way == &up;
      const Freedom freely = freedom(*joint);
      if (freely.other || freely.turning > 1) return std::nullopt;
      if (freely.turning == 1) {
        out.back().push_back(upwards ? on_child(*joint, here) : on_parent(*joint, here));
        here = upright;
        out.push_back({upwards ? on_parent(*joint, here) : on_child(*joint, here)});
        continue;
      }
      // bodies that only slide keep their directions: they belong together
      if (upwards) here = here * transpose(child_in_parent(*joint));
      if (freely.sliding == 1) out.back().push_back(on_parent(*joint, here));
      if (!upwards) here = here * child_in_parent(*joint);
    }
  out.back().push_back(side_of_loop(1, here));
  return out;
}

/// By how much a direction is not parallel to another one, whichever way they point; of a slide: not square to it.
double off(const Mounted& axis, const Direction& to) {
  const double across = length(cross(axis.direction, to)), along = std::abs(dot(axis.direction, to));
  return axis.slides ? std::atan2(along, across) : std::atan2(across, along);
}

/// What others have to be parallel to: what nothing but the body itself could turn.
const Mounted* reference_of(const AxisGroup& group) {
  const Mounted* out = nullptr;
  for (const Mounted& axis : group)
    if (!axis.slides && (out == nullptr || (axis.handle.none() && !out->handle.none()))) out = &axis;
  return out;
}

/// The rotation by the shortest way that brings one direction to another one, both of length 1 and less than a right angle apart.
Axes bring(const Direction& from, const Direction& to) {
  const Direction w = cross(from, to);
  const double c = 1 / (1 + dot(from, to));
  const auto column = [&](const Direction& x) { return x + cross(w, x) + cross(w, cross(w, x)) * c; };
  return {column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})};
}

/// A mechanism whose axes are put right.
class Straightened {
 public:
  explicit Straightened(const SpaceMechanism& mechanism) : mechanism_(mechanism) {
    const auto links = mechanism.tree.links();
    links_.assign(links.begin(), links.end());
  }
  [[nodiscard]] const SpaceMechanism& mechanism() const { return mechanism_; }

  void straighten(std::size_t loop) {
    for (int pass = 0; pass < kPasses; ++pass)
      for (const bool slides : {true, false}) {  // what slides carries the axes beyond it along
        const auto groups = LoopAxes(mechanism_, loop).groups();
        if (!groups) return;
        for (const AxisGroup& group : *groups)
          if (const Mounted* to = reference_of(group))
            for (const Mounted& axis : group)
              if (&axis != to && axis.slides == slides && !axis.handle.none()) turn(loop, axis, to->direction);
        rebuild();
      }
  }

 private:
  void turn(std::size_t loop_index, const Mounted& axis, const Direction& to) {
    const double along = dot(axis.direction, to);
    Direction target = along < 0 ? -to : to;
    if (axis.slides) {
      const Direction across = axis.direction - to * along;
      target = across * (1 / length(across));
    }
    // from the axes of the group to those of the link
    const Axes in_link = transpose(axis.in_group) * (bring(axis.direction, target) * axis.in_group);
    if (axis.handle.joint >= 0) {
      SpaceJoint& joint = mechanism_.joints[z(axis.handle.joint)];
      Axes& place = links_[z(joint.links.first)].place.axes;
      place = in_link * place;
      joint.frame.axes = in_link * joint.frame.axes;
      return;
    }
    SpaceLoop& loop = mechanism_.loops[loop_index];
    const SpaceBody& body = mechanism_.bodies[z(axis.handle.loop_side == 0 ? loop.i : loop.j)];
    Axes& frame = (axis.handle.loop_side == 0 ? loop.frame_i : loop.frame_j).axes;
    frame = transpose(body.frame.axes) * (in_link * (body.frame.axes * frame));
  }

  void rebuild() {
    tree::Tree tree;
    tree.gravity = mechanism_.tree.gravity;
    for (const tree::Link& link : links_) tree.add(link);
    mechanism_.tree = std::move(tree);
  }

  SpaceMechanism mechanism_;
  std::vector<tree::Link> links_;
};

/// The axes of one loop that are nearly parallel, in words; nothing where all are, or where one was never meant to be.
std::string deviations(const SpaceMechanism& mechanism, std::size_t loop) {
  const auto groups = LoopAxes(mechanism, loop).groups();
  if (!groups) return "";
  std::string out;
  std::size_t named = 0;
  for (const AxisGroup& group : *groups) {
    const Mounted* to = reference_of(group);
    if (to == nullptr) continue;
    for (const Mounted& axis : group) {
      const double by = off(axis, to->direction);
      if (by > kMeantParallel) return "";
      if (&axis == to || by <= kExactAxis || ++named > kMostNamed) continue;
      const auto body = std::ranges::find(mechanism.bodies, axis.link, &SpaceBody::link);
      out += (out.empty() ? "" : "; ") + std::string(body == mechanism.bodies.end() ? "" : "on '" + body->name + "' ") + "the axes of " + to->who +
             " and " + axis.who + " are " + short_number(by) + " rad from " + (axis.slides ? "square" : "parallel");
    }
  }
  return out;
}

}  // namespace

std::string misaligned_axes(const SpaceMechanism& mechanism, const Assembly& found) {
  std::string names, where;
  Straightened straight(mechanism);
  for (std::size_t l = 0; l < mechanism.loops.size(); ++l) {
    const std::string off_by = deviations(mechanism, l);
    if (off_by.empty()) continue;
    names += (names.empty() ? "" : ", ") + std::string("'") + mechanism.loops[l].name + "'";
    where += (where.empty() ? "" : "; ") + off_by;
    straight.straighten(l);
  }
  if (names.empty()) return "";
  ScaledClosures closures(straight.mechanism());
  SpaceClosing motion(straight.mechanism(), found.q, closures);
  Assembly tried;
  tried.q = found.q;
  if (!close(motion, tried)) return "";
  return "loop " + names + " is redundant (overconstrained): it closes where the axes of its hinges are exactly parallel, and here " + where +
         "; write directions as 'axis' instead of angles, or angles with all their digits (\"pi/2\")";
}

}  // namespace jounce
