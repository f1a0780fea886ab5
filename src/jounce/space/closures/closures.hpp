// What loops and couplings demand of the joint coordinates: φ(q) = 0, K v = 0 and K q̈ = k.
//
// A loop of any joint type says that frame j, seen from frame i, is somewhere that the joint's own motion reaches: its
// coordinates s are found from the two frames, and what they cannot reach is the residual. With S(s) the directions the joint
// allows and T a basis of the wrenches it resists, Tᵀ S = 0:
//
//   φ = Tᵀ (error of the frames)      K = Tᵀ (J_j − J_i)      k = −Tᵀ (a_j − a_i − bias of the joint), at q̈ = 0
//
// so one piece of code serves all types, from the same steps that make a joint of the tree (tree/joint.hpp).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jounce/space/closures/loop_joint.hpp"
#include "jounce/space/mechanism.hpp"
#include "jounce/tree/algorithms.hpp"

namespace jounce {

class LoopClosures {
 public:
  explicit LoopClosures(const SpaceMechanism& mechanism);

  struct Loop {
    LoopJoint joint;
    int link_i, link_j;
    Frame<double> frame_i, frame_j;  ///< in the links
    int row;                         ///< its first
    Vec3<double> at{};               ///< origin of frame j
  };
  [[nodiscard]] std::span<const Loop> loops() const { return loops_; }
  /// Couplings have one row each, from here on.
  [[nodiscard]] int first_coupling() const { return first_coupling_; }
  /// What a row resists, in ground axes about the origin of frame j of its loop; zero for couplings.
  [[nodiscard]] std::span<const Twist> basis() const { return basis_; }

  struct Row {
    int element = 0;     ///< loop, or loops + coupling
    bool metres = true;  ///< its unit: metres or radians
  };
  [[nodiscard]] int size() const { return static_cast<int>(rows_.size()); }
  [[nodiscard]] std::span<const Row> rows() const { return rows_; }
  /// "loop 'closure'" or "coupling 'finger'".
  [[nodiscard]] std::string name(int element) const;

  /// At a state; `work` and `links` are what tree::motion left there with qdd = 0.
  void evaluate(std::span<const double> q, std::span<const double> v, const tree::Workspace<double>& work,
                std::span<const tree::LinkMotion<double>> links);

  [[nodiscard]] std::span<const double> residual() const { return residual_; }
  /// The largest of them, metres or radians.
  [[nodiscard]] double worst() const;
  /// K, row after row, one column for each dof.
  [[nodiscard]] std::span<const double> jacobian() const { return jacobian_; }
  /// k
  [[nodiscard]] std::span<const double> right() const { return right_; }

  /// What multipliers do: wrenches on links, about the ground's origin in ground axes, and efforts of couplings, added.
  void add_forces(std::span<const double> lambda, std::span<tree::Wrench<double>> external, std::span<double> tau) const;
  /// The wrench that a loop applies on its body j, about the origin of frame j, in ground axes.
  [[nodiscard]] tree::Wrench<double> reaction(int loop, std::span<const double> lambda) const;

 private:
  void evaluate_loop(Loop& loop, const tree::Workspace<double>& work, std::span<const tree::LinkMotion<double>> links);
  void fill_row(int row, const Loop& loop, const tree::Workspace<double>& work, std::span<const tree::LinkMotion<double>> links);
  void evaluate_couplings(std::span<const double> q);

  const SpaceMechanism* mechanism_;
  std::vector<Row> rows_;
  std::vector<double> residual_, jacobian_, right_;
  std::vector<Loop> loops_;
  std::vector<Twist> basis_;  // of the rows of loops: T, in ground axes about the origin of frame j
  int first_coupling_ = 0;    // row
};

}  // namespace jounce
