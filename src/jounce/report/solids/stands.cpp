// What the ground is where it holds something: a stand under each joint, or a plate where several lie side by side.
#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/report/solids/skeleton.hpp"

namespace jounce::solids {
namespace {

using Symbol = DrawingSymbol;

struct Foot {
  const Connection* joint = nullptr;
  Vec3<double> p;  ///< on the ground
};

class Stands {
 public:
  Stands(const Skeleton& skeleton, std::vector<Solid>& out)
      : s_(skeleton), make_(out, 0, Solid::Role::ground), up_(skeleton.scene.up), u_(1.2 * skeleton.unit) {}

  void add() {
    std::vector<Foot> feet;
    for (const Connection& one : s_.connections) {
      const bool is_parent = one.parent == 0;
      if (!one.loop && is_pictured(s_.scene.bodies[z(one.child)])) continue;  // a robot stands on its own foot
      if ((!is_parent && one.child != 0) || one.symbol == Symbol::afloat || one.symbol == Symbol::table) continue;
      const Frame<double>& frame = is_parent ? one.parent_frame : one.child_frame;
      const Vec3<double> p = frame.origin + frame.axes * one.axis * (is_parent ? one.shift : 0);
      if (one.symbol == Symbol::slide || one.symbol == Symbol::sleeve || one.symbol == Symbol::screw) {
        add_rail_feet(one, frame);
        continue;
      }
      if (std::ranges::none_of(feet, [&](const Foot& other) { return length(other.p - p) < 0.5 * u_; })) feet.push_back({&one, p});
    }
    if (is_pictured(s_.scene.bodies.front())) return;
    if (feet.size() >= 3 && add_plate(feet)) return;
    for (const Foot& foot : feet) add_stand(foot);
  }

 private:
  // Three joints or more in a level plane stand on one plate.
  bool add_plate(const std::vector<Foot>& feet) {
    std::vector<Vec3<double>> places;
    for (const Foot& foot : feet) places.push_back(foot.p);
    const auto normal = common_plane(places, 0.3 * u_);
    if (!normal || std::abs(dot(*normal, up_)) < 0.999) return false;
    const double side = hangs(*feet.front().joint, feet.front().p) ? 1 : -1;
    const double below = 2.6 * u_;
    for (Vec3<double>& p : places) {
      make_.rod(p + up_ * (side * below), p, 1.5 * u_, 1.0 * u_);
      p += up_ * (side * (below + 0.4 * u_));
    }
    make_.plate(rounded_hull(places, up_, 4 * u_), up_, 0.4 * u_);
    return true;
  }

  // Whether what a joint holds hangs below it.
  [[nodiscard]] bool hangs(const Connection& one, const Vec3<double>& p) const {
    const int child = one.parent == 0 ? one.child : one.parent;
    const Frame<double>& pose = s_.motion.front()[z(child)];
    double height = 0, size = 0;
    const auto take = [&](const Vec3<double>& at) {
      const Vec3<double> arm = pose * at - p;
      height += dot(arm, up_), size += length(arm);
    };
    for (const Node& n : s_.bones[z(child)].nodes) take(n.p);
    if (const auto& com = s_.scene.bodies[z(child)].com) take(*com);
    return height < -0.5 * size;
  }

  // A column to the floor where that is near, else a plate that holds the joint from the side away from its body.
  void add_stand(const Foot& foot) {
    const bool hanging = hangs(*foot.joint, foot.p);
    const Frame<double>& frame = foot.joint->parent == 0 ? foot.joint->parent_frame : foot.joint->child_frame;
    const Vec3<double> axis = frame.axes * foot.joint->axis;
    // a bearing around an upright shaft is held from beside it
    if (foot.joint->shift != 0 && std::abs(dot(axis, up_)) > 0.6) {
      const Vec3<double> beside = across(up_).second;
      const double radius = radius_around(*foot.joint);
      const Vec3<double> top = foot.p + beside * (radius + 3 * u_);
      make_.rod(foot.p + beside * radius, top, 0.9 * u_);
      make_.ball(top, 0.9 * u_);
      return column(top, false);
    }
    column(foot.p, hanging);
  }

  // Where a bearing ends that lies around a shaft.
  [[nodiscard]] double radius_around(const Connection& one) const {
    const auto& shape = s_.scene.bodies[z(one.parent == 0 ? one.child : one.parent)].shape;
    return shape && shape->kind == BodyShape::Kind::cylinder && length(shape->to - shape->from) > 2 * shape->radius ? shape->radius + 0.5 * one.unit : 1.6 * one.unit;
  }

  void column(const Vec3<double>& top, bool hanging) {
    const double side = hanging ? 1 : -1, to_floor = dot(top, up_) - s_.scene.floor;
    const double far = !hanging && to_floor > 3 * u_ && to_floor < 0.8 * s_.mechanism ? to_floor - 0.7 * u_ : 3 * u_;
    const Vec3<double> end = top + up_ * (side * far);
    make_.rod(end, top, 1.9 * u_, 1.2 * u_);
    make_.block(end + up_ * (side * 0.35 * u_), {7.5 * u_, 7.5 * u_, 0.7 * u_}, along(up_));
  }

  // A rail rests on its two ends.
  void add_rail_feet(const Connection& one, const Frame<double>& frame) {
    if (one.parent != 0) return;
    const auto spring = slide_spring(one);
    if (spring && spring->alone) return column(frame.origin, hangs(one, frame.origin));
    const Vec3<double> axis = frame.axes * one.axis, base = frame.origin + frame.axes * one.beside;
    const double from = spring ? spring->seat : one.low + one.reach_low - 0.4 * one.unit, to = one.high + one.reach_high + 0.4 * one.unit;
    const auto stand = [&](double at) {
      const Vec3<double> p = base + axis * at;
      const double to_floor = dot(p, up_) - s_.scene.floor;
      const double far = to_floor > 3 * u_ && to_floor < 0.5 * s_.mechanism ? to_floor - 0.7 * u_ : 3 * u_;
      make_.rod(p - up_ * far, p, 1.2 * u_, 0.9 * u_);
      make_.block(p - up_ * (far + 0.35 * u_), {5 * u_, 5 * u_, 0.7 * u_}, along(up_));
    };
    if (std::abs(dot(axis, up_)) > 0.8) return stand(dot(axis, up_) > 0 ? from : to);  // upright: it stands on one of them
    stand(from);
    stand(to);
  }

  const Skeleton& s_;
  Maker make_;
  Vec3<double> up_;
  double u_;
};

}  // namespace

void add_stands(const Skeleton& skeleton, std::vector<Solid>& out) { Stands(skeleton, out).add(); }

}  // namespace jounce::solids
