#include "jounce/analysis/assembly/misaligned.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "jounce/analysis/assembly/search.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/text.hpp"
#include "jounce/space/closures/loop_axes.hpp"
#include "jounce/space/closures/scaled_closures.hpp"
#include "jounce/space/motion/closing.hpp"
#include "jounce/space/size.hpp"

namespace jounce {
namespace {

/// Radians, and parts of the mechanism's size. Axes that are nearer are exact but for rounding; those that are farther were never meant to be parallel, or to meet.
constexpr double kExactAxis = 1e-14, kMeantParallel = 0.03, kMeantToMeet = 0.03;
/// Each makes what it looks at exact; the last ones only see rounding.
constexpr int kPasses = 3;
constexpr std::size_t kMostNamed = 6;

using Axes = Mat3<double>;
using Direction = Vec3<double>;

/// By how much a direction is not parallel to another one, whichever way they point; of a slide: not square to it.
double off(const LoopAxis& axis, const Direction& to) {
  const double across = length(cross(axis.direction, to)), along = std::abs(dot(axis.direction, to));
  return axis.slides ? std::atan2(along, across) : std::atan2(across, along);
}

/// What others have to be parallel to: what nothing but the body itself could turn.
const LoopAxis* reference_of(const AxisGroup& group) {
  const LoopAxis* out = nullptr;
  for (const LoopAxis& axis : group)
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
        const auto groups = loop_axes(mechanism_, loop);
        if (!groups) return;
        for (const AxisGroup& group : *groups)
          if (const LoopAxis* to = reference_of(group))
            for (const LoopAxis& axis : group)
              if (&axis != to && axis.slides == slides && !axis.handle.none()) turn(loop, axis, to->direction);
        rebuild();
      }
  }

  void shift(std::size_t loop_index, const LoopAxis& axis, const Vec3<double>& by) {
    if (axis.handle.joint >= 0) {
      SpaceJoint& joint = mechanism_.joints[z(axis.handle.joint)];
      links_[z(joint.links.first)].place.origin += by;
      joint.frame.origin += by;
    } else {
      SpaceLoop& loop = mechanism_.loops[loop_index];
      const SpaceBody& body = mechanism_.bodies[z(axis.handle.loop_side == 0 ? loop.i : loop.j)];
      (axis.handle.loop_side == 0 ? loop.frame_i : loop.frame_j).origin += in_axes(body.frame.axes, by);
    }
    rebuild();
  }

 private:
  void turn(std::size_t loop_index, const LoopAxis& axis, const Direction& to) {
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

std::string on_body(const SpaceMechanism& mechanism, int link) {
  const auto body = std::ranges::find(mechanism.bodies, link, &SpaceBody::link);
  return body == mechanism.bodies.end() ? "" : "on '" + body->name + "' ";
}

/// What is wrong with one loop, in words; empty where nothing is.
struct Found {
  std::string words;
  std::size_t named = 0;
  void add(const std::string& sentence) {
    if (++named <= kMostNamed) words += (words.empty() ? "" : "; ") + sentence;
  }
};

/// The axes that are nearly parallel; nothing where one was never meant to be.
std::string not_parallel(const SpaceMechanism& mechanism, const std::vector<AxisGroup>& groups) {
  Found out;
  for (const AxisGroup& group : groups) {
    const LoopAxis* to = reference_of(group);
    if (to == nullptr) continue;
    for (const LoopAxis& axis : group) {
      const double by = off(axis, to->direction);
      if (by > kMeantParallel) return "";
      if (&axis == to || by <= kExactAxis) continue;
      out.add(on_body(mechanism, axis.link) + "the axes of " + to->who + " and " + axis.who + " are " + short_number(by) + " rad from " +
              (axis.slides ? "square" : "parallel"));
    }
  }
  return out.words;
}

/// Where an axis has to go so that all of a loop meet in one point.
struct Shift {
  LoopAxis axis, other;
  Vec3<double> by;
};

// Around the loop from hinge to hinge: the point where they meet has the same place on an axis in both bodies.
std::optional<std::vector<Shift>> shifts_to_meet(const std::vector<AxisGroup>& groups, double size) {
  std::vector<Shift> out;
  double at_loop = 0, at = 0;  // the place of that point, along the axis of the loop and of the hinge that was met last
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].size() != 2 || off(groups[g][1], groups[g][0].direction) < kMeantParallel) return std::nullopt;
    const LoopAxis &a = groups[g][0], &b = groups[g][1];
    if (a.slides || b.slides || a.link != b.link) return std::nullopt;
    const auto on = [](const LoopAxis& axis, double place) { return axis.point + axis.direction * place; };
    const auto nearest = [](const LoopAxis& axis, const Vec3<double>& p) { return dot(p - axis.point, axis.direction); };
    if (g == 0) {  // the loop's own side gives way to the first hinge
      const Vec3<double> d = b.point - a.point;
      const double c = dot(a.direction, b.direction);
      at_loop = (dot(d, a.direction) - c * dot(d, b.direction)) / (1 - c * c);
      at = nearest(b, on(a, at_loop));
      out.push_back({a, b, on(b, at) - on(a, at_loop)});
    } else if (g + 1 == groups.size()) {
      out.push_back({b, a, on(a, at) - on(b, at_loop)});
    } else {
      const Vec3<double> met = on(a, at);
      at = nearest(b, met);
      const Vec3<double> by = met - on(b, at);
      out.push_back(b.handle.none() ? Shift{a, b, -by} : Shift{b, a, by});
    }
    if (length(out.back().by) > kMeantToMeet * size) return std::nullopt;
  }
  return out;
}

std::string not_meeting(const SpaceMechanism& mechanism, const std::vector<Shift>& shifts, double size) {
  Found out;
  for (const Shift& shift : shifts) {
    if (length(shift.by) <= kExactAxis * size) continue;
    const bool last = &shift == &shifts.back();
    out.add(on_body(mechanism, shift.axis.link) + (last ? "the axis of " + shift.axis.who + " misses the point where the others meet by "
                                                        : "the axes of " + shift.other.who + " and " + shift.axis.who + " miss each other by ") +
            short_number(length(shift.by)) + " m");
  }
  return out.words;
}

}  // namespace

std::string misaligned_axes(const SpaceMechanism& mechanism, const Assembly& found, const Stop& stop) {
  const double size = length_scale(mechanism);
  std::string out;
  Straightened straight(mechanism);
  for (std::size_t l = 0; l < mechanism.loops.size(); ++l) {
    const auto groups = loop_axes(mechanism, l);
    if (!groups) continue;
    const char* how = "are exactly parallel";
    std::string why = not_parallel(mechanism, *groups);
    if (!why.empty()) straight.straighten(l);
    else if (const auto shifts = shifts_to_meet(*groups, size)) {
      why = not_meeting(mechanism, *shifts, size);
      how = "meet exactly in one point";
      for (const Shift& shift : *shifts) straight.shift(l, shift.axis, shift.by);
    }
    if (why.empty()) continue;
    out += std::string(out.empty() ? "" : "; ") + "loop '" + mechanism.loops[l].name + "' is redundant (overconstrained): it closes where the axes of its hinges " + how +
           ", and here " + why;
  }
  if (out.empty()) return "";
  ScaledClosures closures(straight.mechanism());
  SpaceClosing motion(straight.mechanism(), found.q, closures);
  Assembly tried;
  tried.q = found.q;
  if (!close(motion, stop, tried)) return "";
  return out + "; write directions as 'axis' instead of angles, or numbers with all their digits (\"pi/2\")";
}

}  // namespace jounce
