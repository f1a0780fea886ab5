// What joints carry where equations are redundant: the load can be shared in many ways, and the least of them is reported.
//
// Multipliers n of loops and couplings that push no passive dof, K_Pᵀ n = 0, can be added to those that balance the load: nothing moves
// differently. What they do on the bodies goes on through the joints of the tree to the ground, and is held there by what joints resist and
// prescribed dofs give. So all that lies on such a way is undetermined together, whichever of the joints was written as a loop.
//
// Of all reactions that balance the load those are taken that have the least sum of squares: forces in newtons, moments divided by a
// length. Counted are what a joint of the tree resists and what a loop does, both about the middle between the origins of their two frames, and
// the efforts of each prescribed dof and of each coupling. A joint that slides has its frames apart, and about either of them its moment would depend
// on which of its bodies was called the parent. Otherwise that is the rule of the plane.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/base/fault.hpp"
#include "jounce/math/dense.hpp"
#include "jounce/math/small_matrices.hpp"
#include "jounce/space/closures/loop_groups.hpp"

namespace jounce {

/// Multipliers that `within`, combinations of the equations that say all that they say, do not see: one set in each column. `unit` is what
/// counts as one of each equation, `gradients` what they say (SpaceEquations::gradients).
[[nodiscard]] Matrix without_effect(Matrix within, std::span<const double> unit, const Matrix& gradients);

/// What is carried at an instant.
struct Reactions {
  std::vector<tree::Wrench<double>> joints;  ///< on the child, about the origin of the joint's frame there, in ground axes
  std::vector<double> efforts;               ///< of the dofs that exert one, besides springs, dampers and couplings; of others nothing is said
  std::vector<double> lambda;                ///< of loops, couplings and equations

  void add(const Reactions& other, double times);
};

/// Which of them are not unique: one flag for each joint, dof, loop, coupling and equation.
struct OpenReactions {
  std::vector<std::uint8_t> joints, dofs, loops, couplings, equations;

  /// Those of either.
  void add(const OpenReactions& other);
  /// Joints, loops and couplings in the order of the mechanism; of a joint that has several dofs also "wrist.2", where that effort is not unique.
  [[nodiscard]] std::vector<std::string> names(const SpaceMechanism& mechanism) const;
  /// Actuators whose efforts could be others, as they can push against each other.
  [[nodiscard]] std::vector<std::string> actuators(const SpaceMechanism& mechanism) const;
};

/// Of some equations: independent sets of multipliers that push no dof but those that exert an effort, one in each column.
struct PushingNothing {
  std::span<const int> rows;
  Matrix sets;
};

class SharedReactions {
 public:
  struct Instant {
    const tree::Workspace<double>& work;              ///< after tree::motion
    std::span<const tree::LinkMotion<double>> links;  ///< likewise
    const LoopClosures& closures;                     ///< evaluated
  };
  /// `groups` of loops that have links in common share their load, and nothing with the others (loop_groups.hpp). `exerts` has a flag for each dof: whether
  /// its effort carries the motion. `length` divides moments.
  SharedReactions(const SpaceMechanism& mechanism, const Instant& at, std::span<const LoopGroup> groups, std::span<const PushingNothing> none,
                  std::span<const std::uint8_t> exerts, double length);

  [[nodiscard]] const OpenReactions& open() const { return open_; }
  /// Those that do the same as these, and are least.
  [[nodiscard]] Reactions least(Reactions carried) const;

 private:
  // A way to carry no load at all, of what a group has, and what is counted of it.
  struct Way {
    Reactions by;
    std::vector<double> counted;
  };
  // What the loads of a group go through.
  struct Group {
    std::vector<int> links, joints, dofs, loops, couplings, equations, elements, rows;  // dofs: those that exert an effort; elements: as LoopClosures counts them
    std::vector<Way> ways;
  };
  struct Joint {
    Vec3<double> at;             // where its frame on the child is
    std::vector<Twist> allowed;  // its dofs, about that point
    Vec3<double> to_middle;      // from there: half of the way to its frame on the parent
    std::vector<Six> free;       // an orthonormal basis of them about the middle, with angles as lengths
  };
  struct Loop {
    std::vector<Twist> resisted;  // by its rows, about the origin of frame j
    Vec3<double> to_middle;       // from there
  };

  [[nodiscard]] Group group_of(const Instant& at, const LoopGroup& loops) const;
  void find_directions(const Instant& at, const Group& group);
  [[nodiscard]] Reactions answer_to(const Instant& at, const Group& group, std::span<const double> lambda);
  [[nodiscard]] std::vector<double> counted(const Group& group, const Reactions& of) const;
  static void make_orthonormal(std::vector<Way>& ways);
  void find_open(const Group& group);

  const SpaceMechanism* mechanism_;
  std::vector<std::uint8_t> exerts_;
  double length_;
  std::vector<Joint> joints_;
  std::vector<Loop> loops_;
  std::vector<double> unit_;  // of each dof: what its effort is divided by
  std::vector<int> joint_of_link_;
  std::vector<tree::Wrench<double>> through_;  // what carries a link takes over, about the ground's origin; zero but for a moment
  std::vector<double> passed_on_;              // by couplings and equations, likewise
  std::vector<Group> groups_;                  // that have ways
  OpenReactions open_;
};

/// What has been found at an instant, as far as somebody has asked.
struct SharedLoad {
  std::optional<SharedReactions> among;  ///< none: all reactions are unique, once the efforts of actuators are chosen
  std::optional<SharedReactions> fights;  ///< the same with actuators that could push against each other; none where they cannot
  std::optional<Reactions> least;
};

/// Joints, prescribed dofs, loops and couplings whose reactions are not unique at a position.
[[nodiscard]] std::vector<std::string> not_unique(const SpaceMechanism& mechanism, std::span<const double> q);

/// What the actuators that a model names can do at a position.
struct Actuation {
  std::optional<Fault> uncarried;       ///< why they cannot carry every motion that is prescribed
  std::vector<std::string> not_unique;  ///< actuators that could push against each other
};
[[nodiscard]] Actuation actuation(const SpaceMechanism& mechanism, std::span<const double> q);

}  // namespace jounce
