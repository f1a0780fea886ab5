// Joints as solids: a part on each of the two bodies.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "jounce/base/index.hpp"
#include "jounce/report/solids/skeleton.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce::solids {
namespace {

using std::numbers::pi;
using Symbol = DrawingSymbol;
using Role = Solid::Role;

constexpr double kClearance = 1.2;  // of a rail beyond its block, in units

Vec3<double> up(double height) { return {0, 0, height}; }

class Joints {
 public:
  Joints(const Skeleton& skeleton, std::vector<Solid>& out) : s_(skeleton), out_(out) {}

  void add(const Connection& one) {
    // where the model says what both bodies look like, their joint is in the picture already
    if (is_pictured(body(one.child)) && (is_pictured(body(one.parent)) || (one.parent == 0 && !one.loop))) return;
    u_ = one.unit;
    const std::string_view what = word(one.symbol);
    const bool lies_along = one.symbol == Symbol::hinge || one.symbol == Symbol::slide || one.symbol == Symbol::sleeve || one.symbol == Symbol::screw;
    const Frame<double> turn{lies_along ? along(one.axis) : identity3<double>(), {}};
    const Maker parent(out_, one.parent, Role::joint, one.parent_frame * turn, what), child(out_, one.child, Role::joint, one.child_frame * turn, what);
    switch (one.symbol) {
      case Symbol::hinge: return hinge(one, parent, child);
      case Symbol::slide: return slide(one, parent, child);
      case Symbol::sleeve: return sleeve(one, parent, child);
      case Symbol::screw: return screw(one, parent, child);
      case Symbol::universal: return universal(one, parent, child);
      case Symbol::gimbal: return gimbal(parent, child);
      case Symbol::ball: return ball(one, parent, child);
      case Symbol::rod: return parent.as(Role::bright).ball({}, 1.5 * u_), child.as(Role::bright).ball({}, 1.5 * u_);
      case Symbol::table: return table(one, parent, child);
      case Symbol::crossed_slides: return crossed(parent, child);
      case Symbol::weld: return parent.block({}, Vec3<double>{1, 1, 1} * (2.2 * u_));
      case Symbol::afloat: return triad(one, child);
      default: return parent.arc({}, {1, 0, 0}, {0, 1, 0}, 2.2 * u_, 0.4 * u_, 2 * pi), child.as(Role::bright).ball({}, 1.3 * u_);
    }
  }

  // A motor sits on the hinge of its two bodies, on the side of the one that carries it.
  void add_motor(const Scene::Element& motor) {
    const auto turns = [&](const Connection& one) {
      return one.symbol == Symbol::hinge && ((one.parent == motor.i && one.child == motor.j) || (one.parent == motor.j && one.child == motor.i));
    };
    const auto hinge = std::ranges::find_if(s_.connections, turns);
    if (hinge == s_.connections.end()) return;
    u_ = hinge->unit;
    const bool on_parent = hinge->parent == motor.i;
    const Frame<double>& frame = on_parent ? hinge->parent_frame : hinge->child_frame;
    const Maker make(out_, motor.i, Role::joint, frame * Frame<double>{along(hinge->axis), {}}, word(motor.symbol));
    const double from = hinge->shift - 2.2 * u_, to = from - 4.2 * u_;
    make.rod(up(from), up(to), 2.1 * u_);
    for (const double ring : {0.25, 0.5, 0.75}) make.arc(up(from + ring * (to - from)), up(1), {1, 0, 0}, 2.1 * u_, 0.16 * u_, 2 * pi);
    make.as(Role::bright).rod(up(to), up(to - 0.5 * u_), 1.3 * u_);
  }

 private:
  [[nodiscard]] const Scene::Body& body(int b) const { return s_.scene.bodies[z(b)]; }

  // A barrel with a pin through it, whose heads are seen on both sides.
  void hinge(const Connection& one, const Maker& parent, const Maker& child) const {
    double radius = 1.5 * u_, half = 1.6 * u_;
    double low = one.shift - half, high = one.shift + half;
    if (one.shift != 0) {  // around a shaft
      double inside = 0.9 * u_;
      const auto& shape = body(one.child).shape;
      if (shape && shape->kind == BodyShape::Kind::cylinder && length(shape->to - shape->from) > 2 * shape->radius) {
        radius = std::max(radius, shape->radius + 0.7 * u_);
        half = std::clamp(0.2 * length(shape->to - shape->from), u_, 2 * radius);
        low = one.shift - half, high = one.shift + half;
        inside = shape->radius;
      } else {
        radius = 1.9 * u_;
        child.rod(up(std::min(0.0, one.shift)), up(std::max(0.0, one.shift)), 0.9 * u_);
      }
      return parent.tube(up(low), up(high), radius, 1.02 * inside);
    }
    if (const auto [from, to] = common_reach(one); to - from > 2.5 * half) {  // a hinge of plates is as long as they are wide
      low = from, high = to;
      parent.rod(up(low), up(high), 0.9 * u_);
      return child.as(Role::bright).rod(up(low - 0.6 * u_), up(high + 0.6 * u_), 0.5 * u_);
    }
    parent.rod(up(low), up(high), radius);
    if (one.element->stiffness) torsion_spring(child.as(Role::bright), low, high, 1.28 * radius);
    const Maker pin = child.as(Role::bright);
    pin.rod(up(low - 0.25 * u_), up(high + 0.25 * u_), 0.62 * radius);
    for (const double end : {low - 0.5 * u_, high + 0.25 * u_}) pin.rod(up(end), up(end + 0.25 * u_), 0.85 * radius);
  }

  // Wound around the barrel, its two legs pointing outwards.
  void torsion_spring(const Maker& make, double low, double high, double radius) const {
    constexpr int kTurns = 4, kParts = 16;
    std::vector<Vec3<double>> wire{{1.9 * radius, 0, low}};
    for (int k = 0; k <= kTurns * kParts; ++k) {
      const SinCos<double> turn = sincos(2 * pi * k / kParts);
      wire.push_back({radius * turn.cos, radius * turn.sin, low + (high - low) * k / (kTurns * kParts)});
    }
    wire.push_back({1.9 * radius, 0, high});
    make.wire(std::move(wire), 0.2 * u_);
  }

  // Where the shapes of both bodies reach along the axis of a hinge, seen from it.
  [[nodiscard]] std::pair<double, double> common_reach(const Connection& one) const {
    const auto reach = [&](int b, const Frame<double>& frame) {
      std::pair<double, double> out{0, 0};
      bool first = true;
      const Vec3<double> axis = frame.axes * one.axis;
      for (const Vec3<double>& p : outline(body(b))) {
        const double at = dot(p - frame.origin, axis);
        out = first ? std::pair{at, at} : std::pair{std::min(out.first, at), std::max(out.second, at)};
        first = false;
      }
      return out;
    };
    const auto a = reach(one.parent, one.parent_frame), b = reach(one.child, one.child_frame);
    return {std::max(a.first, b.first), std::min(a.second, b.second)};
  }

  // ---- what slides ----

  // Whether the shape of a body is itself what the other slides on: it holds the axis all the way.
  [[nodiscard]] bool is_rail(int b, const Frame<double>& frame, const Vec3<double>& axis, double low, double high) const {
    const auto& shape = body(b).shape;
    if (!shape) return false;
    const Vec3<double> d = frame.axes * axis;
    double least = 1e300, most = -1e300;
    for (const Vec3<double>& p : outline(body(b))) least = std::min(least, dot(p - frame.origin, d)), most = std::max(most, dot(p - frame.origin, d));
    Vec3<double> aside = shape->centre - frame.origin;
    aside = aside - d * dot(aside, d);
    const double width = shape->kind == BodyShape::Kind::box ? 0.5 * std::min({shape->size.x, shape->size.y, shape->size.z}) : std::max(shape->radius, u_);
    return least <= low - 0.2 * u_ && most >= high + 0.2 * u_ && most - least > 6 * width && length(aside) <= width + 0.5 * u_;
  }

  // A strut: the parent ends in a pivot on the axis behind, the child in one on the axis ahead. Which way, or 0.
  [[nodiscard]] double strut(const Connection& one) const {
    if (one.parent == 0) return 0;
    const auto pivot = [&](int b, const Frame<double>& frame, double way) {
      const Vec3<double> axis = frame.axes * one.axis;
      return std::ranges::any_of(s_.connections, [&](const Connection& other) {
        if (&other == &one || (other.symbol != Symbol::ball && other.symbol != Symbol::universal && other.symbol != Symbol::hinge && other.symbol != Symbol::gimbal)) return false;
        const Vec3<double>* p = other.parent == b ? &other.parent_frame.origin : other.child == b ? &other.child_frame.origin : nullptr;
        if (p == nullptr) return false;
        const Vec3<double> d = *p - frame.origin;
        const double at = dot(d, axis);
        return length(d - axis * at) < u_ && way * at >= -u_;
      });
    };
    const double way = std::abs(one.low) < std::abs(one.high) ? 1 : -1;
    return pivot(one.parent, one.parent_frame, -way) && pivot(one.child, one.child_frame, way) ? way : 0;
  }

  // A cylinder whose rod goes into its tube, where there is room for the whole travel.
  bool telescope(const Connection& one, const Maker& parent, const Maker& child) const {
    const double way = strut(one);
    if (way == 0) return false;
    const double near = way > 0 ? one.low : -one.high, far = way > 0 ? one.high : -one.low, travel = far - near;
    const double gap = 2.4 * u_, overlap = 1.5 * u_;
    const double tube = near - gap;                                      // its end
    const double rod = std::min(near - 0.5 * u_, travel + overlap + gap);  // how long
    if (tube < 2 * u_ || far - rod > tube - 0.5 * overlap) return false;
    const Vec3<double> at = up(way);
    const bool parent_drawn = body(one.parent).shape.has_value(), child_drawn = body(one.child).shape.has_value();
    if (!parent_drawn) parent.rod(at * std::min(1.2 * u_, 0.2 * tube), at * tube, 1.55 * u_);
    if (!child_drawn) child.as(Role::bright).rod(at * -rod, {}, 0.75 * u_);
    // the gland at the end of the tube
    double end = tube, radius = 1.75 * u_;
    if (parent_drawn) {
      end = -1e300;
      const Vec3<double> axis = one.parent_frame.axes * one.axis * way;
      for (const Vec3<double>& p : outline(body(one.parent))) end = std::max(end, dot(p - one.parent_frame.origin, axis));
      radius = body(one.parent).shape->radius * 1.18;
      if (!(radius > 0) || end > near) return true;
    }
    parent.rod(at * (end - 1.2 * u_), at * end, radius);
    return true;
  }

  void slide(const Connection& one, const Maker& parent, const Maker& child) const {
    const auto spring = slide_spring(one);
    if (spring && spring->alone) return;
    if (telescope(one, parent, child)) return;
    const double half = 2.3 * u_;
    if (is_rail(one.child, one.child_frame, one.axis, -one.high, -one.low)) {  // the child slides through the parent
      return carriage(parent, half, 1.35 * u_ + width_of(one.child));
    }
    if (is_rail(one.parent, one.parent_frame, one.axis, one.low, one.high)) return carriage(child, half, 0.6 * u_ + width_of(one.parent));
    const double from = spring ? spring->seat : one.low + one.reach_low - kClearance * u_, to = one.high + one.reach_high + kClearance * u_;
    const Mat3<double> axes = along(one.axis);
    const Vec3<double> side = in_axes(axes, one.beside);
    parent.block(side + up((from + to) / 2), {1.5 * u_, 1.5 * u_, to - from});
    for (const double end : {from, to}) parent.block(side + up(end), {2.2 * u_, 2.2 * u_, 0.5 * u_});
    if (length(side) == 0) return carriage(child, half, 0.85 * u_);
    // two shoes that hold the block on its rail
    const Vec3<double> down = unit_vector(side);
    const Mat3<double> turned{cross(down, up(1)), down, up(1)};
    const double size = one.reach_high - one.reach_low;
    for (const double part : {0.2, 0.8})
      child.block(side - down * (0.45 * u_) + up(one.reach_low + part * size), {2.9 * u_, 2.1 * u_, 0.26 * size}, turned);
  }

  // Half the width of a body beside the axis of its rail.
  [[nodiscard]] double width_of(int b) const {
    const auto& shape = body(b).shape;
    if (!shape) return 0;
    if (shape->kind == BodyShape::Kind::box) return 0.5 * std::min({shape->size.x, shape->size.y, shape->size.z});
    return std::max(shape->radius, s_.unit);
  }
  // A square tube of four walls.
  void carriage(const Maker& on, double half, double inner) const {
    const double wall = 0.7 * u_, outer = inner + wall, middle = inner + wall / 2;
    for (const double side : {-1.0, 1.0}) {
      on.block({side * middle, 0, 0}, {wall, 2 * outer, 2 * half});
      on.block({0, side * middle, 0}, {2 * inner, wall, 2 * half});
    }
  }

  void sleeve(const Connection& one, const Maker& parent, const Maker& child) const {
    if (telescope(one, parent, child)) return;
    const double half = 2.3 * u_;
    if (!is_rail(one.parent, one.parent_frame, one.axis, one.low, one.high))
      parent.as(Role::bright).rod(up(one.low - half - kClearance * u_), up(one.high + half + kClearance * u_), 0.85 * u_);
    child.rod(up(-half), up(half), 1.7 * u_ + (body(one.parent).shape ? 0.3 * u_ : 0));
    for (const double end : {-half, half}) child.rod(up(end - 0.3 * u_), up(end + 0.3 * u_), 2.0 * u_);
  }

  // A screw whose threads rise as its joint does: a steep one has several, so that it is seen to be one.
  void screw(const Connection& one, const Maker& parent, const Maker& child) const {
    const double low = one.low - 3 * u_, high = one.high + 3 * u_, size = high - low;
    const double pitch = one.element->pitch.value_or(0);
    const double lead = pitch != 0 ? std::min(std::abs(2 * pi * pitch), 40 * size) : 1.6 * u_;
    const double rise = std::max({lead, 1.5 * u_, size / 60});  // a thread finer than can be seen is drawn coarser
    const int starts = std::clamp(static_cast<int>(std::lround(rise / (3 * u_))), 1, 4);
    const double turns = size / rise, hand = pitch < 0 ? -1 : 1;
    parent.rod(up(low), up(high), 1.05 * u_);
    for (int start = 0; start < starts; ++start) {
      std::vector<Vec3<double>> thread;
      const int parts = std::max(8, static_cast<int>(std::ceil(14 * turns)));
      for (int k = 0; k <= parts; ++k) {
        const SinCos<double> turn = sincos(2 * pi * (turns * k / parts + static_cast<double>(start) / starts));
        thread.push_back({1.1 * u_ * turn.cos, hand * 1.1 * u_ * turn.sin, low + size * k / parts});
      }
      parent.as(Role::bright).wire(std::move(thread), 0.3 * u_);
    }
    // the nut: six sides
    const double half = 1.5 * u_;
    std::vector<Vec3<double>> hexagon;
    for (int k = 0; k < 6; ++k) {
      const SinCos<double> turn = sincos(pi * k / 3);
      hexagon.push_back({2.7 * u_ * turn.cos, 2.7 * u_ * turn.sin, 0});
    }
    child.plate(std::move(hexagon), up(1), half);
  }

  // ---- what turns about several axes ----

  // Half of a Hooke joint: two bearings on an axis, an arc that joins them, and a neck; `back` is where its body lies.
  void fork(const Maker& make, const Vec3<double>& axis, const Vec3<double>& back) const {
    const double arm = 2.15 * u_;
    const Maker metal = make;
    for (const double side : {-1.0, 1.0}) metal.rod(axis * (side * (arm - 0.45 * u_)), axis * (side * (arm + 0.45 * u_)), 0.95 * u_);
    const Vec3<double> normal = cross(axis, back);
    metal.arc({}, normal, axis, arm, 0.55 * u_, pi);
    metal.rod(back * arm, back * (3.1 * u_), 0.9 * u_);
  }

  // Which way the body lies from a joint, square to an axis of it, in the joint's frame.
  [[nodiscard]] Vec3<double> backwards(int b, const Frame<double>& frame, const Vec3<double>& axis, const Vec3<double>& otherwise) const {
    Vec3<double> to{};
    const Bone& bone = s_.bones[z(b)];
    const auto& own = body(b);
    if (own.com && length(*own.com - frame.origin) > 2 * u_) to = *own.com - frame.origin;
    else
      for (const Node& n : bone.nodes)
        if (length(n.p - frame.origin) > length(to)) to = n.p - frame.origin;
    Vec3<double> local = in_axes(frame.axes, to);
    local = local - axis * dot(axis, local);
    return length(local) > 0.3 * length(to) && length(to) > 0 ? unit_vector(local) : otherwise;
  }

  void universal(const Connection& one, const Maker& parent, const Maker& child) const {
    fork(parent, {1, 0, 0}, backwards(one.parent, one.parent_frame, {1, 0, 0}, {0, 0, -1}));
    fork(child, {0, 1, 0}, backwards(one.child, one.child_frame, {0, 1, 0}, {0, 0, 1}));
    // the cross turns about x of the parent and carries y of the child: it is drawn as half of each
    const Maker one_pin = parent.as(Role::bright), other_pin = child.as(Role::bright);
    one_pin.rod({-2.7 * u_, 0, 0}, {2.7 * u_, 0, 0}, 0.55 * u_);
    other_pin.rod({0, -2.7 * u_, 0}, {0, 2.7 * u_, 0}, 0.55 * u_);
    other_pin.ball({}, 0.95 * u_);
  }

  void gimbal(const Maker& parent, const Maker& child) const {
    parent.arc({}, {0, 1, 0}, {1, 0, 0}, 3 * u_, 0.4 * u_, 2 * pi);
    parent.rod(up(-3 * u_), up(3 * u_), 0.35 * u_);
    child.arc({}, {1, 0, 0}, {0, 1, 0}, 2.1 * u_, 0.4 * u_, 2 * pi);
    child.as(Role::bright).ball({}, 1.1 * u_);
  }

  // A ball in its socket: the socket opens away from the body that has it; on the ground, towards the other.
  void ball(const Connection& one, const Maker& parent, const Maker& child) const {
    Vec3<double> opening{};
    if (one.parent > 0) {
      const auto& com = body(one.parent).com;
      const Vec3<double> from = com.value_or(s_.bones[z(one.parent)].hub);
      opening = in_axes(one.parent_frame.axes, one.parent_frame.origin - from);
    } else {
      const BodyPoses& start = s_.motion.front();
      const Vec3<double> towards = start[z(one.child)] * body(one.child).com.value_or(Vec3<double>{});
      opening = in_axes(one.parent_frame.axes, towards - one.parent_frame.origin);
    }
    parent.socket({}, 1.95 * u_, unit_vector(opening));
    child.as(Role::bright).ball({}, 1.6 * u_);
  }

  // A foot on a table that is as large as the way of the foot.
  void table(const Connection& one, const Maker& parent, const Maker& child) const {
    Vec3<double> low{-3 * u_, -3 * u_, 0}, high{3 * u_, 3 * u_, 0};
    for (const BodyPoses& poses : s_.motion) {
      const Frame<double> frame = poses[z(one.parent)] * one.parent_frame;
      const Vec3<double> p = in_axes(frame.axes, poses[z(one.child)] * one.child_frame.origin - frame.origin);
      if (!is_finite(p)) continue;
      low = {std::min(low.x, p.x - 3 * u_), std::min(low.y, p.y - 3 * u_), 0};
      high = {std::max(high.x, p.x + 3 * u_), std::max(high.y, p.y + 3 * u_), 0};
    }
    const Vec3<double> middle = (low + high) * 0.5;
    parent.as(one.parent == 0 ? Role::ground : Role::body).block({middle.x, middle.y, -0.2 * u_}, {high.x - low.x, high.y - low.y, 0.3 * u_});
    child.rod(up(0), up(0.7 * u_), 1.8 * u_);
    child.as(Role::bright).ball(up(1.0 * u_), 0.9 * u_);
  }

  // Three crossed bars, and a block that slides along them.
  void crossed(const Maker& parent, const Maker& child) const {
    for (const Vec3<double>& e : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}}) parent.rod(e * (-3.5 * u_), e * (3.5 * u_), 0.4 * u_);
    child.block({}, Vec3<double>{1, 1, 1} * (2.4 * u_));
  }

  // The axes of a body that nothing holds, where it has no other sign of how it is turned.
  void triad(const Connection& one, const Maker& child) const {
    const Scene::Body& own = body(one.child);
    if (own.shape || is_pictured(own) || !s_.bones[z(one.child)].nodes.empty()) return;
    const double l = 4.5 * u_;
    for (const Vec3<double>& e : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}}) {
      child.rod({}, e * l, 0.2 * u_);
      child.rod(e * l, e * (1.3 * l), 0.5 * u_, 0);
    }
  }

  const Skeleton& s_;
  std::vector<Solid>& out_;
  double u_ = 0;  // of the joint at hand
};

}  // namespace

void add_joints(const Skeleton& skeleton, std::vector<Solid>& out) {
  Joints joints(skeleton, out);
  for (const Connection& one : skeleton.connections) joints.add(one);
  for (const Scene::Element& e : skeleton.scene.elements)
    if (e.group == Group::force && e.symbol == Symbol::turn) joints.add_motor(e);
}

}  // namespace jounce::solids
