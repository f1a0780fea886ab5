// The joint of a loop, seen from outside: given frame j as seen from frame i, its coordinates, what it resists and how it bends.
//
// The joint is a little tree of its own, made of the same steps as a joint of the mechanism, so that no type needs a formula here.
// Its coordinates are followed from one pose to the next: a screw keeps count of its turns.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "jounce/tree/algorithms.hpp"

namespace jounce {

/// Angular and linear: a velocity, an acceleration, or a small displacement, about a point.
template <class T>
struct TwistOf {
  Vec3<T> turn, shift;
  friend bool operator==(const TwistOf&, const TwistOf&) = default;
};
using Twist = TwistOf<double>;
inline Twist operator+(const Twist& a, const Twist& b) { return {a.turn + b.turn, a.shift + b.shift}; }
inline Twist operator-(const Twist& a, const Twist& b) { return {a.turn - b.turn, a.shift - b.shift}; }
inline Twist operator*(const Twist& a, double s) { return {a.turn * s, a.shift * s}; }
inline double dot(const Twist& a, const Twist& b) { return dot(a.turn, b.turn) + dot(a.shift, b.shift); }

class LoopJoint {
 public:
  /// `length`: of the mechanism. What is short against it counts as nothing.
  LoopJoint(std::span<const tree::Step> steps, double length);

  /// How many directions it resists: six less the freedoms that its steps really have together.
  [[nodiscard]] int rows() const { return turns_ + shifts_ + mixed_; }
  /// Pure rotations come first, then pure translations, then directions that are both, which count as lengths.
  [[nodiscard]] bool metres(int row) const { return row >= turns_; }

  /// The joint as a tree of its own, from frame i on.
  [[nodiscard]] const tree::Tree& tree() const { return tree_; }
  [[nodiscard]] const tree::Attached& links() const { return links_; }

  /// Finds the coordinates that bring its motion nearest to a pose of frame j, seen from frame i.
  void follow(const Frame<double>& pose);
  [[nodiscard]] std::span<const double> coordinates() const { return s_; }

  // All of these are about the origin of frame j, in the axes of frame i.

  /// From where its motion reaches to the pose: rotation vector and displacement.
  [[nodiscard]] const Twist& error() const { return error_; }
  /// What it resists, orthonormal in radians and metres.
  [[nodiscard]] std::span<const Twist> resisted() const { return {resisted_.data(), static_cast<std::size_t>(rows())}; }
  /// The combination of the directions it allows that is nearest to a twist, one number for each dof of its tree.
  void least_squares(const Twist& right, std::vector<double>& out) const;
  /// The least wrench whose power through each of those directions is given.
  [[nodiscard]] Twist holding(std::span<const double> powers) const;
  /// Accelerations (ordinary ones) of frame j against frame i that come with a velocity, its coordinates not accelerating.
  [[nodiscard]] Twist bias(const Twist& velocity);

 private:
  void place();
  [[nodiscard]] double distance() const { return dot(error_, error_); }
  double descend();
  double count_turns(double found);
  void search(double found);
  void start_at(int start);
  void aim();
  void turn_ball();
  void find_resisted();
  void find_ranks();
  [[nodiscard]] Twist as_unit(const Twist& allowed) const;

  double length_;
  tree::Tree tree_;
  tree::Attached links_;
  tree::Workspace<double> work_;
  std::vector<tree::LinkMotion<double>> motion_;
  std::vector<int> turning_;  // links that turn about an axis
  int pointing_ = -1;         // a ball that something is away from
  bool ball_ = false;         // nothing but a ball, with its centre in the origin of frame j
  int turns_ = 0, shifts_ = 0, mixed_ = 0;
  int rank_ = 0;              // of the directions it allows

  Frame<double> pose_;
  std::vector<double> s_, before_, best_, way_, rate_, still_;
  bool resisted_known_ = false;
  std::vector<Twist> resisted_for_;  // the allowed directions to which they belong
  std::vector<Twist> allowed_, unit_allowed_, turn_parts_, shift_parts_;
  Twist error_;
  Vec3<double> reached_{};           // the origin of frame j where its motion reaches
  std::array<Twist, 6> resisted_{};
};

}  // namespace jounce
