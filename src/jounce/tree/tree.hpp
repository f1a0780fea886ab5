// A tree of links: what the recursive algorithms of this folder run on. Constant while they run.
//
// A link is one step of a joint (joint.hpp) and what it carries. Its frame is chosen by the engine: the z axis is the axis of its
// motion and the origin lies on it. A body of a model is the last link of its joint; the links before it have no mass.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "jounce/tree/joint.hpp"

namespace jounce::tree {

inline constexpr int kGround = -1;

/// About the origin of a frame, in its axes.
struct RigidInertia {
  double mass = 0;
  Vec3<double> moment{};  ///< mass times the place of the centre of mass
  Sym3<double> about{};   ///< moments and products of inertia about the origin

  [[nodiscard]] bool is_zero() const { return *this == RigidInertia{}; }
  friend bool operator==(const RigidInertia&, const RigidInertia&) = default;
};

/// Of a mass with its centre at `com` and the inertia `central` about that centre, all in the same axes.
[[nodiscard]] RigidInertia rigid_inertia(double mass, const Vec3<double>& com, const Sym3<double>& central);
/// The same inertia, given in `frame`, where `frame` itself is given.
[[nodiscard]] RigidInertia carried(const Frame<double>& frame, const RigidInertia& inertia);
[[nodiscard]] RigidInertia operator+(const RigidInertia& a, const RigidInertia& b);

struct Link {
  int parent = kGround;  ///< comes before it
  Motion motion = Motion::fixed;
  int q = 0, v = 0;      ///< its first coordinate and dof
  Frame<double> place;   ///< in the parent link, at zero displacement
  double turn = 1, advance = 0;  ///< of a screw, per unit of q
  RigidInertia inertia;
  bool massive = false;  ///< inertia is not zero
  bool parental = false; ///< some other link hangs on it
  bool opens = true;     ///< the last one that hangs on its parent: the first to be met on the way in
  int turning = -1;      ///< its place among the links that turn about z
};

class Tree {
 public:
  Vec3<double> gravity{};

  /// Its parent must be there. Coordinates and dofs are those of the link, and counted.
  int add(Link link);
  /// More mass on a link; `frame`, in which the inertia is given, is given in the link's.
  void load(int link, const Frame<double>& frame, const RigidInertia& inertia);

  [[nodiscard]] std::span<const Link> links() const { return links_; }
  [[nodiscard]] const Link& link(int i) const { return links_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int size() const { return static_cast<int>(links_.size()); }
  [[nodiscard]] int coordinates() const { return coordinates_; }
  [[nodiscard]] int dofs() const { return dofs_; }
  /// Every dof comes after those of the links that carry its own.
  [[nodiscard]] bool ordered() const { return ordered_; }
  /// The links that turn about their z axis.
  [[nodiscard]] std::span<const int> turning() const { return turning_; }
  /// The link that a dof moves.
  [[nodiscard]] int moved_by(int dof) const { return moved_by_[static_cast<std::size_t>(dof)]; }

 private:
  std::vector<Link> links_;
  std::vector<int> turning_, moved_by_, last_child_;
  std::vector<int> highest_dof_;  // of a link and those that carry it
  int coordinates_ = 0, dofs_ = 0;
  bool ordered_ = true;
};

/// A joint as links of a tree.
struct Attached {
  int first = 0, last = 0;     ///< links
  int q = 0, v = 0;            ///< first coordinate and dof
  int coordinates = 0, dofs = 0;
  Frame<double> successor;     ///< the joint's frame on the child's side, in the last link
};
/// `frame`: of the joint, in the parent link.
Attached attach(Tree& tree, int parent, const Frame<double>& frame, std::span<const Step> steps);

/// The coordinates at which nothing is displaced: zeros, and quaternions (1, 0, 0, 0).
[[nodiscard]] std::vector<double> neutral(const Tree& tree);
/// Makes the quaternions of q unit ones; false where one is zero or not finite.
bool normalise(const Tree& tree, std::span<double> q);
/// dq/dt of the velocity variables v.
void rates(const Tree& tree, std::span<const double> q, std::span<const double> v, std::span<double> dq);
/// The way from q0 to q1 in velocity variables: what to hand to `moved` to arrive. Rotations by the shorter way.
void difference(const Tree& tree, std::span<const double> q0, std::span<const double> q1, std::span<double> way);
/// q after moving by `way`, a vector of velocity variables: exact for constant body rates over unit time.
void move(const Tree& tree, std::span<double> q, std::span<const double> way);

}  // namespace jounce::tree
