#include "jounce/space/closures/loop_axes.hpp"

#include <algorithm>

#include "jounce/base/index.hpp"

namespace jounce {
namespace {

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

class AxesAround {
 public:
  AxesAround(const SpaceMechanism& mechanism, std::size_t loop) : mechanism_(mechanism), loop_(loop) {}

  /// All axes around the loop, group by group; nothing where it is no loop of axes, or closed by what only slides.
  [[nodiscard]] std::optional<std::vector<AxisGroup>> groups() const;

 private:
  [[nodiscard]] const SpaceJoint* joint_of_link(int link) const;
  [[nodiscard]] std::vector<const SpaceJoint*> up_from(int body) const;
  [[nodiscard]] Freedom freedom(const SpaceJoint& joint) const;
  [[nodiscard]] LoopAxis side_of_loop(int side, const Axes& in_group) const;
  [[nodiscard]] LoopAxis on_parent(const SpaceJoint& joint, const Axes& in_group) const;
  [[nodiscard]] LoopAxis on_child(const SpaceJoint& joint, const Axes& in_group) const;
  [[nodiscard]] Axes child_in_parent(const SpaceJoint& joint) const;
  [[nodiscard]] int parent_link(const SpaceJoint& joint) const { return mechanism_.tree.link(joint.links.first).parent; }

  const SpaceMechanism& mechanism_;
  std::size_t loop_;
};

const SpaceJoint* AxesAround::joint_of_link(int link) const {
  const auto has = [&](const SpaceJoint& joint) { return joint.links.dofs > 0 && joint.links.first <= link && link <= joint.links.last; };
  const auto it = std::ranges::find_if(mechanism_.joints, has);
  return it == mechanism_.joints.end() ? nullptr : &*it;
}

std::vector<const SpaceJoint*> AxesAround::up_from(int body) const {
  std::vector<const SpaceJoint*> out;
  for (int link = mechanism_.bodies[z(body)].link; link != tree::kGround;) {
    const SpaceJoint* joint = joint_of_link(link);
    if (joint == nullptr) break;
    out.push_back(joint);
    link = parent_link(*joint);
  }
  return out;
}

Freedom AxesAround::freedom(const SpaceJoint& joint) const {
  Freedom out;
  for (int link = joint.links.first; link <= joint.links.last; ++link) add_freedom(out, freedom_of(mechanism_.tree.link(link).motion));
  return out;
}

LoopAxis AxesAround::side_of_loop(int side, const Axes& in_group) const {
  const SpaceLoop& loop = mechanism_.loops[loop_];
  const SpaceBody& body = mechanism_.bodies[z(side == 0 ? loop.i : loop.j)];
  const Direction own = loop.steps.empty() ? Direction{0, 0, 1} : loop.steps[0].axis;
  const Direction in_link = body.frame.axes * ((side == 0 ? loop.frame_i : loop.frame_j).axes * own);
  const Vec3<double> point = body.frame * (side == 0 ? loop.frame_i : loop.frame_j).origin;
  return {in_group * in_link, point, false, "loop '" + loop.name + "'", body.link, in_group, {-1, side}};
}

LoopAxis AxesAround::on_parent(const SpaceJoint& joint, const Axes& in_group) const {
  const int index = static_cast<int>(&joint - mechanism_.joints.data());
  const Direction axis = mechanism_.tree.link(joint.links.first).place.axes.z;
  return {in_group * axis, joint.frame.origin, freedom(joint).turning == 0, "joint '" + joint.name + "'", parent_link(joint), in_group, {index, -1}};
}

LoopAxis AxesAround::on_child(const SpaceJoint& joint, const Axes& in_group) const {
  const Direction in_joint = in_axes(joint.frame.axes, mechanism_.tree.link(joint.links.first).place.axes.z);
  const Direction in_last = joint.links.successor.axes * in_joint;
  return {in_group * in_last, joint.links.successor.origin, false, "joint '" + joint.name + "'", joint.links.last, in_group, {}};
}

Axes AxesAround::child_in_parent(const SpaceJoint& joint) const {
  Axes out = mechanism_.tree.link(joint.links.first).place.axes;
  for (int link = joint.links.first + 1; link <= joint.links.last; ++link) out = out * mechanism_.tree.link(link).place.axes;
  return out;
}

std::optional<std::vector<AxisGroup>> AxesAround::groups() const {
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

}  // namespace

std::optional<std::vector<AxisGroup>> loop_axes(const SpaceMechanism& mechanism, std::size_t loop) { return AxesAround(mechanism, loop).groups(); }

}  // namespace jounce
