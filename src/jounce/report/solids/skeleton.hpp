// What the solids of a mechanism are made from: its connections, and for each body the places where something happens.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "jounce/report/solids/furnish.hpp"

namespace jounce::solids {

/// A joint or a loop: the same joint frame seen from its two bodies.
struct Connection {
  const Scene::Element* element = nullptr;
  DrawingSymbol symbol{};
  bool loop = false;
  int parent = 0, child = 0;
  Frame<double> parent_frame, child_frame;
  Vec3<double> axis{0, 0, 1};  ///< in the joint frame
  double low = 0, high = 0;    ///< how far the child goes along the axis during the motion
  double unit = 0;             ///< what its solids go by: the radius of a link beside it
  double reach_low = 0, reach_high = 0;  ///< of what slides: how far its block goes along the axis, seen from the child's frame
  Vec3<double> beside;         ///< of what slides: where its rail lies, seen from the joint, in the joint frame
  double shift = 0;            ///< of a hinge: its bearing lies this far along the axis, out of the way of what else is there
};

/// A place of a body.
struct Node {
  Vec3<double> p;
  double inset = 0;    ///< a link ends this far before it
  bool joint = false;
};

struct Bone {
  Vec3<double> hub;          ///< where the body hangs
  bool hangs = false;        ///< by a joint that holds it
  std::vector<Node> nodes;   ///< joints, loops and named points, each place once; the hub first where the body hangs
  double thick = 0;          ///< the radius of its links
};

struct Skeleton {
  const Scene& scene;
  std::span<const BodyPoses> motion;
  std::vector<Connection> connections;
  std::vector<Bone> bones;
  double unit = 0;       ///< the radius of a usual rod
  double mechanism = 0;  ///< the diagonal of the mechanism at the start
  double heaviest = 0;
};

[[nodiscard]] Skeleton skeleton(const Scene& scene, std::span<const BodyPoses> motion);

/// The corners of a box around a body's shape or pictures, in the body's axes; empty where it has none.
[[nodiscard]] std::vector<Vec3<double>> outline(const Scene::Body& body);

/// Of the spring or damper of a slide: where it stands on the parent along the axis, and whether it is all that holds the child, in place of a rail.
struct SlideSpring {
  double seat = 0;
  bool alone = false;
};
[[nodiscard]] std::optional<SlideSpring> slide_spring(const Connection& one);

/// Whether the model says all about what a body looks like, so that nothing is to be made up.
[[nodiscard]] inline bool is_pictured(const Scene::Body& body) { return !body.pictures.empty() && !body.unseen; }

[[nodiscard]] inline Vec3<double> unit_vector(const Vec3<double>& v, const Vec3<double>& otherwise = {0, 0, 1}) {
  const double l = length(v);
  return l > 0 ? v * (1 / l) : otherwise;
}
/// Two directions that are square to a third and to each other.
[[nodiscard]] std::pair<Vec3<double>, Vec3<double>> across(const Vec3<double>& axis);
/// A frame's axes turned so that z lies along `axis`, with as little turning as possible.
[[nodiscard]] Mat3<double> along(const Vec3<double>& axis);

/// Where solids are collected: each in the axes of a frame of a body.
class Maker {
 public:
  Maker(std::vector<Solid>& out, int body, Solid::Role role, const Frame<double>& frame = {}, std::string_view what = {})
      : out_(out), body_(body), role_(role), frame_(frame), what_(what) {}

  [[nodiscard]] Maker as(Solid::Role role) const { return {out_, body_, role, frame_, what_}; }
  [[nodiscard]] Maker in(const Frame<double>& frame) const { return {out_, body_, role_, frame_ * frame, what_}; }

  void rod(const Vec3<double>& from, const Vec3<double>& to, double radius) const { rod(from, to, radius, radius); }
  void rod(const Vec3<double>& from, const Vec3<double>& to, double radius, double end_radius) const;
  void tube(const Vec3<double>& from, const Vec3<double>& to, double outside, double inside) const;
  void capsule(const Vec3<double>& from, const Vec3<double>& to, double radius, double end_radius) const;
  void ball(const Vec3<double>& centre, double radius) const;
  void block(const Vec3<double>& centre, const Vec3<double>& size, const Mat3<double>& axes = identity3<double>()) const;
  void socket(const Vec3<double>& centre, double radius, const Vec3<double>& opening) const;
  void wire(std::vector<Vec3<double>> points, double radius, bool closed = false) const;
  /// Part of a circle about `normal`, from the direction `start` on.
  void arc(const Vec3<double>& centre, const Vec3<double>& normal, const Vec3<double>& start, double radius, double wire_radius, double angle) const;
  void plate(std::vector<Vec3<double>> corners, const Vec3<double>& normal, double half) const;

 private:
  Solid& add(Solid::Kind kind) const;

  std::vector<Solid>& out_;
  int body_;
  Solid::Role role_;
  Frame<double> frame_;
  std::string_view what_;
};

void add_links(const Skeleton& skeleton, std::vector<Solid>& out);
void add_joints(const Skeleton& skeleton, std::vector<Solid>& out);
void add_struts(const Skeleton& skeleton, std::vector<Scene::Strut>& out);
/// Gives how high the floor is then: below the plates of what is held at the floor.
[[nodiscard]] double add_stands(const Skeleton& skeleton, std::vector<Solid>& out);

/// Corners of the convex polygon around places in a plane, each with a round margin, in the plane through the first of them.
[[nodiscard]] std::vector<Vec3<double>> rounded_hull(const std::vector<Vec3<double>>& places, const Vec3<double>& normal, double margin);
/// The normal of the plane through places that do not lie on a line; nothing where they lie in no plane.
[[nodiscard]] std::optional<Vec3<double>> common_plane(const std::vector<Vec3<double>>& places, double slack);

}  // namespace jounce::solids
