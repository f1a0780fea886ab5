// A spatial mechanism in maximal coordinates: every body is free with six freedoms, and all joints hold by multipliers.
//
//   M δ + Kᵀλ = g       K δ = k        M = diag(m, m, m, I₁, I₂, I₃, …), constant
//
// of the accelerations of the centres of mass, in ground axes, and of the angular ones about the principal axes of inertia. δ is what
// the accelerations of the joints make of them: how bodies accelerate when no joint does (q̈ = 0) is known from their velocities.
//
// A joint of the tree says T · δ = 0, T being the wrenches that it resists, seen by δ of its child against its parent. A loop or
// coupling says K q̈ = k as it does in joint coordinates (tree_closures.hpp). A prescribed dof says D · δ = q̈, D being the dual of the
// directions S that the joint allows, D S = 1. By the same D, springs and torques of dofs are wrenches on the bodies, and δ gives
// all q̈. Bodies that a fixed joint makes one are one here.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/mechanism/saddle.hpp"
#include "jounce/space/closures/closures.hpp"
#include "jounce/space/loads/loads.hpp"

namespace jounce {

/// Empty where the formulation applies to the mechanism; otherwise a sentence that names the body or joint that prevents it.
[[nodiscard]] std::string inapplicable(const SpaceMechanism& mechanism, Formulation formulation);

class MaximalCoordinates {
 public:
  /// For lagrange, kkt and nullspace. No joint may have more than six dofs.
  MaximalCoordinates(const SpaceMechanism& mechanism, const LoopClosures& closures, std::span<const std::uint8_t> active,
                     Formulation formulation);

  MaximalCoordinates(const MaximalCoordinates&) = delete;
  MaximalCoordinates& operator=(const MaximalCoordinates&) = delete;

  /// What is known at an instant.
  struct Instant {
    const tree::Workspace<double>& work;              ///< after tree::motion with q̈ = 0
    std::span<const tree::LinkMotion<double>> links;  ///< likewise
    const LoopClosures& closures;                     ///< evaluated
    std::span<const tree::Wrench<double>> external;   ///< on links, about the ground's origin
    std::span<const double> effort;                   ///< of springs, dampers and torques of the dofs
    std::span<const int> left_out{};                  ///< equations of loops and couplings that follow from others
  };
  /// Accelerations of the passive dofs into a, where those of the active ones are, and multipliers of loops and couplings, with the
  /// sign that LoopClosures gives them. Where loops are redundant they are some of many that hold.
  [[nodiscard]] std::optional<Fault> solve(const Instant& at, std::span<double> a, std::span<double> lambda);
  /// The wrenches through the joints, after `solve`, when `external` and `effort` have what loops and couplings do: from the
  /// multipliers of the joints, or, where loops are redundant and others of their multipliers were chosen, from body to body.
  void find_wrenches(const Instant& at);

  /// On the child, about the origin of the joint's frame on the child, in ground axes.
  [[nodiscard]] const tree::Wrench<double>& joint_wrench(int joint) const { return wrenches_[static_cast<std::size_t>(joint)]; }
  /// Sᵀ of them for every dof.
  void efforts(std::span<double> tau) const;
  /// Angular acceleration of a body, and that of its origin, after `find_wrenches`.
  [[nodiscard]] const Twist& acceleration(int body) const { return accelerations_[static_cast<std::size_t>(body)]; }
  /// Energy of all bodies, after `solve`.
  [[nodiscard]] double kinetic() const { return kinetic_; }

  [[nodiscard]] std::span<const int> dropped() const { return solver_->dropped(); }
  [[nodiscard]] int unknowns() const { return solver_->unknowns(); }
  [[nodiscard]] const SparsePattern& pattern() const { return pattern_; }
  /// K and M, in units of the mechanism's length and largest mass.
  [[nodiscard]] std::span<const double> jacobian() const { return jacobian_; }
  [[nodiscard]] std::span<const double> mass() const { return mass_; }

 private:
  static constexpr int kNone = -1;  // of nodes: the ground

  struct Node {
    int link = 0;          // one that moves with it
    double mass = 0;
    Vec3<double> inertia;  // principal moments
    Frame<double> frame;   // of the principal axes about the centre of mass, in the link
    // at an instant
    Mat3<double> axes;
    Vec3<double> centre, drift;  // `drift`: acceleration of the centre of mass when q̈ = 0
  };
  struct Joint {
    int i = kNone, j = kNone;     // nodes of parent and child
    int row = 0, resists = 0;     // its first row, and how many for T
    bool merged = false;          // fixed: no rows
    Vec3<double> at;              // where its frame on the child is
    std::array<Twist, 6> allowed, dual, resisted;
  };
  struct Block {
    int node = 0;
    std::array<int, 6> places{};  // in the values of K
  };

  void make_nodes();
  void make_rows(const LoopClosures& closures);
  void add_row(std::span<const int> nodes);
  void add_row(std::initializer_list<int> nodes) { add_row(std::span(nodes.begin(), nodes.size())); }
  void make_pattern();

  void place(const Instant& at);
  [[nodiscard]] std::optional<Fault> find_directions(std::size_t joint, const Instant& at);
  void fill(const Instant& at, std::span<const double> a);
  void fill_joint(const tree::Attached& links, const Joint& joint, std::span<const double> a);
  void fill_loops(const Instant& at);
  void fill_couplings(const Instant& at);
  void fill_equations(const Instant& at);
  void leave_out(int row);
  void set_row(int row, double factor, double right);
  void add_entries(int row, int node, const Twist& own, const Vec3<double>& at, double factor);
  void add_relative(int row, const Joint& joint, const Twist& own, double factor);
  void find_forces(const Instant& at);
  void push(int node, const tree::Wrench<double>& about, const Vec3<double>& point);
  [[nodiscard]] double size(const Twist& row) const;
  [[nodiscard]] Twist change(int node, const Vec3<double>& at) const;
  [[nodiscard]] double multiplier(int row) const;
  [[nodiscard]] tree::Wrench<double> from_multipliers(const SpaceJoint& own, const Joint& joint,
                                                      std::span<const double> effort) const;
  [[nodiscard]] tree::Wrench<double> needed(const Instant& at, int link) const;
  [[nodiscard]] Twist acceleration_of(const Instant& at, const SpaceBody& body) const;

  const SpaceMechanism* mechanism_;
  std::vector<std::uint8_t> active_;
  double length_, heaviest_ = 1;  // units of the equations
  std::vector<Node> nodes_;
  std::vector<int> node_of_;      // link → node
  std::vector<Joint> joints_;
  std::vector<int> order_;        // of joints: parents first
  std::vector<int> joint_of_;     // dof → joint
  int first_loop_ = 0, first_coupling_ = 0, first_equation_ = 0;  // rows
  std::vector<std::vector<Block>> blocks_;  // of each row
  SparsePattern pattern_;
  std::vector<double> jacobian_, mass_, force_, right_, factor_, delta_, lambda_, unit_;
  std::vector<tree::Wrench<double>> wrenches_, below_;
  std::vector<Twist> accelerations_;
  double kinetic_ = 0;
  std::unique_ptr<SaddleSolver> solver_;
};

}  // namespace jounce
