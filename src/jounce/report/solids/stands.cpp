// What the ground is where it holds something: a stand under each joint that the floor is near to, else a bracket; or a plate where several lie side by side.
#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/report/solids/skeleton.hpp"

namespace jounce::solids {
namespace {

using Symbol = DrawingSymbol;

constexpr double kFoot = 3, kPlate = 0.7;  // how high the lowest column is, and its plate, in units

struct Foot {
  const Connection* joint = nullptr;
  Vec3<double> p;  ///< on the ground
};

// Where the ground holds something from: below, or above what hangs.
struct Stand {
  Vec3<double> top;
  bool hangs = false, rail = false;
};

class Stands {
 public:
  Stands(const Skeleton& skeleton, std::vector<Solid>& out)
      : s_(skeleton), make_(out, 0, Solid::Role::ground), up_(skeleton.scene.up), u_(1.2 * skeleton.unit), floor_(skeleton.scene.floor) {}

  // Gives how high the floor is then.
  double add() {
    std::vector<Foot> feet;
    for (const Connection& one : s_.connections) {
      const bool is_parent = one.parent == 0;
      if (!one.loop && is_pictured(s_.scene.bodies[z(one.child)])) continue;  // a robot stands on its own foot
      if ((!is_parent && one.child != 0) || one.symbol == Symbol::afloat || one.symbol == Symbol::table) continue;
      const Frame<double>& frame = is_parent ? one.parent_frame : one.child_frame;
      const Vec3<double> p = frame.origin + frame.axes * one.axis * (is_parent ? one.shift : 0);
      if (one.symbol == Symbol::slide || one.symbol == Symbol::sleeve || one.symbol == Symbol::screw) {
        add_rail(one, frame);
        continue;
      }
      if (std::ranges::none_of(feet, [&](const Foot& other) { return length(other.p - p) < 0.5 * u_; })) feet.push_back({&one, p});
    }
    if (!is_pictured(s_.scene.bodies.front()) && (feet.size() < 3 || !add_plate(feet)))
      for (const Foot& foot : feet) add_stand(foot);
    const auto high = std::stable_partition(stands_.begin(), stands_.end(), [&](const Stand& stand) { return is_near_floor(stand); });
    std::for_each(high, stands_.end(), [&](const Stand& stand) { bracket(stand); });
    stands_.erase(high, stands_.end());
    for (const Stand& stand : stands_) floor_ = std::min(floor_, dot(stand.top, up_) - (kFoot + kPlate) * u_);  // what is held at the floor stands on it, too
    for (const Stand& stand : stands_) column(stand);
    return floor_;
  }

 private:
  // Three joints or more in a level plane stand on one plate.
  bool add_plate(const std::vector<Foot>& feet) {
    std::vector<Vec3<double>> places(feet.size());
    std::ranges::transform(feet, places.begin(), &Foot::p);
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

  // Whether what a joint holds hangs below it, taken over the motion.
  [[nodiscard]] bool hangs(const Connection& one, const Vec3<double>& p) const {
    const int child = one.parent == 0 ? one.child : one.parent;
    double height = 0, size = 0;
    for (const BodyPoses& poses : s_.motion) {
      const auto take = [&](const Vec3<double>& at) {
        const Vec3<double> arm = poses[z(child)] * at - p;
        if (is_finite(arm)) height += dot(arm, up_), size += length(arm);
      };
      for (const Node& n : s_.bones[z(child)].nodes) take(n.p);
      if (const auto& com = s_.scene.bodies[z(child)].com) take(*com);
    }
    return height < -0.5 * size;
  }

  void add_stand(const Foot& foot) {
    const Frame<double>& frame = foot.joint->parent == 0 ? foot.joint->parent_frame : foot.joint->child_frame;
    const Vec3<double> axis = frame.axes * foot.joint->axis;
    // a bearing around an upright shaft is held from beside it
    if (foot.joint->shift != 0 && std::abs(dot(axis, up_)) > 0.6) {
      const Vec3<double> beside = across(up_).second;
      const double radius = radius_around(*foot.joint);
      const Vec3<double> top = foot.p + beside * (radius + 3 * u_);
      make_.rod(foot.p + beside * radius, top, 0.9 * u_);
      make_.ball(top, 0.9 * u_);
      return stands_.push_back({top});
    }
    stands_.push_back({foot.p, hangs(*foot.joint, foot.p)});
  }

  // Where a bearing ends that lies around a shaft.
  [[nodiscard]] double radius_around(const Connection& one) const {
    const auto& shape = s_.scene.bodies[z(one.parent == 0 ? one.child : one.parent)].shape;
    return shape && shape->kind == BodyShape::Kind::cylinder && length(shape->to - shape->from) > 2 * shape->radius ? shape->radius + 0.5 * one.unit : 1.6 * one.unit;
  }

  // A rail rests on its two ends.
  void add_rail(const Connection& one, const Frame<double>& frame) {
    if (one.parent != 0) return;
    const auto spring = slide_spring(one);
    if (spring && spring->alone) return stands_.push_back({frame.origin, hangs(one, frame.origin)});
    const Vec3<double> axis = frame.axes * one.axis, base = frame.origin + frame.axes * one.beside;
    const double from = spring ? spring->seat : one.low + one.reach_low - 0.4 * one.unit, to = one.high + one.reach_high + 0.4 * one.unit;
    const bool upright = std::abs(dot(axis, up_)) > 0.8;  // it stands on one of them
    const bool first_below = dot(axis, up_) > 0;
    if (!upright || first_below) stands_.push_back({base + axis * from, false, true});
    if (!upright || !first_below) stands_.push_back({base + axis * to, false, true});
  }

  [[nodiscard]] bool is_near_floor(const Stand& stand) const {
    return !stand.hangs && dot(stand.top, up_) - floor_ < (stand.rail ? 0.5 : 0.8) * s_.mechanism;
  }

  // To the floor, on a plate.
  void column(const Stand& stand) {
    const Vec3<double> end = stand.top - up_ * (dot(stand.top, up_) - floor_ - kPlate * u_);
    const double wide = stand.rail ? 5 : 7.5;
    post(stand, end);
    make_.block(end - up_ * (kPlate / 2 * u_), {wide * u_, wide * u_, kPlate * u_}, along(up_));
  }
  // Away from the body.
  void bracket(const Stand& stand) { post(stand, stand.top + up_ * ((stand.hangs ? 1 : -1) * kFoot * u_)); }
  void post(const Stand& stand, const Vec3<double>& end) { make_.rod(end, stand.top, (stand.rail ? 1.2 : 1.9) * u_, (stand.rail ? 0.9 : 1.2) * u_); }

  const Skeleton& s_;
  Maker make_;
  Vec3<double> up_;
  double u_, floor_;
  std::vector<Stand> stands_;
};

}  // namespace

double add_stands(const Skeleton& skeleton, std::vector<Solid>& out) { return Stands(skeleton, out).add(); }

}  // namespace jounce::solids
