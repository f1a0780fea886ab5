// Random planar mechanisms as text of model files, the same ones in every run; and the same mechanisms again as models of space.
//
// Bodies are drawn first, anywhere; joints are then written through points of the drawing, so that every mechanism assembles as drawn.
// Linkages grow from cranks by groups of bodies with as many equations as coordinates, shaped so that none is near a dead centre.
//
// The model of space lies in the x-y plane. Its tree, loops and couplings are chosen here and owe nothing to what the library makes of
// a planar joint graph; `coordinates` turns poses of bodies into coordinates of its joints.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "jounce/base/index.hpp"

namespace oracle {

/// Numbers that are the same on every machine, as long as no two are drawn in one expression.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  double between(double from, double to) { return from + (to - from) * static_cast<double>(next() >> 11U) * 0x1p-53; }
  double angle() { return between(-std::numbers::pi, std::numbers::pi); }
  /// Of either sign.
  double either(double from, double to) {
    const double size = between(from, to);
    return chance(0.5) ? size : -size;
  }
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  bool chance(double p) { return between(0, 1) < p; }
  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[static_cast<std::size_t>(below(static_cast<int>(i)))]);
  }

 private:
  std::uint64_t next() {  // splitmix64
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
  }
  std::uint64_t state_;
};

/// Of a body or of a frame on one; or their rates.
struct Pose {
  double x = 0, y = 0, phi = 0;
};

/// `local`, given in the axes of `on`, in the axes that `on` is given in.
inline Pose compose(const Pose& on, const Pose& local) {
  const double c = std::cos(on.phi), s = std::sin(on.phi);
  return {on.x + c * local.x - s * local.y, on.y + s * local.x + c * local.y, on.phi + local.phi};
}
inline Pose seen_from(const Pose& on, const Pose& world) {
  const double c = std::cos(on.phi), s = std::sin(on.phi), x = world.x - on.x, y = world.y - on.y;
  return {c * x + s * y, c * y - s * x, world.phi - on.phi};
}
/// The rates of a frame that is fixed in a body.
inline Pose rates_on(const Pose& body, const Pose& rates, const Pose& frame) {
  return {rates.x - rates.phi * (frame.y - body.y), rates.y + rates.phi * (frame.x - body.x), rates.phi};
}

/// What a joint allows. In the model of the plane: revolute, translational, weld, pin-in-slot, distance, parallel, nothing at all.
enum class Allows { turn, slide, nothing, slide_and_turn, two_turns, two_slides, everything };

/// A joint or a loop of the model of space. `frame_i` and `frame_j` are in the axes of the bodies; all of them move in the plane.
struct SpaceJoint {
  std::string name;
  Allows allows{};
  int i = 0, j = 0;  ///< parent and child, or both sides of a loop: body n is "bn", 0 the ground
  Pose frame_i, frame_j;
  double length = 0;  ///< of a rod; its pin on j is this far along the x axis of frame_j
  bool loop = false;
  std::vector<std::string> dofs = {};      ///< the keys of each dof
  std::string point_i = {}, point_j = {};  ///< of a loop: the points that have its frames

  [[nodiscard]] int freedoms() const {
    static constexpr std::array kFreedoms{1, 1, 0, 2, 2, 2, 3};
    return kFreedoms[static_cast<std::size_t>(allows)];
  }
  /// The point at which its force acts: where it can turn, there is no moment about it.
  [[nodiscard]] Pose place_on_j() const { return compose(frame_j, {length, 0, 0}); }
};

struct JointState {
  std::vector<double> q, v;
};

/// From poses and rates of the two bodies.
inline JointState coordinates(const SpaceJoint& joint, const Pose& i, const Pose& rates_i, const Pose& j, const Pose& rates_j) {
  const Pose at = compose(i, joint.frame_i), end = compose(j, joint.allows == Allows::two_turns ? joint.place_on_j() : joint.frame_j);
  const Pose at_rates = rates_on(i, rates_i, at), end_rates = rates_on(j, rates_j, end);
  const Pose d = seen_from(at, end);
  const double wx = end_rates.x - at_rates.x + at_rates.phi * (end.y - at.y);
  const double wy = end_rates.y - at_rates.y - at_rates.phi * (end.x - at.x);
  const Pose rate = seen_from({0, 0, at.phi}, {wx, wy, 0});
  const double turn = end.phi - at.phi, spin = rates_j.phi - rates_i.phi;
  switch (joint.allows) {
    case Allows::turn: return {{turn}, {spin}};
    case Allows::slide: return {{d.x}, {rate.x}};
    case Allows::nothing: return {};
    case Allows::slide_and_turn: return {{d.x, turn}, {rate.x, spin}};
    case Allows::two_slides: return {{d.x, d.y}, {rate.x, rate.y}};
    case Allows::everything: return {{turn, d.x, d.y}, {spin, rate.x, rate.y}};
    case Allows::two_turns: break;
  }
  const double first = std::atan2(d.y, d.x), first_rate = (d.x * rate.y - d.y * rate.x) / (d.x * d.x + d.y * d.y);
  return {{first, turn - first}, {first_rate, spin - first_rate}};
}

struct RandomMechanism {
  std::string title;
  std::string plane, space;        ///< model files; `space` is empty where something has no counterpart there
  std::vector<SpaceJoint> joints;  ///< of the model of space
  int freedom = 0;                 ///< degrees of freedom
  int surplus = 0;                 ///< planar equations that follow from others
  bool open = false;               ///< a tree without drivers and gears
};

class MechanismMaker {
 public:
  explicit MechanismMaker(std::uint64_t seed) : dice_(seed) { bodies_.resize(1); }

  /// Every body on the one before it.
  RandomMechanism chain() { return grow(2 + dice_.below(7), false), finish("chain"); }
  /// Every body on any body before it.
  RandomMechanism tree() { return grow(3 + dice_.below(8), true), finish("tree"); }
  /// Four-bars, slider-cranks, six-bars and beyond; scissors; parallelograms with cranks to spare.
  RandomMechanism linkage() {
    const int kind = dice_.below(10);
    if (kind == 0) return scissors(2 + dice_.below(4)), finish("scissors");
    if (kind == 1) return parallelogram(3 + dice_.below(2)), finish("parallelogram");
    const int number_of_cranks = 1 + dice_.below(3), groups = 1 + dice_.below(4);
    return linkage(number_of_cranks, groups);
  }
  /// With so many loops.
  RandomMechanism linkage(int number_of_cranks, int groups) {
    cranks(number_of_cranks);
    for (; groups > 0; --groups) add_group();
    return finish("linkage");
  }

 private:
  struct DrawnBody {
    Pose pose;
    std::vector<Pose> points;
  };
  // A pin, a slide or no joint at all, whose motion nothing decides yet.
  struct Idle {
    std::size_t joint;  // of joints_
    std::string from, to, point;  // of a slide: its line on i and its point on j
  };

  static std::string number(double x) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.17g", x);
    return text.data();
  }
  static std::string pair(double x, double y) { return "[" + number(x) + ", " + number(y) + "]"; }
  static std::string quoted(const std::string& text) { return "\"" + text + "\""; }
  static std::string line(const std::string& from, const std::string& to) { return "[" + quoted(from) + ", " + quoted(to) + "]"; }
  static std::string placement(const Pose& p) {
    return "{ xyz = [" + number(p.x) + ", " + number(p.y) + ", 0], rpy = [0, 0, " + number(p.phi) + "] }";
  }
  static std::string name(int body) { return body == 0 ? "ground" : "b" + std::to_string(body); }
  Pose& pose(int body) { return bodies_[jounce::z(body)].pose; }
  int count() const { return static_cast<int>(bodies_.size()) - 1; }
  int body_near(double x, double y) {
    bodies_.push_back({{x + dice_.between(-0.4, 0.4), y + dice_.between(-0.4, 0.4), dice_.angle()}, {}});
    return count();
  }
  /// A point of a body, with axes, where they are in the drawing.
  std::string point(int body, const Pose& world) {
    std::vector<Pose>& points = bodies_[jounce::z(body)].points;
    points.push_back(seen_from(pose(body), world));
    return name(body) + ".P" + std::to_string(points.size());
  }
  std::string line_on(int body, const Pose& world) {
    const std::string from = point(body, world);
    return line(from, point(body, compose(world, {dice_.between(0.3, 2), 0, 0})));
  }
  Pose somewhere_on(int body) { return compose(pose(body), {dice_.between(-0.6, 0.6), dice_.between(-0.6, 0.6), 0}); }

  // ---- joints ---------------------------------------------------------------------------------------------------------

  std::string next_name(const char* letter) { return letter + std::to_string(++names_); }
  void planar_joint(const std::string& called, const std::string& type, const std::string& a, const std::string& b, bool either_way) {
    const bool swap = either_way && dice_.chance(0.5);
    plane_joints_.push_back("[joints." + called + "]\ntype = \"" + type + "\"\ni = " + (swap ? b : a) + "\nj = " + (swap ? a : b) + "\n");
  }

  /// Body j on body i, with `at` the joint's frame on i and `to` that on j, both in the drawing.
  Idle join(Allows allows, int i, int j, const Pose& at, const Pose& to, bool loop, double length = 0) {
    SpaceJoint joint{next_name("j"), allows, i, j, seen_from(pose(i), at), seen_from(pose(j), to), length, loop};
    joint.dofs.resize(jounce::z(joint.freedoms()));
    freedom_ += loop ? joint.freedoms() - 3 : joint.freedoms();
    const std::string& called = joint.name;
    Idle idle{joints_.size(), "", "", ""};
    if (allows == Allows::turn) planar_joint(called, "revolute", quoted(point(i, at)), quoted(point(j, to)), true);
    if (allows == Allows::nothing) planar_joint(called, "weld", quoted(point(i, at)), quoted(point(j, to)), true);
    if (allows == Allows::two_slides) {
      const std::string on_i = line_on(i, at);
      planar_joint(called, "parallel", on_i, line_on(j, to), true);
    }
    if (allows == Allows::two_turns)
      planar_joint(called, "distance", quoted(point(i, at)), quoted(point(j, compose(to, {length, 0, 0}))), true);
    if (allows == Allows::slide || allows == Allows::slide_and_turn) {
      idle.from = point(i, at), idle.to = point(i, compose(at, {dice_.between(0.3, 2), 0, 0})), idle.point = point(j, to);
      const bool slide = allows == Allows::slide;
      const std::string other = slide ? line(idle.point, point(j, compose(to, {dice_.either(0.5, 1), 0, 0}))) : quoted(idle.point);
      plane_joints_.push_back("[joints." + called + "]\ntype = \"" + (slide ? "translational" : "pin-in-slot") + "\"\nslot = " +
                              line(idle.from, idle.to) + "\n" + (slide ? "slider = " : "pin = ") + other + "\n");
    }
    if (loop) joint.point_i = point(i, at), joint.point_j = point(j, to);
    joints_.push_back(joint);
    if (!loop && (allows == Allows::turn || allows == Allows::slide || allows == Allows::everything)) idle_.push_back(idle);
    return idle;
  }
  void pin(int i, int j, double x, double y, bool loop = false) {
    const double on_i = dice_.angle(), on_j = dice_.angle();
    join(Allows::turn, i, j, {x, y, on_i}, {x, y, on_j}, loop);
  }
  void slide(int i, int j, double x, double y, double direction, bool loop = false) {
    const Pose at{x, y, direction};
    join(Allows::slide, i, j, at, compose(at, {dice_.between(-0.5, 0.5), 0, 0}), loop);
  }
  /// A pin of j at (x, y) in a slot of i.
  Idle slot(int i, int j, double x, double y, double direction, bool loop) {
    const Pose at = compose({x, y, direction}, {dice_.between(-0.5, 0.5), 0, 0});
    return join(Allows::slide_and_turn, i, j, at, {x, y, dice_.angle()}, loop);
  }
  /// A rod of no mass from (x, y) of i.
  void rod(int i, int j, double x, double y, double direction, double length, bool loop) {
    const double back = dice_.angle();
    const Pose end = compose({x, y, direction}, {length, 0, 0});
    join(Allows::two_turns, i, j, {x, y, dice_.angle()}, compose({end.x, end.y, back}, {-length, 0, 0}), loop, length);
  }
  void guide(int i, int j, bool loop) {
    const double direction = dice_.angle();
    const Pose at = somewhere_on(i), to = somewhere_on(j);
    join(Allows::two_slides, i, j, {at.x, at.y, direction}, {to.x, to.y, direction}, loop);
  }

  JointState as_drawn(const SpaceJoint& joint) { return coordinates(joint, pose(joint.i), {}, pose(joint.j), {}); }

  // A dof that follows another, in the model of space.
  void couple(const std::string& called, const std::string& i, const std::string& j, double ratio, double qi, double qj) {
    couplings_.push_back("[couplings." + called + "]\ni = \"" + i + "\"\nj = \"" + j + "\"\nratio = " + number(ratio) +
                         "\noffset = " + number(qj - ratio * qi) + "\n");
    --freedom_;
    decided_ = true;
  }

  // A pin in a slot rolls along it, half of the time.
  void wheel(const Idle& track) {
    if (dice_.chance(0.5)) return;
    const SpaceJoint& joint = joints_[track.joint];
    const std::string called = next_name("roll");
    const double radius = dice_.either(0.1, 0.5);
    plane_joints_.push_back("[joints." + called + "]\ntype = \"rolling\"\nline = " + line(track.from, track.to) +
                            "\nwheel = \"" + track.point + "\"\nradius = " + number(radius) + "\n");
    const JointState state = as_drawn(joint);
    couple(called, joint.name + ".2", joint.name + ".1", radius, state.q[1], state.q[0]);
  }

  // ---- open mechanisms -------------------------------------------------------------------------------------------------

  void grow(int bodies, bool branched) {
    for (int n = 0; n < bodies; ++n) {
      const int on = branched ? dice_.below(n + 1) : n;
      const Pose at = on == 0 ? Pose{dice_.between(-1, 1), dice_.between(-1, 1), 0} : somewhere_on(on);
      const int body = body_near(at.x, at.y);
      const bool floats = n == 0 ? dice_.chance(0.3) : branched && on == 0 && dice_.chance(0.2);
      if (floats) join(Allows::everything, 0, body, {}, pose(body), false);
      else hang(on, body, at);
    }
    decide(branched ? 0.5 : 0.3);
  }

  void hang(int on, int body, const Pose& at) {
    const int kind = dice_.below(20);
    const double way = dice_.angle();
    if (kind < 10) pin(on, body, at.x, at.y);
    else if (kind < 13) slide(on, body, at.x, at.y, way);
    else if (kind < 15) join(Allows::nothing, on, body, {at.x, at.y, 0.4}, {at.x, at.y, 0.4}, false);
    else if (kind < 17) wheel(slot(on, body, at.x, at.y, way, false));
    else if (kind < 19) rod(on, body, at.x, at.y, way, dice_.between(0.3, 1), false);
    else guide(on, body, false);
  }

  // ---- linkages --------------------------------------------------------------------------------------------------------

  // On the ground, or on a body that floats.
  void cranks(int number) {
    const int base = dice_.chance(0.2) ? body_near(0, 0) : 0;
    if (base != 0) join(Allows::everything, 0, base, {}, pose(base), false);
    for (int n = 0; n < number; ++n) {
      const double x = 1.5 * n + dice_.between(-0.3, 0.3), y = dice_.between(-0.3, 0.3);
      const int crank = body_near(x, y);
      if (dice_.chance(0.8)) pin(base, crank, x, y);
      else slide(base, crank, x, y, dice_.angle());
    }
    decide(0.5);
    idle_.clear();  // what the groups to come decide is not free
  }

  // One or two bodies between two others, with as many equations as coordinates.
  void add_group() {
    const int u = 1 + dice_.below(count()), other = dice_.below(count()), w = other < u ? other : other + 1;
    const Pose a = somewhere_on(u);
    const double way = dice_.angle(), far = dice_.between(0.4, 1);
    const Pose b = compose({a.x, a.y, way}, {far, 0, 0});                           // from A
    const double bend = way + dice_.either(0.7, 2.4);               // the next arm, well off the first one's line
    const Pose c = compose({b.x, b.y, bend}, {dice_.between(0.4, 1), 0, 0});        // from B
    const double along = way + dice_.between(-0.8, 0.8);                            // a guide, well off the square
    const int cut = dice_.below(3), first = body_near(a.x, a.y), kind = dice_.below(7), second = kind < 5 ? body_near(b.x, b.y) : 0;
    pin(u, first, a.x, a.y, cut == 0);
    if (kind < 5) {  // two bars; a bar and a block on a guide; a bar that slides in a block that turns
      const auto middle = [&](int i, int j, bool loop) { kind == 4 ? slide(i, j, b.x, b.y, along, loop) : pin(i, j, b.x, b.y, loop); };
      if (cut == 0) middle(second, first, false);
      else middle(first, second, cut == 1);
      if (kind < 3) pin(w, second, c.x, c.y, cut == 2);
      else if (kind == 3) slide(w, second, b.x, b.y, along, cut == 2);
      else pin(w, second, b.x, b.y, cut == 2);
    } else if (kind == 6) {  // a bar held parallel
      guide(w, first, cut != 0);
    } else if (dice_.chance(0.5)) {  // a bar with a pin in a slot
      slot(w, first, b.x, b.y, along, cut != 0);
    } else {  // a bar on a rod
      rod(w, first, c.x, c.y, bend + std::numbers::pi, std::hypot(c.x - b.x, c.y - b.y), cut != 0);
    }
  }

  // Stages of crossed bars; the lowest two stand on a pin and in a slot of the ground.
  void scissors(int stages) {
    const auto corner = [&](double x, int level) { return Pose{x + dice_.between(-0.1, 0.1), 0.6 * level + dice_.between(-0.1, 0.1), 0}; };
    Pose left = corner(0, 0), right = corner(1, 0);
    int from_left = 0, from_right = 0;  // the bars below, by where they end at this level
    for (int level = 0; level < stages; ++level) {
      const Pose top_left = corner(0, level + 1), top_right = corner(1, level + 1);
      const int rising = body_near(left.x, left.y), falling = body_near(right.x, right.y);
      const double ax = top_right.x - left.x, ay = top_right.y - left.y, bx = top_left.x - right.x, by = top_left.y - right.y;
      const double s = ((right.x - left.x) * by - (right.y - left.y) * bx) / (ax * by - ay * bx);
      pin(from_left, rising, left.x, left.y);
      pin(rising, falling, left.x + s * ax, left.y + s * ay);
      if (level == 0) slot(0, falling, right.x, right.y, dice_.between(-0.3, 0.3), true);
      else pin(from_right, falling, right.x, right.y, true);
      from_left = falling, from_right = rising;  // the bar that rises from the left ends on the right
      left = top_left, right = top_right;
    }
    idle_.resize(1);
    decide(0.3);
  }

  // Equal cranks carry a platform; every one after the second adds an equation that says nothing new.
  void parallelogram(int cranks) {
    const double reach = dice_.between(0.3, 0.8), angle = dice_.angle(), shift_x = reach * std::cos(angle), shift_y = reach * std::sin(angle);
    const int platform = body_near(shift_x, shift_y);
    for (int n = 0; n < cranks; ++n) {
      const double turn = 2 * std::numbers::pi * n / cranks + dice_.between(-0.4, 0.4);
      const double x = 0.8 * std::cos(turn), y = 0.8 * std::sin(turn);
      const int crank = body_near(x, y);
      pin(0, crank, x, y);
      pin(crank, platform, x + shift_x, y + shift_y, n > 0);
    }
    surplus_ = cranks - 2;
    freedom_ += surplus_;
    idle_.resize(1);
    decide(0.3);
  }

  // ---- drivers and gears -----------------------------------------------------------------------------------------------

  std::string function(double first, const char* of, double second) {
    const double size = dice_.between(-first, first), swing = dice_.between(-second, second), beat = dice_.between(1, 3);
    return number(size) + of + number(swing) + "*sin(" + number(beat) + "*t)";
  }
  std::string motion() { return function(2, "*t + ", 0.5); }
  std::string wave() { return function(3, " + ", 3); }

  // Ties some of the joints whose motion is open to time, to each other or to the ground's axes.
  void decide(double each) {
    dice_.shuffle(idle_);
    while (!idle_.empty() && dice_.chance(each)) {
      const Idle one = idle_.back();
      idle_.pop_back();
      SpaceJoint& joint = joints_[one.joint];
      if (joint.allows == Allows::slide) drive_slide(joint, one);
      else if (joint.allows == Allows::everything) drive_coordinate(joint);
      else if (const int partner = find_partner(joint); partner >= 0 && dice_.chance(0.6)) gear(joint, jounce::z(partner));
      else if (dice_.chance(0.2)) cylinder(joint);
      else if (joint.i == 0 && dice_.chance(0.4)) tie_coordinate(joint);
      else drive_turn(joint);
      decided_ = true;
    }
  }
  void prescribe(SpaceJoint& joint, const std::string& f, std::size_t dof = 0) {
    joint.dofs[dof] += "motion = \"" + number(as_drawn(joint).q[dof]) + " + " + f + "\", ";
    --freedom_;
  }
  void drive_coordinate(SpaceJoint& joint) {
    static constexpr std::array kNames{".phi", ".x", ".y"};
    const std::string f = motion();
    const std::size_t dof = jounce::z(dice_.below(3));
    drivers_.push_back("[drivers." + next_name("d") + "]\ntype = \"coordinate\"\nj = \"" + name(joint.j) + kNames[dof] + "\"\nmotion = \"" +
                       f + "\"\n");
    prescribe(joint, f, dof);
  }
  void drive_slide(SpaceJoint& joint, const Idle& guide) {
    const std::string f = motion();
    drivers_.push_back("[drivers." + next_name("d") + "]\ntype = \"slot-distance\"\nline = " + line(guide.from, guide.to) + "\npoint = \"" +
                       guide.point + "\"\nmotion = \"" + number(as_drawn(joint).q[0]) + " + " + f + "\"\n");
    prescribe(joint, f);
  }
  void drive_turn(SpaceJoint& joint) {
    const std::string f = motion();
    drivers_.push_back("[drivers." + next_name("d") + "]\ntype = \"angle\"\ni = \"" + name(joint.i) + "\"\nj = \"" + name(joint.j) +
                       "\"\nmotion = \"" + f + "\"\n");
    prescribe(joint, f);
  }
  // The length between a point of i and a point of j; there is no such driver in space.
  void cylinder(const SpaceJoint& joint) {
    const Pose at = compose(pose(joint.i), joint.frame_i), p = compose(at, {0.6, 0, 0});
    const Pose q = compose({at.x, at.y, at.phi + dice_.either(1, 2)}, {0.5, 0, 0});
    drivers_.push_back("[drivers." + next_name("d") + "]\ntype = \"distance\"\ni = \"" + point(joint.i, p) + "\"\nj = \"" + point(joint.j, q) +
                       "\"\nmotion = \"" + number(std::hypot(q.x - p.x, q.y - p.y)) + " + 0.1*sin(" + number(dice_.between(1, 3)) + "*t)\"\n");
    --freedom_;
    in_space_ = false;
  }
  // A coordinate of a body on a pin of the ground is held, led, or follows another body's.
  void tie_coordinate(const SpaceJoint& joint) {
    const Pose at = compose(pose(joint.i), joint.frame_i), own = pose(joint.j);
    const std::string which = std::abs(own.y - at.y) > 0.15 ? ".x" : std::abs(own.x - at.x) > 0.15 ? ".y" : ".phi";
    const std::string led = "type = \"coordinate\"\nj = \"" + name(joint.j) + which + "\"\n";
    if (dice_.chance(0.5)) drivers_.push_back("[drivers." + next_name("d") + "]\n" + led + "motion = \"0.2*t + 0.1*sin(2*t)\"\n");
    else if (const int other = dice_.below(count() + 1); other == 0 || other == joint.j)
      plane_joints_.push_back("[joints." + next_name("c") + "]\n" + led);
    else plane_joints_.push_back("[joints." + next_name("c") + "]\n" + led + "i = \"" + name(other) + ".y\"\nratio = 0.05\n");
    --freedom_;
    in_space_ = false;
  }

  /// Another open pin on the same body, as a place in idle_.
  int find_partner(const SpaceJoint& joint) {
    for (std::size_t k = 0; k < idle_.size(); ++k) {
      const SpaceJoint& other = joints_[idle_[k].joint];
      if (other.allows == Allows::turn && other.i == joint.i) return static_cast<int>(k);
    }
    return -1;
  }
  void gear(const SpaceJoint& joint, std::size_t partner) {
    const SpaceJoint& other = joints_[idle_[partner].joint];
    idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(partner));
    const std::string called = next_name("gear");
    const double ratio = dice_.either(0.5, 2);
    plane_joints_.push_back("[joints." + called + "]\ntype = \"" + (joint.i == 0 ? "gear" : "gear-on-arm") + "\"\ni = \"" + name(joint.j) +
                            "\"\nj = \"" + name(other.j) + "\"\nratio = " + number(ratio) + "\n" +
                            (joint.i == 0 ? "" : "arm = \"" + name(joint.i) + "\"\n"));
    couple(called, joint.name, other.name, ratio, as_drawn(joint).q[0], as_drawn(other).q[0]);
  }

  // ---- forces ----------------------------------------------------------------------------------------------------------

  void add_forces() {
    for (int n = dice_.below(2 + count() / 2); n > 0; --n) {
      const int body = 1 + dice_.below(count());
      const int kind = dice_.below(4);
      if (kind == 0) point_force(body);
      else if (kind == 1) moment(body);
      else if (kind == 2) spring(body);
      else torsion_spring();
    }
  }
  void point_force(int body) {
    const std::string on = point(body, somewhere_on(body)), x = wave(), y = wave(), frame = dice_.chance(0.5) ? "body" : "ground";
    const std::string head = "[forces." + next_name("f") + "]\ntype = \"force\"\non = \"" + on + "\"\nframe = \"" + frame +
                             "\"\nvalue = [\"" + x + "\", \"" + y + "\"";
    plane_forces_.push_back(head + "]\n");
    space_forces_.push_back(head + ", \"0\"]\n");
  }
  void moment(int body) {
    const std::string head = "[forces." + next_name("f") + "]\ntype = \"moment\"\non = \"" + name(body) + "\"\nvalue = ", value = quoted(wave());
    plane_forces_.push_back(head + value + "\n");
    space_forces_.push_back(head + "[\"0\", \"0\", " + value + "]\n");
  }
  void spring(int body) {
    const int other = dice_.below(count()), on = other < body ? other : other + 1;
    const double way = dice_.angle(), length = dice_.between(0.3, 1);
    const Pose at = somewhere_on(body), to = compose({at.x, at.y, way}, {length, 0, 0});
    const double stiffness = dice_.between(1, 20), free = dice_.between(0.2, 0.8), damping = dice_.between(0, 2);
    const std::string actuator = dice_.chance(0.5) ? "actuator = \"0.8*sin(2*t) + l*v - 0.3*l^2\"\n" : "";
    plane_forces_.push_back("[forces." + next_name("f") + "]\ntype = \"spring\"\ni = \"" + point(body, at) + "\"\nj = \"" + point(on, to) +
                            "\"\nstiffness = " + number(stiffness) + "\nfree_length = " + number(free) + "\ndamping = " + number(damping) +
                            "\n" + actuator);
    space_forces_.push_back(plane_forces_.back());
  }
  // At a pin, where the model of space can have one too, with a motor half of the time.
  void torsion_spring() {
    SpaceJoint& joint = joints_[jounce::z(dice_.below(static_cast<int>(joints_.size())))];
    if (joint.loop || joint.allows != Allows::turn || joint.dofs[0].find("stiffness") != std::string::npos) return;
    const double stiffness = dice_.between(0.5, 5), damping = dice_.between(0, 0.5), rest = dice_.between(-1, 1);
    const bool motor = dice_.chance(0.5) && joint.dofs[0].find("motion") == std::string::npos;
    const std::string torque = motor ? wave() : "";
    plane_forces_.push_back("[forces." + next_name("f") + "]\ntype = \"torsion-spring\"\ni = \"" + name(joint.i) + "\"\nj = \"" + name(joint.j) +
                            "\"\nstiffness = " + number(stiffness) + "\ndamping = " + number(damping) + "\nfree_angle = " + number(rest) +
                            "\n" + (motor ? "actuator = \"" + torque + "\"\n" : ""));
    joint.dofs[0] += "stiffness = " + number(stiffness) + ", damping = " + number(damping) +
                     ", rest = " + number(rest + joint.frame_j.phi - joint.frame_i.phi) + ", " +
                     (motor ? "torque = \"-(" + torque + ")\", " : "");
  }

  // ---- the files -------------------------------------------------------------------------------------------------------

  RandomMechanism finish(const std::string& kind) {
    add_forces();
    bool closed = decided_ || !drivers_.empty();
    for (const SpaceJoint& joint : joints_) closed |= joint.loop;
    const double weight = dice_.between(2, 15), down = dice_.angle();
    const double gx = weight * std::cos(down), gy = weight * std::sin(down);
    RandomMechanism out{kind, "jounce = 1\ngravity = " + pair(gx, gy) + "\n", "", joints_, freedom_, surplus_, !closed};
    std::string space = "jounce = 1\nspace = \"3d\"\ngravity = [" + number(gx) + ", " + number(gy) + ", 0]\n";
    std::vector<int> order;
    for (int b = 1; b <= count(); ++b) order.push_back(b);
    dice_.shuffle(order);
    out.plane += "[ground]\n" + points(0, false), space += "[ground]\n" + points(0, true);
    for (const int b : order) write_body(b, out.plane, space);
    for (auto* list : {&plane_joints_, &drivers_, &plane_forces_}) write(*list, out.plane);
    std::vector<std::string> joints;
    for (const SpaceJoint& joint : joints_) joints.push_back(space_joint(joint));
    for (auto* list : {&joints, &couplings_, &space_forces_}) write(*list, space);
    if (in_space_) out.space = space;
    return out;
  }
  void write(std::vector<std::string>& list, std::string& file) {
    dice_.shuffle(list);
    for (const std::string& section : list) file += section;
  }
  std::string points(int body, bool space) {
    std::string out;
    int n = 0;
    for (const Pose& p : bodies_[jounce::z(body)].points)
      out += (n == 0 ? "" : ", ") + ("P" + std::to_string(n + 1)) + " = " + (space ? placement(p) : pair(p.x, p.y)), ++n;
    return n == 0 ? "" : "points = { " + out + " }\n";
  }
  void write_body(int body, std::string& plane, std::string& space) {
    const double mass = std::pow(10, dice_.between(-2, 1)), radius = dice_.between(0.15, 0.6), inertia = mass * radius * radius;
    const double com_x = dice_.between(-0.3, 0.3), com_y = dice_.between(-0.3, 0.3);
    const double vx = dice_.between(-1, 1), vy = dice_.between(-1, 1), spin = dice_.between(-2, 2);
    const std::string head = "[bodies." + name(body) + "]\nmass = " + number(mass) + "\n";
    const Pose& at = pose(body);
    plane += head + "inertia = " + number(inertia) + "\ncom = " + pair(com_x, com_y) + "\nposition = " + pair(at.x, at.y) + "\nangle = " +
             number(at.phi) + "\nvelocity = " + pair(vx, vy) + "\nspin = " + number(spin) + "\n" + points(body, false);
    space += head + "inertia = [" + number(0.7 * inertia) + ", " + number(0.6 * inertia) + ", " + number(inertia) + ", 0, 0, 0]\ncom = [" +
             number(com_x) + ", " + number(com_y) + ", 0]\n" + points(body, true);
  }

  std::string space_joint(const SpaceJoint& joint) {
    static constexpr std::array kTypes{"revolute", "prismatic", "fixed", "custom", "custom", "custom", "planar"};
    std::string out = (joint.loop ? "[loops." : "[joints.") + joint.name + "]\ntype = \"" + kTypes[static_cast<std::size_t>(joint.allows)] + "\"\n";
    if (joint.allows == Allows::slide) out += "axis = [1, 0, 0]\n";
    if (joint.allows == Allows::slide_and_turn) out += "screws = [[0, 0, 0, 1, 0, 0], [0, 0, 1, 0, 0, 0]]\n";
    if (joint.allows == Allows::two_slides) out += "screws = [[0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0]]\n";
    if (joint.allows == Allows::two_turns)  // about the frame's origin, then about a point that is `length` away
      out += "screws = [[0, 0, 1, 0, 0, 0], [0, 0, 1, 0, " + number(-joint.length) + ", 0]]\n";
    if (joint.loop)
      return out + "i = \"" + joint.point_i + "\"\nj = \"" + joint.point_j + "\"\n";
    out += "parent = \"" + name(joint.i) + "\"\nchild = \"" + name(joint.j) + "\"\norigin = " + placement(joint.frame_i) +
           "\nchild_origin = " + placement(joint.frame_j) + "\n";
    if (joint.freedoms() == 0) return out;
    const JointState state = as_drawn(joint);
    std::string q, dofs;
    for (std::size_t k = 0; k < state.q.size(); ++k) {
      q += (k == 0 ? "" : ", ") + number(state.q[k]);
      std::string keys = joint.dofs[k];
      if (!keys.empty()) keys.resize(keys.size() - 2);
      dofs += (k == 0 ? "{ " : ", { ") + keys + " }";
    }
    return out + "q = [" + q + "]\ndofs = [" + dofs + "]\n";
  }
  Dice dice_;
  std::vector<DrawnBody> bodies_;
  std::vector<SpaceJoint> joints_;
  std::vector<Idle> idle_;
  std::vector<std::string> plane_joints_, drivers_, plane_forces_, couplings_, space_forces_;
  int names_ = 0, freedom_ = 0, surplus_ = 0;
  bool in_space_ = true, decided_ = false;
};

}  // namespace oracle
